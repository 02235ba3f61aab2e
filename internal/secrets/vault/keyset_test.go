package vault

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A missing mount, or one with another owner, is the usual mistake in a container.
func TestLoad_MissingOrUnreadableFileSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "keys.json")
	_, err := Keyset{File: path}.Load(t.Context())
	require.ErrorContains(t, err, "mount it there, or make one with `starter keyset create "+path+"`")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "mounted"), 0o700))
	_, err = Keyset{File: filepath.Join(dir, "mounted")}.Load(t.Context())
	require.ErrorContains(t, err, "is a directory; name the file in it")
	require.NoError(t, Keyset{File: path}.Generate(t.Context()))
	asNobody(t, path, func() { _, err = Keyset{File: path}.Load(t.Context()) })
	require.ErrorContains(t, err, "permission denied for user")
	require.ErrorContains(t, err, "fsGroup")
	require.NoError(t, os.Chmod(path, 0o440))
	_, err = Keyset{File: path}.Load(t.Context())
	require.NoError(t, err, "a group may read it, as a Secret's volume has it")
}
