// Package config reads settings from flags and from the environment. A flag
// comes before its variable; help lists both; what is needed and missing is
// named all at once.
package config

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"requisite/internal/telemetry"
)

// Service is what the api, the worker and the operator's commands share.
type Service struct {
	DatabaseURL       string
	DatabasePassword  string
	KEKFile           string
	PayloadKeyFile    string
	TemporalAddress   string
	TemporalNamespace string
	LogLevel          string
	MetricsListen     string
	Traces            telemetry.Export
	// StopWithParent ends the program when its standard input ends, as it does
	// when the program that started it dies.
	StopWithParent bool
}

// Bind adds the flags of the settings to a command.
func (s *Service) Bind(flags *pflag.FlagSet) {
	String(flags, &s.DatabaseURL, "database-url", "DATABASE_URL", "", "Postgres, as postgres://user:password@host:port/database")
	String(flags, &s.DatabasePassword, "database-password", "DATABASE_PASSWORD", "", "password, where the URL holds none; DATABASE_PASSWORD_FILE names a file with it")
	String(flags, &s.KEKFile, "kek-file", "REQUISITE_KEK_FILE", "", "Tink keyset that seals secrets in the database")
	String(flags, &s.PayloadKeyFile, "payload-key-file", "REQUISITE_PAYLOAD_KEY_FILE", "", "Tink keyset that encrypts Temporal's payloads")
	String(flags, &s.TemporalAddress, "temporal-address", "TEMPORAL_ADDRESS", "127.0.0.1:7233", "Temporal's frontend, as host:port")
	String(flags, &s.TemporalNamespace, "temporal-namespace", "TEMPORAL_NAMESPACE", "requisite", "Temporal namespace")
	String(flags, &s.MetricsListen, "metrics-listen", "REQUISITE_METRICS_LISTEN", "", "address on which Prometheus finds /metrics, such as 127.0.0.1:9090; never a public one")
	String(flags, &s.Traces.Endpoint, "otlp-endpoint", "OTEL_EXPORTER_OTLP_ENDPOINT", "", "OpenTelemetry collector to send traces to, such as http://127.0.0.1:4318; OpenTelemetry's other OTEL_ variables hold, too")
	String(flags, &s.Traces.Protocol, "otlp-protocol", "OTEL_EXPORTER_OTLP_PROTOCOL", telemetry.OverHTTP, "how traces travel: http/protobuf or grpc")
	flags.BoolVar(&s.StopWithParent, "stop-on-stdin-eof", false, "stop when standard input ends, as when the parent dies")
	String(flags, &s.LogLevel, "log-level", "REQUISITE_LOG_LEVEL", "info", "debug, info, warn or error")
}

// Lifetime is a context that ends when the program is to stop.
func (s *Service) Lifetime(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if s.StopWithParent {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin) // whatever ends it, it has ended
			cancel()
		}()
	}
	return ctx, cancel
}

// Check names everything that is missing or cannot be read.
func (s *Service) Check() error {
	return errors.Join(
		Required(s.DatabaseURL, "database-url", "DATABASE_URL"),
		Required(s.KEKFile, "kek-file", "REQUISITE_KEK_FILE"),
		Required(s.PayloadKeyFile, "payload-key-file", "REQUISITE_PAYLOAD_KEY_FILE"),
		s.level().err,
		s.Traces.Check(),
	)
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

// LogValue shows the settings without secrets.
func (s *Service) LogValue() slog.Value {
	database := "(unreadable)"
	if u, err := url.Parse(s.DatabaseURL); err == nil {
		database = u.Host + u.Path
	}
	return slog.GroupValue(
		slog.String("database", database),
		slog.String("kek_file", s.KEKFile),
		slog.String("payload_key_file", s.PayloadKeyFile),
		slog.String("temporal_address", s.TemporalAddress),
		slog.String("temporal_namespace", s.TemporalNamespace),
		slog.String("otlp_endpoint", s.Traces.Endpoint),
	)
}

// databaseURL is the URL with the password in it.
func (s *Service) databaseURL() (string, error) {
	if s.DatabasePassword == "" {
		return s.DatabaseURL, nil
	}
	u, err := url.Parse(s.DatabaseURL)
	if err != nil || u.User == nil {
		return "", errors.New("--database-password is given, but --database-url names no user: it must be of the form postgres://user@host:port/database")
	}
	if _, set := u.User.Password(); set {
		return "", errors.New("--database-url holds a password, and --database-password is given too; use one")
	}
	u.User = url.UserPassword(u.User.Username(), s.DatabasePassword)
	return u.String(), nil
}

// Required is an error for a setting without a value.
func Required(value, flag, env string) error {
	if value != "" {
		return nil
	}
	return fmt.Errorf("--%s (or %s) is not set", flag, env)
}

const envAnnotation = "requisite/env"

// String adds a flag that falls back on an environment variable. The
// variable's value is never part of the help, for it may be a secret.
func String(flags *pflag.FlagSet, target *string, name, env, fallback, usage string) {
	flags.StringVar(target, name, fallback, fmt.Sprintf("%s [%s]", usage, env))
	mark(flags, name, env)
}

// mark remembers a flag's variable; the flag exists, so it cannot fail.
func mark(flags *pflag.FlagSet, name, env string) {
	if err := flags.SetAnnotation(name, envAnnotation, []string{env}); err != nil {
		panic(err)
	}
}

// Env lets any flag fall back on an environment variable.
func Env(flags *pflag.FlagSet, name, env string) {
	flags.Lookup(name).Usage += fmt.Sprintf(" [%s]", env)
	mark(flags, name, env)
}

// Load fills flags that were not given from the environment; it runs before
// the command does. NAME_FILE names a file that holds the value of NAME, for
// secrets that are mounted as files; setting both is refused.
func Load(command *cobra.Command, _ []string) error {
	var problems []error
	command.Flags().VisitAll(func(f *pflag.Flag) {
		names := f.Annotations[envAnnotation]
		if f.Changed || len(names) == 0 {
			return
		}
		value, err := fromEnvironment(names[0])
		if err != nil {
			problems = append(problems, err)
			return
		}
		if value != "" {
			if err := f.Value.Set(value); err != nil {
				problems = append(problems, fmt.Errorf("%s does not fit --%s, a %s", names[0], f.Name, f.Value.Type()))
			}
		}
	})
	return errors.Join(problems...)
}

func fromEnvironment(name string) (string, error) {
	value, file := os.Getenv(name), os.Getenv(name+"_FILE")
	switch {
	case file == "":
		return value, nil
	case value != "":
		return "", fmt.Errorf("%s and %s_FILE are both set; use one", name, name)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("%s_FILE: %w", name, err)
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}
