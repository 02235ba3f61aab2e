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

// module is the module of this package and of the download program.
const module = "requisite/internal/localpostgres"

// fetchInto downloads PostgreSQL into a temporary directory, then renames that. So an interrupted download leaves no
// incomplete programs.
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

// downloadBinaries runs the download program with Go, in the current checkout.
func downloadBinaries(ctx context.Context, dir string) error {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return fmt.Errorf("it needs Go, and must run inside a checkout of Requisite: %w", withOutput(err))
	}
	command := exec.CommandContext(ctx, "go", "run", "./fetch", dir)
	command.Dir = strings.TrimSpace(string(out))
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

// withOutput adds the output of a failed program to its error.
func withOutput(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
	}
	return err
}
