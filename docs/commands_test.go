package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCommands_NameExistingPackagesAndTests: commands of Go, in documents and in comments, name directories that
// exist, and tests, benchmarks and fuzz targets of the packages that they name.
func TestCommands_NameExistingPackagesAndTests(t *testing.T) {
	pattern := regexp.MustCompile(`\s-(run|bench|fuzz)[ =](?:'([^']*)'|(\S+))`)
	directory := regexp.MustCompile(`\s\./[\w./-]*`)
	prefix := map[string]string{"run": "(?:Test|Example)", "bench": "Benchmark", "fuzz": "Fuzz"}
	examined := 0
	for file, commands := range goCommands(t) {
		for _, command := range commands {
			var declared []string
			for _, dir := range directory.FindAllString(command, -1) {
				name, below := strings.CutSuffix(strings.TrimSpace(dir), "...")
				_, err := os.Stat(filepath.Join("..", name))
				require.NoError(t, err, "%s: %s", file, command)
				declared = append(declared, testsOf(t, filepath.Join("..", name), below)...)
			}
			for _, m := range pattern.FindAllStringSubmatch(command, -1) {
				for _, name := range strings.Split(strings.Trim(m[2]+m[3], "^()$"), "|") {
					if name == "" || name == "NONE" {
						continue
					}
					examined++
					named := regexp.MustCompile("^" + prefix[m[1]] + `\w*$`)
					require.True(t, slices.ContainsFunc(declared, func(d string) bool { return named.MatchString(d) && regexp.MustCompile(name).MatchString(d) }),
						"%s: no package of %q has %s", file, command, name)
				}
			}
		}
	}
	require.Greater(t, examined, 20)
}

// goCommands are the commands of Go in documents, in what stands as code, and in comments, by file.
func goCommands(t *testing.T) map[string][]string {
	code := regexp.MustCompile("`([^`]+)`")
	command := regexp.MustCompile(`\bgo (?:test|run|build|generate) [^#\n]*`)
	found := map[string][]string{}
	for _, file := range current(t) {
		text := read(t, file)
		found[file] = command.FindAllString(strings.Join(fenced.FindAllString(text, -1), "\n"), -1)
		for _, m := range code.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			found[file] = append(found[file], command.FindAllString(strings.ReplaceAll(m[1], "\n", " "), -1)...)
		}
	}
	comment := regexp.MustCompile(`(?m)^//\t.*$`)
	walk(t, "..", true, ".go", func(path, text string) {
		found[path] = command.FindAllString(strings.Join(comment.FindAllString(text, -1), "\n"), -1)
	})
	return found
}

// testsOf are the names of tests, benchmarks and fuzz targets in a directory, and in those below it.
func testsOf(t *testing.T, dir string, below bool) (names []string) {
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark|Example)\w*)\(`)
	walk(t, dir, below, "_test.go", func(_, text string) {
		for _, m := range declared.FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
	})
	return names
}

// walk visits the files of a directory, and of those below it, whose names end so.
func walk(t *testing.T, dir string, below bool, ending string, visit func(path, text string)) {
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != dir && (!below || slices.Contains([]string{".stack", ".git", "node_modules"}, e.Name())):
			return filepath.SkipDir
		case strings.HasSuffix(path, ending):
			visit(path, read(t, path))
		}
		return nil
	}))
}
