package localpostgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module is the one of this package, with the program that downloads.
const module = "requisite/internal/localpostgres"

// fetchInto downloads PostgreSQL beside its final directory and moves it there whole, so that an interrupted download is
// never taken for programs.
func (m *machine) fetchInto(ctx context.Context, dir string) error {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(parent, "download-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	if err := m.download(ctx, fresh); err != nil {
		return err
	}
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(fresh, dir)
}

// downloadBinaries has Go run the program that downloads, from the checkout that the process was started in.
func downloadBinaries(ctx context.Context, dir string) error {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return fmt.Errorf("it takes Go and a checkout of Requisite to run in: %w", withOutput(err))
	}
	command := exec.CommandContext(ctx, "go", "run", "./fetch", dir)
	command.Dir = strings.TrimSpace(string(out))
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

// withOutput adds what a program said to why it failed.
func withOutput(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
	}
	return err
}
