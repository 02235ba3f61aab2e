package requirement

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
)

// problemTexts are the problems of a condition with their positions, without the names
// of all facts.
func problemTexts(rs RuleSet) (texts []string) {
	_, problems := Compile(rs, Options{})
	for _, p := range problems {
		message, _, cut := strings.Cut(p.Message, "the facts are persons, ")
		if cut {
			message += "the facts are …"
		}
		texts = append(texts, positionOf(p)+" "+message)
	}
	return texts
}

// Each row has all that is said: a hint that does not fit misleads, and what only follows
// from a mistake is not said.
func TestCompile_ProblemsHaveTheHelpThatFits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		when string
		want []string
	}{
		{`established_date < 999`, []string{`1:18 < compares a date with a number: write a whole date, such as date("2020-01-31")`}},
		{`established_date < 1000`, []string{`1:18 < compares a date with a number: write a whole date, such as date("1000-01-31")`}},
		{`established_date < 9999`, []string{`1:18 < compares a date with a number: write a whole date, such as date("9999-01-31")`}},
		{`established_date < 10000`, []string{`1:18 < compares a date with a number: write a whole date, such as date("2020-01-31")`}},
		{`established_date < 2019.5`, []string{`1:18 < compares a date with a number: write a whole date, such as date("2020-01-31")`}},
		{`evaluation_score > "x1"`, []string{`1:18 > compares a number with text: write a plain number, without quotes, separators or signs`}},
		{`evaluation_score > "1e3"`, []string{`1:18 > compares a number with text: write the number without quotes`}},
		{`established_date < "soon"`, []string{`1:18 < compares a date with text: write a date as year, month and day, date("2020-01-31")`}},
		{`established_date == ""`, []string{`1:18 == compares a date with text: leave the comparison out, because the service asks for missing facts before it evaluates rules`}},
		{`persons.exists(p, p.citizenship == 5)`, []string{`1:33 == compares text with a number: put the number in quotes, with the zeros it begins with`}},
		{`persons.exists(p, p.citizenship == date("2020-01-31"))`, []string{`1:33 == compares text with a date`}},
		{`(evaluation_score > 5) == ""`, []string{`1:24 == compares true or false with text`}},
		{`business_age_months < established_date`, []string{`1:21 < compares a number with a date: compare the age with a number, or established_date with a date`}},
		{`established_date > 2020 - 1`, []string{`1:18 > compares a date with a number: write the date in quotes, date("2020-01-31")`}},
		{`established_date > -evaluation_score`, []string{`1:18 > compares a date with a number`}},
		{`-evaluation_score == "x"`, []string{`1:19 == compares a number with text: write a plain number, without quotes, separators or signs`}},
		{`!(evaluation_score > 5) == 5`, []string{`1:25 == compares true or false with a number: put brackets around what ! denies, !(…)`}},
		{`!(evaluation_score > 5) == "x"`, []string{`1:25 == compares true or false with text: put brackets around what ! denies, !(…)`}},
		{`(evaluation_score > 5) < (evaluation_score > 6)`, []string{`1:24 < compares two conditions, which have no order`}},
		{`(evaluation_score > 5) < 6`, []string{`1:24 < compares true or false with a number: write two comparisons joined by &&, such as 500 < evaluation_score && evaluation_score < 700`}},
		{`persons == 2`, []string{`1:9 == compares a list of persons with a number: write size(persons) for how many there are`}},
		{`persons == "x"`, []string{`1:9 == compares a list of persons with text`}},
		{`industry_category_code == evaluation_score`, []string{`1:24 == compares a list of texts with a number`}},
		{`industry_category_code < "1"`, []string{`1:24 < compares a list of texts with text: write industry_category_code.exists(x, …) to look at its elements`}},
		{`industry_category_code > 5`, []string{`1:24 > compares a list of texts with a number: write industry_category_code.exists(x, …) to look at its elements`}},
		{`industry_category_code != 5`, []string{`1:24 != compares a list of texts with a number: write !("…" in industry_category_code), with the code in quotes and the zeros it begins with`}},
		{`"1" == (evaluation_score > 1 ? lists.high_risk : ["2"])`, []string{`1:5 == compares text with a list of texts: write "1" in (evaluation_score > 1 ? lists.high_risk : ["2"])`}},
		{`lists.high_risk != "1"`, []string{`1:17 != compares a list of texts with text: write !("1" in lists.high_risk)`}},
		{`5 && true`, []string{`1:1 5 is a number, and && needs conditions that are true or false: repeat the comparison, as in x == 1 || x == 2, or write x in [1, 2]`}},
		{`!"x"`, []string{`1:2 "x" is text, and ! needs conditions that are true or false: put brackets around what ! denies, !(…)`}},
		{`true in ["a"]`, []string{`1:6 in looks for true or false in a list of texts`}},
		{`5 in ["a"]`, []string{`1:3 in looks for a number in a list of texts: put the number in quotes, with the zeros it begins with`}},
		{`5 in [true]`, []string{`1:3 in looks for a number in a list of yes-or-no values`}},
		{`evaluation_score in ["a"]`, []string{`1:18 in looks for a number in a list of texts: write the numbers without quotes`}},
		{`persons.exists(p, p.citizenship in [1])`, []string{`1:33 in looks for text in a list of numbers: put each number in quotes, with the zeros it begins with`}},
		{`persons.exists(p, p.citizenship in [true])`, []string{`1:33 in looks for text in a list of yes-or-no values`}},
		{`established_date in [1]`, []string{`1:18 in looks for a date in a list of numbers: write each as date("2020-01-31")`}},
		{`5 in lists.high_risk`, []string{`1:3 in looks for a number in a list of texts: put the number in quotes, with the zeros it begins with`}},
		{`evaluation_score in lists.high_risk`, []string{`1:18 in looks for a number in a list of texts`}},
		{`-evaluation_score in ["a"]`, []string{`1:19 in looks for a number in a list of texts: write the numbers without quotes`}},
		{`"US" in persons`, []string{`1:6 in looks for text in a list of persons: look at a field of each, as in persons.map(p, p.citizenship)`}},
		{`5 in persons`, []string{`1:3 in looks for a number in a list of persons: look at a field of each, as in persons.map(p, p.citizenship)`}},
		{`persons.exists(p, p in [1])`, []string{`1:19 p is a whole person: look for a field, such as person_id`}},
		{`persons.exists(p, p in 5)`, []string{`1:24 5 is a number, and what follows in must be a list: put it in square brackets`}},
		{`1 + established_date > "x"`, []string{`1:3 + cannot calculate with dates: count from a date to today with days_since, months_since or years_since, as in years_since(established_date)`}},
		{`persons + 1 > 5`, []string{`1:9 + cannot join lists: ask for each with ||, as in x in lists.one || x in lists.two`}},
		{`"a" + 1 == true`, []string{`1:7 1 is a number, and + joins text with text only: put it in quotes`}},
		{`evaluation_score + "5" == "5"`, []string{`1:1 evaluation_score is a number, and + joins text with text only: write the number without quotes to calculate`}},
		{`country + evaluation_score == "5"`, []string{`1:11 evaluation_score is a number, and + joins text with text only: compare the two apart, and join the comparisons with &&`}},
		{`country + established_date == "5"`, []string{`1:11 established_date is a date, and + joins text with text only: compare the two apart, and join the comparisons with &&`}},
		{`country + (evaluation_score > 5) == "5"`, []string{`1:29 evaluation_score > 5 is true or false, and + joins text with text only: choose a text by it, as in (x ? "yes" : "no")`}},
		{`country + industry_category_code == "5"`, []string{`1:11 industry_category_code is a list of texts, and + joins text with text only: join one text, as in list.exists(x, x + "/" == …)`}},
		{`persons.exists(p, country + p == "5")`, []string{`1:29 p is a person, and + joins text with text only: join a field, such as p.citizenship`}},
		{`country - "US" == "5"`, []string{`1:1 country is text, and - calculates with numbers`, `1:11 "US" is text, and - calculates with numbers`}},
		{`country + countr == "5"`, []string{`1:11 countr is not the name of a fact; did you mean country?`}},
		{`persons.sum(p, p.citizenship) > 1`, []string{`1:18 p.citizenship is text, and sum adds up numbers`}},
		{`persons.sum(p, p) > 1`, []string{`1:16 p is a person, and sum adds up numbers`}},
		{`persons.sum(p, p.citizenship == "US") > 1`, []string{`1:30 p.citizenship == "US" is true or false, and sum adds up numbers: write size(persons.filter(p, …)) for how many there are`}},
		{`persons.sum(p, p.foo) > 1`, []string{`1:18 a person has no field foo; the fields are person_id, citizenship, ownership_percentage, date_of_birth, country_of_residence`}},
		{`persons.sum(p, p.ownership_percentage)`, []string{`1:9 persons.sum(p, p.ownership_percentage) is a number, and a condition must be true or false: compare it with something`}},
		{`persons.sum(country, 1) > 1`, []string{`1:9 the variable of sum is named country, which already stands for something else here: choose another name`}},
		{`evaluation_score.sum(p, 1) > 1`, []string{`1:1 evaluation_score is a number: sum looks at the elements of a list`}},
		{`persons.sum(5, 1) > 1`, []string{`1:13 write a plain variable name here, such as p`}},
		{`sum(persons) > 1`, []string{`1:1 sum looks at one element after the other and needs a name for it: write list.sum(x, …), as in persons.sum(p, p.ownership_percentage)`}},
		{`evaluation_scor + 1 > "x"`, []string{`1:1 evaluation_scor is not the name of a fact; did you mean evaluation_score?`}},
		{`established_date + persons > "x"`, []string{`1:18 + cannot calculate with dates: count from a date to today with days_since, months_since or years_since, as in years_since(established_date)`}},
		{`business_age_years % (evaluation_score > 5 ? 1 : 2.5) == 1`, []string{`1:20 % needs whole numbers on both sides`}},
		{`[2.5, 1].exists(x, x % 2 == 0)`, []string{`1:22 % needs whole numbers on both sides`}},
		{`[1, 2.5].filter(x, x > 1).exists(x, x % 2 == 0)`, []string{`1:39 % needs whole numbers on both sides`}},
		{`1 / size(5) > 0`, []string{`1:10 5 is a number, and size counts the elements of a list or the characters of a text`}},
		{`1 / (1 > "a" ? 1 : 2) > 0`, []string{`1:8 > compares a number with text: put the number in quotes, with the zeros it begins with`}},
		{`5 / (evaluation_score * 0) > 1`, []string{`1:3 / divides by zero`}},
		{`5 / (0 * evaluation_score + 0 * evaluation_score) > 1`, []string{`1:3 / divides by zero`}},
		{`5 / (0 * evaluation_score - 0 * highest_ticket_sale) > 1`, []string{`1:3 / divides by zero`}},
		{`5 / -(0 * evaluation_score) > 1`, []string{`1:3 / divides by zero`}},
		{`5 / (0 * evaluation_score / 5) > 1`, []string{`1:3 / divides by zero`}},
		{`5 / (evaluation_score > 5 ? 0 : 0 * evaluation_score) > 1`, []string{`1:3 / divides by zero`}},
		{`size(5) > 1`, []string{`1:6 5 is a number, and size counts the elements of a list or the characters of a text`}},
		{`size() > 1`, []string{`1:1 size is given 0 values: write size(list)`}},
		{`size(persons, 2) > 1`, []string{`1:1 size is given 2 values: write size(list)`}},
		{`contains("a", "b")`, []string{`1:1 write contains after the text that it looks at: x.contains("79")`}},
		{`"abc".contains("a", "b")`, []string{`1:7 contains is given 3 values: write x.contains("79")`}},
		{`"abc".contains()`, []string{`1:7 contains is given 1 values: write x.contains("79")`}},
		{`"a".endsWith(5)`, []string{`1:14 5 is a number, and endsWith looks for text`}},
		{`evaluation_score.contains("5")`, []string{`1:1 evaluation_score is a number, and contains looks at text`}},
		{`industry_category_code.startsWith("5")`, []string{`1:24 industry_category_code is a list: write industry_category_code.exists(x, x.startsWith("5"))`}},
		{`industry_category_code.contains(5)`, []string{`1:24 industry_category_code is a list: write 5 in industry_category_code`}},
		{`evaluation_scor.contains("5")`, []string{`1:1 evaluation_scor is not the name of a fact; did you mean evaluation_score?`}},
		{`"a".contains(evaluation_scor)`, []string{`1:14 evaluation_scor is not the name of a fact; did you mean evaluation_score?`}},
		{`established_date < date("2020-01-31", "x")`, []string{`1:20 date takes one date written out in quotes: date("2020-01-31")`}},
		{`established_date < "2020-01-31".date()`, []string{`1:33 date takes one date written out in quotes: date("2020-01-31")`}},
		{`established_date < date(5)`, []string{`1:20 date takes one date written out in quotes: date("2020-01-31")`}},
		{`established_date < date("2021-02-30")`, []string{`1:20 "2021-02-30" is not a date: write an existing day as YYYY-MM-DD`}},
		{`established_date < timestamp(5)`, []string{`1:20 timestamp takes one moment written out: write date("2020-01-31")`}},
		{`established_date < "2020-01-31T00:00:00Z".timestamp()`, []string{`1:43 timestamp takes one moment written out: write date("2020-01-31")`}},
		{`established_date < timestamp("2020-01-31T00:00:00Z", "x")`, []string{`1:20 timestamp takes one moment written out: write date("2020-01-31")`}},
		{`established_date < timestamp("2020-01-31")`, []string{`1:20 "2020-01-31" is a date without a time: write date("2020-01-31")`}},
		{`established_date < timestamp("2020-01-31T12:00:00Z")`, []string{`1:20 established_date is a day without a time: write date("2020-01-31")`}},
		{`[] && true`, []string{`1:1 [] is an empty list, and && needs conditions that are true or false`}},
		{`true ? [] : []`, []string{`1:6 true ? [] : [] is an empty list, and a condition must be true or false: compare it with something`}},
		{`[]`, []string{`1:1 [] is an empty list, and a condition must be true or false: compare it with something`}},
		{`(true ? [] : industry_category_code).exists(p, true)`, []string{`1:7 ? chooses between an empty list and a list of texts: both must be of one kind`}},
		{`1 * [] > 2`, []string{`1:5 [] is an empty list, and * calculates with numbers`}},
		{`persons.exists(p, [])`, []string{`1:19 [] is an empty list, and exists needs a condition that is true or false: compare it with something`}},
		{`"a".contains([])`, []string{`1:14 [] is an empty list, and contains looks for text`}},
		{`[].foo == 0`, []string{`1:4 [] is an empty list and has no field foo`}},
		{`[].exists(x, x.foo == 1)`, []string{`1:1 [] is an empty list: exists has nothing to look at`}},
		{`[].filter(x, true) == 1`, []string{`1:1 [] is an empty list: filter has nothing to look at`}},
		{`[[]].size() > 0`, []string{`1:2 [] is an empty list, which a list in brackets cannot hold`}},
		{`evaluation_scor in [evaluation_scor]`, []string{`1:1 evaluation_scor is not the name of a fact; did you mean evaluation_score?`, `1:21 evaluation_scor is not the name of a fact; did you mean evaluation_score?`}},
		{`persons.map(p, p.foo) == 1`, []string{`1:18 a person has no field foo; the fields are person_id, citizenship, ownership_percentage, date_of_birth, country_of_residence`}},
		{`persons.map(p, p) == 1`, []string{`1:16 p is a person, and map makes a list of single values: select a field`}},
		{`persons.map(p, persons).size() > 1`, []string{`1:16 persons is a list of persons, and map makes a list of single values: select a field`}},
		{`5 == [persons]`, []string{`1:7 persons is a list of persons, which a list in brackets cannot hold`}},
		{`["a", true].size() > 1`, []string{`1:7 true is true or false, and the list begins with text: all entries of a list must be of one kind`}},
		{`evaluation_score.exists(x, x.foo == 1)`, []string{`1:1 evaluation_score is a number: exists looks at the elements of a list`}},
		{`persons.exists(p, persons.exists(evaluation_score, true))`, []string{`1:27 the variable of exists is named evaluation_score, which already stands for something else here: choose another name`}},
		{`["a", 5].size() > 1`, []string{`1:7 5 is a number, and the list begins with text: all entries of a list must be of one kind, so put it in quotes`}},
		{`[1, 2, evaluation_scor, "a"].size() > 1`, []string{`1:8 evaluation_scor is not the name of a fact; did you mean evaluation_score?`, `1:25 "a" is text, and the list begins with a number: all entries of a list must be of one kind`}},
		{`evaluation_score.exists(x, true)`, []string{`1:1 evaluation_score is a number: exists looks at the elements of a list`}},
		{`persons.exists(.p, true)`, []string{`1:9 the variable of exists is named .p: write a plain name, such as p`}},
		{`persons.map(5, true).size() > 1`, []string{`1:13 write a plain variable name here, such as p`}},
		{`persons.exists(lists, true)`, []string{`1:9 the variable of exists is named lists, which already stands for something else here: choose another name`}},
		{`persons.exists(p, evaluation_scor)`, []string{`1:19 evaluation_scor is not the name of a fact; did you mean evaluation_score?`}},
		{`persons.filter(p, 5).size() > 1`, []string{`1:19 5 is a number, and filter needs a condition that is true or false: compare it with something`}},
		{`persons.exists(p, industry_category_code.exists(c, citizenship == "US"))`, []string{`1:52 citizenship belongs to a person: write p.citizenship`}},
		{`industry_category_code.exists(c, citizenship == c)`, []string{`1:34 citizenship belongs to a person: write persons.exists(p, p.citizenship …)`}},
		{`industry_category_code.exists(c, person.citizenship == c)`, []string{`1:34 person exists only in a rule with entity_type Person: write persons.exists(p, …) to look at every person`}},
		{`business.website == ""`, []string{`1:1 website is on record, but rules cannot use it: declare what you need of it under facts; the facts are …`}},
		{`foo.website == ""`, []string{`1:1 foo is not the name of a fact; the facts are …`}},
		{`website == ""`, []string{`1:1 website is on record, but rules cannot use it: declare what you need of it under facts; the facts are …`}},
		{`foo.evaluation_score > 5`, []string{`1:1 foo is not the name of a fact: write evaluation_score alone; the facts are …`}},
		{`established_date.foo == 1`, []string{`1:18 established_date is a date and has no field foo: compare it with a date, established_date < date("2020-01-31"), or count from it, as in years_since(established_date)`}},
		{`persons.foo == 1`, []string{`1:9 persons is a list of persons and has no field foo: write persons.exists(p, p.foo …)`}},
		{`foo.citizenship == "US"`, []string{`1:1 foo stands for a person only within a loop: write persons.exists(foo, foo.citizenship …)`}},
		{`persons.exists(p, p.age < 18)`, []string{`1:21 a person has no field age: write years_since(p.date_of_birth)`}},
		{`persons.length == 1`, []string{`1:9 write size(persons) for how many there are`}},
		{`industry_category_code.count == 1`, []string{`1:24 write size(industry_category_code) for how many there are`}},
		{`persons.exists(p, p.citizenship.foo == 1)`, []string{`1:33 p.citizenship is text and has no field foo`}},
		{`persons.exists(p, p.email == "")`, []string{`1:21 email is on record, but rules cannot use it: declare what you need of it under facts; the fields of a person are person_id, citizenship, ownership_percentage, date_of_birth, country_of_residence`}},
		{`evaluation_scor.foo == 1`, []string{`1:1 evaluation_scor is not the name of a fact; did you mean evaluation_score?`}},
		{`evaluation_score > 0.12345678901234567890123456789012345678901`, []string{`1:20 0.12345678901234567890123456789012345678901 is a number too long to be read: write at most 40 digits, with a point if need be`}},
		{`(5 ? true : false)`, []string{`1:2 5 is a number, and the question before ? must be true or false`}},
		{`(evaluation_scor ? true : false)`, []string{`1:2 evaluation_scor is not the name of a fact; did you mean evaluation_score?`}},
		{`(true ? evaluation_scor : 5) > "x"`, []string{`1:9 evaluation_scor is not the name of a fact; did you mean evaluation_score?`}},
		{`(true ? 5 : evaluation_scor) > "x"`, []string{`1:13 evaluation_scor is not the name of a fact; did you mean evaluation_score?`}},
		{`(true ? 5 : "x") > true`, []string{`1:7 ? chooses between a number and text: both must be of one kind`}},
		{`persons.exists(p, (true ? p : p).citizenship == "US")`, []string{`1:25 ? cannot choose between persons: select a field of each, or use filter`}},
		{`persons.exists(p, (true ? p : 5) == 5)`, []string{`1:25 ? cannot choose between persons: select a field of each, or use filter`}},
		{`persons.exists(p, p == 5)`, []string{`1:21 == compares a whole person: compare a field, such as person_id`}},
		{`persons.exists(p, 5 == p)`, []string{`1:21 == compares a whole person: compare a field, such as person_id`}},
		{`persons["a"] == 5`, []string{`1:8 write persons.a`}},
		{`persons[0] == 5`, []string{`1:8 […] is not part of the rules: lists have no order; use exists, all or in`}},
		{`{"a": 1}[0] == 5`, []string{`1:1 rules have no maps or objects in braces: write a list with [ ], or a ? b : c for each case`}},
		{`persons[?0] == 5`, []string{`1:8 [? is not part of the rules' language: leave the ? out, because the service asks for missing facts before it evaluates rules`}},
		{`evaluation_score > 5 // a || b`, []string{`1:22 everything after // is a comment, and this one contains a part of the condition (// a || b): begin the condition with when: | to keep its lines apart, or write the comment above it with #`}},
		{`"a//b" == "c" // d && e`, []string{`1:15 everything after // is a comment, and this one contains a part of the condition (// d && e): begin the condition with when: | to keep its lines apart, or write the comment above it with #`}},
	} {
		require.Equal(t, c.want, problemTexts(oneRule(fact.EntityBusiness, c.when)), c.when)
	}

	// Where a person is at hand, and where no list is.
	for when, want := range map[string]string{
		`citizenship == "US"`:                                                   "1:1 citizenship belongs to a person: write person.citizenship",
		`industry_category_code.exists(c, citizenship == c)`:                    "1:34 citizenship belongs to a person: write person.citizenship",
		`persons.exists(x, x.citizenship == "US" && person.citizenshp == "US")`: "1:51 a person has no field citizenshp; did you mean citizenship?; the fields are person_id, citizenship, ownership_percentage, date_of_birth, country_of_residence",
	} {
		require.Equal(t, []string{want}, problemTexts(oneRule(fact.EntityPerson, when)), when)
	}
	none := RuleSet{Documents: []DocumentRule{documentRule(fact.EntityBusiness, `size(lists.high) > 0`)}}
	require.Equal(t, []string{"1:12 lists.high is not a list of this rule set; it has none"}, problemTexts(none))
	two := oneRule(fact.EntityBusiness, `size(lists.zzzz) > 0`)
	two.Lists["another"] = []string{"1"}
	require.Equal(t, []string{"1:12 lists.zzzz is not a list of this rule set; its lists are another, high_risk"}, problemTexts(two))

	// An unknown name lists those at hand, the variables of loops too.
	_, problems := Compile(oneRule(fact.EntityBusiness, `persons.exists(somebody, colour == "red")`), Options{})
	require.Len(t, problems, 1)
	require.True(t, strings.HasSuffix(problems[0].Message, ", somebody"), problems[0].Message)
}

func TestCompile_ReportsTenProblemsOfACondition(t *testing.T) {
	for _, wrong := range []int{9, 10, 11, 30} {
		var parts []string
		for i := range wrong {
			parts = append(parts, fmt.Sprintf("evaluation_scor > %d", i))
		}
		found := problemTexts(oneRule(fact.EntityBusiness, strings.Join(parts, " &&\n")))
		require.Len(t, found, min(wrong, 10))
		for i, text := range found {
			require.True(t, strings.HasPrefix(text, fmt.Sprintf("%d:1 evaluation_scor is not", i+1)), text)
		}
	}
}

func TestCompile_AcceptsWhatTheLanguageHas(t *testing.T) {
	t.Parallel()
	for _, when := range []string{
		`[1, 2].filter(x, x > 1).exists(x, x % 2 == 0)`, `persons.map(p, 2).exists(x, x % 2 == 0)`, `business_age_years % (evaluation_score > 5 ? 1 : 2) == 1`,
		`evaluation_score > 1e+2`, `evaluation_score > 1E+2`, `evaluation_score > 1.5E-2`, `evaluation_score > 1.5e-2`, `evaluation_score > - 1.5`, `evaluation_score > 1.5-1.25`, `evaluation_score+1.5 > 1`, `1.5+evaluation_score > 1`,
		`"a".size() > 1`, `size("abc") > 1`, `evaluation_score in []`, `size([]) == 0`, `established_date > timestamp("0001-01-02T00:00:00Z")`, `established_date >= timestamp("0001-01-01T00:00:00Z")`,
		`5 / (evaluation_score - highest_ticket_sale) > 1`, `5 / (0 + evaluation_score) > 1`, `5 / (0 - evaluation_score) > 1`, `5 / (evaluation_score + 0 * evaluation_score) > 1`, `5 / (evaluation_score > 5 ? 0 : 1) > 1`, `5 / (evaluation_score > 5 ? 1 : 0) > 1`,
		`country + "/" + "x" in lists.high_risk`, `"a" + "b" == "ab"`, `persons.exists(p, p.citizenship + country == "USUS")`, `persons.sum(p, p.ownership_percentage / 3) > 75`, `persons.filter(p, p.citizenship == "US").sum(p, p.ownership_percentage * 2) == 75`,
		`industry_category_code.sum(c, size(c)) % 2 == 0`, `[1, 2].sum(x, x) == 3`, `persons.sum(p, persons.sum(q, q.ownership_percentage + p.ownership_percentage)) > 5`,
		`5 / size(lists.high_risk) > 1`, `5 / ("7995" in lists.high_risk ? 1 : 0) > 1`,
	} {
		require.Empty(t, problemTexts(oneRule(fact.EntityBusiness, when)), when)
	}
}
