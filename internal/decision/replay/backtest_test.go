package replay_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/decision/replay"
	"requisite/internal/id"
	"requisite/internal/rules/requirement"
)

// backtest compares two rule sets for facts.
func backtest(t *testing.T, inForce, draft []requirement.DocumentRule, all ...decision.Facts) (*replay.Backtest, []string) {
	t.Helper()
	b := replay.NewBacktest(inForce, draft)
	one, other := program(t, inForce...), program(t, draft...)
	var decisions []string
	for _, facts := range all {
		a := replay.Application{DecisionID: id.DecisionID{UUID: id.New()}, AsOf: today, Facts: facts}
		decisions = append(decisions, a.DecisionID.String())
		found, err := replay.Compare(t.Context(), one, other, a)
		require.NoError(t, err)
		b.Add(found)
	}
	return b.Sum(), decisions
}

func rules(all ...requirement.DocumentRule) []requirement.DocumentRule { return all }

// TestBacktest_CountsDocumentsByRule that applications gain and lose.
func TestBacktest_CountsDocumentsByRule(t *testing.T) {
	found, decisions := backtest(t,
		rules(ruleOf("SCORED", "Business", "evaluation_score > 500"), ruleOf("DROPPED", "Workflow", "")),
		rules(ruleOf("SCORED", "Business", "evaluation_score > 300"), ruleOf("ADDED", "Workflow", "evaluation_score > 800")),
		factsOf(number(200), nil), factsOf(number(400), nil), factsOf(number(900), nil))
	require.Equal(t, 3, found.Applications)
	require.Equal(t, 3, found.Changed.Applications)
	require.False(t, found.Same())
	require.Equal(t, []replay.DocumentChange{
		{DocumentTypeCode: "ADDED", EntityType: "Workflow", Rule: "evaluation_score > 800", Gained: replay.Count{Applications: 1, Documents: 1, Examples: decisions[2:]}},
		{DocumentTypeCode: "DROPPED", EntityType: "Workflow", RuleInForce: "always required", Lost: replay.Count{Applications: 3, Documents: 3, Examples: decisions}},
		{DocumentTypeCode: "SCORED", EntityType: "Business", Rule: "evaluation_score > 300", RuleInForce: "evaluation_score > 500", Gained: replay.Count{Applications: 1, Documents: 1, Examples: decisions[1:2]}},
	}, found.Documents)
}

// TestBacktest_OfTheSameRulesIsTheSame, with complete and with incomplete facts.
func TestBacktest_OfTheSameRulesIsTheSame(t *testing.T) {
	same := rules(ruleOf("RATIO", "Business", "1 / (evaluation_score - 600) > 0"))
	found, _ := backtest(t, same, same, factsOf(number(200), nil), factsOf(number(600), nil), factsOf(nil, nil), factsOf(number(900), nil))
	require.True(t, found.Same())
	require.Equal(t, 2, found.Unchanged.Applications)
	require.Equal(t, 1, found.NotEvaluable.Applications)
	require.Equal(t, 1, found.LackingFacts.Applications)
	require.Empty(t, found.Documents)
	require.Zero(t, found.Gaps[0].New.Applications)
	require.Zero(t, found.Failures[0].New.Applications)
}

// TestBacktest_CountsLackingFactsOnce an application, and says which are new.
func TestBacktest_CountsLackingFactsOnce(t *testing.T) {
	date := "2001-01-01"
	found, decisions := backtest(t,
		rules(ruleOf("SCORED", "Business", "evaluation_score > 500")),
		rules(ruleOf("SCORED", "Business", "evaluation_score > 500"), ruleOf("OLD", "Business", "business_age_years > 5 || business_age_months > 6")),
		factsOf(number(200), nil), factsOf(nil, nil), factsOf(number(200), &date))
	require.False(t, found.Same())
	require.Equal(t, 1, found.Changed.Applications)
	require.Equal(t, 2, found.LackingFacts.Applications)
	require.Len(t, found.Gaps, 2)
	require.Equal(t, "established_date", found.Gaps[0].Fact)
	require.Equal(t, decisions[:2], found.Gaps[0].New.Examples)
	require.Equal(t, "evaluation_score", found.Gaps[1].Fact)
	require.Equal(t, 1, found.Gaps[1].Applications)
	require.Zero(t, found.Gaps[1].New.Applications)

	found, _ = backtest(t, rules(ruleOf("SCORED", "Business", "evaluation_score > 500")), rules(ruleOf("SCORED", "Business", "")), factsOf(nil, nil))
	require.Equal(t, 1, found.NewlyDecided.Applications)
	require.Empty(t, found.Documents)
	require.False(t, found.Same())
}

// TestBacktest_KeepsTenExamples of each count.
func TestBacktest_KeepsTenExamples(t *testing.T) {
	all := make([]decision.Facts, 15)
	for i := range all {
		all[i] = factsOf(number(1), nil)
	}
	found, decisions := backtest(t, nil, rules(ruleOf("ALWAYS", "Business", "")), all...)
	require.Equal(t, 15, found.Documents[0].Gained.Applications)
	require.Equal(t, decisions[:10], found.Documents[0].Gained.Examples)
}
