package reference

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/api/spec"
	"requisite/internal/requests/refusal"
)

func TestExampleFiles_AreUsedAndIndented(t *testing.T) {
	used := map[string]bool{}
	for name, shown := range OperationExamples() {
		used["operations/"+name+".json"] = true
		for _, refused := range shown.Refusals {
			used["refusals/"+refused+".json"] = true
		}
	}
	for _, code := range GeneralCodes() {
		used["refusals/"+string(code)+".json"] = true
	}
	found := map[string]bool{}
	files := os.DirFS("examples")
	require.NoError(t, fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		found[path] = true
		text, err := fs.ReadFile(files, path)
		require.NoError(t, err)
		var want bytes.Buffer
		require.NoError(t, json.Indent(&want, bytes.TrimSpace(text), "", "  "), path)
		require.Equal(t, want.String()+"\n", string(text), "%s: indent it with two spaces per level, as jq does", path)
		return nil
	}))
	require.Equal(t, used, found)
}

// TestRefusalCodes_AreGeneralOrOfAnOperation: no code and no sub-code is unused.
func TestRefusalCodes_AreGeneralOrOfAnOperation(t *testing.T) {
	found := map[string]bool{}
	for _, code := range GeneralCodes() {
		found[string(code)] = true
	}
	for _, shown := range OperationExamples() {
		for _, name := range shown.Refusals {
			var entry refusal.Refusal
			require.NoError(t, json.Unmarshal([]byte(RefusalExamples()[name]), &entry))
			found[string(entry.Code)], found[string(entry.SubCode)] = true, true
		}
	}
	for _, name := range append(spec.Texts(refusal.Codes()...), spec.Texts(refusal.SubCodes()...)...) {
		require.True(t, found[name], "no operation returns %s", name)
	}
}
