package author

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// This file warns of gaps and overlaps between rules.

// band is the range of numbers for which parts of a condition hold that compare one fact and
// nothing else.
type band struct {
	*condition
	at          *requirement.Node // the first of the parts
	rest        string            // what the condition says besides
	of          *quantity
	first, last *big.Rat
	open        int // how many of its ends are open
}

// beyond is larger than any stored number.
var beyond = new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 100))

// bands returns the bands of the condition: of the whole, if it compares one fact only, or of parts
// that are joined with others.
func (c *condition) bands() (found []band) {
	root := c.tree
	for root.Kind == requirement.DefinitionKind {
		root = root.Body
	}
	add := func(of *quantity, or bool, parts ...*requirement.Node) {
		if b, ok := c.band(of, or, parts); ok {
			b.rest = canonicalBut(root, parts)
			c.left -= len(b.rest) / 16
			found = append(found, b)
		}
	}
	var visit func(n *requirement.Node)
	visit = func(n *requirement.Node) {
		if c.left <= 0 {
			return
		}
		of := c.comparedAlone(n)
		switch {
		case of != nil:
			add(of, false, n)
		case n.Kind == requirement.LoopKind && (n.Name == operators.Exists || n.Name == operators.All):
			visit(n.Test())
		case isCall(n, operators.Conditional):
			visit(n.Args[1])
			visit(n.Args[2])
		case isCall(n, operators.LogicalAnd, operators.LogicalOr):
			var facts []*quantity
			byFact := map[*quantity][]*requirement.Node{}
			for _, part := range joinedParts(n) {
				of := c.comparedAlone(part)
				if of == nil {
					visit(part)
					continue
				}
				if byFact[of] == nil {
					facts = append(facts, of)
				}
				byFact[of] = append(byFact[of], part)
			}
			for _, of := range facts {
				add(of, n.Name == operators.LogicalOr, byFact[of]...)
			}
		}
	}
	if !c.isKnown(c.tree) {
		visit(root)
	}
	return found
}

// comparedAlone returns the number that a part compares with constants, if it compares nothing else.
func (c *condition) comparedAlone(n *requirement.Node) (of *quantity) {
	alone := true
	n.WalkAll(func(part *requirement.Node) {
		c.left--
		t := c.tests[part]
		if t == nil || part.Kind == requirement.DefinitionKind {
			return
		}
		alone = alone && t.of != nil && (of == nil || of == t.of) && t.of.domain != nil && t.of.name() != ""
		of = t.of
	})
	if !alone {
		return nil
	}
	return of
}

// name names the quantity for a reader. It is empty for one that has no bands.
func (q *quantity) name() string {
	if q.fact == "" && q.node.CountsTime() {
		return q.node.Text()
	}
	return q.fact
}

// band is the range for which parts hold that are joined with && or, with or, with ||.
func (c *condition) band(of *quantity, or bool, parts []*requirement.Node) (band, bool) {
	p := c.pass(of)
	holds := p.sides(parts[0]).yes
	for _, part := range parts {
		if yes := p.sides(part).yes; or {
			holds = either(holds, yes)
		} else {
			holds = both(holds, yes)
		}
	}
	if c.left <= 0 || holds.Sign() == 0 || holds.Cmp(p.all) == 0 {
		return band{}, false
	}
	b := band{condition: c, at: parts[0], of: of}
	var one bool
	b.first, b.last, b.open, one = p.rangeOf(holds)
	return b, one
}

// rangeOf returns the ends of some points of a number, how many of them are open, and whether the
// points are one range.
func (p *pass) rangeOf(points *big.Int) (first, last *big.Rat, open int, one bool) {
	from, to := int(points.TrailingZeroBits()), points.BitLen()
	first, last = p.points[from].number, beyond
	if from == 0 {
		first, open = new(big.Rat).Neg(beyond), 1
	}
	if to == len(p.points) {
		open++
	} else {
		last = p.of.beside(p.points[to].number, -1)
	}
	oneRange := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(to)), new(big.Int).Lsh(big.NewInt(1), uint(from)))
	return first, last, open, points.Cmp(oneRange) == 0
}

// bands warns of gaps and overlaps between rules that differ only in the range of one fact. values
// are the values of the examples. A value within a gap or an overlap says that it is intended.
func bands(conditions []*condition, values func(*quantity) []*big.Rat) (found []requirement.Problem) {
	groups := map[string][]band{}
	for _, c := range conditions {
		if c == nil {
			continue
		}
		for _, b := range c.bands() {
			key := b.rest + "\n" + b.of.key
			groups[key] = append(groups[key], b)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		group := groups[key]
		slices.SortStableFunc(group, func(a, b band) int { return a.first.Cmp(b.first) })
		tried := values(group[0].of)
		beside := gaps(group, tried)
		if len(beside) == 0 {
			beside = overlaps(group, tried)
		}
		for _, p := range beside {
			if len(found) < rulefile.MaxProblems {
				found = append(found, p)
			}
		}
	}
	return found
}

// follows reports whether a band of a group ends where b begins.
func (b band) follows(group []band) bool {
	end := b.of.beside(b.first, -1)
	return slices.ContainsFunc(group, func(a band) bool { return a.last.Cmp(end) == 0 })
}

// followed reports whether a band of a group begins where b ends.
func (b band) followed(group []band) bool {
	begin := b.of.beside(b.last, 1)
	return slices.ContainsFunc(group, func(a band) bool { return a.first.Cmp(begin) == 0 })
}

// gaps finds the gaps after the bands of a group. Bands that follow each other form one scheme, so a
// gap in it counts although another rule holds there. Without that, two half open bands may be
// unrelated: only a single number between them counts.
func gaps(group []band, tried []*big.Rat) (found []requirement.Problem) {
	reported := map[string]bool{}
	for _, a := range group {
		from := a.of.beside(a.last, 1)
		next := slices.IndexFunc(group, func(b band) bool { return b.first.Cmp(a.last) >= 0 && a.first.Cmp(b.first) != 0 })
		if a.last == beyond || next < 0 || reported[a.last.RatString()] {
			continue
		}
		b := group[next]
		to := b.of.beside(b.first, -1)
		if b.first.Cmp(from) <= 0 || b.follows(group) {
			continue
		}
		single := from.Cmp(to) == 0
		scheme := a.follows(group) || b.followed(group)
		covered := slices.ContainsFunc(group, func(c band) bool { return c.first.Cmp(from) <= 0 && c.last.Cmp(to) >= 0 })
		if single || scheme || !covered && a.open+b.open < 2 {
			reported[a.last.RatString()] = true
			found = append(found, b.beside(a, from, to, tried, single || scheme, "close the gap, or add an example in it if you mean it")...)
		}
	}
	return found
}

// overlaps finds where a band holds beside the one before that extends furthest. In layers of rules
// that is intended: only a single number counts there.
func overlaps(group []band, tried []*big.Rat) (found []requirement.Problem) {
	top := group[0]
	for _, b := range group[1:] {
		if b.last.Cmp(top.last) <= 0 {
			continue
		}
		single := top.last.Cmp(b.first) == 0
		layers := top.open+b.open == 2 || top.followed(group) || b.follows(group) || b.rest != "…"
		if top.last.Cmp(b.first) >= 0 && top.first.Cmp(b.first) != 0 && (single || !layers) {
			found = append(found, b.beside(top, b.first, top.last, tried, single, "let one begin where the other ends, or add an example there if you mean it")...)
		}
		top = b
	}
	return found
}

// beside says what holds from one number to another, between a band and one before it. An example
// there says that it is intended.
func (b band) beside(a band, from, to *big.Rat, tried []*big.Rat, likely bool, cure string) []requirement.Problem {
	if between(tried, from, to) {
		return nil
	}
	what := b.of.name() + " exactly " + b.of.show(from)
	if from.Cmp(to) != 0 {
		what = b.of.name() + " from " + b.of.show(from) + " to " + b.of.show(to)
	}
	says := "neither this nor %s holds for %s: %s"
	if a.last.Cmp(from) >= 0 {
		says = "both this and %s hold for %s: %s"
	}
	if b.of.fact == "" { // examples are not compared with what is counted
		cure, _, _ = strings.Cut(cure, ", or")
	}
	p := b.problem(b.at, fmt.Sprintf(says, a.path, what, cure))
	p.Severity = requirement.SeverityHint
	if likely {
		p.Severity = requirement.SeverityWarning
	}
	return []requirement.Problem{p}
}

// between reports whether one of the sorted numbers lies in a range.
func between(sorted []*big.Rat, from, to *big.Rat) bool {
	at, _ := slices.BinarySearchFunc(sorted, from, (*big.Rat).Cmp)
	return at < len(sorted) && sorted[at].Cmp(to) <= 0
}

// show writes a number or a date as a person would.
func (q *quantity) show(v *big.Rat) string {
	if q.row.Shape == fact.DateShape {
		return dateOf(v).String()
	}
	if decimals, finite := v.FloatPrec(); finite {
		return v.FloatString(decimals)
	}
	return v.RatString()
}

// dateOf is the date that a number of days stands for.
func dateOf(days *big.Rat) fact.Date {
	return fact.DateOf(time.Unix(0, 0).UTC().AddDate(0, 0, int(days.Num().Int64())))
}
