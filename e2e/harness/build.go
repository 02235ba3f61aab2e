package harness

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"requisite/starter/compile"
)

// Programs builds the api, the worker, starter and devstack, and returns their directory.
var Programs = sync.OnceValues(build)

// Sources returns when a source file of the programs was last changed, added or removed.
// It opens every file below the module's root: go test then reruns the tests after a
// change, although the programs are no part of the test binary.
func Sources(root string) (changed time.Time, err error) {
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if strings.HasPrefix(entry.Name(), ".") && path != root {
			return skipped(entry)
		}
		info, err := os.Stat(path)
		if err == nil && info.ModTime().After(changed) {
			changed = info.ModTime()
		}
		return err
	})
	return changed, err
}

func skipped(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// build compiles the programs into one directory of the checkout. All test binaries and
// later runs share it, so that go build need not link a program that is up to date.
func build() (string, error) {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	module := strings.TrimSpace(string(root))
	begun := time.Now()
	changed, err := Sources(module)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(module, ".stack", "tests")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	return dir, alone(dir, func() error {
		if current(dir, changed) {
			return nil
		}
		if err := errors.Join(goBuild(module, dir, "./api", "./worker", "./starter/starter"), goBuild(filepath.Join(module, "devstack"), dir, ".")); err != nil {
			return err
		}
		for _, name := range built { // a source that changes during the build must be newer
			if err := os.Chtimes(filepath.Join(dir, name), begun, begun); err != nil {
				return err
			}
		}
		return nil
	})
}

var built = []string{"api", "worker", "starter", "devstack"}

// current reports whether the programs are newer than all sources, and built by this
// version of Go. go build needs two seconds for this check, in each test binary.
func current(dir string, changed time.Time) bool {
	if os.Getenv("GOFLAGS") != "" {
		return false // the flags of the build may have been different
	}
	for _, name := range built {
		program, err := os.Stat(filepath.Join(dir, name))
		if err != nil || !program.ModTime().After(changed) {
			return false
		}
		info, err := buildinfo.ReadFile(filepath.Join(dir, name))
		if err != nil || info.GoVersion != runtime.Version() {
			return false
		}
	}
	return true
}

// Variant builds the api and the worker with additional flags, and returns their
// directory.
func Variant(name string, flags ...string) (dir string, err error) {
	bin, err := Programs()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(bin, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	return dir, alone(bin, func() error { return goBuild(root(bin), dir, append(flags, "./api", "./worker")...) })
}

// root returns the checkout whose programs are in bin.
func root(bin string) string { return filepath.Dir(filepath.Dir(bin)) }

// alone calls build while no other test process builds. The lock is in bin.
func alone(bin string, build func() error) error {
	lock, err := os.OpenFile(filepath.Join(bin, "building"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("wait for the other tests that build: %w", err)
	}
	return build()
}

// goBuild runs go build in a directory, with its output in another.
func goBuild(in, into string, args ...string) error {
	if out, err := compile.Go(context.Background(), in, "build", append([]string{"-o", into + "/"}, args...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("go build in %s: %w\n%s", in, err, out)
	}
	return nil
}
