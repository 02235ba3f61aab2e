// Package command is the program api, the HTTP server of Requisite. It verifies and decodes signed requests,
// reads and writes records, and starts Temporal runs and waits for them.
package command

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"time"
	_ "time/tzdata" // accounts have time zones, wherever the program runs

	"github.com/spf13/cobra"

	"requisite/activities"
	"requisite/api/limits"
	"requisite/api/server"
	"requisite/app"
	"requisite/internal/config"
	"requisite/internal/metrics"
	"requisite/internal/telemetry"
	"requisite/internal/temporalclient"
	"requisite/internal/webhooks/webhook"
	"requisite/workflows"
)

// Main runs the program, and ends the process.
func Main() { config.Main(command()) }

type options struct {
	config.Service
	webhooks  config.Webhooks
	listen    string
	patience  time.Duration
	bounds    limits.Bounds
	rateLimit float64
	tlsCert   string
	tlsKey    string
	drain     time.Duration
	tryIt     bool

	// check sets these.
	guard       *webhook.Guard
	certificate *limits.Certificate // nil serves plain HTTP
}

func command() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:           "api",
		Short:         "Serve the signed HTTP API",
		Long:          "Serve the signed HTTP API of Requisite.\n\n" + config.Help(),
		Version:       telemetry.ThisBuild().String(),
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		PreRunE:       config.Ready(o.check),
		RunE:          func(c *cobra.Command, _ []string) error { return run(c.Context(), &o) },
	}
	f := c.Flags()
	c.SetFlagErrorFunc(config.ExplainFlag)
	o.Bind(f)
	o.webhooks.Bind(f)
	config.String(f, &o.listen, "listen", "REQUISITE_LISTEN", "127.0.0.1:8080", "address to listen on")
	config.String(f, &o.tlsCert, "tls-cert-file", "REQUISITE_TLS_CERT_FILE", "", "certificate chain in PEM, to serve HTTPS; read again when it changes")
	config.String(f, &o.tlsKey, "tls-key-file", "REQUISITE_TLS_KEY_FILE", "", "private key of the certificate, in PEM")
	f.DurationVar(&o.patience, "patience", 25*time.Second, "how long a request waits for its run before 504 STILL_RUNNING")
	config.Env(f, "patience", "REQUISITE_PATIENCE")
	f.IntVar(&o.bounds.Waiting, "max-waiting", 500, "requests that may wait for runs at once; a Temporal frontend allows 1,200 per namespace")
	config.Env(f, "max-waiting", "REQUISITE_MAX_WAITING")
	f.IntVar(&o.bounds.Requests, "max-requests", 40, "requests served at once, without those that wait for runs; further ones wait for up to two seconds")
	config.Env(f, "max-requests", "REQUISITE_MAX_REQUESTS")
	config.BindShare(f, &o.bounds.Share)
	config.BindQuotas(f, &o.Quotas)
	config.BindConnections(f, &o.Connections)
	f.Float64Var(&o.rateLimit, "rate-limit", 0, "requests per second that one credential may send to this process, with bursts of twice as many; 0 means no limit")
	config.Env(f, "rate-limit", "REQUISITE_RATE_LIMIT")
	f.DurationVar(&o.drain, "drain", 3*time.Second,
		"how long to go on serving after a signal to stop, "+
			"while /readyz and /healthz answer 503 so that a load balancer sends no more requests; "+
			"then requests in progress have --patience and 5 seconds more")
	config.Env(f, "drain", "REQUISITE_DRAIN")
	f.BoolVar(&o.tryIt, "try-it", false, "add a form to /docs that signs requests in the browser and sends them, for credentials of the sandbox; for development")
	config.Env(f, "try-it", "REQUISITE_TRY_IT")
	c.AddCommand(openAPICommand())
	return c
}

// check reports all problems of the settings together.
func (o *options) check() error {
	problems := []error{
		o.Check(),
		config.Required(o.listen, "listen", "REQUISITE_LISTEN"),
		config.Address(o.listen, "listen"),
		config.Apart(o.listen, "listen", o.MetricsListen, "metrics-listen"),
		config.Apart(o.listen, "listen", o.HealthListen, "health-listen"),
	}
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if o.patience <= 0 {
		add("--patience must be positive, not %s", o.patience)
	}
	if o.bounds.Waiting < 1 {
		add("--max-waiting must be positive, not %d", o.bounds.Waiting)
	}
	if o.bounds.Requests < 1 {
		add("--max-requests must be positive, not %d", o.bounds.Requests)
	}
	problems = append(problems, config.CheckShare(o.bounds.Share), config.CheckConnections(o.Connections))
	if o.rateLimit < 0 || math.IsNaN(o.rateLimit) || math.IsInf(o.rateLimit, 0) {
		add("--rate-limit must be a number of requests a second, or 0 for no limit, not %v", o.rateLimit)
	}
	if o.drain < 0 {
		add("--drain must be 0s or more, not %s", o.drain)
	}
	var err error
	o.guard, err = o.webhooks.Guard()
	problems = append(problems, err)
	o.certificate, err = limits.OpenCertificate(o.tlsCert, o.tlsKey)
	return errors.Join(append(problems, err)...)
}

func run(ctx context.Context, o *options) error {
	ctx, cancel := o.Lifetime(ctx)
	defer cancel()
	log := o.Logger("api")
	slog.SetDefault(log) // for libraries
	o.Connections.Each = config.Each(int(o.Connections.Max), o.bounds.Share)
	o.LogStart(log)
	o.webhooks.Warn(log)
	deps, err := app.Open(ctx, &o.Service, app.API, log)
	if err != nil {
		return err
	}
	defer deps.Close()
	if err := warnOfMinimal(ctx, deps, log); err != nil {
		return err
	}
	rules := deps.Rules(config.RuleCache())
	// Temporal hands the first task of a run to a worker on the client that starts the
	// run. This saves a call. Without this worker the worker program does the same work.
	w := workflows.NewWorker(deps.Temporal, temporalclient.Sync, activities.New(deps.Store, rules), func(err error) {
		log.Error("the worker in this api has stopped; the worker program takes over its work", "error", err)
	})
	if err := w.Start(); err != nil {
		return fmt.Errorf("start the worker in this api: %w", err)
	}
	defer w.Stop()
	o.bounds.Authentications = int(o.Connections.Apart) - 1 // one is left for /readyz, which needs another for a moment
	handler := server.New(deps.Store, rules, deps.Temporal, deps.Converter, log, time.Now, server.Settings{
		Patience: o.patience, Bounds: o.bounds, RateLimit: o.rateLimit, MaxBodies: config.PartOfMemory(8, 4*limits.LargestBody, 64<<20), Guard: o.guard,
		Metrics: deps.Metrics, Spans: deps.Spans, Completions: deps.Completions, TryIt: o.tryIt, Ready: deps.Ready,
	})
	deps.Metrics.Register(metrics.NewLimiterCollector(handler.Limiters.All()...))
	if o.certificate != nil {
		deps.Metrics.Register(metrics.NewCertificateCollector(metrics.CertificateAPI, o.certificate.End))
	}
	deps.SetServing(true)
	return serve(ctx, o, handler, deps, func() { deps.SetServing(false) }, log)
}

// mostConnections limits open connections. Each takes tens of KiB of memory, and a caller
// needs no credential to open one. Further connections wait until one is closed.
const mostConnections = 2048

// answerGrace is how long a response may take after the patience of its request ends.
const answerGrace = 5 * time.Second

// serve answers requests until ctx ends. Then /readyz answers 503, and the server stops
// after the drain, when it has answered the requests in progress.
func serve(ctx context.Context, o *options, handler http.Handler, deps *app.Dependencies, draining func(), log *slog.Logger) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", o.listen, err)
	}
	limited := limits.LimitConnections(listener, mostConnections)
	deps.Metrics.Register(metrics.NewLimiterCollector(limited.All, limited.Verified))
	listener = limited
	if o.certificate != nil {
		listener = tls.NewListener(listener, o.certificate.Config(log))
	}
	httpServer := limits.NewHTTPServer(handler, o.patience, log)
	ended := make(chan error, 1)
	go func() { ended <- httpServer.Serve(listener) }()
	log.Info("serving", "address", listener.Addr().String(), "tls", o.certificate != nil)
	if o.Child {
		listening := deps.Listening
		listening.Address = listener.Addr().String()
		if err := listening.Announce(os.Stdout); err != nil {
			return errors.Join(err, httpServer.Close())
		}
	}
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	log.Info("stopping after the drain and the requests in progress", "drain", o.drain.String())
	draining()
	time.Sleep(o.drain)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.patience+answerGrace)
	defer cancel()
	if err := httpServer.Shutdown(grace); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	return nil
}

// warnOfMinimal logs each credential whose signatures cover only the API key.
func warnOfMinimal(ctx context.Context, deps *app.Dependencies, log *slog.Logger) error {
	found, err := deps.Store.Credentials.Minimal(ctx)
	if err != nil {
		return fmt.Errorf("list minimal credentials: %w", err)
	}
	for _, c := range found {
		log.Warn("a credential accepts a signature over its API key alone: anyone who sees one request can send others",
			"api_key", c.APIKey, "name", c.Name, "environment", c.Environment)
	}
	return nil
}
