package vault

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
)

// newKeyset has one XAES-256-GCM key, which is safe with random nonces.
func newKeyset() (*keyset.Handle, error) {
	handle, err := keyset.NewHandle(aead.XAES256GCM192BitNonceKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("new keyset: %w", err)
	}
	return handle, nil
}

func readKeyset(path string) (*keyset.Handle, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("keyset file: %w; mount it there, or make one with `starter keys generate %s`", err, path)
	}
	if err != nil {
		return nil, unreadable(err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("keyset file: %s is a directory; name the file in it", path)
	}
	if info.Mode().Perm()&0o007 != 0 {
		return nil, fmt.Errorf("keyset file %s can be read by everybody (mode %#o); run chmod 600 on it", path, info.Mode().Perm())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, unreadable(err)
	}
	handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(data)))
	if err != nil {
		return nil, fmt.Errorf("keyset file %s does not hold a Tink keyset in JSON", path)
	}
	return handle, nil
}

// unreadable says what to do about a file that is there and cannot be read.
func unreadable(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("keyset file: %w for user %d; make that user its owner, or a group of the user its group with mode 0440 (in Kubernetes, fsGroup and defaultMode)", err, os.Geteuid())
	}
	return fmt.Errorf("keyset file: %w", err)
}

// Generate writes a new keyset to a file that must not exist yet, with mode
// 0600.
func Generate(path string) error {
	handle, err := newKeyset()
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("keyset file: %w", err)
	}
	if err := writeKeyset(file, handle); err != nil {
		return fmt.Errorf("keyset file: %w", err)
	}
	return nil
}

func writeKeyset(file *os.File, handle *keyset.Handle) error {
	var data bytes.Buffer
	err := insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(&data))
	if err == nil {
		_, err = file.Write(data.Bytes())
	}
	return errors.Join(err, file.Sync(), file.Close())
}

// KeyInfo describes one key of a keyset; it holds nothing secret.
type KeyInfo struct {
	ID uint32
	// Primary marks the key that seals; all of them open.
	Primary bool
}

// Keys lists the keys of a keyset file, oldest first.
func Keys(path string) ([]KeyInfo, error) {
	handle, err := readKeyset(path)
	if err != nil {
		return nil, err
	}
	info := handle.KeysetInfo()
	var list []KeyInfo
	for _, k := range info.GetKeyInfo() {
		list = append(list, KeyInfo{k.GetKeyId(), k.GetKeyId() == info.GetPrimaryKeyId()})
	}
	return list, nil
}

// AddKey adds a key that decrypts but does not encrypt yet, so that every
// program can load it before the first secret is encrypted with it.
func AddKey(path string) (id uint32, err error) {
	err = changeKeyset(path, func(m *keyset.Manager, _ []KeyInfo) (err error) {
		id, err = m.Add(aead.XAES256GCM192BitNonceKeyTemplate())
		return err
	})
	return id, err
}

// PromoteNewest makes the newest key the one that encrypts. Doing it again
// changes nothing.
func PromoteNewest(path string) (id uint32, err error) {
	err = changeKeyset(path, func(m *keyset.Manager, keys []KeyInfo) error {
		id = keys[len(keys)-1].ID
		return m.SetPrimary(id)
	})
	return id, err
}

// DropOld deletes every key but the one that encrypts. Secrets of the others
// cannot be decrypted any more: rewrap first.
func DropOld(path string) (dropped int, err error) {
	err = changeKeyset(path, func(m *keyset.Manager, keys []KeyInfo) error {
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

// changeKeyset replaces the file atomically: a reader sees either the old
// keyset or the new one.
func changeKeyset(path string, change func(*keyset.Manager, []KeyInfo) error) error {
	handle, err := readKeyset(path)
	if err != nil {
		return err
	}
	keys, err := Keys(path)
	if err != nil {
		return err
	}
	manager := keyset.NewManagerFromHandle(handle)
	if err := change(manager, keys); err != nil {
		return fmt.Errorf("change keyset %s: %w", path, err)
	}
	changed, err := manager.Handle()
	if err != nil {
		return fmt.Errorf("change keyset %s: %w", path, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("keyset file: %w", err)
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".keyset-*") // mode 0600
	if err != nil {
		return fmt.Errorf("keyset file: %w", err)
	}
	err = writeKeyset(file, changed)
	if err == nil {
		err = os.Chmod(file.Name(), info.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keyset file: %w", err), os.Remove(file.Name()))
	}
	return nil
}
