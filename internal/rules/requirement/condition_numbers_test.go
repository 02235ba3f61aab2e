package requirement

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"cel.dev/cel-go/common/operators"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

// extremes are what records can hold at the most, in value or in decimals.
var extremes = map[string][]string{
	"average_monthly_credit_sales": {"0", "0.01", "9999999999999.99", "3"},
	"highest_ticket_sale":          {"0.07", "9999999999999.97", "1"},
	"evaluation_score":             {"-999999999999.999999", "0.000001", "999999999999.999998"},
	"business_age_months":          {"0", "119988", "7"},
	"business_age_years":           {"1", "9999"},
	"person.ownership_percentage":  {"0.01", "100", "99.99"},
}

// drawNumber draws a calculation in the language of conditions.
func drawNumber(t *rapid.T, depth int, variable string) string {
	deeper := func() string { return drawNumber(t, depth-1, variable) }
	kind := 0
	if depth > 0 {
		kind = rapid.IntRange(0, 9).Draw(t, "calculation")
	}
	switch kind {
	case 1, 2, 3, 4, 5:
		return fmt.Sprintf("(%s %s %s)", deeper(), []string{"+", "-", "*", "*", "/"}[kind-1], deeper())
	case 6:
		return fmt.Sprintf("-(%s)", deeper())
	case 7:
		return fmt.Sprintf("(%s > %s ? %s : %s)", deeper(), deeper(), deeper(), deeper())
	case 8:
		whole := rapid.SampledFrom([]string{"business_age_months", "business_age_years * 3", "-business_age_months", "12", "(business_age_months + 1)"})
		return fmt.Sprintf("((%s) %% (%s))", whole.Draw(t, "of"), whole.Draw(t, "by"))
	case 9:
		if variable == "s" {
			break
		}
		return fmt.Sprintf("[%s, %s, %s].sum(s, %s)", deeper(), deeper(), drawNumber(t, 0, variable), drawNumber(t, depth-1, "s"))
	}
	atoms := append(slices.Sorted(maps.Keys(extremes)), "0.01", "3", "-7", "0.000001", "123456789.123", "1e-12", "97")
	if variable != "" {
		atoms = append(atoms, variable, variable)
	}
	return rapid.SampledFrom(atoms).Draw(t, "number")
}

// calculator calculates the numbers of a condition, each of which it holds against
// what estimate says of it.
type calculator struct {
	*rapid.T
	measured *estimator
	facts    map[string]fact.Number
}

func (c *calculator) condition(n *Node) {
	if n.Kind != LoopKind {
		c.number(n.Args[0])
		c.number(n.Args[1])
		return
	}
	for _, element := range n.List().Args {
		if v, ok := c.number(element); ok {
			c.facts[n.Variable] = v
			c.condition(n.Test())
		}
	}
}

// number is false where there is no answer.
func (c *calculator) number(n *Node) (fact.Number, bool) {
	v, ok := c.of(n)
	if !ok {
		return v, false
	}
	m := c.measured.found[n.id]
	num, den := v.Bits()
	require.LessOrEqual(c, den, m.denBits(), "the denominator of %s, %s", n.Text(), v)
	require.LessOrEqual(c, num, m.numBits(), "the numerator of %s, %s", n.Text(), v)
	bound := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(m.value, -m.value))))
	if m.value < 0 {
		bound.Inv(bound)
	}
	require.Negative(c, new(big.Rat).Abs(v.Rat()).Cmp(bound), "%s is %s, beyond 2^%d", n.Text(), v, m.value)
	if m.loose+m.fixed == 0 {
		parts := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(m.decimals)), nil)
		require.Zero(c, new(big.Int).Mod(parts, v.Rat().Denom()).Sign(), "%s is %s, not in parts of %s", n.Text(), v, parts)
	}
	return v, true
}

func (c *calculator) of(n *Node) (fact.Number, bool) {
	switch n.Kind {
	case LiteralKind:
		return n.Literal.(fact.Number), true
	case FactKind, VariableKind:
		return c.facts[n.Name], true
	case FieldKind:
		return c.facts["person."+n.Name], true
	}
	if n.sums() {
		total := rational.Int(0)
		for _, element := range n.List().Args {
			v, ok := c.number(element)
			if !ok {
				return v, false
			}
			c.facts[n.Variable] = v
			if v, ok = c.number(n.Result()); !ok {
				return v, false
			}
			sum, err := total.Add(v)
			require.NoError(c, err)
			total = sum
		}
		return total, true
	}
	if n.Name == operators.Conditional {
		test := n.Args[0].Args
		a, known := c.number(test[0])
		b, also := c.number(test[1])
		yes, isYes := c.number(n.Args[1])
		no, isNo := c.number(n.Args[2])
		if a.Cmp(b) <= 0 {
			yes, isYes = no, isNo
		}
		return yes, known && also && isYes
	}
	var args []fact.Number
	for _, arg := range n.Args {
		v, ok := c.number(arg)
		if !ok {
			return v, false
		}
		args = append(args, v)
	}
	if n.Name == operators.Negate {
		return args[0].Neg(), true
	}
	operation := map[string]func(fact.Number, fact.Number) (fact.Number, error){
		operators.Add: fact.Number.Add, operators.Subtract: fact.Number.Sub, operators.Multiply: fact.Number.Mul, operators.Divide: fact.Number.Quo, operators.Modulo: fact.Number.Rem,
	}[n.Name]
	v, err := operation(args[0], args[1])
	require.NotErrorIs(c, err, rational.ErrTooLarge, n.Text())
	return v, err == nil
}

// TestNumbers_StayWithinTheirEstimate: in a condition that compiles, no number becomes larger than
// was estimated, for any facts that records can hold.
func TestNumbers_StayWithinTheirEstimate(t *testing.T) {
	t.Parallel()
	tried := 0
	rapid.Check(t, func(t *rapid.T) {
		when := drawNumber(t, 4, "") + " > " + drawNumber(t, 1, "")
		if rapid.Bool().Draw(t, "in a loop") {
			when = fmt.Sprintf("[%s, %s].exists(x, %s > %s)", drawNumber(t, 2, ""), drawNumber(t, 1, ""), drawNumber(t, 3, "x"), drawNumber(t, 1, "x"))
		}
		program, problems := Compile(oneRule(fact.EntityPerson, when), Options{CostLimit: 100_000_000_000})
		if program == nil {
			require.NotEmpty(t, problems)
			return // too large, or divides by zero
		}
		tried++
		tree := program.rules[0].Condition.Tree
		measured, _ := estimate(tree, nil)
		c := &calculator{T: t, measured: measured, facts: map[string]fact.Number{}}
		require.Nil(t, c.measured.tooLarge)
		for _, name := range slices.Sorted(maps.Keys(extremes)) {
			c.facts[name] = *rulestest.ParsedDecimal(rapid.SampledFrom(extremes[name]).Draw(t, name))
		}
		c.condition(tree)

		value := func(name string) *fact.Number { v := c.facts[name]; return &v }
		f := rulestest.CompleteFacts()
		f.AverageMonthlyCreditSales, f.HighestTicketSale, f.EvaluationScore = value("average_monthly_credit_sales"), value("highest_ticket_sale"), value("evaluation_score")
		f.Persons = []fact.PersonFacts{{PersonID: "p_1", OwnershipPercentage: value("person.ownership_percentage")}}
		b, err := program.prepare(background(t), f)
		require.NoError(t, err)
		_, _ = program.rules[0].holds(t.Context(), b.withPerson(0))
		require.LessOrEqual(t, *b.spent, program.rules[0].Condition.Cost, "what it costs was foreseen")
	})
	require.Greater(t, tried, 20)
}

func TestCompile_LimitsTheSizeOfNumbers(t *testing.T) {
	ages := "business_age_months" + strings.Repeat(" * business_age_months", 28)
	mustCompile(t, oneRule(fact.EntityBusiness, ages+" * 131072 > 1"))
	for _, when := range []string{
		ages + " * 262144 > 1",
		"[1].exists(x, x * x > 0) && [" + ages + "].exists(x, x * x > 0)", // another x
		"[" + ages + "].exists(x, [1].exists(y, y > 0) && x * x > 1)",
	} {
		_, problems := Compile(oneRule(fact.EntityBusiness, when), Options{})
		require.Len(t, problems, 1, when)
		require.Contains(t, problems[0].Message, "may become a number of more than 154 digits", when)
	}
}
