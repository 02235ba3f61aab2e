package vault

import (
	"os"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// asNobody runs a function as a user who may not read the file: root reads every file.
func asNobody(t *testing.T, path string, do func()) {
	if os.Geteuid() != 0 {
		require.NoError(t, os.Chmod(path, 0o200))
		defer func() { require.NoError(t, os.Chmod(path, 0o600)) }()
		do()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	require.NoError(t, syscall.Setfsuid(65534))
	defer func() { require.NoError(t, syscall.Setfsuid(0)) }()
	do()
}
