//go:build deep

package guide_test

import (
	"bufio"
	"html"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
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

var (
	codeBlock = regexp.MustCompile(`(?s)<code>(.*?)</code></pre>`)
	colors    = regexp.MustCompile(`<span class="[a-z]">|</span>`)
)

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
	return html.UnescapeString(colors.ReplaceAllString(block[1], ""))
}

// startPrograms are the languages of the page, and what their programs need.
var startPrograms = []startProgram{
	{"TypeScript", "start.mjs", needsNPM},
	{"Python", "start.py", needsPip},
	{"Go", "start.go", func(*testing.T) {}},
	{"Shell", "start.sh", func(t *testing.T) {
		for _, program := range []string{"bash", "curl", "openssl"} {
			needs.Program(t, program, "apt-get install "+program)
		}
	}},
}

type startProgram struct {
	language, file string
	needs          func(*testing.T)
}

// started is a program as a reader of the page has it, with an account of its own.
type started struct {
	command                    *exec.Cmd
	accountID, dir, repository string
	client                     *requisite.Client
}

// publishing is the command by which the operator publishes rules or prices of an account.
func publishing(s *harness.Stack, kind, file, accountID string) *exec.Cmd {
	of := map[string]string{"rules": "--as-operator", "pricing": "--account"}
	return s.Starter(kind, "publish", file, of[kind], accountID)
}

// prepare copies the blocks of the page for a language. The program calls baseURL.
func (p startProgram) prepare(t *testing.T, s *harness.Stack, page startPage, baseURL string) started {
	p.needs(t)
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	in := `data-language="` + p.language + `"`
	credential, accountID := s.Credential(t, t.Name())
	client, err := credential.Client(s.Client.BaseURL)
	require.NoError(t, err)
	for _, kind := range []string{"rules", "pricing"} {
		out, err := publishing(s, kind, filepath.Join(root, "examples", kind, "us-card-acquirer.yaml"), accountID).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}

	repository := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(repository, ".stack"), 0o700))
	require.NoError(t, cli.WritePrivate(filepath.Join(repository, cli.DefaultStackFile), cli.Stack{BaseURL: baseURL, Accounts: []cli.StackAccount{{
		AccountID: accountID, APIKey: credential.APIKey, SecretKey: credential.SecretKey, AuthToken: credential.AuthToken,
	}}}))
	if p.language != "Shell" {
		copyTracked(t, filepath.Join("../../clients", strings.ToLower(p.language)), filepath.Join(repository, "clients", strings.ToLower(p.language)))
	}

	var program string
	for _, step := range []string{"2", "3", "4", "5"} {
		program += page.block(`id="step-`+step+`"`, in) + "\n\n"
	}
	require.Equal(t, page.get("/docs/"+p.file), strings.TrimSuffix(program, "\n"))
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, p.file), []byte(program), 0o600))

	_, port, err := net.SplitHostPort(harness.HeldAddress(t))
	require.NoError(t, err)
	setup := strings.ReplaceAll(page.block(`id="credential"`), "8099", port)
	setup = strings.Replace(setup, "~/requisite", "'"+repository+"'", 1)
	if p.language == "Shell" { // starter listen needs the whole checkout
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
	return started{command, accountID, dir, repository, client}
}

// TestStartPage_LeadsToADecisionAndAWebhook: in each language, the blocks of the page are
// copied and run, and end with required documents and a decrypted webhook. The program that
// the page links to is the same as its steps.
func TestStartPage_LeadsToADecisionAndAWebhook(t *testing.T) {
	s := harness.Shared(t)
	page := readStartPage(t, s.Client.BaseURL)
	for _, p := range startPrograms {
		t.Run(p.language, func(t *testing.T) {
			made := p.prepare(t, s, page, s.Client.BaseURL)
			said := run(t, made.command, p.language == "Shell")
			require.Contains(t, said, "Proof of registration", "the required documents")
			require.Contains(t, said, "Passport", "the required documents")
			require.NotContains(t, said, "Missing:")
			require.Contains(t, said, "WORKFLOW_COMPLETED")
			if p.language == "TypeScript" { // the program is JavaScript, and has the types of the client
				require.NoError(t, os.Rename(filepath.Join(made.dir, p.file), filepath.Join(made.dir, "start.mts")))
				packages := filepath.Join(made.repository, "clients", "typescript", "node_modules")
				compiler := exec.Command("node", filepath.Join(packages, "typescript", "bin", "tsc"), "--strict", "--noEmit",
					"--target", "es2022", "--module", "nodenext", "--typeRoots", filepath.Join(packages, "@types"), "--types", "node", "start.mts")
				compiler.Dir = made.dir
				out, err := compiler.CombinedOutput()
				require.NoError(t, err, "%s", out)
			}
			require.Regexp(t, `["']?state["']?: ?["']ENDED["']`, said, "the decrypted content")
		})
	}
}

// TestStartPrograms_ActivateNoKeyWhoseSecretIsLost: the first answer of webhook.key.create, which
// has the secret, does not arrive. The account has an active key, which stays.
func TestStartPrograms_ActivateNoKeyWhoseSecretIsLost(t *testing.T) {
	s := harness.Shared(t)
	page := readStartPage(t, s.Client.BaseURL)
	to, err := url.Parse(s.Client.BaseURL)
	require.NoError(t, err)
	for _, p := range startPrograms {
		t.Run(p.language, func(t *testing.T) {
			var lost atomic.Bool
			toAPI := httputil.NewSingleHostReverseProxy(to)
			toAPI.ErrorLog = log.New(io.Discard, "", 0)
			toAPI.ModifyResponse = func(r *http.Response) error {
				if r.Request.URL.Path == "/webhook.key.create" && lost.CompareAndSwap(false, true) {
					panic(http.ErrAbortHandler) // the connection ends without an answer
				}
				return nil
			}
			between := httptest.NewServer(toAPI)
			defer between.Close()
			made := p.prepare(t, s, page, between.URL)
			before, _, err := harness.CreateKey(t.Context(), made.client, made.accountID)
			require.NoError(t, err)
			_, err = harness.Call(t.Context(), made.client, "webhook.key.activate", harness.Object{"account_id": made.accountID, "key_id": before}, nil)
			require.NoError(t, err)

			said, err := made.command.CombinedOutput()
			require.Error(t, err, "%s", said)
			require.True(t, lost.Load(), "%s", said)
			if p.language != "Shell" { // starter listen does not repeat the request
				require.Contains(t, string(said), "create another key; this one stays INACTIVE")
			}
			keys, err := made.client.WebhookKeyList(t.Context(), requisite.KeyListRequest{AccountID: made.accountID})
			require.NoError(t, err)
			require.Len(t, keys.Data.Keys, 2)
			require.Equal(t, "INACTIVE", keys.Data.Keys[0].Status, "the key whose secret is lost")
			require.Equal(t, "ACTIVE", keys.Data.Keys[1].Status, "the earlier key")
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
