package replay_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/decision/replay"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/view"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

func ruleOf(code, entityType, when string) requirement.DocumentRule {
	return requirement.DocumentRule{DocumentTypeCode: code, Name: code, Category: "c", RequirementText: "t", EntityType: entityType, When: when}
}

func program(t *testing.T, rules ...requirement.DocumentRule) *requirement.Program {
	t.Helper()
	loaded, err := replay.LoadRuleSet(t.Context(), publication(rules...))
	require.NoError(t, err)
	return loaded.RuleSet
}

func publication(rules ...requirement.DocumentRule) calculation.Publication {
	draft := calculation.NewDraft(requirement.RuleSet{Documents: rules}.CanonicalJSON())
	return calculation.Publication{Content: string(draft.Content), EnvironmentVersion: draft.EnvironmentVersion, CostLimit: draft.CostLimit}
}

func factsOf(score *rational.Number, date *string) decision.Facts {
	return decision.Facts{
		Workflow: decision.WorkflowFacts{WorkflowID: id.WorkflowID{UUID: id.New()}, EvaluationScore: score, Currency: "USD"},
		Business: view.BusinessData{BusinessID: id.BusinessID{UUID: id.New()}, EstablishedDate: date},
	}
}

func number(n int64) *rational.Number {
	exact := rational.Int(n)
	return &exact
}

var today = fact.Date{Year: 2026, Month: 11, Day: 25}

// caseOf is a decision as it is recorded and read again.
func caseOf(t *testing.T, rules replay.Rules, facts decision.Facts) replay.Case {
	t.Helper()
	seen, err := facts.ForRules(today)
	require.NoError(t, err)
	found, err := rules.RuleSet.Evaluate(t.Context(), seen)
	content := decision.Content{Kind: decision.Calculation, Outcome: decision.Calculated, Gaps: found.Gaps, Results: decision.ResultsOfRules(found)}
	switch {
	case err != nil:
		content.Outcome, content.Error = decision.Outcome(refusal.RuleNotEvaluable), &decision.RuleError{Code: refusal.RuleNotEvaluable, Message: err.Error()}
	case len(found.Gaps) > 0:
		content.Outcome = decision.Outcome(refusal.MissingRequirements)
	}
	d := decision.Decision{ID: id.DecisionID{UUID: id.New()}, Kind: content.Kind, Outcome: content.Outcome, AsOf: today, Changes: "{}"}
	d.Results, d.Personal, err = content.Texts(facts)
	require.NoError(t, err)
	c, err := replay.Read(d)
	require.NoError(t, err)
	return c
}

// TestReplay_NamesWhatDiffers: a changed rule stands for an evaluator that decides otherwise.
func TestReplay_NamesWhatDiffers(t *testing.T) {
	then := replay.Rules{RuleSet: program(t, ruleOf("SCORED", "Business", "evaluation_score > 500"), ruleOf("ALWAYS", "Workflow", ""))}
	c := caseOf(t, then, factsOf(number(600), nil))
	of := "SCORED of Business " + c.Facts.Business.BusinessID.String()
	date := "2001-01-01"
	for _, now := range []struct {
		name  string
		rules []requirement.DocumentRule
		facts decision.Facts
		want  []replay.Difference
	}{
		{"the same", []requirement.DocumentRule{ruleOf("SCORED", "Business", "evaluation_score > 500"), ruleOf("ALWAYS", "Workflow", "")}, c.Facts, nil},
		{"another order", []requirement.DocumentRule{ruleOf("ALWAYS", "Workflow", ""), ruleOf("SCORED", "Business", "evaluation_score > 500")}, c.Facts, nil},
		{"another result", []requirement.DocumentRule{ruleOf("SCORED", "Business", "evaluation_score > 700"), ruleOf("ALWAYS", "Workflow", "")}, c.Facts, []replay.Difference{{
			Of:       of,
			Recorded: `required by evaluation_score > 500, decided by {"evaluation_score":600}`, Now: `not required by evaluation_score > 700, decided by {"evaluation_score":600}`,
		}}},
		{"no result", []requirement.DocumentRule{ruleOf("ALWAYS", "Workflow", "")}, c.Facts, []replay.Difference{{
			Of: of, Recorded: `required by evaluation_score > 500, decided by {"evaluation_score":600}`, Now: "nothing",
		}}},
		{"a gap", []requirement.DocumentRule{ruleOf("SCORED", "Business", "business_age_years > 5")}, c.Facts, []replay.Difference{{Of: "outcome", Recorded: "CALCULATED", Now: "MISSING_REQUIREMENTS"}}},
		{"no answer", []requirement.DocumentRule{ruleOf("SCORED", "Business", "1 / (evaluation_score - 600) > 1")}, c.Facts, []replay.Difference{{Of: "outcome", Recorded: "CALCULATED", Now: "RULE_NOT_EVALUABLE"}}},
		{"other facts", []requirement.DocumentRule{ruleOf("SCORED", "Business", "evaluation_score > 500"), ruleOf("ALWAYS", "Workflow", "")}, withScore(c.Facts, 601), []replay.Difference{{
			Of: of, Recorded: `required by evaluation_score > 500, decided by {"evaluation_score":600}`, Now: `required by evaluation_score > 500, decided by {"evaluation_score":601}`,
		}}},
		{"a date that counts for nothing", []requirement.DocumentRule{ruleOf("SCORED", "Business", "evaluation_score > 500"), ruleOf("ALWAYS", "Workflow", "")}, withDate(c.Facts, &date), nil},
	} {
		t.Run(now.name, func(t *testing.T) {
			again := c
			again.Facts = now.facts
			found, err := replay.Replay(t.Context(), again, replay.Rules{RuleSet: program(t, now.rules...)})
			require.NoError(t, err)
			require.Equal(t, now.want, found)
		})
	}
}

func withScore(f decision.Facts, n int64) decision.Facts {
	f.Workflow.EvaluationScore = number(n)
	return f
}

func withDate(f decision.Facts, date *string) decision.Facts {
	f.Business.EstablishedDate = date
	return f
}

// TestReplay_ComparesGaps by code, entity and fields.
func TestReplay_ComparesGaps(t *testing.T) {
	then := replay.Rules{RuleSet: program(t, ruleOf("OLD", "Business", "business_age_years > 5 && highest_ticket_sale > 1"))}
	c := caseOf(t, then, factsOf(nil, nil))
	require.Len(t, c.Found.Gaps, 2)
	found, err := replay.Replay(t.Context(), c, then)
	require.NoError(t, err)
	require.Empty(t, found)
	found, err = replay.Replay(t.Context(), c, replay.Rules{RuleSet: program(t, ruleOf("OLD", "Business", "business_age_years > 5"))})
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Contains(t, found[0].Recorded, "HIGHEST_TICKET_SALE")
	require.Equal(t, "nothing", found[0].Now)
}

// TestReplay_ComparesTheCodeOfAFailure, and not its text.
func TestReplay_ComparesTheCodeOfAFailure(t *testing.T) {
	rules := replay.Rules{RuleSet: program(t, ruleOf("RATIO", "Business", "1 / (evaluation_score - 600) > 1"))}
	c := caseOf(t, rules, factsOf(number(600), nil))
	require.EqualValues(t, "RULE_NOT_EVALUABLE", c.Found.Outcome)
	found, err := replay.Replay(t.Context(), c, rules)
	require.NoError(t, err)
	require.Empty(t, found)
}

// TestEach_ShowsResultsInOrder, and stops at the first error of any part.
func TestEach_ShowsResultsInOrder(t *testing.T) {
	const total = 1000
	send := func(_ context.Context, send func([]int) error) error {
		for first := 0; first < total; first += 10 {
			batch := make([]int, 10)
			for i := range batch {
				batch[i] = first + i
			}
			if err := send(batch); err != nil {
				return err
			}
		}
		return nil
	}
	same := func(_ context.Context, n int) (int, error) { return n, nil }
	var seen []int
	require.NoError(t, replay.Each(t.Context(), send, same, func(n int) error { seen = append(seen, n); return nil }))
	require.Len(t, seen, total)
	require.IsIncreasing(t, seen)

	stop := errors.New("stop")
	require.ErrorIs(t, replay.Each(t.Context(), send, func(_ context.Context, n int) (int, error) {
		if n == 505 {
			return 0, stop
		}
		return n, nil
	}, func(n int) error { require.Less(t, n, 500); return nil }), stop)
	require.ErrorIs(t, replay.Each(t.Context(), send, same, func(n int) error {
		if n == 505 {
			return stop
		}
		return nil
	}), stop)
	require.ErrorIs(t, replay.Each(t.Context(), func(context.Context, func([]int) error) error { return stop }, same, func(int) error { return nil }), stop)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, replay.Each(canceled, send, same, func(int) error { t.Error("seen"); return nil }), context.Canceled)
}
