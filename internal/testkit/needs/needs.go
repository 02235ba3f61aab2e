// Package needs is for tests that need another language, a library or a tool. On a machine
// without it, they are skipped, and say what to install. With TEST_EVERYTHING=1, as in CI,
// they fail. It also says how much a test or a benchmark does.
package needs

import (
	"os"
	"os/exec"
	"testing"
)

// everything reports whether no test may be skipped, as in CI. The variable does not have the
// prefix of settings, because the programs that a test starts inherit it.
func everything() bool { return os.Getenv("TEST_EVERYTHING") == "1" }

// Size is the size of a benchmark: large with TEST_LARGE_BENCHMARKS=1, small otherwise. The
// small size ends soon, and checks only that the benchmark works.
func Size(large, small int) int {
	if os.Getenv("TEST_LARGE_BENCHMARKS") == "1" {
		return large
	}
	return small
}

// Lacking skips or fails a test on a machine that lacks something. what says what to install.
func Lacking(t testing.TB, what string) {
	t.Helper()
	if everything() {
		t.Fatal(what)
		return
	}
	t.Skip(what)
}

// LeftOut is Lacking for a test that continues without one of its checks.
func LeftOut(t testing.TB, what string) {
	t.Helper()
	if everything() {
		t.Fatal(what)
		return
	}
	t.Log("left out: " + what)
}

// Program finds a program in PATH. install is the command that installs it.
func Program(t testing.TB, name, install string) string {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		Lacking(t, name+" is not installed: "+install)
	}
	return program
}

// File finds a file or directory. install is the command that makes it.
func File(t testing.TB, path, install string) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		Lacking(t, path+" is missing: "+install)
	}
}
