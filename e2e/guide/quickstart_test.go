//go:build deep

package guide_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	"requisite/internal/testkit/needs"
)

// TestQuickstarts_RunAsWritten runs the quickstart of each client's README in a copy of the
// client without installed or built files.
func TestQuickstarts_RunAsWritten(t *testing.T) {
	s := harness.Shared(t)
	credential, accountID := s.Credential(t, "quickstart")
	client, err := credential.Client(s.Client.BaseURL)
	require.NoError(t, err)
	_, err = harness.Call(t.Context(), client, "account.documentRules.publish", map[string]any{"account_id": accountID, "rules": scenarioRules}, nil)
	require.NoError(t, err)
	stack, err := json.Marshal(map[string]any{"base_url": s.Client.BaseURL, "accounts": []any{map[string]string{
		"account_id": accountID, "api_key": credential.APIKey, "secret_key": credential.SecretKey, "auth_token": credential.AuthToken,
	}}})
	require.NoError(t, err)

	for _, c := range []struct {
		language string
		needs    func(*testing.T)
		inside   int // number of blocks for the client's own directory; -1 for all
	}{
		{"go", func(*testing.T) {}, 0}, {"typescript", needsNPM, 1}, {"python", needsPip, -1},
	} {
		t.Run(c.language, func(t *testing.T) {
			c.needs(t)
			repository := t.TempDir()
			require.NoError(t, os.MkdirAll(filepath.Join(repository, ".stack"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(repository, ".stack", "stack.json"), stack, 0o600))
			dir := filepath.Join(repository, "clients", c.language)
			copyTracked(t, filepath.Join("../../clients", c.language), dir)
			text, err := os.ReadFile(filepath.Join(dir, "README.md"))
			require.NoError(t, err)
			script := script(t, string(text), dir, t.TempDir(), c.inside)
			// The system's interpreter has the system's packages. It need not be the first in PATH.
			command := exec.Command("bash", "-euo", "pipefail", "-c", "PATH=/usr/bin:$PATH\n"+script)
			// Use npm's cache of earlier downloads.
			command.Env = append(os.Environ(), "REPOSITORY="+repository, "npm_config_prefer_offline=true")
			out, err := command.CombinedOutput()
			require.NoError(t, err, "%s\n%s", script, out)
			require.Contains(t, string(out), "business.salesInfo.create", "the quickstart prints what is missing, and how to supply it")
		})
	}
}

// needsNPM requires the installed packages. They are then in npm's cache, where the
// quickstart finds them.
func needsNPM(t *testing.T) {
	install := "npm ci --ignore-scripts --prefix clients/typescript"
	needs.Program(t, "npm", "install Node.js, then "+install)
	needs.File(t, "../../clients/typescript/node_modules", install)
}

// needsPip requires the packages that Python's quickstart takes from the system. The
// quickstart downloads nothing.
func needsPip(t *testing.T) {
	install := "apt-get install python3-cryptography python3-httpx python3-pip python3-setuptools python3-wheel python3-venv"
	needs.Program(t, "python3", install)
	if exec.Command("/usr/bin/python3", "-c", "import setuptools, wheel, pip, ensurepip, cryptography, httpx").Run() != nil {
		needs.Lacking(t, "Python lacks what the quickstart needs: "+install)
	}
}

// copyTracked copies the files of a directory that git tracks.
func copyTracked(t *testing.T, from, to string) {
	command := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", ".")
	command.Dir = from
	out, err := command.Output()
	require.NoError(t, err)
	for name := range strings.FieldsSeq(string(out)) {
		data, err := os.ReadFile(filepath.Join(from, name))
		require.NoError(t, err)
		path := filepath.Join(to, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, data, 0o644))
	}
}

var quickstartBlock = regexp.MustCompile("(?ms)^(?:Save this as `([^`]+)`:\n\n)?```(\\w+)\n(.*?)^```$")

// script turns a quickstart into a shell script. It runs the blocks of commands, and writes
// the other blocks to the files that the text names.
func script(t *testing.T, readme, dir, empty string, inside int) string {
	_, rest, found := strings.Cut(readme, "## Quickstart\n")
	require.True(t, found)
	quickstart, _, _ := strings.Cut(rest, "\n## ")
	blocks := quickstartBlock.FindAllStringSubmatch(quickstart, -1)
	require.GreaterOrEqual(t, len(blocks), 3)
	var out strings.Builder
	for i, b := range blocks {
		if i == 0 || i == inside {
			in := dir
			if i == inside {
				in = empty
			}
			out.WriteString("cd '" + in + "'\n")
		}
		if b[2] == "sh" {
			out.WriteString(b[3])
			continue
		}
		require.NotEmpty(t, b[1], "code without a file to save it as")
		out.WriteString("cat >" + b[1] + " <<'END OF FILE'\n" + b[3] + "END OF FILE\n")
	}
	return out.String()
}
