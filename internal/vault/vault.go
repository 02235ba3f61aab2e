// Package vault keeps secrets at rest: sealed with a Tink keyset, each bound
// to the row that holds it, so that a sealed secret moved to another row does
// not open.
package vault

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// Vault seals and opens secrets. It is safe for concurrent use.
type Vault struct{ aead tink.AEAD }

// Load reads a keyset file as written by Generate. The file must be readable
// by its owner only; its keys never appear in an error.
func Load(path string) (*Vault, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("keyset file: %w; make one with `starter keys generate %s`", err, path)
	}
	if info.Mode().Perm()&0o007 != 0 {
		return nil, fmt.Errorf("keyset file %s can be read by everybody (mode %#o); run chmod 600 on it", path, info.Mode().Perm())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("keyset file: %w", err)
	}
	handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(data)))
	if err != nil {
		return nil, fmt.Errorf("keyset file %s does not hold a Tink keyset in JSON", path)
	}
	return fromHandle(handle)
}

// Generate writes a new keyset of one XAES-256-GCM key, whose random nonces
// need no counting, to a file that must not exist yet, with mode 0600.
func Generate(path string) error {
	handle, err := keyset.NewHandle(aead.XAES256GCM192BitNonceKeyTemplate())
	if err != nil {
		return fmt.Errorf("new keyset: %w", err)
	}
	var data bytes.Buffer
	if err := insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(&data)); err != nil {
		return fmt.Errorf("new keyset: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("keyset file: %w", err)
	}
	_, err = file.Write(data.Bytes())
	return errors.Join(err, file.Sync(), file.Close())
}

// Ensure makes the keyset file when there is none.
func Ensure(path string) error {
	if err := Generate(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// Ephemeral is a vault whose key lives and dies with the process.
func Ephemeral() (*Vault, error) {
	handle, err := keyset.NewHandle(aead.XAES256GCM192BitNonceKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("new keyset: %w", err)
	}
	return fromHandle(handle)
}

func fromHandle(handle *keyset.Handle) (*Vault, error) {
	primitive, err := aead.New(handle)
	if err != nil {
		return nil, errors.New("the keyset is not one for authenticated encryption (AEAD)")
	}
	return &Vault{aead: primitive}, nil
}

// Seal encrypts secret so that it opens only with the same bound text.
func (v *Vault) Seal(secret []byte, bound string) ([]byte, error) {
	sealed, err := v.aead.Encrypt(secret, []byte(bound))
	if err != nil {
		return nil, errors.New("seal a secret: encryption failed")
	}
	return sealed, nil
}

// ErrCannotOpen reports a sealed secret that this keyset, or this bound text,
// does not open.
var ErrCannotOpen = errors.New("the keyset does not open this secret: it was sealed with another keyset or for another row")

// Open decrypts what Seal made.
func (v *Vault) Open(sealed []byte, bound string) ([]byte, error) {
	secret, err := v.aead.Decrypt(sealed, []byte(bound))
	if err != nil {
		return nil, ErrCannotOpen
	}
	return secret, nil
}
