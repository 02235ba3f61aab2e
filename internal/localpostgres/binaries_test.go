package localpostgres

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBinaries_ErrorSaysWhatToInstall(t *testing.T) {
	t.Parallel()
	m := thisMachine()
	m.binaryDirs = []string{"/nonexistent"}
	m.downloadDir = filepath.Join(reachableDir(t), "cache")
	m.download = func(context.Context, string) error { return errors.New("no route to host") }

	_, err := m.start(t.Context(), Options{})
	require.ErrorIs(t, err, ErrNoBinaries)
	for _, hint := range []string{"apt-get install postgresql", "dnf install", "brew install", "DATABASE_URL", "no route to host"} {
		require.ErrorContains(t, err, hint)
	}
	entries, err := os.ReadDir(m.downloadDir)
	require.NoError(t, err)
	require.Empty(t, entries, "a failed download leaves nothing")
}

func TestBinaries_AreDownloadedOnce(t *testing.T) {
	t.Parallel()
	installed := thisMachine().binaryDirs[0]
	m := thisMachine()
	m.binaryDirs = nil
	m.downloadDir = filepath.Join(reachableDir(t), "cache")
	downloads := 0
	m.download = func(_ context.Context, dir string) error {
		downloads++
		return os.Symlink(installed, filepath.Join(dir, "bin"))
	}
	h, err := m.openTemporary(t.Context(), false)
	require.NoError(t, err)
	defer h.close()
	for range 2 {
		bin, err := m.findBinaries(t.Context(), h, func(string) {})
		require.NoError(t, err)
		require.Equal(t, filepath.Join(m.downloadDir, "postgresql", "bin", "postgres"), bin.postgres())
	}
	require.Equal(t, 1, downloads)
}

// TestBinaries_OlderThanTheServiceTakesAreLeftOut: the next directory is looked at.
func TestBinaries_OlderThanTheServiceTakesAreLeftOut(t *testing.T) {
	t.Parallel()
	installed := func(version string) string {
		dir := reachableDir(t)
		for _, program := range []string{"postgres", "initdb"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, program), []byte("#!/bin/sh\necho 'postgres (PostgreSQL) "+version+"'\n"), 0o755))
		}
		return dir
	}
	m := thisMachine()
	m.binaryDirs = []string{installed("14.19"), installed("15.0")}
	h, err := m.openTemporary(t.Context(), false)
	require.NoError(t, err)
	defer h.close()
	bin, err := m.findBinaries(t.Context(), h, func(string) {})
	require.NoError(t, err)
	require.Equal(t, "15", bin.major)
}

func TestData_OfAnotherVersionIsNotTouched(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(reachableDir(t), "pg")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, dataName), 0o700))
	version := filepath.Join(dir, dataName, "PG_VERSION")
	require.NoError(t, os.WriteFile(version, []byte("9\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, lockFile), nil, 0o600))

	_, err := Start(t.Context(), Options{Dir: dir})
	require.ErrorIs(t, err, ErrNoBinaries)
	require.ErrorContains(t, err, "of version 9")
	require.FileExists(t, version)
}

func TestMajorVersion(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"postgres (PostgreSQL) 15.8 (Debian 15.8-0+deb12u1)\n": "15",
		"postgres (PostgreSQL) 18beta1\n":                      "18",
		"postgres (PostgreSQL) 17\n":                           "17",
		"postgres (SomethingElse) 17\n":                        "",
		"":                                                     "",
	} {
		require.Equal(t, want, majorVersion(text), text)
	}
}

func TestBinaries_NewestVersionIsFirst(t *testing.T) {
	t.Parallel()
	dirs := []string{"/usr/lib/postgresql/9/bin", "/usr/lib/postgresql/16/bin", "/usr/lib/postgresql/15/bin"}
	slices.SortFunc(dirs, newestFirst)
	require.Equal(t, "/usr/lib/postgresql/16/bin", dirs[0])
	require.Equal(t, "/usr/lib/postgresql/9/bin", dirs[2])
}
