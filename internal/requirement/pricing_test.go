package requirement

import (
	"testing"

	"github.com/stretchr/testify/require"
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
	model, problems := ParsePricingModelYAML([]byte(modelYAML))
	require.Empty(t, problems)
	again, problems := ParsePricingModelJSON(model.CanonicalJSON())
	require.Empty(t, problems)
	require.Equal(t, model, again)
	pricing, problems := CompilePricing(model, Options{})
	require.Empty(t, problems)
	return pricing
}

func TestScore(t *testing.T) {
	t.Parallel()
	pricing := compilePricing(t)
	f := completeFacts()
	f.EvaluationScore = nil
	result, err := pricing.Score(t.Context(), f)
	require.NoError(t, err)
	require.Empty(t, result.Gaps)
	require.Equal(t, *decimal(580), result.Score)
	require.Len(t, result.Applied, 2)
	require.Equal(t, "large volume", result.Applied[0].Name)
	require.Equal(t, "large volume: applied because average monthly credit sales are 62000.5, more than 50000.", result.Applied[0].Reason.Message)
	require.Equal(t, *decimal(-20), result.Applied[1].Points)

	f.EstablishedDate = ptr(date("2025-03-16"))
	result, err = pricing.Score(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, *decimal(529.5), result.Score)
}

func TestPricingReportsTheSameGaps(t *testing.T) {
	t.Parallel()
	pricing := compilePricing(t)
	require.Equal(t, []string{"average_monthly_credit_sales", "business_age_years", "person.citizenship", "persons"}, pricing.FactNames())
	result, err := pricing.Score(t.Context(), Facts{WorkflowID: "w_1", BusinessID: "b_1"})
	require.NoError(t, err)
	require.Zero(t, result.Score)
	var missing []string
	for _, gap := range result.Gaps {
		missing = append(missing, gap.Fact)
	}
	require.Equal(t, []string{"average_monthly_credit_sales", "established_date", "person.citizenship"}, missing)
}

func TestPricingModelsThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ yaml, path, message string }{
		{"rules: []", "base", "is missing"},
		{"base: ten\nrules: []", "base", "must be a number and is text"},
		{"base: 1e99\nrules: []", "base", "not a plain number"},
		{"base: 1e10\nrules: []", "base", "between"},
		{"base: 0.1234567\nrules: []", "base", "more than 6 decimals"},
		{"base: 1\nrules: [{name: a, when: 'true', points: -1000000000.1}]", "rules[0].points", "between"},
		{"base: 1\nrules: [{name: a, when: 'true'}]", "rules[0].points", "is missing"},
		{"base: 1\nrules: [{name: a, points: 1}]", "rules[0].when", "is missing: write what must hold"},
		{"base: 1\nrules: [{name: a, points: 1, when: ' '}]", "rules[0].when", "is empty: write what must hold"},
		{"base: 1\nrules: [{when: 'true', points: 1}]", "rules[0].name", "must be text"},
		{"base: 1\nrules: [{name: a, when: evaluation_score > 1, points: 1}]", "rules[0].when", "pricing calculates"},
		{"base: 1\nrules: [{name: a, when: person.citizenship == \"US\", points: 1}]", "rules[0].when", "persons.exists"},
		{"base: 1\nrules: [{name: a, when: lists.x.size() > 1, points: 1}]", "rules[0].when", "not a list"},
		{"base: 1\nbonus: 2\nrules: []", "bonus", "not a name that belongs here"},
	} {
		model, problems := ParsePricingModelYAML([]byte(c.yaml))
		if len(problems) == 0 {
			_, problems = CompilePricing(model, Options{})
		}
		require.Len(t, problems, 1, c.yaml)
		require.Equal(t, c.path, problems[0].Path)
		require.Contains(t, problems[0].Message, c.message)
	}
}
