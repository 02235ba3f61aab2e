package admin

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSecretCreate_KeepsExistingSecrets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "secrets")
	var first, second bytes.Buffer
	require.NoError(t, createSecrets(&first, dir))
	read := func() map[string]string {
		values := map[string]string{}
		for _, name := range composeSecrets {
			data, err := os.ReadFile(filepath.Join(dir, name))
			require.NoError(t, err)
			require.Regexp(t, `^[0-9a-f]{48}\n$`, string(data))
			values[string(data)] = name
		}
		require.Len(t, values, len(composeSecrets), "each is another one")
		return values
	}
	before := read()
	path := filepath.Join(dir, composeSecrets[0])
	require.NoError(t, os.Chmod(path, 0o600))
	require.NoError(t, os.Chmod(dir, 0o755))
	require.NoError(t, createSecrets(&second, dir))
	require.Equal(t, before, read())
	require.Equal(t, len(composeSecrets), bytes.Count(first.Bytes(), []byte("wrote ")))
	require.Equal(t, len(composeSecrets), bytes.Count(second.Bytes(), []byte("kept ")))
	for at, want := range map[string]os.FileMode{dir: secretsMode, path: secretMode} {
		info, err := os.Stat(at)
		require.NoError(t, err)
		require.Equal(t, want, info.Mode().Perm(), at)
	}
}

func TestSecretCreate_RefusesAnEmptyFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, composeSecrets[0])
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.ErrorContains(t, createSecrets(new(bytes.Buffer), dir), path+" is not a file with a secret; delete it, and repeat the command")
}
