package author

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// What follows for the document stands behind the part that decides, and once.
func TestLint_NamesThePartThatDecidesTheDocument(t *testing.T) {
	const (
		never  = "so the document is never required"
		always = "so the document is always required: leave when out if you mean that"
	)
	for condition, want := range map[string]string{
		`size(persons) < 0 || size(persons) >= 0`:                               "size(persons) >= 0 is always true: a business has at most 200 persons on record; " + always,
		`evaluation_score > 5 && size(persons) < 0`:                             "size(persons) < 0 is never true: a business has at most 200 persons on record; " + never,
		`!(size(persons) < 0)`:                                                  "size(persons) < 0 is never true: a business has at most 200 persons on record; " + always,
		`person.citizenship != "US" || person.citizenship != "CA"`:              `of person.citizenship != "US" and person.citizenship != "CA" one is always true, because every value differs from one of the two: write && if it must differ from both; ` + always,
		`person.citizenship == "US" && person.citizenship == "CA"`:              `person.citizenship == "US" and person.citizenship == "CA" are never true together, because no value equals both: write || if one of them is enough; ` + never,
		`average_monthly_credit_sales > -5`:                                     "average_monthly_credit_sales > -5 compares with -5, but no record can contain it: an amount is 0 or more, and below 10000000000000; " + always,
		`person.citizenship == "UK"`:                                            `person.citizenship == "UK" looks for "UK", but no record can contain it: a citizenship is an ISO 3166-1 code of two capital letters, such as US, or one of XK, XXA, XXB, XXC; did you mean GB? S` + never[1:],
		`average_monthly_credit_sales >= 0 && size(persons) <= 200`:             "average_monthly_credit_sales >= 0 && size(persons) <= 200 is always true; " + always,
		`(evaluation_score > 500) == (evaluation_score > 500)`:                  "evaluation_score > 500 == (evaluation_score > 500) is always true, for it compares something with itself; " + always,
		`evaluation_score > 500 ? true : true`:                                  "evaluation_score > 500 ? true : true has the same result whether its condition is true or false; " + always,
		`industry_category_code.exists(x, x in [])`:                             "x in [] is never true: the list is empty; " + never,
		`persons.all(p, p.ownership_percentage <= 100)`:                         "p.ownership_percentage <= 100 is always true: ownership is in percent, from 0 to 100; " + always,
		`evaluation_score == 0.1234567`:                                         "evaluation_score == 0.1234567 looks for 0.1234567, but no record can contain it: a score is between -1000000000000 and 1000000000000, with at most 6 decimals; " + never,
		`(evaluation_score > 5 || size(persons) > 300) && evaluation_score < 3`: "evaluation_score > 5 || size(persons) > 300 and evaluation_score < 3 are never true together: write || if one of them is enough; " + never,
		`persons.all(p, evaluation_score > 5 || true)`:                          "evaluation_score > 5 || true is always true; " + always,
		`size(persons) > 300 && person.ownership_percentage > 200`:              "size(persons) > 300 is never true: a business has at most 200 persons on record; " + never,
	} {
		var said []string
		for _, w := range warned(t, oneRule(fact.EntityPerson, condition)) {
			if strings.Contains(w.Message, "o the document is ") {
				said = append(said, w.Message)
			}
		}
		require.Equal(t, []string{want}, said, condition)
	}
	for condition, want := range map[string]string{
		`persons.all(p, p.ownership_percentage > 100)`: "p.ownership_percentage > 100 is never true",
		`persons.exists(p, p.ownership_percentage > 5) || persons.exists(q, q.ownership_percentage > 5 && q.ownership_percentage < 3)`:                         "are never true together",
		`(evaluation_score > 5 || persons.exists(p, p.ownership_percentage > 50 && p.ownership_percentage < 20)) && evaluation_score < 3 || size(persons) > 5`: "and evaluation_score < 3 are never true together",
		`0.1 + 0.2 == 0.3 && evaluation_score > 1`:                                                 "0.1 + 0.2 == 0.3 is always true, for it refers to no fact",
		`evaluation_score > 1 && (business_age_years > 2 ? size(persons) > 1 : size(persons) > 1)`: "has the same result whether its condition is true or false",
	} {
		var said []string
		for _, w := range warned(t, oneRule(fact.EntityPerson, condition)) {
			said = append(said, w.Message)
		}
		require.Contains(t, strings.Join(said, "\n"), want)
		require.NotContains(t, strings.Join(said, "\n"), "so the document is")
	}
}

func TestWarnings_OfALoopThatAsksForAnyOtherCode(t *testing.T) {
	const another = `is true for every business that has any other code: if none of its codes may be "7995", write !("7995" in industry_category_code)`
	for condition, warns := range map[string]bool{
		`industry_category_code.exists(c, c != "7995")`:                         true,
		`evaluation_score > 5 && industry_category_code.exists(c, "7995" != c)`: true,
		`!industry_category_code.exists(c, c != "7995")`:                        false,
		`industry_category_code.all(c, c != "7995")`:                            false,
		`industry_category_code.exists(c, !(c in lists.high_risk))`:             false,
		`industry_category_code.exists(c, c != "7995" && size(c) == 4)`:         false,
		`persons.exists(p, p.citizenship != "US")`:                              false,
		`industry_category_code.filter(c, c > "1").exists(c, c != "7995")`:      false,
	} {
		said := slices.ContainsFunc(warned(t, oneRule(fact.EntityBusiness, condition)), func(w requirement.Problem) bool { return strings.Contains(w.Message, another) })
		require.Equal(t, warns, said, condition)
	}
}

func TestLint_WarnsOfHiddenCharacters(t *testing.T) {
	checked := CheckRuleSet(rulefile.YAMLFile([]byte("lists:\n  risky: [\"7995\u200b\", \"5967\"]\ndocuments:\n" +
		"  - document_type_code: A\n    name: \"N\u202eevil\"\n    category: c\n    requirement_text: \"x \u2066y\"\n    entity_type: Business\n" +
		"    when: industry_category_code.exists(c, c in lists.risky) || \"59\u200b67\" in industry_category_code\n" +
		"examples:\n  - name: \"e\u200b\"\n    facts: {industry_category_code: [\"5967\"]}\n    expect: {documents: [A]}\n" +
		"  - name: A flag 👩\u200d🚀 and می\u200cخواهم\n    facts: {industry_category_code: [\"1\"]}\n    expect: {documents: []}\n")))
	require.Empty(t, checked.Problems)
	var found []string
	for _, w := range checked.Warnings {
		if text, is := strings.CutSuffix(w.Message, ", which cannot be seen or changes the direction of the text after it: take it out"); is {
			found = append(found, fmt.Sprintf("%d:%d %s %s", w.Line, w.Column, w.Path, text))
		}
	}
	require.Equal(t, []string{
		"2:11 lists.risky[0] holds U+200B", "5:11 documents[0].name holds U+202E", "7:23 documents[0].requirement_text holds U+2066",
		"9:68 documents[0].when holds U+200B", "11:11 examples[0].name holds U+200B",
	}, found)
}
