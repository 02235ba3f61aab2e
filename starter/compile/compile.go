// Package compile builds programs of the checkout and shows the progress. It imports little, because the program that
// compiles all others must itself be compiled first.
package compile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"requisite/starter/progress"
)

// flags of go build leave out data that only debuggers read, so that programs compile and link sooner and take half the space.
// They also leave out the directory and the commit, so that another checkout or commit does not make packages stale.
var flags = []string{"-trimpath", "-gcflags=all=-dwarf=false", "-ldflags=-s -w", "-buildvcs=false"}

// Go is a command of go in dir, such as build or list, with the flags with which programs are built. They need no C compiler, as
// those of the image.
func Go(ctx context.Context, dir, command string, arguments ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "go", slices.Concat([]string{command}, flags, arguments)...)
	c.Dir, c.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	return c
}

// Checkout finds the root of the checkout that the command is run in.
func Checkout(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Path}} {{.Dir}}").Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("this builds programs and needs Go: install it, so that `go version` works")
	}
	name, dir, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if err != nil || name != "requisite" {
		return "", errors.New("this must be run inside a checkout of Requisite")
	}
	return dir, nil
}

// Build is a running build.
type Build struct {
	compiled, downloaded atomic.Int64
	total                atomic.Int64 // zero until it is known
	other                strings.Builder
	ended                chan struct{}
	err                  error
}

// Start begins to build packages of the module in dir into a directory.
func Start(ctx context.Context, dir, into string, packages ...string) *Build {
	b := &Build{ended: make(chan struct{})}
	counting, counted := context.WithCancel(ctx)
	go b.count(counting, dir, packages)
	go func() {
		defer close(b.ended)
		defer counted()
		if err := b.run(ctx, dir, into, packages); err != nil && ctx.Err() != nil {
			b.err = ctx.Err()
		} else if err != nil {
			b.err = fmt.Errorf("go build in %s: %w\n%s", dir, err, b.other.String())
		}
	}()
	return b
}

// run runs `go build -v`, which names every package as it compiles it.
func (b *Build) run(ctx context.Context, dir, into string, packages []string) error {
	command := Go(ctx, dir, "build", append([]string{"-v", "-o", into + string(filepath.Separator)}, packages...)...)
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	output, err := command.StderrPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	b.read(output)
	return command.Wait()
}

func (b *Build) read(output io.Reader) {
	for lines := bufio.NewScanner(output); lines.Scan(); {
		switch line := lines.Text(); {
		case strings.HasPrefix(line, "go: downloading "):
			b.downloaded.Add(1)
		case strings.ContainsAny(line, " \t"): // a package's path has no blanks
			b.other.WriteString(line + "\n")
		default:
			b.compiled.Add(1)
		}
	}
}

// count counts the packages to compile. The build does not wait for it.
func (b *Build) count(ctx context.Context, dir string, packages []string) {
	command := Go(ctx, dir, "list", append([]string{"-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}"}, packages...)...)
	if out, err := command.Output(); err == nil {
		b.total.Store(b.compiled.Load() + int64(len(strings.Fields(string(out)))))
	}
}

// Wait shows the progress of the build until it has ended, and returns how many packages it compiled. It calls step only when
// there is progress to show.
func (b *Build) Wait(step func() *progress.StepLine) (int64, error) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-b.ended:
			return b.compiled.Load(), b.err
		case <-ticker.C:
			if b.compiled.Load()+b.downloaded.Load() > 0 { // otherwise all packages may be up to date
				step().Progress(b.progress())
			}
		}
	}
}

func (b *Build) progress() string {
	compiled, total := b.compiled.Load(), b.total.Load()
	switch {
	case compiled == 0 && b.downloaded.Load() > 0:
		return fmt.Sprintf("%d modules downloaded", b.downloaded.Load())
	case total == 0:
		return fmt.Sprintf("%d packages compiled", compiled)
	}
	return fmt.Sprintf("%d packages compiled, %d left", compiled, max(0, total-compiled))
}

// Result describes a build that has ended, for the step's line.
func Result(compiled int64) string {
	if compiled == 0 {
		return "up to date"
	}
	return fmt.Sprintf("%d packages compiled", compiled)
}

// Fetch downloads the modules of a package, so that its build need not. It reports no errors, because the build will.
func Fetch(ctx context.Context, dir, of string) {
	_ = Go(ctx, dir, "list", "-deps", of).Run()
}
