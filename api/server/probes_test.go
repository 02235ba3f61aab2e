package server

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProbes_TellReadinessWithoutReasons, because anybody can call the public port.
func TestProbes_TellReadinessWithoutReasons(t *testing.T) {
	lacks := errors.New("no namespace requisite at Temporal")
	s := testServer(func(set *Settings) { set.Ready = func(context.Context) error { return lacks } })
	ask := func(method, path string) (int, string) {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(method, path, nil))
		text, err := io.ReadAll(w.Result().Body)
		require.NoError(t, err)
		require.NotContains(t, string(text), "Temporal")
		return w.Code, strings.TrimSpace(string(text))
	}
	status, text := ask(http.MethodGet, "/livez")
	require.Equal(t, 200, status)
	require.Equal(t, "ok", text)
	status, text = ask(http.MethodGet, "/readyz")
	require.Equal(t, 503, status)
	require.Equal(t, "not ready", text)
	status, text = ask(http.MethodGet, "/healthz")
	require.Equal(t, 503, status)
	require.Contains(t, text, `"code":"UNAVAILABLE"`)
	lacks = nil
	for path, want := range map[string]string{"/livez": "ok", "/readyz": "ok", "/healthz": `"status":"SUCCESS"`} {
		status, text = ask(http.MethodGet, path)
		require.Equal(t, 200, status, path)
		require.Contains(t, text, want, path)
	}
	for _, path := range []string{"/livez", "/readyz"} {
		status, text = ask(http.MethodPost, path)
		require.Equal(t, 404, status, path)
		require.Contains(t, text, "UNKNOWN_OPERATION", path)
	}
}

// TestPublicPort_ServesNoMetricsAndNoDebugPages tries the usual paths of such pages.
func TestPublicPort_ServesNoMetricsAndNoDebugPages(t *testing.T) {
	s := testServer()
	for _, path := range []string{
		"/metrics", "/metrics/", "/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/profile?seconds=1", "/debug/vars", "/debug/requests", "/debug/events",
		"/healthz/", "/healthz/live", "/livez/", "/readyz/more", "/openapi.json/", "/docs/secret", "/docs/../main.go", "/.env", "/config", "/status", "//metrics", "/%6detrics",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodHead, http.MethodOptions, http.MethodTrace, "PRI"} {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest(method, path, nil))
			require.Equal(t, 404, w.Code, method+" "+path)
			require.Contains(t, w.Body.String(), "UNKNOWN_OPERATION", method+" "+path)
		}
	}
}
