package requirement

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/operators"
)

// comparison is what is known of a part that compares or tests values.
func (l *linter) comparison(n *node) verdict {
	var v verdict
	known := false
	switch {
	case n.name == operators.In:
		v, known = l.membership(n)
	case len(n.args) != 2:
	case n.args[0].shape == textShape && n.args[1].shape == textShape:
		v, known = l.texts(n)
	case n.args[0].comparable() && n.args[1].comparable():
		v, known = l.numbers(n)
	}
	if !known {
		return l.unknown(n)
	}
	return v
}

// comparable reports whether n has a place among numbers: dates count in days.
func (n *node) comparable() bool { return n.shape.number() || n.shape == dateShape }

// numbers compares two numbers or dates. What is compared is their difference, as
// a sum of quantities, scaled so that the first of them occurs once.
func (l *linter) numbers(n *node) (verdict, bool) {
	left, leftOK := l.sum(n.args[0])
	right, rightOK := l.sum(n.args[1])
	if !leftOK || !rightOK {
		return verdict{}, false
	}
	difference, ok := left.plus(right.times(big.NewRat(-1, 1)))
	if !ok {
		return verdict{}, false
	}
	operator := n.name
	q, threshold, flipped, ok := l.scaled(difference)
	if !ok {
		return verdict{}, false
	}
	if flipped {
		operator = mirrored(operator)
	}
	values, ok := compared(operator, beforeNumber(threshold), afterNumber(threshold))
	return l.amongOf(q, values), ok
}

func (l *linter) amongOf(q *quantity, values set) verdict {
	if !l.spend(len(values) + len(q.domain)) {
		return verdict{}
	}
	in, out := q.among(values)
	return verdict{boxOf(q, in), boxOf(q, out)}
}

// compared are the values that compare with one value by an operator.
func compared(operator string, before, after edge) (set, bool) {
	switch operator {
	case operators.Equals:
		return set{before, after}, true
	case operators.NotEquals:
		return set{lowest, before, after, highest}, true
	case operators.Less:
		return set{lowest, before}, true
	case operators.LessEquals:
		return set{lowest, after}, true
	case operators.Greater:
		return set{after, highest}, true
	case operators.GreaterEquals:
		return set{before, highest}, true
	}
	return nil, false
}

// mirrored is the operator with its operands exchanged.
func mirrored(operator string) string {
	switch operator {
	case operators.Less:
		return operators.Greater
	case operators.LessEquals:
		return operators.GreaterEquals
	case operators.Greater:
		return operators.Less
	case operators.GreaterEquals:
		return operators.LessEquals
	}
	return operator
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

func (s linear) plus(other linear) (linear, bool) {
	added := linear{number: new(big.Rat).Add(s.number, other.number)}
	for i, j := 0, 0; i < len(s.terms) || j < len(other.terms); {
		switch {
		case j == len(other.terms) || i < len(s.terms) && s.terms[i].of.key < other.terms[j].of.key:
			added.terms = append(added.terms, s.terms[i])
			i++
		case i == len(s.terms) || s.terms[i].of.key > other.terms[j].of.key:
			added.terms = append(added.terms, other.terms[j])
			j++
		default:
			if times := new(big.Rat).Add(s.terms[i].times, other.terms[j].times); times.Sign() != 0 {
				added.terms = append(added.terms, term{s.terms[i].of, times})
			}
			i, j = i+1, j+1
		}
	}
	return added, added.small()
}

func (s linear) times(factor *big.Rat) linear {
	product := linear{number: new(big.Rat).Mul(s.number, factor)}
	for _, t := range s.terms {
		if factor.Sign() != 0 {
			product.terms = append(product.terms, term{t.of, new(big.Rat).Mul(t.times, factor)})
		}
	}
	return product
}

// small reports whether the sum is worth going on with.
func (s linear) small() bool {
	bits := func(r *big.Rat) bool { return r.Num().BitLen()+r.Denom().BitLen() <= maxLintBits }
	return len(s.terms) <= maxLintTerms && bits(s.number) && !slices.ContainsFunc(s.terms, func(t term) bool { return !bits(t.times) })
}

// sum reads a number or a date as a sum.
func (l *linter) sum(n *node) (linear, bool) {
	if !l.spend(1) {
		return linear{}, false
	}
	if n.kind == literalKind {
		number, ok := exact(n.literal)
		return linear{number: number}, ok && linear{number: number}.small()
	}
	if n.kind == callKind {
		if s, ok := l.calculation(n); ok {
			return s, true
		}
	}
	q, ok := l.number(n)
	return linear{terms: []term{{q, big.NewRat(1, 1)}}, number: new(big.Rat)}, ok
}

// calculation is sum for what is calculated with constants alone.
func (l *linter) calculation(n *node) (linear, bool) {
	switch n.name {
	case operators.Negate, operators.Add, operators.Subtract, operators.Multiply, operators.Divide:
	default:
		return linear{}, false
	}
	first, ok := l.sum(n.args[0])
	if !ok || n.name == operators.Negate {
		return first.times(big.NewRat(-1, 1)), ok
	}
	second, ok := l.sum(n.args[1])
	if !ok {
		return linear{}, false
	}
	switch {
	case n.name == operators.Add:
		return first.plus(second)
	case n.name == operators.Subtract:
		return first.plus(second.times(big.NewRat(-1, 1)))
	case n.name == operators.Multiply && len(second.terms) == 0:
		product := first.times(second.number)
		return product, product.small()
	case n.name == operators.Multiply && len(first.terms) == 0:
		product := second.times(first.number)
		return product, product.small()
	case n.name == operators.Divide && len(second.terms) == 0 && second.number.Sign() != 0:
		quotient := first.times(new(big.Rat).Inv(second.number))
		return quotient, quotient.small()
	}
	return linear{}, false
}

// scaled turns the comparison of a sum with 0 into one of a quantity with a
// threshold. flipped says that both were divided by a negative number. A sum
// without terms compares a quantity that is 0.
func (l *linter) scaled(s linear) (q *quantity, threshold *big.Rat, flipped, ok bool) {
	if len(s.terms) == 0 {
		zero := between(beforeNumber(new(big.Rat)), afterNumber(new(big.Rat)))
		return &quantity{key: "0", domain: zero, words: "it refers to no fact"}, new(big.Rat).Neg(s.number), false, true
	}
	lead := s.terms[0].times
	unit := s.times(new(big.Rat).Inv(lead))
	threshold = new(big.Rat).Neg(unit.number)
	if len(unit.terms) == 1 {
		return unit.terms[0].of, threshold, lead.Sign() < 0, true
	}
	var key strings.Builder
	depth := 0
	low, high := new(big.Rat), new(big.Rat)
	for _, t := range unit.terms {
		fmt.Fprintf(&key, "+%s*(%s)", t.times.RatString(), t.of.key)
		depth = max(depth, t.of.depth)
		least, most := t.of.domain.bounds()
		if t.times.Sign() < 0 {
			least, most = most, least
		}
		low, high = plusProduct(low, t.times, least), plusProduct(high, t.times, most)
	}
	return l.intern(key.String(), depth, func() (set, *big.Rat, string) {
		domain := everything()
		if low != nil {
			domain[0] = beforeNumber(low)
		}
		if high != nil {
			domain[1] = afterNumber(high)
		}
		return domain, nil, ""
	}), threshold, lead.Sign() < 0, true
}

// plusProduct is sum + a * b, or nil where a part has no bound.
func plusProduct(sum, a, b *big.Rat) *big.Rat {
	if sum == nil || b == nil {
		return nil
	}
	return new(big.Rat).Add(sum, new(big.Rat).Mul(a, b))
}

// number is a number or a date as a quantity.
func (l *linter) number(n *node) (*quantity, bool) {
	if n.kind == callKind && n.name == "size" && n.args[0].shape.list {
		return l.count(n.args[0])
	}
	q, ok := l.quantity(n, func() (set, *big.Rat, string) {
		if n.kind == callKind && n.name == "size" {
			return l.textLength(n.args[0])
		}
		return numberDomain(n.comparedFact())
	})
	if ok {
		q.fact = n.comparedFact()
	}
	return q, ok
}

// numberDomain are the values that a record can hold of a fact.
func numberDomain(fact string) (set, *big.Rat, string) {
	if domain := lookup(fact).domain; domain != nil {
		return domain()
	}
	return everything(), nil, ""
}

// exact is a number, and a date in days.
func exact(value any) (*big.Rat, bool) {
	switch v := value.(type) {
	case Number:
		return new(big.Rat).Set(v.Rat()), true
	case Date:
		const day = 24 * 60 * 60
		return big.NewRat(v.UTC().Unix()/day, 1), true
	}
	return nil, false
}

// textLength are the lengths that a text can have.
func (l *linter) textLength(n *node) (set, *big.Rat, string) {
	one := big.NewRat(1, 1)
	form := lookup(n.comparedFact()).text
	if form == nil {
		return set{beforeNumber(new(big.Rat)), highest}, one, ""
	}
	least, most := big.NewRat(int64(len(form.shortest)), 1), big.NewRat(int64(len(form.longest)), 1)
	return set{beforeNumber(least), afterNumber(most)}, one, form.words
}

// texts compares two texts, one of which is written out.
func (l *linter) texts(n *node) (verdict, bool) {
	value, other, operator := n.args[0], n.args[1], n.name
	if value.kind == literalKind && n.isComparison() {
		value, other, operator = other, value, mirrored(operator)
	}
	text, ok := other.literal.(string)
	if !ok || value.kind == literalKind {
		return verdict{}, false
	}
	q, ok := l.text(value)
	if !ok {
		return verdict{}, false
	}
	if values, ok := compared(operator, beforeText(text), afterText(text)); ok {
		return l.amongOf(q, values), true
	}
	if operator == "startsWith" {
		return l.amongOf(q, beginning(text)), true
	}
	form := lookup(value.comparedFact()).text
	if form == nil || form.codes == nil {
		return verdict{}, false
	}
	var edges []edge
	for _, code := range form.codes {
		if compare(operator, code, text) {
			edges = append(edges, beforeText(code))
		}
	}
	return l.amongOf(q, points(edges)), true
}

// beginning are the texts that begin with another.
func beginning(text string) set {
	for end := len(text); end > 0; end-- {
		if last := text[end-1]; last < 0xff {
			return set{beforeText(text), beforeText(text[:end-1] + string([]byte{last + 1}))}
		}
	}
	return everything()
}

// text is a text as a quantity.
func (l *linter) text(n *node) (*quantity, bool) {
	return l.quantity(n, func() (set, *big.Rat, string) {
		form := lookup(n.comparedFact()).text
		if form == nil {
			return everything(), nil, ""
		}
		return form.domain, nil, form.words
	})
}

// membership is whether a value is in a list that is written out.
func (l *linter) membership(n *node) (verdict, bool) {
	value, list := n.args[0], n.args[1]
	if list.kind == arrayKind && len(list.args) == 0 {
		return verdict{holds: noBox}, true
	}
	if value.shape == textShape {
		values, ok := l.listed(list)
		if !ok || values.empty() || value.kind == literalKind {
			return verdict{}, false
		}
		q, ok := l.text(value)
		if !ok {
			return verdict{}, false
		}
		return l.amongOf(q, values), true
	}
	if !value.comparable() || list.kind != arrayKind || len(list.args) == 0 {
		return verdict{}, false
	}
	of, ok := l.sum(value)
	if !ok || len(of.terms) != 1 || of.number.Sign() != 0 || of.terms[0].times.Cmp(big.NewRat(1, 1)) != 0 {
		return verdict{}, false
	}
	var edges []edge
	for _, entry := range list.args {
		constant, ok := l.sum(entry)
		if !ok || len(constant.terms) > 0 {
			return verdict{}, false
		}
		edges = append(edges, beforeNumber(constant.number))
	}
	return l.amongOf(of.terms[0].of, points(edges)), true
}

// listed are the texts of a list that is written out.
func (l *linter) listed(list *node) (set, bool) {
	var edges []edge
	switch list.kind {
	case listKind:
		if values, ok := l.sets[list.name]; ok {
			return values, true
		}
		for _, text := range l.lists[list.name] {
			edges = append(edges, beforeText(text))
		}
		l.sets[list.name] = points(edges)
		return l.sets[list.name], true
	case arrayKind:
		for _, entry := range list.args {
			text, ok := entry.literal.(string)
			if !ok {
				return nil, false
			}
			edges = append(edges, beforeText(text))
		}
		return points(edges), true
	}
	return nil, false
}

// quantity is the one that stands for an expression. domain is asked for its
// values when it is met first.
func (l *linter) quantity(n *node, domain func() (set, *big.Rat, string)) (*quantity, bool) {
	key, depth, ok := l.key(n)
	if !ok {
		return nil, false
	}
	return l.intern(key, depth, domain), true
}

func (l *linter) intern(key string, depth int, domain func() (set, *big.Rat, string)) *quantity {
	if q, known := l.quantities[key]; known {
		return q
	}
	q := &quantity{key: key, depth: depth}
	q.domain, q.step, q.words = domain()
	l.quantities[key] = q
	return q
}

// key writes an expression so that equal ones are written alike, whatever their
// loop variables are called, and counts the loops around whose variables it
// refers to. It reports false for one that is long.
func (l *linter) key(n *node) (string, int, bool) {
	k := &keyWriter{}
	for _, loop := range l.loops {
		k.variables = append(k.variables, loop.variable)
	}
	k.outside = len(k.variables)
	k.write(n)
	l.spend(1 + k.text.Len()/16)
	return k.text.String(), k.depth, k.text.Len() <= maxLintedTexts
}

type keyWriter struct {
	text      strings.Builder
	variables []string
	outside   int // of them, the loops around the expression
	depth     int
}

func (k *keyWriter) write(n *node) {
	if n == nil || k.text.Len() > maxLintedTexts {
		return
	}
	switch n.kind {
	case literalKind:
		if number, ok := exact(n.literal); ok && n.shape != dateShape {
			k.text.WriteString(number.RatString())
		} else {
			k.text.WriteString(literalText(n.literal))
		}
		return
	case listKind:
		k.text.WriteString(nameLists + "." + n.name)
		return
	case variableKind:
		at := slices.Index(k.variables, n.name)
		if at < k.outside {
			k.depth = max(k.depth, at+1)
		}
		k.text.WriteString("$" + strconv.Itoa(at) + ":" + n.origin)
		return
	}
	k.text.WriteString(n.name + "(")
	for i, arg := range n.args {
		if n.kind == loopKind && i == 1 {
			k.variables = append(k.variables, n.variable)
		}
		k.write(arg)
		k.text.WriteByte(',')
	}
	k.text.WriteByte(')')
	if n.kind == loopKind {
		k.variables = k.variables[:len(k.variables)-1]
	}
}
