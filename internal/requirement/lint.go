package requirement

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/operators"
)

// Bounds on the search for conditions that are never or always true. Beyond
// maxLintWork, in edges of sets looked at for one rule set, nothing more is found.
const (
	maxLintWork    = 500_000
	maxLintTerms   = 8
	maxLintBits    = 2048
	maxLintedTexts = 300 // characters of a key; a longer part counts as one that may be anything
)

// linter looks for conditions, and parts of conditions, that are never or always
// true of what records can hold. For each part it finds a box around the facts
// for which the part holds and one around those for which it does not: a part
// with an empty box is decided whatever the facts are. It looks at one quantity
// at a time, so that it misses much, and is never wrong.
type linter struct {
	ctx   context.Context // beyond whose end nothing more is found
	lists map[string][]string
	left  int            // work that may still be done
	sets  map[string]set // of the lists, as texts

	never, always string // what it means that a whole condition is never or always true

	quantities map[string]*quantity // of the condition at hand
	loops      []*node              // around the part at hand, outermost first
	found      []Problem
	about      []*node            // the part that each problem is about
	others     []Problem          // said of the condition otherwise
	said       map[*node]*Problem // of them, those about a part that is decided
	known      map[*node]verdict  // of the parts that come out alike whatever the facts are
}

func newLinter(ctx context.Context, lists map[string][]string) *linter {
	return &linter{
		ctx: ctx, lists: lists, left: maxLintWork, sets: map[string]set{},
		never: "so the document is never required", always: "so the document is always required: leave when out if that is meant",
	}
}

// verdict is what is known of a part of a condition: what can be when it holds
// and when it does not. Both are exact only about single quantities.
type verdict struct{ holds, fails box }

func (v verdict) decided() bool { return v.holds.none || v.fails.none }
func (v verdict) not() verdict  { return verdict{v.fails, v.holds} }

// condition reports the parts of a condition that are never or always true, and
// whether the whole is. said is what was said of the condition otherwise; what
// follows for the document is added to the problem of the part that decides.
func (l *linter) condition(tree *node, said []Problem) (found []Problem, decided bool) {
	if tree.constant() {
		return nil, true // said already
	}
	if l.ctx.Err() != nil {
		return nil, false
	}
	l.quantities, l.loops, l.found, l.about = map[string]*quantity{}, nil, nil, nil
	l.known, l.said = map[*node]verdict{}, map[*node]*Problem{}
	l.others = said
	whole := l.part(tree)
	if l.left <= 0 {
		return nil, false
	}
	if whole.decided() {
		consequence := l.never
		if whole.fails.none {
			consequence = l.always
		}
		deciding := l.deciding(tree, whole.fails.none)
		if deciding == nil { // no part does so alone
			if most := maxConditionProblems - 1; len(l.found) > most {
				l.found, l.about = l.found[:most], l.about[:most]
			}
			l.report(tree, pick(whole.holds.none, "is never true", "is always true"))
			deciding = &l.found[len(l.found)-1]
		}
		if strings.HasSuffix(deciding.Message, "?") {
			deciding.Message += " S" + consequence[1:]
		} else {
			deciding.Message += "; " + consequence
		}
	}
	return l.found, whole.decided()
}

// saidOtherwise remembers that a part has been told of, if the problem is among
// those that were said. Of one without a message the place decides.
func (l *linter) saidOtherwise(n *node, p Problem) {
	for i, other := range l.others {
		if other.Path == "" && other.Line == p.Line && other.Column == p.Column && (p.Message == "" || p.Message == other.Message) {
			l.said[n] = &l.others[i]
			return
		}
	}
}

// deciding is what was found of the part that makes a condition come out as it
// always does, if one part alone does so.
func (l *linter) deciding(n *node, truth bool) *Problem {
	if at := slices.Index(l.about, n); at >= 0 {
		return &l.found[at]
	}
	if l.said[n] != nil {
		return l.said[n]
	}
	var parts []*node
	switch {
	case n.kind == loopKind && n.name == operators.All && truth, n.kind == loopKind && n.name == operators.Exists && !truth:
		parts = []*node{n.test()}
	case n.kind != callKind:
	case n.name == operators.LogicalNot:
		return l.deciding(n.args[0], !truth)
	case n.name == operators.LogicalAnd && !truth, n.name == operators.LogicalOr && truth:
		parts = n.joined(nil)
	}
	for _, part := range parts {
		if v := l.known[part]; truth && v.fails.none || !truth && v.holds.none {
			if found := l.deciding(part, truth); found != nil {
				return found
			}
		}
	}
	return nil
}

// spend counts work and reports whether there may be more.
func (l *linter) spend(work int) bool {
	l.left -= work
	return l.left > 0
}

// part finds what is known of a condition or a part of one.
func (l *linter) part(n *node) verdict {
	v := l.look(n)
	if v.decided() && l.known != nil {
		l.known[n] = v
	}
	return v
}

func (l *linter) look(n *node) verdict {
	if !l.spend(1) {
		return verdict{}
	}
	switch {
	case n.kind == literalKind:
		return verdict{holds: box{none: !n.truthful()}, fails: box{none: n.truthful()}}
	case n.kind == loopKind:
		return l.loop(n)
	case n.kind != callKind:
		return l.unknown(n)
	}
	switch n.name {
	case operators.LogicalAnd:
		return l.junction(n)
	case operators.LogicalOr:
		return l.junction(n)
	case operators.LogicalNot:
		return l.part(n.args[0]).not()
	case operators.Conditional:
		return l.choice(n)
	case operators.Equals, operators.NotEquals:
		if n.args[0].shape == boolShape {
			return l.same(n)
		}
	}
	for _, arg := range n.args {
		l.within(arg)
	}
	v := l.comparison(n)
	if v.decided() {
		l.decidedComparison(n, v)
	}
	return v
}

func (n *node) truthful() bool { return n.literal == true }

// within looks at the conditions inside a value, such as the test of a filter.
func (l *linter) within(n *node) {
	if n == nil {
		return
	}
	if n.kind == loopKind {
		l.within(n.list())
		l.loops = append(l.loops, n)
		defer func() { l.loops = l.loops[:len(l.loops)-1] }()
		if n.test() != nil {
			l.part(n.test())
		}
		if len(n.args) > 2 {
			l.within(n.result())
		}
		return
	}
	for _, arg := range n.args {
		if arg.shape == boolShape && arg.kind != literalKind {
			l.part(arg)
		} else {
			l.within(arg)
		}
	}
}

// unknown is a condition that is true or false, and the same wherever it occurs.
func (l *linter) unknown(n *node) verdict {
	q, ok := l.quantity(n, func() (set, *big.Rat, string) {
		return between(beforeNumber(new(big.Rat)), afterNumber(big.NewRat(1, 1))), big.NewRat(1, 1), ""
	})
	if !ok {
		return verdict{}
	}
	one := beforeNumber(big.NewRat(1, 1))
	in, out := q.among(set{one, highest})
	return verdict{boxOf(q, in), boxOf(q, out)}
}

func (l *linter) junction(n *node) verdict {
	parts := n.joined(nil)
	holds, fails := make([]box, len(parts)), make([]box, len(parts))
	and := n.name == operators.LogicalAnd
	explained := false
	for i, part := range parts {
		before := len(l.found)
		v := l.part(part)
		holds[i], fails[i] = v.holds, v.fails
		if and && v.fails.none && part.isComparison() && !part.constant() {
			// Writing a range out in full, as in 25 <= x && x <= 100, is no mistake.
			l.found, l.about = l.found[:before], l.about[:before]
			continue
		}
		explained = explained || v.decided() && part.kind != literalKind
	}
	v := verdict{l.fold(holds, and), l.fold(fails, !and)}
	if v.decided() && !explained {
		l.decidedJunction(n, v, parts, holds, fails)
	}
	return v
}

// joined are the parts that n and the same operator below it join.
func (n *node) joined(parts []*node) []*node {
	for _, arg := range n.args {
		if arg.kind == callKind && arg.name == n.name {
			parts = arg.joined(parts)
		} else {
			parts = append(parts, arg)
		}
	}
	return parts
}

// fold joins boxes two by two, so that none is gone through often.
func (l *linter) fold(boxes []box, and bool) box {
	if len(boxes) == 1 {
		return boxes[0]
	}
	a, b := l.fold(boxes[:len(boxes)/2], and), l.fold(boxes[len(boxes)/2:], and)
	return l.join(a, b, and)
}

func (l *linter) join(a, b box, and bool) box {
	if !l.spend(a.size() + b.size()) {
		return box{}
	}
	if and {
		return a.and(b)
	}
	return a.or(b)
}

func (l *linter) choice(n *node) verdict {
	test, yes, no := l.part(n.args[0]), l.part(n.args[1]), l.part(n.args[2])
	if l.alike(n.args[1], n.args[2]) {
		l.report(n, "comes out the same whether its condition holds or not")
		return yes
	}
	return verdict{
		l.join(l.join(test.holds, yes.holds, true), l.join(test.fails, no.holds, true), false),
		l.join(l.join(test.holds, yes.fails, true), l.join(test.fails, no.fails, true), false),
	}
}

// alike reports expressions that are written alike, but for the names of loop
// variables.
func (l *linter) alike(a, b *node) bool {
	one, _, ok := l.key(a)
	if !ok {
		return false
	}
	other, _, ok := l.key(b)
	return ok && one == other
}

// same is whether two conditions come out alike.
func (l *linter) same(n *node) verdict {
	a, b := l.part(n.args[0]), l.part(n.args[1])
	if l.alike(n.args[0], n.args[1]) {
		v := verdict{fails: noBox}
		if n.name == operators.NotEquals {
			v = v.not()
		}
		l.decidedComparison(n, v)
		return v
	}
	v := verdict{
		l.join(l.join(a.holds, b.holds, true), l.join(a.fails, b.fails, true), false),
		l.join(l.join(a.holds, b.fails, true), l.join(a.fails, b.holds, true), false),
	}
	if n.name == operators.NotEquals {
		return v.not()
	}
	return v
}

func (l *linter) loop(n *node) verdict {
	l.within(n.list())
	depth := len(l.loops)
	l.loops = append(l.loops, n)
	test := l.part(n.test())
	l.loops = l.loops[:depth]
	whole := l.unknown(n)
	if _, most := l.length(n.list()); most != nil && most.Sign() == 0 {
		return whole // an empty list is warned of where it stands
	}
	// Of an empty list exists is false and all is true, whatever the test.
	empty := l.emptiness(n.list())
	inside := verdict{test.holds.outside(depth), test.fails.outside(depth)}
	switch n.name {
	case operators.Exists:
		whole.holds = l.join(whole.holds, inside.holds, true)
		whole.fails = l.join(whole.fails, l.join(inside.fails, empty, false), true)
	case operators.All:
		whole.holds = l.join(whole.holds, l.join(inside.holds, empty, false), true)
		whole.fails = l.join(whole.fails, inside.fails, true)
	case operators.ExistsOne:
		whole.holds = l.join(whole.holds, inside.holds, true)
	}
	if whole.decided() && n.test().kind == literalKind {
		l.report(n, pick(whole.holds.none, "is never true", "is always true"))
	}
	return whole
}

// emptiness is what can be when a list has no elements.
func (l *linter) emptiness(list *node) box {
	least, _ := l.length(list)
	if least.Sign() > 0 {
		return noBox
	}
	q, ok := l.count(list)
	if !ok {
		return box{}
	}
	in, _ := q.among(set{lowest, afterNumber(new(big.Rat))})
	return boxOf(q, in)
}

// length are the fewest and the most elements that a list can have; most is nil
// where it is not known.
func (l *linter) length(list *node) (least, most *big.Rat) {
	of := func(n int) *big.Rat { return big.NewRat(int64(n), 1) }
	switch list.kind {
	case factKind:
		if list.name == namePersons {
			return of(0), of(MaxPersons)
		}
		return of(1), of(lookup(list.name).list.most)
	case arrayKind:
		return of(len(list.args)), of(len(list.args))
	case listKind:
		return of(len(l.lists[list.name])), of(len(l.lists[list.name]))
	case loopKind:
		least, most = l.length(list.list())
		if list.test() != nil {
			least = of(0)
		}
		return least, most
	}
	return of(0), nil
}

// count is how many elements a list has, as a quantity.
func (l *linter) count(list *node) (*quantity, bool) {
	key, depth, ok := l.key(list)
	if !ok {
		return nil, false
	}
	q := l.intern("size("+key+")", depth, func() (set, *big.Rat, string) {
		least, most := l.length(list)
		domain := set{beforeNumber(least), highest}
		if most != nil {
			domain[1] = afterNumber(most)
		}
		return domain, big.NewRat(1, 1), countWords(list)
	})
	if list.kind == factKind {
		q.fact = countOfList(list.name)
	}
	return q, true
}

func countWords(list *node) string {
	for list.kind == loopKind {
		if list.test() != nil && list.list().kind == factKind && list.list().name != namePersons {
			of := lookup(list.list().name).list
			return fmt.Sprintf("a business has at most %d %s on record", of.most, of.many)
		}
		list = list.list()
	}
	switch {
	case list.kind == factKind && list.name == namePersons:
		return fmt.Sprintf("a business has at most %d persons on record", MaxPersons)
	case list.kind == factKind:
		of := lookup(list.name).list
		return fmt.Sprintf("a business has 1 to %d %s on record, and is asked for one while it has none", of.most, of.many)
	}
	return ""
}

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

// report adds a warning about a part, placed where the part begins.
func (l *linter) report(n *node, message string) {
	if l.left <= 0 || len(l.found) >= maxConditionProblems {
		return
	}
	line, column := n.beginning()
	l.add(n, Problem{Message: clip(n.text()) + " " + message, Line: line, Column: column})
}

func (l *linter) add(n *node, p Problem) {
	l.found, l.about = append(l.found, p), append(l.about, n)
}

// beginning is where the text of n begins.
func (n *node) beginning() (line, column int) {
	n.walk(func(part *node) {
		at := part.column
		if part.kind == fieldKind && part.args[0].line == 0 {
			at = max(1, at-len(part.args[0].name)-1) // a field is placed behind its point
		}
		if part.line > 0 && (line == 0 || part.line < line || part.line == line && at < column) {
			line, column = part.line, at
		}
	})
	return line, column
}

// decidedComparison reports a comparison that always comes out alike, unless it is
// warned of for a value that no record can hold.
func (l *linter) decidedComparison(n *node, v verdict) {
	impossible := &valueWarnings{lists: l.lists, loops: l.loops}
	impossible.visit(n)
	if len(impossible.found) > 0 {
		l.saidOtherwise(n, impossible.found[len(impossible.found)-1])
		return
	}
	why := ""
	for _, arg := range n.args {
		if fact := l.wordsOf(arg); fact != "" {
			why = ": " + fact
		}
	}
	switch {
	case n.name == operators.In && n.args[1].kind == arrayKind && len(n.args[1].args) == 0:
		why = ": the list is empty"
	case n.constant():
		why = ", for it refers to no fact"
	case len(n.args) == 2 && l.alike(n.args[0], n.args[1]):
		why = ", for it compares something with itself"
	}
	l.report(n, pick(v.holds.none, "is never true", "is always true")+why)
}

// wordsOf say which values the quantity that n rests on can have.
func (l *linter) wordsOf(n *node) string {
	words := ""
	if n.comparable() {
		if s, ok := l.sum(n); ok {
			for _, t := range s.terms {
				words = t.of.words
			}
		}
	} else if n.shape == textShape && n.kind != literalKind {
		if q, ok := l.text(n); ok {
			words = q.words
		}
	}
	return words
}

// decidedJunction reports a junction of which no part is decided by itself.
func (l *linter) decidedJunction(n *node, v verdict, parts []*node, holds, fails []box) {
	if all := pick(v.holds.none, operators.LogicalOr, operators.LogicalAnd); n.name == all && v.holds.none != v.fails.none {
		l.report(n, pick(v.holds.none, "is never true", "is always true")) // for each of its parts is
		return
	}
	if n.name == operators.LogicalAnd && valuesOfOne(parts, operators.Equals) != "" ||
		n.name == operators.LogicalOr && valuesOfOne(parts, operators.NotEquals) != "" {
		l.saidOtherwise(n, Problem{Line: n.line, Column: n.column})
		return
	}
	if slices.ContainsFunc(parts, func(part *node) bool { return part.kind == literalKind }) {
		l.report(n, pick(n.name == operators.LogicalAnd, "is never true: one of its parts is false", "is always true: one of its parts is true"))
		return
	}
	boxes := holds
	if n.name == operators.LogicalOr {
		boxes = fails
	}
	// The box around the parts before it is empty together with the last of those
	// that decide, and mostly with one of them alone.
	var before box
	last := slices.IndexFunc(boxes, func(b box) bool {
		before = l.join(before, b, true)
		return before.none
	})
	if last < 0 {
		l.report(n, pick(n.name == operators.LogicalAnd, "is never true", "is always true"))
		return
	}
	first := slices.IndexFunc(boxes[:last], func(b box) bool { return l.join(b, boxes[last], true).none })
	if l.left <= 0 || len(l.found) >= maxConditionProblems {
		return
	}
	line, column := n.beginning()
	message := "the parts of " + clip(n.text())
	if first >= 0 {
		line, column = parts[first].beginning()
		message = clip(parts[first].text()) + " and " + clip(parts[last].text())
	}
	if n.name == operators.LogicalAnd {
		message += " are never true together" + reversed(parts, first, last)
	} else {
		message = "of " + message + " one is always true: write && where both must hold"
	}
	l.add(n, Problem{Message: message, Line: line, Column: column})
}

// reversed says what to do about two parts that contradict each other.
func reversed(parts []*node, first, last int) string {
	if first >= 0 {
		_, low, isLow := parts[first].textBound(true)
		_, high, isHigh := parts[last].textBound(false)
		if !isLow || !isHigh {
			_, low, isLow = parts[last].textBound(true)
			_, high, isHigh = parts[first].textBound(false)
		}
		if isLow && isHigh && low > high {
			return fmt.Sprintf(": the range begins after its end; write from %q to %q", high, low)
		}
	}
	return ": write || where one of them is enough"
}

// textBound is the bound that n sets to a text, from below or from above.
func (n *node) textBound(below bool) (of *node, bound string, ok bool) {
	if !n.isComparison() || len(n.args) != 2 || n.args[0].shape != textShape || n.args[1].shape != textShape {
		return nil, "", false
	}
	of, other, operator := n.args[0], n.args[1], n.name
	if of.kind == literalKind {
		of, other, operator = other, of, mirrored(operator)
	}
	bound, ok = other.literal.(string)
	if below {
		return of, bound, ok && (operator == operators.Greater || operator == operators.GreaterEquals)
	}
	return of, bound, ok && (operator == operators.Less || operator == operators.LessEquals)
}
