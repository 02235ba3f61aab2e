package localpostgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// dataVersion is the major version that made the data, or empty when there is none yet.
func (h *home) dataVersion() string {
	version, err := os.ReadFile(filepath.Join(h.data(), "PG_VERSION"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(version))
}

// initialize makes an empty database cluster, unless there is one. It makes it in a temporary directory, then renames
// that. So an interrupted start leaves no incomplete data.
func (h *home) initialize(ctx context.Context, bin binaries, password string) error {
	if h.dataVersion() != "" {
		return nil
	}
	work := filepath.Join(h.root, "initdb")
	if err := os.RemoveAll(work); err != nil {
		return fmt.Errorf("remove an unfinished PostgreSQL directory: %w", err)
	}
	defer os.RemoveAll(work)
	if err := h.prepareInitdb(work, password); err != nil {
		return fmt.Errorf("prepare the PostgreSQL directory: %w", err)
	}
	if err := h.runInitdb(ctx, bin, work); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(work, dataName), h.data()); err != nil {
		return fmt.Errorf("put the PostgreSQL data in its directory: %w", err)
	}
	return nil
}

// prepareInitdb makes a directory for initdb, with a file that contains the password.
func (h *home) prepareInitdb(work, password string) error {
	passwordPath := filepath.Join(work, passwordFile)
	return errors.Join(
		os.Mkdir(work, 0o700),
		os.WriteFile(passwordPath, []byte(password+"\n"), 0o600),
		h.account.chown(passwordPath),
		h.account.chown(work),
	)
}

func (h *home) runInitdb(ctx context.Context, bin binaries, work string) error {
	arguments := []string{
		"--pgdata=" + filepath.Join(work, dataName),
		"--username=" + superuser,
		"--pwfile=" + filepath.Join(work, passwordFile),
		"--auth=scram-sha-256",
		"--encoding=UTF8",
		"--locale=C",
	}
	if h.ephemeral {
		arguments = append(arguments, "--no-sync")
	}
	cmd := h.account.command(ctx, bin.initdb(), arguments...)
	cmd.Dir = work
	output, err := cmd.CombinedOutput()
	if err != nil {
		return errors.Join(ctx.Err(), fmt.Errorf("%s: %w\n%s", bin.initdb(), err, strings.TrimSpace(string(output))))
	}
	return nil
}
