// Package health answers probes. /livez says only that the process runs and
// answers, so that a supervisor restarts nothing because Postgres or Temporal is
// unavailable. /readyz says whether the process can do its work.
package health

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Patience is the timeout of one check.
const Patience = 2 * time.Second

// life is how long the result of a check is reused, so that probes and strangers
// cannot load Postgres and Temporal.
const life = time.Second

// Check says what a program lacks to do its work; nil when it lacks nothing. Its
// errors are shown to whoever asks: they contain no addresses and no secrets.
type Check func(context.Context) error

// Cached runs a check at most once in a second, for Patience at most, and one at a
// time: callers wait for the one that runs. A caller that goes away ends nothing.
func Cached(check Check) Check {
	turn := make(chan struct{}, 1)
	var checked time.Time
	var result error
	return func(ctx context.Context) error {
		turn <- struct{}{}
		defer func() { <-turn }()
		if checked.IsZero() || time.Since(checked) >= life {
			within, cancel := context.WithTimeout(context.WithoutCancel(ctx), Patience)
			defer cancel()
			result = check(within)
			checked = time.Now()
		}
		return result
	}
}

// Handle adds /livez and /readyz. /healthz is another name of /readyz.
func Handle(mux *http.ServeMux, ready Check) {
	mux.HandleFunc("GET /livez", Live)
	mux.HandleFunc("GET /readyz", Ready(ready))
	mux.HandleFunc("GET /healthz", Ready(ready))
}

// Live answers that the process runs.
func Live(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprintln(w, "ok")
}

// Ready answers 200 when the check finds nothing wrong, and otherwise 503 with the
// reason.
func Ready(check Check) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if err := check(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	}
}

// Serve serves a handler for operators and machines, on an address of its own,
// until stop is called. With an empty address it does nothing. listening is the
// address with the actual port, for port 0. what is served is for the log and for
// errors, and setting is the flag that says where.
func Serve(ctx context.Context, what, setting, address string, handler http.Handler, log *slog.Logger) (listening string, stop func(), err error) {
	if address == "" {
		return "", func() {}, nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return "", nil, fmt.Errorf("listen for %s on %s: %w; --%s names another address", what, address, err, setting)
	}
	server := &http.Server{
		Handler:           handler,
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
			log.Error(what+" is no longer served", "error", err)
		}
	}()
	log.Info("serving "+what, "address", listener.Addr().String())
	return listener.Addr().String(), func() {
		_ = server.Close()
		<-ended
	}, nil
}
