package requirement

import (
	"fmt"
	"maps"
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
			[]string{"documents[0].when 1:13 definitions.foreign reads person, so only a rule with entity_type Person can use it"},
		},
		"of a person, by another": {
			fact.EntityWorkflow, "definitions.far", map[string]string{"foreign": `person.citizenship != "US"`, "far": "definitions.foreign && true"},
			[]string{"documents[0].when 1:13 definitions.far reads person, so only a rule with entity_type Person can use it"},
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
		require.GreaterOrEqual(t, short.rules[0].Condition.Cost, expanded.rules[0].Condition.Cost)
		want, err := expanded.Evaluate(background(t), f)
		require.NoError(t, err)
		got, err := short.Evaluate(background(t), f)
		require.NoError(t, err)
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

func TestDefinitions_AreNamedInReasonsBeforeTheirOwnReason(t *testing.T) {
	t.Parallel()
	definitions := map[string]string{
		"high_volume": "average_monthly_credit_sales > 50000 && highest_ticket_sale > 100",
		"foreign":     `person.citizenship != "US"`,
		"owner":       `definitions.foreign && person.ownership_percentage >= 25`,
		"nobody_old":  `!persons.exists(p, years_since(p.date_of_birth) > 60)`,
		"always":      "true",
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
		{fact.EntityBusiness, `(definitions.high_volume ? 5 : 1) > 3`, "the definition high_volume holds (average monthly credit sales are 62000.5, more than 50000; and the highest ticket sale is 900, more than 100); and (if the definition high_volume holds 5, otherwise 1) is 5, more than 3", `{"average_monthly_credit_sales":62000.5,"highest_ticket_sale":900}`},
	} {
		result := evaluate(t, defined(c.entityType, c.when, definitions), rulestest.CompleteFacts())
		require.Len(t, result.Required, 1, c.when)
		reason := result.Required[0].Reason
		require.Equal(t, "A document: required because "+c.message+".", reason.Message, c.when)
		require.Equal(t, c.facts, string(fact.CanonicalJSON(map[string]any(reason.Facts))), c.when)
	}
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
	mustCompile(t, defined(fact.EntityBusiness, "definitions.pairs", pairs))
	requireProblem(t, defined(fact.EntityBusiness, "persons.exists(p, definitions.pairs)", pairs), "documents[0].when", "steps")
	requireProblem(t, defined(fact.EntityPerson, "definitions.pairs", pairs), "documents[0].when", "for each of 200 persons, persons.all(p, …) runs")
	rules = manyRules(20, fact.EntityBusiness, "definitions.pairs")
	rules.Definitions = pairs
	requireProblem(t, rules, "documents", "steps in all")
	requireProblem(t, defined(fact.EntityBusiness, "true", map[string]string{"cubes": `persons.all(p, definitions.pairs)`, "pairs": pairs["pairs"]}), "definitions.cubes", "steps")

	one, ten := defined(fact.EntityBusiness, "definitions.pairs", pairs), defined(fact.EntityBusiness, "definitions.pairs"+strings.Repeat(" || definitions.pairs", 2), pairs)
	small, large := mustCompile(t, one), mustCompile(t, ten)
	require.Greater(t, large.rules[0].Condition.Cost, 2*small.rules[0].Condition.Cost)
	require.Greater(t, large.MemoryBytes(), small.MemoryBytes()+1000)
	require.Greater(t, large.mostRequired(50).bytes, small.mostRequired(50).bytes+2*len(pairs["pairs"]))
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
