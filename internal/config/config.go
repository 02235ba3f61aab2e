// Package config reads settings from flags and from the environment. A flag takes
// precedence over its variable, and help lists both. All problems are reported at
// once, before the program connects to anything. The settings in effect are
// logged without secrets.
package config

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/spf13/pflag"

	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/telemetry"
)

// Service holds the settings that the api, the worker and the operator's commands
// share.
type Service struct {
	DatabaseURL       string
	DatabasePassword  string
	KEKFile           string
	PayloadKeyFile    string
	KMSKeyURI         string
	TemporalAddress   string
	TemporalNamespace string
	LogLevel          string
	MetricsListen     string
	HealthListen      string
	Traces            telemetry.Export
	// Quotas bound what a caller may add. The zero value is no limit, which suits
	// an operator's command.
	Quotas store.Quotas
	// Connections bounds the connections to the database. The zero value suits an
	// operator's command.
	Connections db.Connections
	// AllowBypass lets a program that serves use a database role that row-level security
	// does not bind.
	AllowBypass bool
	// Child makes the program announce its addresses, and stop when its standard input
	// ends. That happens when its parent dies.
	Child bool

	flags *pflag.FlagSet // of the whole command
}

// Bind adds the flags of a program that serves to its command.
func (s *Service) Bind(flags *pflag.FlagSet) {
	s.flags = flags
	s.BindDatabase(flags)
	bindBypass(flags, &s.AllowBypass)
	s.BindKEK(flags)
	s.BindTemporal(flags)
	s.BindPayloadKey(flags)
	BindMetrics(flags, &s.MetricsListen)
	BindHealth(flags, &s.HealthListen)
	s.BindTraces(flags)
	flags.BoolVar(&s.Child, "child", false,
		"for a program that starts this one: write the addresses listened on to standard output, as one line of JSON, and stop when standard input ends")
	String(flags, &s.LogLevel, "log-level", "REQUISITE_LOG_LEVEL", "info", "debug, info, warn or error")
}

// BindDatabase adds the flags of the database alone, for a command that needs
// nothing else.
func (s *Service) BindDatabase(flags *pflag.FlagSet) {
	String(flags, &s.DatabaseURL, "database-url", "DATABASE_URL", "",
		"Postgres, as postgres://user:password@host:port/db with ?sslmode=verify-full&sslrootcert=FILE for TLS")
	URL(flags, "database-url")
	String(flags, &s.DatabasePassword, "database-password", "DATABASE_PASSWORD", "",
		"password, if the URL contains none; DATABASE_PASSWORD_FILE names a file that contains it")
	Secret(flags, "database-password")
}

// BindTraces adds the flags of the collector of traces.
func (s *Service) BindTraces(flags *pflag.FlagSet) {
	String(flags, &s.Traces.Endpoint, "otlp-endpoint", "OTEL_EXPORTER_OTLP_ENDPOINT", "",
		"OpenTelemetry collector to send traces to, such as http://127.0.0.1:4318; OpenTelemetry's other OTEL_ variables apply too")
	String(flags, &s.Traces.Protocol, "otlp-protocol", "OTEL_EXPORTER_OTLP_PROTOCOL", telemetry.OverHTTP,
		"protocol that traces are sent over: http/protobuf or grpc")
}

// temporalFlag is the flag of every command that reaches Temporal.
const temporalFlag = "temporal-address"

// BindTemporal adds the flags of the connection to Temporal.
func (s *Service) BindTemporal(flags *pflag.FlagSet) {
	String(flags, &s.TemporalAddress, temporalFlag, "TEMPORAL_ADDRESS", "127.0.0.1:7233",
		"Temporal's frontend, as host:port; its TLS and API key are set by Temporal's own variables, TEMPORAL_TLS_…")
	String(flags, &s.TemporalNamespace, "temporal-namespace", "TEMPORAL_NAMESPACE", "requisite", "Temporal namespace")
}

// BindMetrics adds the flag of the address at which a program serves metrics.
func BindMetrics(flags *pflag.FlagSet, address *string) {
	String(flags, address, "metrics-listen", "REQUISITE_METRICS_LISTEN", "",
		"address of /metrics, for Prometheus, and of /livez and /readyz, such as 127.0.0.1:9090; never a public one")
}

// BindHealth adds the flag of the address at which a program answers probes.
func BindHealth(flags *pflag.FlagSet, address *string) {
	String(flags, address, "health-listen", "REQUISITE_HEALTH_LISTEN", "",
		"address of /livez and /readyz, for a supervisor, such as 127.0.0.1:8081; never a public one")
}

// CheckListening is an error for addresses of metrics and health that the process cannot
// listen on.
func (s *Service) CheckListening() error {
	return errors.Join(
		Address(s.MetricsListen, "metrics-listen"),
		Address(s.HealthListen, "health-listen"),
		Apart(s.MetricsListen, "metrics-listen", s.HealthListen, "health-listen"),
	)
}

// Lifetime returns a context that ends when the program must stop.
func (s *Service) Lifetime(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if s.Child {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin) // on an error, too, standard input has ended
			cancel()
		}()
	}
	return ctx, cancel
}

type level struct {
	value slog.Level
	err   error
}

func (s *Service) level() level {
	var l level
	if err := l.value.UnmarshalText([]byte(s.LogLevel)); err != nil {
		l.err = fmt.Errorf("--log-level must be debug, info, warn or error, not %q", s.LogLevel)
	}
	return l
}

// Logger writes JSON lines to standard error.
func (s *Service) Logger(program string) *slog.Logger {
	handler := slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: s.level().value})
	return slog.New(handler).With("program", program)
}
