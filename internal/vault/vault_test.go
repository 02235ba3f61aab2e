package vault

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSealedSecretOpensOnlyForItsRow(t *testing.T) {
	v, err := Ephemeral()
	require.NoError(t, err)
	sealed, err := v.Seal([]byte("planted-secret"), "credential/a")
	require.NoError(t, err)
	require.False(t, bytes.Contains(sealed, []byte("planted-secret")))

	got, err := v.Open(sealed, "credential/a")
	require.NoError(t, err)
	require.Equal(t, "planted-secret", string(got))

	_, err = v.Open(sealed, "credential/b")
	require.ErrorIs(t, err, ErrCannotOpen)

	other, err := Ephemeral()
	require.NoError(t, err)
	_, err = other.Open(sealed, "credential/a")
	require.ErrorIs(t, err, ErrCannotOpen)
}

func TestKeysetFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kek.json")
	_, err := Load(path)
	require.ErrorContains(t, err, "starter keys generate")

	require.NoError(t, Ensure(path))
	first, err := Load(path)
	require.NoError(t, err)
	require.NoError(t, Ensure(path), "an existing keyset stays")
	second, err := Load(path)
	require.NoError(t, err)
	sealed, err := first.Seal([]byte("s"), "row")
	require.NoError(t, err)
	_, err = second.Open(sealed, "row")
	require.NoError(t, err)
	require.Error(t, Generate(path), "a keyset is never overwritten")

	require.NoError(t, os.Chmod(path, 0o644))
	_, err = Load(path)
	require.ErrorContains(t, err, "chmod 600")

	garbage := filepath.Join(t.TempDir(), "garbage.json")
	require.NoError(t, os.WriteFile(garbage, []byte(`{"key":"planted-secret"}`), 0o600))
	_, err = Load(garbage)
	require.ErrorContains(t, err, "does not hold a Tink keyset")
	require.NotContains(t, err.Error(), "planted-secret")
}
