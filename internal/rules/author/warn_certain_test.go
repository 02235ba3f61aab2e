package author

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/internal/rules/rulestest"
	"requisite/internal/testkit/needs"
)

// The values of the facts and thresholds that are drawn together: each threshold
// is met, and so are its neighbors and the ends of what a record can hold.
var (
	drawnAmounts   = []string{"0", "0.01", "99.99", "100", "100.01", "250.5", "500", "9999999999999.99"}
	drawnScores    = []string{"-5", "0", "99.99", "100", "100.005", "500"}
	drawnShares    = []string{"0", "0.01", "24.99", "25", "25.01", "50", "99.99", "100"}
	drawnCountries = []string{"US", "CA", "DE", "AD", "ZW"}
	drawnCodes     = []string{"0742", "742", "7995", "59001", "5900", "5999", "A.1", "zzzzzzzzzz", "0"}
	drawnAges      = []string{"0", "1", "11", "12", "13", "24"}
)

// lintedCondition draws a condition in which contradictions are frequent: it
// compares few facts with few values.
type lintedCondition struct {
	t           *rapid.T
	loops       int
	definitions map[string]string
}

func (d *lintedCondition) pick(n int) int { return rapid.IntRange(0, n-1).Draw(d.t, "choice") }

func (d *lintedCondition) of(values []string) string {
	return rapid.SampledFrom(values).Draw(d.t, "value")
}

func (d *lintedCondition) order() string {
	return rapid.SampledFrom([]string{"<", "<=", ">", ">=", "==", "!="}).Draw(d.t, "operator")
}

func (d *lintedCondition) condition(depth int, person, code string) string {
	if depth == 0 {
		return d.comparison(person, code)
	}
	part := func() string { return d.condition(depth-1, person, code) }
	switch d.pick(9) {
	case 8: // a definition, once it is outside of loops
		if code == "" && (person == "" || person == fact.NamePerson) {
			text, name := part(), fmt.Sprint("d", len(d.definitions))
			d.definitions[name] = text
			return "definitions." + name
		}
	case 0, 1:
		return "(" + part() + " && " + part() + ")"
	case 2, 3:
		return "(" + part() + " || " + part() + ")"
	case 4:
		return "!(" + part() + ")"
	case 5:
		return "(" + part() + " ? " + part() + " : " + part() + ")"
	case 6:
		if d.loops >= 2 {
			return "(" + part() + ") == (" + part() + ")"
		}
		d.loops++
		loop := rapid.SampledFrom([]string{"exists", "all", "exists_one"}).Draw(d.t, "loop")
		if d.pick(2) == 0 {
			v := fmt.Sprint("p", d.loops)
			return "persons." + loop + "(" + v + ", " + d.condition(depth-1, v, code) + ")"
		}
		v := fmt.Sprint("c", d.loops)
		return "industry_category_code." + loop + "(" + v + ", " + d.condition(depth-1, person, v) + ")"
	}
	return d.comparison(person, code)
}

func (d *lintedCondition) comparison(person, code string) string {
	if code != "" && d.pick(2) == 0 {
		value := fmt.Sprintf("%q", d.of(drawnCodes))
		return []string{
			code + " " + d.order() + " " + value,
			value + " " + d.order() + " " + code,
			code + ".startsWith(" + value + ")",
			code + ".contains(" + value + ")",
			code + " in lists.high_risk",
			code + " in [" + value + `, "5900"]`,
			"size(" + code + ") " + d.order() + " 4",
		}[d.pick(7)]
	}
	if person != "" && d.pick(2) == 0 {
		value := fmt.Sprintf("%q", d.of(drawnCountries))
		return []string{
			person + ".citizenship " + d.order() + " " + value,
			person + ".citizenship in [" + value + `, "CA"]`,
			person + `.citizenship.startsWith("U")`,
			person + `.citizenship.endsWith("A")`,
			"size(" + person + ".citizenship) " + d.order() + " 2",
			person + ".ownership_percentage " + d.order() + " " + d.of(drawnShares),
			person + ".ownership_percentage in [" + d.of(drawnShares) + ", " + d.of(drawnShares) + "]",
		}[d.pick(7)]
	}
	return []string{
		"average_monthly_credit_sales " + d.order() + " " + d.of(drawnAmounts),
		d.of(drawnAmounts) + " " + d.order() + " average_monthly_credit_sales",
		"-average_monthly_credit_sales + 100 " + d.order() + " " + d.of([]string{"0", "-400", "100"}),
		"average_monthly_credit_sales * 2 " + d.order() + " " + d.of([]string{"0", "200", "1000"}),
		"average_monthly_credit_sales " + d.order() + " average_yearly_credit_sales",
		"average_yearly_credit_sales - average_monthly_credit_sales " + d.order() + " " + d.of([]string{"0", "500", "-500"}),
		"average_monthly_credit_sales in [" + d.of(drawnAmounts) + ", " + d.of(drawnAmounts) + "]",
		"evaluation_score " + d.order() + " " + d.of(drawnScores),
		"business_age_months " + d.order() + " " + d.of(drawnAges),
		"business_age_years " + d.order() + " " + d.of([]string{"0", "1", "2"}),
		"years_since(established_date) " + d.order() + " " + d.of([]string{"0", "1", "2", "-1"}),
		"months_since(established_date) " + d.order() + " " + d.of(drawnAges),
		`months_between(date("2025-03-15"), established_date) ` + d.order() + " " + d.of([]string{"-12", "-11", "-1", "0", "1", "11", "12"}),
		`years_between(date("2025-03-15"), established_date) ` + d.order() + " " + d.of([]string{"-1", "0", "1"}),
		`established_date ` + d.order() + ` date("2025-03-01")`,
		"size(persons) " + d.order() + " " + d.of([]string{"0", "1", "2", "200"}),
		"size(industry_category_code) " + d.order() + " " + d.of([]string{"0", "1", "2", "100"}),
		`size(persons.filter(q, q.ownership_percentage >= 25)) ` + d.order() + " " + d.of([]string{"0", "1", "200"}),
		`"0742" in industry_category_code`,
	}[d.pick(19)]
}

// lintedFacts draws facts that records can hold.
func lintedFacts(t *rapid.T) fact.Facts {
	draw := func(values []string) *fact.Number {
		return rulestest.ParsedDecimal(rapid.SampledFrom(values).Draw(t, "fact"))
	}
	f := rulestest.CompleteFacts()
	f.EvaluationScore = draw(drawnScores)
	f.AverageMonthlyCreditSales, f.AverageYearlyCreditSales = draw(drawnAmounts), draw(drawnAmounts)
	established := rulestest.Date(rapid.SampledFrom([]string{"2026-03-15", "2026-02-14", "2025-04-16", "2025-03-15", "2025-03-01", "2025-02-28", "2024-03-15"}).Draw(t, "established"))
	f.EstablishedDate = &established
	f.IndustryCategoryCode = rapid.SliceOfNDistinct(rapid.SampledFrom(drawnCodes), 1, 3, rapid.ID).Draw(t, "codes")
	f.Persons = nil
	for i := range rapid.IntRange(0, 3).Draw(t, "persons") {
		f.Persons = append(f.Persons, fact.PersonFacts{PersonID: fmt.Sprint("p_", i), Citizenship: rulestest.Ptr(rapid.SampledFrom(drawnCountries).Draw(t, "citizenship")), OwnershipPercentage: draw(drawnShares)})
	}
	f.NoPersonsAttested = len(f.Persons) == 0 // so that nobody is an answer
	return f
}

// Of a condition, drawn facts give the same with the parts that the analysis calls always or never true
// written as such.
func TestLint_NeverAndAlwaysTrueHoldForAllFacts(t *testing.T) {
	t.Parallel()
	decided := 0
	for range needs.Depth {
		rapid.Check(t, func(t *rapid.T) {
			c := neverWrong(t, rulefile.Pick(rapid.Bool().Draw(t, "of a person"), fact.EntityPerson, fact.EntityBusiness))
			decided += min(1, len(c.known))
		})
	}
	require.NotZero(t, decided)
}

// neverWrong holds what is known of a drawn condition to drawn facts.
func neverWrong(t *rapid.T, entityType string) *condition {
	person := rulefile.Pick(entityType == fact.EntityPerson, fact.NamePerson, "")
	drawn := &lintedCondition{t: t, definitions: map[string]string{}}
	source := drawn.condition(rapid.IntRange(0, 3).Draw(t, "depth"), person, "")
	load := func(source string) *requirement.Program {
		rs := oneRule(entityType, source)
		rs.Definitions = drawn.definitions
		program, problems, err := requirement.Load(context.Background(), rs, requirement.Options{CostLimit: 1 << 50}) // what drawn conditions cost is no matter here
		require.NoError(t, err)
		require.Empty(t, problems, source)
		return program
	}
	program := load(source)
	c := newLinter(context.Background(), oneRule(entityType, source).Lists, Today()).condition("", program.CompiledRules()[0].Condition)
	short := c.simplified(c.tree).Text()
	simplified := load(short)
	for range 8 {
		f := lintedFacts(t)
		want, err := program.Evaluate(context.Background(), f)
		require.NoError(t, err)
		require.Empty(t, want.Gaps)
		got, err := simplified.Evaluate(context.Background(), f)
		require.NoError(t, err)
		require.Equal(t, codesOf(want), codesOf(got), "%s\nis not %s", source, short)
	}
	return c
}

func codesOf(r requirement.Result) (found []string) {
	for _, one := range r.Required {
		found = append(found, one.EntityID)
	}
	return found
}

// simplified is a part as the analysis understands it.
func (c *condition) simplified(n *requirement.Node) *requirement.Node {
	literal := func(truth bool) *requirement.Node {
		return &requirement.Node{Kind: requirement.LiteralKind, Shape: fact.BoolShape, Literal: truth}
	}
	if n == nil {
		return nil
	}
	if v, known := c.known[n]; known {
		return literal(v)
	}
	short := *n
	short.Args = make([]*requirement.Node, len(n.Args))
	for i, arg := range n.Args {
		short.Args[i] = c.simplified(arg)
	}
	return &short
}

// Each value that a quantity can have compares with all its constants as one of its points.
func TestQuantity_PointsStandForAllValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := &quantity{domain: &fact.Domain{Step: big.NewRat(1, 4)}}
		if rapid.Bool().Draw(t, "bounded") {
			q.domain = &fact.Domain{Least: big.NewRat(-1, 2), Most: big.NewRat(5, 4), Step: big.NewRat(1, 4)}
		}
		for range rapid.IntRange(0, 4).Draw(t, "constants") {
			q.constants = append(q.constants, value{number: big.NewRat(int64(rapid.IntRange(-9, 9).Draw(t, "constant")), 6)})
		}
		points := q.points()
		require.True(t, slices.IsSortedFunc(points, value.compare))
		for twelfths := int64(-36); twelfths <= 36; twelfths++ {
			v := value{number: big.NewRat(twelfths, 12)}
			stands := func(point value) bool {
				return q.domain.Holds(point.number) && !slices.ContainsFunc(q.constants, func(c value) bool { return c.compare(v) != c.compare(point) })
			}
			require.True(t, !q.domain.Holds(v.number) || slices.ContainsFunc(points, stands), "%s of %v", v.number, points)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching("[.079z]{0,3}")
		q := &quantity{form: fact.BuiltIn.Lookup(fact.NameIndustryCodes).Text}
		for range rapid.IntRange(0, 4).Draw(t, "constants") {
			q.constants = append(q.constants, value{text: text.Draw(t, "constant")})
		}
		v := value{text: "." + text.Draw(t, "value")}
		require.True(t, slices.ContainsFunc(q.points(), func(point value) bool {
			return !slices.ContainsFunc(q.constants, func(c value) bool { return c.compare(v) != c.compare(point) })
		}), "%q of %q", v.text, q.constants)
	})
}

func TestLint_StopsAtItsWorkLimit(t *testing.T) {
	t.Parallel()
	list := make([]string, requirement.MaxListEntries)
	for i := range list {
		list[i] = fmt.Sprintf("%04d", i)
	}
	rs := manyRules(250, fact.EntityBusiness, "industry_category_code.exists(c, c in lists.all"+strings.Repeat(" && !(c in lists.all)", 20)+")")
	rs.Lists = map[string][]string{"all": list}
	l := newLinter(context.Background(), rs.Lists, Today())
	one := rs
	one.Documents = rs.Documents[:1]
	program, problems, err := requirement.Load(t.Context(), one, requirement.Options{CostLimit: 1 << 60})
	require.NoError(t, err)
	require.Empty(t, problems)
	found := 0
	for range rs.Documents {
		found += len(l.condition("", program.CompiledRules()[0].Condition).found)
	}
	require.NotZero(t, found, "the first are looked at")
	require.Less(t, found, len(rs.Documents), "and not all")
	require.LessOrEqual(t, l.left, 0)
	require.Greater(t, l.left, -maxWork, "what is begun is soon given up")
}

func TestWarnings_ComeBeforeHintsAtTheLimit(t *testing.T) {
	rs := manyRules(150, fact.EntityBusiness, "")
	for i := range rs.Documents {
		rs.Documents[i].When = fmt.Sprintf("evaluation_score > %d", i)
	}
	rs.Documents[149].When = "evaluation_score > 5 && evaluation_score < 4"
	rs.Examples = []requirement.Example{{Name: "a", Facts: fact.ExampleFacts{EvaluationScore: rulestest.Decimal(-1.0)}, Expect: requirement.Expectation{Documents: []requirement.ExpectedDocument{}}}}
	found := warned(t, rs)
	require.Len(t, found, rulefile.MaxProblems)
	require.Equal(t, requirement.SeverityWarning, found[0].Severity)
	require.Equal(t, "documents[149].when", found[0].Path)
	require.True(t, slices.ContainsFunc(found[1:], func(w requirement.Problem) bool { return w.Severity == requirement.SeverityHint }))
	require.Equal(t, requirement.SeverityHint, found[rulefile.MaxProblems-1].Severity)
}

// The rules name no other code to compare it with.
func TestLint_HintsAtACodeWithoutItsLeadingZero(t *testing.T) {
	for _, when := range []string{
		`industry_category_code.exists(c, c == "742")`,
		`industry_category_code.exists(c, c in ["742", "5999"])`,
		`"742" in industry_category_code`,
	} {
		reported := false
		for _, w := range warned(t, oneRule(fact.EntityBusiness, when)) {
			reported = reported || strings.Contains(w.Message, `"742" has three digits, and merchant category codes have four: did you mean "0742"?`) && w.Severity == requirement.SeverityHint
		}
		require.True(t, reported, when)
	}
	for _, w := range warned(t, oneRule(fact.EntityBusiness, `industry_category_code.exists(c, c in ["742", "763", "780"])`)) {
		require.NotContains(t, w.Message, "three digits", "they are meant")
	}
}

func TestLint_WarnsOfDivisorsThatCanBeZero(t *testing.T) {
	divided := func(when string) bool {
		for _, w := range warned(t, oneRule(fact.EntityBusiness, when)) {
			if strings.Contains(w.Message, "this division has no result") {
				return true
			}
		}
		return false
	}
	const y, x = `highest_ticket_sale`, `average_individual_sale`
	for _, guarded := range []string{
		x + ` > 1 && ` + y + ` / ` + x + ` > 10`, x + ` >= 1 ? ` + y + ` / ` + x + ` > 10 : false`, `0 < ` + x + ` && ` + y + ` / ` + x + ` > 10`,
		`!(` + x + ` == 0) && ` + y + ` / ` + x + ` > 10`, x + ` == 0 || ` + y + ` / ` + x + ` > 10`, `!(` + x + ` > 0) || ` + y + ` / ` + x + ` > 10`,
		y + ` / (business_age_years + 1) > 10`, y + ` / size(industry_category_code) > 10`, x + ` > 0 && ` + y + ` / (` + x + ` * 2) > 10`,
		y + ` / (1 + business_age_years) > 10`, x + ` > 0 && ` + y + ` / (2 * ` + x + `) > 10`, x + ` > 0 && ` + y + ` / (` + x + ` / 2) > 10`,
		x + ` == 5 && ` + y + ` / ` + x + ` > 10`, `!(` + x + ` != 5) && ` + y + ` / ` + x + ` > 10`, x + ` <= -1 && ` + y + ` / ` + x + ` > 10`, x + ` < 0 && ` + y + ` / ` + x + ` > 10`,
		`!(` + x + ` <= 0) && ` + y + ` / ` + x + ` > 10`, `!(` + x + ` > -1) && ` + y + ` / ` + x + ` > 10`, `!(` + x + ` < 1) && ` + y + ` / ` + x + ` > 10`, `!(` + x + ` >= 0) && ` + y + ` / ` + x + ` > 10`, `-1 >= ` + x + ` && ` + y + ` / ` + x + ` > 10`,
		`0 != ` + x + ` && ` + y + ` / ` + x + ` > 10`, `0 > ` + x + ` && ` + y + ` / ` + x + ` > 10`, `1 <= ` + x + ` && ` + y + ` / ` + x + ` > 10`,
		`(` + x + ` > 0 && evaluation_score > 1) && ` + y + ` / ` + x + ` > 10`, `(evaluation_score > 1 && ` + x + ` > 0) && ` + y + ` / ` + x + ` > 10`, x + ` == 0 || evaluation_score > 1 || ` + y + ` / ` + x + ` > 10`,
		`!(evaluation_score > 1 || ` + x + ` == 0) && ` + y + ` / ` + x + ` > 10`, `!(!(` + x + ` > 0)) && ` + y + ` / ` + x + ` > 10`, x + ` == 0 ? false : ` + y + ` / ` + x + ` > 10`,
		`persons.exists(p, p.ownership_percentage != 0 && 5 / p.ownership_percentage > 1)`, `persons.exists(p, 5 / (p.ownership_percentage + 1) > 1)`, y + ` / 5 > 10`, y + ` / (2 - 1) > 10`,
	} {
		require.False(t, divided(guarded), guarded)
	}
	for _, bare := range []string{
		y + ` / ` + x + ` > 10`, x + ` > -1 && ` + y + ` / ` + x + ` > 10`, x + ` >= 0 && ` + y + ` / ` + x + ` > 10`, x + ` > 1 || ` + y + ` / ` + x + ` > 10`,
		x + ` < 5 && ` + y + ` / ` + x + ` > 10`, y + ` / (evaluation_score + 1) > 10`, x + ` > 1 && ` + y + ` / evaluation_score > 10`,
		x + ` == 0 && ` + y + ` / ` + x + ` > 10`, x + ` != 5 && ` + y + ` / ` + x + ` > 10`, x + ` <= 0 && ` + y + ` / ` + x + ` > 10`, x + ` < 1 && ` + y + ` / ` + x + ` > 10`, x + ` <= 1 && ` + y + ` / ` + x + ` > 10`, x + ` in [1] && ` + y + ` / ` + x + ` > 10`,
		`0 >= ` + x + ` && ` + y + ` / ` + x + ` > 10`, `1 > ` + x + ` && ` + y + ` / ` + x + ` > 10`, `!(` + x + ` < 0) && ` + y + ` / ` + x + ` > 10`,
		`(` + x + ` > 0 || evaluation_score > 1) && ` + y + ` / ` + x + ` > 10`, `(` + x + ` == 0 && evaluation_score > 1) || ` + y + ` / ` + x + ` > 10`, `!(` + x + ` == 0 && evaluation_score > 1) && ` + y + ` / ` + x + ` > 10`,
		x + ` == 0 ? ` + y + ` / ` + x + ` > 10 : false`, `evaluation_score > 1 ? ` + y + ` / ` + x + ` > 10 : false`, `evaluation_score > 1 ? false : ` + y + ` / ` + x + ` > 10`, `(` + y + ` / ` + x + ` > 1 ? 1 : 2) > 1`,
		y + ` / (` + x + ` / 2) > 10`, y + ` / (` + x + ` * evaluation_score) > 10`, x + ` > 0 && ` + y + ` / (` + x + ` * evaluation_score) > 10`, x + ` > 0 && ` + y + ` / (evaluation_score * ` + x + `) > 10`, y + ` / (2 * ` + x + `) > 10`, y + ` / (` + x + ` * 2) > 10`,
		y + ` / (business_age_years - 1) > 10`, y + ` / (business_age_years + -1) > 10`, y + ` / (business_age_years + 0) > 10`, y + ` / (0 + business_age_years) > 10`, y + ` / (business_age_years + ` + x + `) > 10`, y + ` / (1 + evaluation_score) > 10`, y + ` / (-` + x + ` + 1) > 10`, y + ` / -` + x + ` > 10`,
		y + ` / size(persons) > 10`, y + ` / size(persons.filter(p, p.ownership_percentage > 25)) > 10`, y + ` / size(industry_category_code.filter(c, c != "1")) > 10`, `persons.map(p, p.ownership_percentage).exists(size, 5 / size > 1)`,
		`persons.exists(p, 5 / p.ownership_percentage > 1)`, `5 in [` + y + ` / ` + x + `]`, `persons.exists(p, p.ownership_percentage != 0) && persons.exists(p, 5 / p.ownership_percentage > 1)`, `!(` + y + ` / ` + x + ` > 10)`, `5 - ` + y + ` / ` + x + ` > 10`,
	} {
		require.True(t, divided(bare), bare)
	}
	for divisor, ask := range map[string]string{
		x:                                        "when " + x + " is 0 this division has no result, and the service refuses the calculation: begin with " + x + " != 0 && …",
		`(evaluation_score > 5 ? 2 : ` + x + `)`: "begin with (evaluation_score > 5 ? 2 : " + x + ") != 0 && …",
	} {
		var reported []string
		for _, w := range likelyMistakes(t, oneRule(fact.EntityBusiness, y+` / `+divisor+` > 10`)) {
			reported = append(reported, w.Message)
		}
		require.Contains(t, strings.Join(reported, "\n"), ask)
	}
}
