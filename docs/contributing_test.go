package docs

import (
	"errors"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// current are the documents about the present state. Decisions are not among them: they may name
// what no longer exists.
func current(t *testing.T) []string {
	pages, err := filepath.Glob("*.md")
	require.NoError(t, err)
	operating, err := filepath.Glob("operating/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, operating)
	return slices.Concat(pages, operating, []string{"../README.md", "../CONTRIBUTING.md", "../deploy/helm/requisite/README.md"})
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

var (
	fenced = regexp.MustCompile("(?ms)^```.*?^```$")
	span   = regexp.MustCompile("`([^`\n]+)`")
	link   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	title  = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// TestDocuments_NameExistingPaths finds names of files and directories
// that were moved or removed.
func TestDocuments_NameExistingPaths(t *testing.T) {
	top, err := os.ReadDir("..")
	require.NoError(t, err)
	isPath := func(s string) bool {
		first, _, below := strings.Cut(s, "/")
		return below && slices.ContainsFunc(top, func(e fs.DirEntry) bool {
			return e.IsDir() && e.Name() == first && first != ".stack" && first != ".git"
		})
	}
	examined := 0
	for _, file := range current(t) {
		for _, m := range span.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, file), ""), -1) {
			if !isPath(m[1]) || strings.Contains(m[1], " ") {
				continue
			}
			examined++
			found, err := filepath.Glob(filepath.Join("..", m[1]))
			require.NoError(t, err, m[1])
			require.NotEmpty(t, found, "%s names %s, which does not exist", file, m[1])
		}
	}
	require.Greater(t, examined, 100)
}

// TestDocuments_LinksHaveTargets: the file exists, and so does the heading in it.
func TestDocuments_LinksHaveTargets(t *testing.T) {
	decisions, err := filepath.Glob("decisions/*.md")
	require.NoError(t, err)
	for _, file := range slices.Concat(current(t), decisions, []string{
		"../clients/go/README.md", "../clients/python/README.md", "../clients/typescript/README.md", "../examples/README.md", "../examples/receivers/README.md",
	}) {
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, file), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			path, anchor, _ := strings.Cut(m[1], "#")
			target := file
			if path != "" {
				target = filepath.Join(filepath.Dir(file), path)
				_, err := os.Stat(target)
				require.NoError(t, err, "%s links to %s", file, m[1])
			}
			if anchor != "" {
				require.Contains(t, anchors(read(t, target)), anchor, "%s links to %s", file, m[1])
			}
		}
	}
}

// anchors are those that GitHub gives to the headings of a document.
func anchors(text string) (list []string) {
	for _, m := range title.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		plain := regexp.MustCompile(`[^\p{L}\p{N}_ -]`).ReplaceAllString(strings.ToLower(m[1]), "")
		list = append(list, strings.ReplaceAll(plain, " ", "-"))
	}
	return list
}

// TestDocuments_NameExistingTests: the documents name the tests that hold their claims.
func TestDocuments_NameExistingTests(t *testing.T) {
	tests := testsOf(t, "..", true)
	named := regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w+\b`)
	examined := 0
	for _, file := range current(t) {
		for _, name := range named.FindAllString(read(t, file), -1) {
			examined++
			require.Contains(t, tests, name, "%s names %s, which does not exist", file, name)
		}
	}
	require.Greater(t, examined, 30)
}

// TestPackages_HaveComments that begin as in Go's standard library.
func TestPackages_HaveComments(t *testing.T) {
	examined := 0
	for _, parent := range []string{"../internal", "../workflows", "../activities", "../app"} {
		require.NoError(t, filepath.WalkDir(parent, func(dir string, e fs.DirEntry, err error) error {
			require.NoError(t, err)
			if !e.IsDir() {
				return nil
			}
			if e.Name() == "testdata" {
				return filepath.SkipDir
			}
			p, err := build.Default.ImportDir(dir, 0)
			if none := (*build.NoGoError)(nil); errors.As(err, &none) {
				return nil // a folder of packages
			}
			require.NoError(t, err)
			if p.Name == "main" {
				return nil
			}
			require.True(t, strings.HasPrefix(p.Doc, "Package "+p.Name+" "), "%s: %q", dir, p.Doc)
			examined++
			return nil
		}))
	}
	require.Greater(t, examined, 20)
}
