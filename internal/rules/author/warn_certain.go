package author

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
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
	loops      []*requirement.Node  // around the part at hand, outermost first
	found      []requirement.Problem
	about      []*requirement.Node                        // the part that each problem is about
	others     []requirement.Problem                      // said of the condition otherwise
	said       map[*requirement.Node]*requirement.Problem // of them, those about a part that is decided
	known      map[*requirement.Node]verdict              // of the parts that come out alike whatever the facts are
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
func (l *linter) condition(tree *requirement.Node, said []requirement.Problem) (found []requirement.Problem, decided bool) {
	if tree.Constant() {
		return nil, true // said already
	}
	if l.ctx.Err() != nil {
		return nil, false
	}
	l.quantities, l.loops, l.found, l.about = map[string]*quantity{}, nil, nil, nil
	l.known, l.said = map[*requirement.Node]verdict{}, map[*requirement.Node]*requirement.Problem{}
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
			if most := requirement.MaxConditionProblems - 1; len(l.found) > most {
				l.found, l.about = l.found[:most], l.about[:most]
			}
			l.report(tree, rulefile.Pick(whole.holds.none, "is never true", "is always true"))
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
func (l *linter) saidOtherwise(n *requirement.Node, p requirement.Problem) {
	for i, other := range l.others {
		if other.Path == "" && other.Line == p.Line && other.Column == p.Column && (p.Message == "" || p.Message == other.Message) {
			l.said[n] = &l.others[i]
			return
		}
	}
}

// deciding is what was found of the part that makes a condition come out as it
// always does, if one part alone does so.
func (l *linter) deciding(n *requirement.Node, truth bool) *requirement.Problem {
	if at := slices.Index(l.about, n); at >= 0 {
		return &l.found[at]
	}
	if l.said[n] != nil {
		return l.said[n]
	}
	var parts []*requirement.Node
	switch {
	case n.Kind == requirement.LoopKind && n.Name == operators.All && truth, n.Kind == requirement.LoopKind && n.Name == operators.Exists && !truth:
		parts = []*requirement.Node{n.Test()}
	case n.Kind != requirement.CallKind:
	case n.Name == operators.LogicalNot:
		return l.deciding(n.Args[0], !truth)
	case n.Name == operators.LogicalAnd && !truth, n.Name == operators.LogicalOr && truth:
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
func (l *linter) part(n *requirement.Node) verdict {
	v := l.look(n)
	if v.decided() && l.known != nil {
		l.known[n] = v
	}
	return v
}

func (l *linter) look(n *requirement.Node) verdict {
	if !l.spend(1) {
		return verdict{}
	}
	switch {
	case n.Kind == requirement.LiteralKind:
		return verdict{holds: box{none: !isTrue(n)}, fails: box{none: isTrue(n)}}
	case n.Kind == requirement.LoopKind:
		return l.loop(n)
	case n.Kind != requirement.CallKind:
		return l.unknown(n)
	}
	switch n.Name {
	case operators.LogicalAnd:
		return l.junction(n)
	case operators.LogicalOr:
		return l.junction(n)
	case operators.LogicalNot:
		return l.part(n.Args[0]).not()
	case operators.Conditional:
		return l.choice(n)
	case operators.Equals, operators.NotEquals:
		if n.Args[0].Shape == fact.BoolShape {
			return l.same(n)
		}
	}
	for _, arg := range n.Args {
		l.within(arg)
	}
	v := l.comparison(n)
	if v.decided() {
		l.decidedComparison(n, v)
	}
	return v
}

func isTrue(n *requirement.Node) bool { return n.Literal == true }

// within looks at the conditions inside a value, such as the test of a filter.
func (l *linter) within(n *requirement.Node) {
	if n == nil {
		return
	}
	if n.Kind == requirement.LoopKind {
		l.within(n.List())
		l.loops = append(l.loops, n)
		defer func() { l.loops = l.loops[:len(l.loops)-1] }()
		if n.Test() != nil {
			l.part(n.Test())
		}
		if len(n.Args) > 2 {
			l.within(n.Result())
		}
		return
	}
	for _, arg := range n.Args {
		if arg.Shape == fact.BoolShape && arg.Kind != requirement.LiteralKind {
			l.part(arg)
		} else {
			l.within(arg)
		}
	}
}

// unknown is a condition that is true or false, and the same wherever it occurs.
func (l *linter) unknown(n *requirement.Node) verdict {
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

func (l *linter) junction(n *requirement.Node) verdict {
	parts := joinedParts(n, nil)
	holds, fails := make([]box, len(parts)), make([]box, len(parts))
	and := n.Name == operators.LogicalAnd
	explained := false
	for i, part := range parts {
		before := len(l.found)
		v := l.part(part)
		holds[i], fails[i] = v.holds, v.fails
		if and && v.fails.none && part.IsComparison() && !part.Constant() {
			// Writing a range out in full, as in 25 <= x && x <= 100, is no mistake.
			l.found, l.about = l.found[:before], l.about[:before]
			continue
		}
		explained = explained || v.decided() && part.Kind != requirement.LiteralKind
	}
	v := verdict{l.fold(holds, and), l.fold(fails, !and)}
	if v.decided() && !explained {
		l.decidedJunction(n, v, parts, holds, fails)
	}
	return v
}

// joinedParts are the parts that n and the same operator below it join.
func joinedParts(n *requirement.Node, parts []*requirement.Node) []*requirement.Node {
	for _, arg := range n.Args {
		if arg.Kind == requirement.CallKind && arg.Name == n.Name {
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

func (l *linter) choice(n *requirement.Node) verdict {
	test, yes, no := l.part(n.Args[0]), l.part(n.Args[1]), l.part(n.Args[2])
	if l.alike(n.Args[1], n.Args[2]) {
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
func (l *linter) alike(a, b *requirement.Node) bool {
	one, _, ok := l.key(a)
	if !ok {
		return false
	}
	other, _, ok := l.key(b)
	return ok && one == other
}

// same is whether two conditions come out alike.
func (l *linter) same(n *requirement.Node) verdict {
	a, b := l.part(n.Args[0]), l.part(n.Args[1])
	if l.alike(n.Args[0], n.Args[1]) {
		v := verdict{fails: noBox}
		if n.Name == operators.NotEquals {
			v = v.not()
		}
		l.decidedComparison(n, v)
		return v
	}
	v := verdict{
		l.join(l.join(a.holds, b.holds, true), l.join(a.fails, b.fails, true), false),
		l.join(l.join(a.holds, b.fails, true), l.join(a.fails, b.holds, true), false),
	}
	if n.Name == operators.NotEquals {
		return v.not()
	}
	return v
}

func (l *linter) loop(n *requirement.Node) verdict {
	l.within(n.List())
	depth := len(l.loops)
	l.loops = append(l.loops, n)
	test := l.part(n.Test())
	l.loops = l.loops[:depth]
	whole := l.unknown(n)
	if _, most := l.length(n.List()); most != nil && most.Sign() == 0 {
		return whole // an empty list is warned of where it stands
	}
	// Of an empty list exists is false and all is true, whatever the test.
	empty := l.emptiness(n.List())
	inside := verdict{test.holds.outside(depth), test.fails.outside(depth)}
	switch n.Name {
	case operators.Exists:
		whole.holds = l.join(whole.holds, inside.holds, true)
		whole.fails = l.join(whole.fails, l.join(inside.fails, empty, false), true)
	case operators.All:
		whole.holds = l.join(whole.holds, l.join(inside.holds, empty, false), true)
		whole.fails = l.join(whole.fails, inside.fails, true)
	case operators.ExistsOne:
		whole.holds = l.join(whole.holds, inside.holds, true)
	}
	if whole.decided() && n.Test().Kind == requirement.LiteralKind {
		l.report(n, rulefile.Pick(whole.holds.none, "is never true", "is always true"))
	}
	return whole
}

// emptiness is what can be when a list has no elements.
func (l *linter) emptiness(list *requirement.Node) box {
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
func (l *linter) length(list *requirement.Node) (least, most *big.Rat) {
	of := func(n int) *big.Rat { return big.NewRat(int64(n), 1) }
	switch list.Kind {
	case requirement.FactKind:
		if list.Name == fact.NamePersons {
			return of(0), of(fact.MaxPersons)
		}
		return of(1), of(fact.Lookup(list.Name).List.Most)
	case requirement.ArrayKind:
		return of(len(list.Args)), of(len(list.Args))
	case requirement.ListKind:
		return of(len(l.lists[list.Name])), of(len(l.lists[list.Name]))
	case requirement.LoopKind:
		least, most = l.length(list.List())
		if list.Test() != nil {
			least = of(0)
		}
		return least, most
	}
	return of(0), nil
}

// count is how many elements a list has, as a quantity.
func (l *linter) count(list *requirement.Node) (*quantity, bool) {
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
	if list.Kind == requirement.FactKind {
		q.fact = countOfList(list.Name)
	}
	return q, true
}

func countWords(list *requirement.Node) string {
	for list.Kind == requirement.LoopKind {
		if list.Test() != nil && list.List().Kind == requirement.FactKind && list.List().Name != fact.NamePersons {
			of := fact.Lookup(list.List().Name).List
			return fmt.Sprintf("a business has at most %d %s on record", of.Most, of.Many)
		}
		list = list.List()
	}
	switch {
	case list.Kind == requirement.FactKind && list.Name == fact.NamePersons:
		return fmt.Sprintf("a business has at most %d persons on record", fact.MaxPersons)
	case list.Kind == requirement.FactKind:
		of := fact.Lookup(list.Name).List
		return fmt.Sprintf("a business has 1 to %d %s on record, and the service asks for one if there is none", of.Most, of.Many)
	}
	return ""
}
