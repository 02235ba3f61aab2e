package requirement

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
	"requisite/internal/testkit/needs"
)

// The oracle: conditions and their meaning, put together at random, in math/big
// alone. It shares no code with the language.

var errOracle = errors.New("division by zero")

// oracleFacts are facts in hundredths, and the score in millionths.
type oracleFacts struct {
	monthly, yearly, individual, highest int64
	score                                int64
	days, months, years                  int64
	shares                               []int64
}

type (
	oracleNumber struct {
		text  string
		whole bool
		eval  func(f oracleFacts, share int64) (*big.Rat, error)
	}
	oracleTruth struct {
		text string
		eval func(f oracleFacts, share int64) (bool, error)
	}
)

type oracle struct {
	*rand.Rand
	person bool // p stands for a person
	score  bool
}

func (o *oracle) among(texts ...string) string { return texts[o.IntN(len(texts))] }

func written(text string) oracleNumber {
	value, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return oracleNumber{text, value.IsInt(), func(oracleFacts, int64) (*big.Rat, error) { return value, nil }}
}

func (o *oracle) literal() oracleNumber {
	return written(o.among("0", "1", "2", "3", "7", "10", "12", "100", "200", "600", "0.1", "0.2", "0.3", "1.5", "0.07", "0.125", "33.33",
		"32.02", "6682.61", "66826.1", "50000", "999999.99", "12345678901234567.89", "1e3", "1.5e-2"))
}

func onFile(name string, scale int64, of func(f oracleFacts, share int64) int64) oracleNumber {
	return oracleNumber{name, scale == 1, func(f oracleFacts, share int64) (*big.Rat, error) { return big.NewRat(of(f, share), scale), nil }}
}

func (o *oracle) fact() oracleNumber {
	facts := []oracleNumber{
		onFile("average_monthly_credit_sales", 100, func(f oracleFacts, _ int64) int64 { return f.monthly }),
		onFile("average_yearly_credit_sales", 100, func(f oracleFacts, _ int64) int64 { return f.yearly }),
		onFile("average_individual_sale", 100, func(f oracleFacts, _ int64) int64 { return f.individual }),
		onFile("highest_ticket_sale", 100, func(f oracleFacts, _ int64) int64 { return f.highest }),
		onFile("business_age_months", 1, func(f oracleFacts, _ int64) int64 { return f.months }),
		onFile("business_age_years", 1, func(f oracleFacts, _ int64) int64 { return f.years }),
		onFile("days_since(established_date)", 1, func(f oracleFacts, _ int64) int64 { return f.days }),
		onFile("months_since(established_date)", 1, func(f oracleFacts, _ int64) int64 { return f.months }),
		onFile("years_since(established_date)", 1, func(f oracleFacts, _ int64) int64 { return f.years }),
		onFile("days_between(established_date, date(\"2026-01-01\"))", 1, func(f oracleFacts, _ int64) int64 { return f.days }),
		onFile("months_between(date(\"2026-01-01\"), established_date)", 1, func(f oracleFacts, _ int64) int64 { return -f.months }),
		onFile("years_between(established_date, date(\"2026-01-01\"))", 1, func(f oracleFacts, _ int64) int64 { return f.years }),
		onFile("years_since(date(\"2028-01-02\"))", 1, func(oracleFacts, int64) int64 { return -2 }),
		onFile("size(persons)", 1, func(f oracleFacts, _ int64) int64 { return int64(len(f.shares)) }),
	}
	if o.score {
		facts = append(facts, onFile("evaluation_score", 1_000_000, func(f oracleFacts, _ int64) int64 { return f.score }))
	}
	if o.person {
		facts = append(facts, onFile("p.ownership_percentage", 100, func(_ oracleFacts, share int64) int64 { return share }))
	}
	return facts[o.IntN(len(facts))]
}

func (o *oracle) number(depth int) oracleNumber {
	if depth == 0 || o.IntN(3) == 0 {
		if o.IntN(3) == 0 {
			return o.literal()
		}
		return o.fact()
	}
	a := o.number(depth - 1)
	switch o.IntN(7) {
	case 0:
		return oracleNumber{"-(" + a.text + ")", a.whole, func(f oracleFacts, share int64) (*big.Rat, error) {
			x, err := a.eval(f, share)
			if err != nil {
				return nil, err
			}
			return new(big.Rat).Neg(x), nil
		}}
	case 1:
		test, b := o.comparison(0), o.number(depth-1)
		return oracleNumber{fmt.Sprintf("(%s ? %s : %s)", test.text, a.text, b.text), a.whole && b.whole, func(f oracleFacts, share int64) (*big.Rat, error) {
			holds, err := test.eval(f, share)
			switch {
			case err != nil:
				return nil, err
			case holds:
				return a.eval(f, share)
			}
			return b.eval(f, share)
		}}
	}
	sign := o.among("+", "-", "*", "*", "/", "/", "%")
	b := o.number(depth - 1)
	if sign == "%" && !(a.whole && b.whole) {
		sign = "+"
	}
	return oracleNumber{fmt.Sprintf("(%s %s %s)", a.text, sign, b.text), a.whole && b.whole && sign != "/", func(f oracleFacts, share int64) (*big.Rat, error) {
		x, err := a.eval(f, share)
		if err != nil {
			return nil, err
		}
		y, err := b.eval(f, share)
		if err != nil {
			return nil, err
		}
		switch {
		case sign == "+":
			return new(big.Rat).Add(x, y), nil
		case sign == "-":
			return new(big.Rat).Sub(x, y), nil
		case sign == "*":
			return new(big.Rat).Mul(x, y), nil
		case y.Sign() == 0:
			return nil, errOracle
		case sign == "/":
			return new(big.Rat).Quo(x, y), nil
		}
		return new(big.Rat).SetInt(new(big.Int).Rem(x.Num(), y.Num())), nil
	}}
}

// threshold is one of the forms in which policies compare amounts.
func (o *oracle) threshold() (left, right oracleNumber) {
	factor := written(o.among("10", "200", "12", "0.5", "0.07", "1.5", "3", "33.33"))
	pairs := [][2]oracleNumber{
		{onFile("highest_ticket_sale", 100, func(f oracleFacts, _ int64) int64 { return f.highest }), onFile("average_individual_sale", 100, func(f oracleFacts, _ int64) int64 { return f.individual })},
		{onFile("average_yearly_credit_sales", 100, func(f oracleFacts, _ int64) int64 { return f.yearly }), onFile("average_monthly_credit_sales", 100, func(f oracleFacts, _ int64) int64 { return f.monthly })},
	}
	pair := pairs[o.IntN(2)]
	combine := func(format string, calculate func(z, x, y *big.Rat) *big.Rat, a, b oracleNumber) oracleNumber {
		return oracleNumber{fmt.Sprintf(format, a.text, b.text), false, func(f oracleFacts, share int64) (*big.Rat, error) {
			x, _ := a.eval(f, share)
			y, _ := b.eval(f, share)
			if strings.Contains(format, "/") && y.Sign() == 0 {
				return nil, errOracle
			}
			return calculate(new(big.Rat), x, y), nil
		}}
	}
	switch o.IntN(4) {
	case 0:
		return pair[0], combine("%s * %s", (*big.Rat).Mul, factor, pair[1])
	case 1:
		return combine("%s / %s", (*big.Rat).Quo, pair[0], pair[1]), factor
	case 2:
		return combine("%s / %s", (*big.Rat).Quo, pair[0], factor), pair[1]
	}
	other := pairs[o.IntN(2)]
	return combine("%s * %s", (*big.Rat).Mul, pair[0], other[1]), combine("%s * %s", (*big.Rat).Mul, other[0], pair[1])
}

func (o *oracle) comparison(depth int) oracleTruth {
	left, right := o.threshold()
	if o.IntN(3) == 0 {
		left, right = o.number(depth), o.number(depth)
	}
	sign := o.among("==", "!=", "<", "<=", ">", ">=", "in")
	text := fmt.Sprintf("%s %s %s", left.text, sign, right.text)
	if sign == "in" {
		text = fmt.Sprintf("%s in [%s, 1]", left.text, right.text)
	}
	return oracleTruth{text, func(f oracleFacts, share int64) (bool, error) {
		x, err := left.eval(f, share)
		if err != nil {
			return false, err
		}
		y, err := right.eval(f, share)
		if err != nil {
			return false, err
		}
		order := x.Cmp(y)
		return map[string]bool{"==": order == 0, "!=": order != 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0,
			"in": order == 0 || x.Cmp(big.NewRat(1, 1)) == 0}[sign], nil
	}}
}

// either is || when decisive is true, and && when it is false: one operand that
// decides is enough, for any value of the other.
func either(decisive bool, results ...func() (bool, error)) (bool, error) {
	var failed error
	for _, result := range results {
		holds, err := result()
		switch {
		case err != nil:
			failed = err
		case holds == decisive:
			return decisive, nil
		}
	}
	return !decisive, failed
}

func (o *oracle) truth(depth int) oracleTruth {
	if depth == 0 || o.IntN(3) == 0 {
		return o.comparison(2)
	}
	switch o.IntN(4) {
	case 0:
		a := o.truth(depth - 1)
		return oracleTruth{"!(" + a.text + ")", func(f oracleFacts, share int64) (bool, error) {
			holds, err := a.eval(f, share)
			return !holds && err == nil, err
		}}
	case 1:
		if o.person {
			return o.comparison(2)
		}
		o.person = true
		test := o.truth(depth - 1)
		o.person = false
		decisive := o.IntN(2) == 0
		return oracleTruth{fmt.Sprintf("persons.%s(p, %s)", map[bool]string{true: "exists", false: "all"}[decisive], test.text), func(f oracleFacts, _ int64) (bool, error) {
			var results []func() (bool, error)
			for _, share := range f.shares {
				results = append(results, func() (bool, error) { return test.eval(f, share) })
			}
			return either(decisive, results...)
		}}
	}
	a, b, decisive := o.truth(depth-1), o.truth(depth-1), o.IntN(2) == 0
	return oracleTruth{fmt.Sprintf("(%s %s %s)", a.text, map[bool]string{true: "||", false: "&&"}[decisive], b.text), func(f oracleFacts, share int64) (bool, error) {
		return either(decisive, func() (bool, error) { return a.eval(f, share) }, func() (bool, error) { return b.eval(f, share) })
	}}
}

// facts are at a threshold as often as not: exactly, or a cent to either side.
func (o *oracle) facts() oracleFacts {
	amount := func() int64 {
		return []int64{0, 100, 1, 3202, 668261, 5_000_000, o.Int64N(1e4), o.Int64N(1e8), o.Int64N(1e15)}[o.IntN(9)]
	}
	// Both ratios are often the same, so that the products of the four meet too.
	factors := []int64{1000, 20000, 1200, 50, 7, 150, 300, 3333}
	factor := factors[o.IntN(len(factors))]
	beside := func(small int64) int64 {
		if o.IntN(4) == 0 {
			factor = factors[o.IntN(len(factors))]
		}
		large, whole := small/100*factor, small%100*factor/100
		if o.IntN(6) == 0 || small > 1e15/factor*100 {
			return amount()
		}
		return min(max(0, large+whole+o.Int64N(3)-1), 1e15-1)
	}
	f := oracleFacts{individual: amount(), monthly: amount(), score: o.Int64N(1e9), months: o.Int64N(40)}
	f.highest, f.yearly, f.years = beside(f.individual), beside(f.monthly), f.months/12
	established := time.Date(2026, time.January-time.Month(f.months), 1, 0, 0, 0, 0, time.UTC)
	f.days = int64(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Sub(established).Hours()) / 24
	for range 1 + o.IntN(3) {
		f.shares = append(f.shares, o.Int64N(10001))
	}
	return f
}

// onRecord are the same facts as the language reads them: from JSON, and back.
func (f oracleFacts) onRecord(t *testing.T) fact.Facts {
	scaled := func(v, scale int64, decimals int) json.Number {
		return json.Number(big.NewRat(v, scale).FloatString(decimals))
	}
	persons := []any{}
	for i, share := range f.shares {
		persons = append(persons, map[string]any{"person_id": fmt.Sprintf("p_%d", i), "ownership_percentage": scaled(share, 100, 2)})
	}
	text, err := json.Marshal(map[string]any{
		"as_of": "2026-01-01", "workflow_id": "w", "business_id": "b", "evaluation_score": scaled(f.score, 1_000_000, 6),
		"average_monthly_credit_sales": scaled(f.monthly, 100, 2), "average_yearly_credit_sales": scaled(f.yearly, 100, 2),
		"average_individual_sale": scaled(f.individual, 100, 2), "highest_ticket_sale": scaled(f.highest, 100, 2),
		"established_date": fmt.Sprintf("%04d-%02d-01", (2026*12-f.months)/12, (2026*12-f.months)%12+1), "persons": persons,
	})
	require.NoError(t, err)
	var facts fact.Facts
	require.NoError(t, json.Unmarshal(text, &facts))
	again, err := json.Marshal(facts)
	require.NoError(t, err)
	var back fact.Facts
	require.NoError(t, json.Unmarshal(again, &back))
	require.Equal(t, facts, back, "nothing is lost on the way through a history")
	return back
}

// applications are facts with the same facts as they are on record.
func (o *oracle) applications(t *testing.T) []application {
	drawn := make([]application, 3000)
	for i := range drawn {
		f := o.facts()
		drawn[i] = application{f, f.onRecord(t)}
	}
	return drawn
}

type application struct {
	oracleFacts
	onFile fact.Facts
}

// TestConditions_AgreeWithMathBig compares what decides, what explains and the oracle:
// 10,000 cases, and 100,000 at the second depth.
func TestConditions_AgreeWithMathBig(t *testing.T) {
	t.Parallel()
	conditions, cases := 250*needs.Depth, 40
	o := &oracle{Rand: rand.New(rand.NewPCG(12, 1)), score: true}
	applications := o.applications(t)
	seen := map[string]int{}
	for tried := 0; tried < conditions; {
		condition := o.truth(2)
		program, problems := compileUnsized(t.Context(), oneRule(fact.EntityBusiness, condition.text), Options{CostLimit: 1 << 40})
		if len(problems) > 0 {
			require.Contains(t, problems[0].Message, "divides by zero", condition.text)
			seen["refused"]++
			continue
		}
		tried++
		for range cases {
			drawn := applications[o.IntN(len(applications))]
			f := drawn.oracleFacts
			b, err := program.prepare(background(t), drawn.onFile)
			require.NoError(t, err)
			compiled := program.rules[0].Condition
			want, failed := condition.eval(f, 0)
			got, err := compiled.Holds(t.Context(), b)
			explained := walk(compiled.Tree, b, MaxExplainedSteps).datum
			if failed != nil {
				seen["no answer"]++
				require.ErrorIs(t, err, ErrUndecided, "%s for %+v", condition.text, f)
				require.ErrorContains(t, err, "divides by zero")
				require.NotNil(t, explained.failed, "%s for %+v", condition.text, f)
				continue
			}
			seen[fmt.Sprint(want)]++
			require.NoError(t, err, "%s for %+v", condition.text, f)
			require.Equal(t, want, got, "%s for %+v", condition.text, f)
			require.Nil(t, explained.failed)
			require.Equal(t, want, explained.truth(), "the explanation of %s for %+v", condition.text, f)
			if want {
				require.NotEmpty(t, program.rules[0].reason(b, true).Message)
			}
		}
	}
	t.Log(seen)
	for _, outcome := range []string{"true", "false", "no answer"} {
		require.Greater(t, seen[outcome], conditions, "%s comes up: %v", outcome, seen)
	}
}

func TestPrices_AgreeWithMathBig(t *testing.T) {
	t.Parallel()
	o := &oracle{Rand: rand.New(rand.NewPCG(12, 2))}
	applications := o.applications(t)
	points := func() (string, *big.Rat) {
		text := big.NewRat(o.Int64N(2e12)-1e12, []int64{1, 10, 100, 1_000_000}[o.IntN(4)]*1000).FloatString(6)
		value, _ := new(big.Rat).SetString(text)
		return text, value
	}
	for tried := 0; tried < 100*needs.Depth; {
		base, sum := points()
		file, rules := "base: "+base+"\nrules:\n", []oracleTruth{}
		var added []*big.Rat
		for i := range 3 {
			rule := o.truth(1)
			text, value := points()
			file += fmt.Sprintf("  - {name: r%d, points: %s, when: %q}\n", i, text, rule.text)
			rules, added = append(rules, rule), append(added, value)
		}
		model, problems := ReadPricingModel(rulefile.YAMLFile([]byte(file)))
		require.Empty(t, problems, file)
		pricing, problems := CompilePricing(model, Options{})
		if len(problems) > 0 {
			require.Contains(t, problems[0].Message, "divides by zero", file)
			continue
		}
		tried++
		for range 20 {
			drawn := applications[o.IntN(len(applications))]
			f := drawn.oracleFacts
			want, failed := new(big.Rat).Set(sum), error(nil)
			for i, rule := range rules {
				holds, err := rule.eval(f, 0)
				if failed = errors.Join(failed, err); holds {
					want.Add(want, added[i])
				}
			}
			result, err := pricing.Score(t.Context(), drawn.onFile)
			if failed != nil {
				require.ErrorIs(t, err, ErrUndecided, file)
				continue
			}
			require.NoError(t, err, file)
			require.Zero(t, result.Score.Rat().Cmp(want), "%s is not %s: %s for %+v", result.Score, want, file, f)
			again, err := rational.Parse(result.Score.String())
			require.NoError(t, err)
			require.True(t, again.Equal(result.Score))
		}
	}
}
