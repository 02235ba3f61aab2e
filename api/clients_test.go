package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/clients/generate"
)

var update = flag.Bool("update", false, "write the generated files of the clients anew")

// TestTheClientsAreGenerated holds the clients' types and operations to the
// description. `go generate ./clients/generate` writes them.
func TestTheClientsAreGenerated(t *testing.T) {
	var description bytes.Buffer
	c := command()
	c.SetArgs([]string{"openapi"})
	c.SetOut(&description)
	require.NoError(t, c.ExecuteContext(t.Context()))
	require.JSONEq(t, fetch(t, "/openapi.json").Body.String(), description.String(), "what is printed is what is served")
	files, err := generate.Files(description.Bytes())
	require.NoError(t, err)
	for name, want := range files {
		path := filepath.Join("..", "clients", name)
		if *update {
			require.NoError(t, os.WriteFile(path, want, 0o644))
		}
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "clients/%s is not what the API's description gives: run go generate ./clients/generate", name)
	}
}
