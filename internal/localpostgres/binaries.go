package localpostgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// oldest is the oldest version for new data. The service refuses older ones.
const oldest = 15

const installHint = "install PostgreSQL 15 or newer with its contrib modules: " +
	"Debian and Ubuntu: apt-get install postgresql; " +
	"Fedora: dnf install postgresql-server postgresql-contrib; " +
	"macOS: brew install postgresql@18; " +
	"or set DATABASE_URL to a server that runs already"

// binaries is a directory with the programs initdb and postgres of one version.
type binaries struct {
	dir   string
	major string
}

func (b binaries) postgres() string { return filepath.Join(b.dir, "postgres") }
func (b binaries) initdb() string   { return filepath.Join(b.dir, "initdb") }

// installedBinaryDirs lists the directories of PostgreSQL's programs: first the one in the search path, then the ones of
// the packages of Debian, Fedora and Homebrew, the newest version first.
func installedBinaryDirs() []string {
	var dirs []string
	if initdb, err := exec.LookPath("initdb"); err == nil {
		if resolved, err := filepath.EvalSymlinks(initdb); err == nil {
			dirs = append(dirs, filepath.Dir(resolved))
		}
		dirs = append(dirs, filepath.Dir(initdb))
	}
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin",
		"/usr/pgsql-*/bin",
		"/usr/local/pgsql/bin",
		"/opt/homebrew/opt/postgresql@*/bin",
		"/usr/local/opt/postgresql@*/bin",
		"/Applications/Postgres.app/Contents/Versions/*/bin",
	} {
		found, _ := filepath.Glob(pattern) // the only error is a malformed pattern
		slices.SortFunc(found, newestFirst)
		dirs = append(dirs, found...)
	}
	return dirs
}

// newestFirst orders paths by the number in them, the larger first.
func newestFirst(a, b string) int { return numberIn(b) - numberIn(a) }

func numberIn(path string) int {
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' }
	fields := strings.FieldsFunc(path, func(r rune) bool { return !isDigit(r) })
	if len(fields) == 0 {
		return 0
	}
	number, _ := strconv.Atoi(fields[0])
	return number
}

// findBinaries finds programs that the server's user may run. They must have the version of existing data, or else a
// version that the service accepts.
func (m *machine) findBinaries(ctx context.Context, h *home, progress func(string)) (binaries, error) {
	wanted := h.dataVersion()
	var others []string
	for _, dir := range m.binaryDirs {
		found, ok := inspect(ctx, h.account, dir)
		switch {
		case !ok, wanted == "" && numberIn(found.major) < oldest:
		case wanted == "" || found.major == wanted:
			return found, nil
		default:
			others = append(others, found.major)
		}
	}
	if len(others) > 0 {
		return binaries{}, fmt.Errorf("%w of version %s, which made the data in %s; found only %s: install that version, "+
			"or remove %s to start over", ErrNoBinaries, wanted, h.data(), strings.Join(slices.Compact(others), ", "), h.dir)
	}
	downloaded, err := m.downloaded(ctx, h, wanted, progress)
	if err != nil {
		return binaries{}, fmt.Errorf("%w; %s: %w", ErrNoBinaries, installHint, err)
	}
	return downloaded, nil
}

// inspect reports whether the account may run the programs in a directory, and their version.
func inspect(ctx context.Context, a account, dir string) (binaries, bool) {
	b := binaries{dir: dir}
	for _, program := range []string{b.postgres(), b.initdb()} {
		info, err := os.Stat(program)
		if err != nil || info.IsDir() || !a.mayEnter(dir) || !a.mayExecute(info) {
			return binaries{}, false
		}
	}
	version, err := a.command(ctx, b.postgres(), "--version").Output()
	if err != nil {
		return binaries{}, false
	}
	b.major = majorVersion(string(version))
	return b, b.major != ""
}

// majorVersion reads "15" from "postgres (PostgreSQL) 15.8 (Debian 15.8-1)".
func majorVersion(text string) string {
	_, version, found := strings.Cut(text, "(PostgreSQL) ")
	if !found {
		return ""
	}
	return strings.FieldsFunc(version+" ", func(r rune) bool { return r < '0' || r > '9' })[0]
}

// downloaded returns programs fetched by an earlier run, or fetches them.
func (m *machine) downloaded(ctx context.Context, h *home, wanted string, progress func(string)) (binaries, error) {
	if m.downloadDir == "" {
		return binaries{}, errors.New("there is no cache directory to download them to")
	}
	dir := filepath.Join(m.downloadDir, "postgresql")
	found, ok := inspect(ctx, h.account, filepath.Join(dir, "bin"))
	if !ok {
		progress("downloading PostgreSQL, because none is installed")
		if err := m.fetchInto(ctx, dir); err != nil {
			return binaries{}, fmt.Errorf("download PostgreSQL: %w", err)
		}
		if found, ok = inspect(ctx, h.account, filepath.Join(dir, "bin")); !ok {
			return binaries{}, fmt.Errorf("the programs downloaded to %s do not run here", dir)
		}
	}
	if wanted != "" && found.major != wanted {
		return binaries{}, fmt.Errorf("the data in %s was made by version %s, downloaded was %s", h.data(), wanted, found.major)
	}
	return found, nil
}
