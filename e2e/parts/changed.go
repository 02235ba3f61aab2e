package parts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Edit is a change of one source file: the first text, which must be there once, becomes
// the second.
type Edit struct{ File, From, To string }

// Changed builds the api and the worker from sources that are changed, and returns the
// directory of the programs. The checkout stays as it is.
func (s *Stack) Changed(t testing.TB, name string, edits ...Edit) string {
	t.Helper()
	root := root(s.bin)
	replace, changed := map[string]string{}, map[string]string{}
	for _, e := range edits {
		path := filepath.Join(root, e.File)
		text, ok := changed[path]
		if !ok {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			text = string(data)
		}
		require.Equal(t, 1, strings.Count(text, e.From), "%s has changed: this test must be told what to edit", e.File)
		changed[path] = strings.Replace(text, e.From, e.To, 1)
	}
	work := t.TempDir()
	for path, text := range changed {
		replace[path] = filepath.Join(work, strings.ReplaceAll(strings.TrimPrefix(path, root), string(filepath.Separator), "_"))
		require.NoError(t, os.WriteFile(replace[path], []byte(text), 0o600))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	file := filepath.Join(work, "overlay.json")
	require.NoError(t, os.WriteFile(file, overlay, 0o600))
	dir, err := Variant("changed-"+name, "-overlay", file)
	require.NoError(t, err)
	return dir
}
