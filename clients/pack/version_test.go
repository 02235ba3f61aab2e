package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClients_HaveTheVersionOfTheService in all their files.
func TestClients_HaveTheVersionOfTheService(t *testing.T) {
	version, err := releaseOf("../..")
	require.NoError(t, err)
	changelog, err := os.ReadFile("../../CHANGELOG.md")
	require.NoError(t, err)
	require.Contains(t, string(changelog), "\n## "+version)
	for readme, name := range map[string]string{"typescript": "requisite-client-" + version + ".tgz", "python": "requisite_client-" + version + "-py3"} {
		text, err := os.ReadFile(filepath.Join("..", readme, "README.md"))
		require.NoError(t, err)
		require.Contains(t, string(text), name)
	}

	root := t.TempDir()
	for _, language := range []string{"go", "python", "typescript"} {
		require.NoError(t, os.CopyFS(filepath.Join(root, "clients", language), os.DirFS(filepath.Join("..", language))))
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "CHANGELOG.md"), []byte("# Changelog\n\n## 9.9.9\n"), 0o600))
	_, err = releaseOf(root)
	require.ErrorContains(t, err, version, "an older client is not packed for a newer service")
}

// TestReadmes_LinkToNothingOutsideTheirPackage, because registries show them.
func TestReadmes_LinkToNothingOutsideTheirPackage(t *testing.T) {
	for _, language := range []string{"go", "python", "typescript"} {
		files, err := tracked(filepath.Join("..", language))
		require.NoError(t, err)
		require.NotContains(t, string(files["README.md"]), "](..", language)
		require.Contains(t, string(files["README.md"]), "(`/docs/calling#answer-a-webhook` of the service)", language)
	}
}

// TestGoModule_NamesItsHostInOnePlace: another host is one change.
func TestGoModule_NamesItsHostInOnePlace(t *testing.T) {
	files := exec.Command("git", "grep", "--fixed-strings", "--count", host, "--", ":/")
	out, err := files.Output()
	require.NoError(t, err)
	require.Equal(t, []string{"main.go:1"}, strings.Fields(string(out)))
}

func TestSetuptools_AreNewEnoughForTheIndex(t *testing.T) {
	project, err := os.ReadFile("../python/pyproject.toml")
	require.NoError(t, err)
	for found, enough := range map[string]bool{"66.1.1": false, "69.2.0": false, "69.3": true, "69.3.1": true, "69.10.0": true, "70": true, "78.1.1": true} {
		err := checkSetuptools(string(project), found)
		require.Equal(t, enough, err == nil, found)
		if !enough {
			require.ErrorContains(t, err, "pip install 'setuptools>=69.3' wheel")
		}
	}
}
