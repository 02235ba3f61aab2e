//go:build deep

package deploy_test

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/localpostgres"
	"requisite/internal/testkit/needs"
)

// archived is a server whose write-ahead log the script of Compose archives.
type archived struct {
	t                   *testing.T
	home, data, archive string
	settings            []string
	path, script        string
	user                *syscall.Credential // of the server, if it is not the one of the test
}

func newArchived(t *testing.T) *archived {
	programs, err := filepath.Glob("/usr/lib/postgresql/*/bin/pg_archivecleanup")
	require.NoError(t, err)
	if len(programs) == 0 {
		needs.Lacking(t, "the programs of Postgres's server are not installed: apt-get install postgresql")
	}
	top, err := os.MkdirTemp("", "archive") // which the user of the server may enter
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(top)) })
	require.NoError(t, os.Chmod(top, 0o711))
	a := &archived{t: t, home: filepath.Join(top, "server"), archive: filepath.Join(top, "archive"), script: filepath.Join(top, "archive.sh")}
	a.data = filepath.Join(a.home, "pgdata")
	require.NoError(t, os.WriteFile(a.script, []byte(deployed(t, "postgres/archive.sh")), 0o755))
	require.NoError(t, os.Mkdir(a.archive, 0o700))
	command := read(t).Services["postgres"].Command
	for _, word := range command[1:] {
		if strings.HasPrefix(word, "archive_") {
			a.settings = append(a.settings, strings.NewReplacer("${POSTGRES_ARCHIVE_MODE:-off}", "on",
				"/bin/sh /scripts/archive.sh", "ARCHIVE_DIRECTORY="+a.archive+" /bin/sh "+a.script).Replace(word))
		}
	}
	require.Len(t, a.settings, 3)
	return a
}

// start starts the server, and gives the archive to its user.
func (a *archived) start() *localpostgres.Server {
	server, err := localpostgres.Start(a.t.Context(), localpostgres.Options{Dir: a.home, Settings: a.settings})
	require.NoError(a.t, err)
	a.t.Cleanup(func() { _ = server.Stop() })
	owner, err := os.Stat(a.data)
	require.NoError(a.t, err)
	of := owner.Sys().(*syscall.Stat_t)
	if os.Geteuid() == 0 {
		a.user = &syscall.Credential{Uid: of.Uid, Gid: of.Gid}
		for _, dir := range []string{a.archive, a.home} {
			require.NoError(a.t, os.Chown(dir, int(of.Uid), int(of.Gid)))
		}
	}
	postgres, err := os.Readlink("/proc/" + strconv.Itoa(server.PID()) + "/exe")
	require.NoError(a.t, err)
	a.path = filepath.Dir(postgres)
	return server
}

// run runs the script as the user of the server.
func (a *archived) run(server *localpostgres.Server, args ...string) (string, error) {
	command := exec.Command("/bin/sh", append([]string{a.script}, args...)...)
	command.Env = []string{"PATH=" + a.path + ":" + os.Getenv("PATH"), "ARCHIVE_DIRECTORY=" + a.archive, "PGDATA=" + a.data}
	if server != nil {
		super, err := url.Parse(server.URL("postgres"))
		require.NoError(a.t, err)
		password, _ := super.User.Password()
		command.Env = append(command.Env, "PGHOST="+super.Hostname(), "PGPORT="+super.Port(), "PGUSER="+super.User.Username(), "PGPASSWORD="+password, "PGSSLMODE=disable")
	}
	command.Dir, command.SysProcAttr = a.archive, &syscall.SysProcAttr{Credential: a.user}
	out, err := command.CombinedOutput()
	return string(out), err
}

func (a *archived) must(server *localpostgres.Server, args ...string) string {
	a.t.Helper()
	out, err := a.run(server, args...)
	require.NoError(a.t, err, "%s", out)
	return out
}

// write writes a row, and returns the time after it by the clock of the server.
func (a *archived) write(server *localpostgres.Server, row string) (after time.Time) {
	a.t.Helper()
	conn, err := pgx.Connect(a.t.Context(), server.URL("postgres"))
	require.NoError(a.t, err)
	defer conn.Close(a.t.Context())
	_, err = conn.Exec(a.t.Context(), `CREATE TABLE IF NOT EXISTS written AS SELECT ''::text AS row`)
	require.NoError(a.t, err)
	_, err = conn.Exec(a.t.Context(), `INSERT INTO written VALUES ($1)`, row)
	require.NoError(a.t, err)
	require.NoError(a.t, conn.QueryRow(a.t.Context(), `SELECT clock_timestamp()`).Scan(&after))
	return after
}

// rows are the rows that the server has.
func (a *archived) rows(server *localpostgres.Server) (rows []string) {
	a.t.Helper()
	conn, err := pgx.Connect(a.t.Context(), server.URL("postgres"))
	require.NoError(a.t, err)
	defer conn.Close(a.t.Context())
	require.NoError(a.t, conn.QueryRow(a.t.Context(), `SELECT array_agg(row ORDER BY row) FROM written WHERE row <> ''`).Scan(&rows))
	return rows
}

// TestArchiveScript_RecoversAnyPointInTime: with the settings of Compose, also what was not archived yet, again after a
// recovery, and from the archive alone.
func TestArchiveScript_RecoversAnyPointInTime(t *testing.T) {
	a := newArchived(t)
	server := a.start()
	a.write(server, "1, before the base backup")
	a.must(server, "base")
	then := a.write(server, "2, before the time")
	a.write(server, "3, after the time")
	out, err := a.run(server, "recover")
	require.Error(t, err)
	require.Contains(t, out, "the server runs: stop it")
	require.NoError(t, server.Stop())

	out, err = a.run(nil, "recover", "2020-01-01 00:00:00Z")
	require.Error(t, err)
	require.Contains(t, out, "there is no base backup from before 2020-01-01")
	a.must(nil, "recover", then.UTC().Format("2006-01-02 15:04:05.999999Z"))
	server = a.start()
	require.Equal(t, []string{"1, before the base backup", "2, before the time"}, a.rows(server))
	require.NoError(t, os.Chmod(a.archive, 0o500)) // nothing is archived
	a.write(server, "4, after the recovery")
	require.NoError(t, server.Stop())
	require.NoError(t, os.Chmod(a.archive, 0o700))
	a.must(nil, "recover")
	server = a.start()
	all := []string{"1, before the base backup", "2, before the time", "4, after the recovery"}
	require.Equal(t, all, a.rows(server), "what the server wrote last")

	// Recovery and this stop archive the rest. Then the disk is lost.
	require.NoError(t, server.Stop())
	for _, left := range a.glob(a.data + "*") {
		require.NoError(t, os.RemoveAll(left))
	}
	a.must(nil, "recover")
	server = a.start()
	require.Equal(t, all, a.rows(server))

	// Another base backup makes room.
	old := time.Now().Add(-30 * 24 * time.Hour)
	for _, base := range a.glob(a.archive + "/base-*") {
		require.NoError(t, os.Chtimes(base, old, old))
	}
	segments := len(a.glob(a.archive + "/0*"))
	newest := strings.TrimSpace(a.must(server, "base"))
	newest = newest[strings.LastIndex(newest, "\n")+1:]
	require.Equal(t, []string{newest}, a.glob(a.archive+"/base-*"))
	require.Less(t, len(a.glob(a.archive+"/0*")), segments, "segments from before the oldest base backup")
	require.Empty(t, a.glob(a.archive+"/*.part"))
}

// TestArchiveScript_RecoversAgainAfterAnEarlierMoment: a base backup of the time that was undone does not lead to what was
// written since.
func TestArchiveScript_RecoversAgainAfterAnEarlierMoment(t *testing.T) {
	a := newArchived(t)
	server := a.start()
	a.must(server, "base")
	then := a.write(server, "1, kept")
	a.write(server, "2, undone")
	undone := strings.TrimSpace(a.must(server, "base"))
	undone = undone[strings.LastIndex(undone, "\n")+1:]
	require.NoError(t, os.Rename(undone, a.archive+"/base-99991231T000000Z")) // whose name is of a later second than then
	require.NoError(t, server.Stop())
	out := a.must(nil, "recover", then.UTC().Format("2006-01-02 15:04:05.999999Z"))
	require.Contains(t, out, "make a base backup")
	require.FileExists(t, a.archive+"/abandoned-base-99991231T000000Z/base.tar.gz")
	server = a.start()
	a.write(server, "3, since")
	require.NoError(t, server.Stop())
	require.NoError(t, os.RemoveAll(a.data))
	a.must(nil, "recover")
	require.Equal(t, []string{"1, kept", "3, since"}, a.rows(a.start()))
}

// TestArchiveScript_DoesNotTakeAHoleForTheEnd: and another try, when the hole is mended, loses nothing.
func TestArchiveScript_DoesNotTakeAHoleForTheEnd(t *testing.T) {
	a := newArchived(t)
	server := a.start()
	a.must(server, "base")
	var all []string
	for _, row := range []string{"1", "2", "3", "4"} {
		a.write(server, row)
		all = append(all, row)
		conn, err := pgx.Connect(t.Context(), server.URL("postgres"))
		require.NoError(t, err)
		_, err = conn.Exec(t.Context(), `SELECT pg_switch_wal()`)
		require.NoError(t, err)
		require.NoError(t, conn.Close(t.Context()))
	}
	require.NoError(t, server.Stop()) // archives the rest
	require.NoError(t, os.RemoveAll(filepath.Join(a.data, "pg_wal")))
	segments := a.glob(a.archive + "/0*[0-9A-F].gz")
	hole := segments[len(segments)-3]
	whole, err := os.ReadFile(hole)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(hole, whole[:len(whole)/2], 0o600))
	out, err := a.run(nil, "recover")
	require.Error(t, err, "%s", out)
	require.Contains(t, out, hole+" is damaged")
	require.NoError(t, os.Remove(hole))
	out, err = a.run(nil, "recover")
	require.Error(t, err, "%s", out)
	require.Contains(t, out, hole+" is missing, and later segments are there")
	require.NoError(t, os.WriteFile(hole, whole, 0o644))
	a.must(nil, "recover")
	require.Equal(t, all, a.rows(a.start()))
	require.Len(t, a.glob(a.data+"*"), 2, "the data, and those before the first try")
}

func (a *archived) glob(pattern string) []string {
	found, err := filepath.Glob(pattern)
	require.NoError(a.t, err)
	return found
}

// TestArchiveScript_RefusesASegmentWithOtherContent: two servers must not share an archive.
func TestArchiveScript_RefusesASegmentWithOtherContent(t *testing.T) {
	a := newArchived(t)
	segment := filepath.Join(a.archive, "segment")
	require.NoError(t, os.WriteFile(segment, []byte("first"), 0o600))
	a.must(nil, "wal", segment, "000000010000000000000001")
	a.must(nil, "wal", segment, "000000010000000000000001")
	require.NoError(t, os.WriteFile(segment, []byte("second"), 0o600))
	out, err := a.run(nil, "wal", segment, "000000010000000000000001")
	require.Error(t, err)
	require.Contains(t, out, "000000010000000000000001.gz has other content")
}
