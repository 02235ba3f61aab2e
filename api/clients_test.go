package main

import (
	"bytes"
	"flag"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/api/server"
	"requisite/clients/generate"
)

var update = flag.Bool("update", false, "write the generated files of the clients")

// TestClients_MatchTheDescription compares the generated types and operations of the
// clients with the description. `go generate ./clients/generate` writes them.
func TestClients_MatchTheDescription(t *testing.T) {
	var description bytes.Buffer
	c := command()
	c.SetArgs([]string{"openapi"})
	c.SetOut(&description)
	require.NoError(t, c.ExecuteContext(t.Context()))
	serving, err := server.New(nil, nil, nil, nil, slog.New(slog.DiscardHandler), time.Now, server.Settings{})
	require.NoError(t, err)
	served := httptest.NewRecorder()
	serving.ServeHTTP(served, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	require.JSONEq(t, served.Body.String(), description.String(), "the printed description is the served one")
	files, err := generate.Files(description.Bytes())
	require.NoError(t, err)
	for name, want := range files {
		path := filepath.Join("..", "clients", name)
		if *update {
			require.NoError(t, os.WriteFile(path, want, 0o644))
		}
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "clients/%s does not match the description of the API: run go generate ./clients/generate", name)
	}
}

// TestClients_IncludeTheLicense, because each is published as a package of its own.
func TestClients_IncludeTheLicense(t *testing.T) {
	want, err := os.ReadFile("../LICENSE")
	require.NoError(t, err)
	clients, err := filepath.Glob("../clients/*/README.md")
	require.NoError(t, err)
	require.Len(t, clients, 3)
	for _, readme := range clients {
		got, err := os.ReadFile(filepath.Join(filepath.Dir(readme), "LICENSE"))
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), readme)
	}
}

// TestPythonClient_DeclaresWhatPipInstalls, because its README installs it with pip. CI
// checks the metadata of the built package.
func TestPythonClient_DeclaresWhatPipInstalls(t *testing.T) {
	readme, err := os.ReadFile("../clients/python/README.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), "`python3 -m venv .venv && .venv/bin/pip install .`")
	project, err := os.ReadFile("../clients/python/pyproject.toml")
	require.NoError(t, err)
	require.Contains(t, string(project), `dependencies = ["cryptography>=38"]`)
	require.Contains(t, string(project), `requires = ["setuptools>=66"]`)
}
