//go:build deep

package guide_test

import (
	"bufio"
	"html"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
	"requisite/internal/testkit/needs"
	"requisite/starter/cli"
)

// startPage is what the start page of the running api shows.
type startPage struct {
	t    *testing.T
	base string
	text string
}

func readStartPage(t *testing.T, baseURL string) startPage {
	p := startPage{t: t, base: baseURL}
	p.text = p.get("/docs")
	return p
}

func (p startPage) get(path string) string {
	response, err := http.Get(p.base + path)
	require.NoError(p.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(p.t, err)
	require.Equal(p.t, http.StatusOK, response.StatusCode, path)
	return string(text)
}

var codeBlock = regexp.MustCompile(`<code>([^<]*)</code></pre>`)

// block returns the first block of code after the marks, one after the other.
func (p startPage) block(marks ...string) string {
	rest := p.text
	for _, mark := range marks {
		_, after, found := strings.Cut(rest, mark)
		require.True(p.t, found, "the page lacks %s", mark)
		rest = after
	}
	block := codeBlock.FindStringSubmatch(rest)
	require.NotNil(p.t, block)
	return html.UnescapeString(block[1])
}

// TestStartPage_LeadsToADecisionAndAWebhook: in each language, the blocks of the page are
// copied and run, and end with required documents and a decrypted webhook. The program that
// the page links to is the same as its steps.
func TestStartPage_LeadsToADecisionAndAWebhook(t *testing.T) {
	s := harness.Shared(t)
	page := readStartPage(t, s.Client.BaseURL)
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	for _, c := range []struct {
		language, file string
		needs          func(*testing.T)
	}{
		{"TypeScript", "start.mjs", needsNPM},
		{"Python", "start.py", needsPip},
		{"Go", "start.go", func(*testing.T) {}},
		{"Shell", "start.sh", func(t *testing.T) {
			for _, program := range []string{"bash", "curl", "openssl"} {
				needs.Program(t, program, "apt-get install "+program)
			}
		}},
	} {
		t.Run(c.language, func(t *testing.T) {
			c.needs(t)
			in := `data-language="` + c.language + `"`
			credential, accountID := s.Credential(t, "start-"+strings.ToLower(c.language))
			for _, kind := range []string{"rules", "pricing"} {
				out, err := s.Starter(kind, "publish", filepath.Join(root, "examples", kind, "us-card-acquirer.yaml"), "--account", accountID).CombinedOutput()
				require.NoError(t, err, "%s", out)
			}

			repository := t.TempDir()
			require.NoError(t, os.MkdirAll(filepath.Join(repository, ".stack"), 0o700))
			require.NoError(t, cli.WritePrivate(filepath.Join(repository, cli.DefaultStackFile), cli.Stack{BaseURL: s.Client.BaseURL, Accounts: []cli.StackAccount{{
				AccountID: accountID, APIKey: credential.APIKey, SecretKey: credential.SecretKey, AuthToken: credential.AuthToken,
			}}}))
			if c.language != "Shell" {
				copyTracked(t, filepath.Join("../../clients", strings.ToLower(c.language)), filepath.Join(repository, "clients", strings.ToLower(c.language)))
			}

			var program string
			for _, step := range []string{"2", "3", "4", "5"} {
				program += page.block(`id="step-`+step+`"`, in) + "\n\n"
			}
			require.Equal(t, page.get("/docs/"+c.file), strings.TrimSuffix(program, "\n"))
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, c.file), []byte(program), 0o600))

			_, port, err := net.SplitHostPort(harness.HeldAddress(t))
			require.NoError(t, err)
			setup := strings.ReplaceAll(page.block(`id="credential"`), "8099", port)
			setup = strings.Replace(setup, "~/requisite", "'"+repository+"'", 1)
			if c.language == "Shell" { // starter listen needs the whole checkout
				setup += "\nREPOSITORY='" + root + "'"
			}
			// The system's interpreter has the system's packages. It need not be the first in PATH.
			command := exec.Command("bash", "-euo", "pipefail", "-c", strings.Join([]string{
				"PATH=/usr/bin:$PATH", setup, page.block(`id="step-1"`, in), page.block(`id="run"`, in),
			}, "\n"))
			command.Dir = dir
			// Packages come from npm's cache and from the system, as from an index.
			command.Env = append(os.Environ(), "npm_config_prefer_offline=true", "GOFLAGS=",
				"PIP_NO_DEPS=1", "PIP_NO_BUILD_ISOLATION=0", "PYTHONPATH=/usr/lib/python3/dist-packages")
			said := run(t, command, c.language == "Shell")
			require.Contains(t, said, "Proof of registration", "the required documents")
			require.Contains(t, said, "Passport", "the required documents")
			require.NotContains(t, said, "Missing:")
			require.Contains(t, said, "WORKFLOW_COMPLETED")
			if c.language == "TypeScript" { // the program is JavaScript, and has the types of the client
				require.NoError(t, os.Rename(filepath.Join(dir, c.file), filepath.Join(dir, "start.mts")))
				packages := filepath.Join(repository, "clients", "typescript", "node_modules")
				compiler := exec.Command("node", filepath.Join(packages, "typescript", "bin", "tsc"), "--strict", "--noEmit",
					"--target", "es2022", "--module", "nodenext", "--typeRoots", filepath.Join(packages, "@types"), "--types", "node", "start.mts")
				compiler.Dir = dir
				out, err := compiler.CombinedOutput()
				require.NoError(t, err, "%s", out)
			}
			require.Regexp(t, `["']?state["']?: ?["']ENDED["']`, said, "the decrypted content")
		})
	}
}

// run returns what a command writes. If it listens until it is interrupted, run interrupts
// it after the content of a webhook.
func run(t *testing.T, command *exec.Cmd, listens bool) string {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	output, err := command.StdoutPipe()
	require.NoError(t, err)
	command.Stderr = command.Stdout
	require.NoError(t, command.Start())
	defer func() { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }()
	ctx := await.Context(t)
	go func() {
		<-ctx.Done()
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
	}()
	var said strings.Builder
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		said.WriteString(lines.Text() + "\n")
		if listens && strings.Contains(lines.Text(), `"state": "ENDED"`) {
			require.NoError(t, syscall.Kill(-command.Process.Pid, syscall.SIGINT))
		}
	}
	err = command.Wait()
	if !listens {
		require.NoError(t, err, "%s", &said)
	}
	return said.String()
}
