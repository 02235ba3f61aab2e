package admin_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/secrets/vault"
	"requisite/starter/startertest"
)

func TestKeysetCreate_DoesNotOverwriteAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "kek.json")
	_, err := startertest.Run(t, "keyset", "create", path)
	require.NoError(t, err)
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	_, err = startertest.Run(t, "keyset", "create", path)
	require.EqualError(t, err, "keyset file: open "+path+": file exists; name another file, or give --keep to leave it as it is")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after)
}

// Kubernetes mounts a keyset from a Secret, which the programs cannot write.
func TestKeysetDrop_OfflineNeedsNoDatabase(t *testing.T) {
	t.Setenv("DATABASE_URL", "")
	t.Setenv("REQUISITE_KEK_FILE", "")
	path := filepath.Join(t.TempDir(), "kek.json")
	for _, args := range [][]string{{"create", path}, {"add", path}, {"promote", path}} {
		_, err := startertest.Run(t, append([]string{"keyset"}, args...)...)
		require.NoError(t, err)
	}
	before, err := vault.Keyset{File: path}.Keys()
	require.NoError(t, err)
	require.Len(t, before, 2)
	_, err = startertest.Run(t, "keyset", "drop", "--offline", path)
	require.ErrorContains(t, err, "asks nobody", "it may be a copy of the payload keyset")
	same, err := vault.Keyset{File: path}.Keys()
	require.NoError(t, err)
	require.Equal(t, before, same)
	out, err := startertest.Run(t, "keyset", "drop", "--offline", path, "--force")
	require.NoError(t, err)
	require.Contains(t, out, "1 old key(s) deleted from "+path)
	after, err := vault.Keyset{File: path}.Keys()
	require.NoError(t, err)
	require.Equal(t, before[1:], after, "the key that encrypts is left")
	_, err = startertest.Run(t, "keyset", "drop", "--offline", path, "--payload")
	require.Error(t, err)
	_, err = startertest.Run(t, "keyset", "drop")
	require.ErrorContains(t, err, "DATABASE_URL", "without it, the database is asked")
}

// Without an answer of Temporal, nobody knows what the old keys are needed for.
func TestKeysetDropPayload_IsRefusedWithoutAnAnswerOfTemporal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "payload.json")
	for _, args := range [][]string{{"create", path}, {"add", path}, {"promote", path}} {
		_, err := startertest.Run(t, append([]string{"keyset"}, args...)...)
		require.NoError(t, err)
	}
	keys := func() int {
		list, err := vault.Keyset{File: path}.Keys()
		require.NoError(t, err)
		return len(list)
	}
	args := []string{"keyset", "drop", "--payload", "--payload-key-file", path, "--temporal-address", "127.0.0.1:1"}
	for _, more := range [][]string{nil, {"--dry-run"}} {
		_, err := startertest.Run(t, append(args, more...)...)
		require.ErrorContains(t, err, "reach Temporal at 127.0.0.1:1")
		require.ErrorContains(t, err, "no key was deleted")
		require.Equal(t, 2, keys())
	}
	out, err := startertest.Run(t, append(args, "--force")...)
	require.NoError(t, err)
	require.Contains(t, out, "dropped nevertheless: reach Temporal")
	require.Equal(t, 1, keys())
	_, err = startertest.Run(t, "keyset", "drop", "--force")
	require.ErrorContains(t, err, "secrets in the database are lost")
}

func TestSettings_AllMissingOnesAreReported(t *testing.T) {
	t.Setenv("DATABASE_URL", "")
	t.Setenv("REQUISITE_KEK_FILE", "")
	_, err := startertest.Run(t, "credential", "create", "org_1", "name")
	require.ErrorContains(t, err, "DATABASE_URL")
	require.ErrorContains(t, err, "REQUISITE_KEK_FILE")
}
