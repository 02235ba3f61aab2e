//go:build deep

package server

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/api/reference"
	"requisite/internal/requests/sig1"
	"requisite/internal/testkit/needs"
)

// TestSigningSnippets_SendRequestsThatVerify, and compute the known signature.
func TestSigningSnippets_SendRequestsThatVerify(t *testing.T) {
	receiver := httptest.NewServer(verified(func(w http.ResponseWriter, r *http.Request, body string) {
		_, _ = io.WriteString(w, "verified "+body+r.Header.Get(sig1.HeaderIdempotencyKey))
	}))
	defer receiver.Close()
	for name, command := range map[string][]string{
		"shell": {"bash", "../reference/docs/snippets/sign.sh"}, "go": {"go", "run", "../reference/docs/snippets/go"},
		"typescript": {"node"}, "python": {"python3", "../reference/docs/snippets/sign.py"},
	} {
		t.Run(name, func(t *testing.T) {
			needsLanguage(t, name)
			if name == "typescript" {
				command = append(command, compiled(t))
			}
			run := func(args ...string) string {
				c := exec.CommandContext(t.Context(), command[0], append(command[1:len(command):len(command)], args...)...)
				c.Env = append(os.Environ(), "BASE_URL="+receiver.URL, "API_KEY="+knownKey, "SECRET_KEY="+knownSecret, "AUTH_TOKEN=a token")
				out, err := c.CombinedOutput()
				require.NoError(t, err, "%s", out)
				return strings.TrimSpace(string(out))
			}
			require.Equal(t, knownAnswer, run("--signature", knownKey))
			require.Equal(t, `verified {"name":"Amélie"}`, run("business.get", `{"name":"Amélie"}`))
			require.Equal(t, `verified {}with a key`, run("business.create", `{}`, "with a key"))
		})
	}
}

// needsLanguage skips a test if this machine lacks the programs of a language.
func needsLanguage(t *testing.T, language string) {
	t.Helper()
	switch language {
	case "shell":
		for _, program := range []string{"bash", "curl", "openssl"} {
			needs.Program(t, program, "apt-get install "+program)
		}
	case "typescript":
		needsTools(t)
	case "python":
		needs.Program(t, "python3", "install Python 3")
	}
}

// compiled compiles the TypeScript snippet, and returns the JavaScript file. The compiler
// also checks the types of each operation's snippet.
func compiled(t *testing.T) string {
	compiler, err := filepath.Abs("../check/node_modules/typescript/bin/tsc")
	require.NoError(t, err)
	dir := t.TempDir()
	sign, err := os.ReadFile("../reference/docs/snippets/sign.ts")
	require.NoError(t, err)
	calls := "import { call } from \"./sign.js\";\n"
	operations := testServer(t).operations
	for name, shown := range reference.OperationExamples() {
		calls += "{ " + reference.CallSnippets(operations[name].Operation, shown.Request)[2].Text + " console.log(answer.data); }\n"
	}
	for name, text := range map[string]string{"sign.ts": string(sign), "calls.ts": calls, "package.json": `{"type":"module"}`} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	require.NoError(t, os.Symlink(filepath.Join(filepath.Dir(compiler), "../.."), filepath.Join(dir, "node_modules")))
	c := exec.CommandContext(t.Context(), "node", compiler, "--strict", "--target", "es2022", "--module", "nodenext", "--types", "node", "sign.ts", "calls.ts")
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return filepath.Join(dir, "sign.js")
}

// TestCallSnippets_SendTheExampleOfEachOperation in every language.
func TestCallSnippets_SendTheExampleOfEachOperation(t *testing.T) {
	type sent struct {
		operation, key string
		body           any
	}
	received := make(chan sent, 1000)
	receiver := httptest.NewServer(verified(func(w http.ResponseWriter, r *http.Request, body string) {
		received <- sent{strings.TrimPrefix(r.URL.Path, "/"), r.Header.Get(sig1.HeaderIdempotencyKey), reference.Parsed(body)}
		_, _ = io.WriteString(w, `{"data":{}}`)
	}))
	defer receiver.Close()
	operations := testServer(t).operations
	names := slices.Sorted(maps.Keys(reference.OperationExamples()))
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for _, name := range []string{"sign.py", "sign.sh", "go/main.go"} {
		text, err := os.ReadFile("../reference/docs/snippets/" + name)
		require.NoError(t, err)
		if name == "go/main.go" {
			text = bytes.Replace(text, []byte("func main() {"), []byte("func unused() {"), 1)
		}
		write(filepath.Base(name), string(text))
	}
	const executable = "chmod +x sign.sh"
	require.Contains(t, fetch(t, "/docs/signing").Body.String(), "<code>"+executable+"</code>")
	shell, python := "set -e\n"+executable+"\n", "from sign import call\n"
	program := "package main\n\nfunc check(_ string, err error) {\n\tif err != nil {\n\t\tpanic(err)\n\t}\n}\n\nfunc main() {\n"
	for _, name := range names {
		calls := reference.CallSnippets(operations[name].Operation, reference.OperationExamples()[name].Request)
		shell += calls[0].Text + "\n"
		python += calls[3].Text + "\n"
		program += "\t{\n\t\t" + calls[1].Text + "\n\t\tcheck(answer, err)\n\t}\n"
	}
	write("calls.sh", shell)
	write("calls.py", python)
	write("calls.go", program+"}\n")
	write("go.mod", "module calls\n\ngo 1.24\n")
	for language, command := range map[string][]string{"shell": {"bash", "calls.sh"}, "python": {"python3", "calls.py"}, "go": {"go", "run", "."}} {
		t.Run(language, func(t *testing.T) {
			needsLanguage(t, language)
			c := exec.CommandContext(t.Context(), command[0], command[1:]...)
			c.Dir = dir
			c.Env = append(os.Environ(), "BASE_URL="+receiver.URL, "API_KEY="+knownKey, "SECRET_KEY="+knownSecret, "AUTH_TOKEN=a token", "GOFLAGS=")
			out, err := c.CombinedOutput()
			require.NoError(t, err, "%s", out)
			for _, name := range names {
				select {
				case got := <-received:
					require.Equal(t, []string{name, reference.ExampleKey(operations[name].Operation)}, []string{got.operation, got.key})
					require.Equal(t, operations[name].Writes, got.key != "", name)
					require.Equal(t, reference.Parsed(reference.OperationExamples()[name].Request), got.body, name)
				default:
					require.Fail(t, "not sent", name)
				}
			}
		})
	}
}

// TestShellSnippet_EndsWithAnErrorWhenItIsRefused, so that a script does not go on, and shows the answer.
func TestShellSnippet_EndsWithAnErrorWhenItIsRefused(t *testing.T) {
	needsLanguage(t, "shell")
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, "the refusal")
	}))
	defer receiver.Close()
	for secret, shown := range map[string]string{knownSecret: "the refusal", "": "SECRET_KEY"} {
		c := exec.CommandContext(t.Context(), "bash", "../reference/docs/snippets/sign.sh", "business.get", "{}")
		c.Env = append(os.Environ(), "BASE_URL="+receiver.URL, "API_KEY="+knownKey, "AUTH_TOKEN=t", "SECRET_KEY="+secret)
		out, err := c.CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(out), shown)
	}
}

// TestShellSnippet_PassesNoSecretAsAnArgument, because every user of a machine can read
// the arguments of processes. The programs here record their arguments.
func TestShellSnippet_PassesNoSecretAsAnArgument(t *testing.T) {
	needsLanguage(t, "shell")
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Header.Get("X-API-Auth-Token"))
	}))
	defer receiver.Close()
	dir := t.TempDir()
	noted := filepath.Join(dir, "noted")
	for _, name := range []string{"openssl", "curl", "od", "tr", "cat", "date"} {
		program, err := exec.LookPath(name)
		require.NoError(t, err)
		script := fmt.Sprintf("#!/bin/bash\necho \"%s $*\" >> %s\nexec %s \"$@\"\n", name, noted, program)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700))
	}
	for name, secret := range map[string][]byte{"as ours": decoded(t, knownSecret), "longer than a block": bytes.Repeat([]byte("planted."), 9)} {
		c := exec.CommandContext(t.Context(), "bash", "../reference/docs/snippets/sign.sh", "business.get", "{}")
		c.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "BASE_URL="+receiver.URL, "API_KEY="+knownKey,
			"SECRET_KEY="+base64.StdEncoding.EncodeToString(secret), "AUTH_TOKEN=planted-token")
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Equal(t, "planted-token", string(out), name)

		c = exec.CommandContext(t.Context(), "bash", "../reference/docs/snippets/sign.sh", "--signature", knownKey)
		c.Env = append(os.Environ(), "SECRET_KEY="+base64.StdEncoding.EncodeToString(secret))
		out, err = c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(knownKey))
		require.Equal(t, base64.StdEncoding.EncodeToString(mac.Sum(nil)), strings.TrimSpace(string(out)), name)

		arguments, err := os.ReadFile(noted)
		require.NoError(t, err)
		require.Contains(t, string(arguments), "X-API-Key: "+knownKey)
		for _, shown := range []string{"planted", base64.StdEncoding.EncodeToString(secret)[:20], hex.EncodeToString(secret)[:20]} {
			require.NotContains(t, string(arguments), shown, name)
		}
	}
}
