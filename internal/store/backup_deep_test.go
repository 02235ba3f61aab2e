//go:build deep

package store_test

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/store"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/needs"
)

// lastBackup is when the last backup succeeded, and lastRestore when one was last restored and verified.
func lastBackup(b *bundle) time.Time  { return lastSuccess(b, store.Backup) }
func lastRestore(b *bundle) time.Time { return lastSuccess(b, store.Restore) }

func lastSuccess(b *bundle, of store.Schedule) time.Time {
	now, err := b.Store.Upkeep.BackgroundState(b.Context(), false)
	require.NoError(b, err)
	require.Contains(b, now.LastSuccess, of)
	return now.LastSuccess[of]
}

// TestBackup_IsRecordedByTheGuidesCommand, for providers that make the backups.
func TestBackup_IsRecordedByTheGuidesCommand(t *testing.T) {
	b := setup(t)
	guide, err := os.ReadFile("../../docs/operating/backup.md")
	require.NoError(t, err)
	command := regexp.MustCompile(`(?m)^\$ psql --command="(UPDATE [^"]+)"`).FindSubmatch(guide)
	require.Len(t, command, 2)
	require.WithinDuration(t, time.Now(), lastBackup(b), time.Hour, "a new database has nothing to lose")
	require.NoError(t, b.Exec(`UPDATE schedule_success SET at = '2020-01-01'`))
	require.Equal(t, 2020, lastBackup(b).Year())
	require.NoError(t, b.Exec(string(command[1])))
	require.Greater(t, lastBackup(b).Year(), 2020)
}

// script runs a script of deploy/postgres on the database of a URL without its password.
func script(t *testing.T, name, dir, database, password string, more ...string) ([]byte, error) {
	at := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(at, []byte(password+"\n"), 0o600))
	command := exec.Command("../../deploy/postgres/"+name, more...)
	command.Env = append(os.Environ(), "DATABASE_URL="+database, "DATABASE_PASSWORD_FILE="+at, "BACKUP_DIRECTORY="+dir, "BACKUP_KEEP_DAYS=14",
		"SCRATCH_URL="+regexp.MustCompile(`/test_\d+`).ReplaceAllString(database, "/requisite_scratch"))
	command.Stderr = os.Stderr
	return command.Output()
}

// TestBackupScript_DumpsEverythingAndKeepsTheLastGoodDump: Compose and the chart run it as the owner of the schema, who is
// subject to row-level security.
func TestBackupScript_DumpsEverythingAndKeepsTheLastGoodDump(t *testing.T) {
	b := setup(t)
	needs.Program(t, "pg_restore", "apt-get install postgresql-client")
	require.NoError(t, b.Exec(`UPDATE schedule_success SET at = '2020-01-01'`))
	dir := t.TempDir()
	file := func(name string, age time.Duration) {
		at := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(at, nil, 0o600))
		require.NoError(t, os.Chtimes(at, time.Time{}, time.Now().Add(-age)))
	}
	const day = 24 * time.Hour
	file("requisite-20200101T000000Z.dump", 30*day)
	file("requisite-20200102T000000Z.dump.part", 30*day)
	file("requisite-20200103T000000Z.dump", 3*day)
	file("mine", 30*day)
	run := func(database, password string) ([]byte, error) {
		return script(t, "backup.sh", dir, database, password)
	}
	kept := func() (names []string) {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	owner, password := asOwner(b)
	missing := *owner
	missing.Path += "x"
	_, err := run(missing.String(), password)
	require.Error(t, err)
	require.Equal(t, []string{"mine", "requisite-20200101T000000Z.dump", "requisite-20200102T000000Z.dump.part", "requisite-20200103T000000Z.dump"}, kept(), "a failed backup deletes nothing, and leaves nothing")
	require.Equal(t, 2020, lastBackup(b).Year())

	out, err := run(owner.String(), password)
	require.NoError(t, err)
	made := regexp.MustCompile(`^` + dir + `/(requisite-\d{8}T\d{6}Z\.dump)\n$`).FindSubmatch(out)
	require.Len(t, made, 2, "%s", out)
	require.Equal(t, []string{"mine", "requisite-20200103T000000Z.dump", string(made[1])}, kept())
	require.Greater(t, lastBackup(b).Year(), 2020)
	info, err := os.Stat(filepath.Join(dir, string(made[1])))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	rows, err := exec.Command("pg_restore", "--data-only", "--table=business", "--file=-", filepath.Join(dir, string(made[1]))).Output()
	require.NoError(t, err)
	require.Contains(t, string(rows), b.Business.ID.String(), "the rows of a tenant")
}

// asOwner returns the URL of the schema's owner, and the password that is not in it.
func asOwner(b *bundle) (*url.URL, string) {
	owner, err := url.Parse(pgtest.As(b.URL, pgtest.Owner))
	require.NoError(b, err)
	password, _ := owner.User.Password()
	owner.User = url.User(owner.User.Username())
	return owner, password
}

// TestBackupCheckScript_RestoresTheNewestDump into a database of its own, and records it in the other one alone when it is told
// that the dump is good. e2e/deploy runs it with the verification.
func TestBackupCheckScript_RestoresTheNewestDump(t *testing.T) {
	b := setup(t)
	needs.Program(t, "pg_restore", "apt-get install postgresql-client")
	require.NoError(t, b.Exec(`ALTER ROLE `+pgtest.Owner+` CREATEDB`))
	defer func() { require.NoError(t, b.Exec(`ALTER ROLE `+pgtest.Owner+` NOCREATEDB`)) }()
	require.NoError(t, b.Exec(`UPDATE schedule_success SET at = '2020-01-01'`))
	owner, password := asOwner(b)
	dir := t.TempDir()
	_, err := script(t, "backup-check.sh", dir, owner.String(), password, "restore")
	require.Error(t, err, "there is no dump")
	_, err = script(t, "backup.sh", dir, owner.String(), password)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "requisite-20200103T000000Z.dump"), []byte("an older one, which is damaged"), 0o600))

	scratch := func() int { return b.Count(`SELECT count(*) FROM pg_database WHERE datname = 'requisite_scratch'`) }
	for range 2 { // an earlier run may have been interrupted
		out, err := script(t, "backup-check.sh", dir, owner.String(), password, "restore")
		require.NoError(t, err)
		require.Contains(t, string(out), "restored "+dir+"/requisite-")
		require.Equal(t, 1, scratch())
	}
	require.Equal(t, 2020, lastRestore(b).Year(), "nothing is verified yet")
	restored, err := exec.Command("psql", "-At", "-c", "SELECT count(*) FROM business", regexp.MustCompile(`/test_\d+`).ReplaceAllString(b.URL, "/requisite_scratch")).Output()
	require.NoError(t, err)
	require.Equal(t, strconv.Itoa(b.Count(`SELECT count(*) FROM business`))+"\n", string(restored))
	_, err = script(t, "backup-check.sh", dir, owner.String(), password, "record")
	require.NoError(t, err)
	require.Greater(t, lastRestore(b).Year(), 2020)
	require.Zero(t, scratch(), "it holds personal data")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "requisite-20990101T000000Z.dump"), []byte("damaged"), 0o600))
	_, err = script(t, "backup-check.sh", dir, owner.String(), password, "restore")
	require.Error(t, err)
}
