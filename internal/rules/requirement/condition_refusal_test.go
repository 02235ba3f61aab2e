package requirement

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
)

func TestCompile_NamesTheLoopsThatTakeTooManySteps(t *testing.T) {
	const pairs = `persons.exists(p, persons.exists(q, `
	sums := strings.Repeat(" + p.ownership_percentage * q.ownership_percentage", 40)
	for name, c := range map[string]struct {
		rs         RuleSet
		path, says string
	}{
		"three loops": {oneRule(fact.EntityBusiness, pairs+`industry_category_code.exists(c, c == "7995" && p.citizenship != q.citizenship)))`), "documents[0].when",
			"persons.exists(p, …) runs 200 times, inside it persons.exists(q, …) runs 200 x 200 times, inside it industry_category_code.exists(c, …) runs 200 x 200 x 100 times; about 300000 runs in all are allowed: move a loop out"},
		"a long test": {oneRule(fact.EntityBusiness, pairs+`1 < 0`+sums+`))`), "documents[0].when",
			" steps each time; 75 are allowed: compare less in the innermost loop"},
		"of each person": {oneRule(fact.EntityPerson, pairs+`p.citizenship == q.citizenship && person.citizenship == "US"))`), "documents[0].when",
			"for each of 200 persons, persons.exists(p, …) runs 200 x 200 times, inside it persons.exists(q, …) runs 200 x 200 x 200 times; about"},
		"many rules": {manyRules(100, fact.EntityPerson, `persons.all(p, p.citizenship != "US")`), "documents",
			"and 3000000 are allowed. DOC_0 (documents[0]) takes most, 202400 of them: for each of 200 persons, persons.all(p, …) runs 200 x 200 times. 14 conditions like it are allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := Compile(c.rs, Options{})
			require.Len(t, problems, 1)
			require.Equal(t, c.path, problems[0].Path)
			require.Contains(t, problems[0].Message, c.says)
		})
	}
	_, problems := Compile(oneRule(fact.EntityPerson, `evaluation_score > 1`), Options{CostLimit: 100})
	require.Contains(t, problems[0].Message, "it is evaluated for each person; write a shorter condition")
}
