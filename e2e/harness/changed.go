package harness

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Edit replaces a text in a source file. The file must contain From exactly once.
type Edit struct{ File, From, To string }

// NextRelease returns edits as the next release may make them: changes of workflows on all
// queues, behind workflow.GetVersion and not active yet.
func NextRelease() []Edit {
	step := "\tif workflow.GetVersion(ctx, \"next\", workflow.DefaultVersion, 1) == 1 {\n\t\t_ = workflow.Sleep(ctx, 1000)\n\t}\n"
	var edits []Edit
	for _, at := range []struct{ file, line string }{
		{"calculate.go", "\tvar why string\n"},
		{"webhooks.go", "\tvar sent, rest sending.Sent\n"},
		{"webhooks.go", "\t\treceiveSignals() // the next look covers these signals\n"},
		{"recover.go", "\trun, parts := in.run(ctx), 0\n"},
		{"rounds.go", "\t\tvar found, nothing T\n"},
	} {
		edits = append(edits, Edit{File: "workflows/" + at.file, From: at.line, To: step + at.line})
	}
	return edits
}

// Edited writes changed copies of source files to a directory. It returns the copies by the
// paths of the sources, for `go build -overlay`.
func Edited(dir string, edits ...Edit) (map[string]string, error) {
	bin, err := Programs()
	if err != nil {
		return nil, err
	}
	return edited(root(bin), dir, edits...)
}

func edited(root, dir string, edits ...Edit) (map[string]string, error) {
	replace, changed := map[string]string{}, map[string]string{}
	for _, e := range edits {
		path := filepath.Join(root, e.File)
		if changed[path] == "" {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			changed[path] = string(text)
		}
		if strings.Count(changed[path], e.From) != 1 {
			return nil, fmt.Errorf("%s does not contain %q exactly once: change the edit", e.File, e.From)
		}
		changed[path] = strings.Replace(changed[path], e.From, e.To, 1)
	}
	for path, text := range changed {
		replace[path] = filepath.Join(dir, strings.ReplaceAll(path, string(filepath.Separator), "_"))
		if err := os.WriteFile(replace[path], []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	return replace, nil
}

// WriteOverlay writes the file for `go build -overlay`.
func WriteOverlay(file string, replaced ...map[string]string) error {
	all := map[string]string{}
	for _, some := range replaced {
		maps.Copy(all, some)
	}
	content, err := json.Marshal(map[string]any{"Replace": all})
	if err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o600)
}

// Changed builds the api and the worker with edits, and returns their directory. It does
// not change the checkout.
func Changed(t testing.TB, name string, edits ...Edit) string {
	t.Helper()
	work := t.TempDir()
	replace, err := Edited(work, edits...)
	require.NoError(t, err)
	file := filepath.Join(work, "overlay.json")
	require.NoError(t, WriteOverlay(file, replace))
	dir, err := Variant("changed-"+name, "-overlay", file)
	require.NoError(t, err)
	return dir
}
