package metrics

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// served asks for a path of a metrics server whose health is as given.
func served(t *testing.T, m *Metrics, path string, health error) (int, string) {
	address, stop, err := m.Serve(t.Context(), "127.0.0.1:0", func(context.Context) error { return health }, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer stop()
	response, err := http.Get("http://" + address + path)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(text)
}

func scrape(t *testing.T, m *Metrics) string {
	status, text := served(t, m, "/metrics", nil)
	require.Equal(t, 200, status)
	return text
}

func TestHealthSaysWhatIsLacking(t *testing.T) {
	status, text := served(t, New(), "/healthz", nil)
	require.Equal(t, 200, status)
	require.Equal(t, "ok\n", text)
	status, text = served(t, New(), "/healthz", errors.New("no answer from Postgres"))
	require.Equal(t, 503, status)
	require.Equal(t, "no answer from Postgres\n", text)
}

func TestNothingButMetricsAndHealthIsServed(t *testing.T) {
	for _, path := range []string{"/", "/debug/pprof/", "/debug/pprof/profile", "/debug/vars", "/debug/requests", "/metrics/", "/healthz/more", "/config", "/quit"} {
		status, _ := served(t, New(), path, nil)
		require.Equal(t, 404, status, path)
	}
}

func TestHealthIsMeasured(t *testing.T) {
	for want, health := range map[string]error{"requisite_healthy 1\n": nil, "requisite_healthy 0\n": errors.New("no answer from Temporal")} {
		m := New()
		m.Register(NewHealthCollector(func(context.Context) error { return health }))
		require.Contains(t, scrape(t, m), want)
	}
}
