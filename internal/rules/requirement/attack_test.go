package requirement

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

// The divisor takes nine to the power of twelve steps, which need no facts.
func TestCompile_RefusesAConstantDivisorOfTooManySteps(t *testing.T) {
	const list = "[1, 2, 3, 4, 5, 6, 7, 8, 9]"
	divisor := "true"
	for i := range 11 {
		divisor = fmt.Sprintf("%s.all(x%d, %s)", list, i, divisor)
	}
	requireProblem(t, oneRule(fact.EntityBusiness, "1 / size("+list+".filter(x, "+divisor+")) > 0"), "documents[0].when", "steps")
}

// pairs is a condition whose reason grows with the square of the persons on file.
const pairs = `persons.all(p, persons.all(q, p.ownership_percentage == q.ownership_percentage))`

// largeFacts have all on file that may be.
func largeFacts() fact.Facts {
	f := rulestest.CompleteFacts()
	f.Persons = rulestest.ManyPersons(fact.MaxPersons)
	f.IndustryCategoryCode = rulestest.Numbered("", fact.MaxIndustryCategoryCodes)
	return f
}

// The reason has the value of every fact that the condition needs, and of no other.
func TestReason_BeyondTheStepLimitRepeatsTheCondition(t *testing.T) {
	t.Parallel()
	when := `evaluation_score > 5 && size(industry_category_code) > 0 && ` + pairs
	f := largeFacts()
	reason := evaluate(t, oneRule(fact.EntityBusiness, when), f).Required[0].Reason
	require.Equal(t, "A document: required because the evaluation score is more than 5 and the number of industry category codes is more than 0 and for every person for every person their ownership percentage is their ownership percentage.", reason.Message)
	require.Len(t, reason.Facts, 3)
	require.Equal(t, *f.EvaluationScore, reason.Facts["evaluation_score"])
	require.Len(t, reason.Facts["industry_category_code"], fact.MaxIndustryCategoryCodes)
	persons := reason.Facts[fact.NamePersons].(map[string]any)
	require.Len(t, persons, fact.MaxPersons)
	require.Equal(t, map[string]any{"ownership_percentage": *rulestest.Decimal(50)}, persons["p_007"])
}

// Reasons take only the steps that the decisions have left. Beyond them, they repeat
// the condition and name all facts that it needs.
func TestReasons_ShareTheLimitOfTheEvaluation(t *testing.T) {
	t.Parallel()
	const when = `persons.exists(p, p.citizenship == "CA" && p.ownership_percentage > 1) && person.citizenship == "CA"`
	program := mustCompile(t, oneRule(fact.EntityPerson, when))
	f := rulestest.CompleteFacts()
	f.Persons = rulestest.ManyPersons(50)
	spend := func(limit uint64) (reasons []Reason, spent uint64) {
		program.limit = limit
		b, err := program.prepare(background(t), f)
		require.NoError(t, err)
		matches, err := program.matches(t.Context(), b)
		require.NoError(t, err)
		require.Len(t, matches, len(f.Persons))
		for _, m := range matches {
			reasons = append(reasons, m.require().Reason)
		}
		return reasons, *b.spent
	}
	whole, spent := spend(DefaultCostLimit)
	less, lessSpent := spend(spent - 1)
	require.LessOrEqual(t, lessSpent, spent-1)
	last := len(whole) - 1
	require.Equal(t, whole[:last], less[:last])
	require.Contains(t, whole[last].Message, "the citizenship of person p_000 is CA")
	require.Contains(t, less[last].Message, "required because for a person their citizenship is CA")
	require.Equal(t, whole[last].Facts, less[last].Facts, "every fact is still named")
}

func TestReason_CanBeGivenUpAtEveryStep(t *testing.T) {
	f := rulestest.CompleteFacts()
	f.Persons = rulestest.ManyPersons(3)
	for _, when := range []string{
		`persons.all(p, persons.exists(q, q.ownership_percentage == p.ownership_percentage && q.citizenship in ["CA", "US"]))`,
		`persons.filter(p, p.ownership_percentage > 25).map(p, p.ownership_percentage).exists(n, n > (person.citizenship == "CA" ? 5 : 6))`,
		`lists.high_risk.exists_one(c, c in industry_category_code) || person.ownership_percentage * 2 > 1`,
	} {
		program := mustCompile(t, oneRule(fact.EntityPerson, when))
		b, err := program.prepare(background(t), f)
		require.NoError(t, err)
		rule := program.rules[0]
		subject := rule.subjects(b)[0]
		_, steps, ok := walkWithin(rule.Condition.Tree, subject.values, math.MaxInt)
		require.True(t, ok)
		for most := range steps {
			_, _, ok := walkWithin(rule.Condition.Tree, subject.values, most)
			require.False(t, ok, "%s after %d", when, most)
		}
		_, _, ok = walkWithin(rule.Condition.Tree, subject.values, steps)
		require.True(t, ok)
	}
}
