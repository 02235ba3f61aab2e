// Package released is for tests of compatibility with earlier releases. It reads the records
// of releases, and writes the record of the next one.
package released

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var record = flag.String("record", "", "the release to record, such as 1.0.0; later tests compare with the record")

var form = regexp.MustCompile(`^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$`)

// Recording is the release that -record names. Without the flag it skips the test, which then
// checks nothing. It refuses a release that has a tag.
func Recording(t testing.TB) string {
	t.Helper()
	if *record == "" {
		t.Skip("it writes what other tests read, and only with -record")
	}
	if !form.MatchString(*record) {
		t.Fatalf("-record must be a release such as 1.0.0, and is %q", *record)
	}
	tags, err := exec.Command("git", "tag", "--list", *record, "v"+*record).Output()
	if err != nil {
		t.Fatalf("record in a checkout, where the tags of releases are known: %v", err)
	}
	if len(tags) > 0 {
		t.Fatalf("release %s is out, as its tag says: what it has left behind never changes. Record the next release", *record)
	}
	return *record
}

// Compare orders two releases.
func Compare(a, b string) int { return slices.Compare(numbers(a), numbers(b)) }

func numbers(release string) (list []int) {
	for part := range strings.SplitSeq(release, ".") {
		n, _ := strconv.Atoi(part) // the form has been checked
		list = append(list, n)
	}
	return list
}

// Directories lists the releases that have a subdirectory in a directory, oldest first. A test
// that finds none must fail.
func Directories(parent string) (releases []string, err error) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() && form.MatchString(e.Name()) {
			releases = append(releases, e.Name())
		}
	}
	if len(releases) == 0 {
		return nil, fmt.Errorf("%s holds no release", parent)
	}
	slices.SortFunc(releases, Compare)
	return releases, nil
}

// Migration is a migration of a release.
type Migration struct{ Release, File, SHA256 string }

// Number is the schema version of the migration, the prefix of its name.
func (m Migration) Number() int64 { return number(m.File) }

func number(file string) int64 {
	digits, _, _ := strings.Cut(file, "_")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Migrations reads the file that lists the migrations of releases: a line for each,
// with the release, the file's name and its SHA-256.
func Migrations(file string) (list []Migration, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if len(fields) != 3 || !form.MatchString(fields[0]) {
			return nil, fmt.Errorf("%s: %q is not a release, a file and its SHA-256", file, strings.TrimSpace(line))
		}
		list = append(list, Migration{fields[0], fields[1], fields[2]})
	}
	return list, nil
}

// Schema is the schema version of a release: the number of the last migration of it and of
// the releases before it.
func Schema(migrations []Migration, release string) (version int64) {
	for _, m := range migrations {
		if Compare(m.Release, release) <= 0 {
			version = max(version, m.Number())
		}
	}
	return version
}

// CheckMigrations compares the migrations of a directory with the migrations of releases.
func CheckMigrations(dir fs.FS, list []Migration) error {
	files, err := fs.Glob(dir, "*.sql")
	if err != nil {
		return err
	}
	var problems []error
	listed, newest := map[string]bool{}, Migration{}
	for _, m := range list {
		listed[m.File] = true
		if m.Number() > newest.Number() {
			newest = m
		}
		switch sum, err := hash(dir, m.File); {
		case errors.Is(err, fs.ErrNotExist):
			problems = append(problems, fmt.Errorf("%s is gone, and databases of release %s have applied it: put it back", m.File, m.Release))
		case err != nil:
			problems = append(problems, err)
		case sum != m.SHA256:
			problems = append(problems, fmt.Errorf("%s has changed since release %s, and databases that have applied it do not apply it again: "+
				"put it back as it was, and write the change as a new migration with the next number", m.File, m.Release))
		}
	}
	for _, file := range files {
		if n := number(file); !listed[file] && n <= newest.Number() {
			problems = append(problems, fmt.Errorf("%s is new and its number is not above that of %s, which release %s has: "+
				"databases of that release would never apply it. Give it the number %05d or a higher one",
				file, newest.File, newest.Release, newest.Number()+1))
		}
	}
	return errors.Join(problems...)
}

// RecordMigrations adds the migrations that no earlier release has to the list, for a release.
// It replaces the release's entries.
func RecordMigrations(dir fs.FS, list []Migration, release string) ([]Migration, error) {
	earlier := []Migration{}
	have := map[string]bool{}
	for _, m := range list {
		switch order := Compare(m.Release, release); {
		case order > 0:
			return nil, fmt.Errorf("release %s is recorded already, and is later than %s", m.Release, release)
		case order < 0:
			earlier, have[m.File] = append(earlier, m), true
		}
	}
	if err := CheckMigrations(dir, earlier); err != nil {
		return nil, err
	}
	files, err := fs.Glob(dir, "*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	for _, file := range files {
		if have[file] {
			continue
		}
		sum, err := hash(dir, file)
		if err != nil {
			return nil, err
		}
		earlier = append(earlier, Migration{release, file, sum})
	}
	return earlier, nil
}

// WriteMigrations writes what Migrations reads.
func WriteMigrations(file string, list []Migration) error {
	text := "# The migrations of each release. A database that has applied one never applies it again, so none may change.\n" +
		"# CONTRIBUTING.md, Releases, says how this is written.\n"
	for _, m := range list {
		text += fmt.Sprintf("%s %s %s\n", m.Release, m.File, m.SHA256)
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

func hash(dir fs.FS, file string) (string, error) {
	data, err := fs.ReadFile(dir, file)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), err
}
