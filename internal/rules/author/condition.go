package author

import (
	"context"
	"math/big"
	"slices"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// Conditions, one fact at a time. Input: the tree of a condition. Output: the parts that
// always come out alike, and those that change nothing.

// maxWork bounds the search of one rule set, in parts looked at and values tried. Beyond
// it nothing more is found.
const maxWork = 500_000

// linter looks at the conditions of one rule set or pricing model.
type linter struct {
	ctx   context.Context // after whose end nothing more is found
	lists map[string][]string
	bound map[string]*requirement.TextList // the lists as conditions read them
	today fact.Date
	left  int                        // work that may still be done
	sets  map[string]map[string]bool // of the lists
	seen  map[listUse]bool           // lists that have been held against a fact, and whether an entry cannot be on record

	codes  []codeUse // that the conditions name
	ranges []codeRange

	never, always string // what it means that a whole condition is never or always true
}

func newLinter(ctx context.Context, lists map[string][]string, today fact.Date) *linter {
	return &linter{
		ctx: ctx, lists: lists, bound: requirement.ListsOf(lists), today: today, left: maxWork, sets: map[string]map[string]bool{}, seen: map[listUse]bool{},
		never: "so the document is never required", always: "so the document is always required: leave when out if you mean that",
	}
}

// condition is what is known of one condition.
//
// It is evaluated for each fact that it compares more than once: for each of a few values
// that stand for all, with every other comparison taken to be true or false. A part that
// is then never true is never true. So it misses what follows from several facts
// together, and is never wrong.
type condition struct {
	*linter
	path string
	tree *requirement.Node

	tests      map[*requirement.Node]*test
	quantities map[string][]*quantity // by key
	order      []*quantity
	scopes     []scope
	loops      []*requirement.Node // around the part at hand, outermost first

	known map[*requirement.Node]verdict // of the parts that come out alike whatever the facts are
	// idle are parts that change nothing, and how each comes out where it is looked at.
	idle map[*requirement.Node]bool

	found  []requirement.Problem
	about  []*requirement.Node // the part that each problem is about; nil for some
	valued map[*requirement.Node]bool
}

// verdict is how a part always comes out, and the pass that found it.
type verdict struct {
	truth bool
	by    *pass
}

// scope is a condition of its own: the whole, or a part of a loop.
type scope struct {
	within *requirement.Node // the loop
	root   *requirement.Node
}

// condition looks at one. What it finds has no path where it is about the condition.
func (l *linter) condition(path string, of *requirement.Condition) *condition {
	c := &condition{
		linter: l, path: path, tree: of.Tree, tests: map[*requirement.Node]*test{}, quantities: map[string][]*quantity{},
		known: map[*requirement.Node]verdict{}, idle: map[*requirement.Node]bool{}, valued: map[*requirement.Node]bool{},
	}
	if of.Tree.Constant() {
		if always, err := of.Holds(l.ctx, requirement.Bind(fact.Facts{}, l.bound, of.Cost)); err == nil {
			c.report(of.Tree, "refers to no fact, so it is always "+rulefile.Pick(always, "true", "false"))
		}
	}
	c.read(of.Tree)
	c.unusedVariables()
	if of.Tree.Constant() {
		c.known[of.Tree] = verdict{}
		return c
	}
	c.scopes = append(c.scopes, scope{nil, of.Tree})
	before := len(c.found)
	for _, s := range c.scopes {
		if c.left > 0 && !requirement.Ended(c.ctx) {
			c.decide(s)
		}
	}
	c.explain(of.Tree)
	c.otherCodes(of.Tree, true)
	c.conclude()
	if c.left <= 0 {
		c.found, c.about = c.found[:before], c.about[:before]
		clear(c.known)
		clear(c.idle)
	}
	return c
}

// read finds the tests, the scopes and the values of a part.
func (c *condition) read(n *requirement.Node) {
	if n == nil {
		return
	}
	c.left--
	switch {
	case n.Kind == requirement.LoopKind:
		c.read(n.List())
		c.loops = append(c.loops, n)
		for _, part := range n.Args[1:] {
			if c.read(part); part != nil {
				c.scopes = append(c.scopes, scope{n, part})
			}
		}
		c.loops = c.loops[:len(c.loops)-1]
		return
	case joins(n):
		if comparesConditions(n) && alike(n.Args[0], n.Args[1]) {
			c.tests[n] = decided(n.Name == operators.Equals)
		}
	case n.Shape == fact.BoolShape && n.Kind != requirement.LiteralKind:
		c.unrecorded(n)
		if c.left > 0 {
			c.tests[n] = c.test(n)
		}
	}
	for _, arg := range n.Args {
		c.read(arg)
	}
}

// joins reports whether n is a condition that is made of conditions.
func joins(n *requirement.Node) bool {
	return n.Kind == requirement.CallKind && (slices.Contains([]string{operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional}, n.Name) || comparesConditions(n)) && n.Shape == fact.BoolShape
}

func comparesConditions(n *requirement.Node) bool {
	return n.Kind == requirement.CallKind && (n.Name == operators.Equals || n.Name == operators.NotEquals) && n.Args[0].Shape == fact.BoolShape
}

func isCall(n *requirement.Node, names ...string) bool {
	return n.Kind == requirement.CallKind && slices.Contains(names, n.Name)
}

// joinedParts are the parts that n and the same operator below it join.
func joinedParts(n *requirement.Node) (parts []*requirement.Node) {
	for _, arg := range n.Args {
		if isCall(arg, n.Name) {
			parts = append(parts, joinedParts(arg)...)
		} else {
			parts = append(parts, arg)
		}
	}
	return parts
}

// decide looks at a scope for each of its quantities.
func (c *condition) decide(s scope) {
	for _, q := range c.order {
		if q.within != s.within || c.left <= 0 {
			continue
		}
		p := c.pass(q)
		for _, n := range q.tests {
			p.sides(n)
		}
		if len(q.tests) > 1 {
			p.whole(s.root)
			p.look(s.root, p.all)
		}
	}
	c.pass(nil).whole(s.root)
}

// pass is one evaluation of a condition, for all values of one quantity at once.
type pass struct {
	*condition
	of     *quantity // nil for none
	points []value
	all    *big.Int // the points, each as a bit
	memo   map[*requirement.Node]sides
}

// sides are the points for which a part can be true, and those for which it can be false.
type sides struct{ yes, no *big.Int }

var none = new(big.Int)

func (c *condition) pass(q *quantity) *pass {
	p := &pass{condition: c, of: q, points: make([]value, 1), memo: map[*requirement.Node]sides{}}
	if q != nil {
		c.left -= len(q.constants)
		p.points = q.points()
	}
	one := big.NewInt(1)
	p.all = new(big.Int).Sub(new(big.Int).Lsh(one, uint(len(p.points))), one)
	return p
}

// whole finds the sides of a condition, and of the parts of it.
func (p *pass) whole(n *requirement.Node) {
	if n.Shape == fact.BoolShape {
		p.sides(n)
	}
}

func both(a, b *big.Int) *big.Int   { return new(big.Int).And(a, b) }
func either(a, b *big.Int) *big.Int { return new(big.Int).Or(a, b) }

// always are the sides of what always comes out alike.
func (p *pass) always(truth bool) sides {
	if truth {
		return sides{p.all, none}
	}
	return sides{none, p.all}
}

// sides finds those of a condition, and remembers a part that comes out alike for all points.
func (p *pass) sides(n *requirement.Node) sides {
	if s, ok := p.memo[n]; ok {
		return s
	}
	if p.left -= 1 + len(p.points)/64; p.left <= 0 {
		return sides{p.all, p.all}
	}
	if known, ok := p.known[n]; ok {
		return p.always(known.truth)
	}
	s := p.find(n)
	p.memo[n] = s
	if s.yes.Sign() == 0 || s.no.Sign() == 0 {
		p.known[n] = verdict{s.no.Sign() == 0, p}
	}
	return s
}

func (p *pass) find(n *requirement.Node) sides {
	switch test := p.tests[n]; {
	case n.Kind == requirement.LiteralKind:
		return p.always(n.Literal == true)
	case test != nil && test.of == nil:
		return p.always(test.holds(value{}))
	case test != nil && test.of != p.of:
		return sides{p.all, p.all}
	case test != nil:
		return p.try(test)
	case n.Kind == requirement.LoopKind:
		return p.loop(n)
	}
	a := p.sides(n.Args[0])
	switch n.Name {
	case operators.LogicalNot:
		return sides{a.no, a.yes}
	case operators.LogicalAnd, operators.LogicalOr:
		return p.join(n, joinedParts(n))
	case operators.Conditional:
		yes, no := p.sides(n.Args[1]), p.sides(n.Args[2])
		return sides{either(both(a.yes, yes.yes), both(a.no, no.yes)), either(both(a.yes, yes.no), both(a.no, no.no))}
	}
	b := p.sides(n.Args[1])
	s := sides{either(both(a.yes, b.yes), both(a.no, b.no)), either(both(a.yes, b.no), both(a.no, b.yes))}
	if n.Name == operators.NotEquals {
		s.yes, s.no = s.no, s.yes
	}
	return s
}

// try finds the sides of a comparison with constants.
func (p *pass) try(t *test) sides {
	s := sides{new(big.Int), none}
	for i, v := range p.points {
		if p.left--; t.holds(v) {
			s.yes.SetBit(s.yes, i, 1)
		}
	}
	s.no = new(big.Int).AndNot(p.all, s.yes)
	return s
}

func (p *pass) join(n *requirement.Node, parts []*requirement.Node) sides {
	s := p.always(n.Name == operators.LogicalAnd)
	for _, part := range parts {
		if of := p.sides(part); n.Name == operators.LogicalAnd {
			s = sides{both(s.yes, of.yes), either(s.no, of.no)}
		} else {
			s = sides{either(s.yes, of.yes), both(s.no, of.no)}
		}
	}
	return s
}

// loop is about exists, all and exists_one. Of an empty list exists is false and all is true,
// whatever the test.
func (p *pass) loop(n *requirement.Node) sides {
	least, most, _ := p.length(n.List())
	if most == 0 || !slices.Contains([]string{operators.Exists, operators.All, operators.ExistsOne}, n.Name) {
		return sides{p.all, p.all}
	}
	s := p.sides(n.Test())
	if n.Name == operators.All && least == 0 {
		s.yes = p.all
	}
	if n.Name == operators.Exists && least == 0 || n.Name == operators.ExistsOne {
		s.no = p.all
	}
	return s
}

// look finds the parts that change nothing: among the points for which it matters how they
// come out, they come out alike.
func (p *pass) look(n *requirement.Node, matters *big.Int) {
	if n == nil || p.left <= 0 || matters.Sign() == 0 || p.isIdle(n) || p.alwaysAlike(n) {
		return
	}
	p.left--
	if n.Shape == fact.BoolShape && n.Kind != requirement.LiteralKind {
		s := p.sides(n)
		if always := both(matters, s.no).Sign() == 0; always || both(matters, s.yes).Sign() == 0 {
			p.idle[n] = always
			p.report(n, neverOrAlways(always)+whereLookedAt)
			return
		}
	}
	switch {
	case isCall(n, operators.LogicalAnd, operators.LogicalOr):
		p.lookAtParts(n, joinedParts(n), matters)
	case isCall(n, operators.Conditional):
		test := p.sides(n.Args[0])
		for i, side := range []*big.Int{test.yes, test.no} {
			reached := both(matters, side)
			if reached.Sign() == 0 && !p.alwaysAlike(n.Args[0]) {
				p.idle[n.Args[0]], p.idle[n.Args[i+1]] = i == 1, false
				p.report(n.Args[0], neverOrAlways(i == 1)+" where it is looked at, so "+rulefile.Clip(n.Args[i+1].Text())+" is never reached")
				continue
			}
			p.look(n.Args[i+1], reached)
		}
		p.look(n.Args[0], matters)
	default:
		for _, arg := range n.Args {
			p.look(arg, matters)
		}
	}
}

// lookAtParts finds the parts of && that are true whenever the others are, and those of ||
// that are true only where another is. What one makes superfluous does not make another so.
func (p *pass) lookAtParts(n *requirement.Node, parts []*requirement.Node, matters *big.Int) {
	and := n.Name == operators.LogicalAnd
	open := func(part *requirement.Node) *big.Int { // where it leaves the result to the others
		if p.isIdle(part) {
			return p.all
		}
		if s := p.sides(part); and {
			return s.yes
		}
		return p.sides(part).no
	}
	closed := func(part *requirement.Node) *big.Int { // where it decides
		if and {
			return p.sides(part).no
		}
		return p.sides(part).yes
	}
	before := p.before(parts, matters, open)
	after := p.all
	for i, part := range slices.Backward(parts) {
		if !p.alwaysAlike(part) && !p.isIdle(part) && !p.valued[part] && both(both(before[i], after), closed(part)).Sign() == 0 {
			p.idle[part] = and
			p.superfluous(n, part, matters, func(other *requirement.Node) bool {
				return !p.isIdle(other) && both(open(other), closed(part)).Sign() == 0
			})
		}
		after = both(after, open(part))
	}
	// What a part leaves open matters to those after it, so that no two make each other idle.
	for i, matters := range p.before(parts, matters, open) {
		p.look(parts[i], matters)
	}
}

// before is what the parts before each leave open to it.
func (p *pass) before(parts []*requirement.Node, matters *big.Int, open func(*requirement.Node) *big.Int) []*big.Int {
	left := []*big.Int{matters}
	for _, part := range parts[:len(parts)-1] {
		left = append(left, both(left[len(left)-1], open(part)))
	}
	return left
}

func (c *condition) isIdle(n *requirement.Node) bool {
	_, idle := c.idle[n]
	return idle
}

// alwaysAlike reports whether a part comes out alike whatever the facts are.
func (c *condition) alwaysAlike(n *requirement.Node) bool {
	_, known := c.known[n]
	return known
}
