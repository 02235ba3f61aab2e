package requirement

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
	"requisite/internal/rules/rulestest"
)

// What an officer wrote, and what helps.
func TestCompile_ExplainsUnknownNamesAndLetters(t *testing.T) {
	for condition, want := range map[string]string{
		`business_age_days < 90`:                                   "1:1 business_age_days is not the name of a fact: write days_since(established_date) for the age of the business in days",
		`age_in_weeks < 90`:                                        "1:1 age_in_weeks is not the name of a fact: write days_since(established_date) for the age of the business in days",
		`person.email == ""`:                                       "1:8 email is on record, but rules cannot use it: declare what you need of it under facts; the fields of a person are person_id, ",
		`person.date_of_birth == ""`:                               "1:22 == compares a date with text: leave the comparison out, because the service asks for missing facts before it evaluates rules",
		`person.country == "US"`:                                   "1:8 country is a fact of the business, and no field of a person: write country alone, or for a person citizenship or country_of_residence",
		`persons.all(p, p.country == "US")`:                        "1:18 country is a fact of the business, and no field of a person: write country alone, or for a person citizenship or country_of_residence",
		`person.established_date > established_date`:               "1:8 established_date is a fact of the business, and no field of a person: write established_date alone",
		`address.country == "US"`:                                  "1:1 address is not the name of a fact: write country alone; the facts are ",
		`business.country == "US"`:                                 "1:1 business is not the name of a fact: write country alone; the facts are ",
		`date_of_birth < date("2000-01-01")`:                       "1:1 date_of_birth belongs to a person: write person.date_of_birth",
		`person.birthday < date("2000-01-01")`:                     "1:8 a person has no field birthday; did you mean date_of_birth?; the fields are ",
		`person.residence == "US"`:                                 "1:8 a person has no field residence; did you mean country_of_residence?; the fields are ",
		`residency == "US"`:                                        "1:1 residency is not the name of a fact; on record is the country of residence of each person: write person.country_of_residence",
		`age(person.date_of_birth) < 18`:                           "1:1 age() is not part of the rules: count from a date to today with days_since, months_since or years_since, as in years_since(established_date)",
		`established_date.days_since() > 5`:                        "1:18 write the date in brackets: days_since(established_date)",
		`days_since(established_date, 5) > 5`:                      "1:1 days_since is given 2 values: write days_since(established_date)",
		`days_since() > 5`:                                         "1:1 days_since is given 0 values: write days_since(established_date)",
		`days_since("2020-01-31") > 5`:                             "1:12 \"2020-01-31\" is text, and days_since counts from a date: write days_since(date(\"2020-01-31\"))",
		`years_since(person) < 18`:                                 "1:13 person is a person, and years_since counts from a date: write years_since(person.date_of_birth)",
		`persons.exists(p, years_since(p) < 18)`:                   "1:31 p is a person, and years_since counts from a date: write years_since(p.date_of_birth)",
		`years_since(persons) < 18`:                                "1:13 persons is a list of persons, and years_since counts from a date: write persons.exists(p, years_since(p.date_of_birth) …)",
		`months_since(business_age_months) > 3`:                    "1:14 business_age_months is a number, and months_since counts from a date: write months_since(established_date)",
		`days_between(established_date) > 3`:                       "1:1 days_between is given 1 values: write days_between(established_date, date(\"2020-01-31\"))",
		`established_date.days_between(person.date_of_birth) > 3`:  "1:18 write both dates in brackets: days_between(established_date, person.date_of_birth)",
		`years_between(person, established_date) > 3`:              "1:15 person is a person, and years_between counts between two dates: write years_between(person.date_of_birth, established_date)",
		`years_between(established_date, "2020-01-31") > 3`:        "1:33 \"2020-01-31\" is text, and years_between counts between two dates: write years_between(established_date, date(\"2020-01-31\"))",
		`years_between(persons, established_date) > 3`:             "1:15 persons is a list of persons, and years_between counts between two dates: write persons.exists(p, years_between(p.date_of_birth, established_date) …)",
		`months_between(established_date, today()) > 3`:            "1:34 today() is not part of the rules: count from a date to today with days_since, months_since or years_since, as in years_since(established_date)",
		`established_date - person.date_of_birth > 3`:              "1:18 - cannot calculate with dates: count between the two with days_between, months_between or years_between, as in days_between(person.date_of_birth, established_date)",
		`dateDiff(established_date, person.date_of_birth) > 3`:     "1:1 dateDiff() is not part of the rules: count between two dates with days_between, months_between or years_between, as in years_between(from, to), and to today with years_since",
		`yearsBetween(established_date, person.date_of_birth) > 3`: "1:1 yearsBetween is not a function of the rules; did you mean years_between?; the functions are all, ",
		`daysSince(established_date) > 3`:                          "1:1 daysSince is not a function of the rules; did you mean days_since?; the functions are all, contains, date, days_between, days_since, ",
		`years_since(established_date)`:                            "1:1 years_since(established_date) is a number, and a condition must be true or false",
		`person.ownership_percent` + "а" + `ge > 5`:                "1:25 this а is a Cyrillic letter: type a Latin a",
		`p` + "ο" + `rsons.exists(p, true)`:                        "1:2 this ο is a Greek letter: type a Latin o",
		`café > 5`:                                                 "1:4 a name cannot contain the letter é: put it in quotes if it is text",
		`evaluation_score > 1e999`:                                 "1:20 this number is too large: no record can contain it",
		`person.?citizenship == "US"`:                              "1:7 .? is not part of the rules' language: leave the ? out, because the service",
		`persons.exists(for, true)`:                                "1:16 for cannot be a name here: choose another variable name, such as p",
		`persons.exists(__result__, true)`:                         "1:16 choose another variable name, such as p: this one is taken",
		`persons.exists(p.q, true)`:                                "1:17 write a plain variable name here, such as p",
	} {
		_, problems := Compile(RuleSet{Documents: []DocumentRule{{DocumentTypeCode: "A", Name: "n", Category: "c", RequirementText: "t", EntityType: fact.EntityPerson, When: condition}}}, Options{})
		require.Len(t, problems, 1, "%s: %v", condition, problems)
		require.True(t, strings.HasPrefix(positionOf(problems[0])+" "+problems[0].Message, want), "%s: %v", condition, problems)
	}
}

func TestProblem_OffersNoNameThatIsRefused(t *testing.T) {
	_, problems := ReadRuleSet(rulefile.YAMLFile([]byte("documents: []\nexamples:\n  - {name: e, facts: {x: 1, business_age_months: 3}, expect: {documents: []}}\n")))
	require.Len(t, problems, 2)
	require.NotContains(t, problems[0].Message, "business_age")
	require.Contains(t, problems[1].Message, "is calculated from other facts")
	_, problems = ReadRuleSet(rulefile.YAMLFile([]byte("documents:\n  - {document_type_code: A, n" + "а" + "me: n, category: c, requirement_text: r, entity_type: Business}\n")))
	require.Contains(t, problems[0].Message, "is not a name that belongs here; this а is a Cyrillic letter: type a Latin a; the names are")
}

func positionOf(p Problem) string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

func TestReason_OverNoPersonsIsInWords(t *testing.T) {
	for condition, want := range map[string]string{
		`size(persons) < 2`:                            "A document: required because the number of persons is 0, less than 2.",
		`size(persons) < 2 && 12 > evaluation_score`:   "A document: required because the number of persons is 0, less than 2; and the evaluation score is 3, less than 12.",
		`industry_category_code.all(c, !(c in ["1"]))`: "A document: required because for every industry category code the code is not 1.",
	} {
		p, problems := Compile(RuleSet{Documents: []DocumentRule{{DocumentTypeCode: "A", Name: "A\n document", Category: "c", RequirementText: "t", EntityType: fact.EntityBusiness, When: condition}}}, Options{})
		require.Empty(t, problems)
		result, err := p.Evaluate(t.Context(), fact.Facts{EvaluationScore: rulestest.Decimal(3), IndustryCategoryCode: []string{"2"}})
		require.NoError(t, err)
		require.Equal(t, want, result.Required[0].Reason.Message)
	}
}
