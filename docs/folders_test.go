package docs

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFolders_ReferToEachOtherOneWay: of any folders beside each other, at every level of the
// tree, one is lower, and imports nothing from a higher one, also not through others. Imports
// of tests do not count, and neither do those between a package and the folders below it.
func TestFolders_ReferToEachOtherOneWay(t *testing.T) {
	arrows := map[string][]string{} // from a folder to others beside it
	causes := map[[2]string]string{}
	decoder := json.NewDecoder(strings.NewReader(string(golang(t, "..", "list", "-json=ImportPath,Imports", "./..."))))
	for decoder.More() {
		var p struct {
			ImportPath string
			Imports    []string
		}
		require.NoError(t, decoder.Decode(&p))
		for _, imported := range p.Imports {
			from, to, beside := siblings(p.ImportPath, imported)
			if !beside {
				continue
			}
			arrows[from] = append(arrows[from], to)
			causes[[2]string{from, to}] = p.ImportPath + " imports " + imported
		}
	}
	require.Greater(t, len(causes), 100)
	for _, from := range slices.Sorted(maps.Keys(arrows)) {
		for _, to := range arrows[from] {
			back := way(arrows, to, from, map[string]bool{})
			var circle []string
			for i := range back[:max(0, len(back)-1)] {
				circle = append(circle, causes[[2]string{back[i], back[i+1]}])
			}
			require.Empty(t, back, "%s, but %s", causes[[2]string{from, to}], strings.Join(circle, ", "))
		}
	}
}

// TestDomain_ImportsIDsAndNumbersOnly: every other folder may use it.
func TestDomain_ImportsIDsAndNumbersOnly(t *testing.T) {
	imports := strings.Fields(string(golang(t, "..", "list", "-f", `{{join .Imports "\n"}}`, "./internal/domain")))
	ours := slices.DeleteFunc(imports, func(path string) bool { return !strings.HasPrefix(path, "requisite/") })
	require.Equal(t, []string{"requisite/internal/id", "requisite/internal/rational"}, ours)
}

// siblings are the folders in which two packages first differ. They are not beside each other
// if one package is in a folder of the other, or outside this module.
func siblings(a, b string) (from, to string, beside bool) {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return strings.Join(x[:i+1], "/"), strings.Join(y[:i+1], "/"), i > 0
		}
	}
	return "", "", false
}

// way is a way from a folder to another, or nil.
func way(arrows map[string][]string, from, to string, seen map[string]bool) []string {
	if from == to {
		return []string{to}
	}
	if seen[from] {
		return nil
	}
	seen[from] = true
	for _, next := range arrows[from] {
		if rest := way(arrows, next, to, seen); rest != nil {
			return append([]string{from}, rest...)
		}
	}
	return nil
}
