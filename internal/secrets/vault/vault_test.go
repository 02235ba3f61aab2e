package vault

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/proto/tink_go_proto"
)

func TestVault_SecretOpensOnlyForItsRow(t *testing.T) {
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

func TestKeyset_GenerateEnsureAndLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kek.json")
	_, err := Keyset{File: path}.Load(t.Context())
	require.ErrorContains(t, err, "starter keyset create")

	require.NoError(t, Keyset{File: path}.Ensure(t.Context()))
	first, err := Keyset{File: path}.Load(t.Context())
	require.NoError(t, err)
	require.NoError(t, Keyset{File: path}.Ensure(t.Context()), "an existing keyset stays")
	second, err := Keyset{File: path}.Load(t.Context())
	require.NoError(t, err)
	sealed, err := first.Seal([]byte("s"), "row")
	require.NoError(t, err)
	_, err = second.Open(sealed, "row")
	require.NoError(t, err)
	require.Error(t, Keyset{File: path}.Generate(t.Context()), "a keyset is never overwritten")

	require.NoError(t, os.Chmod(path, 0o644))
	_, err = Keyset{File: path}.Load(t.Context())
	require.ErrorContains(t, err, "chmod 600")

	garbage := filepath.Join(t.TempDir(), "garbage.json")
	require.NoError(t, os.WriteFile(garbage, []byte(`{"key":"planted-secret"}`), 0o600))
	_, err = Keyset{File: garbage}.Load(t.Context())
	require.ErrorContains(t, err, "does not hold a Tink keyset")
	require.NotContains(t, err.Error(), "planted-secret")

	unmarked := filepath.Join(t.TempDir(), "unmarked.json")
	require.NoError(t, os.WriteFile(unmarked, keysetOf(t, aead.AES256GCMNoPrefixKeyTemplate()), 0o600))
	_, err = Keyset{File: unmarked}.Load(t.Context())
	require.ErrorContains(t, err, "no output prefix")
}

func TestKeyset_RotationKeepsSecretsReadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kek.json")
	require.NoError(t, Keyset{File: path}.Generate(t.Context()))
	load := func() *Vault {
		v, err := Keyset{File: path}.Load(t.Context())
		require.NoError(t, err)
		return v
	}
	first := load()
	old, err := first.Seal([]byte("s"), "row")
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(old, first.Mark()))

	added, err := Keyset{File: path}.AddKey(t.Context())
	require.NoError(t, err)
	waiting := load()
	require.Equal(t, first.Mark(), waiting.Mark(), "an added key does not seal yet")
	require.Equal(t, []uint32{first.PrimaryID(), added}, waiting.KeyIDs(), "the key that encrypts comes first")
	promoted, err := Keyset{File: path}.PromoteNewest(t.Context())
	require.NoError(t, err)
	require.Equal(t, added, promoted)
	second := load()
	require.Equal(t, []uint32{added, first.PrimaryID()}, second.KeyIDs())
	require.NotEqual(t, first.Mark(), second.Mark())
	fresh, err := second.Seal([]byte("s"), "row")
	require.NoError(t, err)
	_, err = waiting.Open(fresh, "row")
	require.NoError(t, err, "whoever loaded the added key opens what is sealed with it")
	_, err = second.Open(old, "row")
	require.NoError(t, err)

	keys, err := Keyset{File: path}.Keys()
	require.NoError(t, err)
	require.Len(t, keys, 2)
	require.True(t, keys[1].Primary)
	dropped, err := Keyset{File: path}.DropOld(t.Context())
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

// sealedBy is the head of what a key alone seals.
func sealedBy(t *testing.T, template *tink_go_proto.KeyTemplate) (*keyset.Handle, []byte) {
	handle, err := keyset.NewHandle(template)
	require.NoError(t, err)
	v, err := fromHandle(handle)
	require.NoError(t, err)
	return handle, v.Mark()
}

// A secret with an unknown mark can never open.
func TestKnows_MarksOfEveryEnabledKey(t *testing.T) {
	_, foreign := sealedBy(t, aead.AES256GCMKeyTemplate())
	legacy := aead.AES256GCMKeyTemplate()
	legacy.OutputPrefixType = tink_go_proto.OutputPrefixType_CRUNCHY
	for _, template := range []*tink_go_proto.KeyTemplate{aead.XAES256GCM192BitNonceKeyTemplate(), legacy} {
		handle, mark := sealedBy(t, template)
		m := keyset.NewManagerFromHandle(handle)
		disabled, err := m.Add(aead.XAES256GCM192BitNonceKeyTemplate())
		require.NoError(t, err)
		require.NoError(t, m.SetPrimary(disabled))
		with, err := m.Handle()
		require.NoError(t, err)
		both, err := fromHandle(with)
		require.NoError(t, err)
		require.True(t, both.Knows(mark), "every key that opens is known, not only the one that seals")
		require.True(t, both.Knows(both.Mark()))
		require.False(t, both.Knows(foreign))
		require.NotEqual(t, mark, both.Mark())

		require.NoError(t, m.SetPrimary(handle.KeysetInfo().GetPrimaryKeyId()))
		require.NoError(t, m.Disable(disabled))
		last, err := m.Add(aead.AES256GCMKeyTemplate())
		require.NoError(t, err)
		without, err := m.Handle()
		require.NoError(t, err)
		v, err := fromHandle(without)
		require.NoError(t, err)
		require.False(t, v.Knows(both.Mark()), "a disabled key opens nothing")
		require.NoError(t, m.SetPrimary(last))
		after, err := m.Handle()
		require.NoError(t, err)
		w, err := fromHandle(after)
		require.NoError(t, err)
		require.True(t, v.Knows(w.Mark()), "keys behind a disabled one count")
	}

	handle, _ := sealedBy(t, aead.AES256GCMKeyTemplate())
	m := keyset.NewManagerFromHandle(handle)
	_, err := m.Add(aead.AES256GCMNoPrefixKeyTemplate())
	require.NoError(t, err)
	mixed, err := m.Handle()
	require.NoError(t, err)
	v, err := fromHandle(mixed)
	require.NoError(t, err)
	require.True(t, v.Knows(foreign), "what a key without a prefix sealed has any mark")

	var none *Vault
	require.False(t, none.Knows(foreign))
	_, err = none.Seal(nil, "row")
	require.ErrorIs(t, err, ErrNoKeyset)
	_, err = none.Open(nil, "row")
	require.ErrorIs(t, err, ErrNoKeyset)
}

// Otherwise it would end the rotation with the old key. The file keeps its mode.
func TestDropOld_RefusedUntilTheNewestKeyIsPromoted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kek.json")
	require.NoError(t, Keyset{File: path}.Generate(t.Context()))
	require.NoError(t, os.Chmod(path, 0o640))
	_, err := Keyset{File: path}.AddKey(t.Context())
	require.NoError(t, err)
	_, err = Keyset{File: path}.PromoteNewest(t.Context())
	require.NoError(t, err)
	added, err := Keyset{File: path}.AddKey(t.Context())
	require.NoError(t, err)
	_, err = Keyset{File: path}.DropOld(t.Context())
	require.ErrorContains(t, err, fmt.Sprintf("key %d was added and does not encrypt yet: promote it first", added))
	sealing, err := Keyset{File: path}.PromoteNewest(t.Context())
	require.NoError(t, err)
	dropped, err := Keyset{File: path}.DropOld(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, dropped)
	keys, err := Keyset{File: path}.Keys()
	require.NoError(t, err)
	require.Equal(t, []KeyInfo{{ID: sealing, Primary: true}}, keys)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode().Perm())
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"))
	require.NoError(t, err)
	require.Empty(t, left, "no second copy of the keys stays")
}

func TestKeyset_ReadAndWriteErrors(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none", "kek.json")
	for name, do := range map[string]func() error{
		"load":     func() error { _, err := Keyset{File: missing}.Load(t.Context()); return err },
		"list":     func() error { _, err := Keyset{File: missing}.Keys(); return err },
		"generate": func() error { return Keyset{File: missing}.Generate(t.Context()) },
		"ensure":   func() error { return Keyset{File: missing}.Ensure(t.Context()) },
		"add":      func() error { _, err := Keyset{File: missing}.AddKey(t.Context()); return err },
		"promote":  func() error { _, err := Keyset{File: missing}.PromoteNewest(t.Context()); return err },
		"drop":     func() error { _, err := Keyset{File: missing}.DropOld(t.Context()); return err },
	} {
		require.ErrorIs(t, do(), fs.ErrNotExist, name)
	}
	directory := t.TempDir()
	require.NoError(t, os.Chmod(directory, 0o700))
	_, err := Keyset{File: directory}.Load(t.Context())
	require.ErrorContains(t, err, "is a directory")

	path := filepath.Join(t.TempDir(), "kek.json")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	file, err := os.Open(path)
	require.NoError(t, err)
	require.ErrorContains(t, writeFile(file, []byte("{")), "write "+path, "half a keyset is not taken for a whole one")

	// What replaces a file that is a directory by now leaves no copy of the keys.
	require.NoError(t, os.Remove(path))
	require.NoError(t, Keyset{File: path}.Generate(t.Context()))
	err = Keyset{File: path}.change(t.Context(), func(*keyset.Manager, []KeyInfo) error {
		require.NoError(t, os.Remove(path))
		return os.Mkdir(path, 0o700)
	})
	require.Error(t, err)
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"))
	require.NoError(t, err)
	require.Empty(t, left)

	refused := filepath.Join(t.TempDir(), "kek.json")
	require.NoError(t, Keyset{File: refused}.Generate(t.Context()))
	before, err := os.ReadFile(refused)
	require.NoError(t, err)
	require.ErrorIs(t, Keyset{File: refused}.change(t.Context(), func(*keyset.Manager, []KeyInfo) error { return fs.ErrClosed }), fs.ErrClosed)
	after, err := os.ReadFile(refused)
	require.NoError(t, err)
	require.Equal(t, before, after)
}
