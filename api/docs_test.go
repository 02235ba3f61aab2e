package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/stretchr/testify/require"

	"requisite/internal/refusal"
	"requisite/internal/sig1"
	"requisite/internal/webhook"
)

func testServer(t *testing.T) *server {
	s, err := newServer(nil, nil, nil, nil, slog.New(slog.DiscardHandler), time.Now, settings{patience: time.Second, bounds: bounds{waiting: 1}, maxBodies: 64 << 20, guard: webhook.NewGuard(webhook.DefaultPorts(), nil)})
	require.NoError(t, err)
	return s
}

func fetch(t *testing.T, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	testServer(t).ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

// TestTheDescriptionIsValid checks /openapi.json against the published schema
// of OpenAPI 3.1.
func TestTheDescriptionIsValid(t *testing.T) {
	w := fetch(t, "/openapi.json")
	require.Equal(t, 200, w.Code)
	document, err := libopenapi.NewDocument(w.Body.Bytes())
	require.NoError(t, err)
	require.Equal(t, "3.1.0", document.GetVersion())
	_, err = document.BuildV3Model()
	require.NoError(t, err, "every reference leads somewhere")
	check, problems := validator.NewValidator(document)
	require.Empty(t, problems)
	valid, found := check.ValidateDocument()
	for _, problem := range found {
		t.Logf("%s: %s", problem.Message, problem.Reason)
	}
	require.True(t, valid)
}

// TestTheDescriptionIsComplete: an operation cannot be added without its
// examples, and an example cannot say what the service would refuse.
func TestTheDescriptionIsComplete(t *testing.T) {
	s := testServer(t)
	require.Len(t, operationExamples, len(s.operations))
	for name, o := range s.operations {
		shown, ok := operationExamples[name]
		require.True(t, ok, name)
		require.NoError(t, s.schemas.Decode([]byte(shown.request), s.empty(o)), name)
		decoder := json.NewDecoder(strings.NewReader(shown.data))
		decoder.DisallowUnknownFields()
		require.NoError(t, decoder.Decode(reflect.New(o.data).Interface()), name)
		require.ElementsMatch(t, keysOf(t, shown.data), shownKeys(t, o.data, shown.data), "%s: the example has every field that is always there", name)
		for _, refused := range shown.refusals {
			require.Contains(t, refusalExamples, refused, name)
		}
	}
	for _, code := range everywhere {
		require.Contains(t, refusalExamples, string(code))
	}
	for name, text := range refusalExamples {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.DisallowUnknownFields()
		var entry refusal.Refusal
		require.NoError(t, decoder.Decode(&entry), name)
		if name != "rules" {
			require.Contains(t, []string{string(entry.Code), string(entry.SubCode)}, name)
		}
	}
}

func keysOf(t *testing.T, text string) (names []string) {
	var fields map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &fields))
	for name := range fields {
		names = append(names, name)
	}
	return names
}

// shownKeys are the fields that the example's data has once it was read into
// its type and written again.
func shownKeys(t *testing.T, data reflect.Type, text string) []string {
	value := reflect.New(data).Interface()
	require.NoError(t, json.Unmarshal([]byte(text), value))
	again, err := json.Marshal(value)
	require.NoError(t, err)
	return keysOf(t, string(again))
}

func TestThePage(t *testing.T) {
	w := fetch(t, "/docs")
	require.Equal(t, 200, w.Code)
	require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
	page := w.Body.String()
	for name := range testServer(t).operations {
		require.Contains(t, page, `<h3 id="`+name+`">`)
	}
	require.NotContains(t, page, "<script")
	require.Contains(t, page, "WORKFLOW_ENDED")
	for _, path := range []string{"/", "/docs/", "/openapi.json/x"} {
		require.Equal(t, 404, fetch(t, path).Code, path)
	}
}

const (
	knownKey    = "sb_3eY9UJuj09636NVPlgmhfa"
	knownSecret = "xBeain5pFnPyQkl98qzA+BG+Cjzskpqq9fGKDbDoXNP5"
	knownAnswer = "iWEh4jjK9wfjTXd/3GzImPLL1swTZiCPpDbj62vFo2Q="
)

// knownCredential serves the credential of the known answer, strictly.
type knownCredential struct{}

func (knownCredential) Credential(_ context.Context, apiKey string) (sig1.Credential, bool, error) {
	secret, err := base64.StdEncoding.DecodeString(knownSecret)
	return sig1.Credential{Secret: secret, TokenSHA256: sha256.Sum256([]byte("a token"))}, apiKey == knownKey, err
}

func (knownCredential) Admit(context.Context) error { return nil }

func (knownCredential) UseNonce(context.Context, string, string, time.Time) (bool, error) {
	return true, nil
}

// TestSnippets runs the page's snippets: each gives the known answer, and sends
// a request that verifies.
func TestSnippets(t *testing.T) {
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = sig1.Verify(r.Context(), sig1.Request{Method: r.Method, Target: r.RequestURI, Header: r.Header, Body: body}, knownCredential{}, time.Now())
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, "verified "+string(body))
	}))
	defer receiver.Close()
	for name, command := range map[string][]string{
		"shell": {"bash", "docs/snippets/sign.sh"}, "go": {"go", "run", "./docs/snippets/go"},
		"node": {"node", "docs/snippets/sign.mjs"}, "python": {"python3", "docs/snippets/sign.py"},
	} {
		t.Run(name, func(t *testing.T) {
			run := func(args ...string) string {
				c := exec.CommandContext(t.Context(), command[0], append(command[1:len(command):len(command)], args...)...)
				c.Env = append(os.Environ(), "BASE_URL="+receiver.URL, "API_KEY="+knownKey, "SECRET_KEY="+knownSecret, "AUTH_TOKEN=a token")
				out, err := c.CombinedOutput()
				require.NoError(t, err, "%s", out)
				return strings.TrimSpace(string(out))
			}
			require.Equal(t, knownAnswer, run("--signature", knownKey))
			require.Equal(t, `verified {"name":"Amélie"}`, run("business.get", `{"name":"Amélie"}`))
		})
	}
}

// TestTheShellSnippetShowsNoSecret runs it with programs that note the arguments
// that they are given: everybody on a machine can read those.
func TestTheShellSnippetShowsNoSecret(t *testing.T) {
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
		c := exec.CommandContext(t.Context(), "bash", "docs/snippets/sign.sh", "business.get", "{}")
		c.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "BASE_URL="+receiver.URL, "API_KEY="+knownKey,
			"SECRET_KEY="+base64.StdEncoding.EncodeToString(secret), "AUTH_TOKEN=planted-token")
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Equal(t, "planted-token", string(out), name)

		c = exec.CommandContext(t.Context(), "bash", "docs/snippets/sign.sh", "--signature", knownKey)
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

func decoded(t *testing.T, text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	return data
}
