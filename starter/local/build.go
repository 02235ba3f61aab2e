package local

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"requisite/starter/progress"
)

// checkout finds the root of the checkout that the command is run in.
func checkout(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Path}} {{.Dir}}").Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("`starter up` builds the programs and needs Go: install it, so that `go version` works")
	}
	name, dir, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if err != nil || name != "requisite" {
		return "", errors.New("`starter up` must be run inside a checkout of Requisite")
	}
	return dir, nil
}

// buildPrograms compiles devstack, api and worker into the stack's directory. If they are up
// to date, it takes a second.
func buildPrograms(ctx context.Context, say *progress.Narrator, f files) error {
	root, err := checkout(ctx)
	if err != nil {
		return err
	}
	for _, b := range []struct {
		text, dir string
		packages  []string
	}{
		{"Build Postgres' launcher, the Temporal server and its UI; the first time takes minutes", filepath.Join(root, "devstack"), []string{"."}},
		{"Build the api and the worker", root, []string{"./api", "./worker"}},
	} {
		step := say.Begin(b.text)
		compiled, err := build(ctx, b.dir, f.bin, b.packages, step)
		if err != nil {
			return err
		}
		if compiled == 0 {
			step.Done("up to date")
		} else {
			step.Done(fmt.Sprintf("%d packages compiled", compiled))
		}
	}
	return nil
}

// build runs `go build -v`, which names every package as it compiles it.
func build(ctx context.Context, dir, bin string, packages []string, step *progress.StepLine) (int64, error) {
	command := exec.CommandContext(ctx, "go", append([]string{"build", "-v", "-o", bin + string(filepath.Separator)}, packages...)...)
	command.Dir = dir
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	output, err := command.StderrPipe()
	if err != nil {
		return 0, err
	}
	if err := command.Start(); err != nil {
		return 0, fmt.Errorf("run go build: %w", err)
	}
	var compiled atomic.Int64
	var other bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		for lines := bufio.NewScanner(output); lines.Scan(); {
			// A package's path has no blanks; anything else is the compiler's.
			if line := lines.Text(); strings.ContainsAny(line, " \t") {
				fmt.Fprintln(&other, line)
			} else {
				compiled.Add(1)
			}
		}
	}()
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for reading := true; reading; {
		select {
		case <-read:
			reading = false
		case <-ticker.C:
			step.Progress(fmt.Sprintf("%d packages compiled", compiled.Load()))
		}
	}
	if err := command.Wait(); err != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		return 0, fmt.Errorf("go build in %s failed:\n%s", dir, other.String())
	}
	return compiled.Load(), nil
}
