package harness

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/localpostgres"
)

// startCluster starts Postgres on the data of an earlier start, or else on a copy of an
// empty cluster.
func startCluster(t testing.TB, template string, o localpostgres.Options) *localpostgres.Server {
	fresh := func() *localpostgres.Server {
		server, err := localpostgres.Start(t.Context(), o)
		require.NoError(t, err)
		return server
	}
	if _, err := os.Stat(o.Dir); err == nil {
		return fresh()
	}
	fromTemplate(t, template, "", o.Dir, func() { require.NoError(t, fresh().Stop()) })
	server, err := localpostgres.Start(t.Context(), o)
	if errors.Is(err, localpostgres.ErrNoBinaries) { // the version that made the template is no longer installed
		require.NoError(t, errors.Join(os.RemoveAll(o.Dir), os.RemoveAll(template+".made-for")))
		return fresh()
	}
	require.NoError(t, err)
	return server
}

// copyTemporal copies the data of a new Temporal, with schema and namespace, below Dir.
func (s *Stack) copyTemporal(t testing.TB) {
	// The modification time cannot be the key: go build changes it without changing the program.
	build, err := exec.Command("go", "tool", "buildid", filepath.Join(s.bin, "devstack")).Output()
	require.NoError(t, err)
	version, err := os.ReadFile(filepath.Join(s.postgresDir(), "pgdata", "PG_VERSION"))
	if err != nil {
		return // the data of Postgres is not below Dir, and neither is the data of Temporal
	}
	key := string(build) + string(version)
	fromTemplate(t, filepath.Join(s.bin, "temporal"), key, filepath.Join(s.Dir, "temporal"), func() {
		s.startDevstack(t)
		s.Devstack.Stop(t)
	})
}

// fromTemplate fills a directory with a copy of the template for a key. All test processes
// and later runs share templates. If the template is missing, make fills the directory.
// Making the data takes as much processor time as the tests that use it.
func fromTemplate(t testing.TB, template, key, dir string, make func()) {
	made := template + ".made-for"
	current := func() bool {
		have, err := os.ReadFile(made)
		return err == nil && string(have) == key
	}
	lock, err := os.OpenFile(template+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	require.NoError(t, err)
	defer lock.Close()
	require.NoError(t, syscall.Flock(int(lock.Fd()), syscall.LOCK_SH))
	if !current() {
		require.NoError(t, syscall.Flock(int(lock.Fd()), syscall.LOCK_EX))
	}
	if current() { // another test process may have made it
		copyDir(t, template, dir)
		return
	}
	require.NoError(t, errors.Join(os.RemoveAll(made), os.RemoveAll(template)))
	make()
	for _, file := range []string{"location", "postgres/location"} {
		if _, err := os.Stat(filepath.Join(dir, file)); err == nil {
			return // the directory only has the location of data elsewhere, which a second server must not use
		}
	}
	copyDir(t, dir, template)
	require.NoError(t, os.WriteFile(made, []byte(key), 0o600))
}

// copyDir copies a directory with owners and modes, which Postgres checks.
func copyDir(t testing.TB, from, to string) {
	out, err := exec.Command("cp", "-pR", from, to).CombinedOutput()
	require.NoError(t, err, "%s", out)
}
