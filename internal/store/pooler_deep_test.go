//go:build deep

package store_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/localpostgres/heldport"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/store/schema"
	"requisite/internal/testkit/await"
	"requisite/internal/testkit/needs"
)

// TestReady_RefusesAPoolerOfTransactions by name, with the real PgBouncer.
func TestReady_RefusesAPoolerOfTransactions(t *testing.T) {
	program := needs.Program(t, "pgbouncer", "apt-get install pgbouncer")
	t.Parallel()
	for mode, want := range map[string]error{"session": nil, "transaction": db.LackSessions} {
		t.Run(mode, func(t *testing.T) {
			through := startPooler(t, program, pgtest.As(server.Database(t), pgtest.API), mode)
			store := server.Open(t, through, nil, store.Options{Connections: db.Connections{Max: 8, Apart: 4}})
			for range 5 {
				require.ErrorIs(t, store.Ready(t.Context(), schema.API), want)
			}
		})
	}
}

// startPooler starts PgBouncer in front of a database, and returns the URL through it.
func startPooler(t *testing.T, program, database, mode string) string {
	u, err := url.Parse(database)
	require.NoError(t, err)
	dir, err := os.MkdirTemp("", "pooler-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	port, err := heldport.Hold(0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, port.Release()) })
	password, _ := u.User.Password()
	ini, users := filepath.Join(dir, "pgbouncer.ini"), filepath.Join(dir, "users")
	require.NoError(t, os.WriteFile(users, fmt.Appendf(nil, "%q %q\n", u.User.Username(), password), 0o644))
	require.NoError(t, os.WriteFile(ini, fmt.Appendf(nil, `[databases]
* = host=%s port=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = plain
auth_file = %s
pool_mode = %s
ignore_startup_parameters = extra_float_digits,statement_timeout,lock_timeout,idle_in_transaction_session_timeout
`, u.Hostname(), u.Port(), port.Number(), users, mode), 0o644))
	require.NoError(t, os.Chmod(dir, 0o755))
	arguments := []string{ini}
	if os.Geteuid() == 0 { // PgBouncer refuses root
		arguments = []string{"-u", "postgres", ini}
	}
	command := exec.CommandContext(context.WithoutCancel(t.Context()), program, arguments...)
	var log testLog
	command.Stderr, command.Stdout = &log, &log
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if t.Failed() {
			t.Logf("%s", log)
		}
	})
	u.Host = port.Address()
	await.True(t, "PgBouncer to answer", func(ctx context.Context) error {
		conn, err := pgx.Connect(ctx, u.String())
		if err == nil {
			err = conn.Close(ctx)
		}
		return err
	})
	return u.String()
}

// testLog keeps what a program says.
type testLog []byte

func (l *testLog) Write(p []byte) (int, error) { *l = append(*l, p...); return len(p), nil }
