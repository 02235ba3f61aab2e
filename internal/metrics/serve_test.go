package metrics

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// served asks for a path of a metrics server whose health is as given.
func served(m *Metrics, path string, health error) (int, string) {
	w := httptest.NewRecorder()
	m.Handler(func(context.Context) error { return health }, nil, slog.New(slog.DiscardHandler)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Code, w.Body.String()
}

func scrape(t *testing.T, m *Metrics) string {
	status, text := served(m, "/metrics", nil)
	require.Equal(t, 200, status)
	return text
}

func TestServe_AnswersProbes(t *testing.T) {
	for path, want := range map[string]int{"/livez": 200, "/readyz": 503, "/healthz": 503} {
		status, _ := served(New(), path, errors.New("no answer from Postgres"))
		require.Equal(t, want, status, path)
	}
}

func TestServe_OtherPathsAreNotFound(t *testing.T) {
	for _, path := range []string{"/", "/debug/pprof/", "/debug/pprof/profile", "/debug/vars", "/debug/requests", "/metrics/", "/healthz/more", "/livez/more", "/config", "/quit"} {
		status, _ := served(New(), path, nil)
		require.Equal(t, 404, status, path)
	}
}

func TestHealth_HasAMetric(t *testing.T) {
	for want, health := range map[string]error{"requisite_healthy 1\n": nil, "requisite_healthy 0\n": errors.New("no answer from Temporal")} {
		m := New()
		m.Register(NewHealthCollector(func(context.Context) error { return health }))
		require.Contains(t, scrape(t, m), want)
	}
}

func TestBuild_HasAMetric(t *testing.T) {
	for _, m := range []*Metrics{New(), NewProcess()} {
		text := scrape(t, m)
		require.Regexp(t, `(?m)^requisite_build_info\{go_version="go1\.[^"]+",revision="[^"]+",version="[^"]+"\} 1$`, text)
		require.Contains(t, text, "\nprocess_start_time_seconds ")
	}
	require.NotContains(t, scrape(t, NewProcess()), "requisite_http")
}
