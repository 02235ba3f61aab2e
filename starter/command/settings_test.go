package command_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"requisite/internal/config"
	"requisite/internal/config/settingstest"
	"requisite/starter/command"
	"requisite/starter/startertest"
)

func TestSettings_AreDescribed(t *testing.T) {
	settingstest.Described(t, command.New())
	topic, _, err := command.New().Find([]string{"temporal"})
	require.NoError(t, err)
	require.Contains(t, topic.Long, "TEMPORAL_TLS_CLIENT_CERT_PATH")
	// What deployments run. The others are typed by people.
	for name, but := range map[string][]string{
		"codec":   {"on-loopback"}, // said where the command is written, not in passing
		"migrate": {"database-only"},
	} {
		c, _, err := command.New().Find([]string{name})
		require.NoError(t, err)
		settingstest.HasVariables(t, c, but...)
	}
	publish, _, err := command.New().Find([]string{"pricing", "publish"})
	require.NoError(t, err)
	settingstest.RowInGuide(t, "../../docs/operating/settings.md", publish.Flags().Lookup("as"), "starter")
}

func TestHelp_ListsOnlyTheSettingsThatTheCommandUses(t *testing.T) {
	database := []string{"DATABASE_PASSWORD", "DATABASE_URL"}
	sealing := []string{"DATABASE_PASSWORD", "DATABASE_URL", "REQUISITE_KEK_FILE", "REQUISITE_KMS_KEY_URI"}
	running := []string{"DATABASE_PASSWORD", "DATABASE_URL", "REQUISITE_KMS_KEY_URI", "REQUISITE_PAYLOAD_KEY_FILE", "TEMPORAL_ADDRESS", "TEMPORAL_NAMESPACE"}
	recorded := []string{"DATABASE_PASSWORD", "DATABASE_URL", "REQUISITE_KEEP_DECISIONS"}
	more := map[string][]string{
		"starter erase":           running,
		"starter decision export": recorded, "starter decision verify": recorded,
		"starter credential create": sealing, "starter keyset rewrap": sealing,
		"starter keyset drop": slices.Sorted(slices.Values(append([]string{"REQUISITE_PAYLOAD_KEY_FILE", "TEMPORAL_ADDRESS", "TEMPORAL_NAMESPACE"}, sealing...))),
		"starter migrate":     {"DATABASE_PASSWORD", "DATABASE_URL", "REQUISITE_API_ROLE", "REQUISITE_NAMESPACE_RETENTION", "REQUISITE_READ_ROLE", "REQUISITE_WORKER_ROLE", "TEMPORAL_ADDRESS", "TEMPORAL_NAMESPACE"},
		"starter codec":       {"REQUISITE_CODEC_HOST", "REQUISITE_CODEC_LISTEN", "REQUISITE_CODEC_ORIGIN", "REQUISITE_CODEC_TOKEN", "REQUISITE_HEALTH_LISTEN", "REQUISITE_KMS_KEY_URI", "REQUISITE_METRICS_LISTEN", "REQUISITE_PAYLOAD_KEY_FILE"},
	}
	more["starter status"] = slices.Sorted(slices.Values(slices.Concat(running, []string{"REQUISITE_API_ROLE", "REQUISITE_CA_FILE", "REQUISITE_KEK_FILE", "REQUISITE_PROGRAMS", "REQUISITE_WORKER_ROLE"})))
	operating := []string{"DATABASE_PASSWORD", "DATABASE_URL", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_PROTOCOL", "REQUISITE_API_ROLE", "REQUISITE_QUOTA"}
	for _, name := range []string{"get", "retry", "cancel", "flush"} {
		more["starter delivery "+name] = operating
	}
	for _, name := range []string{"start", "cancel"} {
		more["starter recalculation "+name] = operating
	}
	calling := slices.Concat(operating, []string{"REQUISITE_API_KEY", "REQUISITE_AUTH_TOKEN", "REQUISITE_BASE_URL", "REQUISITE_CA_FILE", "REQUISITE_SECRET_KEY"})
	more["starter call"] = slices.Sorted(slices.Values(slices.Concat(calling, running[2:], []string{"REQUISITE_KEK_FILE", "REQUISITE_PATIENCE", "REQUISITE_WEBHOOK_ALLOW", "REQUISITE_WEBHOOK_PORTS"})))
	for _, name := range []string{"approve", "propose", "publish", "reject"} {
		more["starter rules "+name] = slices.Sorted(slices.Values(calling))
	}
	commands := 0
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		var shown []string
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if v := config.Variable(f); v != "" {
				shown = append(shown, v)
			}
		})
		slices.Sort(shown)
		if c.Flags().Lookup("as") != nil {
			require.Contains(t, shown, "REQUISITE_OPERATOR", c.CommandPath())
			shown = slices.DeleteFunc(shown, func(v string) bool { return v == "REQUISITE_OPERATOR" })
		}
		if want, listed := more[c.CommandPath()]; listed {
			require.Equal(t, want, shown, c.CommandPath())
			commands++
		} else if slices.Contains(shown, "DATABASE_URL") {
			require.Equal(t, database, shown, c.CommandPath())
			commands++
		}
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	walk(command.New())
	require.Greater(t, commands, 25)
}

func TestSettings_OnlyTheCommandThatReadsAVariableReportsItsMisspelling(t *testing.T) {
	t.Setenv("DATABASE_URL", "postgres://app@127.0.0.1:1/requisite")
	t.Setenv("REQUISITE_DRAIM", "1s")          // of the api
	t.Setenv("REQUISITE_MAX_CONNECTIONS", "1") // removed from the api
	_, err := startertest.Run(t, "organization", "list")
	require.ErrorContains(t, err, "reach Postgres")
	require.NotContains(t, err.Error(), "DRAI")
	require.NotContains(t, err.Error(), "MAX_CONNECTIONS")
	t.Setenv("REQUISITE_WORKER_ROEL", "requisite_worker")
	_, err = startertest.Run(t, "organization", "list")
	require.NotContains(t, err.Error(), "ROEL")
	_, err = startertest.Run(t, "migrate")
	require.ErrorContains(t, err, "REQUISITE_WORKER_ROEL is set, and no setting reads it; did you mean REQUISITE_WORKER_ROLE?")
}

func TestVersion_IsKnown(t *testing.T) {
	out, err := startertest.Run(t, "--version")
	require.NoError(t, err)
	require.Regexp(t, `^starter version \S+ \(revision \S+, go1\.\S+\)\n$`, out)
	require.NotContains(t, out, "unknown")
}

// The help of each command has at most 55 lines of 80 columns.
func TestHelp_FitsOnAScreen(t *testing.T) {
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Name() != "completion" && c.Name() != "help" {
			var help strings.Builder
			c.SetOut(&help)
			require.NoError(t, c.Help())
			require.LessOrEqual(t, strings.Count(help.String(), "\n"), 55, "%s --help", c.CommandPath())
			for line := range strings.Lines(help.String()) {
				require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 80, "%s --help: %s", c.CommandPath(), line)
			}
			for _, below := range c.Commands() {
				walk(below)
			}
		}
	}
	walk(command.New())
}

func TestLists_HaveTheFlagJSON(t *testing.T) {
	lists := 0
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Name() == "list" {
			lists++
			require.NotNil(t, c.Flags().Lookup("json"), c.CommandPath())
		}
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	walk(command.New())
	require.GreaterOrEqual(t, lists, 7)
}
