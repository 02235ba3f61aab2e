package requirement

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

// stepsInAll is what a rule set that is refused for it may cost in all.
func stepsInAll(t *testing.T, problems []Problem) (steps uint64) {
	t.Helper()
	require.Len(t, problems, 1)
	_, err := fmt.Sscanf(problems[0].Message, "may take %d steps in all", &steps)
	require.NoError(t, err, problems[0].Message)
	return steps
}

func TestCompile_AllowsTheLastValueOfEachCostLimit(t *testing.T) {
	t.Parallel()
	one := oneRule(fact.EntityBusiness, `persons.exists(p, industry_category_code.exists(c, c == p.citizenship))`)
	cost := mustCompile(t, one).rules[0].Condition.Cost
	_, problems := Compile(one, Options{CostLimit: cost})
	require.Empty(t, problems)
	_, problems = Compile(one, Options{CostLimit: cost - 1})
	require.Len(t, problems, 1)
	require.Equal(t, "documents[0].when", problems[0].Path)

	// The sum of many rules is what a limit allows, to the step.
	const when = "evaluation_score > 1 && size(persons) > 1"
	cost = mustCompile(t, oneRule(fact.EntityBusiness, when)).rules[0].Condition.Cost
	rs := manyRules(20, fact.EntityBusiness, when)
	steps := stepsInAll(t, second(Compile(rs, Options{CostLimit: cost})))
	_, problems = Compile(rs, Options{CostLimit: steps})
	require.Empty(t, problems)
	require.Equal(t, steps, stepsInAll(t, second(Compile(rs, Options{CostLimit: steps - 1}))))

	// A Person rule counts once for each person who may be on record.
	person := stepsInAll(t, second(Compile(manyRules(1000, fact.EntityPerson, when), Options{CostLimit: cost * fact.MaxPersons})))
	require.Equal(t, cost*1000*fact.MaxPersons, person)

	// No estimate wraps around.
	deep := "true"
	for i := range 6 {
		deep = fmt.Sprintf("lists.many.all(x%d, %s)", i, deep)
	}
	rs = manyRules(1000, fact.EntityPerson, deep)
	rs.Lists["many"] = rulestest.Numbered("t", MaxListEntries)
	require.Equal(t, 1000*fact.MaxPersons*mostSteps, stepsInAll(t, second(Compile(rs, Options{CostLimit: fact.MaxPersons * mostSteps}))))
}

func second(_ *Program, problems []Problem) []Problem { return problems }

func TestCompile_LimitsTheLengthOfConditions(t *testing.T) {
	t.Parallel()
	padded := func(n int) string { return "true // " + strings.Repeat("é", n-len("true // ")) }
	_, problems := Compile(oneRule(fact.EntityBusiness, padded(MaxConditionLength)), Options{})
	require.Empty(t, problems)
	requireProblem(t, oneRule(fact.EntityBusiness, padded(MaxConditionLength+1)), "documents[0].when", "is longer than")

	inAll := func(bytes int) RuleSet {
		rs := manyRules(bytes/MaxConditionLength+1, fact.EntityBusiness, "")
		for i := range rs.Documents {
			if n := min(bytes, MaxConditionLength); n > 0 {
				rs.Documents[i].When = "true //" + strings.Repeat("x", max(n, 8)-7)
				bytes -= max(n, 8)
			}
		}
		require.Zero(t, bytes)
		return rs
	}
	_, problems = Compile(inAll(MaxConditionsLength), Options{})
	require.Empty(t, problems)
	requireProblem(t, inAll(MaxConditionsLength+8), "documents", "have conditions of more than")

	requireProblem(t, oneRule(fact.EntityBusiness, "evaluation_score > 1 && \"a\" == \"\\u0007\""), "documents[0].when", "this text holds the control character U+0007")
	_, problems = Compile(oneRule(fact.EntityBusiness, "evaluation_score > 1\n && \"a\" == \"\\u0007\""), Options{})
	require.Equal(t, [2]int{2, 12}, [2]int{problems[0].Line, problems[0].Column}, "where the text stands")
}

// The bound counts numbers twice.
func TestCompile_LimitsThePartsOfACondition(t *testing.T) {
	t.Parallel()
	sums := func(n int) RuleSet {
		return oneRule(fact.EntityBusiness, "evaluation_score in ["+strings.TrimSuffix(strings.Repeat("1+1,", n), ",")+"]")
	}
	_, problems := Compile(sums(999), Options{})
	require.Empty(t, problems)
	requireProblem(t, sums(1000), "documents[0].when", "has more than 5000 parts: move codes into lists, and split the rule")
}

// An evaluation counts what its condition costs, whether it has an answer or not.
func TestEvaluate_CountsItsSteps(t *testing.T) {
	spent := func(when string, f fact.Facts) (uint64, bool, error) {
		program := mustCompile(t, oneRule(fact.EntityBusiness, when))
		b, err := program.prepare(background(t), f)
		require.NoError(t, err)
		holds, err := program.rules[0].holds(t.Context(), b)
		return *b.spent, holds, err
	}
	few, holds, err := spent(`persons.all(p, p.citizenship != "XK")`, rulestest.CompleteFacts())
	require.NoError(t, err)
	require.True(t, holds)
	require.Greater(t, few, uint64(evaluationCost))
	many := rulestest.CompleteFacts()
	for i := range 100 {
		many.Persons = append(many.Persons, fact.PersonFacts{PersonID: fmt.Sprint("q_", i), Citizenship: rulestest.Ptr("US"), OwnershipPercentage: rulestest.Decimal(0)})
	}
	more, _, err := spent(`persons.all(p, p.citizenship != "XK")`, many)
	require.NoError(t, err)
	require.Greater(t, more, 10*few)
	divided := rulestest.CompleteFacts()
	divided.AverageIndividualSale = rulestest.Decimal(0)
	undecided, holds, err := spent(`highest_ticket_sale / average_individual_sale > 1`, divided)
	require.ErrorIs(t, err, ErrUndecided)
	require.False(t, holds)
	require.Greater(t, undecided, uint64(evaluationCost))
	always, holds, err := spent("", rulestest.CompleteFacts())
	require.NoError(t, err)
	require.True(t, holds)
	require.EqualValues(t, evaluationCost, always)

	// Calculating costs by how long the numbers are.
	const product = "average_yearly_credit_sales * average_yearly_credit_sales * average_yearly_credit_sales * average_yearly_credit_sales >= 0"
	short, long := rulestest.CompleteFacts(), rulestest.CompleteFacts()
	short.AverageYearlyCreditSales, long.AverageYearlyCreditSales = rulestest.Decimal(1), rulestest.Decimal(9999999999999.99)
	little, _, err := spent(product, short)
	require.NoError(t, err)
	much, _, err := spent(product, long)
	require.NoError(t, err)
	require.Greater(t, much, little+5)

	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStopped)
	_, err = (&CompiledRule{}).holds(ctx, &Bindings{spent: new(uint64)})
	require.ErrorIs(t, err, errStopped)
	program := mustCompile(t, oneRule(fact.EntityBusiness, `industry_category_code.exists(a, industry_category_code.exists(b, industry_category_code.exists(c, a != b && b != c && c == "x")))`))
	for i := range fact.MaxIndustryCategoryCodes {
		many.IndustryCategoryCode = append(many.IndustryCategoryCode[:i:i], fmt.Sprint(i))
	}
	b, err := program.prepare(background(t), many)
	require.NoError(t, err)
	holds, err = program.rules[0].holds(ctx, b)
	require.ErrorIs(t, err, errStopped, "the cause for which the context ended")
	require.False(t, holds)
}

// Short conditions count together, and so do reasons.
func TestYielding_GivesWayAsOftenAsTheStepsSay(t *testing.T) {
	t.Parallel()
	of := func(rs RuleSet) (yields uint64, spent uint64) {
		program, problems := compileUnsized(t.Context(), rs, Options{})
		require.Empty(t, problems)
		b, err := program.prepare(background(t), largeFacts())
		require.NoError(t, err)
		_, err = program.matches(t.Context(), b)
		require.NoError(t, err)
		_, err = program.Yielding(func() { yields++ }).Evaluate(t.Context(), largeFacts())
		require.NoError(t, err)
		return yields, *b.spent
	}
	for name, rs := range map[string]RuleSet{
		"one condition":   oneRule(fact.EntityBusiness, `persons.all(p, persons.all(q, p.person_id != "x" && q.person_id != "x"))`),
		"many conditions": manyRules(100, fact.EntityPerson, `person.citizenship == "XK"`),
	} {
		yields, spent := of(rs)
		require.Greater(t, spent, uint64(4*yieldEvery), name)
		require.InDelta(t, spent/yieldEvery, yields, 1, name)
	}
	yields, _ := of(oneRule(fact.EntityBusiness, `persons.all(p, p.citizenship != "XK")`))
	require.Zero(t, yields)
}

var errStopped = errors.New("stopped")

func TestUnanswerable_KnowsTheErrorsThatNoRetryMends(t *testing.T) {
	for _, final := range []error{ErrUndecided, ErrCostLimit, ErrTooManyFacts, ErrTooMuchRequired} {
		require.True(t, Unanswerable(fmt.Errorf("rule: %w", final)), final)
	}
	require.False(t, Unanswerable(context.Canceled))
	require.False(t, Unanswerable(nil))
}

// Stored rules are trusted to be whole, but may be newer than the program.
func TestLoad_RefusesNewerLanguagesAndUnknownFacts(t *testing.T) {
	fine := oneRule(fact.EntityBusiness, "evaluation_score > 1")
	program, problems, err := Load(t.Context(), fine, Options{})
	require.NoError(t, err)
	require.Empty(t, problems)
	result, err := program.Evaluate(t.Context(), rulestest.CompleteFacts())
	require.NoError(t, err)
	require.Len(t, result.Required, 1)

	_, problems, err = Load(t.Context(), fine, Options{EnvironmentVersion: newestVersion + 1})
	require.NoError(t, err)
	require.Len(t, problems, 1)
	program, problems, err = Load(t.Context(), oneRule(fact.EntityBusiness, "evaluation_scor > 1"), Options{})
	require.NoError(t, err)
	require.Len(t, problems, 1)
	require.Nil(t, program)

	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStopped)
	for _, rs := range []RuleSet{fine, {}} {
		program, problems, err = Load(ctx, rs, Options{})
		require.ErrorIs(t, err, errStopped)
		require.Empty(t, problems)
		require.Nil(t, program)
		program, problems, err = CompileContext(ctx, rs, Options{})
		require.ErrorIs(t, err, errStopped)
		require.Empty(t, problems)
		require.Nil(t, program)
	}
}
