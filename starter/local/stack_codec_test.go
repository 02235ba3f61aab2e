package local

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStackToken_IsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "codec-token")
	token, err := stackToken(path)
	require.NoError(t, err)
	require.Len(t, token, 64)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	again, err := stackToken(path)
	require.NoError(t, err)
	require.Equal(t, token, again)
	other, err := stackToken(path + "-of-another-stack")
	require.NoError(t, err)
	require.NotEqual(t, token, other)
}
