package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/api/reference"
)

// TestExampleFiles_AreUsedAndIndented: each operation and each refusal that some operation
// answers has its file, and there is no other. All are indented alike.
func TestExampleFiles_AreUsedAndIndented(t *testing.T) {
	used := map[string]bool{}
	for name := range testServer(t).operations {
		used["operations/"+name+".json"] = true
		for _, refused := range reference.OperationExamples()[name].Refusals {
			used["refusals/"+refused+".json"] = true
		}
	}
	for _, code := range reference.GeneralCodes() {
		used["refusals/"+string(code)+".json"] = true
	}
	found := map[string]bool{}
	files := os.DirFS("reference/examples")
	require.NoError(t, fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		found[path] = true
		text, err := fs.ReadFile(files, path)
		require.NoError(t, err)
		var want bytes.Buffer
		require.NoError(t, json.Indent(&want, bytes.TrimSpace(text), "", "  "), path)
		require.Equal(t, want.String()+"\n", string(text), "%s: indent it by two blanks a level, as jq does", path)
		return nil
	}))
	require.Equal(t, used, found)
}
