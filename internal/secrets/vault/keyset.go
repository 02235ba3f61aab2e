package vault

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/proto/tink_go_proto"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// newKeyset has one XAES-256-GCM key, which is safe with random nonces.
func newKeyset() (*keyset.Handle, error) {
	handle, err := keyset.NewHandle(aead.XAES256GCM192BitNonceKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("new keyset: %w", err)
	}
	return handle, nil
}

// Keyset is a keyset in a file, in Tink's JSON.
type Keyset struct {
	File string
	// KMS is the key of a key management service that encrypts the file, or nil.
	KMS tink.AEADWithContext
}

// CheckFile is an error for a file that cannot be a keyset. It does not decrypt an
// encrypted one, because that would be a request to a service.
func CheckFile(file string, encrypted bool) error {
	k := Keyset{File: file}
	data, err := k.read()
	if err != nil {
		return err
	}
	if encrypted {
		_, err = k.parseEncrypted(data)
		return err
	}
	handle, err := k.parsePlain(data)
	if err != nil {
		return err
	}
	_, err = fromHandle(handle)
	return err
}

// handle reads the keyset.
func (k Keyset) handle(ctx context.Context) (*keyset.Handle, error) {
	data, err := k.read()
	if err != nil {
		return nil, err
	}
	if k.KMS == nil {
		return k.parsePlain(data)
	}
	if _, err := k.parseEncrypted(data); err != nil {
		return nil, err
	}
	handle, err := keyset.ReadWithContext(ctx, keyset.NewJSONReader(bytes.NewReader(data)), k.KMS, nil)
	if err != nil {
		return nil, fmt.Errorf("decrypt keyset file %s with its key of the key management service: %w", k.File, err)
	}
	return handle, nil
}

// ErrEncrypted reports an encrypted keyset that is read without its key.
var ErrEncrypted = errors.New("it is encrypted with a key of a key management service")

// form is the field that only an encrypted keyset has.
type form struct {
	EncryptedKeyset string `json:"encryptedKeyset"`
}

func (k Keyset) parsePlain(data []byte) (*keyset.Handle, error) {
	var f form
	if json.Unmarshal(data, &f) == nil && f.EncryptedKeyset != "" {
		return nil, fmt.Errorf("keyset file %s: %w; --kms-key-uri (or REQUISITE_KMS_KEY_URI) names the key", k.File, ErrEncrypted)
	}
	handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(data)))
	if err != nil {
		return nil, fmt.Errorf("keyset file %s does not hold a Tink keyset in JSON", k.File)
	}
	return handle, nil
}

func (k Keyset) parseEncrypted(data []byte) (*tink_go_proto.EncryptedKeyset, error) {
	var f form
	if json.Unmarshal(data, &f) == nil && f.EncryptedKeyset == "" {
		return nil, fmt.Errorf("keyset file %s is not encrypted, although there is a --kms-key-uri; encrypt it with `starter keyset encrypt %s`", k.File, k.File)
	}
	set, err := keyset.NewJSONReader(bytes.NewReader(data)).ReadEncrypted()
	if err != nil {
		return nil, fmt.Errorf("keyset file %s does not hold an encrypted Tink keyset in JSON", k.File)
	}
	return set, nil
}

func (k Keyset) read() ([]byte, error) {
	info, err := os.Stat(k.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("keyset file: %w; mount it there, or make one with `starter keyset create %s`", err, k.File)
	}
	if err != nil {
		return nil, unreadable(err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("keyset file: %s is a directory; name the file in it", k.File)
	}
	if info.Mode().Perm()&0o007 != 0 {
		return nil, fmt.Errorf("keyset file %s can be read by everybody (mode %#o); run chmod 600 on it", k.File, info.Mode().Perm())
	}
	data, err := os.ReadFile(k.File)
	if err != nil {
		return nil, unreadable(err)
	}
	return data, nil
}

// unreadable says what to do about a file that exists but cannot be read.
func unreadable(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("keyset file: %w for user %d; "+
			"make that user its owner, or a group of the user its group with mode 0440 (in Kubernetes, fsGroup and defaultMode)",
			err, os.Geteuid())
	}
	return fmt.Errorf("keyset file: %w", err)
}

// Generate writes a new keyset to the file, which must not exist yet, with mode
// 0600.
func (k Keyset) Generate(ctx context.Context) error {
	handle, err := newKeyset()
	if err != nil {
		return err
	}
	data, err := k.marshal(ctx, handle)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(k.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("keyset file: %w", err)
	}
	if err := writeFile(file, data); err != nil {
		return fmt.Errorf("keyset file: %w", err)
	}
	return nil
}

// marshal is the content of the file.
func (k Keyset) marshal(ctx context.Context, handle *keyset.Handle) ([]byte, error) {
	var data bytes.Buffer
	write := func(w keyset.Writer) error { return insecurecleartextkeyset.Write(handle, w) }
	if k.KMS != nil {
		write = func(w keyset.Writer) error { return handle.WriteWithContext(ctx, w, k.KMS, nil) }
	}
	if err := write(keyset.NewJSONWriter(&data)); err != nil {
		return nil, fmt.Errorf("write keyset %s: %w", k.File, err)
	}
	return data.Bytes(), nil
}

func writeFile(file *os.File, data []byte) error {
	_, err := file.Write(data)
	return errors.Join(err, file.Sync(), file.Close())
}

// KeyInfo describes one key of a keyset; it holds nothing secret.
type KeyInfo struct {
	ID uint32
	// Primary marks the key that encrypts; all keys decrypt.
	Primary bool
	// Newer marks keys that were added after the one that encrypts.
	Newer bool
}

// Keys lists the keys of a keyset, oldest first. It needs no KMS, because the ids in an
// encrypted keyset are not encrypted.
func (k Keyset) Keys() ([]KeyInfo, error) {
	data, err := k.read()
	if err != nil {
		return nil, err
	}
	var info *tink_go_proto.KeysetInfo
	if set, err := k.parseEncrypted(data); err == nil {
		info = set.GetKeysetInfo()
	} else {
		handle, err := k.parsePlain(data)
		if err != nil {
			return nil, err
		}
		info = handle.KeysetInfo()
	}
	return keyInfos(info), nil
}

func keyInfos(info *tink_go_proto.KeysetInfo) (list []KeyInfo) {
	newer := false
	for _, k := range info.GetKeyInfo() {
		primary := k.GetKeyId() == info.GetPrimaryKeyId()
		list = append(list, KeyInfo{k.GetKeyId(), primary, newer})
		newer = newer || primary
	}
	return list
}

// AddKey adds a key that decrypts but does not encrypt yet, so that every
// program can load it before the first secret is encrypted with it.
func (k Keyset) AddKey(ctx context.Context) (id uint32, err error) {
	err = k.change(ctx, func(m *keyset.Manager, _ []KeyInfo) (err error) {
		id, err = m.Add(aead.XAES256GCM192BitNonceKeyTemplate())
		return err
	})
	return id, err
}

// PromoteNewest makes the newest key the one that encrypts. Doing it again
// changes nothing.
func (k Keyset) PromoteNewest(ctx context.Context) (id uint32, err error) {
	err = k.change(ctx, func(m *keyset.Manager, keys []KeyInfo) error {
		id = keys[len(keys)-1].ID
		return m.SetPrimary(id)
	})
	return id, err
}

// DropOld deletes every key that is older than the one that encrypts. Afterwards their
// secrets cannot be decrypted: rewrap first. It refuses while the newest key
// is not promoted, because the rotation is not complete.
func (k Keyset) DropOld(ctx context.Context) (dropped int, err error) {
	err = k.change(ctx, func(m *keyset.Manager, keys []KeyInfo) error {
		if newest := keys[len(keys)-1]; !newest.Primary {
			return fmt.Errorf("key %d was added and does not encrypt yet: promote it first", newest.ID)
		}
		for _, k := range keys {
			if k.Primary {
				continue
			}
			if err := m.Delete(k.ID); err != nil {
				return err
			}
			dropped++
		}
		return nil
	})
	return dropped, err
}

// Encrypt encrypts the file with a key of a key management service. The file may be
// encrypted with another one already. The keyset in it stays the same.
func (k Keyset) Encrypt(ctx context.Context, with tink.AEADWithContext) error {
	handle, err := k.handle(ctx)
	if err != nil {
		return err
	}
	return Keyset{k.File, with}.replace(ctx, handle)
}

// change replaces the keyset by a changed one.
func (k Keyset) change(ctx context.Context, change func(*keyset.Manager, []KeyInfo) error) error {
	handle, err := k.handle(ctx)
	if err != nil {
		return err
	}
	manager := keyset.NewManagerFromHandle(handle)
	if err := change(manager, keyInfos(handle.KeysetInfo())); err != nil {
		return fmt.Errorf("change keyset %s: %w", k.File, err)
	}
	changed, err := manager.Handle()
	if err != nil {
		return fmt.Errorf("change keyset %s: %w", k.File, err)
	}
	return k.replace(ctx, changed)
}

// replace replaces the file atomically: a reader sees either the old keyset or the
// new one.
func (k Keyset) replace(ctx context.Context, handle *keyset.Handle) error {
	data, err := k.marshal(ctx, handle)
	if err != nil {
		return err
	}
	info, err := os.Stat(k.File)
	if err != nil {
		return fmt.Errorf("keyset file: %w", err)
	}
	file, err := os.CreateTemp(filepath.Dir(k.File), ".keyset-*") // mode 0600
	if err != nil {
		return fmt.Errorf("keyset file: %w", err)
	}
	err = writeFile(file, data)
	if err == nil {
		err = os.Chmod(file.Name(), info.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(file.Name(), k.File)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keyset file: %w", err), os.Remove(file.Name()))
	}
	return nil
}
