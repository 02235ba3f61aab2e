package requirement

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestConditionsAtTheirThresholds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		when   string
		change func(*Facts)
		want   bool
	}{
		{"average_monthly_credit_sales > 50000", func(f *Facts) { f.AverageMonthlyCreditSales = ptr(50000.0) }, false},
		{"average_monthly_credit_sales > 50000", func(f *Facts) { f.AverageMonthlyCreditSales = ptr(50000.01) }, true},
		{"average_yearly_credit_sales / 12 > 1000", func(f *Facts) { f.AverageYearlyCreditSales = ptr(12000.0) }, false},
		{"average_yearly_credit_sales / 12 > 1000", func(f *Facts) { f.AverageYearlyCreditSales = ptr(12000.01) }, true},
		{"1000 < average_yearly_credit_sales / 12", func(f *Facts) { f.AverageYearlyCreditSales = ptr(12000.01) }, true},
		{"evaluation_score == 600", func(f *Facts) { f.EvaluationScore = ptr(600.0) }, true},
		{"evaluation_score in [600, 700]", func(f *Facts) { f.EvaluationScore = ptr(700.0) }, true},
		{"evaluation_score in [600, 700.5]", func(f *Facts) { f.EvaluationScore = ptr(600.0) }, true},
		{"evaluation_score > 1 / 2", func(f *Facts) { f.EvaluationScore = ptr(0.25) }, false},
		{"evaluation_score >= -(5)", func(f *Facts) { f.EvaluationScore = ptr(-5.0) }, true},
		{"evaluation_score > (business_age_years >= 1 ? 600 : 650)", func(f *Facts) { f.EvaluationScore = ptr(620.0) }, true},
		{"[25, 50].exists(limit, evaluation_score == limit)", func(f *Facts) { f.EvaluationScore = ptr(50.0) }, true},
		{"average_monthly_credit_sales * business_age_months > 100", func(f *Facts) { f.AverageMonthlyCreditSales = ptr(10.0) }, true},
		{"business_age_months >= 12", func(f *Facts) { f.AsOf, f.EstablishedDate = date("2021-02-28"), ptr(date("2020-02-29")) }, false},
		{"business_age_months >= 12", func(f *Facts) { f.AsOf, f.EstablishedDate = date("2021-03-01"), ptr(date("2020-02-29")) }, true},
		{"business_age_years < 1.5", func(f *Facts) { f.AsOf, f.EstablishedDate = date("2021-12-31"), ptr(date("2020-01-01")) }, true},
		{"1.5 > business_age_years", func(f *Facts) { f.AsOf, f.EstablishedDate = date("2021-12-31"), ptr(date("2020-01-01")) }, true},
		{"business_age_months == 12.0", func(f *Facts) { f.AsOf, f.EstablishedDate = date("2021-01-01"), ptr(date("2020-01-01")) }, true},
		{`established_date < date("2020-01-31")`, func(f *Facts) { f.EstablishedDate = ptr(date("2020-01-31")) }, false},
		{`established_date <= date("2020-01-31")`, func(f *Facts) { f.EstablishedDate = ptr(date("2020-01-31")) }, true},
		{`established_date == date("2020-01-31")`, func(f *Facts) { f.EstablishedDate = ptr(date("2020-01-31")) }, true},
		{`"0742" in industry_category_code`, func(f *Facts) { f.IndustryCategoryCode = []string{"742"} }, false},
		{`industry_category_code.exists(c, c >= "7990" && c <= "7999")`, nil, true},
		{`persons.exists(p, p.ownership_percentage > 25 && p.citizenship != "US")`, nil, false},
		{`persons.exists(p, p.ownership_percentage >= 25 && p.citizenship != "US")`, nil, true},
		{`persons.exists(p, !(p.citizenship in ["US", "CA"]))`, nil, false},
		{`persons.size() == 0`, func(f *Facts) { f.Persons = nil }, true},
		{`highest_ticket_sale / average_individual_sale > 5`, func(f *Facts) { f.HighestTicketSale, f.AverageIndividualSale = ptr(0.0), ptr(0.0) }, false},
	} {
		f := completeFacts()
		if c.change != nil {
			c.change(&f)
		}
		require.Equal(t, c.want, len(evaluate(t, oneRule(EntityBusiness, c.when), f).Required) == 1, c.when)
	}
}

func TestWholeNumbersMeanTheSameAsWrittenWithAPoint(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		condition, _ := drawCondition(t, true)
		f := fill(drawFacts(t))
		short := evaluate(t, oneRule(EntityPerson, condition.short), f)
		long := evaluate(t, oneRule(EntityPerson, condition.long), f)
		require.Equal(t, entityIDs(long), entityIDs(short), condition.short)
	})
}

func TestTheExplanationAgreesWithTheResult(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		condition, _ := drawCondition(t, true)
		f := fill(drawFacts(t))
		program := mustCompile(t, oneRule(EntityPerson, condition.short))
		explanation, err := program.Explain(background(t), f)
		require.NoError(t, err)
		require.Len(t, explanation.Rules, len(f.Persons))
		for _, rule := range explanation.Rules {
			require.Equal(t, rule.Required, rule.Steps.Value, condition.short)
		}
	})
}

func TestOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rs := RuleSet{Lists: oneRule("", "").Lists}
		for i := range rapid.IntRange(1, 4).Draw(t, "rules") {
			doc := documentRule(rapid.SampledFrom([]string{EntityWorkflow, EntityBusiness, EntityPerson}).Draw(t, "type"), "")
			condition, _ := drawCondition(t, doc.EntityType == EntityPerson)
			doc.When, doc.DocumentTypeCode = condition.short, "DOC_"+string(rune('A'+i))
			rs.Documents = append(rs.Documents, doc)
		}
		f := drawFacts(t)
		if rapid.Bool().Draw(t, "full") {
			f = fill(f)
		}
		shuffled, other := rs, f
		shuffled.Documents = rapid.Permutation(rs.Documents).Draw(t, "documents")
		other.Persons = rapid.Permutation(f.Persons).Draw(t, "persons")
		other.IndustryCategoryCode = rapid.Permutation(f.IndustryCategoryCode).Draw(t, "codes")

		before, after := evaluate(t, rs, f), evaluate(t, shuffled, other)
		require.Equal(t, before.Gaps, after.Gaps)
		require.ElementsMatch(t, before.Required, after.Required)
	})
}

func TestEvaluateKeepsTheOrderOfRulesThenPersons(t *testing.T) {
	t.Parallel()
	rs := RuleSet{Documents: []DocumentRule{documentRule(EntityPerson, ""), documentRule(EntityWorkflow, "")}}
	f := completeFacts()
	slices.Reverse(f.Persons)
	require.Equal(t, []string{"p_1", "p_2", "w_1"}, entityIDs(evaluate(t, rs, f)))
}

func TestEvaluateRefusesWhatItCannotDecide(t *testing.T) {
	t.Parallel()
	huge := mustCompile(t, oneRule(EntityBusiness, "business_age_months * 9223372036854775807 > 5"))
	_, err := huge.Evaluate(t.Context(), completeFacts())
	require.ErrorIs(t, err, ErrUndecided)
	require.ErrorContains(t, err, "documents[0] (DOC)")

	program := mustCompile(t, oneRule(EntityBusiness, "business_age_months > 5"))
	f := completeFacts()
	f.AsOf = Date{}
	_, err = program.Evaluate(t.Context(), f)
	require.ErrorContains(t, err, "AsOf")

	f = completeFacts()
	f.Persons = make([]PersonFacts, MaxPersons+1)
	_, err = program.Evaluate(t.Context(), f)
	require.ErrorIs(t, err, ErrTooManyFacts)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = mustCompile(t, RuleSet{Documents: []DocumentRule{documentRule(EntityBusiness, "")}}).Evaluate(ctx, completeFacts())
	require.ErrorIs(t, err, context.Canceled)
}

func TestTheEmptyRuleSetRequiresNothing(t *testing.T) {
	t.Parallel()
	result := evaluate(t, RuleSet{}, Facts{})
	require.Equal(t, Result{Required: []Requirement{}}, result)
}

func TestNumbersThatAreNotNumbers(t *testing.T) {
	t.Parallel()
	require.True(t, math.IsNaN(calculate("_/_", 0.0, 0.0).(float64)))
	f := completeFacts()
	f.HighestTicketSale, f.AverageIndividualSale = ptr(0.0), ptr(0.0)
	result := evaluate(t, oneRule(EntityBusiness, "!(highest_ticket_sale / average_individual_sale > 5)"), f)
	require.Len(t, result.Required, 1)
	require.Contains(t, result.Required[0].Reason.Message, "not a number")
}

// TestADivisionByZeroIsSaidInWords: a reason never shows a value of the machine.
func TestADivisionByZeroIsSaidInWords(t *testing.T) {
	t.Parallel()
	facts := completeFacts()
	facts.AverageIndividualSale = ptr(0.0)
	found := evaluate(t, oneRule(EntityBusiness, "average_yearly_credit_sales / average_individual_sale > 5"), facts)
	require.Len(t, found.Required, 1)
	require.Contains(t, found.Required[0].Reason.Message, "divided by zero")
	require.NotContains(t, found.Required[0].Reason.Message, "Inf")
}
