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
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/api/reference"
	"requisite/docs"
	"requisite/internal/clientmodel"
	"requisite/internal/requests/sig1"
	"requisite/internal/requests/wire"
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
				c.Env = append(os.Environ(), "BASE_URL="+receiver.URL, "API_KEY="+knownKey, "SECRET_KEY="+knownSecret, "AUTH_TOKEN=a-token")
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

// TestCallingGuide_SendsTheFirstRequest: its commands work with nothing but the address and a credential.
func TestCallingGuide_SendsTheFirstRequest(t *testing.T) {
	needsLanguage(t, "shell")
	s := testServer()
	called := verified(func(w http.ResponseWriter, r *http.Request, body string) {
		_, _ = io.WriteString(w, "verified "+r.URL.Path+body)
	})
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			s.ServeHTTP(w, r)
			return
		}
		called(w, r)
	}))
	defer service.Close()
	_, commands, found := strings.Cut(string(docs.Calling), "```sh\n")
	require.True(t, found)
	commands, _, _ = strings.Cut(commands, "```")
	first, rest, _ := strings.Cut(commands, "\n")
	require.Regexp(t, `^export( (BASE_URL|API_KEY|SECRET_KEY|AUTH_TOKEN)=\S+){4}$`, first)
	c := exec.CommandContext(t.Context(), "bash", "-euc", rest)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), "BASE_URL="+service.URL, "API_KEY="+knownKey, "SECRET_KEY="+knownSecret, "AUTH_TOKEN=a-token")
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "verified /meta.whoami{}", string(out))
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
		needs.File(t, "/usr/lib/python3/dist-packages/cryptography", "apt-get install python3-cryptography")
	}
}

// compiled compiles the TypeScript program that signs, and returns the JavaScript file.
func compiled(t *testing.T) string {
	dir := t.TempDir()
	sign, err := os.ReadFile("../reference/docs/snippets/sign.ts")
	require.NoError(t, err)
	for name, text := range map[string]string{"sign.ts": string(sign), "package.json": `{"type":"module"}`} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	modules, err := filepath.Abs("../check/node_modules")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(modules, filepath.Join(dir, "node_modules")))
	typescript(t, dir, "--strict", "--target", "es2022", "--module", "nodenext", "--types", "node", "sign.ts")
	return filepath.Join(dir, "sign.js")
}

// typescript runs the compiler in a directory.
func typescript(t *testing.T, dir string, args ...string) {
	t.Helper()
	compiler, err := filepath.Abs("../check/node_modules/typescript/bin/tsc")
	require.NoError(t, err)
	c := exec.CommandContext(t.Context(), "node", append([]string{compiler}, args...)...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestCallSnippets_SendTheExampleOfEachOperation in every language, with its client. Strict compilers
// take them.
func TestCallSnippets_SendTheExampleOfEachOperation(t *testing.T) {
	type sent struct {
		operation, key, day string
		body                any
	}
	received := make(chan sent, 1000)
	receiver := httptest.NewServer(verified(func(w http.ResponseWriter, r *http.Request, body string) {
		operation := strings.TrimPrefix(r.URL.Path, "/")
		received <- sent{operation, r.Header.Get(sig1.HeaderIdempotencyKey), r.Header.Get(wire.HeaderSandboxToday), reference.Parsed(body)}
		_, _ = io.WriteString(w, `{"meta":{"status":"SUCCESS","trace_id":"trc_1","version":"2025-03-24"},"data":`+reference.OperationExamples()[operation].Data+`}`)
	}))
	defer receiver.Close()
	operations := testServer().operations
	names := slices.Sorted(maps.Keys(reference.OperationExamples()))
	snippets, err := clientmodel.NewSnippets(fetch(t, "/openapi.json").Body.Bytes())
	require.NoError(t, err)
	calls := map[string][]string{}
	for _, name := range names {
		written, err := reference.CallSnippets(snippets, operations[name].Operation, reference.OperationExamples()[name].Request)
		require.NoError(t, err)
		for _, call := range written {
			calls[call.Language] = append(calls[call.Language], call.Text)
		}
	}
	clients, err := filepath.Abs("../../clients")
	require.NoError(t, err)
	for language, write := range map[string]func(t *testing.T, dir string, calls []string) (command []string){
		"Shell": func(t *testing.T, dir string, calls []string) []string {
			const executable = "chmod +x sign.sh"
			require.Contains(t, fetch(t, "/docs/signing").Body.String(), "<code>"+executable+"</code>")
			sign, err := os.ReadFile("../reference/docs/snippets/sign.sh")
			require.NoError(t, err)
			writeFile(t, dir, "sign.sh", string(sign))
			writeFile(t, dir, "calls.sh", "set -e\n"+executable+"\n"+strings.Join(calls, "\n"))
			return []string{"bash", "calls.sh"}
		},
		"Python": func(t *testing.T, dir string, calls []string) []string {
			writeFile(t, dir, "calls.py", "import os, sys\nsys.path.insert(0, "+strconv.Quote(filepath.Join(clients, "python"))+`)
import requisite
client = requisite.Client(os.environ["BASE_URL"], os.environ["API_KEY"], os.environ["SECRET_KEY"], os.environ["AUTH_TOKEN"])
`+strings.Join(calls, "\nassert answer.data is not None\n"))
			return []string{"/usr/bin/python3", "-B", "calls.py"}
		},
		"Go": func(t *testing.T, dir string, calls []string) []string {
			program := "package main\n\nimport (\n\"context\"\n\"encoding/json\"\n\"os\"\n\nrequisite \"requisite/clients/go\"\n)\n\nvar _ json.Number\n\nfunc check(_ any, err error) {\n\tif err != nil {\n\t\tpanic(err)\n\t}\n}\n\n" +
				"func main() {\n\tctx := context.Background()\n\tclient, err := requisite.New(os.Getenv(\"BASE_URL\"), os.Getenv(\"API_KEY\"), os.Getenv(\"SECRET_KEY\"), os.Getenv(\"AUTH_TOKEN\"))\n\tcheck(client, err)\n"
			for _, call := range calls {
				program += "{\n" + call + "\ncheck(answer.Data, err)\n}\n"
			}
			writeFile(t, dir, "main.go", program+"}\n")
			writeFile(t, dir, "go.mod", "module calls\n\ngo 1.24\n\nrequire requisite/clients/go v0.0.0\n\nreplace requisite/clients/go => "+filepath.Join(clients, "go")+"\n")
			return []string{"go", "run", "."}
		},
		"TypeScript": func(t *testing.T, dir string, calls []string) []string {
			installed := filepath.Join(dir, "node_modules", "requisite-client")
			require.NoError(t, os.MkdirAll(installed, 0o700))
			typescript(t, filepath.Join(clients, "typescript"), "-p", "tsconfig.json", "--outDir", filepath.Join(installed, "dist", "esm"))
			about, err := os.ReadFile(filepath.Join(clients, "typescript", "package.json"))
			require.NoError(t, err)
			writeFile(t, installed, "package.json", string(about))
			program := "import { Client } from \"requisite-client\";\ndeclare const process: { env: Record<string, string> };\nconst { BASE_URL = \"\", API_KEY = \"\", SECRET_KEY = \"\", AUTH_TOKEN = \"\" } = process.env;\n" +
				"const client = new Client({ baseUrl: BASE_URL, apiKey: API_KEY, secretKey: SECRET_KEY, authToken: AUTH_TOKEN });\n"
			for _, call := range calls {
				program += "{\n" + call + "\nif (!answer.data) throw new Error();\n}\n"
			}
			writeFile(t, dir, "calls.ts", program)
			writeFile(t, dir, "package.json", `{"type":"module"}`)
			writeFile(t, dir, "tsconfig.json", `{"compilerOptions":{"strict":true,"exactOptionalPropertyTypes":true,"target":"es2022","module":"nodenext","types":[]},"files":["calls.ts"]}`)
			typescript(t, dir)
			return []string{"node", "calls.js"}
		},
	} {
		t.Run(language, func(t *testing.T) {
			needsLanguage(t, strings.ToLower(language))
			dir := t.TempDir()
			command := write(t, dir, calls[language])
			c := exec.CommandContext(t.Context(), command[0], command[1:]...)
			c.Dir = dir
			c.Env = append(os.Environ(), "BASE_URL="+receiver.URL, "API_KEY="+knownKey, "SECRET_KEY="+knownSecret, "AUTH_TOKEN=a-token", "GOFLAGS=")
			out, err := c.CombinedOutput()
			require.NoError(t, err, "%s", out)
			for _, name := range names {
				select {
				case got := <-received:
					require.Equal(t, name, got.operation)
					require.Equal(t, operations[name].Writes, got.key != "", name)
					require.Equal(t, reference.ExampleKey(operations[name].Operation), got.key)
					require.Equal(t, name == "workflow.deadlines.apply", got.day != "", name)
					require.Equal(t, reference.Parsed(reference.OperationExamples()[name].Request), got.body, name)
				default:
					require.Fail(t, "not sent", name)
				}
			}
		})
	}
}

func writeFile(t *testing.T, dir, name, text string) {
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
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
