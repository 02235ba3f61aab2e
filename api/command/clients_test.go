package command

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/api/server"
	"requisite/clients/generate"
	"requisite/internal/testkit/needs"
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
	serving := server.New(nil, nil, nil, nil, slog.New(slog.DiscardHandler), time.Now, server.Settings{})
	served := httptest.NewRecorder()
	serving.ServeHTTP(served, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	require.JSONEq(t, served.Body.String(), description.String(), "the printed description is the served one")
	files, err := generate.Files(description.Bytes())
	require.NoError(t, err)
	for name, want := range files {
		path := filepath.Join("..", "..", "clients", name)
		if *update {
			require.NoError(t, os.WriteFile(path, want, 0o644))
		}
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "clients/%s does not match the description of the API: run go generate ./clients/generate", name)
	}
}

// TestTypeScriptClient_HasTheTypesOfTheExamples: each example of a request, of its data and of an
// event's content has the type of the client, where a field that may be absent cannot be null.
func TestTypeScriptClient_HasTheTypesOfTheExamples(t *testing.T) {
	client, err := filepath.Abs("../../clients/typescript")
	require.NoError(t, err)
	node := needs.Program(t, "node", "install Node.js 22 or newer")
	compiler := filepath.Join(client, "node_modules", "typescript", "bin", "tsc")
	needs.File(t, compiler, "npm ci --ignore-scripts --prefix clients/typescript")
	type media struct {
		Content map[string]struct{ Example json.RawMessage }
	}
	var described struct {
		Paths map[string]struct {
			Post struct {
				RequestBody media
				Responses   map[string]media
			}
		}
		Components struct {
			Schemas map[string]struct{ Examples []json.RawMessage }
		}
	}
	var description bytes.Buffer
	c := command()
	c.SetArgs([]string{"openapi"})
	c.SetOut(&description)
	require.NoError(t, c.ExecuteContext(t.Context()))
	require.NoError(t, json.Unmarshal(description.Bytes(), &described))

	var program strings.Builder
	fmt.Fprintf(&program, "import type * as requisite from %q;\n", filepath.Join(client, "src", "index.js"))
	count := 0
	typed := func(name string, example json.RawMessage) {
		require.NotEmpty(t, example, name)
		fmt.Fprintf(&program, "export const v%d: requisite.%s = %s;\n", count, name, example)
		count++
	}
	for path, item := range described.Paths {
		operation := strings.TrimPrefix(path, "/")
		typed(fmt.Sprintf(`Operations[%q]["request"]`, operation), item.Post.RequestBody.Content["application/json"].Example)
		var answer struct{ Data json.RawMessage }
		require.NoError(t, json.Unmarshal(item.Post.Responses["200"].Content["application/json"].Example, &answer), path)
		typed(fmt.Sprintf(`Operations[%q]["data"]`, operation), answer.Data)
	}
	for name, schema := range described.Components.Schemas {
		if !strings.HasSuffix(name, "Content") {
			continue
		}
		for _, example := range schema.Examples {
			typed(name, example)
		}
	}
	require.Greater(t, count, 140)
	file := filepath.Join(t.TempDir(), "examples.mts")
	require.NoError(t, os.WriteFile(file, []byte(program.String()), 0o600))
	out, err := exec.CommandContext(t.Context(), node, compiler, "--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022",
		"--module", "nodenext", "--lib", "es2023,dom,dom.iterable", "--typeRoots", t.TempDir(), file).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestClients_IncludeTheLicense, because each is published as a package of its own.
func TestClients_IncludeTheLicense(t *testing.T) {
	want, err := os.ReadFile("../../LICENSE")
	require.NoError(t, err)
	clients, err := filepath.Glob("../../clients/*/README.md")
	require.NoError(t, err)
	require.Len(t, clients, 3)
	for _, readme := range clients {
		got, err := os.ReadFile(filepath.Join(filepath.Dir(readme), "LICENSE"))
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), readme)
	}
}

// TestClients_RetryAlike: each README leads to the one table of timeouts, retries and cancellation.
func TestClients_RetryAlike(t *testing.T) {
	sections := map[string]bool{}
	for _, language := range []string{"go", "typescript", "python"} {
		readme, err := os.ReadFile(filepath.Join("..", "..", "clients", language, "README.md"))
		require.NoError(t, err)
		_, section, found := strings.Cut(string(readme), "## Timeouts, retries and cancellation\n")
		require.True(t, found, language)
		section, _, _ = strings.Cut(section, "\n## ")
		require.Contains(t, section, "(../../docs/calling.md#timeouts-and-retries-of-the-clients)", language)
		sections[section] = true
	}
	require.Len(t, sections, 1)
}

// TestPythonClient_DeclaresWhatPipInstalls, because its README installs it with pip. CI
// checks the metadata of the built package.
func TestPythonClient_DeclaresWhatPipInstalls(t *testing.T) {
	readme, err := os.ReadFile("../../clients/python/README.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), "`python3 -m venv .venv && .venv/bin/pip install .`")
	project, err := os.ReadFile("../../clients/python/pyproject.toml")
	require.NoError(t, err)
	require.Contains(t, string(project), `dependencies = ["cryptography>=38", "httpx>=0.23"]`)
	require.Contains(t, string(project), `requires = ["setuptools>=69.3"]`)
}
