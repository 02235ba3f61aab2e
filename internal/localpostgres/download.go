package localpostgres

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	embeddedpostgres "github.com/fergusstrange/embedded-postgres"
)

// fetchInto downloads PostgreSQL beside its final place and moves it there whole, so that an interrupted download is
// never taken for programs.
func (m *machine) fetchInto(dir string) error {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(parent, "download-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	if err := m.download(fresh); err != nil {
		return err
	}
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(fresh, dir)
}

// downloadBinaries has the embedded-postgres library fetch and unpack its binaries. The library does so as the first
// part of a start; the server it then starts, which it could not as root, is not wanted, and only the absence of the
// programs is a failure.
func downloadBinaries(dir string) error {
	runtime, err := os.MkdirTemp("", "requisite-postgres-download-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(runtime)
	port, err := choosePort(0)
	if err != nil {
		return err
	}
	server := embeddedpostgres.NewDatabase(embeddedpostgres.DefaultConfig().
		Version(embeddedpostgres.V17).
		Port(uint32(port)).
		CachePath(filepath.Join(runtime, "archive")).
		RuntimePath(filepath.Join(runtime, "run")).
		BinariesPath(dir).
		Logger(io.Discard))
	startErr := server.Start()
	if startErr == nil {
		startErr = server.Stop()
	}
	if _, err := os.Stat(filepath.Join(dir, "bin", "initdb")); err != nil {
		return fmt.Errorf("the download brought no programs: %w", startErr)
	}
	return nil
}
