package author

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// This file has quantities: what a comparison compares, for which values it is true, and a few
// values that represent all others.

// quantity is an expression with one value for each evaluation of a condition, or for each element
// of a loop: a fact, a field of a person or a count. Any other comparison is itself a quantity with
// the values 0 and 1.
type quantity struct {
	key    string
	node   *requirement.Node // one expression of it
	within *requirement.Node // the innermost loop that it depends on; nil for none
	fact   string            // its fact, or size(LIST); empty for others
	row    *fact.Row         // of the fact or the list; fact.NoFact for others
	domain *fact.Domain      // of a number or a date
	form   *fact.TextForm    // of a text

	constants []value // that it is compared with
	tests     []*requirement.Node

	// years are the counts from the same date in completed years, of a count in months.
	years []*quantity
	// A list has its loops, and their values together: see condition_loops.go.
	loops  []*requirement.Node
	values []value
}

// value is a number, a date in days, or a text.
type value struct {
	number *big.Rat // nil for a text
	text   string
}

func (v value) compare(other value) int {
	if v.number != nil {
		return v.number.Cmp(other.number)
	}
	return cmp.Compare(v.text, other.text)
}

func (v value) String() string {
	if v.number != nil {
		return v.number.RatString()
	}
	return v.text
}

// valueOf returns the value of a literal other than true or false.
func valueOf(literal any) (value, bool) {
	if text, ok := literal.(string); ok {
		return value{text: text}, true
	}
	number, ok := fact.Exact(literal)
	return value{number: number}, ok
}

// test is a comparison of a quantity with constants. Without a quantity it always has the same
// value.
type test struct {
	of    *quantity
	holds func(value) bool
	// operator and bound belong to a comparison with one number.
	operator string
	bound    *big.Rat
}

func fixed(truth bool) *test { return &test{holds: func(value) bool { return truth }} }

// test reads a condition that does not join others.
func (c *condition) test(n *requirement.Node) *test {
	t := c.comparison(n)
	if t == nil {
		q := c.quantity(n)
		t = &test{of: q, holds: func(v value) bool { return v.number.Sign() > 0 }}
	}
	if t.of != nil {
		t.of.tests = append(t.of.tests, n)
	}
	return t
}

// comparison reads a comparison of a quantity with constants. It is nil for any other.
func (c *condition) comparison(n *requirement.Node) *test {
	if n.Kind != requirement.CallKind || len(n.Args) != 2 {
		return nil
	}
	of, with, operator := n.Args[0], n.Args[1], n.Name
	switch {
	case operator == operators.In:
		return c.membership(of, with)
	case n.IsComparison() && !n.Constant() && alike(of, with):
		return fixed(ordered(operator, 0))
	case of.Shape != fact.TextShape:
		return c.numbers(of, with, operator)
	case of.Kind == requirement.LiteralKind && n.IsComparison():
		of, with, operator = with, of, requirement.Mirrors[operator]
	}
	text, ok := with.Literal.(string)
	q := c.quantity(of)
	if !ok || q == nil || !n.IsComparison() && operator != "startsWith" && q.form.Codes == nil {
		return nil
	}
	q.constants = append(q.constants, value{text: text})
	if end, ok := afterAll(text); ok && operator == "startsWith" {
		q.constants = append(q.constants, value{text: end})
	}
	return &test{of: q, holds: func(v value) bool { return requirement.Compare(operator, v.text, text) }}
}

// ordered reports whether a comparison is true for two values with that order.
func ordered(operator string, order int) bool {
	return requirement.Compare(operator, rational.Int(int64(order)), rational.Int(0))
}

// afterAll is the first text after all texts that begin with a given one.
func afterAll(text string) (string, bool) {
	for end := len(text); end > 0; end-- {
		if last := text[end-1]; last < 0xff {
			return text[:end-1] + string([]byte{last + 1}), true
		}
	}
	return "", false
}

func (c *condition) numbers(of, with *requirement.Node, operator string) *test {
	a, ok := c.linear(of)
	b, known := c.linear(with)
	if a.of == nil {
		a, b, operator = b, a, requirement.Mirrors[operator]
	}
	switch {
	case !ok || !known || b.of != nil:
		return nil
	case a.of == nil:
		return fixed(ordered(operator, a.plus.Cmp(b.plus)))
	case a.times.Sign() < 0:
		operator = requirement.Mirrors[operator]
	}
	bound := new(big.Rat).Sub(b.plus, a.plus)
	bound.Quo(bound, a.times)
	a.of.constants = append(a.of.constants, value{number: bound})
	return &test{of: a.of, operator: operator, bound: bound, holds: func(v value) bool { return ordered(operator, v.number.Cmp(bound)) }}
}

// linear is a number or a date that is calculated from one quantity: a factor times the quantity,
// plus a number. A constant has no quantity.
type linear struct {
	of          *quantity
	times, plus *big.Rat
}

func (c *condition) linear(n *requirement.Node) (linear, bool) {
	zero, one := new(big.Rat), big.NewRat(1, 1)
	if v, ok := valueOf(n.Literal); ok && v.number != nil {
		return linear{nil, zero, v.number}, true
	}
	if !isCall(n, operators.Add, operators.Subtract, operators.Multiply, operators.Divide, operators.Negate) {
		q := c.quantity(n)
		return linear{q, one, zero}, q != nil && q.domain != nil
	}
	a, ok := c.linear(n.Args[0])
	b := linear{nil, zero, big.NewRat(-1, 1)}
	if n.Name != operators.Negate && ok {
		b, ok = c.linear(n.Args[1])
	}
	scaled := func(of linear, by *big.Rat) (linear, bool) {
		return linear{of.of, of.times.Mul(of.times, by), of.plus.Mul(of.plus, by)}, ok && by.Sign() != 0
	}
	switch {
	case !ok || a.of != nil && b.of != nil:
	case n.Name == operators.Subtract:
		b, _ = scaled(b, big.NewRat(-1, 1))
		fallthrough
	case n.Name == operators.Add:
		return linear{cmp.Or(a.of, b.of), a.times.Add(a.times, b.times), a.plus.Add(a.plus, b.plus)}, true
	case n.Name == operators.Divide && b.of == nil && b.plus.Sign() != 0:
		return scaled(a, new(big.Rat).Inv(b.plus))
	case n.Name != operators.Divide && b.of == nil:
		return scaled(a, b.plus)
	case n.Name != operators.Divide:
		return scaled(b, a.plus)
	}
	return linear{}, false
}

// membership is the test whether a value is in a literal list.
func (c *condition) membership(of, list *requirement.Node) *test {
	if list.Kind == requirement.ArrayKind && len(list.Args) == 0 {
		return fixed(false)
	}
	q := c.quantity(of)
	if q == nil || of.Kind == requirement.LiteralKind {
		return nil
	}
	values, ok := c.listed(list)
	if !ok {
		return nil
	}
	in := map[string]bool{}
	for _, v := range values {
		in[v.String()] = true
	}
	c.left -= len(values)
	q.constants = append(q.constants, values...)
	return &test{of: q, holds: func(v value) bool { return in[v.String()] }}
}

func (c *condition) listed(list *requirement.Node) (values []value, ok bool) {
	if list.Kind == requirement.ListKind {
		for _, text := range c.lists[list.Name] {
			values = append(values, value{text: text})
		}
		return values, len(values) > 0
	}
	for _, entry := range list.Args {
		v, ok := valueOf(entry.Literal)
		if !ok {
			return nil, false
		}
		values = append(values, v)
	}
	return values, list.Kind == requirement.ArrayKind
}

// quantity returns the quantity of an expression. It is the same quantity everywhere within a loop.
// It is nil for a number or a text about which nothing is known.
func (c *condition) quantity(n *requirement.Node) *quantity {
	row := n.ComparedFact()
	q, known := c.find(&quantity{key: canonical(n), fact: row.Name, row: row, node: n})
	if known {
		return q
	}
	one := big.NewRat(1, 1)
	switch {
	case n.Shape == fact.BoolShape:
		q.domain = &fact.Domain{Least: new(big.Rat), Most: one, Step: one}
	case n.Counts():
		least, most, words := c.length(n.Args[0])
		q.domain = &fact.Domain{Least: whole(least), Most: whole(most), Step: one, Words: words}
		if n.Args[0].Kind == requirement.FactKind {
			q.fact, q.row = "size("+n.Args[0].Name+")", n.Args[0].Row
		}
	case isCall(n, "size"):
		form := n.Args[0].ComparedFact().Text
		if form == nil {
			return nil
		}
		least, most := form.Lengths()
		q.domain = &fact.Domain{Least: whole(least), Most: whole(most), Step: one, Words: form.Words}
	case n.CountsTime():
		q.domain = &fact.Domain{Step: one, Words: "completed days, months and years are a whole number"}
		if from := n.Args[0].ComparedFact(); n.CountsSince() && from.Future != "" {
			q.domain.Least, q.domain.Words = new(big.Rat), "a date on record is never after today, so what is counted from it is a whole number, 0 or more"
		}
	default:
		q.domain, q.form = row.Domain, row.Text
	}
	if q.domain == nil && q.form == nil {
		return nil
	}
	c.quantities = append(c.quantities, q)
	return q
}

// find returns the quantity with the key of q that depends on the same loops. If there is none, it
// returns q.
func (c *condition) find(q *quantity) (found *quantity, known bool) {
	q.node.Walk(func(part *requirement.Node) {
		c.left--
		if part.Kind == requirement.VariableKind && part.Slot < len(c.loops) {
			if loop := c.loops[part.Slot]; q.depth() <= loop.Slot {
				q.within = loop
			}
		}
	})
	c.left -= (len(q.key) + len(c.quantities)) / 16
	at := slices.IndexFunc(c.quantities, func(known *quantity) bool { return known.key == q.key && known.within == q.within })
	if at >= 0 {
		return c.quantities[at], true
	}
	return q, false
}

func (q *quantity) depth() int {
	if q.within == nil {
		return 0
	}
	return q.within.Slot + 1
}

// roots returns the nodes for which the quantity has one value: the whole condition, or parts of a
// loop.
func (q *quantity) roots(tree *requirement.Node) []*requirement.Node {
	if q.within == nil {
		return []*requirement.Node{tree}
	}
	return q.within.Args[1:]
}

func whole(n int) *big.Rat { return big.NewRat(int64(n), 1) }

func (q *quantity) words() string {
	switch {
	case q.form != nil:
		return q.form.Words
	case q.domain == nil:
		return ""
	}
	return q.domain.Words
}

// length returns the least and the greatest number of elements of a list, with words if they come
// from a fact.
func (c *condition) length(list *requirement.Node) (least, most int, words string) {
	switch list.Kind {
	case requirement.FactKind:
		if list.Name == fact.NamePersons {
			return 0, fact.MaxPersons, fmt.Sprintf("a business has at most %d persons on record", fact.MaxPersons)
		}
		return listLength(list.Row.List)
	case requirement.FieldKind:
		return listLength(list.Row.List)
	case requirement.LoopKind:
		least, most, words = c.length(list.List())
		if list.Test() != nil {
			least = 0
		}
		return least, most, words
	case requirement.ListKind:
		return len(c.lists[list.Name]), len(c.lists[list.Name]), ""
	case requirement.ArrayKind:
		return len(list.Args), len(list.Args), ""
	}
	return 0, math.MaxInt32, ""
}

func listLength(of *fact.ListForm) (least, most int, words string) {
	if of.Least == 0 {
		return 0, of.Most, fmt.Sprintf("at most %d %s are on record", of.Most, of.Many)
	}
	return of.Least, of.Most, fmt.Sprintf("a business has %d to %d %s on record, and the service asks for one if there is none", of.Least, of.Most, of.Many)
}

// points returns values that represent all values of the quantity: each constant, and one value
// between neighbors and at both ends. Numbers are in ascending order.
func (q *quantity) points() (points []value) {
	if q.loops != nil {
		return q.values
	}
	if q.form != nil && q.form.Codes != nil {
		for _, code := range q.form.Codes {
			points = append(points, value{text: code})
		}
		return points
	}
	constants := append(slices.Clone(q.constants), value{})
	if q.form == nil {
		constants[len(constants)-1].number = cmp.Or(q.domain.Least, new(big.Rat))
	}
	slices.SortFunc(constants, value.compare)
	constants = slices.CompactFunc(constants, func(a, b value) bool { return a.compare(b) == 0 })
	if q.form == nil {
		points = append(points, value{number: q.beside(constants[0].number, -1)})
	}
	for i, at := range constants {
		points = append(points, at)
		after := value{text: at.text + "\x00"}
		if q.form == nil {
			after = value{number: q.beside(at.number, 1)}
		}
		if i+1 == len(constants) || after.compare(constants[i+1]) < 0 {
			points = append(points, after)
		}
	}
	return slices.DeleteFunc(points, func(v value) bool {
		return q.form != nil && v.text == "" || q.form == nil && !q.domain.Holds(v.number)
	})
}

// beside is the next number before or after another that a record can contain.
func (q *quantity) beside(v *big.Rat, direction int64) *big.Rat {
	multiple := new(big.Rat).Quo(v, q.domain.Step)
	next := new(big.Rat).SetInt(new(big.Int).Div(multiple.Num(), multiple.Denom())) // rounds down: the denominator is positive
	if direction > 0 || multiple.IsInt() {
		next.Add(next, big.NewRat(direction, 1))
	}
	return next.Mul(next, q.domain.Step)
}
