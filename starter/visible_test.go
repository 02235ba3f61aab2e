package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/starter/cli"
	"requisite/starter/webhooks"
)

// hostile is what somebody else may call a thing: it empties a terminal, turns
// text round, and begins a line of its own.
const hostile = "x\x1b[2J\u009b1A\u202eevil\u2066\nstarter: all is well"

// requireHarmless fails for what a terminal would obey or a reader not see.
func requireHarmless(t *testing.T, printed string) {
	t.Helper()
	for _, r := range printed {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			t.Fatalf("%U in %q", r, printed)
		}
	}
	require.NotContains(t, "\n"+printed, "\nstarter: all is well", "a name begins a line of its own")
}

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

func TestNothingFromAFileOrAnAnswerSteersTheTerminal(t *testing.T) {
	var printed strings.Builder
	shows := func(args ...string) string {
		t.Helper()
		out, err := run(t, args...)
		var told bytes.Buffer
		cli.ExitCode(&told, err)
		requireHarmless(t, strings.ReplaceAll(told.String(), "starter: ", ""))
		requireHarmless(t, out)
		printed.WriteString(out + told.String())
		return out + told.String()
	}
	bad := hostileRules(t, `{documents: []}`)
	shows("rules", "validate", bad)
	shows("rules", "test", "-v", bad)
	shows("rules", "diff", bad, hostileRules(t, `{gaps: []}`))
	shows("rules", "validate", filepath.Join(t.TempDir(), "\x1b[2J.yaml"))
	shows("rules", hostile)
	require.Contains(t, printed.String(), `\u001b[2J`, "it is shown for what it is")

	flags := fakeAPI(t, func(string, map[string]any) string { return success(`{"name":"` + "\u202e\u009b2J" + `"}`) })
	out := shows(append([]string{"call", "account.get"}, flags...)...)
	require.Contains(t, out, `"name": "\u202e\u009b2J"`, "it is the same JSON")
}

func TestNothingOnRecordSteersTheTerminal(t *testing.T) {
	b := setup(t)
	organization, err := b.store.CreateOrganization(t.Context(), hostile)
	require.NoError(t, err)
	scope := domain.Scope{OrganizationID: organization.ID, Environment: domain.Sandbox}
	_, err = b.store.CreateAccount(t.Context(), scope, hostile, "USD", "UTC")
	require.NoError(t, err)
	_, _, err = b.store.CreateCredential(t.Context(), scope, domain.NewCredential{Name: hostile})
	require.NoError(t, err)
	rules := rulesFile(t, "rules.yaml", strings.ReplaceAll(`documents:
  - {document_type_code: A, name: "x\u202e\nstarter: all is well", category: "\u2066", requirement_text: t, entity_type: Business, when: '!("aRLOb" in industry_category_code)'}
`, "RLO", "\u202e"))
	b.run("rules", "publish", rules, "--account", b.account, "--comment", hostile)
	var endpoint domain.Endpoint
	b.write(func(r *postgres.Records) error {
		endpoint, err = r.CreateEndpoint(t.Context(), id.Must[id.AccountID](b.account), domain.Endpoint{URL: "https://example.com/"})
		if err == nil {
			_, err = r.TestEndpoint(t.Context(), endpoint.WireID(), domain.WebhookTest)
		}
		return err
	})
	b.exec(`UPDATE webhook_delivery SET last_error = $1`, "the certificate is of "+hostile)
	for _, args := range [][]string{
		{"organization", "list"}, {"account", "list", organization.WireID()}, {"account", "list"}, {"credential", "list", organization.WireID()},
		{"rules", "list", "--account", b.account}, {"rules", "get", "--account", b.account},
		{"rules", "preview", rules, "--account", b.account}, {"rules", "preview", rules, "--account", b.account, "--workflow", b.workflow},
		{"rules", "preview", rules, "--account", b.account, "--json"},
		{"explain", b.workflow}, {"explain", b.workflow, "--json"},
		{"delivery", "list", "--account", b.account},
	} {
		requireHarmless(t, b.run(args...))
	}
	out := b.run("delivery", "list", "--account", b.account)
	require.Contains(t, out, endpoint.WireID().String())
	require.Contains(t, out, `the certificate is of x\u001b[2J\u009b1A\u202eevil\u2066 starter: all is well`)
}

func TestNothingThatArrivesUnsignedSteersTheTerminal(t *testing.T) {
	var out bytes.Buffer
	printer := &webhooks.WebhookPrinter{Out: &out}
	r := &webhooks.Receiver{AccountID: "sb_1", KeysFile: filepath.Join(t.TempDir(), "none.json"), Keys: map[string]string{}, Had: map[string]bool{}, Took: printer.Took, Refused: printer.Refused}
	header := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"dir","enc":"A256GCM"}`))
	part := base64.RawURLEncoding.EncodeToString(make([]byte, 16))
	body := `{"retry_count":0,"account_id":"a\u001b[2J\nstarter: all is well","key_id":"k\u202e` + strings.Repeat("x", 1000) + `","data":"` + header + ".." + part[:16] + "." + part + "." + part + `"}`
	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/webhooks", strings.NewReader(body)))
	require.Equal(t, http.StatusUnauthorized, w.Code)
	require.Contains(t, out.String(), `there is no secret for this key: k\u202exxx`)
	requireHarmless(t, out.String())
	require.Less(t, out.Len(), 500)

	printer.Refused(errors.New(hostile))
	requireHarmless(t, out.String())
}
