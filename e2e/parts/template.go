package parts

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

// startCluster starts a Postgres on data that a test has left, or on a copy of an
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
	if errors.Is(err, localpostgres.ErrNoBinaries) { // the version that made the template is gone
		require.NoError(t, errors.Join(os.RemoveAll(o.Dir), os.RemoveAll(template+".made-for")))
		return fresh()
	}
	require.NoError(t, err)
	return server
}

// copyTemporal puts the data of a Temporal that has its schema and the namespace,
// and has done nothing yet, below Dir.
func (s *Stack) copyTemporal(t testing.TB) {
	// Not its time: go build renews that of a program that is up to date.
	build, err := exec.Command("go", "tool", "buildid", filepath.Join(s.bin, "devstack")).Output()
	require.NoError(t, err)
	version, err := os.ReadFile(filepath.Join(s.postgresDir(), "pgdata", "PG_VERSION"))
	if err != nil {
		return // Postgres's data is elsewhere, as Temporal's then is, too
	}
	key := string(build) + string(version)
	fromTemplate(t, filepath.Join(s.bin, "temporal"), key, filepath.Join(s.Dir, "temporal"), func() {
		s.startDevstack(t)
		s.Devstack.Stop(t)
	})
}

// fromTemplate fills a directory with a copy of what was once made for the same
// key, by any test or earlier run, and lets make fill it where that is missing. To
// make the data takes as much processor time as to work with it.
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
	if current() { // or meanwhile, by another test
		copyDir(t, template, dir)
		return
	}
	require.NoError(t, errors.Join(os.RemoveAll(made), os.RemoveAll(template)))
	make()
	for _, file := range []string{"location", "postgres/location"} {
		if _, err := os.Stat(filepath.Join(dir, file)); err == nil {
			return // the data is elsewhere; a copy would lead a second server there
		}
	}
	copyDir(t, dir, template)
	require.NoError(t, os.WriteFile(made, []byte(key), 0o600))
}

// copyDir keeps owners and modes: Postgres is particular about them.
func copyDir(t testing.TB, from, to string) {
	out, err := exec.Command("cp", "-pR", from, to).CombinedOutput()
	require.NoError(t, err, "%s", out)
}
