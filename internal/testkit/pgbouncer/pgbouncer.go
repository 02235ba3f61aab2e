// Package pgbouncer runs a real PgBouncer in front of the Postgres of a test.
package pgbouncer

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
	"requisite/internal/testkit/await"
	"requisite/internal/testkit/needs"
)

// Start starts a PgBouncer that pools in a mode, "session" or "transaction", and returns
// how to reach a database through it. The databases are URLs of one server, each with one
// of the users and its password. All other settings are PgBouncer's own, except for
// settings, such as "default_pool_size = 5".
func Start(t testing.TB, mode string, databases []string, settings ...string) (through func(database string) string) {
	t.Helper()
	program := needs.Program(t, "pgbouncer", "apt-get install pgbouncer")
	dir, err := os.MkdirTemp("", "pgbouncer-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o755)) // its user is another one when root runs the test
	port, err := heldport.Hold(0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, port.Release()) })
	var server *url.URL
	users := ""
	for _, database := range databases {
		server, err = url.Parse(database)
		require.NoError(t, err)
		password, _ := server.User.Password()
		users += fmt.Sprintf("%q %q\n", server.User.Username(), password)
	}
	config := fmt.Sprintf("[databases]\n* = host=%s port=%s\n"+
		"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %d\nunix_socket_dir =\n"+
		"auth_type = scram-sha-256\nauth_file = %s\npool_mode = %s\n",
		server.Hostname(), server.Port(), port.Number(), filepath.Join(dir, "users"), mode)
	for _, setting := range settings {
		config += setting + "\n"
	}
	for name, text := range map[string]string{"users": users, "pgbouncer.ini": config} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	var args []string
	if os.Geteuid() == 0 {
		args = append(args, "--user=nobody") // it refuses to be root
	}
	command := exec.Command(program, append(args, filepath.Join(dir, "pgbouncer.ini"))...)
	log, err := os.Create(filepath.Join(dir, "log"))
	require.NoError(t, err)
	command.Stdout, command.Stderr = log, log
	require.NoError(t, command.Start())
	require.NoError(t, log.Close())
	ended := make(chan struct{})
	go func() {
		_ = command.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = command.Process.Kill()
		<-ended
	})
	through = func(database string) string {
		u, err := url.Parse(database)
		require.NoError(t, err)
		u.Host = port.Address()
		return u.String()
	}
	await.True(t, "PgBouncer to pass on a connection", func(ctx context.Context) error {
		conn, err := pgx.Connect(ctx, through(databases[0]))
		if err != nil {
			return err
		}
		return conn.Close(ctx)
	}, await.Process{Name: "pgbouncer", Ended: ended, Log: log.Name()})
	return through
}
