package ruleset_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/changes"
	"requisite/internal/store"
	"requisite/starter/startertest"
)

// copyDecision makes applications that each have a copy of the first decision of the bundle's
// workflow. Their monthly sales are 0, 100, 200 and so on up to 99,900, and again. Every tenth
// has a later decision that is the same, and every 97th is erased.
func copyDecision(b *startertest.Bundle, count int) {
	b.Helper()
	const columns = `kind, outcome, decided_at, as_of, user_id, user_type, trace_id, rule_set_id, rule_set_sha256, changes`
	workflow := id.Must[id.WorkflowID](b.Workflow).UUID
	b.Exec(fmt.Sprintf(`
		ALTER TABLE decision DISABLE TRIGGER decision_follows;
		CREATE TEMPORARY TABLE copy AS SELECT n, overlay(gen_random_uuid()::text placing '01' from 1)::uuid AS workflow_id, overlay(gen_random_uuid()::text placing '01' from 1)::uuid AS decision_id FROM generate_series(1, %d) n;
		INSERT INTO workflow (id, account_id, business_id, state, created_at, created_on, started_at, updated_at, decision_number, decision_digest, decided_at)
			SELECT c.workflow_id, account_id, business_id, state, created_at, created_on, started_at, updated_at, 1 + (n %% 10 = 0)::int, decision_digest, decided_at FROM workflow w, copy c WHERE w.id = '%[2]s';
		INSERT INTO decision (id, workflow_id, number, `+columns+`, results, personal, salt, personal_sha256, fingerprint, digest)
			SELECT c.decision_id, c.workflow_id, 1, `+columns+`, results,
				CASE WHEN n %% 97 > 0 THEN replace(personal, '"value":50000,', '"value":' || n %% 1000 * 100 || ',') END, CASE WHEN n %% 97 > 0 THEN salt END, personal_sha256, CASE WHEN n %% 97 > 0 THEN fingerprint END, digest
			FROM decision d, copy c WHERE d.workflow_id = '%[2]s' AND d.number = 1;
		INSERT INTO decision (id, workflow_id, number, previous_at, previous_digest, `+columns+`, results, personal, salt, personal_sha256, fingerprint, digest)
			SELECT overlay(gen_random_uuid()::text placing '01' from 1)::uuid, c.workflow_id, 2, d.decided_at, d.digest, `+columns+`, results, personal, salt, personal_sha256, fingerprint, digest
			FROM decision d JOIN copy c ON c.decision_id = d.id WHERE c.n %% 10 = 0;
		ALTER TABLE decision ENABLE TRIGGER decision_follows;
		ANALYZE`, count, workflow))
}

// recordedSales are the last calculations of the record, with the monthly sales in them; NULL
// once erased.
const recordedSales = `
	WITH last AS (
		SELECT DISTINCT ON (d.workflow_id) d.id, d.personal::jsonb AS personal FROM decision d
		WHERE d.kind = 'CALCULATION' ORDER BY d.workflow_id, d.number DESC),
	sales AS (
		SELECT id, (SELECT (a ->> 'value')::numeric FROM jsonb_array_elements(personal #> '{facts,business,sales_info,sales_amount}') a WHERE a ->> 'type' = 'AVERAGE_MONTHLY_CREDIT_SALES') AS monthly FROM last)
	SELECT count(*) FROM sales WHERE `

type backtested struct {
	AccountID string `json:"account_id"`
	InForce   struct {
		Version int `json:"version"`
	} `json:"in_force"`
	changes.Report
}

func backtest(b *startertest.Bundle, file string) (found backtested) {
	b.Helper()
	require.NoError(b, json.Unmarshal([]byte(b.MustRun("rules", "backtest", file, "--account", b.Account, "--since", "2020-01-01", "--json")), &found))
	return found
}

func salesRules(when string) string {
	return fmt.Sprintf(`documents:
  - {document_type_code: STATEMENTS, name: n, category: c, requirement_text: t, entity_type: Business, when: '%s'}
  - {document_type_code: PASSPORT, name: n, category: c, requirement_text: t, entity_type: Person, when: 'person.citizenship != "US"'}
`, when)
}

// TestBacktest_FindsExactlyThePlantedThreshold: SQL says who is concerned. The version in
// force changes nothing, erased decisions are counted, and so are facts that the record lacks.
func TestBacktest_FindsExactlyThePlantedThreshold(t *testing.T) {
	b := startertest.Setup(t)
	b.SupplyFacts()
	inForce := startertest.RulesFile(t, "old.yaml", salesRules("average_monthly_credit_sales > 50000"))
	b.Publish(inForce)
	b.DecideByRules(b.Workflow)
	const applications = 2500
	copyDecision(b, applications)
	erased := b.Count(recordedSales + `monthly IS NULL`)
	require.Positive(t, erased)

	found := backtest(b, inForce)
	require.True(t, found.Changed.Applications == 0 && !found.Rules[0].Differs() && !found.Rules[1].Differs() && len(found.Gaps) == 0 && len(found.Failures) == 0, "%+v", found)
	require.Equal(t, b.Account, found.AccountID)
	require.Equal(t, 1, found.InForce.Version)
	require.Equal(t, erased, found.Erased)
	require.Equal(t, applications+1-erased, found.Applications)
	require.Equal(t, found.Applications, found.Unchanged.Applications)

	require.Contains(t, b.MustRun("rules", "backtest", inForce, "--account", b.Account, "--since", "2020-01-01"), "\nNothing would be decided otherwise.\n")

	found = backtest(b, startertest.RulesFile(t, "lower.yaml", salesRules("average_monthly_credit_sales >= 40000")))
	planted := b.Count(recordedSales + `monthly BETWEEN 40000 AND 50000`)
	require.Positive(t, planted)
	statements := found.Rules[1]
	require.Equal(t, "STATEMENTS", statements.DocumentTypeCode)
	require.Equal(t, "average_monthly_credit_sales >= 40000", statements.Rule)
	require.Equal(t, "average_monthly_credit_sales > 50000", statements.RuleInForce)
	added := statements.Of(changes.Added)
	require.Equal(t, planted, added.Applications)
	require.Equal(t, planted, found.Changed.Applications)
	require.Zero(t, statements.Of(changes.Removed).Applications)
	require.Len(t, added.Examples, 3)
	require.Equal(t, 3, b.Count(recordedSales+`monthly BETWEEN 40000 AND 50000 AND id IN (`+uuidsOf(added.Examples)+`)`), "the examples are of the planted ones")

	found = backtest(b, startertest.RulesFile(t, "higher.yaml", salesRules("average_monthly_credit_sales > 70000")))
	lost := b.Count(recordedSales + `monthly > 50000 AND monthly <= 70000`)
	require.Equal(t, lost, found.Rules[1].Of(changes.Removed).Applications)
	require.Zero(t, found.Rules[1].Of(changes.Added).Applications)

	scored := startertest.RulesFile(t, "scored.yaml", salesRules("evaluation_score < 500"))
	found = backtest(b, scored)
	require.Equal(t, applications+1-erased, found.LackingFacts.Applications)
	require.Len(t, found.Gaps, 1)
	require.Equal(t, "evaluation_score", found.Gaps[0].What)
	require.Equal(t, found.Applications, found.Gaps[0].Applications)
	require.Zero(t, found.Gaps[0].InForce)

	out := b.MustRun("rules", "backtest", startertest.RulesFile(t, "lower.yaml", salesRules("average_monthly_credit_sales >= 40000")), "--account", b.Account, "--since", "2020-01-01")
	require.Contains(t, out, fmt.Sprintf("  %d would change, such as dec_", planted))
	require.Contains(t, out, "\nSTATEMENTS of Business\n  in force: average_monthly_credit_sales > 50000\n  draft:    average_monthly_credit_sales >= 40000\n")
	require.Contains(t, out, fmt.Sprintf("  STATEMENTS  added     in %d applications, such as dec_", planted))
	require.Contains(t, out, fmt.Sprintf("Left out, because their facts were erased: %d\n", erased))
	require.Regexp(t, `\n  evaluation_score  \d+ +in \d+ applications, such as .*  STATEMENTS\n`, b.MustRun("rules", "backtest", scored, "--account", b.Account, "--since", "2020-01-01"))
}

// uuidsOf are ids of decisions as SQL.
func uuidsOf(decisions []string) string {
	texts := make([]string, len(decisions))
	for i, d := range decisions {
		texts[i] = "'" + id.Must[id.DecisionID](d).UUID.String() + "'"
	}
	return strings.Join(texts, ", ")
}

// TestBacktest_UsesTheFactsOfThen, and no calculation from before --since.
func TestBacktest_UsesTheFactsOfThen(t *testing.T) {
	b := startertest.Setup(t)
	b.Publish(startertest.RulesFile(t, "old.yaml", oldRules))
	b.DecideByRules(b.Workflow)
	b.Write(func(r *store.Records) error {
		return r.Persons.Update(t.Context(), id.Must[id.PersonID](b.Person), domain.CustomChange{}, func(p *domain.Person) {
			us := "US"
			p.Citizenship = &us
		})
	})
	file := startertest.RulesFile(t, "none.yaml", strings.ReplaceAll(oldRules, `!= "US"`, `== "FR"`))
	found := backtest(b, file)
	require.Equal(t, "PASSPORT", found.Rules[2].DocumentTypeCode)
	require.Equal(t, 1, found.Rules[2].Of(changes.Removed).Applications, "the person was not a citizen of the US then")

	out := b.MustRun("rules", "backtest", file, "--account", b.Account, "--since", time.Now().AddDate(0, 0, 2).Format(time.DateOnly))
	require.Contains(t, out, "Of 0 applications with a calculation since")

	other, err := b.Store.Organizations.CreateAccount(t.Context(), b.Call.Scope, "other", "USD", "UTC")
	require.NoError(t, err)
	_, err = b.Try("rules", "backtest", file, "--account", other.WireID().String(), "--since", "2020-01-01")
	require.ErrorContains(t, err, "No rules are in force")
	_, err = b.Try("rules", "backtest", file, "--account", b.Account)
	require.ErrorContains(t, err, "--since is missing")
	_, err = b.Try("rules", "backtest", file, "--account", b.Account, "--since", "May")
	require.ErrorContains(t, err, "--since must be a date")
}
