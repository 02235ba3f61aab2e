package author

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/internal/rules/rulestest"
)

func TestWarnings(t *testing.T) {
	for when, want := range map[string]string{
		`1 < 2`:                   "always true",
		`false`:                   "always false",
		`[1, 2].exists(x, x > 1)`: "always true",
		`persons.exists(p, p.citizenship == "USA")`:                                              `"USA", but no record can contain it`,
		`industry_category_code.exists(c, c in ["7995", "MCC 7995"])`:                            `"MCC 7995", but no record can contain it`,
		`"us" in persons.map(p, p.citizenship)`:                                                  `"us", but no record can contain it`,
		`business_age_months / 12 > 1`:                                                           "",
		`12 / business_age_months > 1`:                                                           "business_age_months != 0",
		`highest_ticket_sale / average_individual_sale > 5`:                                      "average_individual_sale != 0",
		`highest_ticket_sale / average_individual_sale > 5 && average_individual_sale > 0`:       "",
		`average_individual_sale == 0 || highest_ticket_sale / average_individual_sale > 5`:      "",
		`average_individual_sale > 0 ? highest_ticket_sale / average_individual_sale > 5 : true`: "",
		`average_individual_sale > 0 ? true : highest_ticket_sale / average_individual_sale > 5`: "average_individual_sale != 0",
		`average_individual_sale != 0 || highest_ticket_sale / average_individual_sale > 5`:      "average_individual_sale != 0",
		`highest_ticket_sale != 0 && highest_ticket_sale / average_individual_sale > 5`:          "average_individual_sale != 0",
		`average_monthly_credit_sales > 50.000`:                                                  "50.000 is 50, with a decimal point: write 50000",
		`average_monthly_credit_sales > 0.25 && average_monthly_credit_sales < 50000.000`:        "",
		`persons.exists(p, p.citizenship != "US" || p.citizenship != "CA")`:                      `of p.citizenship != "US" and p.citizenship != "CA" one is always true`,
		`evaluation_score == 5 && (business_age_years > 1 && evaluation_score == 6)`:             "are never true together",
		`evaluation_score == 5 || evaluation_score == 6`:                                         "",
		`persons.exists(p, p.citizenship != "US" && p.citizenship != "CA")`:                      "",
		`evaluation_score in [500-600, 5]`:                                                       "500 - 600 is a difference, and no range",
		`industry_category_code.exists(c, c == "79*")`:                                           `write x.startsWith("79")`,
		`average_yearly_credit_sales / 12 > 1000.125`:                                            "",
		`persons.exists(p, p.ownership_percentage >= 0.25)`:                                      "a quarter is 25, not 0.25",
		`persons.exists(p, 101 < p.ownership_percentage)`:                                        "from 0 to 100",
		`persons.exists(p, p.ownership_percentage > 0 && p.ownership_percentage <= 100)`:         "",
		`evaluation_score in [500+600, 5]`:                                                       "",
		`evaluation_score in [500.5-0.5, 5]`:                                                     "",
		`evaluation_score in [business_age_years-6, 5]`:                                          "",
		"evaluation_score > 500\n// half":                                                        "a comment, and the check ignores it: // half",
		"// half\nevaluation_score > 500":                                                        "",
		`industry_category_code.exists(c, c in lists.high_risk) && true`:                         "",
	} {
		var messages []string
		for _, warning := range likelyMistakes(t, oneRule(fact.EntityBusiness, when)) {
			if warning.Path == "documents[0].when" {
				messages = append(messages, warning.Message)
			}
		}
		if want == "" {
			require.Empty(t, messages, when)
			continue
		}
		require.Len(t, messages, 1, when)
		require.Contains(t, messages[0], want)
	}
	require.Equal(t, []requirement.Problem{
		{Path: "lists.empty", Message: "is used by no rule", Severity: requirement.SeverityWarning},
		{Path: "lists.empty", Message: "is empty, so no value is ever in it", Severity: requirement.SeverityWarning},
		{Path: "lists.unused", Message: "is used by no rule", Severity: requirement.SeverityWarning},
		{Path: "lists.unused[2]", Message: `repeats "a"`, Severity: requirement.SeverityWarning},
		{Path: "documents", Message: "has no rules, so no document is ever required", Severity: requirement.SeverityWarning},
	}, likelyMistakes(t, requirement.RuleSet{Lists: map[string][]string{"unused": {"a", "b", "a"}, "empty": nil}}))
}

// The position points to the value, in the condition or in its list.
func TestLint_WarnsOfValuesThatNoRecordCanHold(t *testing.T) {
	t.Parallel()
	const at = "documents[0].when"
	lists := map[string][]string{"ours": {"GB", "UK"}, "codes": {"0742", "MCC 7995", "12345678901"}, "either": {"XX"}}
	for _, c := range []struct {
		when     string
		position string
		says     []string
	}{
		{`persons.exists(p, p.citizenship == "UK")`, at + " 1:36", []string{`"UK", but no record can contain it: a citizenship is an ISO 3166-1 code of two capital letters, such as US, or one of XK, XXA, XXB, XXC; did you mean GB?`}},
		{`persons.exists(p, "gb" != p.citizenship)`, at + " 1:19", []string{`"gb", but no record can contain it`, "did you mean GB?"}},
		{`persons.exists(p, p.citizenship in ["US", "USA"])`, at + " 1:43", []string{"did you mean US?"}},
		{`persons.exists(p, p.citizenship == "7995")`, at + " 1:36", []string{`looks for "7995", but no record can contain it: a citizenship is`}},
		{`persons.exists(p, p.citizenship == "XX")`, at + " 1:36", []string{"such as US"}},
		{`persons.exists(p, p.citizenship != "")`, at + " 1:36", []string{`looks for "", but`}},
		{`persons.exists(p, p.citizenship.startsWith("u"))`, at + " 1:44", []string{`looks for "u", but no record can contain it`}},
		{`persons.filter(p, p.citizenship == "UK").exists(q, q.ownership_percentage > 25)`, at + " 1:36", []string{"did you mean GB?"}},
		{`lists.ours.exists(c, persons.exists(p, p.citizenship == c))`, "lists.ours[1] 0:0", []string{"did you mean GB?"}},
		{`lists.either.exists(c, persons.exists(p, p.citizenship == c) || c in industry_category_code)`, "lists.either[0] 0:0", []string{`"XX" is compared with citizenship`}},
		{`industry_category_code.exists(c, c in lists.codes)`, "lists.codes[1] 0:0", []string{"1 to 10 letters, digits and points"}},
		{`industry_category_code.exists(c, c == "07 42")`, at + " 1:39", []string{`"07 42", but no record can contain it`}},
		{`industry_category_code.exists(c, c.contains("MCC "))`, at + " 1:45", []string{"1 to 10 letters"}},
		{`industry_category_code.exists(c, c >= "59-00")`, at + " 1:39", []string{`compares with "59-00"`}},
		{`average_monthly_credit_sales > 10000000000000`, at + " 1:32", []string{"compares with 10000000000000, but no record can contain it: an amount is 0 or more, and below 10000000000000"}},
		{`average_individual_sale == 19.9999`, at + " 1:28", []string{"looks for 19.9999, but no record can contain it: an amount has at most two decimals"}},
		{`highest_ticket_sale < -5`, at + " 1:23", []string{"an amount is 0 or more"}},
		{`evaluation_score == 0.1234567`, at + " 1:21", []string{"looks for 0.1234567, but no record can contain it: a score is between", "at most 6 decimals"}},
		{`highest_ticket_sale in [5, 5.0001]`, at + " 1:28", []string{"at most two decimals"}},
		{`persons.exists(p, p.ownership_percentage > 120)`, at + " 1:44", []string{"ownership is in percent, from 0 to 100"}},
		{`persons.exists(p, p.ownership_percentage in [25, 120])`, at + " 1:50", []string{"from 0 to 100"}},
		{`persons.exists(p, p.ownership_percentage >= 33.3333)`, at + " 1:45", []string{"ownership has at most two decimals"}},
		{`persons.exists(p, p.ownership_percentage >= 0.99)`, at + " 1:45", []string{"is in percent"}},
		{`business_age_years < -1`, at + " 1:22", []string{"an age is 0 or more"}},
		{`business_age_years == 1.5`, at + " 1:23", []string{"a whole number of completed months or years"}},
		{`evaluation_score < -1.12345`, "", nil},
		{`persons.exists(p, p.citizenship == "GB" && p.citizenship < "ZZZ")`, "", nil},
		{`industry_category_code.exists(c, c > "" && c.startsWith("07"))`, "", nil},
	} {
		rs := oneRule(fact.EntityBusiness, c.when)
		rs.Lists = lists
		var found []requirement.Problem
		for _, w := range likelyMistakes(t, rs) {
			if w.Message != "is used by no rule" {
				found = append(found, w)
			}
		}
		if c.position == "" {
			require.Empty(t, found, c.when)
			continue
		}
		require.NotEmpty(t, found, c.when)
		require.Equal(t, c.position, fmt.Sprintf("%s %d:%d", found[0].Path, found[0].Line, found[0].Column), c.when)
		for _, says := range c.says {
			require.Contains(t, found[0].Message, says, c.when)
		}
	}
	_, problems := requirement.Compile(oneRule(fact.EntityBusiness, `established_date < date("2023-02-30")`), requirement.Options{})
	require.Len(t, problems, 1)
	require.Contains(t, problems[0].Message, `"2023-02-30" is not a date`)

	// What several rules use is warned of once.
	rs := manyRules(3, fact.EntityPerson, `person.citizenship in lists.ours`)
	rs.Lists = map[string][]string{"ours": lists["ours"]}
	require.Len(t, likelyMistakes(t, rs), 1)
}

func TestWarnings_KnowTheCitizenshipsOfNoCountry(t *testing.T) {
	for _, when := range []string{`person.citizenship in ["XK", "XXA", "XXB", "XXC"]`, `person.citizenship.startsWith("XXA")`} {
		require.Empty(t, likelyMistakes(t, requirement.RuleSet{Documents: []requirement.DocumentRule{documentRule(fact.EntityPerson, when)}}))
	}
}

func TestWarnings_OfAFractionWithThreeDecimals(t *testing.T) {
	messages := func(when string) (all string) {
		for _, w := range warned(t, oneRule(fact.EntityPerson, when)) {
			all += w.Message + "\n"
		}
		return all
	}
	for _, percentage := range []string{
		`person.ownership_percentage > 24.999`, `persons.sum(p, p.ownership_percentage) < 75.005`, `100 - persons.sum(p, p.ownership_percentage) > 24.995`,
		`person.ownership_percentage * 2 > 75.005`, `-person.ownership_percentage < -24.999`, `person.ownership_percentage in [24.999, 75.005]`,
		`persons.map(p, p.ownership_percentage).exists(s, s > 24.999)`, `persons.map(p, p.ownership_percentage / 2).exists(s, s > 24.999)`,
		`(evaluation_score > 5 ? person.ownership_percentage : 24.999) > 3`, `24.999 < person.ownership_percentage`,
		`24.999 in persons.map(p, p.ownership_percentage)`, `persons.filter(p, p.citizenship != "US").sum(p, p.ownership_percentage) / 2 > 12.505`,
	} {
		require.NotContains(t, messages(percentage), "thousands", "no percentage is in the thousands: %s", percentage)
	}
	for _, other := range []string{
		`average_individual_sale > 24.999`, `average_individual_sale * person.ownership_percentage / 100 > 24.999`, `evaluation_score > 24.999`,
		`persons.exists(p, p.ownership_percentage > 25 && average_individual_sale > 24.999)`, `size(persons.filter(p, p.ownership_percentage > 25)) > 24.999`,
		`(average_individual_sale > 24.999 ? person.ownership_percentage : 0) > 3`,
	} {
		require.Contains(t, messages(other), "write 24999 for thousands", other)
	}
}

func TestWarnings_OfASumOfSharesThatRoundingDecides(t *testing.T) {
	const because = ": shares are rounded on record, so three owners of a third each have 99.99 percent together: "
	declared := []fact.Declaration{
		{Name: "voting_share", EntityType: fact.EntityPerson, Type: fact.DeclaredNumber, Label: "votes", Ask: "The part of the votes."},
		{Name: "licenses", EntityType: fact.EntityPerson, Type: fact.DeclaredNumber, Label: "licenses", Ask: "How many."},
		{Name: "loan", EntityType: fact.EntityPerson, Type: fact.DeclaredAmount, Label: "share of the loan", Ask: "How much."},
	}
	const sum, beside = "persons.sum(p, p.ownership_percentage)", "compare with a number a little below or above it"
	for condition, want := range map[string]string{
		sum + " == 100":           sum + " == 100" + because + "write " + sum + " >= 99.5",
		"100 == " + sum:           "100 == " + sum + because + "write " + sum + " >= 99.5",
		sum + " != 100":           sum + " != 100" + because + "write " + sum + " < 99.5",
		"!(" + sum + " >= 100.0)": sum + " >= 100" + because + "write " + sum + " >= 99.5",
		"100 > " + sum:            "100 > " + sum + because + "write " + sum + " < 99.5",
		sum + " == 75":            sum + " == 75" + because + beside,
		sum + " in [75, 100]":     sum + " in [75, 100]" + because + beside,
		"100 - " + sum + " == 0":  "100 - " + sum + " == 0" + because + beside,
		sum + " / 100 == 1":       sum + " / 100 == 1" + because + beside,
		`persons.exists(p, persons.filter(q, q.citizenship == p.citizenship).sum(q, q.ownership_percentage) == 100)`: "…" + because + "…",
		`persons.map(p, p.ownership_percentage / 2).sum(s, s * 2) == 100`:                                            "…" + because + "…",
		`persons.sum(p, p.citizenship == "US" ? p.ownership_percentage : 0) == 100`:                                  "…" + because + "…",
		`persons.sum(p, p.custom.voting_share) == 1`:                                                                 "persons.sum(p, p.custom.voting_share) == 1" + because + beside,
		sum + " >= 99.5":                     "",
		sum + " > 100":                       "",
		sum + " < 75":                        "",
		sum + " >= 75":                       "",
		`person.ownership_percentage == 100`: "",
		`persons.sum(p, p.ownership_percentage >= 25 ? 1 : 0) == 2`:   "",
		`persons.sum(p, p.custom.licenses) == 1`:                      "",
		`persons.sum(p, p.custom.voting_share) == 250`:                "",
		`persons.sum(p, p.custom.loan) == 100`:                        "",
		`size(persons.filter(p, p.ownership_percentage == 100)) == 1`: "",
		`persons.filter(p, p.ownership_percentage >= 25).sum(p, p.ownership_percentage) == persons.sum(p, p.ownership_percentage)`: "",
	} {
		rs := oneRule(fact.EntityPerson, condition)
		rs.Facts = declared
		var said []string
		for _, w := range likelyMistakes(t, rs) {
			if w.Path == "documents[0].when" {
				said = append(said, w.Message)
			}
		}
		require.Regexp(t, "^"+strings.ReplaceAll(regexp.QuoteMeta(want), "…", ".*")+"$", strings.Join(said, "\n"), condition)
	}
}

func TestPricingModel_Warnings(t *testing.T) {
	model := requirement.PricingModel{Rules: []requirement.PricingRule{
		{Name: "a\u200b", When: "highest_ticket_sale < 0", Points: *rulestest.Decimal(1)},
		{Name: "b", When: `industry_category_code.exists(c, c == "07O2")`, Points: *rulestest.Decimal(0)},
		{Name: "c", When: "highest_ticket_sale >= 0 && \"a\u200b\" != \"b\"", Points: *rulestest.Decimal(1)},
		{Name: "e", When: "highest_ticket_sale >= 0", Points: *rulestest.Decimal(1)},
		{Name: "d", When: "highest_ticket_sale / average_individual_sale > 10", Points: *rulestest.Decimal(1)},
	}}
	pricing, problems := requirement.CompilePricing(model, requirement.Options{})
	require.Empty(t, problems)
	warnings := PricingWarnings(t.Context(), Today(), pricing)
	reported := func(path, message string) bool {
		return slices.ContainsFunc(warnings, func(w requirement.Problem) bool { return w.Path == path && strings.Contains(w.Message, message) })
	}
	for _, want := range [][2]string{
		{"rules[0].name", "holds U+200B"}, {"rules[0].when", "so its points are never added"},
		{"rules[1].points", "are 0"}, {"rules[1].when", "a letter that looks like a digit"},
		{"rules[2].when", "holds U+200B"}, {"rules[3].when", "so its points are always added"},
		{"rules[4].when", "average_individual_sale is 0"},
	} {
		require.True(t, reported(want[0], want[1]), "%s in %v", want, warnings)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Empty(t, PricingWarnings(ctx, Today(), pricing), "nobody waits for them any more")
	model.Rules = slices.Repeat(model.Rules[1:2], requirement.MaxPricingRules)
	pricing, problems = requirement.CompilePricing(model, requirement.Options{})
	require.Empty(t, problems)
	require.LessOrEqual(t, len(PricingWarnings(t.Context(), Today(), pricing)), rulefile.MaxProblems)
}

// TestWarnings_OfDefinitions: each is looked at by itself, and a rule that uses it for what it does
// with it.
func TestWarnings_OfDefinitions(t *testing.T) {
	rs := oneRule(fact.EntityBusiness, `definitions.big && !definitions.big || "5967" in lists.high_risk`)
	rs.Definitions = map[string]string{
		"big":     `highest_ticket_sale > 100 && highest_ticket_sale >= 0`,
		"never":   `persons.exists(p, p.citizenship == "USA")`,
		"through": `definitions.never || evaluation_score / highest_ticket_sale > 5`,
		"hidden":  "country == \"U\u200bS\"",
	}
	program, problems := requirement.Compile(rs, requirement.Options{})
	require.Empty(t, problems)
	warnings, err := Warnings(t.Context(), Today(), program, rs)
	require.NoError(t, err)
	said := map[string]string{}
	for _, w := range warnings {
		said[w.Path] += string(w.Severity) + " " + w.Message + "\n"
	}
	for path, want := range map[string]string{
		"definitions.never":   "did you mean US? So the definition never holds",
		"definitions.through": "when highest_ticket_sale is 0 this division has no result",
		"definitions.hidden":  "holds U+200B",
		"documents[0].when":   "definitions.big and !definitions.big are never true together",
	} {
		require.Contains(t, said[path], want, path)
	}
	for _, unused := range []string{"never", "through", "hidden"} {
		require.Contains(t, said["definitions."+unused], "HINT is used by no rule", unused)
	}
	require.NotContains(t, said["definitions.big"], "is used by no rule")

	rs.Documents[0].When = "definitions.through"
	rs.Examples = []requirement.Example{{Name: "e", Facts: fact.ExampleFacts{HighestTicketSale: rulestest.Decimal(50)}, Expect: requirement.Expectation{Gaps: []requirement.ExpectedGap{{Fact: "evaluation_score"}, {Fact: "person.citizenship"}}}}}
	program, problems = requirement.Compile(rs, requirement.Options{})
	require.Empty(t, problems)
	warnings, err = Warnings(t.Context(), Today(), program, rs)
	require.NoError(t, err)
	said = map[string]string{}
	for _, w := range warnings {
		said[w.Path] += w.Message + "\n"
	}
	require.Contains(t, said["definitions.big"], "highest_ticket_sale > 100: no example has highest_ticket_sale exactly 100")
	require.NotContains(t, said["definitions.never"], "is used by no rule", "another definition that is used uses it")
}

// TestWarnings_OfDefinitionsOfALoopsPerson: they are alike for the same person only.
func TestWarnings_OfDefinitionsOfALoopsPerson(t *testing.T) {
	for when, want := range map[string]string{
		"persons.exists(p, p.definitions.foreign && !p.definitions.foreign)":                                      "p.definitions.foreign and !p.definitions.foreign are never true together",
		"persons.exists(p, persons.exists(q, p.definitions.foreign && !q.definitions.foreign))":                   "",
		"persons.exists(p, p.definitions.foreign && !persons.exists(q, q.definitions.foreign))":                   "",
		"persons.exists(p, p.ownership_percentage > 25 && p.definitions.foreign) || definitions.somebody_foreign": "",
	} {
		rs := oneRule(fact.EntityBusiness, when)
		rs.Lists = nil
		rs.Definitions = map[string]string{"foreign": `person.citizenship != "US"`, "somebody_foreign": "persons.exists(p, p.definitions.foreign)"}
		program, problems := requirement.Compile(rs, requirement.Options{})
		require.Empty(t, problems)
		warnings, err := Warnings(t.Context(), Today(), program, rs)
		require.NoError(t, err)
		var said string
		for _, w := range warnings {
			if w.Severity == requirement.SeverityWarning {
				said += w.Message
			}
		}
		if want == "" {
			require.Empty(t, said, when)
			continue
		}
		require.Contains(t, said, want, when)
	}
}
