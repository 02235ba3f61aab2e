// Package app assembles programs from their settings: their connections, and what they run.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"requisite/internal/config"
	"requisite/internal/health"
	"requisite/internal/metrics"
	"requisite/internal/rules/engine"
	"requisite/internal/secrets/codec"
	"requisite/internal/secrets/vault"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/schema"
	"requisite/internal/telemetry"
	"requisite/internal/temporalclient"
	"requisite/workflows"
)

// The programs that serve.
const (
	API    = "api"
	Worker = "worker"
)

// Parts are the connections and instruments of a program of the service.
type Parts struct {
	Store     *store.Store
	Temporal  client.Client
	Converter func(workflowID string) converter.DataConverter // of a workflow's payloads
	// Completions reports the results of the runs that the api starts; only the api has it.
	Completions *temporalclient.Completions
	Metrics     *metrics.Metrics
	Spans       *telemetry.Spans

	// Listening is where metrics and probes are answered, empty where they are not.
	Listening config.Listening
	// Ready returns what the program lacks to do its work, or nil. It asks Postgres and
	// Temporal at most once a second.
	Ready health.Check

	namespace string
	program   schema.Program
	stop      []func() // in this order
	serving   atomic.Bool
	wasReady  time.Time // when Store.Ready last found nothing; ask alone uses it
}

// readyAfresh is how often a program that is ready checks everything that it needs of Postgres.
// A slow Postgres is asked little, so that it does not seem to be away.
const readyAfresh = 30 * time.Second

// SetServing says that the program serves. Before and after that, Ready fails.
func (p *Parts) SetServing(is bool) { p.serving.Store(is) }

// ready asks only while the program serves: before and after that, there may be no
// connections.
func (p *Parts) ready(ask health.Check) health.Check {
	asked := health.Cached(ask)
	return func(ctx context.Context) error {
		if !p.serving.Load() {
			return errors.New("the program is starting or stopping")
		}
		return asked(ctx)
	}
}

// ask asks Postgres and Temporal. Its error names no address. It is not called concurrently.
func (p *Parts) ask(ctx context.Context) error {
	var lacks []error
	// Without the namespace Temporal answers, and gives no work.
	_, err := p.Temporal.WorkflowService().DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: p.namespace})
	var missing *serviceerror.NamespaceNotFound
	if errors.As(err, &missing) {
		lacks = append(lacks, fmt.Errorf("no namespace %s at Temporal", p.namespace))
	} else if err != nil {
		lacks = append(lacks, errors.New("no answer from Temporal"))
	}
	return errors.Join(append(lacks, lackOfStore(p.askStore(ctx)))...)
}

func (p *Parts) askStore(ctx context.Context) error {
	began := time.Now()
	if began.Sub(p.wasReady) < readyAfresh {
		err := p.Store.StillReady(ctx)
		if err != nil {
			p.wasReady = time.Time{}
		}
		return err
	}
	err := p.Store.Ready(ctx, p.program)
	if err == nil {
		p.wasReady = began
	}
	return err
}

// OpenStore connects to Postgres. Without a keyset, encrypting and decrypting secrets fail with
// vault.ErrNoKeyset.
func OpenStore(ctx context.Context, s *config.Service, program string, withKeyset bool) (*store.Store, error) {
	return openStore(ctx, s, program, withKeyset, nil, nil)
}

func openStore(ctx context.Context, s *config.Service, program string, withKeyset bool, spans *telemetry.Spans, log *slog.Logger) (*store.Store, error) {
	var keys *vault.Vault
	if withKeyset {
		keyset, err := s.KEK(ctx)
		if err != nil {
			return nil, err
		}
		if keys, err = keyset.Load(ctx); err != nil {
			return nil, err
		}
	}
	database, err := s.Database()
	if err != nil {
		return nil, err
	}
	return store.Open(ctx, database, keys, store.Options{ApplicationName: "requisite-" + program, Tracer: spans.SQL(), Quotas: s.Quotas, Connections: s.Connections, Log: log})
}

// OpenCall connects to what one operation of the API needs, for a command: to Postgres, and to
// Temporal for an operation that waits for a run. Close gives it back.
func OpenCall(ctx context.Context, s *config.Service, program string, withKeyset, waits bool, log *slog.Logger) (_ *Parts, err error) {
	p := &Parts{}
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	if p.Spans, err = telemetry.Open(ctx, program, s.Traces, log); err != nil {
		return nil, err
	}
	if p.Store, err = openStore(ctx, s, program, withKeyset, p.Spans, log); err != nil {
		return nil, err
	}
	if waits {
		p.Temporal, p.Converter, err = dialTemporal(ctx, s, program, log, p)
	}
	return p, err
}

// openFilledStore is OpenStore for programs that serve: the schema must exist, the keyset
// must decrypt its secrets, and the role must fit the program.
func openFilledStore(ctx context.Context, s *config.Service, program string, spans *telemetry.Spans, log *slog.Logger) (*store.Store, error) {
	store, err := openStore(ctx, s, program, true, spans, log)
	if err != nil {
		return nil, err
	}
	err = checkDatabase(ctx, store, s, schema.Program(program), log)
	if err == nil {
		err = store.CheckKeyset(ctx)
	}
	if err != nil {
		store.Close()
		return nil, err
	}
	return store, nil
}

// DialTemporal loads the payload keyset and connects to Temporal.
func DialTemporal(ctx context.Context, s *config.Service, program string, log *slog.Logger) (client.Client, error) {
	c, _, err := dialTemporal(ctx, s, program, log, &Parts{})
	return c, err
}

func dialTemporal(ctx context.Context, s *config.Service, program string, log *slog.Logger, p *Parts) (client.Client, func(workflowID string) converter.DataConverter, error) {
	keyset, err := s.PayloadKeys(ctx)
	if err != nil {
		return nil, nil, err
	}
	keys, err := keyset.Load(ctx)
	if err != nil {
		return nil, nil, err
	}
	interceptors, err := p.Spans.Temporal()
	if err != nil {
		return nil, nil, err
	}
	undecodable := p.Metrics.Undecodable(program)
	c, err := temporalclient.Dial(ctx, temporalclient.Options{
		Address: s.TemporalAddress, Namespace: s.TemporalNamespace, Keys: keys, Logger: log, Program: program,
		Metrics: p.Metrics.Temporal(), Interceptors: interceptors, Completions: p.Completions, Undecodable: undecodable,
	})
	return c, func(workflowID string) converter.DataConverter {
		return converter.WithDataConverterSerializationContext(codec.DataConverter(keys, undecodable),
			converter.WorkflowSerializationContext{Namespace: s.TemporalNamespace, WorkflowID: workflowID})
	}, err
}

// Open connects to everything; Close gives it back.
func Open(ctx context.Context, s *config.Service, program string, log *slog.Logger) (_ *Parts, err error) {
	p := &Parts{Metrics: metrics.New(), namespace: s.TemporalNamespace, program: schema.Program(program)}
	p.Ready = p.ready(p.ask)
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	// Probes are answered while the program connects.
	if err := p.listen(ctx, s, log); err != nil {
		return nil, err
	}
	if p.Spans, err = telemetry.Open(ctx, program, s.Traces, log); err != nil {
		return nil, err
	}
	if p.Store, err = openFilledStore(ctx, s, program, p.Spans, log); err != nil {
		return nil, err
	}
	p.Metrics.Register(metrics.NewStoreCollector(p.Store, program == Worker))
	if err := p.measureClientCertificates(s); err != nil {
		return nil, err
	}
	if shared := p.Store.Shared(); shared != nil {
		p.Metrics.Register(metrics.NewLimiterCollector(shared))
	}
	if program == API {
		p.Completions = temporalclient.NewCompletions(workflows.CommittingActivities()...)
	}
	if p.Temporal, p.Converter, err = dialTemporal(ctx, s, program, log, p); err != nil {
		return nil, err
	}
	return p, nil
}

// measureClientCertificates measures when the client certificates expire that the program
// has just read.
func (p *Parts) measureClientCertificates(s *config.Service) error {
	database, err := s.Database()
	if err != nil {
		return err
	}
	if end, ok := db.ClientCertificateEnd(database); ok {
		p.Metrics.Register(metrics.NewCertificateCollector(metrics.CertificatePostgres, func() time.Time { return end }))
	}
	if end, ok := temporalclient.ClientCertificateEnd(); ok {
		p.Metrics.Register(metrics.NewCertificateCollector(metrics.CertificateTemporal, func() time.Time { return end }))
	}
	return nil
}

// listen serves metrics and answers probes.
func (p *Parts) listen(ctx context.Context, s *config.Service, log *slog.Logger) error {
	p.Metrics.Register(metrics.NewHealthCollector(p.Ready))
	listening, stop, err := Listen(ctx, s, p.Metrics, p.Ready, log)
	if err != nil {
		return err
	}
	p.Listening, p.stop = listening, append(p.stop, stop)
	return nil
}

// Listen serves metrics and probes at the addresses of the settings, until stop is called.
func Listen(ctx context.Context, s *config.Service, m *metrics.Metrics, ready health.Check, log *slog.Logger) (listening config.Listening, stop func(), err error) {
	address, stopMetrics, err := health.Serve(ctx, "metrics", "metrics-listen", s.MetricsListen, m.Handler(ready, log), log)
	if err != nil {
		return listening, nil, err
	}
	listening.MetricsAddress = address
	probes := http.NewServeMux()
	health.Handle(probes, ready)
	address, stopProbes, err := health.Serve(ctx, "health checks", "health-listen", s.HealthListen, probes, log)
	if err != nil {
		stopMetrics()
		return listening, nil, err
	}
	listening.HealthAddress = address
	return listening, func() { stopMetrics(); stopProbes() }, nil
}

// Close closes the connections, and sends the last spans.
func (p *Parts) Close() {
	for _, stop := range p.stop {
		stop()
	}
	if p.Temporal != nil {
		p.Temporal.Close()
	}
	if p.Store != nil {
		p.Store.Close()
	}
	if p.Spans != nil {
		p.Spans.Close()
	}
}

// Rules makes the engine of the rules in the store, and registers its metrics.
func (p *Parts) Rules(cacheBytes int64) *engine.Engine {
	made := engine.New(p.Store, cacheBytes)
	p.Metrics.Register(metrics.NewRuleCacheCollector(made.CacheBytes))
	p.Metrics.Register(metrics.NewLimiterCollector(made.Limiters()...))
	return made
}
