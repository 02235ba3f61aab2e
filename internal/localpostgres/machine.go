package localpostgres

import (
	"context"
	"os"
	"path/filepath"
)

// machine has the directories and the download of the machine, for a start.
type machine struct {
	// binaryDirs are the directories that may hold PostgreSQL's programs, the preferred first.
	binaryDirs []string
	// download fetches PostgreSQL into a directory; its programs are then in bin.
	download func(ctx context.Context, dir string) error
	// downloadDir keeps what download fetched.
	downloadDir string
	// stateDir holds the data if the server's user cannot reach the requested directory.
	stateDir string
	// tempDirs may hold temporary data, the preferred first.
	tempDirs []string
	// memoryDir may hold temporary data in memory while memoryRoom bytes of it are available.
	memoryDir  string
	memoryRoom uint64
}

func thisMachine() *machine {
	m := &machine{
		binaryDirs: installedBinaryDirs(),
		download:   downloadBinaries,
		stateDir:   "/var/lib/requisite",
		tempDirs:   []string{os.TempDir(), "/tmp", "/var/tmp"},
		memoryDir:  "/dev/shm",
		memoryRoom: 4 << 30, // the servers of several test programs, some hundred megabytes each, beside what compiles and runs them
	}
	if os.Geteuid() == 0 {
		m.downloadDir = "/var/cache/requisite"
	} else if cache, err := os.UserCacheDir(); err == nil {
		m.downloadDir = filepath.Join(cache, "requisite")
	}
	return m
}
