package localpostgres

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	lockFile     = "lock"
	locationFile = "location"
	passwordFile = "password"
	dataName     = "pgdata"
)

// home is the directory of one server. Its lock is held until close.
type home struct {
	// dir is the caller's directory. It has the lock, the password and, if the data is elsewhere, its location.
	dir string
	// root holds the data. The account can reach it. It is dir if the account can reach dir.
	root      string
	account   account
	ephemeral bool
	inMemory  bool
	lock      *os.File
}

func (h *home) data() string { return filepath.Join(h.root, dataName) }

// openHome prepares and locks a server's directory, or a temporary one when none is named.
func (m *machine) openHome(ctx context.Context, options Options) (*home, error) {
	if options.Dir == "" {
		return m.openTemporary(ctx, options.InMemory)
	}
	dir, err := filepath.Abs(options.Dir)
	if err != nil {
		return nil, err
	}
	if err := prepareDirectory(dir); err != nil {
		return nil, err
	}
	lock, err := lockDirectory(dir)
	if err != nil {
		return nil, err
	}
	h := &home{dir: dir, lock: lock}
	if err := h.locate(ctx, m); err != nil {
		return nil, errors.Join(err, h.close())
	}
	return h, nil
}

// prepareDirectory creates the directory, or checks that an existing one is empty or belongs to a server. The directory is
// private. New parent directories are not, so that the server's user can reach the data.
func prepareDirectory(dir string) error {
	err := os.MkdirAll(filepath.Dir(dir), 0o755)
	if err == nil {
		err = os.Mkdir(dir, 0o700)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("create the PostgreSQL directory: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("read the PostgreSQL directory: %w", err)
	}
	if len(entries) == 0 {
		return nil
	}
	if _, err := os.Stat(filepath.Join(dir, lockFile)); err != nil {
		return fmt.Errorf("%s is not empty and not a PostgreSQL directory made here; name another", dir)
	}
	return nil
}

// lockDirectory takes the directory's lock, which the kernel releases when this process ends, however it ends.
func lockDirectory(dir string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the PostgreSQL directory: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%w: %s; stop that process or name another directory", ErrInUse, dir)
		}
		return nil, fmt.Errorf("lock the PostgreSQL directory %s: %w", dir, err)
	}
	return file, nil
}

// locate chooses the user that runs the server, and the directory of its data: the one in the location file, or else
// dir if the user can reach it, or else a new one under the state directory.
func (h *home) locate(ctx context.Context, m *machine) error {
	located, err := os.ReadFile(filepath.Join(h.dir, locationFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read where the PostgreSQL data is: %w", err)
	}
	h.root = h.dir
	if len(located) > 0 {
		h.root = strings.TrimSpace(string(located))
	}
	if h.account, err = serverAccount(h.data()); err != nil {
		return err
	}
	if len(located) > 0 {
		if _, err := os.Stat(h.root); err != nil {
			return fmt.Errorf("the PostgreSQL data of %s is gone; remove that directory to start over: %w", h.dir, err)
		}
		return nil
	}
	if !h.account.mayEnter(filepath.Dir(h.dir)) {
		return h.relocate(ctx, m.stateDir)
	}
	return h.grantAccess()
}

func (h *home) grantAccess() error {
	if !h.account.dropped {
		return nil
	}
	return os.Chmod(h.dir, 0o711)
}

// relocate makes a directory for the data under the state directory. It removes older data there, which belonged to a
// removed directory of the same name.
func (h *home) relocate(ctx context.Context, stateDir string) error {
	sum := sha256.Sum256([]byte(h.dir))
	h.root = filepath.Join(stateDir, "postgres-"+hex.EncodeToString(sum[:6]))
	if err := discard(ctx, h.root); err != nil {
		return err
	}
	if err := os.MkdirAll(h.root, 0o711); err != nil {
		return fmt.Errorf("the user that runs PostgreSQL may not enter %s, and its data cannot be kept elsewhere; "+
			"name a directory outside: %w", h.dir, err)
	}
	if err := os.WriteFile(filepath.Join(h.root, "belongs-to"), []byte(h.dir+"\n"), 0o600); err != nil {
		return fmt.Errorf("keep the PostgreSQL data in %s: %w", h.root, err)
	}
	if err := writeWhole(filepath.Join(h.dir, locationFile), h.root+"\n"); err != nil {
		return fmt.Errorf("record where the PostgreSQL data is: %w", err)
	}
	if !h.account.mayEnter(h.root) {
		return fmt.Errorf("the user that runs PostgreSQL may enter neither %s nor %s; name a directory that it may", h.dir, h.root)
	}
	return nil
}

// password returns the server's password, made with the directory and readable by its owner only.
func (h *home) password() (string, error) {
	path := filepath.Join(h.dir, passwordFile)
	content, err := os.ReadFile(path)
	if err == nil && len(content) > 0 {
		return strings.TrimSpace(string(content)), nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read the PostgreSQL password: %w", err)
	}
	if h.dataVersion() != "" {
		return "", fmt.Errorf("the PostgreSQL password %s is gone; put it back, or remove %s to start over", path, h.dir)
	}
	password := rand.Text()
	if err := writeWhole(path, password+"\n"); err != nil {
		return "", fmt.Errorf("keep the PostgreSQL password: %w", err)
	}
	return password, nil
}

// close releases the lock, and removes a temporary directory.
func (h *home) close() error {
	var err error
	if h.ephemeral {
		err = os.RemoveAll(h.dir)
	}
	return errors.Join(err, h.lock.Close())
}

// writeWhole replaces a file, readable by its owner only, so that a reader finds the old or the new content.
func writeWhole(path, content string) error {
	fresh := path + ".new"
	if err := os.WriteFile(fresh, []byte(content), 0o600); err != nil {
		return err
	}
	return os.Rename(fresh, path)
}
