package requirement

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

// What section 5 promises where policies are misread. Of each case the facts name one
// value; want is "required", "-" or the gaps.
func TestEvaluate_AtTheEdgesOfAPolicy(t *testing.T) {
	monthly := func(v float64) func(*fact.Facts) {
		return func(f *fact.Facts) { f.AverageMonthlyCreditSales = rulestest.Decimal(v) }
	}
	yearly := func(v float64) func(*fact.Facts) {
		return func(f *fact.Facts) { f.AverageYearlyCreditSales = rulestest.Decimal(v) }
	}
	on := func(established, today string) func(*fact.Facts) {
		return func(f *fact.Facts) {
			f.EstablishedDate, f.AsOf = rulestest.Ptr(rulestest.Date(established)), rulestest.Date(today)
		}
	}
	codes := func(codes ...string) func(*fact.Facts) { return func(f *fact.Facts) { f.IndustryCategoryCode = codes } }
	persons := func(persons ...fact.PersonFacts) func(*fact.Facts) {
		return func(f *fact.Facts) { f.Persons = persons }
	}
	owner := func(share float64) fact.PersonFacts {
		return fact.PersonFacts{PersonID: "p_1", Citizenship: rulestest.Ptr("CA"), OwnershipPercentage: rulestest.Decimal(share)}
	}
	sale := func(highest, average float64) func(*fact.Facts) {
		return func(f *fact.Facts) {
			f.HighestTicketSale, f.AverageIndividualSale = rulestest.Decimal(highest), rulestest.Decimal(average)
		}
	}
	score := func(v float64) func(*fact.Facts) {
		return func(f *fact.Facts) { f.EvaluationScore = rulestest.Decimal(v) }
	}
	const required, not = "required", "-"
	for _, c := range []struct {
		when   string
		change func(*fact.Facts)
		want   string
	}{
		// A cent below, at and above.
		{"average_monthly_credit_sales > 50000", monthly(49999.99), not},
		{"average_monthly_credit_sales > 50000", monthly(50000), not},
		{"average_monthly_credit_sales > 50000", monthly(50000.01), required},
		{"average_monthly_credit_sales >= 50000", monthly(49999.99), not},
		{"average_monthly_credit_sales >= 50000", monthly(50000), required},
		{"average_monthly_credit_sales < 50000", monthly(49999.99), required},
		{"average_monthly_credit_sales < 50000", monthly(50000), not},
		{"average_monthly_credit_sales <= 50000", monthly(50000), required},
		{"average_monthly_credit_sales <= 50000", monthly(50000.01), not},
		{"average_monthly_credit_sales == 50000.01", monthly(50000.01), required},
		{"average_monthly_credit_sales == 50000", monthly(50000.01), not},
		{"average_monthly_credit_sales > 9999999999999.98", monthly(9999999999999.99), required},
		{"average_yearly_credit_sales / 12 >= 1000", yearly(11999.99), not},
		{"average_yearly_credit_sales / 12 >= 1000", yearly(12000), required},
		{"1000 < average_yearly_credit_sales / 12", yearly(12000.01), required},
		{"average_monthly_credit_sales > 0", monthly(0), not},
		{"evaluation_score in [600, 700.5]", score(600), required},
		{"evaluation_score > 1 / 2", score(0.25), not},
		{"evaluation_score >= -(5)", score(-5), required},
		{"evaluation_score > (business_age_years >= 1 ? 600 : 650)", score(620), required},
		{"[25, 50].exists(limit, evaluation_score == limit)", score(50), required},
		// Exactly ten times: what binary numbers miss.
		{"highest_ticket_sale > 10 * average_individual_sale", sale(66826.10, 6682.61), not},
		{"highest_ticket_sale > 10 * average_individual_sale", sale(66826.11, 6682.61), required},
		// Nothing on record is neither 0 nor no.
		{"average_monthly_credit_sales < 50000", func(f *fact.Facts) { f.AverageMonthlyCreditSales = nil }, "average_monthly_credit_sales"},
		{"true || evaluation_score > 5", func(f *fact.Facts) { f.EvaluationScore = nil }, "evaluation_score"},
		// The anniversary, and the day before.
		{"business_age_years >= 2", on("2024-06-15", "2026-06-14"), not},
		{"business_age_years >= 2", on("2024-06-15", "2026-06-15"), required},
		{"business_age_years < 2", on("2024-06-15", "2026-06-15"), not},
		{"business_age_months >= 1", on("2026-01-31", "2026-02-28"), not},
		{"business_age_months >= 1", on("2026-01-31", "2026-03-01"), required},
		{"business_age_months == 0", on("2026-01-31", "2026-01-31"), required},
		{"business_age_months == 0", on("2026-02-01", "2026-01-31"), required},
		{"1.5 > business_age_years", on("2020-01-01", "2021-12-31"), required},
		{"business_age_months / 12 > 1.25", on("2020-01-01", "2021-04-01"), not},
		{"business_age_months / 12 > 1.25", on("2020-01-01", "2021-05-01"), required},
		// 29 February is completed on 1 March, and in leap years on its day.
		{"business_age_years >= 1", on("2024-02-29", "2025-02-28"), not},
		{"business_age_years >= 1", on("2024-02-29", "2025-03-01"), required},
		{"business_age_years >= 4", on("2024-02-29", "2028-02-28"), not},
		{"business_age_years >= 4", on("2024-02-29", "2028-02-29"), required},
		{"business_age_years >= 1", on("2023-02-28", "2024-02-28"), required},
		{`established_date < date("2024-02-29")`, on("2024-02-29", "2026-01-01"), not},
		{`established_date <= date("2024-02-29")`, on("2024-02-29", "2026-01-01"), required},
		{"business_age_years >= 1", func(f *fact.Facts) { f.EstablishedDate = nil }, "established_date"},
		// Nobody on record is not nobody at all.
		{`!persons.exists(p, p.citizenship != "US")`, persons(), "person.citizenship"},
		{`persons.all(p, p.ownership_percentage < 25)`, persons(), "person.ownership_percentage"},
		{`persons.size() == 0`, persons(), required},
		{`persons.exists(p, p.ownership_percentage >= 25)`, persons(owner(24.99)), not},
		{`persons.exists(p, p.ownership_percentage >= 25)`, persons(owner(25)), required},
		{`persons.filter(p, p.ownership_percentage > 25).size() > 0`, persons(owner(25)), not},
		{`persons.filter(p, p.ownership_percentage > 25).size() > 0`, persons(owner(25.01)), required},
		{`persons.all(p, p.citizenship == "CA")`, persons(owner(50), fact.PersonFacts{PersonID: "p_2"}), "person.citizenship"},
		// Codes are texts.
		{`"0742" in industry_category_code`, codes("742"), not},
		{`"742" in industry_category_code`, codes("0742"), not},
		{`"0742" in industry_category_code`, codes("742", "0742"), required},
		{`industry_category_code.exists(c, c in lists.zeros)`, codes("0763"), required},
		{`industry_category_code.exists(c, c in lists.zeros)`, codes("763"), not},
		{`industry_category_code.exists(c, c >= "0700" && c <= "0799")`, codes("742"), not},
		{`industry_category_code.all(c, c != "7995")`, codes(), "industry_category_code"},
		// A division by zero is asked for first.
		{"average_individual_sale > 0 && highest_ticket_sale / average_individual_sale > 10", sale(5, 0), not},
		{"average_individual_sale == 0 || highest_ticket_sale / average_individual_sale > 10", sale(5, 0), required},
		{"average_individual_sale > 0 ? highest_ticket_sale / average_individual_sale > 10 : false", sale(5, 0), not},
		{"highest_ticket_sale > 10 * average_individual_sale", sale(0, 0), not},
		{"business_age_years == 0 || average_individual_sale / business_age_years > 10", on("2026-01-01", "2026-01-02"), required},
	} {
		rs := oneRule(fact.EntityBusiness, c.when)
		rs.Lists["zeros"] = []string{"0742", "0763"}
		f := rulestest.CompleteFacts()
		c.change(&f)
		result := evaluate(t, rs, f)
		got := not
		if len(result.Required) > 0 {
			got = required
			require.NotContains(t, result.Required[0].Reason.Message, "Inf", c.when)
			require.NotContains(t, result.Required[0].Reason.Message, "NaN", c.when)
		}
		for _, gap := range result.Gaps {
			got = gap.Fact
		}
		require.Equal(t, c.want, got, "%s: %+v", c.when, result.Gaps)
	}
	for _, when := range []string{"business_age_months / 0 > 1", "business_age_months % 0 > 1", "evaluation_score / 0.0 > 1", "12 / (business_age_months - business_age_months) > 1", "1 / (1 / 3 - 1 / 3) > 1"} {
		_, problems := Compile(oneRule(fact.EntityBusiness, when), Options{})
		require.NotEmpty(t, problems, when)
		require.Contains(t, problems[0].Message, "zero", when)
	}
}

func TestExplain_AgreesWithEvaluate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		condition, _ := rulestest.DrawCondition(t, true)
		f := rulestest.DrawFacts(t, true)
		program := mustCompile(t, oneRule(fact.EntityPerson, condition))
		explanation, err := program.Explain(background(t), f)
		require.NoError(t, err)
		require.Len(t, explanation.Rules, len(f.Persons))
		for _, rule := range explanation.Rules {
			require.Equal(t, rule.Required, rule.Steps.Value, condition)
		}
	})
}

func TestEvaluate_IgnoresTheOrderOfRulesAndFacts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rs := RuleSet{Lists: oneRule("", "").Lists}
		for i := range rapid.IntRange(1, 4).Draw(t, "rules") {
			doc := documentRule(rapid.SampledFrom([]string{fact.EntityWorkflow, fact.EntityBusiness, fact.EntityPerson}).Draw(t, "type"), "")
			condition, _ := rulestest.DrawCondition(t, doc.EntityType == fact.EntityPerson)
			doc.When, doc.DocumentTypeCode = condition, "DOC_"+string(rune('A'+i))
			rs.Documents = append(rs.Documents, doc)
		}
		f := rulestest.DrawFacts(t, rapid.Bool().Draw(t, "complete"))
		shuffled, other := rs, f
		shuffled.Documents = rapid.Permutation(rs.Documents).Draw(t, "documents")
		other.Persons = rapid.Permutation(f.Persons).Draw(t, "persons")
		other.IndustryCategoryCode = rapid.Permutation(f.IndustryCategoryCode).Draw(t, "codes")

		before, after := evaluate(t, rs, f), evaluate(t, shuffled, other)
		require.Equal(t, before.Gaps, after.Gaps)
		require.ElementsMatch(t, before.Required, after.Required)
	})
}

func TestEvaluate_SortsByRuleThenPerson(t *testing.T) {
	rs := RuleSet{Documents: []DocumentRule{documentRule(fact.EntityPerson, ""), documentRule(fact.EntityWorkflow, "")}}
	f := rulestest.CompleteFacts()
	slices.Reverse(f.Persons)
	require.Equal(t, []string{"p_1", "p_2", "w_1"}, entityIDs(evaluate(t, rs, f)))
}

func TestEvaluate_RefusesTooManyFactsAndAMissingDay(t *testing.T) {
	f := rulestest.CompleteFacts()
	f.AsOf = fact.Date{}
	_, err := mustCompile(t, oneRule(fact.EntityBusiness, "business_age_years > 5")).Evaluate(t.Context(), f)
	require.ErrorContains(t, err, "AsOf")
	program := mustCompile(t, oneRule(fact.EntityBusiness, "business_age_months > 5"))
	_, err = program.Evaluate(t.Context(), f)
	require.ErrorContains(t, err, "AsOf")

	require.False(t, Unanswerable(err), "who calls is to mend that")
	f.EstablishedDate = nil
	require.Len(t, evaluate(t, oneRule(fact.EntityBusiness, "business_age_months > 5"), f).Gaps, 1, "no age is counted")
	f = rulestest.CompleteFacts()
	f.AsOf = fact.Date{}
	require.Empty(t, evaluate(t, oneRule(fact.EntityBusiness, "evaluation_score > 5"), f).Gaps)

	most := func(persons, codes int) fact.Facts {
		f := rulestest.CompleteFacts()
		f.Persons = make([]fact.PersonFacts, persons)
		f.IndustryCategoryCode = slices.Repeat([]string{"7995"}, codes)
		return f
	}
	_, err = program.Evaluate(t.Context(), most(fact.MaxPersons, fact.MaxIndustryCategoryCodes))
	require.NoError(t, err)
	for _, f := range []fact.Facts{most(fact.MaxPersons+1, 1), most(1, fact.MaxIndustryCategoryCodes+1)} {
		_, err = program.Evaluate(t.Context(), f)
		require.ErrorIs(t, err, ErrTooManyFacts)
		require.True(t, Unanswerable(err))
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = mustCompile(t, RuleSet{Documents: []DocumentRule{documentRule(fact.EntityBusiness, "")}}).Evaluate(ctx, rulestest.CompleteFacts())
	require.ErrorIs(t, err, context.Canceled)
}

func TestEvaluate_EmptyRuleSetRequiresNothing(t *testing.T) {
	result := evaluate(t, RuleSet{}, fact.Facts{})
	require.Equal(t, Result{Required: []Requirement{}, Table: fact.BuiltIn}, result)
}

// The error names the rule and its cause.
func TestEvaluate_DivisionByZeroIsUndecided(t *testing.T) {
	const divided = "highest_ticket_sale / average_individual_sale"
	for _, highest := range []float64{0, 5} {
		f := rulestest.CompleteFacts()
		f.HighestTicketSale, f.AverageIndividualSale = rulestest.Decimal(highest), rulestest.Decimal(0)
		for _, when := range []string{
			divided + " > 10", "!(" + divided + " > 10)", divided + " != 10", divided + " == " + divided, divided + " in [1, 2]",
			divided + " > 10 || false", divided + " > 10 && true", "[1, 2].exists(x, x > " + divided + ")", "size(persons.filter(p, p.ownership_percentage > " + divided + ")) == 0",
		} {
			_, err := mustCompile(t, oneRule(fact.EntityBusiness, when)).Evaluate(t.Context(), f)
			require.ErrorIs(t, err, ErrUndecided, when)
			require.True(t, Unanswerable(err))
			require.ErrorContains(t, err, "documents[0] (DOC)", when)
			require.ErrorContains(t, err, divided+" divides by zero", when)
		}
		// What decides without it has an answer.
		for when, want := range map[string]int{
			divided + " > 10 || true": 1, "true || " + divided + " > 10": 1, divided + " > 10 && false": 0,
			"average_individual_sale != 0 && " + divided + " > 10": 0, "average_individual_sale > 0 ? " + divided + " > 10 : true": 1,
			"[0, 1].exists(x, x == 0 || x > " + divided + ")": 1,
		} {
			require.Len(t, evaluate(t, oneRule(fact.EntityBusiness, when), f).Required, want, when)
		}
	}
}

func TestNumbers_AreExact(t *testing.T) {
	f := rulestest.CompleteFacts()
	f.AverageIndividualSale, f.AverageYearlyCreditSales, f.HighestTicketSale = rulestest.Decimal(32.02), rulestest.Decimal(6404), rulestest.Decimal(66826.10)
	f.EstablishedDate, f.AsOf = rulestest.Ptr(rulestest.Date("2024-07-01")), rulestest.Date("2026-01-01")
	for _, when := range []string{
		"0.1 + 0.2 == 0.3", "1 / 3 * 3 == 1", "evaluation_score / 3 * 3 == evaluation_score", "0.1 + 0.2 in [0.3]",
		"average_yearly_credit_sales >= 200 * average_individual_sale", "!(average_yearly_credit_sales > 200 * average_individual_sale)",
		"!(highest_ticket_sale > 10 * 6682.61)", "highest_ticket_sale == 10 * 6682.61",
		"business_age_months / 12 == 1.5", "business_age_months % 12 == 6", "-7 % 3 == -1", "size(persons) / 4 == 0.5",
		"12345678901234567.89 - 12345678901234567.88 == 0.01", "1e3 == 1000", "1.5E-2 == 0.015", "- 5 == 5 - 10", "-\n .5 + 1 == .5", "0x10 == 16",
		"business_age_years * 9000000000000000000 > 1", "business_age_years * 9223372036854775807 - 9223372036854775807 == 0",
		"9007199254740993.0 - 9007199254740992 == 1", "[0.1, 0.2].exists_one(x, x + 0.2 == 0.3)", "[1, 2].map(x, x / 3).exists(y, y * 3 == 1)",
	} {
		require.Len(t, evaluate(t, oneRule(fact.EntityBusiness, when), f).Required, 1, when)
	}
}

func TestNumbers_HaveAtMost154Digits(t *testing.T) {
	product := "average_yearly_credit_sales" + strings.Repeat(" * average_yearly_credit_sales", 20)
	for _, when := range []string{
		product + " > 1", "1 / (" + product + ") > 1", "[" + product + "].exists(x, x * x > 1)",
		"[2.5].map(a, a * a * a * a).map(b, b * b * b * b).map(c, c * c * c * c).map(d, d * d * d * d).exists(e, e > 1)",
	} {
		_, problems := Compile(oneRule(fact.EntityBusiness, when), Options{})
		require.Len(t, problems, 1, when)
		require.Contains(t, problems[0].Message, "may become a number of more than 154 digits", when)
	}
	// What records hold stays within the bounds; what only an example can hold
	// meets them.
	f := rulestest.CompleteFacts()
	rs := oneRule(fact.EntityBusiness, "average_yearly_credit_sales * average_yearly_credit_sales * average_yearly_credit_sales * average_yearly_credit_sales * average_yearly_credit_sales > 1")
	f.AverageYearlyCreditSales = rulestest.Decimal(9999999999999.99)
	require.Len(t, evaluate(t, rs, f).Required, 1)
	tiny, err := rational.Parse("1.1e-36")
	require.NoError(t, err)
	f.AverageYearlyCreditSales = &tiny
	_, err = mustCompile(t, rs).Evaluate(t.Context(), f)
	require.ErrorIs(t, err, ErrUndecided)
	require.ErrorContains(t, err, "becomes a number of more than 154 digits")
}

// A test that divides by zero makes the whole list that it filters unknown, and
// what is read from its elements too.
func TestEvaluate_ListWithoutAnAnswerHasNoElements(t *testing.T) {
	f := rulestest.CompleteFacts()
	f.AverageIndividualSale = rulestest.Decimal(0)
	for _, when := range []string{
		`persons.filter(p, p.ownership_percentage / average_individual_sale > 1).exists(q, q.citizenship == "CA")`,
		`persons.map(p, p.ownership_percentage / average_individual_sale).exists(o, o > 1)`,
		`size(persons.filter(p, p.ownership_percentage / average_individual_sale > 1)) > 0`,
		`[1, highest_ticket_sale / average_individual_sale].exists(x, x == 1)`,
	} {
		program := mustCompile(t, oneRule(fact.EntityBusiness, when))
		_, err := program.Evaluate(t.Context(), f)
		require.ErrorIs(t, err, ErrUndecided, when)
		require.ErrorContains(t, err, "/ average_individual_sale divides by zero", when)
		b, err := program.prepare(background(t), f)
		require.NoError(t, err)
		require.Nil(t, walk(program.rules[0].Condition.Tree, b, MaxExplainedSteps).public().Value, when)
		_, _, ok := walkWithin(program.rules[0].Condition.Tree, b, MaxReasonSteps)
		require.True(t, ok, when)
	}
}

// TestCompile_AcceptsRulesThatCompareAllPersons: each rule looks at 40,000 pairs.
func TestCompile_AcceptsRulesThatCompareAllPersons(t *testing.T) {
	rs := benchmarkRules()
	for i, when := range []string{
		`persons.exists(p, persons.exists(q, q.person_id != p.person_id && q.citizenship == p.citizenship && q.ownership_percentage + p.ownership_percentage > 50))`,
		`persons.all(p, persons.all(q, q.person_id == p.person_id || q.citizenship == p.citizenship || q.ownership_percentage - p.ownership_percentage < 10))`,
		`persons.exists(p, persons.exists(q, q.person_id != p.person_id && q.citizenship != "US" && q.ownership_percentage * 2 > p.ownership_percentage))`,
		`persons.exists(p, industry_category_code.exists(c, c.startsWith("59") && p.citizenship != "US"))`,
	} {
		doc := documentRule(fact.EntityBusiness, when)
		doc.DocumentTypeCode = fmt.Sprint("PAIR_", i)
		rs.Documents = append(rs.Documents, doc)
	}
	program, problems := Compile(rs, Options{})
	require.Empty(t, problems)
	f := largeFacts()
	result, err := program.Evaluate(t.Context(), f)
	require.NoError(t, err)
	require.NotEmpty(t, result.Required)
}
