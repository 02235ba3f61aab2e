package reference

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGenerators_AreInTheVersionsThatAreTested: the pages name those of the lock file, from which
// api/check/generators/run.sh runs them.
func TestGenerators_AreInTheVersionsThatAreTested(t *testing.T) {
	text, err := os.ReadFile("../check/generators/package-lock.json")
	require.NoError(t, err)
	var lock struct {
		Packages map[string]struct {
			Version      string            `json:"version"`
			Dependencies map[string]string `json:"dependencies"`
		} `json:"packages"`
	}
	require.NoError(t, json.Unmarshal(text, &lock))
	var names []string
	for _, g := range Generators {
		require.Equal(t, lock.Packages["node_modules/"+g.Name].Version, g.Version, g.Name)
		names = append(names, g.Name)
	}
	for name := range lock.Packages[""].Dependencies {
		if !strings.HasPrefix(name, "typescript") { // a compiler of what they make
			require.Contains(t, names, name)
		}
	}
}
