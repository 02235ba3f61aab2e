package config

import (
	"context"
	"log/slog"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"requisite/internal/codec"
	"requisite/internal/metrics"
	"requisite/internal/postgres"
	"requisite/internal/temporalclient"
	"requisite/internal/vault"
)

// Parts is what a program of the service works with.
type Parts struct {
	Store     *postgres.Store
	Temporal  client.Client
	Converter converter.DataConverter // of the Temporal client
	Metrics   *metrics.Metrics

	stopMetrics func()
}

// OpenStore loads the key-encryption keyset and connects to Postgres.
func (s *Service) OpenStore(ctx context.Context, program string) (*postgres.Store, error) {
	keys, err := vault.Load(s.KEKFile)
	if err != nil {
		return nil, err
	}
	database, err := s.databaseURL()
	if err != nil {
		return nil, err
	}
	return postgres.Open(ctx, database, keys, postgres.Options{ApplicationName: "requisite-" + program})
}

// OpenFilledStore is OpenStore for programs that serve: the schema must be there
// and the keyset must be the one that its secrets were sealed with.
func (s *Service) OpenFilledStore(ctx context.Context, program string) (*postgres.Store, error) {
	store, err := s.OpenStore(ctx, program)
	if err != nil {
		return nil, err
	}
	if err := store.CheckKeyset(ctx); err != nil {
		store.Close()
		return nil, err
	}
	return store, nil
}

// DialTemporal loads the payload keyset and connects to Temporal.
func (s *Service) DialTemporal(ctx context.Context, program string, log *slog.Logger) (client.Client, converter.DataConverter, error) {
	return s.dialTemporal(ctx, program, log, nil)
}

func (s *Service) dialTemporal(ctx context.Context, program string, log *slog.Logger, m *metrics.Metrics) (client.Client, converter.DataConverter, error) {
	keys, err := vault.Load(s.PayloadKeyFile)
	if err != nil {
		return nil, nil, err
	}
	c, err := temporalclient.Dial(ctx, temporalclient.Options{
		Address: s.TemporalAddress, Namespace: s.TemporalNamespace, Keys: keys, Logger: log, Identity: "requisite-" + program, Metrics: m.Temporal(),
	})
	return c, codec.DataConverter(keys), err
}

// Open connects to everything; Close gives it back.
func (s *Service) Open(ctx context.Context, program string, log *slog.Logger) (*Parts, error) {
	store, err := s.OpenFilledStore(ctx, program)
	if err != nil {
		return nil, err
	}
	m := metrics.New()
	m.Register(metrics.NewStoreCollector(store))
	c, dc, err := s.dialTemporal(ctx, program, log, m)
	if err != nil {
		store.Close()
		return nil, err
	}
	stop, err := m.Serve(ctx, s.MetricsListen, log)
	if err != nil {
		c.Close()
		store.Close()
		return nil, err
	}
	return &Parts{Store: store, Temporal: c, Converter: dc, Metrics: m, stopMetrics: stop}, nil
}

// Close ends the connections.
func (p *Parts) Close() {
	p.stopMetrics()
	p.Temporal.Close()
	p.Store.Close()
}
