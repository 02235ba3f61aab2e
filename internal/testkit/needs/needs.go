// Package needs is for tests that need what not every machine has: another
// language, a library, a tool. Without it they are skipped, and say what to
// install; with TEST_EVERYTHING=1, as in CI, they fail.
package needs

import (
	"os"
	"os/exec"
	"testing"
)

// everything reports whether nothing may be left out, as in CI. The variable has not
// the prefix of settings: the programs that a test starts inherit it.
func everything() bool { return os.Getenv("TEST_EVERYTHING") == "1" }

// Tries is how often a test tries what it draws: all times in CI, and fewer elsewhere.
func Tries(all, fewer int) int {
	if everything() {
		return all
	}
	return fewer
}

// Lacking ends a test whose machine lacks something: what says which, and the
// command that installs it.
func Lacking(t testing.TB, what string) {
	t.Helper()
	if everything() {
		t.Fatal(what)
		return
	}
	t.Skip(what)
}

// LeftOut is Lacking for a test that goes on without one of its checks.
func LeftOut(t testing.TB, what string) {
	t.Helper()
	if everything() {
		t.Fatal(what)
		return
	}
	t.Log("left out: " + what)
}

// Program finds a program in PATH, which install installs.
func Program(t testing.TB, name, install string) string {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		Lacking(t, name+" is not installed: "+install)
	}
	return program
}

// File is a file or directory that install makes.
func File(t testing.TB, path, install string) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		Lacking(t, path+" is missing: "+install)
	}
}
