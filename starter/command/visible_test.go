package command_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
	"requisite/starter/cli"
	"requisite/starter/startertest"
)

func hostileRules(t *testing.T, expect string) string {
	path := filepath.Join(t.TempDir(), "rules\x1b[2J\u202e.yaml")
	require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(`
lists: {"l\e[2J": ["\u202e7995"]}
documents:
  - {document_type_code: A, name: "x\e[2J\u202e\nstarter: all is well", category: "\u2066", requirement_text: "x\e[2J", entity_type: Business, when: 'business_age_years >= 2 && !("aRLOb" in industry_category_code)'}
examples:
  - {name: "x\e[2J\u202e\nstarter: all is well", facts: {}, expect: `+expect+`}
`, "RLO", "\u202e")), 0o600))
	return path
}

func TestOutput_EscapesControlCharactersOfFilesAndAnswers(t *testing.T) {
	var printed strings.Builder
	shows := func(args ...string) string {
		t.Helper()
		out, err := startertest.Run(t, args...)
		var told bytes.Buffer
		cli.ExitCode(&told, err)
		startertest.RequireHarmless(t, strings.ReplaceAll(told.String(), "starter: ", ""))
		startertest.RequireHarmless(t, out)
		printed.WriteString(out + told.String())
		return out + told.String()
	}
	bad := hostileRules(t, `{documents: []}`)
	shows("rules", "validate", bad)
	shows("rules", "test", "-v", bad)
	shows("rules", "diff", bad, hostileRules(t, `{gaps: []}`))
	shows("rules", "validate", filepath.Join(t.TempDir(), "\x1b[2J.yaml"))
	shows("rules", startertest.Hostile)
	require.Contains(t, printed.String(), `\u001b[2J`, "it is shown for what it is")

	flags := startertest.FakeAPI(t, func(string, map[string]any) string { return startertest.Success(`{"name":"` + "\u202e\u009b2J" + `"}`) })
	out := shows(append([]string{"call", "account.get"}, flags...)...)
	require.Contains(t, out, `"name": "\u202e\u009b2J"`, "it is the same JSON")
}

func TestOutput_EscapesControlCharactersOfRecords(t *testing.T) {
	b := startertest.Setup(t)
	_, call := pgtest.NewAccount(t, b.Store, "hostile", "UTC")
	organization := domain.Organization{ID: call.Scope.OrganizationID}
	_, _, err := b.Store.Credentials.Create(t.Context(), call.Scope, domain.NewCredential{Name: "hostile"})
	require.NoError(t, err)
	for _, table := range []string{"organization", "account", "credential"} { // no command makes such a name
		b.Exec(`UPDATE `+table+` SET name = $1 WHERE name = 'hostile'`, startertest.Hostile)
	}
	rules := startertest.RulesFile(t, "rules.yaml", strings.ReplaceAll(`documents:
  - {document_type_code: A, name: "x\u202e\nstarter: all is well", category: "\u2066", requirement_text: t, entity_type: Business, when: '!("aRLOb" in industry_category_code)'}
`, "RLO", "\u202e"))
	b.Publish(rules, "--comment", "hostile")
	b.Exec(`ALTER TABLE rule_set DISABLE TRIGGER rule_set_is_immutable`)
	b.Exec(`UPDATE rule_set SET comment = $1`, startertest.Hostile)
	var endpoint domain.Endpoint
	b.Write(func(r *store.Records) error {
		endpoint, err = r.Webhooks.CreateEndpoint(t.Context(), id.Must[id.AccountID](b.Account), domain.Endpoint{URL: "https://example.com/"})
		if err == nil {
			_, err = r.Webhooks.TestEndpoint(t.Context(), endpoint.WireID(), domain.WebhookTest)
		}
		return err
	})
	b.Exec(`UPDATE webhook_delivery SET last_error = $1`, "the certificate is of "+startertest.Hostile)
	for _, args := range [][]string{
		{"organization", "list"}, {"account", "list", organization.WireID()}, {"account", "list"}, {"credential", "list", organization.WireID()},
		{"rules", "get", "--account", b.Account},
		{"rules", "preview", rules, "--account", b.Account}, {"rules", "preview", rules, "--account", b.Account, "--workflow", b.Workflow},
		{"rules", "preview", rules, "--account", b.Account, "--json"},
		{"delivery", "list", "--account", b.Account}, {"call", "account.get", `{"account_id":"` + b.Account + `"}`, "--as-operator", b.Account},
	} {
		startertest.RequireHarmless(t, b.MustRun(args...))
	}
	out := b.MustRun("delivery", "list", "--account", b.Account)
	require.Contains(t, out, endpoint.WireID().String())
	require.Contains(t, out, `the certificate is of x\u001b[2J\u009b1A\u202eevil\u2066 starter: all is well`)
}
