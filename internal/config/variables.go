package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"requisite/internal/temporalclient"
	"requisite/internal/text/typo"
)

// Variables lists the environment variables of all programs, except Temporal's own.
// Programs may share one environment, so a variable that only another program
// reads is not a mistake.
func Variables() []string {
	return []string{
		"DATABASE_PASSWORD",
		"DATABASE_URL",
		"OTEL_EXPORTER_OTLP_ENDPOINT",
		"OTEL_EXPORTER_OTLP_PROTOCOL",
		BypassVariable,
		"REQUISITE_API_KEY",
		"REQUISITE_API_ROLE",
		"REQUISITE_AUTH_TOKEN",
		"REQUISITE_BASE_URL",
		"REQUISITE_CA_FILE",
		"REQUISITE_CODEC_HOST",
		"REQUISITE_CODEC_LISTEN",
		"REQUISITE_CODEC_ORIGIN",
		"REQUISITE_CODEC_TOKEN",
		"REQUISITE_DATABASE_CONNECTIONS",
		"REQUISITE_DATABASE_TIMEOUT",
		"REQUISITE_DRAIN",
		"REQUISITE_HEALTH_LISTEN",
		"REQUISITE_KEEP_ATTEMPTS",
		"REQUISITE_KEEP_DECISIONS",
		"REQUISITE_KEEP_EVENTS",
		"REQUISITE_KEEP_OUTCOMES",
		"REQUISITE_KEEP_RULE_VERSIONS",
		"REQUISITE_KEK_FILE",
		"REQUISITE_KMS_KEY_URI",
		"REQUISITE_LISTEN",
		"REQUISITE_LOG_LEVEL",
		"REQUISITE_MAX_ATTEMPTS",
		"REQUISITE_MAX_REQUESTS",
		"REQUISITE_MAX_WAITING",
		"REQUISITE_METRICS_LISTEN",
		"REQUISITE_NAMESPACE_RETENTION",
		"REQUISITE_OPERATOR",
		"REQUISITE_ORGANIZATION_SHARE",
		"REQUISITE_PATIENCE",
		"REQUISITE_PAYLOAD_KEY_FILE",
		"REQUISITE_PROGRAMS",
		"REQUISITE_QUOTA",
		"REQUISITE_RATE_LIMIT",
		"REQUISITE_READ_ROLE",
		"REQUISITE_SECRET_KEY",
		"REQUISITE_TLS_CERT_FILE",
		"REQUISITE_TLS_KEY_FILE",
		"REQUISITE_TRY_IT",
		"REQUISITE_WEBHOOK_ALLOW",
		"REQUISITE_WEBHOOK_KEYS", // read by the example receivers
		"REQUISITE_WEBHOOK_PORTS",
		"REQUISITE_WORKER_ROLE",
		"TEMPORAL_ADDRESS",
		"TEMPORAL_NAMESPACE",
	}
}

// typoEdits is how many edits make a name a misspelling. A name with more edits may
// belong to a newer version or to the platform, so it causes only a warning.
const typoEdits = 2

// variablesOf lists the variables that a command reads.
func variablesOf(flags *pflag.FlagSet) (names []string) {
	flags.VisitAll(func(f *pflag.Flag) {
		if v := Variable(f); v != "" {
			names = append(names, v)
		}
	})
	if flags.Lookup(temporalFlag) != nil {
		for _, v := range temporalclient.Variables() {
			names = append(names, v.Name)
		}
	}
	return names
}

// allVariables lists the variables of every program, and Temporal's.
func allVariables() []string {
	names := Variables()
	for _, v := range temporalclient.Variables() {
		names = append(names, v.Name)
	}
	return names
}

// findUnknown finds the variables with one of our prefixes that no program reads. It
// refuses misspellings of the candidates.
func findUnknown(environ, candidates []string) (refused []error, unknown []string) {
	known := append(allVariables(), candidates...)
	for _, entry := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(entry, "=")
		ours := strings.HasPrefix(name, "REQUISITE_") || strings.HasPrefix(name, "TEMPORAL_TLS")
		if !ours || value == "" || slices.Contains(known, name) || slices.Contains(known, strings.TrimSuffix(name, "_FILE")) {
			continue
		}
		if nearest, near := typo.Nearest(name, candidates, typoEdits); near {
			refused = append(refused, fmt.Errorf("%s is set, and no setting reads it; did you mean %s? Rename it, or unset it", name, nearest))
		} else {
			unknown = append(unknown, name)
		}
	}
	return refused, unknown
}
