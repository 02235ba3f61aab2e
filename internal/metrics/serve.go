package metrics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// healthPatience is the timeout of a health check.
const healthPatience = 2 * time.Second

// Serve answers only GET /metrics and GET /healthz, on a separate address, until
// stop is called, which waits for requests in progress. With an empty address it
// does nothing. listening is the address with the actual port, for port 0.
// /healthz is 200 when health finds nothing wrong, and otherwise 503 with the
// reason.
func (m *Metrics) Serve(ctx context.Context, address string, health func(context.Context) error, log *slog.Logger) (listening string, stop func(), err error) {
	if address == "" {
		return "", func() {}, nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return "", nil, fmt.Errorf("listen for metrics on %s: %w", address, err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) { answerHealth(w, r, health) })
	server := &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       5 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("metrics are no longer served", "error", err)
		}
	}()
	log.Info("serving metrics", "address", listener.Addr().String())
	return listener.Addr().String(), func() {
		_ = server.Close()
		<-ended
	}, nil
}

func answerHealth(w http.ResponseWriter, r *http.Request, health func(context.Context) error) {
	ctx, cancel := context.WithTimeout(r.Context(), healthPatience)
	defer cancel()
	w.Header().Set("Cache-Control", "no-store")
	if err := health(ctx); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}
