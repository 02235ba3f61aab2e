package ruleset_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/starter/startertest"
)

// TestRecalculation_IsShownAndCanceled. The worker calculates, which end-to-end tests see.
func TestRecalculation_IsShownAndCanceled(t *testing.T) {
	b := startertest.Setup(t)
	rules := startertest.RulesFile(t, "rules.yaml", `
documents:
  - {document_type_code: OLD, name: Old, category: c, requirement_text: t, entity_type: Business, when: average_monthly_credit_sales > 1}
`)
	_, err := b.Try("recalculation", "start", "--account", b.Account)
	require.ErrorContains(t, err, "RULES_NOT_PUBLISHED")
	b.Publish(rules)
	b.DecideByRules(b.Workflow) // which lacks the amount
	b.MustRun("call", "account.recalculation.start", `{"account_id":"`+b.Account+`"}`, "--as-operator", b.Account)
	_, err = b.Try("recalculation", "start", "--account", b.Account)
	run := regexp.MustCompile(`rec_\w+`).FindString(err.Error())
	require.NotEmpty(t, run, "the refusal names the one that runs: %s", err)
	require.Contains(t, b.MustRun("recalculation", "get", run), run+" is RUNNING: 0 applications done")
	require.Contains(t, b.MustRun("recalculation", "cancel", run, "--as", "Ada"), run+" is CANCELED")

	require.Regexp(t, `(?m)Ada +\S+ +recalculation cancel +DONE +`+run, b.MustRun("audit", "list"))

	report := filepath.Join(t.TempDir(), "report.csv")
	require.Contains(t, b.MustRun("recalculation", "get", run, "--wait", "--report", report), run+" is CANCELED")
	text, err := os.ReadFile(report)
	require.NoError(t, err)
	require.Regexp(t, `(?m)^`+b.Workflow+`,,dec_\w+,MISSING,,,BusinessSalesInfo,b_\w+,average_monthly_credit_sales$`, string(text))
	_, err = b.Try("recalculation", "get", run, "--report", report)
	require.ErrorContains(t, err, "--report: ")
	_, err = b.Try("recalculation", "get", "rec_000000000000000000001")
	require.ErrorContains(t, err, "ENTITY_NOT_FOUND")
}
