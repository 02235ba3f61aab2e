package metrics

import (
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"requisite/internal/health"
)

// Handler answers only GET /metrics and the probes of package health.
func (m *Metrics) Handler(ready health.Check, about health.About, log *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}))
	health.Handle(mux, ready, about)
	return mux
}
