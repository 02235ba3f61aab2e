// Command starter compiles the program of the same name in ./starter/starter, and executes it. That program imports most of the
// service, and `go run` shows no progress while it compiles. This one imports so little that it soon runs and shows progress.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"requisite/starter/compile"
	"requisite/starter/progress"
)

func main() {
	program, err := compiled(context.Background(), len(os.Args) > 1 && os.Args[1] == "up")
	if err == nil {
		err = syscall.Exec(program, append([]string{"starter"}, os.Args[1:]...), os.Environ())
	}
	fmt.Fprintf(os.Stderr, "starter: %v\n", err)
	os.Exit(1)
}

// compiled builds the program, and returns its path. It prints progress if the checkout has no program yet, at once, or if a
// package must be compiled. all is true for commands that need the other programs too: compiled then downloads their modules
// meanwhile.
func compiled(ctx context.Context, all bool) (string, error) {
	root, err := compile.Checkout(ctx)
	if err != nil {
		return "", fmt.Errorf("%w; elsewhere, use the program that `go build ./starter/starter` makes there", err)
	}
	fetched := make(chan struct{})
	go func() {
		if all {
			compile.Fetch(ctx, filepath.Join(root, "devstack"), ".")
		}
		close(fetched)
	}()
	into := filepath.Join(root, ".stack", "bin")
	if err := os.MkdirAll(into, 0o755); err != nil {
		return "", err
	}
	program := filepath.Join(into, "starter")
	var step *progress.StepLine
	begun := func() *progress.StepLine {
		if step == nil {
			step = (&progress.Narrator{Out: os.Stderr}).Start("Compile the command line; the first time takes a minute or two")
		}
		return step
	}
	if _, err := os.Stat(program); err != nil {
		begun()
	}
	count, err := compile.Start(ctx, root, into, "./starter/starter").Wait(begun)
	if err != nil {
		return "", err
	}
	<-fetched
	if step != nil {
		step.Done(compile.Result(count))
	}
	return program, nil
}
