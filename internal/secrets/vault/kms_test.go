package vault

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// service is a key management service with one key.
type service struct {
	tink.AEAD
	refuses error
	asked   int
}

func newService(t *testing.T) *service {
	handle, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	require.NoError(t, err)
	key, err := aead.New(handle)
	require.NoError(t, err)
	return &service{AEAD: key}
}

func (s *service) EncryptWithContext(_ context.Context, plaintext, bound []byte) ([]byte, error) {
	s.asked++
	if s.refuses != nil {
		return nil, s.refuses
	}
	return s.Encrypt(plaintext, bound)
}

func (s *service) DecryptWithContext(_ context.Context, ciphertext, bound []byte) ([]byte, error) {
	s.asked++
	if s.refuses != nil {
		return nil, s.refuses
	}
	return s.Decrypt(ciphertext, bound)
}

func TestKeyset_EncryptedByKMS(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kek.json")
	kms := newService(t)
	k := Keyset{path, kms}
	require.NoError(t, k.Generate(t.Context()))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), "encryptedKeyset")
	require.NotContains(t, string(text), `"value"`, "the key is not in the file")

	v, err := k.Load(t.Context())
	require.NoError(t, err)
	sealed, err := v.Seal([]byte("secret"), "row")
	require.NoError(t, err)

	kms.asked = 0
	require.NoError(t, CheckFile(path, true))
	before, err := Keyset{File: path}.Keys()
	require.NoError(t, err, "keys are listed without the service")
	require.Len(t, before, 1)
	require.Zero(t, kms.asked)

	added, err := k.AddKey(t.Context())
	require.NoError(t, err)
	promoted, err := k.PromoteNewest(t.Context())
	require.NoError(t, err)
	require.Equal(t, added, promoted)
	v, err = k.Load(t.Context())
	require.NoError(t, err)
	opened, err := v.Open(sealed, "row")
	require.NoError(t, err)
	require.Equal(t, "secret", string(opened))

	_, err = Keyset{File: path}.Load(t.Context())
	require.ErrorIs(t, err, ErrEncrypted)
	require.ErrorContains(t, err, "--kms-key-uri")
	require.ErrorIs(t, CheckFile(path, false), ErrEncrypted)
	_, err = Keyset{path, newService(t)}.Load(t.Context())
	require.ErrorContains(t, err, "decrypt keyset file "+path)
	kms.refuses = context.DeadlineExceeded
	_, err = k.Load(t.Context())
	require.ErrorContains(t, err, "context deadline exceeded")
	_, err = k.AddKey(t.Context())
	require.ErrorContains(t, err, "context deadline exceeded")
	unread := filepath.Join(t.TempDir(), "new.json")
	require.ErrorContains(t, Keyset{unread, kms}.Generate(t.Context()), "context deadline exceeded")
	require.NoFileExists(t, unread)
}

func TestEncrypt_ExistingKeyset(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kek.json")
	plain := Keyset{File: path}
	require.NoError(t, plain.Generate(t.Context()))
	require.NoError(t, os.Chmod(path, 0o440))
	v, err := plain.Load(t.Context())
	require.NoError(t, err)
	sealed, err := v.Seal([]byte("secret"), "row")
	require.NoError(t, err)

	first, second := newService(t), newService(t)
	require.ErrorContains(t, CheckFile(path, true), "starter keyset encrypt "+path)
	_, err = Keyset{path, first}.Load(t.Context())
	require.ErrorContains(t, err, "is not encrypted", "what is not encrypted is not taken for what is")
	require.NoError(t, plain.Encrypt(t.Context(), first))
	require.ErrorIs(t, plain.Encrypt(t.Context(), second), ErrEncrypted)
	require.NoError(t, Keyset{path, first}.Encrypt(t.Context(), second))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o440), info.Mode().Perm())
	_, err = Keyset{path, first}.Load(t.Context())
	require.Error(t, err)
	v, err = Keyset{path, second}.Load(t.Context())
	require.NoError(t, err)
	opened, err := v.Open(sealed, "row")
	require.NoError(t, err)
	require.Equal(t, "secret", string(opened), "it is the same keyset")
}
