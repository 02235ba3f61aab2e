package replay_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/decision/replay"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/changes"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// backtest compares two rule sets for facts.
func backtest(t *testing.T, inForce, draft []requirement.DocumentRule, all ...decision.Facts) (*changes.Report, []string) {
	t.Helper()
	b := replay.NewBacktest(program(t, inForce...), program(t, draft...))
	report := changes.NewReport(10, requirement.DocumentRules(draft...), requirement.DocumentRules(inForce...))
	var decisions []string
	for _, facts := range all {
		a := replay.Application{DecisionID: id.DecisionID{UUID: id.New()}, AsOf: today, Facts: facts}
		decisions = append(decisions, a.DecisionID.String())
		tried, err := b.Try(t.Context(), a)
		require.NoError(t, err)
		report.Add(tried)
	}
	return report.Sum(), decisions
}

func rules(all ...requirement.DocumentRule) []requirement.DocumentRule { return all }

type tallies = changes.Tallies

func tally(n int, decisions []string) changes.Tally {
	return changes.Tally{Count: n, Applications: n, Examples: decisions}
}

// TestBacktest_CountsDocumentsByRule that applications gain and lose.
func TestBacktest_CountsDocumentsByRule(t *testing.T) {
	found, decisions := backtest(t,
		rules(ruleOf("SCORED", "Business", "evaluation_score > 500"), ruleOf("DROPPED", "Workflow", "")),
		rules(ruleOf("SCORED", "Business", "evaluation_score > 300"), ruleOf("ADDED", "Workflow", "evaluation_score > 800")),
		factsOf(number(200), nil), factsOf(number(400), nil), factsOf(number(900), nil))
	require.Equal(t, 3, found.Applications)
	require.Equal(t, 3, found.Changed.Applications)
	require.False(t, found.Same())
	require.Equal(t, []changes.RuleReport{
		{DocumentTypeCode: "ADDED", EntityType: "Workflow", Rule: "evaluation_score > 800", Required: 1, Tallies: tallies{Added: tally(1, decisions[2:])}},
		{DocumentTypeCode: "DROPPED", EntityType: "Workflow", RuleInForce: "always required", Tallies: tallies{Removed: tally(3, decisions)}},
		{DocumentTypeCode: "SCORED", EntityType: "Business", Rule: "evaluation_score > 300", RuleInForce: "evaluation_score > 500", Required: 2,
			Tallies: tallies{Added: tally(1, decisions[1:2]), Kept: tally(1, decisions[2:])}},
	}, found.Rules)
}

// TestBacktest_OfTheSameRulesIsTheSame, with complete and with incomplete facts.
func TestBacktest_OfTheSameRulesIsTheSame(t *testing.T) {
	same := rules(ruleOf("RATIO", "Business", "1 / (evaluation_score - 600) > 0"))
	found, _ := backtest(t, same, same, factsOf(number(200), nil), factsOf(number(600), nil), factsOf(nil, nil), factsOf(number(900), nil))
	require.True(t, found.Same())
	require.Equal(t, 2, found.Unchanged.Applications)
	require.Equal(t, 1, found.NotEvaluable.Applications)
	require.Equal(t, 1, found.LackingFacts.Applications)
	require.False(t, found.Rules[0].Differs())
	require.Equal(t, []int{1, 1}, []int{found.Gaps[0].InForce, found.Failures[0].InForce})
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
	require.Equal(t, "established_date", found.Gaps[0].What)
	require.Equal(t, decisions[:2], found.Gaps[0].Examples)
	require.Zero(t, found.Gaps[0].InForce)
	require.Equal(t, "evaluation_score", found.Gaps[1].What)
	require.Equal(t, 1, found.Gaps[1].Applications)
	require.Equal(t, 1, found.Gaps[1].InForce)

	found, _ = backtest(t, rules(ruleOf("SCORED", "Business", "evaluation_score > 500")), rules(ruleOf("SCORED", "Business", "")), factsOf(nil, nil))
	require.Equal(t, 1, found.NewlyDecided.Applications)
	require.Len(t, found.Rules, 1)
	require.False(t, found.Rules[0].Differs())
	require.False(t, found.Same())
}

// TestBacktest_AChangedTextAloneIsAChange, and an approval of a document that is completed returns
// to review.
func TestBacktest_AChangedTextAloneIsAChange(t *testing.T) {
	was, is := rules(ruleOf("SCORED", "Business", "evaluation_score > 500")), rules(ruleOf("SCORED", "Business", "evaluation_score > 500"))
	is[0].RequirementText = "Not older than a month."
	b := replay.NewBacktest(program(t, was...), program(t, is...))
	require.Equal(t, []string{"SCORED"}, b.TextsChanged())
	report := changes.NewReport(1, nil, nil)
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
		tried, err := b.Try(t.Context(), a)
		require.NoError(t, err)
		report.Add(tried)
	}
	report.Sum()
	require.False(t, report.Same())
	require.Equal(t, []int{2, 1}, []int{report.Changed.Applications, report.Unchanged.Applications})
	require.Len(t, report.Rules, 1)
	rule := report.Rules[0]
	require.Equal(t, []int{0, 2, 0, 2, 1}, []int{rule.Of(changes.Added).Count, rule.Of(changes.Kept).Count, rule.Of(changes.Removed).Count, rule.Of(changes.TextChanged).Count, rule.Of(changes.Reopened).Count})
	require.Regexp(t, `^PARTNER-17 \(dec_\w+\)$`, rule.Of(changes.Reopened).Examples[0])
	require.Empty(t, replay.NewBacktest(program(t, was...), program(t, was...)).TextsChanged())

	facts := factsOf(number(600), nil)
	approved := []calculation.ApprovedDocument{{DocumentTypeCode: "SCORED", EntityType: "Business", EntityID: facts.Business.BusinessID.String()}}
	for _, keep := range [][]string{{"SCORED"}, {"*"}, {"OTHER"}} {
		tried, err := replay.NewBacktest(program(t, was...), program(t, is...), keep...).Try(t.Context(), replay.Application{AsOf: today, Facts: facts, Approved: approved})
		require.NoError(t, err)
		reopened := slices.ContainsFunc(tried.Changes, func(c changes.Change) bool { return c.Kind == changes.Reopened })
		require.Equal(t, keep[0] == "OTHER", reopened, keep)
	}
}

// TestBacktest_CountsWhatIsOverdueAtOnce: a due date that counts from an old fact may have passed.
func TestBacktest_CountsWhatIsOverdueAtOnce(t *testing.T) {
	draft := ruleOf("LATE", "Business", "")
	draft.DueWithin, draft.DueFrom = new(fact.Period), "established_date"
	require.NoError(t, draft.DueWithin.UnmarshalText([]byte("1 year")))
	old := "2001-01-01"
	recent := today.String()
	found, decisions := backtest(t, rules(), rules(draft), factsOf(nil, &old), factsOf(nil, &recent))
	require.Equal(t, changes.Tally{Count: 1, Applications: 1, Examples: decisions[:1]}, found.Rules[0].Of(changes.OverdueAtOnce))
	require.Equal(t, 2, found.Rules[0].Of(changes.Added).Count)
}

// TestBacktest_KeepsTenExamples of each count.
func TestBacktest_KeepsTenExamples(t *testing.T) {
	all := make([]decision.Facts, 15)
	for i := range all {
		all[i] = factsOf(number(1), nil)
	}
	found, decisions := backtest(t, nil, rules(ruleOf("ALWAYS", "Business", "")), all...)
	require.Equal(t, 15, found.Rules[0].Of(changes.Added).Applications)
	require.Equal(t, decisions[:10], found.Rules[0].Of(changes.Added).Examples)
}
