//go:build deep

package guide_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
)

const showForms = `
import json, sys
import form, requisite
task = json.load(open(sys.argv[1]))
client = requisite.Client(task["base_url"], task["credential"]["api_key"], task["credential"]["secret_key"], task["credential"]["auth_token"])
for entity_type in ("Business", "Person", "BusinessSalesInfo", "Workflow"):
    print(form.form(client, task["account_id"], entity_type) + "\n")
`

// TestGuide_FormShowsDeclaredFacts runs the program of the guide that shows a form.
func TestGuide_FormShowsDeclaredFacts(t *testing.T) {
	s := harness.Shared(t)
	python := pythonOfTheClient(t)
	credential, accountID := s.Credential(t, "form")
	dir := t.TempDir()
	rules := filepath.Join(dir, "rules.yaml")
	writeFiles(t, dir, map[string]string{"rules.yaml": `
facts:
  - {name: legal_form, entity_type: Business, type: TEXT, choices: [LLC, R&D_TRUST], label: "<b>legal form</b>", ask: "As in its \"registration\"."}
  - {name: sells_cbd, entity_type: Business, type: BOOLEAN, label: sells CBD, ask: Whether it does.}
  - {name: deposit, entity_type: Business, type: AMOUNT, label: deposit, ask: What it holds.}
  - {name: roles, entity_type: Person, type: TEXT_LIST, choices: [DIRECTOR, SIGNATORY], label: roles, ask: None is an answer.}
  - {name: aliases, entity_type: Person, type: TEXT_LIST, label: other names, ask: One a line.}
  - {name: first_sale_date, entity_type: Workflow, type: DATE, label: first sale, ask: The day of the first sale.}
documents: []
`})
	publish := func() {
		out, err := s.Starter("rules", "publish", rules, "--as-operator", accountID).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	publish()
	client, err := filepath.Abs("../../clients/python")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(filepath.Join(client, "requisite"), filepath.Join(dir, "requisite")))
	var program string
	for _, b := range blocks(t, "../../docs/calling.md") {
		if b.language == "python" && strings.Contains(b.text, "account_fact_list") {
			program = b.text
		}
	}
	require.NotEmpty(t, program)
	require.LessOrEqual(t, strings.Count(program, "\n"), 25)
	task, err := json.Marshal(harness.Object{"base_url": s.Client.BaseURL, "credential": credential, "account_id": accountID})
	require.NoError(t, err)
	writeFiles(t, dir, map[string]string{"form.py": program, "main.py": showForms, "task.json": string(task)})
	show := func() string {
		out, err := exec.CommandContext(t.Context(), python, "-B", filepath.Join(dir, "main.py"), filepath.Join(dir, "task.json")).CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	require.Equal(t, `<p><label>deposit <input name="custom.deposit" type="number" step="any"></label> <small>What it holds.</small></p>
<p><label>&lt;b&gt;legal form&lt;/b&gt; <select name="custom.legal_form"><option></option><option>LLC</option><option>R&amp;D_TRUST</option></select></label> <small>As in its &quot;registration&quot;.</small></p>
<p><label>sells CBD <select name="custom.sells_cbd"><option></option><option>true</option><option>false</option></select></label> <small>Whether it does.</small></p>
<p><label>established date <input name="established_date" type="date"></label> <small>The day on which the business was established.</small></p>
<p><label>industry category code <textarea name="industry_category_code"></textarea></label> <label><input name="industry_category_code.none" type="checkbox"> none</label> <small>The industry category codes of the business, with the zeros at their beginning.</small></p>
<p><label>country <input name="address.country" maxlength="200"></label> <small>The country of the business&#x27;s address.</small></p>

<p><label>other names <textarea name="custom.aliases"></textarea></label> <label><input name="custom.aliases.none" type="checkbox"> none</label> <small>One a line.</small></p>
<p><label>roles <select name="custom.roles" multiple><option>DIRECTOR</option><option>SIGNATORY</option></select></label> <label><input name="custom.roles.none" type="checkbox"> none</label> <small>None is an answer.</small></p>
<p><label>citizenship <input name="citizenship" maxlength="200"></label> <small>The country of citizenship, or that this person is stateless or a refugee.</small></p>
<p><label>ownership percentage <input name="ownership_percentage" type="number" step="any"></label> <small>The share of the business that this person owns, in percent.</small></p>
<p><label>date of birth <input name="date_of_birth" type="date"></label> <small>The day on which this person was born.</small></p>
<p><label>country of residence <input name="country_of_residence" maxlength="200"></label> <small>The country in which this person lives.</small></p>

<p><label>average monthly credit sales <input name="AVERAGE_MONTHLY_CREDIT_SALES" type="number" step="any"></label> <small>The average sales by card in a month.</small></p>
<p><label>average yearly credit sales <input name="AVERAGE_YEARLY_CREDIT_SALES" type="number" step="any"></label> <small>The average sales by card in a year.</small></p>
<p><label>average individual sale <input name="AVERAGE_INDIVIDUAL_SALE" type="number" step="any"></label> <small>The average of a single sale.</small></p>
<p><label>highest ticket sale <input name="HIGHEST_TICKET_SALE" type="number" step="any"></label> <small>The largest single sale.</small></p>

<p><label>first sale <input name="custom.first_sale_date" type="date"></label> <small>The day of the first sale.</small></p>

`, show())

	writeFiles(t, dir, map[string]string{"rules.yaml": "documents: []\n"})
	publish()
	left := show()
	require.NotContains(t, left, "custom.", "no set declares them any more")
	require.Contains(t, left, "established_date", "what every account has stays")
}
