// Command fetch downloads the programs of PostgreSQL into a directory, with bin, lib and
// share. Package localpostgres runs it with go run, so that the other programs do not need
// its dependencies.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	embeddedpostgres "github.com/fergusstrange/embedded-postgres"

	"requisite/internal/localpostgres/heldport"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: fetch DIRECTORY")
		os.Exit(2)
	}
	if err := fetch(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// fetch lets the embedded-postgres library download and unpack its binaries, which is the
// first part of a start. It ignores an error of the start itself, which fails as root.
func fetch(dir string) error {
	runtime, err := os.MkdirTemp("", "requisite-postgres-download-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(runtime)
	port, err := heldport.Hold(0)
	if err != nil {
		return err
	}
	defer port.Release()
	server := embeddedpostgres.NewDatabase(embeddedpostgres.DefaultConfig().
		Version(embeddedpostgres.V18).
		Port(uint32(port.Number())).
		CachePath(filepath.Join(runtime, "archive")).
		RuntimePath(filepath.Join(runtime, "run")).
		BinariesPath(dir).
		Logger(io.Discard))
	startErr := server.Start()
	if startErr == nil {
		startErr = server.Stop()
	}
	if _, err := os.Stat(filepath.Join(dir, "bin", "initdb")); err != nil {
		return fmt.Errorf("the download has no programs: %w", startErr)
	}
	return nil
}
