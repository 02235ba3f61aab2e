package parts

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// copyTemporal puts the data of a Temporal that has its schema and the namespace,
// and has done nothing yet, below Dir. To make it takes as much processor time as
// to start Temporal, so it is made once for all tests and later runs, until
// devstack or the version of Postgres changes.
func (s *Stack) copyTemporal(t testing.TB) {
	programs, err := os.Stat(filepath.Join(s.bin, "devstack"))
	require.NoError(t, err)
	version, err := os.ReadFile(filepath.Join(s.postgresDir(), "pgdata", "PG_VERSION"))
	require.NoError(t, err)
	key := fmt.Sprintln(programs.Size(), programs.ModTime().UnixNano(), string(version))

	lock, err := os.OpenFile(filepath.Join(s.bin, "temporal.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	require.NoError(t, err)
	defer lock.Close()
	template, made := filepath.Join(s.bin, "temporal"), filepath.Join(s.bin, "temporal.made-for")
	current := func() bool {
		have, err := os.ReadFile(made)
		return err == nil && string(have) == key
	}
	require.NoError(t, syscall.Flock(int(lock.Fd()), syscall.LOCK_SH))
	if !current() {
		require.NoError(t, syscall.Flock(int(lock.Fd()), syscall.LOCK_EX))
	}
	if !current() { // nobody else has made it meanwhile
		require.NoError(t, errors.Join(os.RemoveAll(made), os.RemoveAll(template)))
		s.startDevstack(t)
		s.Devstack.Stop(t)
		if _, err := os.Stat(filepath.Join(s.Dir, "temporal", "postgres", "location")); err == nil {
			return // its data is elsewhere, where a second server must not find it
		}
		copyDir(t, filepath.Join(s.Dir, "temporal"), template)
		require.NoError(t, os.WriteFile(made, []byte(key), 0o600))
		return // this stack goes on with what it has made
	}
	copyDir(t, template, filepath.Join(s.Dir, "temporal"))
}

// copyDir keeps owners and modes: Postgres is particular about them.
func copyDir(t testing.TB, from, to string) {
	out, err := exec.Command("cp", "-pR", from, to).CombinedOutput()
	require.NoError(t, err, "%s", out)
}
