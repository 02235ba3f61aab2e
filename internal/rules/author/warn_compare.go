package author

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// Comparisons. Input: a node that compares. Output: the values for which it is true,
// and those for which it is false.

// comparison is what is known of a part that compares or tests values.
func (l *linter) comparison(n *requirement.Node) verdict {
	var v verdict
	known := false
	switch {
	case n.Name == operators.In:
		v, known = l.membership(n)
	case len(n.Args) != 2:
	case n.Args[0].Shape == fact.TextShape && n.Args[1].Shape == fact.TextShape:
		v, known = l.texts(n)
	case isComparable(n.Args[0]) && isComparable(n.Args[1]):
		v, known = l.numbers(n)
	}
	if !known {
		return l.unknown(n)
	}
	return v
}

// isComparable reports whether n can be ordered among numbers: dates count in days.
func isComparable(n *requirement.Node) bool { return n.Shape.Number() || n.Shape == fact.DateShape }

// numbers compares two numbers or dates.
func (l *linter) numbers(n *requirement.Node) (verdict, bool) {
	d, ok := l.difference(n)
	if !ok {
		return verdict{}, false
	}
	values, ok := compared(d.operator, fact.BeforeNumber(d.bound), fact.AfterNumber(d.bound))
	return l.amongOf(d.quantity, values), ok
}

func (l *linter) amongOf(q *quantity, values fact.Set) verdict {
	if !l.spend(len(values) + len(q.domain)) {
		return verdict{}
	}
	in, out := q.among(values)
	return verdict{boxOf(q, in), boxOf(q, out)}
}

// compared are the values that compare with one value by an operator.
func compared(operator string, before, after fact.Edge) (fact.Set, bool) {
	values, ok := map[string]fact.Set{
		operators.Equals: {before, after}, operators.NotEquals: {fact.Lowest, before, after, fact.Highest},
		operators.Less: {fact.Lowest, before}, operators.LessEquals: {fact.Lowest, after},
		operators.Greater: {after, fact.Highest}, operators.GreaterEquals: {before, fact.Highest},
	}[operator]
	return values, ok
}

// difference is a comparison of two numbers or dates as one of a quantity with a
// threshold. of is the same as a sum that is compared with 0, scaled so that its first
// quantity occurs once.
type difference struct {
	of       linear
	quantity *quantity
	operator string
	bound    *big.Rat
}

func (l *linter) difference(n *requirement.Node) (difference, bool) {
	left, leftOK := l.sum(n.Args[0])
	right, rightOK := l.sum(n.Args[1])
	if !leftOK || !rightOK {
		return difference{}, false
	}
	of, ok := left.plus(right, minusOne)
	if !ok {
		return difference{}, false
	}
	d := difference{of: of, operator: n.Name}
	if len(of.terms) > 0 {
		lead := of.terms[0].times
		d.of, _ = emptySum.plus(of, new(big.Rat).Inv(lead))
		if lead.Sign() < 0 {
			d.operator = requirement.Mirrors[n.Name]
		}
	}
	d.bound, d.quantity = new(big.Rat).Neg(d.of.number), l.summed(d.of.terms)
	return d, true
}

// linear is a sum of quantities, each so many times, and a number.
type linear struct {
	terms  []term // by key
	number *big.Rat
}

type term struct {
	of    *quantity
	times *big.Rat
}

var (
	emptySum          = linear{number: new(big.Rat)}
	plusOne, minusOne = big.NewRat(1, 1), big.NewRat(-1, 1)
)

// plus adds another sum so many times. It reports false for one that is not worth going
// on with.
func (s linear) plus(other linear, times *big.Rat) (linear, bool) {
	added := linear{slices.Clone(s.terms), new(big.Rat).Mul(other.number, times)}
	added.number.Add(added.number, s.number)
	for _, t := range other.terms {
		sum := new(big.Rat).Mul(t.times, times)
		at, known := slices.BinarySearchFunc(added.terms, t.of.key, func(t term, key string) int { return strings.Compare(t.of.key, key) })
		if known {
			sum.Add(sum, added.terms[at].times)
			added.terms = slices.Delete(added.terms, at, at+1)
		}
		if sum.Sign() != 0 {
			added.terms = slices.Insert(added.terms, at, term{t.of, sum})
		}
	}
	large := func(r *big.Rat) bool { return r.Num().BitLen()+r.Denom().BitLen() > maxLintBits }
	return added, len(added.terms) <= maxLintTerms && !large(added.number) && !slices.ContainsFunc(added.terms, func(t term) bool { return large(t.times) })
}

// sum reads a number or a date as a sum.
func (l *linter) sum(n *requirement.Node) (linear, bool) {
	if !l.spend(1) {
		return linear{}, false
	}
	if number, ok := fact.Exact(n.Literal); ok {
		return emptySum.plus(linear{number: number}, plusOne)
	}
	if n.Kind == requirement.CallKind {
		if s, ok := l.calculation(n); ok {
			return s, true
		}
	}
	q, ok := l.value(n)
	return linear{[]term{{q, plusOne}}, emptySum.number}, ok
}

// calculation is sum for what is calculated with constants alone.
func (l *linter) calculation(n *requirement.Node) (linear, bool) {
	if !slices.Contains([]string{operators.Negate, operators.Add, operators.Subtract, operators.Multiply, operators.Divide}, n.Name) {
		return linear{}, false
	}
	first, ok := l.sum(n.Args[0])
	if !ok {
		return linear{}, false
	}
	if n.Name == operators.Negate {
		return emptySum.plus(first, minusOne)
	}
	second, ok := l.sum(n.Args[1])
	switch {
	case !ok:
	case n.Name == operators.Add:
		return first.plus(second, plusOne)
	case n.Name == operators.Subtract:
		return first.plus(second, minusOne)
	case n.Name == operators.Multiply && len(second.terms) == 0:
		return emptySum.plus(first, second.number)
	case n.Name == operators.Multiply && len(first.terms) == 0:
		return emptySum.plus(second, first.number)
	case n.Name == operators.Divide && len(second.terms) == 0 && second.number.Sign() != 0:
		return emptySum.plus(first, new(big.Rat).Inv(second.number))
	}
	return linear{}, false
}

// summed is the quantity that a sum of others is; that of no others is 0.
func (l *linter) summed(terms []term) *quantity {
	switch {
	case len(terms) == 0:
		return &quantity{key: "0", domain: fact.Between(fact.BeforeNumber(emptySum.number), fact.AfterNumber(emptySum.number)), words: "it refers to no fact"}
	case len(terms) == 1:
		return terms[0].of
	}
	var key strings.Builder
	depth := 0
	low, high := new(big.Rat), new(big.Rat)
	for _, t := range terms {
		fmt.Fprintf(&key, "+%s*(%s)", t.times.RatString(), t.of.key)
		depth = max(depth, t.of.depth)
		least, most := t.of.domain.Bounds()
		if t.times.Sign() < 0 {
			least, most = most, least
		}
		low, high = plusProduct(low, t.times, least), plusProduct(high, t.times, most)
	}
	return l.intern(key.String(), depth, func() (fact.Set, *big.Rat, string) {
		domain := fact.Everything()
		if low != nil {
			domain[0] = fact.BeforeNumber(low)
		}
		if high != nil {
			domain[1] = fact.AfterNumber(high)
		}
		return domain, nil, ""
	})
}

// plusProduct is sum + a * b, or nil where a part has no bound.
func plusProduct(sum, a, b *big.Rat) *big.Rat {
	if sum == nil || b == nil {
		return nil
	}
	return new(big.Rat).Add(sum, new(big.Rat).Mul(a, b))
}

// value is a number, a date or a text as a quantity.
func (l *linter) value(n *requirement.Node) (*quantity, bool) {
	if n.Counts() {
		return l.count(n.Args[0])
	}
	name := n.ComparedFact()
	q, ok := l.quantity(n, func() (fact.Set, *big.Rat, string) {
		of := fact.Lookup(name)
		switch {
		case n.Kind == requirement.CallKind && n.Name == "size":
			return textLengths(fact.Lookup(n.Args[0].ComparedFact()).Text)
		case of.Domain != nil:
			return of.Domain()
		case n.Shape == fact.TextShape && of.Text != nil:
			return of.Text.Domain, nil, of.Text.Words
		}
		return fact.Everything(), nil, ""
	})
	if ok {
		q.fact = name
	}
	return q, ok
}

// textLengths are the lengths that a text can have.
func textLengths(form *fact.TextForm) (fact.Set, *big.Rat, string) {
	if form == nil {
		return fact.Set{fact.BeforeNumber(new(big.Rat)), fact.Highest}, plusOne, ""
	}
	least, most := big.NewRat(int64(len(form.Shortest)), 1), big.NewRat(int64(len(form.Longest)), 1)
	return fact.Set{fact.BeforeNumber(least), fact.AfterNumber(most)}, plusOne, form.Words
}

// texts compares two texts, one of which is written out.
func (l *linter) texts(n *requirement.Node) (verdict, bool) {
	value, other, operator := n.Args[0], n.Args[1], n.Name
	if value.Kind == requirement.LiteralKind && n.IsComparison() {
		value, other, operator = other, value, requirement.Mirrors[operator]
	}
	text, ok := other.Literal.(string)
	if !ok || value.Kind == requirement.LiteralKind {
		return verdict{}, false
	}
	q, ok := l.value(value)
	if !ok {
		return verdict{}, false
	}
	if values, ok := compared(operator, fact.BeforeText(text), fact.AfterText(text)); ok {
		return l.amongOf(q, values), true
	}
	if operator == "startsWith" {
		return l.amongOf(q, beginning(text)), true
	}
	form := fact.Lookup(value.ComparedFact()).Text
	if form == nil || form.Codes == nil {
		return verdict{}, false
	}
	var edges []fact.Edge
	for _, code := range form.Codes {
		if requirement.Compare(operator, code, text) {
			edges = append(edges, fact.BeforeText(code))
		}
	}
	return l.amongOf(q, fact.Points(edges)), true
}

// beginning are the texts that begin with another.
func beginning(text string) fact.Set {
	for end := len(text); end > 0; end-- {
		if last := text[end-1]; last < 0xff {
			return fact.Set{fact.BeforeText(text), fact.BeforeText(text[:end-1] + string([]byte{last + 1}))}
		}
	}
	return fact.Everything()
}

// membership is whether a value is in a list that is written out.
func (l *linter) membership(n *requirement.Node) (verdict, bool) {
	value, list := n.Args[0], n.Args[1]
	if list.Kind == requirement.ArrayKind && len(list.Args) == 0 {
		return verdict{holds: noBox}, true
	}
	if value.Kind == requirement.LiteralKind || value.Shape != fact.TextShape && !isComparable(value) {
		return verdict{}, false
	}
	values, ok := l.listed(list)
	if !ok || values.Empty() {
		return verdict{}, false
	}
	q, ok := l.value(value)
	if !ok {
		return verdict{}, false
	}
	return l.amongOf(q, values), true
}

// listed are the values of a list that is written out.
func (l *linter) listed(list *requirement.Node) (fact.Set, bool) {
	var edges []fact.Edge
	switch list.Kind {
	case requirement.ListKind:
		if values, ok := l.sets[list.Name]; ok {
			return values, true
		}
		for _, text := range l.lists[list.Name] {
			edges = append(edges, fact.BeforeText(text))
		}
		l.sets[list.Name] = fact.Points(edges)
		return l.sets[list.Name], true
	case requirement.ArrayKind:
		for _, entry := range list.Args {
			if text, ok := entry.Literal.(string); ok {
				edges = append(edges, fact.BeforeText(text))
			} else if of, ok := l.sum(entry); ok && len(of.terms) == 0 {
				edges = append(edges, fact.BeforeNumber(of.number))
			} else {
				return nil, false
			}
		}
		return fact.Points(edges), true
	}
	return nil, false
}

// quantity is the one that stands for an expression. domain is asked for its
// values when it is met first.
func (l *linter) quantity(n *requirement.Node, domain func() (fact.Set, *big.Rat, string)) (*quantity, bool) {
	key, depth, ok := l.key(n)
	if !ok {
		return nil, false
	}
	return l.intern(key, depth, domain), true
}

func (l *linter) intern(key string, depth int, domain func() (fact.Set, *big.Rat, string)) *quantity {
	if q, known := l.quantities[key]; known {
		return q
	}
	q := &quantity{key: key, depth: depth}
	q.domain, q.step, q.words = domain()
	l.quantities[key] = q
	return q
}

// key writes an expression so that equal ones are written alike, and counts the loops
// around whose variables it refers to. It reports false for one that is long.
func (l *linter) key(n *requirement.Node) (key string, depth int, ok bool) {
	nodes := 0
	n.Walk(func(part *requirement.Node) {
		nodes++
		if part.Kind == requirement.VariableKind && part.Slot < len(l.loops) {
			depth = max(depth, part.Slot+1)
		}
	})
	if !l.spend(1+nodes) || nodes > maxLintedTexts {
		return "", 0, false
	}
	key = canonical(n)
	l.spend(len(key) / 16)
	return key, depth, len(key) <= maxLintedTexts
}
