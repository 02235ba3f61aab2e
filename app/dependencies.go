// Package app assembles programs from their settings: their connections, and what they run.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

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

// Dependencies are the connections and instruments of a program of the service.
type Dependencies struct {
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

	facts     []health.Fact // complete before the program serves
	namespace string
	program   schema.Program
	stop      []func() // in this order
	serving   atomic.Bool
	wasReady  time.Time // when the whole check last found nothing; only check uses it
}

// readyAfresh is how often a program that is ready checks everything that it needs of Postgres and of
// Temporal's namespace. A slow Postgres is asked little, so that it does not seem to be away.
const readyAfresh = 30 * time.Second

// SetServing says that the program serves. Before and after that, Ready fails.
func (d *Dependencies) SetServing(is bool) { d.serving.Store(is) }

// about is what the program says about itself while it is ready.
func (d *Dependencies) about() []health.Fact { return d.facts }

// reportKey reports the key with which the program encrypts, in the metrics and to whoever asks for its health.
func (d *Dependencies) reportKey(keyset string, keys *vault.Vault) {
	d.facts = append(d.facts, KeyFact(keyset, keys))
	d.Metrics.Register(metrics.NewKeyCollector(keyset, keys.PrimaryID()))
}

// FactProgram is the name of the fact that says which program answers.
const FactProgram = "program"

// KeyFactName is the name of the fact of a keyset.
func KeyFactName(keyset string) string { return "key of " + keyset }

// KeyFact says which keys the program has: first the one that encrypts, then the others.
func KeyFact(keyset string, keys *vault.Vault) health.Fact {
	ids := keys.KeyIDs()
	said := make([]string, len(ids))
	for k, id := range ids {
		said[k] = fmt.Sprint(id)
	}
	return health.Fact{Name: KeyFactName(keyset), Value: strings.Join(said, keySeparator)}
}

const keySeparator = ", "

// KeysOfFact reads the value of a KeyFact.
func KeysOfFact(value string) (ids []string) { return strings.Split(value, keySeparator) }

// ready checks only while the program serves: before and after that, there may be no
// connections.
func (d *Dependencies) ready(check health.Check) health.Check {
	cached := health.Cached(check)
	return func(ctx context.Context) error {
		if !d.serving.Load() {
			return errors.New("the program is starting or stopping")
		}
		return cached(ctx)
	}
}

// check asks Postgres and Temporal. Its error names no address. It is not called concurrently.
func (d *Dependencies) check(ctx context.Context) error {
	began := time.Now()
	whole := began.Sub(d.wasReady) >= readyAfresh
	ofStore := make(chan error, 1) // at the same time: if one does not answer, no time would be left for the other
	go func() { ofStore <- d.checkStore(ctx, whole) }()
	ofTemporal := temporalclient.CheckNamespace(ctx, d.Temporal, d.namespace, whole)
	err := errors.Join(lackOfTemporal(ofTemporal), lackOfStore(<-ofStore))
	switch {
	case err != nil:
		d.wasReady = time.Time{}
	case whole:
		d.wasReady = began
	}
	return err
}

func (d *Dependencies) checkStore(ctx context.Context, whole bool) error {
	if whole {
		return d.Store.Database.Ready(ctx, d.program)
	}
	return d.Store.Database.StillReady(ctx)
}

// lackOfTemporal is the error of a namespace's check without addresses.
func lackOfTemporal(err error) error {
	var lack temporalclient.Lack
	switch {
	case err == nil:
		return nil
	case errors.As(err, &lack):
		return lack
	}
	return errors.New("no answer from Temporal")
}

// OpenStore connects to Postgres. Without a keyset, encrypting and decrypting secrets fail with
// vault.ErrNoKeyset.
func OpenStore(ctx context.Context, s *config.Service, program string, withKeyset bool) (*store.Store, error) {
	keys, err := loadKEK(ctx, s, withKeyset)
	if err != nil {
		return nil, err
	}
	return openStore(ctx, s, program, keys, nil, nil)
}

// loadKEK loads the keyset that seals secrets in the database, or none.
func loadKEK(ctx context.Context, s *config.Service, with bool) (*vault.Vault, error) {
	if !with {
		return nil, nil
	}
	keyset, err := s.KEK(ctx)
	if err != nil {
		return nil, err
	}
	return keyset.Load(ctx)
}

func openStore(ctx context.Context, s *config.Service, program string, keys *vault.Vault, spans *telemetry.Spans, log *slog.Logger) (*store.Store, error) {
	database, err := s.Database()
	if err != nil {
		return nil, err
	}
	return store.Open(ctx, database, keys, store.Options{ApplicationName: "requisite-" + program, Tracer: spans.SQL(), Quotas: s.Quotas, Connections: s.Connections, Log: log})
}

// OpenCall connects to what one operation of the API needs, for a command: to Postgres, and to
// Temporal for an operation that waits for a run. Close gives it back.
func OpenCall(ctx context.Context, s *config.Service, program string, withKeyset, waits bool, log *slog.Logger) (_ *Dependencies, err error) {
	d := &Dependencies{}
	defer func() {
		if err != nil {
			d.Close()
		}
	}()
	if d.Spans, err = telemetry.Open(ctx, program, s.Traces, log); err != nil {
		return nil, err
	}
	keys, err := loadKEK(ctx, s, withKeyset)
	if err != nil {
		return nil, err
	}
	if d.Store, err = openStore(ctx, s, program, keys, d.Spans, log); err != nil {
		return nil, err
	}
	// Behind a pooler of transactions, the session that has the role may be another one.
	if err = d.Store.Database.Ready(ctx, schema.API); err != nil {
		return nil, db.Advise(fmt.Errorf("check the database: %w", err))
	}
	if waits {
		err = d.openTemporal(ctx, s, program, log)
	}
	return d, err
}

// openFilledStore is OpenStore for programs that serve: the schema must exist, the keyset
// must decrypt its secrets, and the role must fit the program.
func openFilledStore(ctx context.Context, s *config.Service, program string, keys *vault.Vault, spans *telemetry.Spans, log *slog.Logger) (*store.Store, error) {
	store, err := openStore(ctx, s, program, keys, spans, log)
	if err != nil {
		return nil, err
	}
	err = checkDatabase(ctx, store, s, schema.Program(program), log)
	if err == nil {
		err = store.Secrets.CheckKeyset(ctx)
	}
	if err != nil {
		store.Close()
		return nil, err
	}
	return store, nil
}

// DialTemporal loads the payload keyset and connects to Temporal.
func DialTemporal(ctx context.Context, s *config.Service, program string, log *slog.Logger) (client.Client, error) {
	c, _, err := dialTemporal(ctx, s, program, log, &Dependencies{})
	return c, err
}

func dialTemporal(ctx context.Context, s *config.Service, program string, log *slog.Logger, d *Dependencies) (client.Client, func(workflowID string) converter.DataConverter, error) {
	keyset, err := s.PayloadKeys(ctx)
	if err != nil {
		return nil, nil, err
	}
	keys, err := keyset.Load(ctx)
	if err != nil {
		return nil, nil, err
	}
	d.reportKey(vault.OfPayloads, keys)
	interceptors, err := d.Spans.Temporal()
	if err != nil {
		return nil, nil, err
	}
	undecodable := d.Metrics.Undecodable(program)
	c, err := temporalclient.Dial(ctx, temporalclient.Options{
		Address: s.TemporalAddress, Namespace: s.TemporalNamespace, Keys: keys, Logger: log, Program: program,
		Metrics: d.Metrics.Temporal(), Interceptors: interceptors, Completions: d.Completions, Undecodable: undecodable,
	})
	return c, func(workflowID string) converter.DataConverter {
		return converter.WithDataConverterSerializationContext(codec.DataConverter(keys, undecodable),
			converter.WorkflowSerializationContext{Namespace: s.TemporalNamespace, WorkflowID: workflowID})
	}, err
}

// Open connects to everything; Close gives it back.
func Open(ctx context.Context, s *config.Service, program string, log *slog.Logger) (_ *Dependencies, err error) {
	d := &Dependencies{Metrics: metrics.New(), namespace: s.TemporalNamespace, program: schema.Program(program), facts: []health.Fact{{Name: FactProgram, Value: program}}}
	d.Ready = d.ready(d.check)
	defer func() {
		if err != nil {
			d.Close()
		}
	}()
	// Probes are answered while the program connects.
	if err := d.listen(ctx, s, log); err != nil {
		return nil, err
	}
	if d.Spans, err = telemetry.Open(ctx, program, s.Traces, log); err != nil {
		return nil, err
	}
	keys, err := loadKEK(ctx, s, true)
	if err != nil {
		return nil, err
	}
	d.reportKey(vault.OfSecrets, keys)
	if d.Store, err = openFilledStore(ctx, s, program, keys, d.Spans, log); err != nil {
		return nil, err
	}
	d.Metrics.Register(metrics.NewStoreCollector(d.Store.Database, d.Store.Deliveries.Outbox, d.Store.Upkeep, program == Worker))
	if err := d.measureClientCertificates(s); err != nil {
		return nil, err
	}
	if shared := d.Store.Database.Shared(); shared != nil {
		d.Metrics.Register(metrics.NewLimiterCollector(shared))
	}
	if program == API {
		d.Completions = temporalclient.NewCompletions(workflows.CommittingActivities()...)
	}
	if err = d.openTemporal(ctx, s, program, log); err != nil {
		return nil, err
	}
	return d, nil
}

// openTemporal connects to Temporal, and refuses a namespace in which no run could start.
func (d *Dependencies) openTemporal(ctx context.Context, s *config.Service, program string, log *slog.Logger) (err error) {
	if d.Temporal, d.Converter, err = dialTemporal(ctx, s, program, log, d); err != nil {
		return err
	}
	return temporalclient.CheckNamespace(ctx, d.Temporal, s.TemporalNamespace, true)
}

// measureClientCertificates measures when the client certificates expire. Each connection to Postgres reads its own.
func (d *Dependencies) measureClientCertificates(s *config.Service) error {
	database, err := s.Database()
	if err != nil {
		return err
	}
	if _, ok := db.ClientCertificateEnd(database); ok {
		d.Metrics.Register(metrics.NewCertificateCollector(metrics.CertificatePostgres, func() time.Time {
			end, _ := db.ClientCertificateEnd(database)
			return end
		}))
	}
	if end, ok := temporalclient.ClientCertificateEnd(); ok {
		d.Metrics.Register(metrics.NewCertificateCollector(metrics.CertificateTemporal, func() time.Time { return end }))
	}
	return nil
}

// listen serves metrics and answers probes.
func (d *Dependencies) listen(ctx context.Context, s *config.Service, log *slog.Logger) error {
	d.Metrics.Register(metrics.NewHealthCollector(d.Ready))
	listening, stop, err := Listen(ctx, s, d.Metrics, d.Ready, d.about, log)
	if err != nil {
		return err
	}
	d.Listening, d.stop = listening, append(d.stop, stop)
	return nil
}

// Listen serves metrics and probes at the addresses of the settings, until stop is called.
func Listen(ctx context.Context, s *config.Service, m *metrics.Metrics, ready health.Check, about health.About, log *slog.Logger) (listening config.Listening, stop func(), err error) {
	address, stopMetrics, err := health.Serve(ctx, "metrics", "metrics-listen", s.MetricsListen, m.Handler(ready, about, log), log)
	if err != nil {
		return listening, nil, err
	}
	listening.MetricsAddress = address
	probes := http.NewServeMux()
	health.Handle(probes, ready, about)
	address, stopProbes, err := health.Serve(ctx, "health checks", "health-listen", s.HealthListen, probes, log)
	if err != nil {
		stopMetrics()
		return listening, nil, err
	}
	listening.HealthAddress = address
	return listening, func() { stopMetrics(); stopProbes() }, nil
}

// Close closes the connections, and sends the last spans.
func (d *Dependencies) Close() {
	for _, stop := range d.stop {
		stop()
	}
	if d.Temporal != nil {
		d.Temporal.Close()
	}
	if d.Store != nil {
		d.Store.Close()
	}
	if d.Spans != nil {
		d.Spans.Close()
	}
}

// Rules makes the engine of the rules in the store, and registers its metrics.
func (d *Dependencies) Rules(cacheBytes int64) *engine.Engine {
	made := engine.New(d.Store.Versions, cacheBytes)
	d.Metrics.Register(metrics.NewRuleCacheCollector(made.CacheBytes))
	d.Metrics.Register(metrics.NewLimiterCollector(made.Limiters()...))
	return made
}
