// Command api is the HTTP server of Requisite: it verifies and decodes signed
// requests, starts runs and waits for them, reads, and answers.
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // accounts have time zones, wherever the program runs

	"github.com/spf13/cobra"

	"requisite/activities"
	"requisite/internal/config"
	"requisite/internal/temporalclient"
	"requisite/workflows"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "api:", err)
		os.Exit(1)
	}
}

type options struct {
	config.Service
	webhooks      config.Webhooks
	listen        string
	patience      time.Duration
	maxWaiting    int
	rateLimit     float64
	tlsCert       string
	tlsKey        string
	drain         time.Duration
	shutdownGrace time.Duration
}

func command() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:           "api",
		Short:         "Serve the signed HTTP API",
		Long:          "Serve the signed HTTP API of Requisite.\n\nEvery setting is a flag or an environment variable; the flag comes first.",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		PreRunE:       config.Load,
		RunE:          func(c *cobra.Command, _ []string) error { return run(c.Context(), &o) },
	}
	f := c.Flags()
	o.Bind(f)
	o.webhooks.Bind(f)
	config.String(f, &o.listen, "listen", "REQUISITE_LISTEN", "127.0.0.1:8080", "address to listen on")
	config.String(f, &o.tlsCert, "tls-cert-file", "REQUISITE_TLS_CERT_FILE", "", "certificate chain in PEM, to serve HTTPS; read again when it changes")
	config.String(f, &o.tlsKey, "tls-key-file", "REQUISITE_TLS_KEY_FILE", "", "private key of the certificate, in PEM")
	f.DurationVar(&o.patience, "patience", 25*time.Second, "how long a request waits for its run before 504 STILL_RUNNING")
	config.Env(f, "patience", "REQUISITE_PATIENCE")
	f.IntVar(&o.maxWaiting, "max-waiting", 500, "requests that may wait on runs at once; a Temporal frontend allows 1,200 in a namespace")
	config.Env(f, "max-waiting", "REQUISITE_MAX_WAITING")
	f.Float64Var(&o.rateLimit, "rate-limit", 0, "requests a second that one credential may send to this process, with bursts of twice as many; 0 is no limit")
	config.Env(f, "rate-limit", "REQUISITE_RATE_LIMIT")
	f.DurationVar(&o.drain, "drain", 3*time.Second, "how long to go on serving after a signal to stop, while /healthz says 503 so that a load balancer sends no more")
	config.Env(f, "drain", "REQUISITE_DRAIN")
	f.DurationVar(&o.shutdownGrace, "shutdown-grace", 30*time.Second, "how long requests in hand may take after a signal to stop")
	config.Env(f, "shutdown-grace", "REQUISITE_SHUTDOWN_GRACE")
	return c
}

func (o *options) check() error {
	err := o.Check()
	if o.patience <= 0 || o.maxWaiting <= 0 || o.shutdownGrace <= 0 {
		err = errors.Join(err, errors.New("--patience, --max-waiting and --shutdown-grace must be positive"))
	}
	if o.drain < 0 {
		err = errors.Join(err, errors.New("--drain must not be negative"))
	}
	if o.rateLimit < 0 {
		err = errors.Join(err, errors.New("--rate-limit must not be negative"))
	}
	return err
}

func run(ctx context.Context, o *options) error {
	guard, err := o.webhooks.Guard()
	secure, tlsErr := tlsConfig(o.tlsCert, o.tlsKey)
	if err := errors.Join(o.check(), err, tlsErr); err != nil {
		return err
	}
	ctx, cancel := o.Lifetime(ctx)
	defer cancel()
	log := o.Logger("api")
	log.Info("starting", "settings", &o.Service, "listen", o.listen, "patience", o.patience.String(), "max_waiting", o.maxWaiting)
	parts, err := o.Open(ctx, "api", log)
	if err != nil {
		return err
	}
	defer parts.Close()
	if err := warnOfMinimal(ctx, parts, log); err != nil {
		return err
	}
	acts, err := activities.New(parts.Store)
	if err != nil {
		return err
	}
	// A worker on the same client gets the first task of a run with the answer
	// to its start. Without it the worker program does the same work.
	w := workflows.NewWorker(parts.Temporal, temporalclient.Sync, acts)
	if err := w.Start(); err != nil {
		return fmt.Errorf("start the api's own worker: %w", err)
	}
	defer w.Stop()
	handler, err := newServer(parts.Store, acts, parts.Temporal, parts.Converter, log, time.Now, settings{patience: o.patience, maxWaiting: o.maxWaiting, rateLimit: o.rateLimit, guard: guard, metrics: parts.Metrics, spans: parts.Spans})
	if err != nil {
		return err
	}
	return serve(ctx, o, handler, secure, log)
}

// serve answers until ctx ends. Then it says so at /healthz, goes on for a while,
// and stops when the requests in hand are answered.
func serve(ctx context.Context, o *options, handler *server, secure *tls.Config, log *slog.Logger) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", o.listen, err)
	}
	if secure != nil {
		listener = tls.NewListener(listener, secure)
	}
	httpServer := &http.Server{
		TLSConfig:         secure,
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      o.patience + 15*time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- httpServer.Serve(listener) }()
	log.Info("serving", "address", listener.Addr().String(), "tls", secure != nil)
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	log.Info("stopping: requests in hand are answered first", "drain", o.drain.String())
	handler.draining.Store(true)
	time.Sleep(o.drain)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.shutdownGrace)
	defer cancel()
	if err := httpServer.Shutdown(grace); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	return nil
}

// warnOfMinimal names the credentials whose requests are not signed in full.
func warnOfMinimal(ctx context.Context, parts *config.Parts, log *slog.Logger) error {
	found, err := parts.Store.MinimalCredentials(ctx)
	if err != nil {
		return fmt.Errorf("list minimal credentials: %w", err)
	}
	for _, c := range found {
		log.Warn("a credential accepts a signature over its API key alone: anyone who sees one request can send others",
			"api_key", c.APIKey, "name", c.Name, "environment", c.Environment)
	}
	return nil
}
