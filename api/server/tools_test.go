//go:build deep

package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/requests/sig1"
	"requisite/internal/testkit/needs"
)

// needsTools skips a test without Node.js or the packages of check/.
func needsTools(t *testing.T) {
	t.Helper()
	needs.Program(t, "node", "install Node.js 22 or newer")
	needs.File(t, "../check/node_modules", "npm ci --ignore-scripts --prefix api/check")
}

// TestOpenAPI_SatisfiesRedocly: its recommended rules give no warning, and every example matches its schema.
func TestOpenAPI_SatisfiesRedocly(t *testing.T) {
	needsTools(t)
	description := filepath.Join(t.TempDir(), "openapi.json")
	require.NoError(t, os.WriteFile(description, fetch(t, "/openapi.json").Body.Bytes(), 0o600))
	out, err := exec.CommandContext(t.Context(), "../check/lint.sh", description).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestGenerators_MakeClientsThatCompile from the description, under the strict compiler.
func TestGenerators_MakeClientsThatCompile(t *testing.T) {
	needs.Program(t, "node", "install Node.js 22 or newer")
	needs.File(t, "../check/generators/node_modules", "npm ci --ignore-scripts --prefix api/check/generators")
	dir := t.TempDir()
	description := filepath.Join(dir, "openapi.json")
	require.NoError(t, os.WriteFile(description, fetch(t, "/openapi.json").Body.Bytes(), 0o600))
	out, err := exec.CommandContext(t.Context(), "../check/generators/run.sh", description, dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestDocsPages_WorkInABrowser opens every page in Chromium, with and without JavaScript;
// check/page.mjs says which at what widths and in which colors.
func TestDocsPages_WorkInABrowser(t *testing.T) {
	needsTools(t)
	if os.Getenv("CHROMIUM") == "" && !slices.ContainsFunc([]string{"chromium", "chromium-browser", "google-chrome"}, func(name string) bool {
		_, err := os.Stat("/usr/bin/" + name)
		return err == nil
	}) {
		needs.Lacking(t, "there is no Chromium: apt-get install chromium, or set CHROMIUM to where it is")
	}
	s := testServer()
	s.api.TryIt = true
	var signed atomic.Int64
	called := verified(func(w http.ResponseWriter, r *http.Request, _ string) {
		signed.Add(1)
		data := `{"workflow_id":"w_own"}`
		if r.URL.Path == "/account.list" {
			data = `{"accounts":[{"account_id":"sb_newer"},{"account_id":"sb_own"}]}`
		}
		_, _ = io.WriteString(w, `{"verified":"`+r.Header.Get(sig1.HeaderIdempotencyKey)+`","data":`+data+`}`)
	})
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			s.ServeHTTP(w, r)
			return
		}
		called(w, r)
	}))
	defer service.Close()
	c := exec.CommandContext(t.Context(), "node", "../check/page.mjs", service.URL)
	c.Env = append(os.Environ(), "API_KEY="+knownKey, "SECRET_KEY="+knownSecret, "AUTH_TOKEN=a-token")
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.EqualValues(t, 3, signed.Load(), "the form sends requests that verify")
}

// verified verifies requests with the known credential, and passes them to answer.
func verified(answer func(w http.ResponseWriter, r *http.Request, body string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = sig1.Verify(r.Context(), sig1.Request{Method: r.Method, Target: r.RequestURI, Header: r.Header, Body: body}, knownCredential{}, time.Now())
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		answer(w, r, string(body))
	}
}
