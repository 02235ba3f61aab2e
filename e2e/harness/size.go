package harness

import "os"

// Size returns full, or small if TEST_SMALL_BENCHMARKS is set. CI sets it, because it only
// checks that benchmarks work.
func Size(full, small int) int {
	if os.Getenv("TEST_SMALL_BENCHMARKS") != "" {
		return small
	}
	return full
}
