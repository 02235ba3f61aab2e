package local

import (
	"fmt"
	"net"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPrepare_RefusesASecondStackInADirectory(t *testing.T) {
	f := layout(t.TempDir())
	unlock, err := prepare(f)
	require.NoError(t, err)
	_, err = prepare(f)
	require.ErrorContains(t, err, "runs in "+f.Dir+" already")
	require.NoError(t, unlock())
	unlock, err = prepare(f)
	require.NoError(t, err)
	require.NoError(t, unlock())
}

func TestUp_PortInUseNamesTheFlag(t *testing.T) {
	require.NoError(t, refuseTaken(t.Context(), "api-port", 0))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	taken := listener.Addr().(*net.TCPAddr).Port
	require.ErrorContains(t, refuseTaken(t.Context(), "api-port", taken), fmt.Sprintf("port %d is in use; stop what uses it, or give --api-port 0", taken))
	err = runStack(t.Context(), nil, &upOptions{codecPort: taken}, files{}, nil)
	require.ErrorContains(t, err, "or give --codec-port 0")
	require.NoError(t, listener.Close())
	require.NoError(t, refuseTaken(t.Context(), "api-port", taken))
}

func TestUp_NamesTheFaultOfADatabaseURL(t *testing.T) {
	t.Setenv("DATABASE_URL", "'postgres://app:planted@db.example/x'\n")
	_, _, err := startDevstack(t.Context(), nil, &upOptions{}, files{}, "")
	require.EqualError(t, err, "DATABASE_URL: the database URL is in quotes; remove them")
}

func TestShellWord_IsReadByAShellAsThePath(t *testing.T) {
	for _, path := range []string{"/home/ada/requisite/.stack/stack.json", "/home/ada l/it's $HOME/`id`/stack.json", "/C;D&E", "/é", "/a\nb", "/~/a:~b=!c"} {
		read, err := exec.CommandContext(t.Context(), "sh", "-c", "printf %s "+shellWord(path)).Output()
		require.NoError(t, err)
		require.Equal(t, path, string(read))
	}
	require.Equal(t, "/usual/.stack/kek.json", shellWord("/usual/.stack/kek.json"), "no quotes where none are needed")
}
