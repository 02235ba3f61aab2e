// Package vault protects secrets at rest: encrypted with a Tink keyset, and
// bound to their rows, so that a secret moved to another row cannot be
// decrypted.
package vault

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"slices"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/proto/tink_go_proto"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// Vault seals and opens secrets. It is safe for concurrent use.
type Vault struct {
	aead    tink.AEAD
	primary []byte
	marks   map[string]bool // by mark of each key: whether it was added after the one that encrypts
	raw     bool            // one of the keys has no mark
}

// markBytes is the length of the mark that Tink's ciphertexts begin with: a
// version byte and the id of the key.
const markBytes = 5

// Mark is the prefix of everything that the vault encrypts now. Anything with
// another prefix was encrypted with an older key.
func (v *Vault) Mark() []byte { return bytes.Clone(v.primary) }

// The uses of keysets, as programs report them.
const (
	OfSecrets  = "secrets"  // in the database
	OfPayloads = "payloads" // in Temporal
)

// PrimaryID is the id of the key that encrypts. It is no secret.
func (v *Vault) PrimaryID() uint32 { return binary.BigEndian.Uint32(v.primary[1:]) }

// KeyIDs are the ids of the keys that decrypt: first that of the key that encrypts, then the others in order. They are no secrets.
func (v *Vault) KeyIDs() []uint32 {
	var others []uint32
	for mark := range v.marks {
		if id := binary.BigEndian.Uint32([]byte(mark)[1:]); id != v.PrimaryID() {
			others = append(others, id)
		}
	}
	slices.Sort(others)
	return append([]uint32{v.PrimaryID()}, others...)
}

// KeyID is the id of the key of a sealed secret. ok is false if it names none.
func KeyID(sealed []byte) (id uint32, ok bool) {
	if len(sealed) < markBytes {
		return 0, false
	}
	return binary.BigEndian.Uint32(sealed[1:markBytes]), true
}

// Knows reports whether the vault has the key of a mark. Decryption may still
// fail.
func (v *Vault) Knows(mark []byte) bool {
	if v == nil {
		return false
	}
	_, known := v.marks[string(mark)]
	return known || v.raw
}

// Newer reports whether the key of a mark was added after the one that encrypts.
func (v *Vault) Newer(mark []byte) bool { return v != nil && v.marks[string(mark)] }

// NeedsOldKey reports whether only an old key, which no longer encrypts, opens a sealed
// secret.
func (v *Vault) NeedsOldKey(sealed []byte) bool {
	return len(sealed) >= markBytes && !bytes.Equal(sealed[:markBytes], v.primary) && v.Knows(sealed[:markBytes])
}

// LacksKey reports whether the vault has no key for a sealed secret.
func (v *Vault) LacksKey(sealed []byte) bool {
	return len(sealed) < markBytes || !v.Knows(sealed[:markBytes])
}

// Load reads a keyset as written by Generate. The file must be readable only by its
// owner; its keys never appear in an error.
func (k Keyset) Load(ctx context.Context) (*Vault, error) {
	handle, err := k.handle(ctx)
	if err != nil {
		return nil, err
	}
	return fromHandle(handle)
}

// Ensure creates the keyset if there is none.
func (k Keyset) Ensure(ctx context.Context) error {
	if err := k.Generate(ctx); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// Ephemeral is a vault whose key exists only in this process.
func Ephemeral() (*Vault, error) {
	handle, err := newKeyset()
	if err != nil {
		return nil, err
	}
	return fromHandle(handle)
}

func fromHandle(handle *keyset.Handle) (*Vault, error) {
	primitive, err := aead.New(handle)
	if err != nil {
		return nil, errors.New("the keyset is not one for authenticated encryption (AEAD)")
	}
	for _, k := range handle.KeysetInfo().GetKeyInfo() {
		if k.GetKeyId() == handle.KeysetInfo().GetPrimaryKeyId() && k.GetOutputPrefixType() == tink_go_proto.OutputPrefixType_RAW {
			return nil, errors.New("the keyset's primary key has no output prefix (RAW): its ciphertexts cannot be distinguished from those of older keys")
		}
	}
	v := &Vault{aead: primitive, marks: map[string]bool{}}
	isNewer := false
	for _, k := range handle.KeysetInfo().GetKeyInfo() {
		if k.GetStatus() != tink_go_proto.KeyStatusType_ENABLED {
			continue
		}
		version := byte(0) // of Tink's older forms
		switch k.GetOutputPrefixType() {
		case tink_go_proto.OutputPrefixType_RAW:
			v.raw = true
			continue
		case tink_go_proto.OutputPrefixType_TINK:
			version = 1
		}
		v.marks[string(binary.BigEndian.AppendUint32([]byte{version}, k.GetKeyId()))] = isNewer
		isNewer = isNewer || k.GetKeyId() == handle.KeysetInfo().GetPrimaryKeyId()
	}
	sample, err := v.Seal(nil, "")
	if err != nil {
		return nil, err
	}
	v.primary = sample[:markBytes]
	return v, nil
}

// ErrNoKeyset reports a program without a keyset that needs one for a secret.
var ErrNoKeyset = errors.New("this program was started without a keyset: it can neither encrypt nor decrypt secrets")

// Seal encrypts secret so that it can be decrypted only with the same bound
// text. A nil Vault returns ErrNoKeyset.
func (v *Vault) Seal(secret []byte, bound string) ([]byte, error) {
	if v == nil {
		return nil, ErrNoKeyset
	}
	sealed, err := v.aead.Encrypt(secret, []byte(bound))
	if err != nil {
		return nil, errors.New("seal a secret: encryption failed")
	}
	return sealed, nil
}

// ErrCannotOpen reports a secret that cannot be decrypted with this keyset and
// bound text.
var ErrCannotOpen = errors.New("the keyset does not decrypt this secret: it was encrypted with another keyset or for another row")

// Open decrypts what Seal encrypted. A nil Vault returns ErrNoKeyset.
func (v *Vault) Open(sealed []byte, bound string) ([]byte, error) {
	if v == nil {
		return nil, ErrNoKeyset
	}
	secret, err := v.aead.Decrypt(sealed, []byte(bound))
	if err != nil {
		return nil, ErrCannotOpen
	}
	return secret, nil
}
