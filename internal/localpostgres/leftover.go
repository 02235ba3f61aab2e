package localpostgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const leftoverTimeout = 60 * time.Second

// stopLeftover shuts down a server that a killed process left behind. The caller holds the directory's lock, so no living
// process owns that server. It leaves a stale postmaster.pid to PostgreSQL.
func stopLeftover(ctx context.Context, data string, progress func(string)) error {
	pid, err := postmasterPID(data)
	if err != nil {
		return err
	}
	if pid == 0 || !serves(pid, data) {
		return nil
	}
	progress("stopping a PostgreSQL server of an earlier run")
	if err := syscall.Kill(pid, syscall.SIGINT); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("stop the PostgreSQL server left behind (process %d): %w", pid, err)
	}
	ctx, cancel := context.WithTimeout(ctx, leftoverTimeout)
	defer cancel()
	for serves(pid, data) {
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return fmt.Errorf("a PostgreSQL server left behind (process %d) does not end; stop it: %w", pid, err)
		}
	}
	return nil
}

// postmasterPID is the process that the data directory's postmaster.pid names, or 0 when there is none.
func postmasterPID(data string) (int, error) {
	content, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("look for a running PostgreSQL server: %w", err)
	}
	first, _, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil || pid <= 0 {
		return 0, nil
	}
	return pid, nil
}
