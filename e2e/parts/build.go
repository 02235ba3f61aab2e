package parts

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// programs is the directory of the built api, worker, starter and devstack.
var programs = sync.OnceValues(build)

// Sources opens every file that the programs are built from, below the module's
// root. The programs run outside the test binary; without this, go test would
// use cached results of older programs.
func Sources(root string) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if strings.HasPrefix(entry.Name(), ".") && path != root {
			return skipped(entry)
		}
		_, err = os.Stat(path)
		return err
	})
}

func skipped(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// build compiles them into one directory of the checkout, which all test
// binaries and later runs share: programs that are up to date are not linked
// again, and nothing is left behind.
func build() (string, error) {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	module := strings.TrimSpace(string(root))
	if err := Sources(module); err != nil {
		return "", err
	}
	dir := filepath.Join(module, ".stack", "tests")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	for in, packages := range map[string][]string{module: {"./api", "./worker", "./starter"}, filepath.Join(module, "devstack"): {"."}} {
		if err := goBuild(in, dir, dir, packages...); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// Variant builds the api and the worker with further flags, into a directory of
// that name beside the others, which it returns.
func Variant(name string, flags ...string) (dir string, err error) {
	bin, err := programs()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(bin, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	return dir, goBuild(root(bin), bin, dir, append(flags, "./api", "./worker")...)
}

// root is the checkout whose programs are in bin.
func root(bin string) string { return filepath.Dir(filepath.Dir(bin)) }

// goBuild builds in one directory into another, while no other test builds; bin has
// the lock for that.
func goBuild(in, bin, into string, args ...string) error {
	alone, err := os.OpenFile(filepath.Join(bin, "building"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer alone.Close()
	if err := syscall.Flock(int(alone.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("wait for the other tests that build: %w", err)
	}
	command := exec.Command("go", append([]string{"build", "-o", into + "/"}, args...)...)
	command.Dir = in
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("go build in %s: %w\n%s", in, err, out)
	}
	return nil
}
