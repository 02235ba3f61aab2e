package parts

import "os"

// Size is how much a benchmark does: full, or small where it must only show that
// it still works, as in CI, which sets TEST_SMALL_BENCHMARKS.
func Size(full, small int) int {
	if os.Getenv("TEST_SMALL_BENCHMARKS") != "" {
		return small
	}
	return full
}
