package requirement

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
	"requisite/internal/rules/rulestest"
)

func TestCompile_ProblemsSayWhereAndWhatToWrite(t *testing.T) {
	t.Parallel()
	twoMistakes := []string{`lists == lists`, `persons.exists(p, p.citizenship == “US”)`, `"a" + "b" == "ab"`, `persons.exists(p, !p.citizenship in ["US"])`, `type(evaluation_score) == double`}
	for _, c := range []struct {
		when         string
		line, column int
		message      string
	}{
		// Names.
		{`lists.high_rsk.size() > 0`, 1, 7, "did you mean high_risk?"},
		{`lists.nothing_alike.size() > 0`, 1, 7, "its lists are high_risk"},
		{`lists == lists`, 1, 1, "write lists.NAME"},
		{`high_risk.size() > 0`, 1, 1, "write lists.high_risk"},
		{`industry_category_code.exist(c, c == "1")`, 1, 24, "did you mean exists?"},
		{`person.citizenship == "US"`, 1, 1, "entity_type Person"},
		{`persons.exists(p, persons.exists(p, true))`, 1, 27, "choose another name"},
		{"evaluation_score > 5 &&\n  evaluation_scor < 7", 2, 3, "did you mean evaluation_score?"},
		{`workflow.evaluation_score > 5`, 1, 1, "write evaluation_score alone"},
		{`business.legal_name == "x"`, 1, 1, "the facts are persons, evaluation_score"},
		{`nationality == "US"`, 1, 1, "on record is the citizenship of each person: write persons.exists(p, p.citizenship …)"},
		// Parts of names, and synonyms.
		{`monthly_sales > 5`, 1, 1, "did you mean average_monthly_credit_sales?"},
		{`sales > 5`, 1, 1, "did you mean average_monthly_credit_sales or average_yearly_credit_sales?"},
		{`business_age > 2`, 1, 1, "did you mean business_age_months or business_age_years?"},
		{`mcc == "7995"`, 1, 1, "did you mean industry_category_code?"},
		{`average monthly credit sales > 5`, 1, 1, "is written average_monthly_credit_sales"},
		{`5 < average-monthly-credit-sales`, 1, 5, "is written average_monthly_credit_sales"},
		{`persons.exists(p, p.ownership > 25)`, 1, 21, "did you mean ownership_percentage?"},
		{`persons.exists(p, person.citizenship == "US")`, 1, 19, "in this loop write p.…"},
		{`industry_category_code.exists(c, c in list.high_risk)`, 1, 39, "did you mean lists?"},
		// Words.
		{`persons.exists(p, p.citizenship == NO)`, 1, 36, `put it in quotes: "NO"`},
		{`persons.exists(p, p.ownership_percentage > 25) == yes`, 1, 51, "a condition is true or false by itself"},
		{`TRUE`, 1, 1, "write true in small letters"},
		{`always`, 1, 1, "leave when out"},
		{`evaluation_score == unknown`, 1, 21, "leave the comparison out"},
		{`NOT(evaluation_score > 5)`, 1, 1, "write ! before the brackets"},
		{`AND(evaluation_score > 5, true)`, 1, 1, "write && between"},
		{`Or(evaluation_score > 5, true)`, 1, 1, "write || between"},
		{`evaluation_score is greater than 5`, 1, 18, "> for \"more than\""},
		{`evaluation_score at least 5`, 1, 18, ">= for \"at least\""},
		{`"7995" not in industry_category_code`, 1, 8, "write !(x in list)"},
		{`industry_category_code contains "7995"`, 1, 24, `write "7995" in list`},
		{`industry_category_code.exists(c, c starts with "79")`, 1, 36, `startsWith("79")`},
		{`evaluation_score > 5 unless business_age_years > 2`, 1, 22, "write && !(…)"},
		{`when evaluation_score > 5`, 1, 1, "leave the word when out"},
		{`evaluation_score in 500..600`, 1, 24, "x >= 5 && x <= 7"},
		// Signs.
		{`evaluation_score ≥ 5`, 1, 18, "write >="},
		{`evaluation_score ≤ 5`, 1, 18, "write <="},
		{`evaluation_score > = 5`, 1, 19, "without a blank between"},
		{`evaluation_score !== 5`, 1, 18, "write !="},
		{`evaluation_score – 5 > 2`, 1, 18, "this dash is not plain"},
		{"evaluation_score\u00a0> 2", 1, 17, "not a plain blank"},
		{`evaluation_score > 5 && < 9`, 1, 25, "repeat what is compared"},
		{`&& evaluation_score > 5`, 1, 1, "a condition is missing before"},
		{`evaluation_score > 5; evaluation_score < 9`, 1, 21, "a rule has one condition"},
		{`persons.exists(p => p.citizenship == "US")`, 1, 18, "write a comma after the name"},
		// Numbers.
		{`average_monthly_credit_sales > 5 000`, 1, 33, "without separators"},
		{`average_monthly_credit_sales > 5.000,00`, 1, 37, "a point before the cents"},
		{`average_monthly_credit_sales > 50k`, 1, 34, "write the number out"},
		{`average_monthly_credit_sales > 5000 USD`, 1, 37, "without a currency sign"},
		{`evaluation_score == ""`, 1, 18, "leave the comparison out"},
		{`business_age_years < 2 years`, 1, 24, "write the number alone"},
		// Lists and codes.
		{`industry_category_code.exists(c, c in ["7995", 5967])`, 1, 48, "so put it in quotes"},
		{`industry_category_code != "7995"`, 1, 24, `write !("7995" in industry_category_code)`},
		{`industry_category_code == 0742`, 1, 24, `write "…" in industry_category_code, with the code in quotes and the zeros`},
		{`persons >= 2`, 1, 9, "write size(persons)"},
		// Dates.
		{`established_date < 2020-01-31`, 1, 18, `write the date in quotes, date("2020-01-31")`},
		{`business_age_months < date("2020-01-31")`, 1, 21, "compare the age with a number"},
		// Syntax.
		{`evaluation_score > 5)`, 1, 21, "cannot continue like this"},
		{`evaluation_score > 500 // half && evaluation_score < 9`, 1, 24, "contains a part of the condition"},
		{`evaluation_score = 600`, 1, 18, "write =="},
		{`evaluation_score => 600`, 1, 18, "<= or >="},
		{`evaluation_score > 5 | evaluation_score < 6`, 1, 22, "write ||"},
		{`evaluation_score > $500`, 1, 20, "currency"},
		{`persons.exists(p, p.citizenship == “US”)`, 1, 36, "quotation mark"},
		{`persons.exists(p, p.citizenship == "US)`, 1, 36, "never closed"},
		{`persons.exists(p, p.person_id == "= AND &"`, 1, 43, "ends too early"},
		// Kinds of values.
		{`industry_category_code.contains("7995")`, 1, 24, `write "7995" in industry_category_code`},
		{`industry_category_code in lists.high_risk`, 1, 1, ".exists("},
		{`established_date < "2020-01-31"`, 1, 18, `write date("2020-01-31")`},
		{`established_date < date("2021-02-30")`, 1, 20, "not a date"},
		{`industry_category_code.exists(c, established_date < date(c))`, 1, 53, "written out"},
		{`business_age_months / (business_age_years - business_age_years) > 5`, 1, 21, "/ divides by zero"},
		{`business_age_months % (2 - 2) > 5`, 1, 21, "% divides by zero"},
		{`double(business_age_years) > 5`, 1, 1, "double() is not part of the rules: numbers are compared and divided as they are"},
		{`"a" + 5 == "a5"`, 1, 7, "put it in quotes"},
		{`evaluation_score > 5u`, 1, 20, "without the letter u"},
		{`persons.exists(p, !p.citizenship in ["US"])`, 1, 34, "!(x in list)"},
		{`persons.exists(p, p.citizenship in "US")`, 1, 36, "in square brackets"},
		{`industry_category_code.exists(c, c in lists.high_risk + lists.high_risk)`, 1, 55, "x in lists.one || x in lists.two"},
		{`persons.size > 1`, 1, 9, "write size(persons)"},
		// Lists as wholes, the empty one too: it has no gap and no reason.
		{`persons != []`, 1, 9, "size(list) == 0"},
		{`[] == industry_category_code`, 1, 4, "size(list) == 0"},
		{`[] in industry_category_code`, 1, 1, "is a list"},
		// What other languages have.
		{`persons.map(p, p.ownership_percentage).sum() > 100`, 1, 40, "persons.sum(p, p.ownership_percentage)"},
		{`persons.existsOne(p, p.ownership_percentage > 50)`, 1, 9, "exists_one"},
		{`industry_category_code.exists(c, int(c) > 7000)`, 1, 34, `code >= "7000"`},
		{`{"US": 1}["US"] == 1`, 1, 1, "braces"},
		{`persons.exists(p, "US" == p["citizenship"])`, 1, 28, "write p.citizenship"},
		{`evaluation_score > 9223372036854775808`, 1, 20, "more than 13 digits"},
		{`industry_category_code.exists(c in lists.high_risk)`, 1, 24, "list.exists(x, …)"},
		// Whole persons, and other ways to hide what is referred to.
		{`persons == persons`, 1, 9, "compares two lists"},
		{`persons.exists(p, p in persons)`, 1, 19, "whole person"},
		{`persons.exists(p, [p].size() > 0)`, 1, 20, "cannot hold"},
		{`has(evaluation_score)`, 1, 1, "has() is not part of the rules"},
		{`dyn(evaluation_score) == 1`, 1, 1, "dyn() is not part of the rules"},
		{`type(evaluation_score) == double`, 1, 1, "type() is not part of the rules"},
		{`persons.exists(p, p.citizenship == null)`, 1, 36, "null is not part of the rules: leave the comparison out"},
		{`timestamp("2020-01-31T00:00:00+02:00") < established_date`, 1, 1, `a day without a time: write date("2020-01-31")`},
		{`timestamp("2020-01-31") < established_date`, 1, 1, `without a time: write date("2020-01-31")`},
		{`timestamp("yesterday") < established_date`, 1, 1, "not a moment that exists"},
		{`timestamp("0000-01-01T00:00:00Z") < established_date`, 1, 1, "not a moment that exists"},
		{`industry_category_code.exists(c, established_date < timestamp(c))`, 1, 53, "written out"},
		{`established_date < 2019`, 1, 18, `such as date("2019-01-31")`},
		{`established_date.year < 2019`, 1, 18, "compare it with a date"},
		{`now() > established_date`, 1, 1, "days_since"},
		{`established_date.getFullYear() > 2020`, 1, 18, "compare with a date"},
	} {
		program, problems := Compile(oneRule(fact.EntityBusiness, c.when), Options{})
		require.Nil(t, program, c.when)
		var found []string
		for _, problem := range problems {
			require.Equal(t, "documents[0].when", problem.Path)
			found = append(found, fmt.Sprintf("%d:%d %s", problem.Line, problem.Column, problem.Message))
		}
		require.True(t, anyProblem(problems, c.line, c.column, c.message), "%s\nwant %d:%d …%s…\ngot  %s", c.when, c.line, c.column, c.message, strings.Join(found, "\n     "))
		want := 1
		if slices.Contains(twoMistakes, c.when) {
			want = 2
		}
		require.Len(t, problems, want, "%s: one mistake is told once", c.when)
	}
}

func anyProblem(problems []Problem, line, column int, message string) bool {
	for _, problem := range problems {
		if problem.Line == line && problem.Column == column && strings.Contains(problem.Message, message) {
			return true
		}
	}
	return false
}

func TestCompile_ReportsEveryProblemAtOnce(t *testing.T) {
	rs := RuleSet{
		Lists: map[string][]string{"High": {"a"}, "in": {}, "ok": {strings.Repeat("x", MaxListEntryLength+1)}},
		Documents: []DocumentRule{
			{DocumentTypeCode: "lower", EntityType: "business", When: "evaluation_scor > 1 && persons.exists(p, p.citzenship == \"US\")"},
			documentRule(fact.EntityBusiness, ""), documentRule(fact.EntityBusiness, " "), documentRule(fact.EntityPerson, "person.age > 3"),
		},
	}
	_, problems := Compile(rs, Options{})
	var paths []string
	for _, problem := range problems {
		paths = append(paths, problem.Path)
	}
	require.Equal(t, []string{
		"lists.High", "lists.in", "lists.ok[0]",
		"documents[0].document_type_code", "documents[0].name", "documents[0].category", "documents[0].requirement_text", "documents[0].entity_type",
		"documents[2].document_type_code",
		"documents[0].when", "documents[0].when", "documents[2].when", "documents[3].when",
	}, paths)
}

func TestNeededBy(t *testing.T) {
	ages := documentRule(fact.EntityBusiness, "business_age_years > 1")
	ages.DocumentTypeCode = "AGE"
	program := mustCompile(t, RuleSet{Documents: []DocumentRule{
		documentRule(fact.EntityPerson, `evaluation_score > 1 && person.citizenship != "US"`), ages, documentRule(fact.EntityBusiness, "evaluation_score > 1"),
	}})
	require.Equal(t, []string{"DOC"}, program.NeededBy("evaluation_score"), "a code once, of however many rules")
	require.Equal(t, []string{"AGE"}, program.NeededBy("established_date"))
	require.Equal(t, []string{"DOC"}, program.NeededBy("person.citizenship"))
	require.Empty(t, program.NeededBy("highest_ticket_sale"))
}

func TestFactNames(t *testing.T) {
	program := mustCompile(t, RuleSet{Lists: oneRule("", "").Lists, Documents: []DocumentRule{
		documentRule(fact.EntityBusiness, `average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)`),
		documentRule(fact.EntityPerson, `person.citizenship != "US" && business_age_months < 6`),
		documentRule(fact.EntityWorkflow, `false && persons.exists(p, p.ownership_percentage > 1)`),
	}})
	for range 10 { // sorted, not by luck
		require.Equal(t, []string{
			"average_monthly_credit_sales", "business_age_months", "industry_category_code",
			"person.citizenship", "person.ownership_percentage", "persons",
		}, program.FactNames())
	}
	require.Equal(t, []string{"persons"}, mustCompile(t, oneRule(fact.EntityPerson, "")).FactNames(), "somebody must be on record")
	require.Empty(t, mustCompile(t, RuleSet{}).FactNames())
	counts, scored := documentRule(fact.EntityBusiness, "size(persons) > 1"), documentRule(fact.EntityWorkflow, "evaluation_score > 1")
	for _, documents := range [][]DocumentRule{{counts, scored}, {scored, counts}} {
		require.Equal(t, []string{"evaluation_score", "persons"}, mustCompile(t, RuleSet{Documents: documents}).FactNames())
	}
}

func TestExample_FactsObeyTheLimitsOfRecords(t *testing.T) {
	for facts, want := range map[string]string{
		"average_individual_sale: 50.011":                         "average_individual_sale: is 50.011, but no record can contain it: an amount has at most two decimals",
		"average_individual_sale: -0.01":                          "average_individual_sale: is -0.01, but no record can contain it: an amount is 0 or more, and below 10000000000000",
		"highest_ticket_sale: 10000000000000":                     "highest_ticket_sale: is 10000000000000, but no record can contain it: an amount is 0 or more, and below 10000000000000",
		"average_individual_sale: 50.110":                         "",
		"evaluation_score: 0.1234567":                             "evaluation_score: is 0.1234567, but no record can contain it: a score is between -1000000000000 and 1000000000000, with at most 6 decimals",
		"evaluation_score: -0.123456":                             "",
		"persons: [{person_id: p, citizenship: UK}]":              "persons[0].citizenship: is \"UK\", but no record can contain it: a citizenship is an ISO 3166-1 code of two capital letters, such as US, or one of XK, XXA, XXB, XXC; did you mean GB?",
		"persons: [{person_id: p, ownership_percentage: 33.333}]": "persons[0].ownership_percentage: is 33.333, but no record can contain it: ownership has at most two decimals",
		"industry_category_code: [\"MCC 7995\"]":                  "industry_category_code[0]: is \"MCC 7995\", but no record can contain it: an industry category code is 1 to 10 letters, digits and points",
	} {
		_, problems := ReadRuleSet(rulefile.YAMLFile([]byte("documents: []\nexamples:\n  - {name: e, facts: {" + facts + "}, expect: {documents: []}}\n")))
		if want == "" {
			require.Empty(t, problems, facts)
			continue
		}
		require.Len(t, problems, 1, facts)
		require.Equal(t, "examples[0].facts."+want, problems[0].Path+": "+problems[0].Message)
	}
}

func TestCitizenships(t *testing.T) {
	require.Len(t, fact.Citizenships(), 249+4)
	for _, code := range fact.Citizenships() {
		require.True(t, fact.IsCitizenship(code), code)
	}
	for _, code := range []string{"UK", "EU", "XXD", "XX", "us", "D ", " D", ""} {
		require.False(t, fact.IsCitizenship(code), code)
	}
	// Those of no country are on record like others.
	stateless := oneRule(fact.EntityPerson, `person.citizenship in ["XK", "XXA", "XXB", "XXC"] || person.citizenship.startsWith("XXA")`)
	f := rulestest.CompleteFacts()
	f.Persons[1].Citizenship = rulestest.Ptr("XXA")
	require.Equal(t, []string{"p_2"}, entityIDs(evaluate(t, stateless, f)))
}

// CEL's own way to write a day means the same as date.
func TestTimestamp_MeansTheSameAsDate(t *testing.T) {
	for _, spelling := range []string{`date("2025-01-31")`, `timestamp("2025-01-31T00:00:00Z")`, `timestamp("2025-01-31T00:00:00.000Z")`, `timestamp("2025-01-31T02:00:00+02:00")`} {
		for _, c := range []struct {
			operator string
			holds    bool
		}{{"<", false}, {"<=", true}, {"==", true}, {">=", true}, {">", false}, {"!=", false}} {
			program := mustCompile(t, oneRule(fact.EntityBusiness, "established_date "+c.operator+" "+spelling))
			require.Equal(t, []string{"established_date"}, program.FactNames())
			result, err := program.Evaluate(t.Context(), rulestest.CompleteFacts())
			require.NoError(t, err)
			require.Len(t, result.Required, map[bool]int{true: 1}[c.holds], "%s %s", c.operator, spelling)
			explanation, err := program.Explain(t.Context(), rulestest.CompleteFacts())
			require.NoError(t, err)
			require.Equal(t, c.holds, explanation.Rules[0].Steps.Value)
			require.Contains(t, explanation.Rules[0].Steps.Expression, `date("2025-01-31")`)
		}
	}
}
