package author

import (
	"cmp"
	"context"
	"math/big"
	"slices"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// This file analyzes conditions, one fact at a time, for parts that always have the same value.

// maxWork limits the search of one rule set, in parts visited and values tried. Beyond the limit
// nothing more is found.
const maxWork = 500_000

// linter analyzes the conditions of one rule set or pricing model.
type linter struct {
	ctx   context.Context // nothing more is found after it has ended
	lists map[string][]string
	bound map[string]*requirement.TextList // the lists as conditions read them
	today fact.Date
	left  int              // work that may still be done
	seen  map[listUse]bool // lists that were compared with a fact, and whether an entry cannot be in a record

	codes     []codeUse           // in the conditions
	written   []codes             // lists in the conditions
	outside   []outsideUse        // loops in the conditions
	lookedFor map[string]bool     // lists in which conditions look for what is there
	mentions  map[string]*mention // of declared facts with choices

	never, always string // what it means that a whole condition is never or always true
}

func newLinter(ctx context.Context, lists map[string][]string, today fact.Date) *linter {
	return &linter{
		ctx: ctx, lists: lists, bound: requirement.ListsOf(lists), today: today, left: maxWork,
		seen: map[listUse]bool{}, lookedFor: map[string]bool{}, mentions: map[string]*mention{},
		never: "so the document is never required", always: "so the document is always required: leave when out if you mean that",
	}
}

// condition is what the linter knows about one condition.
//
// The linter evaluates the condition for one quantity after the other, for a few values that
// represent all others. It assumes that every other comparison may be true or false. If a part is
// then never true, it is never true. Last it tries each case of || for the whole condition. So the
// linter misses much that depends on several facts together, but its findings are never wrong. It looks
// through definitions, and reports what it finds within one at the definition.
type condition struct {
	*linter
	path string
	tree *requirement.Node

	tests      map[*requirement.Node]*test
	quantities []*quantity
	loops      []*requirement.Node // around the current part, outermost first
	defining   int                 // how many definitions are around the current part

	known  map[*requirement.Node]bool // the value of the parts that have one value for all facts
	passes map[*quantity]*pass

	found  []requirement.Problem
	about  []*requirement.Node        // the part of each problem; some are nil
	valued map[*requirement.Node]bool // parts with a value that has a warning
	denied map[*requirement.Node]bool // parts behind !
}

// condition analyzes a condition with a path in its file.
func (l *linter) condition(path string, of *requirement.Condition) *condition {
	c := &condition{
		linter: l, path: path, tree: of.Tree, tests: map[*requirement.Node]*test{}, passes: map[*quantity]*pass{},
		known: map[*requirement.Node]bool{}, valued: map[*requirement.Node]bool{}, denied: map[*requirement.Node]bool{},
	}
	of.Tree.Walk(func(n *requirement.Node) {
		if isCall(n, operators.LogicalNot) {
			c.denied[n.Args[0]] = true
		}
	})
	c.read(of.Tree)
	c.loopMistakes()
	c.span(of.Tree)
	if of.Tree.Constant() {
		if always, err := of.Holds(l.ctx, requirement.Bind(fact.BuiltIn, fact.Facts{}, l.bound, of.Cost)); err == nil {
			c.add(nil, of.Tree, "refers to no fact, so it is always "+rulefile.Pick(always, "true", "false"))
		}
		c.known[of.Tree] = false
		return c
	}
	c.decide()
	c.explain(of.Tree)
	c.conclude()
	return c
}

// read collects the comparisons and the values of a part.
func (c *condition) read(n *requirement.Node) {
	if n == nil {
		return
	}
	c.left--
	switch {
	case n.Kind == requirement.DefinitionKind:
		c.tests[n] = c.test(n)
		c.defining++
		c.read(n.Body)
		c.defining--
		return
	case n.Kind == requirement.LoopKind:
		c.read(n.List())
		c.noteLoop(n)
		c.loops = append(c.loops, n)
		for _, part := range n.Args[1:] {
			c.read(part)
		}
		c.loops = c.loops[:len(c.loops)-1]
		return
	case n.Shape == fact.TextShape && n.Kind == requirement.CallKind:
		c.noteJoined(n)
	case n.Shape != fact.BoolShape, n.Kind == requirement.LiteralKind:
	case isCall(n, operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional):
	case n.Kind == requirement.CallKind && n.Args[0].Shape == fact.BoolShape && n.IsComparison() && n.Name != operators.In:
		if alike(n.Args[0], n.Args[1]) {
			c.tests[n] = fixed(n.Name == operators.Equals)
		}
	default:
		if c.defining == 0 { // the analysis of the definition reports it
			c.unrecorded(n)
			c.sumOfShares(n)
		}
		if c.left > 0 {
			c.tests[n] = c.test(n)
		}
	}
	for _, arg := range n.Args {
		c.read(arg)
	}
}

func isCall(n *requirement.Node, names ...string) bool {
	return n.Kind == requirement.CallKind && slices.Contains(names, n.Name)
}

// joinedParts returns the parts that n joins with its operator, also through nested uses of the
// same operator.
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

// decide analyzes each comparison, then the condition for each of its quantities, inner loops
// first, and last the conclusions from all of them.
func (c *condition) decide() {
	c.relateLoops()
	c.relateAges()
	slices.SortStableFunc(c.quantities, func(a, b *quantity) int { return cmp.Compare(b.depth(), a.depth()) })
	var passes []*pass
	for _, q := range c.quantities {
		if c.left <= 0 || c.ctx.Err() != nil {
			return
		}
		if q.loops != nil {
			q.values = c.listValues(q)
		}
		p := c.pass(q)
		for _, n := range q.tests {
			p.sides(n)
		}
		if len(q.tests) > 1 || q.years != nil {
			passes = append(passes, p)
		}
	}
	for _, p := range passes {
		for _, root := range p.of.roots(c.tree) {
			if root != nil && root.Shape == fact.BoolShape {
				p.sides(root)
			}
			p.visit(root, p.all)
		}
	}
	c.pass(nil).sides(c.tree)
	c.tree.Walk(func(n *requirement.Node) {
		if n.Kind == requirement.LoopKind && n.Shape == fact.BoolShape {
			c.decideByCases(n.Test())
		}
	})
	c.decideByCases(c.tree)
}

// decideByCases concludes what several facts together say of a condition.
func (c *condition) decideByCases(n *requirement.Node) {
	for _, truth := range []bool{true, false} {
		if !c.isKnown(n) && c.left > 0 && c.excluded(claim{n, truth}) {
			c.known[n] = !truth
		}
	}
}

// pass is one evaluation of a condition, for all values of one quantity at once.
type pass struct {
	*condition
	of     *quantity // nil for no quantity
	points []value
	all    *big.Int // all points, each as a bit
	memo   map[*requirement.Node]sides
}

// sides has the points for which a part can be true, and those for which it can be false.
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

func both(a, b *big.Int) *big.Int   { return new(big.Int).And(a, b) }
func either(a, b *big.Int) *big.Int { return new(big.Int).Or(a, b) }

// always is the sides of a part that always has the same value.
func (p *pass) always(truth bool) sides {
	if truth {
		return sides{p.all, none}
	}
	return sides{none, p.all}
}

// sides finds the sides of a condition, and records a part that has one value for all points.
func (p *pass) sides(n *requirement.Node) sides {
	if s, ok := p.memo[n]; ok {
		return s
	}
	if p.left -= 1 + len(p.points)/64; p.left <= 0 {
		return sides{p.all, p.all}
	}
	if truth, known := p.known[n]; known {
		return p.always(truth)
	}
	s := p.find(n)
	p.memo[n] = s
	if s.yes.Sign() == 0 || s.no.Sign() == 0 {
		p.known[n] = s.no.Sign() == 0
	}
	return s
}

func (p *pass) find(n *requirement.Node) sides {
	switch test := p.tests[n]; {
	case n.Kind == requirement.LiteralKind:
		return p.always(n.Literal == true)
	case test != nil && test.of == nil:
		return p.always(test.holds(value{}))
	case test != nil && test.of == p.of:
		return p.where(test.holds)
	case test != nil && p.of != nil && slices.Contains(p.of.years, test.of):
		return p.where(func(months value) bool { return test.holds(value{number: inYears(months.number)}) })
	case n.Kind == requirement.DefinitionKind:
		return p.sides(n.Body)
	case n.Kind == requirement.LoopKind:
		return p.loop(n)
	case test != nil:
		return sides{p.all, p.all}
	}
	a := p.sides(n.Args[0])
	if n.Name == operators.LogicalNot {
		return sides{a.no, a.yes}
	}
	b := p.sides(n.Args[1])
	switch n.Name {
	case operators.LogicalAnd:
		return sides{both(a.yes, b.yes), either(a.no, b.no)}
	case operators.LogicalOr:
		return sides{either(a.yes, b.yes), both(a.no, b.no)}
	case operators.Conditional:
		no := p.sides(n.Args[2])
		return sides{either(both(a.yes, b.yes), both(a.no, no.yes)), either(both(a.yes, b.no), both(a.no, no.no))}
	}
	s := sides{either(both(a.yes, b.yes), both(a.no, b.no)), either(both(a.yes, b.no), both(a.no, b.yes))}
	if n.Name == operators.NotEquals {
		s.yes, s.no = s.no, s.yes
	}
	return s
}

// where is the sides of a test of the points.
func (p *pass) where(holds func(value) bool) sides {
	yes := new(big.Int)
	for i, v := range p.points {
		if p.left--; holds(v) {
			yes.SetBit(yes, i, 1)
		}
	}
	return sides{yes, new(big.Int).AndNot(p.all, yes)}
}

// loop handles exists, all and exists_one. For an empty list exists is false and all is true,
// whatever the test.
func (p *pass) loop(n *requirement.Node) sides {
	least, most, _ := p.length(n.List())
	if most == 0 {
		return sides{p.all, p.all} // the warning is at the list
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

// visit finds the parts of a branch that have one value for all points that reach it, and branches
// that no point reaches.
func (p *pass) visit(n *requirement.Node, reached *big.Int) {
	if n == nil || p.left <= 0 || reached.Sign() == 0 || p.isKnown(n) {
		return
	}
	p.left--
	if n.Shape == fact.BoolShape && n.Kind != requirement.LiteralKind {
		s := p.sides(n)
		if always := both(reached, s.no).Sign() == 0; always || both(reached, s.yes).Sign() == 0 {
			p.report(n, neverOrAlways(always)+" where it is looked at: leave it out, or correct it")
			return
		}
	}
	if !isCall(n, operators.Conditional) {
		for _, arg := range n.Args {
			p.visit(arg, reached)
		}
		return
	}
	test := p.sides(n.Args[0])
	dead := false
	for i, side := range []*big.Int{test.yes, test.no} {
		branch, open := n.Args[i+1], both(reached, side)
		if open.Sign() == 0 && !p.isKnown(n.Args[0]) {
			dead = true
			p.report(n.Args[0], neverOrAlways(i == 1)+" where it is looked at, so "+rulefile.Clip(branch.Text())+" is never reached")
		}
		p.visit(branch, open)
	}
	if !dead {
		p.visit(n.Args[0], reached)
	}
}

// isKnown reports whether a part has one value for all facts.
func (c *condition) isKnown(n *requirement.Node) bool {
	_, known := c.known[n]
	return known
}
