package vault

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tink-crypto/tink-go/v2/aead"
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

	unmarked := filepath.Join(t.TempDir(), "unmarked.json")
	require.NoError(t, os.WriteFile(unmarked, keysetOf(t, aead.AES256GCMNoPrefixKeyTemplate()), 0o600))
	_, err = Load(unmarked)
	require.ErrorContains(t, err, "no output prefix")
}

func TestAKeysetGrowsAndShrinksWithoutLosingSecrets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kek.json")
	require.NoError(t, Generate(path))
	load := func() *Vault {
		v, err := Load(path)
		require.NoError(t, err)
		return v
	}
	first := load()
	old, err := first.Seal([]byte("s"), "row")
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(old, first.Mark()))

	added, err := AddKey(path)
	require.NoError(t, err)
	waiting := load()
	require.Equal(t, first.Mark(), waiting.Mark(), "an added key does not seal yet")
	promoted, err := PromoteNewest(path)
	require.NoError(t, err)
	require.Equal(t, added, promoted)
	second := load()
	require.NotEqual(t, first.Mark(), second.Mark())
	fresh, err := second.Seal([]byte("s"), "row")
	require.NoError(t, err)
	_, err = waiting.Open(fresh, "row")
	require.NoError(t, err, "whoever loaded the added key opens what is sealed with it")
	_, err = second.Open(old, "row")
	require.NoError(t, err)

	keys, err := Keys(path)
	require.NoError(t, err)
	require.Len(t, keys, 2)
	require.True(t, keys[1].Primary)
	dropped, err := DropOld(path)
	require.NoError(t, err)
	require.Equal(t, 1, dropped)
	_, err = load().Open(old, "row")
	require.ErrorIs(t, err, ErrCannotOpen)
	_, err = load().Open(fresh, "row")
	require.NoError(t, err)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}
