package faults

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"requisite/e2e/harness"
)

// A test can set the clock of the programs while they run. They are built with a standard
// library whose time.Now adds an offset from a file. As on a machine whose clock is set,
// the wall clock is wrong, and timers are right.

// stepSource is added to the package time.
const stepSource = `package time

import (
	"sync/atomic"
	"syscall"
	"unsafe"
)

var steppedBy *int64

func init() {
	path, ok := syscall.Getenv("CLOCK_STEP_FILE")
	if !ok {
		return
	}
	file, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		panic("CLOCK_STEP_FILE: " + err.Error())
	}
	page, err := syscall.Mmap(file, 0, 8, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		panic("CLOCK_STEP_FILE: " + err.Error())
	}
	steppedBy = (*int64)(unsafe.Pointer(&page[0]))
}

func step() int64 {
	if steppedBy == nil {
		return 0
	}
	return atomic.LoadInt64(steppedBy)
}
`

// reading is the beginning of time.Now, which reads the clock.
const reading = "func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n"

// clock writes changed sources of the package time to a directory, and returns them by the
// paths of the original sources.
func clock(dir string) (map[string]string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find Go's sources: %w", err)
	}
	library := filepath.Join(strings.TrimSpace(string(root)), "src", "time")
	source, err := os.ReadFile(filepath.Join(library, "time.go"))
	if err != nil {
		return nil, fmt.Errorf("read Go's sources: %w", err)
	}
	if strings.Count(string(source), reading) != 1 {
		return nil, errors.New("time.Now of this version of Go has changed: adapt `reading` in clock_test.go")
	}
	changed := strings.Replace(string(source), reading, reading+"\tsec += step()\n", 1)
	replace := map[string]string{}
	for name, text := range map[string]string{"time.go": changed, "step.go": stepSource} {
		replace[filepath.Join(library, name)] = filepath.Join(dir, name)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	return replace, nil
}

// Build compiles this release and the next one of the api and the worker, with clocks that
// can be set. It returns the two directories. dir is for its other files.
func Build(dir string) ([2]string, error) {
	var builds [2]string
	stepped, err := clock(dir)
	if err != nil {
		return builds, err
	}
	next, err := harness.Edited(dir, harness.NextRelease()...)
	if err != nil {
		return builds, err
	}
	for i, edits := range []map[string]string{nil, next} {
		version := []string{"1.0.0-first", "1.0.0-second"}[i]
		file := filepath.Join(dir, version+".json")
		if err := harness.WriteOverlay(file, stepped, edits); err != nil {
			return builds, err
		}
		if builds[i], err = harness.Variant(version, "-overlay", file, "-ldflags=-X requisite/internal/telemetry.linked="+version); err != nil {
			return builds, err
		}
	}
	return builds, nil
}
