// Package health answers probes. /livez says that the process runs: a supervisor must not
// restart it because Postgres or Temporal is unavailable. /readyz says whether the
// process can do its work.
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

// life is how long a result is reused, so that frequent requests do not load Postgres and
// Temporal.
const life = time.Second

// Check returns what a program lacks to do its work, or nil. Anyone may read its errors,
// so they contain no addresses and no secrets.
type Check func(context.Context) error

// Cached runs a check at most once a second, and for at most Patience. Concurrent callers
// wait for the same check. It does not end when its caller goes away.
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

// Fact is what a program that is ready says about itself. Anyone may read it, so it is no secret.
type Fact struct{ Name, Value string }

// About returns the facts about a program. It is called only while the program is ready.
type About func() []Fact

// Handle adds /livez and /readyz. /healthz is another name of /readyz.
func Handle(mux *http.ServeMux, ready Check, about About) {
	mux.HandleFunc("GET /livez", Live)
	mux.HandleFunc("GET /readyz", Ready(ready, about))
	mux.HandleFunc("GET /healthz", Ready(ready, about))
}

// Live answers that the process runs.
func Live(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprintln(w, "ok")
}

// Ready answers 200 with the facts if the check succeeds, and otherwise 503 with the reason. about may be nil.
func Ready(check Check, about About) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if err := check(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
		if about == nil {
			return
		}
		for _, f := range about() {
			fmt.Fprintf(w, "%s: %s\n", f.Name, f.Value)
		}
	}
}

// Serve serves a handler on its own address until stop is called. With an empty address
// it does nothing. listening is the address with the actual port. The log and errors name
// what is served, and errors name the flag of the address, setting.
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
