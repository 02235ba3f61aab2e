package requirement

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
	"requisite/internal/rules/rulestest"
)

const modelYAML = `base: 500
rules:
  - name: large volume
    when: average_monthly_credit_sales > 50000
    points: 100
  - name: young business
    when: business_age_years < 1
    points: -50.5
  - name: foreign owner
    when: persons.exists(p, p.citizenship != "US")
    points: -20
`

func compilePricing(t *testing.T) *Pricing {
	t.Helper()
	model, problems := ReadPricingModel(rulefile.YAMLFile([]byte(modelYAML)))
	require.Empty(t, problems)
	again, problems := ParsePricingModelJSON(model.CanonicalJSON())
	require.Empty(t, problems)
	require.Equal(t, model, again)
	pricing, problems := CompilePricing(model, Options{})
	require.Empty(t, problems)
	return pricing
}

func TestScore(t *testing.T) {
	pricing := compilePricing(t)
	f := rulestest.CompleteFacts()
	f.EvaluationScore = nil
	result, err := pricing.Score(t.Context(), f)
	require.NoError(t, err)
	require.Empty(t, result.Gaps)
	require.Equal(t, *rulestest.Decimal(580), result.Score)
	require.Len(t, result.Applied, 2)
	require.Equal(t, "large volume", result.Applied[0].Name)
	require.Equal(t, "large volume: applied because average monthly credit sales are 62000.5, more than 50000.", result.Applied[0].Reason.Message)
	require.Equal(t, *rulestest.Decimal(-20), result.Applied[1].Points)

	f.EstablishedDate = rulestest.Ptr(rulestest.Date("2025-03-16"))
	result, err = pricing.Score(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, *rulestest.Decimal(529.5), result.Score)
}

func TestScore_ReportsGaps(t *testing.T) {
	pricing := compilePricing(t)
	require.Equal(t, []string{"average_monthly_credit_sales", "business_age_years", "person.citizenship", "persons"}, pricing.FactNames())
	result, err := pricing.Score(t.Context(), fact.Facts{WorkflowID: "w_1", BusinessID: "b_1"})
	require.NoError(t, err)
	require.Zero(t, result.Score)
	var missing []string
	for _, gap := range result.Gaps {
		missing = append(missing, gap.Fact)
	}
	require.Equal(t, []string{"average_monthly_credit_sales", "established_date", "person.citizenship"}, missing)

	nobody := rulestest.CompleteFacts()
	nobody.Persons, nobody.NoPersonsAttested = nil, true
	result, err = pricing.Score(t.Context(), nobody)
	require.NoError(t, err)
	require.Empty(t, result.Gaps, "that there is nobody is an answer")
	require.Equal(t, *rulestest.Decimal(600), result.Score)
}

func TestPricingModel_MistakesAreRefused(t *testing.T) {
	for _, c := range []struct{ yaml, path, message string }{
		{"rules: []", "base", "is missing"},
		{"base: ten\nrules: []", "base", "must be a number and is text"},
		{"base: 1e99\nrules: []", "base", "not a plain number"},
		{"base: 1\nrules: [{name: a, when: 'true'}]", "rules[0].points", "is missing"},
		{"base: 1\nrules: [{name: a, points: 1}]", "rules[0].when", "is missing: write what must hold"},
		{"base: 1\nrules: [{name: a, points: 1, when: ' '}]", "rules[0].when", "is empty: write what must hold"},
		{"base: 1\nrules: [{when: 'true', points: 1}]", "rules[0].name", "must be text"},
		{"base: 1\nrules: [{name: a, when: evaluation_score > 1, points: 1}]", "rules[0].when", "pricing calculates"},
		{"base: 1\nrules: [{name: a, when: person.citizenship == \"US\", points: 1}]", "rules[0].when", "persons.exists"},
		{"base: 1\nrules: [{name: a, when: lists.x.size() > 1, points: 1}]", "rules[0].when", "not a list"},
		{"base: 1\nbonus: 2\nrules: []", "bonus", "not a name that belongs here"},
	} {
		model, problems := ReadPricingModel(rulefile.YAMLFile([]byte(c.yaml)))
		if len(problems) == 0 {
			_, problems = CompilePricing(model, Options{})
		}
		require.Len(t, problems, 1, c.yaml)
		require.Equal(t, c.path, problems[0].Path)
		require.Contains(t, problems[0].Message, c.message)
	}
}

// TestSchema_RefusesWhatTheParserRefuses tries the largest values that are allowed.
func TestPricingModel_BeyondItsBoundsIsRefused(t *testing.T) {
	rules := func(n int) []PricingRule {
		list := make([]PricingRule, n)
		for i := range list {
			list[i] = PricingRule{Name: "a", When: "true", Points: *rulestest.ParsedDecimal("0.5")}
		}
		return list
	}
	one := func(change func(*PricingRule)) PricingModel {
		model := PricingModel{Rules: rules(1)}
		change(&model.Rules[0])
		return model
	}
	points := func(text string) PricingModel {
		return one(func(r *PricingRule) { r.Points = *rulestest.ParsedDecimal(text) })
	}
	base := func(text string) PricingModel { return PricingModel{Base: *rulestest.ParsedDecimal(text)} }
	for name, c := range map[string]struct {
		model         PricingModel
		path, message string
	}{
		"one rule more":        {PricingModel{Rules: rules(MaxPricingRules + 1)}, "rules", "holds 201 rules"},
		"a larger base":        {base("1000000000.000001"), "base", "between"},
		"a smaller base":       {base("-1000000000.000001"), "base", "between"},
		"more points":          {points("1000000000.000001"), "rules[0].points", "between"},
		"a finer base":         {base("0.0000001"), "base", "decimals"},
		"finer points":         {points("-0.0000001"), "rules[0].points", "decimals"},
		"a blank name":         {one(func(r *PricingRule) { r.Name = " " }), "rules[0].name", "must be text"},
		"a longer name":        {one(func(r *PricingRule) { r.Name = strings.Repeat("é", MaxTextLength+1) }), "rules[0].name", "must be text"},
		"a control character":  {one(func(r *PricingRule) { r.Name = "a\x1b" }), "rules[0].name", "U+001B"},
		"an unknown language":  {PricingModel{}, "", "run a newer program"},
		"too many steps in it": {PricingModel{Rules: rules(3)}, "rules", "may take 33 steps in all"},
	} {
		options := Options{}
		switch name {
		case "an unknown language":
			options.EnvironmentVersion = newestVersion + 1
		case "too many steps in it":
			options.CostLimit = 32 // each costs 11
		}
		pricing, problems := CompilePricing(c.model, options)
		require.Nil(t, pricing, name)
		require.Len(t, problems, 1, "%s: %v", name, problems)
		require.Equal(t, c.path, problems[0].Path, name)
		require.Contains(t, problems[0].Message, c.message, name)
	}
}

func TestScore_FailsWithTheRuleThatHasNoAnswer(t *testing.T) {
	pricing, problems := CompilePricing(PricingModel{Rules: []PricingRule{{Name: "young", When: "highest_ticket_sale / average_individual_sale > 1 || business_age_years < 1", Points: *rulestest.Decimal(1)}}}, Options{})
	require.Empty(t, problems)
	divided := rulestest.CompleteFacts()
	divided.AverageIndividualSale = rulestest.Decimal(0)
	_, err := pricing.Score(t.Context(), divided)
	require.ErrorIs(t, err, ErrUndecided)
	require.ErrorContains(t, err, "rule rules[0] (young)")

	many := rulestest.CompleteFacts()
	many.Persons = make([]fact.PersonFacts, fact.MaxPersons+1)
	_, err = pricing.Score(t.Context(), many)
	require.ErrorIs(t, err, ErrTooManyFacts)
	_, err = pricing.Gaps(t.Context(), many)
	require.ErrorIs(t, err, ErrTooManyFacts)
}

func TestPricingModel_ReportsEveryProblemAtOnce(t *testing.T) {
	third, err := rational.Int(1).Quo(rational.Int(3))
	require.NoError(t, err)
	_, problems := CompilePricing(PricingModel{Rules: []PricingRule{
		{Name: "a", Points: *rulestest.Decimal(1)}, {Name: "b", When: "highest_ticket_sal > 1", Points: *rulestest.Decimal(1)}, {Name: "c", When: "true", Points: third}, {Name: "d", When: "1", Points: *rulestest.Decimal(1)},
	}}, Options{})
	var paths []string
	for _, p := range problems {
		paths = append(paths, p.Path)
	}
	require.ElementsMatch(t, []string{"rules[0].when", "rules[1].when", "rules[2].points", "rules[3].when"}, paths)
	require.True(t, slices.ContainsFunc(problems, func(p Problem) bool { return strings.Contains(p.Message, "did you mean highest_ticket_sale?") }))
}

func TestPricingModel_MayTakeAllStepsOfItsLimit(t *testing.T) {
	model := PricingModel{}
	for range 24 {
		model.Rules = append(model.Rules, PricingRule{Name: "a", When: "size(persons) > 1", Points: *rulestest.Decimal(1)})
	}
	pricing, problems := CompilePricing(model, Options{})
	require.Empty(t, problems)
	limit := 24 * pricing.rules[0].Condition.Cost
	f := rulestest.CompleteFacts()
	f.Persons = rulestest.ManyPersons(fact.MaxPersons)
	pricing, problems = CompilePricing(model, Options{CostLimit: limit})
	require.Empty(t, problems)
	result, err := pricing.Score(t.Context(), f)
	require.NoError(t, err, "reasons take no step that a decision needs")
	require.Len(t, result.Applied, 24)

	_, problems = CompilePricing(model, Options{CostLimit: limit - 1})
	require.Len(t, problems, 1)
	require.Contains(t, problems[0].Message, " steps in all with 200 persons")
	require.Contains(t, problems[0].Message, "a (rules[0]) takes most")
	pricing, problems, _ = LoadPricing(t.Context(), model.CanonicalJSON(), Options{CostLimit: limit - 1})
	require.Empty(t, problems, "what was published can be loaded")
	_, err = pricing.Score(t.Context(), f)
	require.ErrorIs(t, err, ErrCostLimit)
}
