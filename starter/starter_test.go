package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
	"requisite/docs"
	"requisite/internal/requests/refusal"
	"requisite/internal/secrets/vault"
	"requisite/starter/cli"
	"requisite/starter/local"
)

func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	root := command()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetArgs(args)
	err := root.ExecuteContext(t.Context())
	return out.String(), err
}

func TestMonthsBeforeEndsWithTheMonth(t *testing.T) {
	for _, c := range []struct {
		day  string
		n    int
		want string
	}{
		{"2026-11-20", 2, "2026-09-20"}, {"2026-05-31", 1, "2026-04-30"}, {"2024-03-31", 1, "2024-02-29"},
		{"2026-01-15", 1, "2025-12-15"}, {"2026-01-15", 25, "2023-12-15"}, {"2026-01-31", 0, "2026-01-31"},
	} {
		day, err := time.Parse(time.DateOnly, c.day)
		require.NoError(t, err)
		require.Equal(t, c.want, local.MonthsBefore(day, c.n).Format(time.DateOnly), "%d months before %s", c.n, c.day)
	}
	day := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	require.Equal(t, `"2026-09-20" {{months}}`, string(local.DatesFilledIn([]byte(`"{{months_ago 2}}" {{months}}`), day)))
}

func TestWrapped(t *testing.T) {
	require.Equal(t, []string{"one two", "three", "extraordinarily", "four"}, slices.Collect(cli.Wrapped("one  two three extraordinarily\nfour", 9)))
	require.Empty(t, slices.Collect(cli.Wrapped("  ", 9)))
}

func TestCallWithoutAStackSaysWhatToDo(t *testing.T) {
	_, err := run(t, "call", "meta.checkVersion", "--stack", filepath.Join(t.TempDir(), "stack.json"))
	require.ErrorContains(t, err, "starter up")
	require.ErrorContains(t, err, "--api-key")
}

func TestTraceIDsAreTranslated(t *testing.T) {
	out, err := run(t, "trace", "trc_Kgywt6S99MKiCkM5FLT48")
	require.NoError(t, err)
	require.Contains(t, out, "0af7651916cd43dd8448eb211c80319c")
	require.Contains(t, out, `TraceId = "trc_Kgywt6S99MKiCkM5FLT48"`)
	_, err = run(t, "trace", "nonsense")
	require.ErrorContains(t, err, "meta.trace_id")
}

func TestSettingsThatAreMissingAreNamedTogether(t *testing.T) {
	t.Setenv("DATABASE_URL", "")
	t.Setenv("REQUISITE_KEK_FILE", "")
	_, err := run(t, "credential", "create", "org_1", "name")
	require.ErrorContains(t, err, "DATABASE_URL")
	require.ErrorContains(t, err, "REQUISITE_KEK_FILE")
}

func TestHelpShowsVariablesAndNoValues(t *testing.T) {
	t.Setenv("DATABASE_URL", "postgres://user:planted-password@host/db")
	out, err := run(t, "migrate", "--help")
	require.NoError(t, err)
	require.Contains(t, out, "[DATABASE_URL]")
	require.NotContains(t, out, "planted-password")
}

func TestRulesValidate_PointsToTheMistake(t *testing.T) {
	for content, want := range map[string]string{
		"": ":1:1: the file is empty\n",
		"documents:\n  - {document_type_code: A, name: n, category: c, requirement_text: t, entity_type: Business, when: evaluaton_score > 3}\n": ":2:101: documents[0].when: evaluaton_score is not the name of a fact; did you mean evaluation_score?",
	} {
		path := rulesFile(t, "rules.yaml", content)
		out, err := run(t, "rules", "validate", path)
		require.ErrorIs(t, err, cli.ErrRefused)
		require.True(t, strings.HasPrefix(out, path+want), out)
	}
	out, err := run(t, "rules", "validate", "../examples/rules/us-card-acquirer.yaml")
	require.NoError(t, err, out)
	require.Contains(t, out, "facts needed: ")
}

func TestSchemasArePrintedWhole(t *testing.T) {
	for command, want := range map[string][]byte{"rules": docs.RulesSchema, "pricing": docs.PricingSchema} {
		out, err := run(t, command, "schema")
		require.NoError(t, err)
		require.Equal(t, string(want), out)
		require.True(t, json.Valid([]byte(out)))
	}
}

func TestKeysAreNeverOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "kek.json")
	_, err := run(t, "keyset", "create", path)
	require.NoError(t, err)
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	_, err = run(t, "keyset", "create", path)
	require.Error(t, err)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after)
}

func TestWhatIsPrivateIsReadableByItsOwnerOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stack.json")
	for _, base := range []string{"http://a", "http://b"} {
		require.NoError(t, cli.WritePrivate(path, cli.Stack{BaseURL: base, Accounts: []cli.StackAccount{{AccountID: "sb_1"}}}))
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		s, err := cli.ReadStack(path)
		require.NoError(t, err)
		require.Equal(t, base, s.BaseURL)
	}
	var fields map[string]any
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &fields))
	require.ElementsMatch(t, []string{"base_url", "temporal_ui_url", "temporal_address", "namespace", "database_url", "accounts", "metrics"}, keys(fields))
	left, err := filepath.Glob(path + ".*")
	require.NoError(t, err)
	require.Empty(t, left, "nothing temporary stays")
}

func keys(m map[string]any) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	return names
}

func TestOneStackForADirectory(t *testing.T) {
	f := local.Layout(t.TempDir())
	unlock, err := local.Prepare(f)
	require.NoError(t, err)
	_, err = local.Prepare(f)
	require.ErrorContains(t, err, "runs in "+f.Dir+" already")
	require.NoError(t, unlock())
	unlock, err = local.Prepare(f)
	require.NoError(t, err)
	require.NoError(t, unlock())
}

func TestAPortInUseSaysWhatToDo(t *testing.T) {
	require.NoError(t, local.RefuseTaken(t.Context(), "api-port", 0))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	taken := listener.Addr().(*net.TCPAddr).Port
	require.ErrorContains(t, local.RefuseTaken(t.Context(), "api-port", taken), fmt.Sprintf("port %d is in use; stop what uses it, or give --api-port 0", taken))
	err = local.RunStack(t.Context(), nil, &local.UpOptions{CodecPort: taken}, local.Files{})
	require.ErrorContains(t, err, "or give --codec-port 0")
	require.NoError(t, listener.Close())
	require.NoError(t, local.RefuseTaken(t.Context(), "api-port", taken))
}

func TestACommandSaysWhatToName(t *testing.T) {
	for args, want := range map[string]string{
		"rules validate":          "name one file: starter rules validate FILE",
		"rules test":              "name one file or more: starter rules test FILE...",
		"account create org_1":    "name one organization id and one name: starter account create ORGANIZATION_ID NAME",
		"organization list extra": "this command takes flags only: starter organization list",
		"explain":                 "name one workflow id: starter explain WORKFLOW_ID",
		"delivery retry":          "name one delivery id: starter delivery retry DELIVERY_ID",
		"call":                    "name one operation: starter call OPERATION [JSON | -]",
	} {
		_, err := run(t, strings.Fields(args)...)
		require.ErrorContains(t, err, want)
	}
}

// In a usage text, what stands between backquotes is taken for the flag's value.
func TestAFlagsValueIsOneWord(t *testing.T) {
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			name, _ := pflag.UnquoteUsage(f)
			require.NotContains(t, name, " ", "%s --%s", c.CommandPath(), f.Name)
		})
		for _, below := range c.Commands() {
			visit(below)
		}
	}
	visit(command())
}

func TestWhatIsNotThereIsSaidWithoutACredential(t *testing.T) {
	var told bytes.Buffer
	require.Equal(t, cli.ExitFailed, cli.ExitCode(&told, fmt.Errorf("x: %w", refusal.NotFound(refusal.EntityAccount, "sb_1"))))
	require.Equal(t, "starter: there is no such account: sb_1\n", told.String())
	require.Equal(t, "there is no such business sales info: bsi_1", cli.OperatorRefusal(refusal.NotFound(refusal.EntitySalesInfo, "bsi_1")).Message)
	// What the API refuses is a refusal, whichever command has asked.
	require.Equal(t, cli.ExitRefused, cli.ExitCode(&told, fmt.Errorf("x: %w", requisite.Error{Code: "ENTITY_NOT_FOUND", Message: "m"})))
}

func TestAStacksAccountSignsForItself(t *testing.T) {
	s := cli.Stack{Accounts: []cli.StackAccount{{AccountID: "sb_1", APIKey: "k1"}, {AccountID: "sb_2", APIKey: "k2"}}}
	for id, key := range map[string]string{"": "k1", "sb_1": "k1", "sb_2": "k2"} {
		as, err := s.Account(id)
		require.NoError(t, err)
		require.Equal(t, key, as.APIKey)
	}
	_, err := s.Account("sb_3")
	require.ErrorContains(t, err, "the running stack has no credential for account sb_3: its accounts are sb_1, sb_2; ")
}

// TestACopyOfAKeysetIsRotatedWithoutADatabase, as where the keyset is mounted
// from a Secret that only its owner writes.
func TestACopyOfAKeysetIsRotatedWithoutADatabase(t *testing.T) {
	t.Setenv("DATABASE_URL", "")
	t.Setenv("REQUISITE_KEK_FILE", "")
	path := filepath.Join(t.TempDir(), "kek.json")
	for _, args := range [][]string{{"create", path}, {"add", path}, {"promote", path}} {
		_, err := run(t, append([]string{"keyset"}, args...)...)
		require.NoError(t, err)
	}
	before, err := vault.Keyset{File: path}.Keys()
	require.NoError(t, err)
	require.Len(t, before, 2)
	out, err := run(t, "keyset", "drop", "--offline", path)
	require.NoError(t, err)
	require.Contains(t, out, "1 old key(s) deleted from "+path)
	after, err := vault.Keyset{File: path}.Keys()
	require.NoError(t, err)
	require.Equal(t, before[1:], after, "the key that encrypts is left")
	_, err = run(t, "keyset", "drop", "--offline", path, "--payload")
	require.Error(t, err)
	_, err = run(t, "keyset", "drop")
	require.ErrorContains(t, err, "DATABASE_URL", "without it, the database is asked")
}
