package decisions_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/store"
	"requisite/starter/cli"
	"requisite/starter/startertest"
)

// salesRules have one rule with a condition on sales.
func salesRules(when string) string {
	return "documents:\n  - {document_type_code: STATEMENTS, name: n, category: c, requirement_text: t, entity_type: Business, when: " + when + "}\n"
}

type replayedDecisions struct {
	Decisions    int `json:"decisions"`
	Replayed     int `json:"replayed"`
	Erased       int `json:"erased"`
	WithoutRules int `json:"without_rules"`
	Differing    int `json:"differing"`
	Differences  []struct {
		DecisionID  string `json:"decision_id"`
		Differences []struct{ Of, Recorded, Now string }
	} `json:"differences"`
}

// replay replays decisions, which must be the same.
func replay(b *startertest.Bundle, args ...string) (found replayedDecisions) {
	b.Helper()
	require.NoError(b, json.Unmarshal([]byte(b.MustRun(append([]string{"decision", "replay", "--json"}, args...)...)), &found))
	return found
}

// TestDecisionReplay_FindsTheSame for calculations, prices, gaps and refusals, each by the
// rules of then, also when rules and facts have changed since.
func TestDecisionReplay_FindsTheSame(t *testing.T) {
	b := startertest.Setup(t)
	publish := func(rules string) {
		b.Publish(startertest.RulesFile(t, "rules.yaml", rules))
	}
	publish(oldRules)
	first := b.DecideByRules(b.Workflow)
	publish(salesRules("average_monthly_credit_sales > 50000"))
	b.DecideByRules(b.Workflow) // a gap
	b.SupplyFacts()
	publish(salesRules("1 / (average_monthly_credit_sales - 50000) > 1"))
	b.DecideByRules(b.Workflow) // no answer
	b.MustRun("pricing", "publish", startertest.RulesFile(t, "pricing.yaml", "base: 500\nrules:\n  - {name: Old, when: business_age_years > 3, points: 20}\n"), "--account", b.Account)
	b.DecideScore(b.Workflow)
	b.Write(func(r *store.Records) error {
		documents, _, err := r.Documents.List(t.Context(), id.Must[id.WorkflowID](b.Workflow), calculation.DocumentFilter{}, nil)
		if err == nil {
			_, err = r.Documents.Update(t.Context(), id.Must[id.RequiredDocumentID](documents[0].ID), document.Review{Status: "NEEDS_REVIEW"}, id.DecisionID{})
		}
		return err
	})
	second := b.OpenWorkflow()
	publish(newRules)
	b.DecideByRules(second)

	found := replay(b, "--account", b.Account)
	require.Equal(t, replayedDecisions{Decisions: 6, Replayed: 5, WithoutRules: 1, Differences: found.Differences}, found)
	require.Empty(t, found.Differences)
	require.Equal(t, 1, replay(b, "--workflow", second).Replayed)
	require.Contains(t, b.MustRun("decision", "replay", "--workflow", b.Workflow), "Of 5 decisions, 4 were replayed: 4 the same, 0 different.\n  skipped: 1, made without rules\n")

	// A decision that says otherwise is named, with what differs.
	b.Exec(`UPDATE decision SET results = replace(results, '"holds":true', '"holds":false') WHERE id = $1`, first.DecisionID.UUID)
	out, err := b.Try("decision", "replay", "--account", b.Account)
	coded := &cli.ExitError{}
	require.ErrorAs(t, err, &coded)
	require.Equal(t, cli.ExitFailed, coded.Code)
	require.Contains(t, out, "Of 6 decisions, 5 were replayed: 4 the same, 1 different.\n")
	require.Contains(t, out, first.DecisionID.String()+", number 1 of workflow "+b.Workflow+" (CALCULATION)\n  OLD of Business "+b.Business+"\n    recorded: not required by business_age_years > 3,")

	// So is one whose rules are gone.
	b.Exec(`UPDATE decision SET results = replace(results, '"holds":false', '"holds":true') WHERE id = $1`, first.DecisionID.UUID)
	b.Exec(`UPDATE decision SET rule_set_id = gen_random_uuid() WHERE id = $1`, first.DecisionID.UUID)
	out, err = b.Try("decision", "replay", "--account", b.Account)
	require.ErrorAs(t, err, &coded)
	require.Contains(t, out, "now:      not stored any more\n")
}

// TestDecisionReplay_SkipsErasedDecisions, and counts them.
func TestDecisionReplay_SkipsErasedDecisions(t *testing.T) {
	b := startertest.Setup(t)
	b.Publish(startertest.RulesFile(t, "old.yaml", oldRules))
	b.DecideByRules(b.Workflow)
	b.Exec(`ALTER TABLE decision DISABLE TRIGGER decision_follows`)
	b.Exec(`UPDATE decision SET personal = NULL, salt = NULL, fingerprint = NULL`)
	found := replay(b, "--account", b.Account)
	require.Equal(t, 1, found.Erased)
	require.Zero(t, found.Replayed)
}

// TestDecisionReplay_OfACorpus needs no database, and names the file and the decision.
func TestDecisionReplay_OfACorpus(t *testing.T) {
	b := &startertest.Bundle{T: t}
	const corpus = "../../internal/decision/replay/testdata/corpus"
	require.Regexp(t, `^Of \d+ decisions, \d+ were replayed: \d+ the same, 0 different\.\n$`, b.MustRun("decision", "replay", "--corpus", corpus))
	files, err := filepath.Glob(corpus + "/*.json")
	require.NoError(t, err)
	data, err := os.ReadFile(files[0])
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "changed.json"), []byte(strings.Replace(string(data), `"evaluation_score":`, `"evaluation_score":1`, 1000)), 0o600))
	out, err := b.Try("decision", "replay", "--corpus", dir)
	require.ErrorAs(t, err, new(*cli.ExitError))
	require.Contains(t, out, "\nchanged.json, decision 1 (PRICING)\n  evaluation_score\n    recorded: 1")

	_, err = b.Try("decision", "replay", "--corpus", t.TempDir())
	require.ErrorContains(t, err, "holds no recordings")
	_, err = b.Try("decision", "replay", "--corpus", dir, "--account", "sb_1")
	require.ErrorContains(t, err, "name what to replay by one of")
	_, err = b.Try("decision", "replay")
	require.ErrorContains(t, err, "name what to replay by one of")
}
