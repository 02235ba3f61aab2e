package author

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulestest"
)

// said are the warnings about a condition, without hints.
func said(t *testing.T, when string) (messages []string) {
	t.Helper()
	rs := oneRule(rulesOfPersons(when), when)
	for _, w := range likelyMistakes(t, rs) {
		if w.Path == "documents[0].when" {
			messages = append(messages, w.Message)
		}
	}
	return messages
}

func rulesOfPersons(when string) string {
	if strings.Contains(when, "person.") {
		return fact.EntityPerson
	}
	return fact.EntityBusiness
}

func TestWarnings_OfPartsThatAlwaysComeOutAlike(t *testing.T) {
	for when, want := range map[string]string{
		`days_since(established_date) < 0`:                                                                       "days_since(established_date) < 0 is never true: a date on record is never after today, so what is counted from it is a whole number, 0 or more; so the document is never required",
		`years_since(person.date_of_birth) == 17.5`:                                                              "years_since(person.date_of_birth) == 17.5 is never true: a date on record is never after today, so what is counted from it is a whole number, 0 or more; so the document is never required",
		`months_since(date("2030-01-01")) >= -6`:                                                                 "",
		`months_since(date("2030-01-01")) == 0.5`:                                                                `months_since(date("2030-01-01")) == 0.5 is never true: completed days, months and years are a whole number; so the document is never required`,
		`years_between(person.date_of_birth, established_date) == 17.5`:                                          `years_between(person.date_of_birth, established_date) == 17.… is never true: completed days, months and years are a whole number; so the document is never required`,
		`person.date_of_birth < date("1899-01-01")`:                                                              `person.date_of_birth < date("1899-01-01") is never true: nobody on record is born before 1900; so the document is never required`,
		`person.date_of_birth > date("2999-01-01")`:                                                              `person.date_of_birth > date("2999-01-01"): 2999-01-01 is after today, and nobody on record is born then`,
		`established_date < date("1066-10-14")`:                                                                  `established_date < date("1066-10-14") is never true: no business on record is established before 1500; so the document is never required`,
		`country == "UK"`:                                                                                        `country == "UK" looks for "UK", but no record can contain it: a country is an ISO 3166-1 code of two capital letters, such as US, or XK; did you mean GB? So the document is never required`,
		`person.country_of_residence == "XXA"`:                                                                   `person.country_of_residence == "XXA" looks for "XXA", but no record can contain it: a country is an ISO 3166-1 code of two capital letters, such as US, or XK; so the document is never required`,
		`highest_ticket_sale > 10 && average_individual_sale > 10`:                                               "",
		`highest_ticket_sale > 10 && highest_ticket_sale < 20 || highest_ticket_sale > 30`:                       "",
		`persons.exists(p, p.ownership_percentage > 50) && persons.exists(p, p.ownership_percentage > 25)`:       "",
		`person.ownership_percentage > 50 && persons.exists(p, p.ownership_percentage > 25)`:                     "",
		`person.ownership_percentage >= 0 && person.ownership_percentage <= 50`:                                  "",
		`average_individual_sale != 0 && highest_ticket_sale / average_individual_sale > 10`:                     "",
		`persons.exists(p, p.ownership_percentage > 50 || p.ownership_percentage <= 50) || evaluation_score > 5`: "of p.ownership_percentage > 50 and p.ownership_percentage <= 50 one is always true: write && if both must be true",
		`size(evaluation_score > 5 ? lists.high_risk : ["1"]) == 1`:                                              "",
		`industry_category_code.exists(c, c.startsWith("59") || c < "59" || c >= "6")`:                           "",
		`size(industry_category_code.filter(c, c == "7995")) == 0`:                                               "",
		`business_age_years > 5 && highest_ticket_sale > 10 || business_age_years > 9`:                           "",
		`persons.exists(p, p.citizenship == "US" && persons.exists(q, q.citizenship == "US"))`:                   "",
		`(evaluation_score > 5 && highest_ticket_sale > 1) || (evaluation_score > 5 && business_age_years > 1)`:  "",
	} {
		if want == "" {
			require.Empty(t, said(t, when), when)
		} else {
			require.Equal(t, []string{want}, said(t, when), when)
		}
	}
}

func TestWarnings_OfBranchesThatAreNeverReached(t *testing.T) {
	for when, want := range map[string]string{
		`evaluation_score >= 600 ? business_age_years > 1 : evaluation_score >= 700 ? business_age_years > 2 : business_age_years > 3`: "evaluation_score >= 700 is never true where it is looked at, so business_age_years > 2 is never reached",
		`highest_ticket_sale > (business_age_years >= 0 ? 500 : 100)`:                                                                  "business_age_years >= 0 is always true: an age is 0 or more, in whole months or years, so 100 is never reached",
		`highest_ticket_sale > (business_age_years < 1 ? 500 : business_age_years < 1 ? 600 : 700)`:                                    "business_age_years < 1 is never true where it is looked at, so 600 is never reached",
		`highest_ticket_sale >= 20000 || highest_ticket_sale >= 100000`:                                                                "",
		`size(persons) > 300 ? business_age_years > 1 : business_age_years > 2`:                                                        "size(persons) > 300 is never true: a business has at most 200 persons on record, so business_age_years > 1 is never reached",
		`evaluation_score >= 600 ? evaluation_score > 500 : business_age_years > 3`:                                                    "evaluation_score > 500 is always true where it is looked at: leave it out, or correct it",
		`persons.exists(p, evaluation_score > 5 ? evaluation_score > 3 : p.ownership_percentage > 5)`:                                  "evaluation_score > 3 is always true where it is looked at: leave it out, or correct it",
		`evaluation_score >= 600 ? business_age_years > 1 : evaluation_score >= 500 ? business_age_years > 2 : business_age_years > 3`: "",
	} {
		if want == "" {
			require.Empty(t, said(t, when), when)
		} else {
			require.Equal(t, []string{want}, said(t, when), when)
		}
	}
}

func TestWarnings_OfGapsAndOverlapsBetweenRules(t *testing.T) {
	const gap, overlap = ": close the gap, or add an example in it if you mean it", ": let one begin where the other ends, or add an example there if you mean it"
	for _, c := range []struct {
		first, second, third string
		example              float64
		want                 string
	}{
		{`highest_ticket_sale < 100`, `highest_ticket_sale > 100`, "", 5, "WARNING neither this nor documents[0].when holds for highest_ticket_sale exactly 100" + gap},
		{`highest_ticket_sale <= 100`, `highest_ticket_sale >= 100`, "", 5, "WARNING both this and documents[0].when hold for highest_ticket_sale exactly 100" + overlap},
		{`highest_ticket_sale < 100`, `highest_ticket_sale >= 100 && highest_ticket_sale < 500`, `highest_ticket_sale >= 600`, 5, "WARNING neither this nor documents[1].when holds for highest_ticket_sale from 500 to 599.99" + gap},
		{`highest_ticket_sale < 100`, `highest_ticket_sale >= 90 && highest_ticket_sale < 500`, `highest_ticket_sale >= 500`, 5, "HINT both this and documents[0].when hold for highest_ticket_sale from 90 to 99.99" + overlap},
		{`!(highest_ticket_sale >= 100)`, `highest_ticket_sale * 2 > 200`, "", 5, "WARNING neither this nor documents[0].when holds for highest_ticket_sale exactly 100" + gap},
		{`highest_ticket_sale < 100`, `highest_ticket_sale > 100`, "", 100, ""},
		{`highest_ticket_sale <= 100`, `highest_ticket_sale >= 100`, "", 100, ""},
		{`highest_ticket_sale < 100`, `highest_ticket_sale > 200`, "", 5, ""},
		{`highest_ticket_sale < 200`, `highest_ticket_sale > 100`, "", 5, ""},
		{`highest_ticket_sale > 100`, `highest_ticket_sale > 200`, `highest_ticket_sale > 50`, 5, ""},
		{`highest_ticket_sale < 100`, `highest_ticket_sale > 100`, `highest_ticket_sale > 50`, 60, "WARNING neither this nor documents[0].when holds for highest_ticket_sale exactly 100" + gap},
		{`highest_ticket_sale < 100`, `highest_ticket_sale > 100 && evaluation_score > 5`, "", 5, ""},
		{`highest_ticket_sale < 100`, `highest_ticket_sale >= 100 && highest_ticket_sale < 500`, `highest_ticket_sale >= 500`, 5, ""},
		{`business_age_years <= 1`, `business_age_years >= 2`, "", 5, ""},
	} {
		rs := manyRules(3, fact.EntityBusiness, "")
		rs.Documents[0].When, rs.Documents[1].When, rs.Documents[2].When = c.first, c.second, c.third
		program, problems := requirement.Compile(rs, requirement.Options{})
		require.Empty(t, problems)
		conditions, _ := newLinter(t.Context(), nil, Today()).conditions(program.CompiledRules())
		tried := coverage{&requirement.Coverage{Tried: []fact.Facts{{HighestTicketSale: rulestest.Decimal(c.example)}}}, map[string][]*big.Rat{}}
		said := ""
		for _, w := range bands(conditions, tried.of) {
			said += string(w.Severity) + " " + w.Message
		}
		require.Equal(t, c.want, said, "%s, %s, %s", c.first, c.second, c.third)
	}

	pricing, problems := requirement.CompilePricing(requirement.PricingModel{Rules: []requirement.PricingRule{
		{Name: "a", When: "business_age_years < 2", Points: *rulestest.Decimal(1)}, {Name: "b", When: "business_age_years > 2", Points: *rulestest.Decimal(2)},
	}}, requirement.Options{})
	require.Empty(t, problems)
	warnings := PricingWarnings(t.Context(), Today(), pricing)
	require.Len(t, warnings, 1)
	require.Equal(t, "rules[1].when", warnings[0].Path)
	require.Contains(t, warnings[0].Message, "neither this nor rules[0].when holds for business_age_years exactly 2")
}

// Today is the day of the check.
func TestWarnings_OfDatesAfterTodayAndOfDefaultDates(t *testing.T) {
	for when, want := range map[string]string{
		`established_date < date("2026-03-16")`:    `established_date < date("2026-03-16"): 2026-03-16 is after today, and no business on record is established then`,
		`established_date < date("2026-03-15")`:    "",
		`date("1900-01-01") != established_date`:   `date("1900-01-01") != established_date: programs write 1900-01-01 where no date is known, so it is hardly meant`,
		`established_date == date("1899-12-30")`:   `established_date == date("1899-12-30"): programs write 1899-12-30 where no date is known, so it is hardly meant`,
		`established_date in [date("1970-01-01")]`: `established_date in [date("1970-01-01")]: programs write 1970-01-01 where no date is known, so it is hardly meant`,
	} {
		program, problems := requirement.Compile(oneRule(fact.EntityBusiness, when), requirement.Options{})
		require.Empty(t, problems)
		c := newLinter(t.Context(), nil, rulestest.Date("2026-03-15")).condition("", program.CompiledRules()[0].Condition)
		if want == "" {
			require.Empty(t, c.found, when)
		} else {
			require.Len(t, c.found, 1, when)
			require.Equal(t, want, c.found[0].Message)
		}
	}
}

func TestWarnings_OfCountriesComparedWithIndustryCodes(t *testing.T) {
	lists := map[string][]string{"home": {"US", "CA"}, "mixed": {"US", "7995"}}
	for when, want := range map[string]string{
		`"US" in industry_category_code`:                              `"US" in industry_category_code compares an industry category code with "US", which looks like a country: compare citizenship with countries`,
		`industry_category_code.exists(c, c == "QZ")`:                 `c == "QZ" compares an industry category code with "QZ", which looks like a country`,
		`industry_category_code.exists(c, c in lists.home)`:           "c in lists.home compares industry category codes with lists.home, which holds countries",
		`industry_category_code.exists(c, c in lists.mixed)`:          "",
		`industry_category_code.exists(c, c.startsWith("US"))`:        "",
		`persons.exists(p, p.citizenship in lists.home)`:              "",
		`industry_category_code.exists(c, c >= "AA" && c <= "AZ")`:    "",
		`lists.home.exists(h, persons.exists(p, p.citizenship != h))`: "",
		`lists.home.exists(h, h in industry_category_code)`:           "compares industry category codes with lists.home",
	} {
		rs := oneRule(fact.EntityBusiness, when)
		rs.Lists = lists
		var messages []string
		for _, w := range likelyMistakes(t, rs) {
			if w.Path == "documents[0].when" {
				messages = append(messages, w.Message)
			}
		}
		if want == "" {
			require.Empty(t, messages, when)
		} else {
			require.Len(t, messages, 1, when)
			require.Contains(t, messages[0], want)
		}
	}
}

func TestHints_OfRulesThatNoneOrAllOfTheExamplesRequire(t *testing.T) {
	example := func(age string, documents ...requirement.ExpectedDocument) requirement.Example {
		return requirement.Example{Name: age, Facts: fact.ExampleFacts{EvaluationScore: rulestest.ParsedDecimal(age)}, Expect: requirement.Expectation{Documents: append([]requirement.ExpectedDocument{}, documents...)}}
	}
	doc := requirement.ExpectedDocument{DocumentTypeCode: "DOC"}
	for want, examples := range map[string][]requirement.Example{
		"no example requires DOC: add one that does":                                                                   {example("1"), example("5")},
		"every example requires DOC: add one that does not":                                                            {example("5.1", doc), example("7", doc)},
		"evaluation_score > 5: no example has evaluation_score exactly 5":                                              {example("4"), example("7", doc)},
		"there are none: write applications with the documents that must come out, so that publishing tries the rules": nil,
		"": {example("5"), example("7", doc)},
	} {
		rs := oneRule(fact.EntityBusiness, "evaluation_score > 5")
		rs.Lists, rs.Examples = nil, examples
		found := warned(t, rs)
		if want == "" {
			require.Empty(t, found)
			continue
		}
		require.Equal(t, want, found[0].Message)
		require.Equal(t, requirement.SeverityHint, found[0].Severity)
	}
}

// Each part of a rule has its examples; those that change nothing need none.
func TestHints_OfThresholdsThatCanMatter(t *testing.T) {
	for when, want := range map[string][]string{
		`highest_ticket_sale > 5 && highest_ticket_sale < 3`:   nil,
		`highest_ticket_sale >= 0 && highest_ticket_sale < 30`: {"highest_ticket_sale exactly 30"},
		`highest_ticket_sale > 9.995`:                          nil,
		`highest_ticket_sale == 77`:                            nil,
	} {
		rs := oneRule(fact.EntityBusiness, when)
		rs.Lists = nil
		rs.Examples = []requirement.Example{{Name: "e", Facts: fact.ExampleFacts{HighestTicketSale: rulestest.Decimal(1000000), EvaluationScore: rulestest.Decimal(1000)}, Expect: requirement.Expectation{Documents: []requirement.ExpectedDocument{}}}}
		program, problems := requirement.Compile(rs, requirement.Options{})
		if program == nil { // it requires the document
			rs.Examples[0].Expect.Documents = []requirement.ExpectedDocument{{DocumentTypeCode: "DOC"}}
			program, problems = requirement.Compile(rs, requirement.Options{})
		}
		require.Empty(t, problems, when)
		found, err := Warnings(t.Context(), Today(), program, rs)
		require.NoError(t, err)
		var hinted []string
		for _, w := range found {
			if _, text, ok := strings.Cut(w.Message, ": no example has "); ok {
				hinted = append(hinted, text)
			}
		}
		require.Equal(t, want, hinted, when)
	}
}
