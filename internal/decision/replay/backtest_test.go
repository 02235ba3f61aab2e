package replay_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/decision/replay"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
)

// backtest compares two rule sets for facts.
func backtest(t *testing.T, inForce, draft []requirement.DocumentRule, all ...decision.Facts) (*replay.Backtest, []string) {
	t.Helper()
	b := replay.NewBacktest(requirement.DocumentRules(inForce...), requirement.DocumentRules(draft...))
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

// TestBacktest_AChangedTextAloneIsAChange, and an approval of a document that is completed returns
// to review.
func TestBacktest_AChangedTextAloneIsAChange(t *testing.T) {
	was, is := rules(ruleOf("SCORED", "Business", "evaluation_score > 500")), rules(ruleOf("SCORED", "Business", "evaluation_score > 500"))
	is[0].RequirementText = "Not older than a month."
	b := replay.NewBacktest(requirement.DocumentRules(was...), requirement.DocumentRules(is...))
	require.Equal(t, []string{"SCORED"}, b.TextsChanged())
	one, other := program(t, was...), program(t, is...)
	ours := "PARTNER-17"
	for i, score := range []int64{600, 700, 200} {
		facts := factsOf(number(score), nil)
		a := replay.Application{DecisionID: id.DecisionID{UUID: id.New()}, AsOf: today, Facts: facts}
		if i == 0 {
			a.ExternalID = &ours
			a.Approved = []calculation.ApprovedDocument{
				{DocumentTypeCode: "SCORED", EntityType: "Business", EntityID: facts.Business.BusinessID.String()}, {DocumentTypeCode: "OTHER", EntityType: "Business", EntityID: facts.Business.BusinessID.String()},
			}
		}
		found, err := replay.Compare(t.Context(), one, other, a)
		require.NoError(t, err)
		b.Add(found)
	}
	b.Sum()
	require.False(t, b.Same())
	require.Equal(t, []int{2, 1}, []int{b.Changed.Applications, b.Unchanged.Applications})
	require.Len(t, b.Documents, 1)
	require.Equal(t, []int{0, 0, 2, 1}, []int{b.Documents[0].Gained.Applications, b.Documents[0].Lost.Applications, b.Documents[0].TextChanged.Applications, b.Documents[0].Reopened.Applications})
	require.Regexp(t, `^PARTNER-17 \(dec_\w+\)$`, b.Documents[0].Reopened.Examples[0])
	require.Empty(t, replay.NewBacktest(requirement.DocumentRules(was...), requirement.DocumentRules(was...)).TextsChanged())
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
