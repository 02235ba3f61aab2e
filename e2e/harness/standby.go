package harness

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/localpostgres"
)

// Standby is a second server that follows the stack's Postgres.
type Standby struct{ server *localpostgres.Server }

// StartStandby starts a standby that has every answered write. Programs that start from
// now on use the one of the two servers that accepts writes.
func (s *Stack) StartStandby(t testing.TB) *Standby {
	dir, first := filepath.Join(s.Dir, "standby"), s.postgresDir()
	copyDir(t, first, dir) // its password, and the rights on the directory
	data := filepath.Join(dir, "pgdata")
	owner, err := os.Stat(data)
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(data))
	require.NoError(t, os.Mkdir(data, 0o700))
	of := owner.Sys().(*syscall.Stat_t)
	require.NoError(t, os.Chown(data, int(of.Uid), int(of.Gid)))
	postgres, err := os.Readlink("/proc/" + strconv.Itoa(s.PostgresPID()) + "/exe")
	require.NoError(t, err)
	program := filepath.Join(filepath.Dir(postgres), "pg_basebackup")
	backup := exec.CommandContext(t.Context(), program,
		"-D", data, "-d", s.SuperuserURL("postgres"), "-R", "-X", "stream", "-c", "fast")
	backup.Dir = data
	if os.Geteuid() == 0 {
		backup.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: of.Uid, Gid: of.Gid}}
	}
	out, err := backup.CombinedOutput()
	require.NoError(t, err, "%s", out)
	server, err := localpostgres.Start(t.Context(), localpostgres.Options{Dir: dir, LogFile: filepath.Join(s.Dir, "standby.log")})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	s.Superuser(t, s.SuperuserURL("postgres"), `ALTER SYSTEM SET synchronous_standby_names = '*'`, `SELECT pg_reload_conf()`)

	both, err := url.Parse(s.DatabaseURL)
	require.NoError(t, err)
	other, err := url.Parse(server.URL("postgres"))
	require.NoError(t, err)
	both.Host += "," + other.Host
	query := both.Query()
	query.Set("target_session_attrs", "read-write")
	both.RawQuery = query.Encode()
	s.UseDatabase(both.String())
	return &Standby{server}
}

// Promote makes the standby a server that can be written.
func (s *Standby) Promote(t testing.TB, stack *Stack) {
	stack.Superuser(t, s.server.URL("postgres"), `SELECT pg_promote(true)`)
}

// Superuser executes statements on a connection of its own.
func (s *Stack) Superuser(t testing.TB, database string, statements ...string) {
	ctx := context.WithoutCancel(t.Context()) // a cleanup may be its caller
	conn, err := pgx.Connect(ctx, database)
	require.NoError(t, err)
	defer func() { _ = conn.Close(ctx) }()
	for _, sql := range statements {
		_, err := conn.Exec(ctx, sql)
		require.NoError(t, err, "%s", sql)
	}
}
