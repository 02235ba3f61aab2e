package requirement

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
)

// Conditions that come out alike for all facts. Input: the tree of a condition.
// Output: a warning for each part that is always or never true.

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
	left  int                 // work that may still be done
	sets  map[string]fact.Set // of the lists, as texts

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
		ctx: ctx, lists: lists, left: maxLintWork, sets: map[string]fact.Set{},
		never: "so the document is never required", always: "so the document is always required: leave when out if you mean that",
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
	if ended(l.ctx) {
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
// those that were said. Of one without a message the position decides.
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
		parts = joinedParts(n, nil)
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
		return verdict{holds: box{none: !isTrue(n)}, fails: box{none: isTrue(n)}}
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
		if n.args[0].shape == fact.BoolShape {
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

func isTrue(n *node) bool { return n.literal == true }

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
		if arg.shape == fact.BoolShape && arg.kind != literalKind {
			l.part(arg)
		} else {
			l.within(arg)
		}
	}
}

// unknown is a condition that is true or false, and the same wherever it occurs.
func (l *linter) unknown(n *node) verdict {
	q, ok := l.quantity(n, func() (fact.Set, *big.Rat, string) {
		return fact.Between(fact.BeforeNumber(new(big.Rat)), fact.AfterNumber(big.NewRat(1, 1))), big.NewRat(1, 1), ""
	})
	if !ok {
		return verdict{}
	}
	one := fact.BeforeNumber(big.NewRat(1, 1))
	in, out := q.among(fact.Set{one, fact.Highest})
	return verdict{boxOf(q, in), boxOf(q, out)}
}

func (l *linter) junction(n *node) verdict {
	parts := joinedParts(n, nil)
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

// joinedParts are the parts that n and the same operator below it join.
func joinedParts(n *node, parts []*node) []*node {
	for _, arg := range n.args {
		if arg.kind == callKind && arg.name == n.name {
			parts = joinedParts(arg, parts)
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
		l.report(n, "has the same result whether its condition is true or false")
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
	in, _ := q.among(fact.Set{fact.Lowest, fact.AfterNumber(new(big.Rat))})
	return boxOf(q, in)
}

// length are the fewest and the most elements that a list can have; most is nil
// where it is not known.
func (l *linter) length(list *node) (least, most *big.Rat) {
	of := func(n int) *big.Rat { return big.NewRat(int64(n), 1) }
	switch list.kind {
	case factKind:
		if list.name == fact.NamePersons {
			return of(0), of(fact.MaxPersons)
		}
		return of(1), of(fact.Lookup(list.name).List.Most)
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
	q := l.intern("size("+key+")", depth, func() (fact.Set, *big.Rat, string) {
		least, most := l.length(list)
		domain := fact.Set{fact.BeforeNumber(least), fact.Highest}
		if most != nil {
			domain[1] = fact.AfterNumber(most)
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
		if list.test() != nil && list.list().kind == factKind && list.list().name != fact.NamePersons {
			of := fact.Lookup(list.list().name).List
			return fmt.Sprintf("a business has at most %d %s on record", of.Most, of.Many)
		}
		list = list.list()
	}
	switch {
	case list.kind == factKind && list.name == fact.NamePersons:
		return fmt.Sprintf("a business has at most %d persons on record", fact.MaxPersons)
	case list.kind == factKind:
		of := fact.Lookup(list.name).List
		return fmt.Sprintf("a business has 1 to %d %s on record, and the service asks for one if there is none", of.Most, of.Many)
	}
	return ""
}
