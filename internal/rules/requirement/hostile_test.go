package requirement

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
	"requisite/internal/rules/rulestest"
)

// A user who may publish rules must not be able to stop the service with them.
// Each test tries to break one bound.

func TestCompile_RefusesHostileConditions(t *testing.T) {
	many := make([]string, MaxListEntries)
	for i := range many {
		many[i] = fmt.Sprintf("%064d", i)
	}
	lists := map[string][]string{"many": many}
	for name, when := range map[string]string{
		"loops in loops":     `persons.all(p, persons.all(q, persons.all(r, p.citizenship == q.citizenship || r.citizenship == "US")))`,
		"loops over a list":  `lists.many.all(a, lists.many.all(b, a == b || b == a))`,
		"long texts":         `lists.many.all(a, lists.many.exists(b, a.contains(b)))`,
		"nested lists":       `persons.map(p, persons.map(q, q.person_id)).size() > 1`,
		"maps of maps":       `persons.map(p, persons.map(q, persons.map(r, r.person_id).size()).size()).size() > 1`,
		"deep brackets":      strings.Repeat("(", 1000) + "true" + strings.Repeat(")", 1000),
		"deep lists":         strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + " == []",
		"deep selection":     "persons" + strings.Repeat(".a", 1500) + " == 1",
		"too long":           "evaluation_score > 1 // " + strings.Repeat("x", MaxConditionLength),
		"many parts":         strings.Repeat("1+", 2000) + "1 > evaluation_score - evaluation_score > 1",
		"deep conditionals":  strings.Repeat("true ? (", 300) + "true" + strings.Repeat(") : false", 300),
		"deep macros":        strings.Repeat("persons.exists(a, ", 200) + "true" + strings.Repeat(")", 200),
		"nothing but noise":  strings.Repeat("&|=%$", 800),
		"an open end":        strings.Repeat("persons.exists(p,", 200),
		"not UTF-8":          "\xff\xfe == 1",
		"a zero byte":        "evaluation_score > 1\x00",
		"invisible letters":  "evaluation\u200b_score > 1",
		"a comprehension id": "@result > 1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program, problems := Compile(RuleSet{Lists: lists, Documents: []DocumentRule{documentRule(fact.EntityBusiness, when)}}, Options{})
			require.True(t, program == nil)
			require.NotEmpty(t, problems)
			require.Less(t, len(problems), 20)
		})
	}
}

// TestCompile_RefusesTextsAndSumsThatGrow: a text that doubles with each step, also of what a
// loop makes, and a sum of fractions that have nothing in common.
func TestCompile_RefusesTextsAndSumsThatGrow(t *testing.T) {
	t.Parallel()
	doubled := func(list string, times int) string {
		for i := range times {
			list += fmt.Sprintf(".map(x%d, x%d + x%d)", i, i, i)
		}
		return list + `.exists(x, x == "")`
	}
	quoted := func(bytes int) string { return `"` + strings.Repeat("x", bytes) + `"` }
	mustCompile(t, oneRule(fact.EntityBusiness, doubled(`["x"]`, 12)))
	mustCompile(t, oneRule(fact.EntityBusiness, `[`+quoted(maxJoinedText/2)+`].exists(x, x + x == "")`))
	const long = "may become a text of more than 4096 bytes: join fewer or shorter texts"
	for when, want := range map[string]string{
		doubled(`["x"]`, 13): long,
		doubled(`["x"]`, 40): long,
		doubled(`persons.map(p, p.citizenship + country)`, 11):                                                               long,
		`[` + quoted(maxJoinedText/2) + `].exists(x, x + country + x == "")`:                                                 long,
		`[` + quoted(maxJoinedText/2) + `].exists(x, persons.map(p, x + x).exists(y, y + "" == ""))`:                         "",
		`[` + quoted(maxJoinedText/2) + `].exists(x, persons.map(p, x + x).exists(y, y + "z" == ""))`:                        long,
		`persons.sum(p, 1 / (p.ownership_percentage + 1)) > 1`:                                                               "which no rule can calculate with: divide the sum, and not each of its parts",
		`persons.sum(p, persons.sum(q, industry_category_code.sum(c, p.ownership_percentage * q.ownership_percentage))) > 1`: "steps",
		`persons.sum(p, p.ownership_percentage` + strings.Repeat(" * p.ownership_percentage", 40) + `) > 1`:                  "may become a number of more than 154 digits",
	} {
		if want == "" {
			mustCompile(t, oneRule(fact.EntityBusiness, when))
			continue
		}
		requireProblem(t, oneRule(fact.EntityBusiness, when), "documents[0].when", want)
	}
	mustCompile(t, oneRule(fact.EntityBusiness, `persons.sum(p, p.ownership_percentage / 3 + p.ownership_percentage / 7) > 1`))
}

func TestEvaluate_StopsAtTheCostLimit(t *testing.T) {
	t.Parallel()
	program := mustCompile(t, oneRule(fact.EntityBusiness, `persons.all(p, persons.all(q, persons.all(r, p.person_id == q.person_id || r.person_id != "")))`))
	compiled := program.rules[0].Condition

	f := rulestest.CompleteFacts()
	f.Persons = nil
	for i := range fact.MaxPersons {
		f.Persons = append(f.Persons, fact.PersonFacts{PersonID: fmt.Sprintf("p_%03d", i)})
	}
	b := Bind(fact.BuiltIn, f, nil, DefaultCostLimit)
	_, err := compiled.Holds(t.Context(), b)
	require.ErrorIs(t, err, ErrCostLimit)
	require.Less(t, *b.spent, DefaultCostLimit+1000)
	_, err = compiled.Holds(t.Context(), b)
	require.ErrorIs(t, err, ErrCostLimit, "all conditions share the limit")
	program.limit = DefaultCostLimit
	_, err = program.Evaluate(t.Context(), f)
	require.ErrorIs(t, err, ErrCostLimit)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = compiled.Holds(ctx, Bind(fact.BuiltIn, f, nil, DefaultCostLimit))
	require.ErrorIs(t, err, context.Canceled)
}

// manyRules are n rules of one condition, each with a code of its own.
func manyRules(n int, entityType, when string) RuleSet {
	rs := RuleSet{Lists: map[string][]string{}}
	for i := range n {
		doc := documentRule(entityType, when)
		doc.DocumentTypeCode = fmt.Sprintf("DOC_%d", i)
		doc.Name = fmt.Sprintf("Document %d", i)
		rs.Documents = append(rs.Documents, doc)
	}
	return rs
}

// requireProblem holds that a rule set is refused for one reason, said once.
func requireProblem(t *testing.T, rs RuleSet, path, message string) {
	t.Helper()
	program, problems := Compile(rs, Options{})
	require.True(t, program == nil)
	require.Len(t, problems, 1, "%v", problems)
	require.Equal(t, path, problems[0].Path)
	require.Contains(t, problems[0].Message, message)
}

// TestSchema_RefusesWhatTheParserRefuses tries the largest values that are allowed.
func TestRuleSet_LargerThanItsBoundsIsRefused(t *testing.T) {
	requireProblem(t, manyRules(MaxDocuments+1, fact.EntityBusiness, ""), "documents", "holds 1001 rules; at most 1000 are allowed")
	long := func(n int) string { return strings.Repeat("é", n) }
	for _, c := range []struct {
		change        func(*RuleSet)
		path, message string
	}{
		{func(rs *RuleSet) { rs.Documents[0].Name = long(MaxTextLength + 1) }, "documents[0].name", "is longer than 4000 characters"},
		{func(rs *RuleSet) { rs.Documents[0].DocumentTypeCode = strings.Repeat("A", 65) }, "documents[0].document_type_code", "must be 1 to 64"},
		{func(rs *RuleSet) { rs.Lists["l"] = make([]string, MaxListEntries+1) }, "lists.l", "holds 1001 entries"},
		{func(rs *RuleSet) { rs.Lists["l"] = []string{long(MaxListEntryLength + 1)} }, "lists.l[0]", "is longer than 64 characters"},
		{func(rs *RuleSet) { rs.Lists = rulestest.NumberedLists(MaxLists+1, 0) }, "lists", "holds 101 lists"},
		{func(rs *RuleSet) { rs.Examples = []Example{{Name: long(MaxTextLength + 1)}} }, "examples[0]", "longer than 4000 characters"},
		{func(rs *RuleSet) { rs.Examples = make([]Example, MaxExamples+1) }, "examples", "holds 201 examples"},
	} {
		rs := manyRules(1, fact.EntityBusiness, "")
		c.change(&rs)
		requireProblem(t, rs, c.path, c.message)
	}
}

func TestCompile_RefusesControlCharactersAndBrokenUTF8(t *testing.T) {
	const refused = "holds the control character U+0000: take it out"
	for name, c := range map[string]struct {
		change        func(*RuleSet)
		path, message string
	}{
		"NUL in a text":             {func(rs *RuleSet) { rs.Documents[0].RequirementText = "a\n\x00" }, "documents[0].requirement_text", refused},
		"NUL in a list":             {func(rs *RuleSet) { rs.Lists["l"] = []string{"ok", "\x00"} }, "lists.l[1]", refused},
		"NUL in a condition":        {func(rs *RuleSet) { rs.Documents[0].When = "evaluation_score > 1\x00" }, "documents[0].when", refused},
		"NUL by its code point":     {func(rs *RuleSet) { rs.Documents[0].When = `persons.exists(p, p.citizenship != "\u0000")` }, "documents[0].when", "this text " + refused},
		"NUL in an example's name":  {func(rs *RuleSet) { rs.Examples = []Example{{Name: "\x00"}} }, "examples[0]", refused},
		"not UTF-8":                 {func(rs *RuleSet) { rs.Documents[0].Name = "caf\xe9" }, "documents[0].name", "is not UTF-8"},
		"not UTF-8, in a list":      {func(rs *RuleSet) { rs.Lists["l"] = []string{"\xff"} }, "lists.l[0]", "is not UTF-8"},
		"not UTF-8, in a condition": {func(rs *RuleSet) { rs.Documents[0].When = "true || \"\xc3\" == \"\"" }, "documents[0].when", "is not UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			rs := manyRules(1, fact.EntityBusiness, "")
			c.change(&rs)
			requireProblem(t, rs, c.path, c.message)
		})
	}
	rs := manyRules(1, fact.EntityBusiness, "true\r\n|| \"�\" == \"\t\"")
	rs.Documents[0].RequirementText = "One:\r\n\ttwo, � and \u2028."
	_, problems := Compile(rs, Options{})
	require.Empty(t, problems, "lines, tabs and everything that shows are fine")

	for name, input := range map[string]string{
		"JSON": "{\"documents\":[{\"name\":\"\xff\"}]}", "JSON's lone surrogate": `{"documents":[{"name":"\ud800"}]}`,
	} {
		open := rulefile.YAMLFile
		if strings.HasPrefix(name, "JSON") {
			open = rulefile.JSONFile
		}
		_, problems := ReadRuleSet(open([]byte(input)))
		require.Len(t, problems, 1, name)
	}
}

func TestParse_ExpandsNoAliases(t *testing.T) {
	var laughs strings.Builder
	laughs.WriteString("l0: &l0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n")
	for i := 1; i <= 30; i++ {
		fmt.Fprintf(&laughs, "l%d: &l%d [%s*l%d]\n", i, i, strings.Repeat(fmt.Sprintf("*l%d, ", i-1), 8), i-1)
	}
	laughs.WriteString("documents: *l30\n")
	for name, c := range map[string]struct{ input, message string }{
		"a billion laughs":    {laughs.String(), "anchors and aliases (& and *) are not part of rule files: write the value out"},
		"an alias as a name":  {"lists: {a: [&x b]}\ndocuments: [{*x : n}]\n", "anchors and aliases"},
		"a list as a name":    {"? [a, b]\n: c\ndocuments: []\n", "a name must be plain text"},
		"a list twice":        {"lists: {a: [], a: [x]}\ndocuments: []\n", "is written twice"},
		"a tag":               {"documents: [{name: !!binary aGk=}]\n", "rule files have no tags"},
		"deep lists":          {"documents: " + strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000), "nested more than 64 levels"},
		"deep by indentation": {"documents:\n" + deepIndent(900), "nested more than 64 levels"},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := ReadRuleSet(rulefile.YAMLFile([]byte(c.input)))
			require.NotEmpty(t, problems)
			require.LessOrEqual(t, len(problems), rulefile.MaxProblems)
			var messages []string
			for _, problem := range problems {
				messages = append(messages, problem.Message)
			}
			require.Contains(t, strings.Join(messages, "\n"), c.message)
		})
	}
}

func deepIndent(depth int) string {
	var text strings.Builder
	for i := 1; i <= depth; i++ {
		fmt.Fprintf(&text, "%s-\n", strings.Repeat(" ", i))
	}
	return text.String()
}

func TestNumbers_TooLargeAreRefused(t *testing.T) {
	digits := strings.Repeat("9", 4000)
	for _, when := range []string{
		"evaluation_score > " + digits, "business_age_months > 9223372036854775808", "business_age_months < -9223372036854775809",
		"evaluation_score > 1e999999999", "evaluation_score > 0x" + strings.Repeat("F", 40),
	} {
		_, problems := Compile(oneRule(fact.EntityBusiness, when), Options{})
		require.NotEmpty(t, problems, rulefile.Clip(when))
		require.Equal(t, "documents[0].when", problems[0].Path)
		require.Less(t, len(problems[0].Message), 500)
	}
	for _, file := range []string{
		"documents: []\nexamples: [{name: e, facts: {evaluation_score: " + digits + "}, expect: {documents: []}}]",
		"documents: []\nexamples: [{name: e, facts: {evaluation_score: 1e400}, expect: {documents: []}}]",
	} {
		_, problems := ReadRuleSet(rulefile.YAMLFile([]byte(file)))
		require.Len(t, problems, 1)
		require.Contains(t, problems[0].Message, "number")
		require.Equal(t, "examples[0].facts.evaluation_score", problems[0].Path)
	}
	// What is as large as is allowed can be explained, and written.
	program := mustCompile(t, oneRule(fact.EntityBusiness, "evaluation_score * 1e39 * 1e39 * 10 > 1 && average_individual_sale / 1e-39 / 1e-39 / 3 > 1e39"))
	result, err := program.Evaluate(t.Context(), rulestest.CompleteFacts())
	require.NoError(t, err)
	require.Len(t, result.Required, 1)
	require.NotEmpty(t, fact.CanonicalJSON(result.Required), "and can be written")
	explanation, err := program.Explain(t.Context(), rulestest.CompleteFacts())
	require.NoError(t, err)
	require.NotEmpty(t, fact.CanonicalJSON(explanation))
}

func TestCompile_LimitsTheCostOfAllRulesTogether(t *testing.T) {
	t.Parallel()
	// Each is allowed alone, and costs next to nothing to write.
	const costly = `persons.all(p, industry_category_code.exists(c, c == p.citizenship))`
	_, problems := Compile(manyRules(1, fact.EntityBusiness, costly), Options{})
	require.Empty(t, problems)
	requireProblem(t, manyRules(MaxDocuments, fact.EntityBusiness, costly), "documents", "write fewer or simpler rules")
	requireProblem(t, manyRules(1, fact.EntityPerson, costly), "documents[0].when", "for each of 200 persons, persons.all(p, …) runs 200 x 200 times, inside it industry_category_code.exists(c, …) runs 200 x 200 x 100 times")

	constant := manyRules(MaxDocuments, fact.EntityBusiness, `lists.a.all(x, lists.a.all(y, true))`)
	for i := range 250 {
		constant.Lists["a"] = append(constant.Lists["a"], fmt.Sprint("entry", i))
	}
	requireProblem(t, constant, "documents", "write fewer or simpler rules")
}

func TestExamples_CostIsLimitedTogether(t *testing.T) {
	t.Parallel()
	rs := manyRules(66, fact.EntityPerson, "")
	opts := Options{CostLimit: DefaultCostLimit / 10} // the bound is the same, and reached sooner
	for range MaxExamples {
		rs.Examples = append(rs.Examples, Example{Name: "many", Facts: fact.ExampleFacts{Persons: rulestest.ManyPersons(fact.MaxPersons)}, Expect: Expectation{Documents: []ExpectedDocument{}}})
	}
	_, problems := Compile(rs, opts)
	require.Less(t, len(problems), 10)
	require.Contains(t, problems[len(problems)-1].Message, "keep fewer, with fewer persons")
	for _, problem := range problems {
		require.Less(t, len(problem.Message), 2000, "13200 documents are not listed one by one")
	}
	require.Contains(t, problems[0].Message, "and 13180 more")

	_, results, problems := RunExamples(t.Context(), rs, opts)
	require.Empty(t, problems)
	require.Less(t, len(results), 10)
	require.Contains(t, results[len(results)-1].Failure, "keep fewer")
	require.Len(t, results[0].Rules, maxExplainedDifferences)
}

func TestEvaluate_ThousandRulesOverFiftyPersonsCostNoMoreThanTheLimit(t *testing.T) {
	t.Parallel()
	f := rulestest.CompleteFacts()
	f.Persons = rulestest.ManyPersons(50)
	rs := manyRules(MaxDocuments, fact.EntityPerson, `person.citizenship != "US"`)
	_, problems := Compile(rs, Options{})
	require.NotEmpty(t, problems, "what they require is more than a run carries")
	program, problems := compileUnsized(t.Context(), rs, Options{})
	require.Empty(t, problems)
	b, err := program.prepare(background(t), f)
	require.NoError(t, err)
	found, err := program.matches(t.Context(), b)
	require.NoError(t, err)
	require.Len(t, found, MaxDocuments*50)
	require.LessOrEqual(t, *b.spent, DefaultCostLimit)
}

func TestEvaluate_LimitsTheSizeOfTheResult(t *testing.T) {
	t.Parallel()
	rs := manyRules(100, fact.EntityPerson, "")
	for i := range rs.Documents {
		rs.Documents[i].Name = strings.Repeat("\"", MaxTextLength) // two bytes each, as JSON
	}
	program, problems := compileUnsized(t.Context(), rs, Options{})
	require.Empty(t, problems)
	f := rulestest.CompleteFacts()
	f.Persons = rulestest.ManyPersons(1)
	result, err := program.Evaluate(t.Context(), f)
	require.NoError(t, err)
	require.LessOrEqual(t, len(fact.CanonicalJSON(result.Required)), MaxResultBytes)
	f.Persons = rulestest.ManyPersons(2)
	_, err = program.Evaluate(t.Context(), f)
	require.ErrorIs(t, err, ErrTooMuchRequired)
	require.ErrorContains(t, err, "it is 200 documents for 2 persons")
	require.ErrorContains(t, err, "require fewer documents of each person")
	require.True(t, Unanswerable(err))
	require.False(t, Unanswerable(context.Canceled))

	// What is ordinary fits, for as many persons as there may be.
	ordinary := mustCompile(t, manyRules(5, fact.EntityPerson, `person.citizenship != "US" && person.ownership_percentage >= 25`))
	f.Persons = rulestest.ManyPersons(fact.MaxPersons)
	result, err = ordinary.Evaluate(t.Context(), f)
	require.NoError(t, err)
	require.Len(t, result.Required, 5*fact.MaxPersons)
}

func TestEvaluate_StopsWhenItsContextEnds(t *testing.T) {
	t.Parallel()
	f := rulestest.CompleteFacts()
	f.Persons = rulestest.ManyPersons(fact.MaxPersons)
	for _, when := range []string{"", `person.citizenship != "US"`} {
		program, problems := compileUnsized(t.Context(), manyRules(100, fact.EntityPerson, when), Options{})
		require.Empty(t, problems)
		left := 500
		b, err := program.prepare(background(t), f)
		require.NoError(t, err)
		_, err = program.matches(rulestest.EndsAfter{Context: t.Context(), Left: &left}, b)
		require.Error(t, err)
		require.Less(t, *b.spent, uint64(500*50), "%q: nothing is evaluated after the end", when)
		left = 500
		seen := 0
		_, err = program.ExplainEach(rulestest.EndsAfter{Context: t.Context(), Left: &left}, f, func(RuleExplanation, func() *Step) error { seen++; return nil })
		require.Error(t, err)
		require.LessOrEqual(t, seen, 500)
	}
}
