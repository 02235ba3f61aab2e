package requirement

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
	"requisite/internal/rules/rulestest"
)

// defined is a rule set of one rule with definitions.
func defined(entityType, when string, definitions map[string]string) RuleSet {
	rs := oneRule(entityType, when)
	rs.Definitions = definitions
	return rs
}

func pathProblems(rs RuleSet) []string {
	_, problems := Compile(rs, Options{})
	texts := make([]string, len(problems))
	for i, p := range problems {
		texts[i] = fmt.Sprintf("%s %s %s", p.Path, positionOf(p), p.Message)
	}
	return texts
}

func TestDefinitions_ProblemsNameTheDefinition(t *testing.T) {
	t.Parallel()
	const unused = "evaluation_score > 1"
	for name, c := range map[string]struct {
		entityType, when string
		definitions      map[string]string
		want             []string
	}{
		"a mistake in it is reported once": {
			fact.EntityBusiness, "definitions.small && definitions.both", map[string]string{"small": "evaluation_scor > 5", "both": "definitions.small || country == \"US\""},
			[]string{"definitions.small 1:1 evaluation_scor is not the name of a fact; did you mean evaluation_score?"},
		},
		"no condition": {
			fact.EntityBusiness, "true", map[string]string{"a": "evaluation_score", "b": " "},
			[]string{"definitions.a 1:1 evaluation_score is a number, and a condition must be true or false: compare it with something", "definitions.b 0:0 is empty: write what must hold, such as business_age_years >= 2"},
		},
		"a circle": {
			fact.EntityBusiness, "definitions.a", map[string]string{"a": "!definitions.b", "b": "true &&\n definitions.c", "c": "definitions.a || definitions.a"},
			[]string{"definitions.c 1:13 definitions.a leads to itself: a → b → c → a", "definitions.c 1:30 definitions.a leads to itself: a → b → c → a"},
		},
		"itself": {
			fact.EntityBusiness, "true", map[string]string{"a": "definitions.a"},
			[]string{"definitions.a 1:13 definitions.a leads to itself: a → a"},
		},
		"unknown": {
			fact.EntityBusiness, "definitions.smal", map[string]string{"small": unused},
			[]string{"documents[0].when 1:13 definitions.smal is not a definition of this rule set; did you mean small?"},
		},
		"unknown among others": {
			fact.EntityBusiness, "definitions.zzzz", map[string]string{"small": unused, "big": unused},
			[]string{"documents[0].when 1:13 definitions.zzzz is not a definition of this rule set; its definitions are big, small"},
		},
		"none": {
			fact.EntityBusiness, "definitions.zzzz", nil,
			[]string{"documents[0].when 1:13 definitions.zzzz is not a definition of this rule set; it has none"},
		},
		"without its prefix": {
			fact.EntityBusiness, "small", map[string]string{"small": unused},
			[]string{"documents[0].when 1:1 small is a definition of this rule set: write definitions.small"},
		},
		"alone": {
			fact.EntityBusiness, "definitions", map[string]string{"small": unused},
			[]string{"documents[0].when 1:1 definitions is not a value by itself: write definitions.NAME"},
		},
		"of a person": {
			fact.EntityBusiness, "definitions.foreign", map[string]string{"foreign": `person.citizenship != "US"`},
			[]string{"documents[0].when 1:13 definitions.foreign reads person, so only a rule with entity_type Person can use it; " +
				"of the person of a loop write persons.exists(p, p.definitions.foreign …)"},
		},
		"of a person, by another": {
			fact.EntityWorkflow, "definitions.far", map[string]string{"foreign": `person.citizenship != "US"`, "far": "definitions.foreign && true"},
			[]string{"documents[0].when 1:13 definitions.far reads person, so only a rule with entity_type Person can use it; " +
				"of the person of a loop write persons.exists(p, p.definitions.far …)"},
		},
		"of a person, in a loop": {
			fact.EntityWorkflow, "persons.all(o, definitions.foreign)", map[string]string{"foreign": `person.citizenship != "US"`},
			[]string{"documents[0].when 1:28 definitions.foreign reads person, so only a rule with entity_type Person can use it; " +
				"of the person of a loop write o.definitions.foreign"},
		},
		"of no person, in a loop": {
			fact.EntityWorkflow, "persons.all(o, o.definitions.small)", map[string]string{"small": unused},
			[]string{"documents[0].when 1:30 definitions.small reads no person: write definitions.small"},
		},
		"of no person, of the rule's": {
			fact.EntityPerson, "person.definitions.some", map[string]string{"some": "persons.exists(p, p.definitions.foreign)", "foreign": `person.citizenship != "US"`},
			[]string{"documents[0].when 1:20 definitions.some reads no person: write definitions.some"},
		},
		"of a person without one": {
			fact.EntityBusiness, "person.definitions.foreign", map[string]string{"foreign": `person.citizenship != "US"`},
			[]string{"documents[0].when 1:1 person exists only in a rule with entity_type Person: write persons.exists(p, …) to look at every person"},
		},
		"of a person outside of the loop": {
			fact.EntityBusiness, "p.definitions.foreign", map[string]string{"foreign": `person.citizenship != "US"`},
			[]string{"documents[0].when 1:1 p stands for a person only within a loop: write persons.exists(p, p.definitions …)"},
		},
		"of all persons": {
			fact.EntityBusiness, "persons.definitions.foreign", map[string]string{"foreign": `person.citizenship != "US"`},
			[]string{"documents[0].when 1:9 persons is a list of persons and has no field definitions: write persons.exists(p, p.definitions …)"},
		},
		"of a text": {
			fact.EntityBusiness, "industry_category_code.exists(c, c.definitions.foreign)", map[string]string{"foreign": `person.citizenship != "US"`},
			[]string{"documents[0].when 1:36 c is text and has no field definitions"},
		},
		"unknown, of a person": {
			fact.EntityBusiness, "persons.exists(p, p.definitions.foreig)", map[string]string{"foreign": `person.citizenship != "US"`},
			[]string{"documents[0].when 1:33 definitions.foreig is not a definition of this rule set; did you mean foreign?"},
		},
		"a circle of persons": {
			fact.EntityBusiness, "definitions.a", map[string]string{"a": "persons.exists(p, p.definitions.b)", "b": "person.definitions.b"},
			[]string{"definitions.b 1:20 definitions.b leads to itself: b → b"},
		},
		"no number": {
			fact.EntityBusiness, "definitions.small > 5", map[string]string{"small": unused},
			[]string{"documents[0].when 1:19 > compares true or false with a number"},
		},
		"a variable of its name": {
			fact.EntityBusiness, "persons.exists(definitions, true)", nil,
			[]string{"documents[0].when 1:9 the variable of exists is named definitions, which already stands for something else here: choose another name"},
		},
		"a variable of the rule": {
			fact.EntityBusiness, "persons.exists(p, definitions.x)", map[string]string{"x": "p.citizenship == \"US\""},
			[]string{"definitions.x 1:1 p stands for a person only within a loop: write persons.exists(p, p.citizenship …)"},
		},
		"bad names": {
			fact.EntityBusiness, "true", map[string]string{"Small": unused, "for": unused},
			[]string{"definitions.Small 0:0 is not a name that a condition can use: …", "definitions.for 0:0 is not a name that a condition can use: …"},
		},
	} {
		found := pathProblems(defined(c.entityType, c.when, c.definitions))
		require.Len(t, found, len(c.want), "%s: %v", name, found)
		for i, want := range c.want {
			if want, open := strings.CutSuffix(want, "…"); open {
				require.True(t, strings.HasPrefix(found[i], want), "%s: %s", name, found[i])
				continue
			}
			require.Equal(t, want, found[i], name)
		}
	}
	many := map[string]string{}
	for i := range MaxDefinitions + 1 {
		many[fmt.Sprint("d", i)] = "true"
	}
	requireProblem(t, defined(fact.EntityBusiness, "true", many), "definitions", "holds 101 definitions; at most 100 are allowed")

	_, problems := CompilePricing(PricingModel{Rules: []PricingRule{{Name: "r", When: "definitions.x"}}}, Options{})
	require.Len(t, problems, 1)
	require.Contains(t, problems[0].Message, "definitions.x: a pricing model has no definitions; write the condition out")
}

// TestDefinitions_HaveTheirPositionInTheFile, as conditions of rules do.
func TestDefinitions_HaveTheirPositionInTheFile(t *testing.T) {
	file := rulefile.YAMLFile([]byte("definitions:\n  fine: true\n  small: >-\n    evaluation_score > 5 &&\n    evaluation_scor > 5\ndocuments: []\n"))
	set, unread := ReadRuleSet(file)
	require.Len(t, unread, 1)
	require.Equal(t, "definitions.fine", unread[0].Path)
	require.Contains(t, unread[0].Message, "must be text and is true or false")
	_, problems := Compile(set, Options{})
	located := file.LocateAll(unread, problems)
	require.Len(t, located, 2, "what could not be read is reported once")
	require.Equal(t, "5:5 definitions.small", positionOf(located[1])+" "+located[1].Path)
}

// TestDefinitions_MeanTheSameAsTheirConditions in their place: for what is required, for gaps,
// for needs, and for what examples would say.
func TestDefinitions_MeanTheSameAsTheirConditions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entityType := rapid.SampledFrom([]string{fact.EntityBusiness, fact.EntityPerson}).Draw(t, "entity type")
		person := entityType == fact.EntityPerson
		first, _ := rulestest.DrawCondition(t, person)
		second, _ := rulestest.DrawCondition(t, person)
		third, _ := rulestest.DrawCondition(t, person)
		f := rulestest.DrawFacts(t, rapid.Bool().Draw(t, "complete"))
		definitions := map[string]string{"first": first, "second": "definitions.first != (" + second + ")", "unused": third}
		named := `persons.all(o, o.person_id != "" && definitions.second) || !definitions.first && (` + third + `)`
		plain := strings.ReplaceAll(strings.ReplaceAll(named, "definitions.second", "(("+first+") != ("+second+"))"), "definitions.first", "("+first+")")
		one, other := oneRule(entityType, plain), defined(entityType, named, definitions)
		other.Lists = one.Lists
		if len(plain) > MaxConditionLength {
			return
		}
		expanded, problems := compile(background(t), one, Options{CostLimit: 1 << 60})
		require.Empty(t, problems)
		short, problems := compile(background(t), other, Options{CostLimit: 1 << 60})
		require.Empty(t, problems)
		require.Equal(t, expanded.needs, short.needs)
		older, problems := compile(background(t), other, Options{CostLimit: 1 << 60, EnvironmentVersion: definitionsSince - 1})
		require.Empty(t, problems)
		require.GreaterOrEqual(t, older.rules[0].Condition.Cost, expanded.rules[0].Condition.Cost)
		stored, err := older.Evaluate(background(t), f)
		require.NoError(t, err)
		want, err := expanded.Evaluate(background(t), f)
		require.NoError(t, err)
		got, err := short.Evaluate(background(t), f)
		require.NoError(t, err)
		require.Equal(t, stored.Gaps, got.Gaps)
		require.Equal(t, stored.Required, got.Required)
		require.Equal(t, want.Gaps, got.Gaps)
		require.Equal(t, len(want.Required), len(got.Required), named)
		for i, required := range got.Required {
			require.Equal(t, want.Required[i].EntityID, required.EntityID)
			require.Equal(t, want.Required[i].Reason.Facts, required.Reason.Facts, "the values that decided: %s", required.Reason.Message)
		}
		if len(got.Gaps) == 0 {
			bytes, _ := requireSized(t, short, f)
			require.GreaterOrEqual(t, bytes, 0)
		}
		explanation, err := short.Explain(background(t), f)
		require.NoError(t, err)
		for _, rule := range explanation.Rules {
			require.Equal(t, rule.Required, rule.Steps.Value)
		}
	})
}

// TestDefinitions_OfPersonsMeanTheSameAsTheirConditions, with the person of the use in place of
// person. No evaluation takes more steps than were estimated.
func TestDefinitions_OfPersonsMeanTheSameAsTheirConditions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		mine, _ := rulestest.DrawCondition(t, true)
		nobody, _ := rulestest.DrawCondition(t, false)
		f := rulestest.DrawFacts(t, rapid.Bool().Draw(t, "complete"))
		definitions := map[string]string{
			"mine": mine, "nobody": nobody, "both": "definitions.mine != definitions.nobody",
			"far": "persons.exists(o, o.person_id > person.person_id && " + useOf("mine", mine, "o") + ")",
		}
		of := func(person string) string { return "(" + ofPerson.ReplaceAllString(mine, person+".") + ")" }
		far := func(person string) string {
			return "(persons.exists(o, o.person_id > " + person + ".person_id && " + of("o") + "))"
		}
		both := func(person string) string { return "(" + of(person) + " != (" + nobody + "))" }
		forms := []struct{ entityType, named, plain string }{
			{fact.EntityBusiness, "persons.exists(a, " + useOf("both", mine, "a") + ")", "persons.exists(a, " + both("a") + ")"},
			{fact.EntityBusiness, "persons.filter(a, a.definitions.far).size() > 0 && !definitions.nobody", "persons.filter(a, " + far("a") + ").size() > 0 && !(" + nobody + ")"},
			{fact.EntityWorkflow, "persons.all(a, persons.exists(b, " + useOf("mine", mine, "b") + " == a.definitions.far))", "persons.all(a, persons.exists(b, " + of("b") + " == " + far("a") + "))"},
			{fact.EntityPerson, "persons.exists_one(a, a.definitions.far || definitions.far)", "persons.exists_one(a, " + far("a") + " || " + far("person") + ")"},
			{fact.EntityPerson, useOf("both", mine, "person") + " || person.definitions.far", both("person") + " || " + far("person")},
		}
		form := rapid.SampledFrom(forms).Draw(t, "form")
		if len(form.plain) > MaxConditionLength {
			return
		}
		one, other := oneRule(form.entityType, form.plain), defined(form.entityType, form.named, definitions)
		expanded, problems := compile(background(t), one, Options{CostLimit: 1 << 60})
		require.Empty(t, problems)
		short, problems := compile(background(t), other, Options{CostLimit: 1 << 60})
		require.Empty(t, problems, form.named)
		require.Equal(t, expanded.needs, short.needs)
		want, err := expanded.Evaluate(background(t), f)
		require.NoError(t, err)
		got, err := short.Evaluate(background(t), f)
		require.NoError(t, err)
		require.Equal(t, want.Gaps, got.Gaps)
		require.Equal(t, len(want.Required), len(got.Required), form.named)
		for i, required := range got.Required {
			require.Equal(t, want.Required[i].EntityID, required.EntityID)
			require.Equal(t, want.Required[i].Reason.Facts, required.Reason.Facts, "the values that decided: %s", required.Reason.Message)
		}
		if len(got.Gaps) > 0 {
			return
		}
		b, err := short.prepare(background(t), f)
		require.NoError(t, err)
		_, err = short.matches(background(t), b)
		require.NoError(t, err)
		subjects := uint64(1)
		if form.entityType == fact.EntityPerson {
			subjects = uint64(len(f.Persons))
		}
		require.LessOrEqual(t, *b.spent, short.rules[0].Condition.stepsFor(subjects), "what it takes was foreseen")
		explanation, err := short.Explain(background(t), f)
		require.NoError(t, err)
		for _, rule := range explanation.Rules {
			require.Equal(t, rule.Required, rule.Steps.Value)
		}
	})
}

// ofPerson finds where a condition reads its person.
var ofPerson = regexp.MustCompile(`\bperson\.`)

// useOf uses a definition with a condition for a person, if the condition reads one.
func useOf(name, condition, person string) string {
	if ofPerson.MatchString(condition) {
		return person + ".definitions." + name
	}
	return "definitions." + name
}

func TestDefinitions_AreNamedInReasonsBeforeTheirOwnReason(t *testing.T) {
	t.Parallel()
	definitions := map[string]string{
		"high_volume": "average_monthly_credit_sales > 50000 && highest_ticket_sale > 100",
		"foreign":     `person.citizenship != "US"`,
		"owner":       `definitions.foreign && person.ownership_percentage >= 25`,
		"nobody_old":  `!persons.exists(p, years_since(p.date_of_birth) > 60)`,
		"always":      "true",
		"owned":       "persons.exists(q, q.definitions.owner)",
		"alike":       "persons.exists(q, q.person_id != person.person_id && q.citizenship != person.citizenship && q.definitions.owner)",
	}
	for _, c := range []struct{ entityType, when, message, facts string }{
		{fact.EntityBusiness, `definitions.high_volume`, "the definition high_volume holds (average monthly credit sales are 62000.5, more than 50000; and the highest ticket sale is 900, more than 100)", `{"average_monthly_credit_sales":62000.5,"highest_ticket_sale":900}`},
		{fact.EntityBusiness, `evaluation_score > 5 && definitions.high_volume`, "the evaluation score is 620, more than 5; and the definition high_volume holds (average monthly credit sales are 62000.5, more than 50000; and the highest ticket sale is 900, more than 100)", `{"average_monthly_credit_sales":62000.5,"evaluation_score":620,"highest_ticket_sale":900}`},
		{fact.EntityPerson, `definitions.owner`, "the definition owner holds (the definition foreign holds (the citizenship of person p_2 is CA, not US); and the ownership percentage of person p_2 is 25%, at least 25%)", `{"persons":{"p_2":{"citizenship":"CA","ownership_percentage":25}}}`},
		{fact.EntityPerson, `!definitions.foreign`, "the definition foreign does not hold (the citizenship of person p_1 is US)", `{"persons":{"p_1":{"citizenship":"US"}}}`},
		{fact.EntityBusiness, `definitions.nobody_old && definitions.always`, "the definition nobody_old holds (for no person the years since their date of birth are more than 60)", `{"persons":{"p_1":{"date_of_birth":"1980-02-29"},"p_2":{"date_of_birth":"2008-03-16"}}}`},
		{fact.EntityBusiness, `definitions.always`, "its condition always holds", `{}`},
		{fact.EntityBusiness, `persons.exists(p, p.ownership_percentage > 50 && definitions.nobody_old)`, "the ownership percentage of person p_1 is 70%, more than 50%; and the definition nobody_old holds (for no person the years since their date of birth are more than 60)", `{"persons":{"p_1":{"date_of_birth":"1980-02-29","ownership_percentage":70},"p_2":{"date_of_birth":"2008-03-16"}}}`},
		{fact.EntityBusiness, `size(persons.filter(p, definitions.high_volume)) == 2`, "the number of persons for whom the definition high_volume holds is 2; and the definition high_volume holds (average monthly credit sales are 62000.5, more than 50000; and the highest ticket sale is 900, more than 100)", `{"average_monthly_credit_sales":62000.5,"highest_ticket_sale":900,"persons":{"p_1":{},"p_2":{}}}`},
		{fact.EntityPerson, `person.definitions.owner`, "the definition owner holds (the definition foreign holds (the citizenship of person p_2 is CA, not US); and the ownership percentage of person p_2 is 25%, at least 25%)", `{"persons":{"p_2":{"citizenship":"CA","ownership_percentage":25}}}`},
		{fact.EntityBusiness, `persons.exists(p, p.definitions.owner)`, "the definition owner holds (the definition foreign holds (the citizenship of person p_2 is CA, not US); and the ownership percentage of person p_2 is 25%, at least 25%)", `{"persons":{"p_2":{"citizenship":"CA","ownership_percentage":25}}}`},
		{fact.EntityBusiness, `definitions.owned`, "the definition owned holds (the definition owner holds (the definition foreign holds (the citizenship of person p_2 is CA, not US); and the ownership percentage of person p_2 is 25%, at least 25%))", `{"persons":{"p_2":{"citizenship":"CA","ownership_percentage":25}}}`},
		{fact.EntityBusiness, `!persons.all(p, p.definitions.owner)`, "the definition owner does not hold (the definition foreign does not hold (the citizenship of person p_1 is US))", `{"persons":{"p_1":{"citizenship":"US"}}}`},
		{fact.EntityBusiness, `persons.all(p, p.definitions.foreign || p.ownership_percentage > 5)`, "for every person the definition foreign holds or their ownership percentage is more than 5%", `{"persons":{"p_1":{"ownership_percentage":70},"p_2":{"citizenship":"CA"}}}`},
		{fact.EntityBusiness, `(definitions.high_volume ? 5 : 1) > 3`, "the definition high_volume holds (average monthly credit sales are 62000.5, more than 50000; and the highest ticket sale is 900, more than 100); and (if the definition high_volume holds 5, otherwise 1) is 5, more than 3", `{"average_monthly_credit_sales":62000.5,"highest_ticket_sale":900}`},
	} {
		result := evaluate(t, defined(c.entityType, c.when, definitions), rulestest.CompleteFacts())
		require.Len(t, result.Required, 1, c.when)
		reason := result.Required[0].Reason
		require.Equal(t, "A document: required because "+c.message+".", reason.Message, c.when)
		require.Equal(t, c.facts, string(fact.CanonicalJSON(map[string]any(reason.Facts))), c.when)
	}
}

// TestDefinitions_ShowTheirStepsAtEachUse, although they are evaluated once.
func TestDefinitions_ShowTheirStepsAtEachUse(t *testing.T) {
	definitions := map[string]string{"a": "persons.all(p, p.ownership_percentage > 5)", "b": "definitions.a && evaluation_score > 5"}
	program := mustCompile(t, defined(fact.EntityPerson, `definitions.b && definitions.a && person.person_id != ""`, definitions))
	explanation, err := program.Explain(t.Context(), rulestest.CompleteFacts())
	require.NoError(t, err)
	require.Len(t, explanation.Rules, 2)
	for _, rule := range explanation.Rules {
		both := rule.Steps.Steps[0]
		first, second := both.Steps[0].Steps[0].Steps[0], both.Steps[1]
		require.Equal(t, []string{"definitions.a", "definitions.a"}, []string{first.Expression, second.Expression})
		require.Equal(t, first, second)
		require.Len(t, first.Steps[0].Steps, 3, "persons, and each of them")
	}

	// Where there is no space for all of them, they are left out together.
	codes := map[string]string{"codes": "industry_category_code.all(c, c in industry_category_code)"}
	program = mustCompile(t, defined(fact.EntityBusiness, "persons.all(p, definitions.codes)", codes))
	f := rulestest.CompleteFacts()
	f.Persons, f.IndustryCategoryCode = rulestest.ManyPersons(fact.MaxPersons), rulestest.Numbered("x", fact.MaxIndustryCategoryCodes)
	explanation, err = program.Explain(t.Context(), f)
	require.NoError(t, err)
	persons := explanation.Rules[0].Steps.Steps[1:]
	last := persons[len(persons)-1]
	require.Equal(t, []int{1, 0}, []int{len(persons[0].Steps), persons[0].Omitted})
	require.Equal(t, []int{0, 1}, []int{len(last.Steps), last.Omitted})
	require.Equal(t, true, last.Value)
	count := 0
	var visit func(s Step)
	visit = func(s Step) {
		count++
		for _, below := range s.Steps {
			visit(below)
		}
	}
	visit(*explanation.Rules[0].Steps)
	require.LessOrEqual(t, count, MaxExplainedSteps)
}

func TestDefinitions_AreStepsOfAnExplanation(t *testing.T) {
	program := mustCompile(t, defined(fact.EntityBusiness, "definitions.a || false", map[string]string{"a": "definitions.b", "b": "evaluation_score > 5"}))
	explanation, err := program.Explain(t.Context(), rulestest.CompleteFacts())
	require.NoError(t, err)
	var expressions []string
	for at := explanation.Rules[0].Steps; ; at = &at.Steps[0] {
		expressions = append(expressions, at.Expression)
		if len(at.Steps) == 0 {
			break
		}
	}
	require.Equal(t, []string{"definitions.a || false", "definitions.a", "definitions.b", "evaluation_score > 5", "evaluation_score"}, expressions)
	require.Equal(t, "definitions.a || false", explanation.Rules[0].Rule)
	require.Equal(t, "definitions.a || false, where definitions.a is definitions.b, where definitions.b is evaluation_score > 5", program.RulesInFull()[0].When)
	require.Equal(t, "definitions.a || false", program.Rules()[0].When)
}

// TestDefinitions_CountWhereTheyAreUsed: in parts, bytes, steps, and in what documents can take.
func TestDefinitions_CountWhereTheyAreUsed(t *testing.T) {
	t.Parallel()
	doubling := map[string]string{"d00": "evaluation_score > 5"}
	for i := 1; i < MaxDefinitions; i++ {
		doubling[fmt.Sprintf("d%02d", i)] = fmt.Sprintf("definitions.d%02d && definitions.d%02d", i-1, i-1)
	}
	requireProblem(t, defined(fact.EntityBusiness, "definitions.d99", doubling), "definitions.d10", "with definitions.d09 the condition has more than 5000 parts: use fewer definitions in it")

	long := map[string]string{"long": strings.TrimSuffix(strings.Repeat("evaluation_score > 5 || ", 160), " || ")}
	requireProblem(t, defined(fact.EntityBusiness, strings.TrimSuffix(strings.Repeat("definitions.long || ", 100), " || "), long), "documents[0].when", "with definitions.long the condition has more than 5000 parts")
	rules := manyRules(80, fact.EntityBusiness, "definitions.long && true")
	rules.Definitions = long
	requireProblem(t, rules, "documents[66]", "have conditions of more than 262144 bytes in all, with each definition wherever it is used")
	kept := map[string]string{}
	for i := range MaxDefinitions {
		kept[fmt.Sprint("d", i)] = long["long"]
	}
	requireProblem(t, defined(fact.EntityBusiness, "true", kept), "definitions", "have conditions of more than 262144 bytes in all")

	pairs := map[string]string{"pairs": `persons.all(p, persons.all(q, p.citizenship == q.citizenship))`}
	one, three := defined(fact.EntityBusiness, "definitions.pairs", pairs), defined(fact.EntityBusiness, "definitions.pairs"+strings.Repeat(" || definitions.pairs", 2), pairs)
	small, large := mustCompile(t, one), mustCompile(t, three)
	require.Greater(t, large.MemoryBytes(), small.MemoryBytes()+1000)
	require.Greater(t, large.mostRequired(50).bytes, small.mostRequired(50).bytes+2*len(pairs["pairs"]))
}

// TestDefinitions_StepsCountOnceForAWorkflow if they read no person, and at each use otherwise, and
// in rules of an older version.
func TestDefinitions_StepsCountOnceForAWorkflow(t *testing.T) {
	t.Parallel()
	pairs := map[string]string{
		"pairs": `persons.all(p, persons.all(q, p.citizenship == q.citizenship))`,
		"cubes": `persons.all(p, definitions.pairs)`,
		"alike": `persons.all(q, person.citizenship == q.citizenship)`,
	}
	many := manyRules(20, fact.EntityBusiness, "definitions.pairs")
	many.Definitions = pairs
	few := func(sets ...RuleSet) []RuleSet { return sets }
	for _, rs := range few(defined(fact.EntityBusiness, "persons.exists(p, definitions.pairs)", pairs), defined(fact.EntityPerson, "definitions.pairs", pairs),
		many, defined(fact.EntityBusiness, "definitions.cubes && definitions.pairs", pairs)) {
		_, problems := Compile(rs, Options{})
		require.Empty(t, problems)
		older := maps.Clone(pairs)
		delete(older, "cubes")
		if rs.Documents[0].When != "definitions.cubes && definitions.pairs" {
			rs.Definitions = older
		}
		_, problems = Compile(rs, Options{EnvironmentVersion: definitionsSince - 1})
		require.NotEmpty(t, problems, rs.Documents[0].When)
		require.Contains(t, problems[0].Message, "steps")
	}
	requireProblem(t, defined(fact.EntityBusiness, "persons.exists(p, persons.exists(q, q.definitions.alike))", pairs), "documents[0].when", "steps")
	// The definition itself may take too many, and is named.
	cubes := map[string]string{"cubes": `persons.all(p, persons.all(q, persons.all(r, p.citizenship == r.citizenship)))`}
	requireProblem(t, defined(fact.EntityBusiness, "true", cubes), "definitions.cubes", "persons.all(p, …) runs 200 times, inside it")
	costly := map[string]string{}
	rules := manyRules(80, fact.EntityBusiness, "")
	for i := range rules.Documents {
		costly[fmt.Sprint("d", i)] = fmt.Sprintf("%s && evaluation_score > %d", pairs["pairs"], i)
		rules.Documents[i].When = fmt.Sprint("definitions.d", i)
	}
	rules.Definitions = costly
	requireProblem(t, rules, "documents", "definitions.d0 takes most, ")
}

// TestDefinitions_FallbackPolicyTakesFewSteps: owners of a quarter, or else those who vote a
// quarter, or else the senior official bring three documents. With each use of a definition counted,
// the rules took more steps than are allowed.
func TestDefinitions_FallbackPolicyTakesFewSteps(t *testing.T) {
	t.Parallel()
	rs := RuleSet{
		Facts: []fact.Declaration{
			{Name: "votes", EntityType: fact.EntityPerson, Type: fact.DeclaredNumber, Label: "votes", Ask: "The votes of this person in percent.", Default: rulestest.Ptr(rulestest.Values(`{"v":0}`)["v"])},
			{Name: "senior", EntityType: fact.EntityPerson, Type: fact.DeclaredBoolean, Label: "senior official", Ask: "Is this the senior official?", Default: rulestest.Ptr(rulestest.Values(`{"v":false}`)["v"])},
		},
		Definitions: map[string]string{
			"owner":    "person.ownership_percentage >= 25 && person.custom.votes >= 0",
			"votes":    "person.custom.votes >= 25 && person.ownership_percentage < 25",
			"no_owner": "!persons.exists(p, p.definitions.owner)",
			"no_votes": "!persons.exists(p, p.definitions.votes)",
			"controls": "definitions.owner || definitions.no_owner && definitions.votes || definitions.no_owner && definitions.no_votes && person.custom.senior",
		},
	}
	inlined := rs
	inlined.Definitions = nil
	owner, votes := "person.ownership_percentage >= 25 && person.custom.votes >= 0", "person.custom.votes >= 25 && person.ownership_percentage < 25"
	nobody := func(condition string) string {
		return "!persons.exists(p, " + ofPerson.ReplaceAllString(condition, "p.") + ")"
	}
	for _, code := range []string{"PASSPORT", "PROOF_OF_ADDRESS", "SELFIE"} {
		document := documentRule(fact.EntityPerson, "definitions.controls")
		document.DocumentTypeCode = code
		rs.Documents = append(rs.Documents, document)
		document.When = owner + " || " + nobody(owner) + " && " + votes + " || " + nobody(owner) + " && " + nobody(votes) + " && person.custom.senior"
		inlined.Documents = append(inlined.Documents, document)
	}
	program, problems := Compile(rs, Options{})
	require.Empty(t, problems)
	for _, version := range []int{definitionsSince - 1, definitionsSince} {
		_, problems = compileUnsized(t.Context(), inlined, Options{EnvironmentVersion: version})
		require.Len(t, problems, 1)
		require.Contains(t, problems[0].Message, " steps ")
	}
	f := rulestest.CompleteFacts()
	f.Persons = rulestest.ManyPersons(fact.MaxPersons)
	for i := range f.Persons {
		f.Persons[i].OwnershipPercentage = rulestest.Decimal(0.5)
		f.Persons[i].Custom = rulestest.Values(`{"votes":0.5}`)
	}
	f.Persons[7].Custom = rulestest.Values(`{"votes":0.5,"senior":true}`)
	b, err := program.prepare(background(t), f)
	require.NoError(t, err)
	matches, err := program.matches(t.Context(), b)
	require.NoError(t, err)
	require.Len(t, matches, 3)
	t.Logf("%d steps", *b.spent)
	require.Less(t, *b.spent, uint64(50_000))
	for _, m := range matches {
		require.Equal(t, "p_007", m.entityID)
		require.Contains(t, m.require().Reason.Message, "the definition no_owner holds")
	}
}

// TestRuleSet_WithoutDefinitionsKeepsItsBytes: stored sets have the form that they had.
func TestRuleSet_WithoutDefinitionsKeepsItsBytes(t *testing.T) {
	content := `{"lists":{"l":["x"]},"documents":[{"document_type_code":"A","name":"n","category":"c","requirement_text":"r","entity_type":"Business","when":"true"}]}`
	set, problems := ParseStoredRuleSet([]byte(content))
	require.Empty(t, problems)
	require.Equal(t, content, string(set.CanonicalJSON()))
	set.Definitions = map[string]string{"b": "true", "a": "false"}
	require.Contains(t, string(set.CanonicalJSON()), `"definitions":{"a":"false","b":"true"},"documents"`)
	back, problems := ReadRuleSet(rulefile.YAMLFile(set.YAML()))
	require.Empty(t, problems)
	require.Equal(t, set.CanonicalJSON(), back.CanonicalJSON())
	require.Equal(t, []string{"a", "b"}, slices.Sorted(maps.Keys(back.Definitions)))
}
