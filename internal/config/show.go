package config

import (
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"requisite/internal/store/db"
	"requisite/internal/telemetry"
	"requisite/internal/temporalclient"
)

// Show makes LogValue show the flags of a command that is not bound as a whole.
func (s *Service) Show(flags *pflag.FlagSet) { s.flags = flags }

// LogValue shows the value in effect of every setting of the command, and its
// source: a flag, a variable, a file or the default. It shows no secrets.
func (s *Service) LogValue() slog.Value {
	var settings []slog.Attr
	if s.flags != nil {
		s.flags.VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && f.Name != "version" {
				settings = append(settings, slog.Group(strings.ReplaceAll(f.Name, "-", "_"),
					slog.String("value", shown(f)), slog.String("from", annotation(f, sourceAnnotation))))
			}
		})
	}
	database, err := s.Database()
	if err == nil {
		settings = append(settings, slog.String("database_security", db.TLS(database)))
	}
	settings = append(settings, slog.String("temporal_security", temporalclient.TLS()))
	if os.Getenv("HTTPS_PROXY") != "" || os.Getenv("https_proxy") != "" {
		settings = append(settings, slog.String("https_proxy",
			"Temporal, traces and key management services are reached through it, unless NO_PROXY names them; webhooks and Postgres never"))
	}
	for _, v := range temporalclient.Variables() {
		if value := os.Getenv(v.Name); value != "" {
			if v.Hidden {
				value = "(set)"
			}
			settings = append(settings, slog.Group(strings.ToLower(v.Name), slog.String("value", value), slog.String("from", v.Name)))
		}
	}
	return slog.GroupValue(settings...)
}

// LogStart logs the settings that the program starts with, and warns about
// variables that look like settings but that no setting reads.
func (s *Service) LogStart(log *slog.Logger) {
	log.Info("starting", "version", telemetry.Version(), "settings", s)
	if _, unknown := findUnknown(os.Environ(), allVariables()); len(unknown) > 0 {
		log.Warn("no setting reads these variables; are they misspelled?", "variables", unknown)
	}
}

// Help explains how to configure a long-running program.
func Help() string {
	return `Every setting is a flag or the environment variable in brackets; the flag takes
precedence. NAME_FILE names a file that contains the value of the variable NAME. All
problems are reported at once, and the settings in effect are logged at the start,
without secrets.

` + TemporalHelp()
}

// TemporalHelp lists the settings that Temporal's own variables hold.
func TemporalHelp() string {
	var text strings.Builder
	text.WriteString(`Temporal's own variables configure the connection to Temporal. A profile in its
configuration file does so, too:

`)
	for _, v := range temporalclient.Variables() {
		fmt.Fprintf(&text, "  %s\n      %s\n", v.Name, v.Usage)
	}
	return strings.TrimSuffix(text.String(), "\n")
}
