package vault

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAKeysetThatIsMissingOrNotReadableSaysWhatToDo: a mount that is missing, or whose
// owner is another user, is the usual mistake in a container.
func TestAKeysetThatIsMissingOrNotReadableSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "keys.json")
	_, err := Load(path)
	require.ErrorContains(t, err, "mount it there, or make one with `starter keys generate "+path+"`")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "mounted"), 0o700))
	_, err = Load(filepath.Join(dir, "mounted"))
	require.ErrorContains(t, err, "is a directory; name the file in it")
	require.NoError(t, Generate(path))
	asNobody(t, path, func() { _, err = Load(path) })
	require.ErrorContains(t, err, "permission denied for user")
	require.ErrorContains(t, err, "fsGroup")
	require.NoError(t, os.Chmod(path, 0o440))
	_, err = Load(path)
	require.NoError(t, err, "a group may read it, as a Secret's volume has it")
}
