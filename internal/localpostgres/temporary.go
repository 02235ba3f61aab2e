package localpostgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	temporaryPrefix = "requisite-postgres-"
	unlockedPrefix  = "requisite-new-postgres-"
)

// hasMemory reports whether a directory is in a file system in memory that may take so many bytes more.
func hasMemory(dir string, bytes uint64) bool {
	const tmpfs = 0x01021994 // TMPFS_MAGIC of linux/magic.h
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil || s.Type != tmpfs || uint64(s.Bavail)*uint64(s.Bsize) < bytes {
		return false
	}
	memory, _ := os.ReadFile("/proc/meminfo") // without it, no line says that there is room
	return available(string(memory)) >= bytes
}

// available reads how many bytes programs may still take from the text of /proc/meminfo; 0 if it does not say.
func available(meminfo string) uint64 {
	for line := range strings.Lines(meminfo) {
		var kilobytes uint64
		if n, _ := fmt.Sscanf(line, "MemAvailable: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10
		}
	}
	return 0
}

// openTemporary makes and locks a temporary directory that the server's user can reach. It gets its final name only once it
// is locked, because sweep removes unlocked directories.
func (m *machine) openTemporary(ctx context.Context, inMemory bool) (*home, error) {
	account, err := serverAccount("")
	if err != nil {
		return nil, err
	}
	for _, dir := range append(m.tempDirs, m.memoryDir) {
		sweep(ctx, dir)
	}
	base, err := m.temporaryBase(account)
	if err != nil {
		return nil, err
	}
	inMemory = inMemory && os.Getenv("TMPDIR") == "" && account.mayEnter(m.memoryDir) && hasMemory(m.memoryDir, m.memoryRoom)
	if inMemory {
		base = m.memoryDir
	}
	unlocked, err := os.MkdirTemp(base, unlockedPrefix)
	if err != nil {
		return nil, fmt.Errorf("create a temporary PostgreSQL directory: %w", err)
	}
	lock, err := lockDirectory(unlocked)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(unlocked))
	}
	h := &home{dir: unlocked, account: account, ephemeral: true, inMemory: inMemory, lock: lock}
	final := filepath.Join(base, temporaryPrefix+strings.TrimPrefix(filepath.Base(unlocked), unlockedPrefix))
	if err := errors.Join(h.grantAccess(), os.Rename(unlocked, final)); err != nil {
		return nil, errors.Join(fmt.Errorf("create a temporary PostgreSQL directory: %w", err), h.close())
	}
	h.dir, h.root = final, final
	return h, nil
}

func (m *machine) temporaryBase(a account) (string, error) {
	for _, dir := range m.tempDirs {
		if a.mayEnter(dir) {
			return dir, nil
		}
	}
	return "", fmt.Errorf("the user that runs PostgreSQL may enter none of %s; set TMPDIR to a directory that it may",
		strings.Join(m.tempDirs, ", "))
}

// sweep removes the temporary directories that killed processes of this user have left. It ignores errors.
func sweep(ctx context.Context, base string) {
	abandoned, _ := filepath.Glob(filepath.Join(base, temporaryPrefix+"*")) // the only error is a malformed pattern
	for _, dir := range abandoned {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || ownerOf(info).uid != os.Geteuid() {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, lockFile)); err != nil {
			continue
		}
		if lock, err := lockDirectory(dir); err == nil {
			_ = discard(ctx, dir)
			lock.Close()
		}
	}
}

// discard removes a directory of data, after shutting down a server left running on it.
func discard(ctx context.Context, root string) error {
	if _, err := os.Lstat(root); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := stopLeftover(ctx, filepath.Join(root, dataName), func(string) {}); err != nil {
		return err
	}
	if err := os.RemoveAll(root); err != nil {
		return fmt.Errorf("remove old PostgreSQL data: %w", err)
	}
	return nil
}
