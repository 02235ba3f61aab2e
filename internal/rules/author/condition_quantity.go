package author

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// Quantities. Input: a part of a condition that compares. Output: what it compares, for
// which values it is true, and a few values that stand for all.

// quantity is what has one value for each evaluation of a condition, or for each
// element of the loop within: a fact, a field of a person, a count or, where nothing is
// known of it, a comparison as a whole, which is 0 or 1.
type quantity struct {
	key    string
	within *requirement.Node // the loop on whose element it depends; nil outside of loops
	fact   string            // whose value it is; empty for what is calculated
	domain *fact.Domain      // of a number or a date
	text   *fact.TextForm    // of a text; nil where any text can be on record
	isText bool

	constants []value // with which it is compared
	tests     []*requirement.Node
}

func (q *quantity) words() string {
	switch {
	case q.text != nil:
		return q.text.Words
	case q.domain != nil:
		return q.domain.Words
	}
	return ""
}

// value is a number, a date in days, or a text.
type value struct {
	number *big.Rat // nil of a text
	text   string
}

func (v value) compare(other value) int {
	if v.number != nil {
		return v.number.Cmp(other.number)
	}
	return cmp.Compare(v.text, other.text)
}

// test is a comparison of a quantity with constants. That of no quantity always comes
// out alike.
type test struct {
	of    *quantity
	holds func(value) bool
	// operator and bound are those of a comparison of a number with an order.
	operator string
	bound    *big.Rat
}

func decided(truth bool) *test { return &test{holds: func(value) bool { return truth }} }

// ordered reports whether a comparison holds of two values in an order.
func ordered(operator string, order int) bool {
	switch operator {
	case operators.Equals:
		return order == 0
	case operators.NotEquals:
		return order != 0
	case operators.Less:
		return order < 0
	case operators.LessEquals:
		return order <= 0
	case operators.Greater:
		return order > 0
	}
	return order >= 0
}

// test reads a part that is a condition and no junction of others.
func (c *condition) test(n *requirement.Node) *test {
	var t *test
	switch {
	case n.Kind != requirement.CallKind || len(n.Args) != 2:
	case n.Name == operators.In:
		t = c.membership(n)
	case n.Args[0].Shape == fact.TextShape && n.Args[1].Shape == fact.TextShape:
		t = c.texts(n)
	case isNumber(n.Args[0]) && isNumber(n.Args[1]):
		t = c.numbers(n)
	}
	if t == nil { // true or false, and the same wherever it stands
		one := big.NewRat(1, 1)
		q := c.quantity(n)
		q.domain = &fact.Domain{Least: new(big.Rat), Most: one, Step: one}
		t = &test{of: q, holds: func(v value) bool { return v.number.Sign() > 0 }}
	}
	if t.of != nil {
		t.of.tests = append(t.of.tests, n)
	}
	return t
}

// isNumber reports whether n can be ordered among numbers: dates count in days.
func isNumber(n *requirement.Node) bool { return n.Shape.Number() || n.Shape == fact.DateShape }

// linear is a quantity so many times, and a number. Without a quantity it is the number.
type linear struct {
	of          *quantity
	times, plus *big.Rat
}

func (a linear) add(b linear, times *big.Rat) (linear, bool) {
	sum := linear{cmp.Or(a.of, b.of), new(big.Rat).Mul(b.times, times), new(big.Rat).Mul(b.plus, times)}
	sum.times.Add(sum.times, a.times)
	sum.plus.Add(sum.plus, a.plus)
	if sum.times.Sign() == 0 {
		sum.of = nil
	}
	return sum, a.of == nil || b.of == nil || a.of == b.of
}

// linear reads a number or a date that is calculated from at most one quantity. Any other
// is a quantity itself.
func (c *condition) linear(n *requirement.Node) linear {
	if l, ok := c.calculated(n); ok {
		return l
	}
	return linear{c.quantity(n), big.NewRat(1, 1), new(big.Rat)}
}

func (c *condition) calculated(n *requirement.Node) (linear, bool) {
	zero := linear{nil, new(big.Rat), new(big.Rat)}
	if number, ok := fact.Exact(n.Literal); ok {
		return linear{nil, new(big.Rat), number}, true
	}
	calculates := []string{operators.Negate, operators.Add, operators.Subtract, operators.Multiply, operators.Divide}
	if n.Kind != requirement.CallKind || !slices.Contains(calculates, n.Name) {
		return linear{c.quantity(n), big.NewRat(1, 1), new(big.Rat)}, true
	}
	a, ok := c.calculated(n.Args[0])
	if !ok || n.Name == operators.Negate {
		a, _ = zero.add(a, big.NewRat(-1, 1))
		return a, ok
	}
	b, ok := c.calculated(n.Args[1])
	switch {
	case !ok:
	case n.Name == operators.Add:
		return a.add(b, big.NewRat(1, 1))
	case n.Name == operators.Subtract:
		return a.add(b, big.NewRat(-1, 1))
	case n.Name == operators.Multiply && b.of == nil:
		return zero.add(a, b.plus)
	case n.Name == operators.Multiply && a.of == nil:
		return zero.add(b, a.plus)
	case n.Name == operators.Divide && b.of == nil && b.plus.Sign() != 0:
		return zero.add(a, new(big.Rat).Inv(b.plus))
	}
	return zero, false
}

func (c *condition) numbers(n *requirement.Node) *test {
	difference, one := c.linear(n.Args[0]).add(c.linear(n.Args[1]), big.NewRat(-1, 1))
	operator := n.Name
	switch {
	case !one:
		return nil
	case difference.of == nil:
		return decided(ordered(operator, difference.plus.Sign()))
	case difference.times.Sign() < 0:
		operator = requirement.Mirrors[operator]
	}
	bound := new(big.Rat).Quo(difference.plus, difference.times)
	bound.Neg(bound)
	difference.of.constants = append(difference.of.constants, value{number: bound})
	return &test{of: difference.of, operator: operator, bound: bound, holds: func(v value) bool { return ordered(operator, v.number.Cmp(bound)) }}
}

func (c *condition) texts(n *requirement.Node) *test {
	of, other, operator := n.Args[0], n.Args[1], n.Name
	if of.Kind == requirement.LiteralKind && n.IsComparison() {
		of, other, operator = other, of, requirement.Mirrors[operator]
	}
	text, ok := other.Literal.(string)
	switch {
	case n.IsComparison() && !n.Constant() && alike(of, other):
		return decided(ordered(operator, 0))
	case !ok || of.Kind == requirement.LiteralKind:
		return nil
	}
	q := c.quantity(of)
	if !n.IsComparison() && operator != "startsWith" && (q.text == nil || q.text.Codes == nil) {
		return nil
	}
	q.constants = append(q.constants, value{text: text})
	if end, ok := afterAll(text); ok && operator == "startsWith" {
		q.constants = append(q.constants, value{text: end})
	}
	return &test{of: q, holds: func(v value) bool { return requirement.Compare(operator, v.text, text) }}
}

// afterAll is the first text after all that begin with a text.
func afterAll(text string) (string, bool) {
	for end := len(text); end > 0; end-- {
		if last := text[end-1]; last < 0xff {
			return text[:end-1] + string([]byte{last + 1}), true
		}
	}
	return "", false
}

// membership is whether a value is in a list that is written out.
func (c *condition) membership(n *requirement.Node) *test {
	of, list := n.Args[0], n.Args[1]
	if list.Kind == requirement.ArrayKind && len(list.Args) == 0 {
		return decided(false)
	}
	switch {
	case of.Kind == requirement.LiteralKind:
	case of.Shape == fact.TextShape:
		texts, known := c.listed(list)
		if !known {
			return nil
		}
		q := c.quantity(of)
		c.left -= len(texts)
		for text := range texts {
			q.constants = append(q.constants, value{text: text})
		}
		return &test{of: q, holds: func(v value) bool { return texts[v.text] }}
	case isNumber(of) && list.Kind == requirement.ArrayKind:
		return c.numberIn(of, list)
	}
	return nil
}

func (c *condition) numberIn(of, list *requirement.Node) *test {
	l := c.linear(of)
	var values []value
	for _, entry := range list.Args {
		e := c.linear(entry)
		if l.of == nil || e.of != nil {
			return nil
		}
		e, _ = e.add(linear{nil, new(big.Rat), l.plus}, big.NewRat(-1, 1))
		values = append(values, value{number: e.plus.Quo(e.plus, l.times)})
	}
	l.of.constants = append(l.of.constants, values...)
	return &test{of: l.of, holds: func(v value) bool {
		return slices.ContainsFunc(values, func(one value) bool { return one.compare(v) == 0 })
	}}
}

// listed are the texts of a list that is written out.
func (c *condition) listed(list *requirement.Node) (map[string]bool, bool) {
	texts := map[string]bool{}
	switch list.Kind {
	case requirement.ListKind:
		if known, ok := c.sets[list.Name]; ok {
			return known, len(known) > 0
		}
		for _, text := range c.lists[list.Name] {
			texts[text] = true
		}
		c.sets[list.Name] = texts
	case requirement.ArrayKind:
		for _, entry := range list.Args {
			text, ok := entry.Literal.(string)
			if !ok {
				return nil, false
			}
			texts[text] = true
		}
	}
	return texts, len(texts) > 0
}

// quantity is that of an expression, which is one and the same wherever it stands within
// a loop.
func (c *condition) quantity(n *requirement.Node) *quantity {
	q := &quantity{key: canonical(n), isText: n.Shape == fact.TextShape}
	n.Walk(func(part *requirement.Node) {
		c.left--
		if part.Kind == requirement.VariableKind && part.Slot < len(c.loops) {
			if loop := c.loops[part.Slot]; q.within == nil || loop.Slot > q.within.Slot {
				q.within = loop
			}
		}
	})
	c.left -= len(q.key) / 16
	for _, known := range c.quantities[q.key] {
		if known.within == q.within {
			return known
		}
	}
	c.quantities[q.key] = append(c.quantities[q.key], q)
	c.order = append(c.order, q)
	switch q.fact = n.ComparedFact(); {
	case n.Counts():
		c.count(q, n.Args[0])
	case n.Kind == requirement.CallKind && n.Name == "size":
		q.domain = &fact.Domain{Least: new(big.Rat), Step: big.NewRat(1, 1)}
		if form := fact.Lookup(n.Args[0].ComparedFact()).Text; form != nil {
			q.domain = &fact.Domain{Least: whole(len(form.Shortest)), Most: whole(len(form.Longest)), Step: big.NewRat(1, 1), Words: form.Words}
		}
	case q.isText:
		q.text = fact.Lookup(q.fact).Text
	default:
		q.domain = fact.Lookup(q.fact).Domain
	}
	if q.domain == nil && !q.isText {
		q.domain = &fact.Domain{}
	}
	return q
}

func whole(n int) *big.Rat { return big.NewRat(int64(n), 1) }

// count makes q how many elements a list has.
func (c *condition) count(q *quantity, list *requirement.Node) {
	least, most, words := c.length(list)
	q.domain = &fact.Domain{Least: whole(least), Step: big.NewRat(1, 1), Words: words}
	if most >= 0 {
		q.domain.Most = whole(most)
	}
	if list.Kind == requirement.FactKind {
		q.fact = "size(" + list.Name + ")"
	}
}

// length are the fewest and the most elements that a list can have; most is below 0 where
// it is not known.
func (c *condition) length(list *requirement.Node) (least, most int, words string) {
	switch list.Kind {
	case requirement.FactKind:
		if list.Name == fact.NamePersons {
			return 0, fact.MaxPersons, fmt.Sprintf("a business has at most %d persons on record", fact.MaxPersons)
		}
		of := fact.Lookup(list.Name).List
		return 1, of.Most, fmt.Sprintf("a business has 1 to %d %s on record, and the service asks for one if there is none", of.Most, of.Many)
	case requirement.ArrayKind:
		return len(list.Args), len(list.Args), ""
	case requirement.ListKind:
		return len(c.lists[list.Name]), len(c.lists[list.Name]), ""
	case requirement.LoopKind:
		least, most, words = c.length(list.List())
		if list.Test() != nil {
			least = 0
		}
		return least, most, words
	}
	return 0, -1, ""
}

// points are values that stand for all that the quantity can have, in their order: each
// constant, the values between each two of which one is enough, and those beside them.
func (q *quantity) points() []value {
	if q.text != nil && q.text.Codes != nil {
		var all []value
		for _, code := range slices.Sorted(slices.Values(q.text.Codes)) {
			all = append(all, value{text: code})
		}
		return all
	}
	constants := slices.Clone(q.constants)
	switch {
	case q.isText:
		constants = append(constants, value{text: ""})
		if q.text != nil {
			constants = append(constants, value{text: q.text.From})
		}
	case q.domain.Least != nil:
		constants = append(constants, value{number: q.domain.Least})
	}
	if len(constants) == 0 {
		constants = []value{{number: new(big.Rat)}}
	}
	slices.SortFunc(constants, value.compare)
	constants = slices.CompactFunc(constants, func(a, b value) bool { return a.compare(b) == 0 })
	var all []value
	add := func(v value) {
		if q.holds(v) {
			all = append(all, v)
		}
	}
	if !q.isText {
		add(value{number: q.beside(constants[0].number, -1, nil)})
	}
	for i, at := range constants {
		add(at)
		var next *value
		if i+1 < len(constants) {
			next = &constants[i+1]
		}
		after := value{text: at.text + "\x00"}
		if !q.isText {
			after = value{}
			if next != nil {
				after.number = q.beside(at.number, 1, next.number)
			} else {
				after.number = q.beside(at.number, 1, nil)
			}
		}
		if next == nil || after.compare(*next) < 0 {
			add(after)
		}
	}
	return all
}

// holds reports whether a record can hold a value, as far as it is known.
func (q *quantity) holds(v value) bool {
	switch {
	case !q.isText:
		return q.domain.Holds(v.number)
	case q.text == nil:
		return true
	}
	return v.text >= q.text.From && (q.text.Before == "" || v.text < q.text.Before)
}

// beside is the next value after a number, or before it. Where any number may occur, it is
// one before the end of a range.
func (q *quantity) beside(v *big.Rat, direction int64, end *big.Rat) *big.Rat {
	one := big.NewRat(direction, 1)
	switch {
	case q.domain.Step != nil:
		multiple := new(big.Rat).Quo(v, q.domain.Step)
		floor := new(big.Int).Div(multiple.Num(), multiple.Denom()) // rounds down: the denominator is positive
		next := new(big.Rat).SetInt(floor)
		if direction > 0 || multiple.IsInt() {
			next.Add(next, one)
		}
		return next.Mul(next, q.domain.Step)
	case end != nil:
		sum := new(big.Rat).Add(v, end)
		return sum.Mul(sum, big.NewRat(1, 2))
	}
	return one.Add(one, v)
}
