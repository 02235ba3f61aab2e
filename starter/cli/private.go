package cli

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// WritePrivate writes JSON atomically, readable by its owner only.
func WritePrivate(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return WritePrivateText(path, string(data))
}

// WritePrivateText is WritePrivate for a text.
func WritePrivateText(path, text string) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = temporary.WriteString(text + "\n")
	if err = errors.Join(err, temporary.Chmod(0o600), temporary.Sync(), temporary.Close()); err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return os.Rename(temporary.Name(), path)
}
