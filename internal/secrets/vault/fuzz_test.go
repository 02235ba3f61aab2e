package vault

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/mac"
	"github.com/tink-crypto/tink-go/v2/proto/tink_go_proto"
)

func keysetOf(t testing.TB, template *tink_go_proto.KeyTemplate) []byte {
	handle, err := keyset.NewHandle(template)
	require.NoError(t, err)
	var data bytes.Buffer
	require.NoError(t, insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(&data)))
	return data.Bytes()
}

// Every operation works on a keyset file that loads. The error for any other file repeats
// nothing of its content.
func FuzzKeyset(f *testing.F) {
	f.Add(keysetOf(f, aead.XAES256GCM192BitNonceKeyTemplate()))
	f.Add(keysetOf(f, aead.AES256GCMKeyTemplate()))
	f.Add(keysetOf(f, aead.AES256GCMNoPrefixKeyTemplate()))
	f.Add(keysetOf(f, mac.HMACSHA256Tag128KeyTemplate()))
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"primaryKeyId":1,"key":[]}`))
	f.Add([]byte(`{"primaryKeyId":1,"key":[{"keyId":1,"status":"ENABLED","outputPrefixType":"TINK"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "kek.json")
		require.NoError(t, os.WriteFile(path, data, 0o600))
		v, err := Keyset{File: path}.Load(t.Context())
		if err != nil {
			said := strings.ReplaceAll(err.Error(), path, "")
			for _, long := range strings.FieldsFunc(string(data), func(r rune) bool { return strings.ContainsRune("\"{}[]:, \n", r) }) {
				if len(long) > 10 {
					require.NotContains(t, said, long)
				}
			}
			return
		}
		sealed, err := v.Seal([]byte("secret"), "row")
		require.NoError(t, err)
		require.True(t, bytes.HasPrefix(sealed, v.Mark()), "what is sealed now is told from what is old")
		opened, err := v.Open(sealed, "row")
		require.NoError(t, err)
		require.Equal(t, "secret", string(opened))
		keys, err := Keyset{File: path}.Keys()
		require.NoError(t, err)
		require.NotEmpty(t, keys)
	})
}

// Only a secret that was sealed for a row opens for it.
func FuzzOpen(f *testing.F) {
	v, err := Ephemeral()
	require.NoError(f, err)
	f.Add(0, byte(1), []byte("secret"), []byte(nil))
	f.Add(5, byte(0x80), []byte{}, []byte("x"))
	f.Add(1000, byte(0), []byte("s"), []byte("\x01\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, at int, flip byte, secret, other []byte) {
		sealed, err := v.Seal(secret, "row")
		require.NoError(t, err)
		opened, err := v.Open(sealed, "row")
		require.NoError(t, err)
		require.True(t, bytes.Equal(secret, opened))
		changed := bytes.Clone(sealed)
		changed[uint(at)%uint(len(changed))] ^= max(flip, 1)
		for _, bad := range [][]byte{changed, other, append(bytes.Clone(sealed), 0), sealed[:uint(at)%uint(len(sealed))]} {
			_, err = v.Open(bad, "row")
			require.ErrorIs(t, err, ErrCannotOpen)
		}
		_, err = v.Open(sealed, "row2")
		require.ErrorIs(t, err, ErrCannotOpen)
	})
}
