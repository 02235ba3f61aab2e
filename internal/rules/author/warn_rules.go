package author

import (
	"context"
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

// This file warns of rules that look alike, and of gaps and overlaps between rules.

// alikeRules finds rules with the same name, and rules that hold for the same applications: two of
// documents, or two of findings. An example that expects both says that this is intended.
func alikeRules(ctx context.Context, rules []requirement.CompiledRule, examples []requirement.Example) []requirement.Problem {
	expected := make([]map[string]bool, len(examples)) // the expected documents and findings of each
	for i, example := range examples {
		expected[i] = map[string]bool{}
		for _, document := range slices.Concat(example.Expect.Documents, example.Expect.Includes) {
			expected[i]["documents "+document.DocumentTypeCode] = true
		}
		for _, f := range example.Expect.Findings {
			expected[i]["findings "+f.FindingCode] = true
		}
	}
	type condition struct {
		text     string
		ofPerson bool
		list     string // documents or findings
	}
	byCondition, byName := map[condition]*requirement.CompiledRule{}, map[string]*requirement.CompiledRule{}
	var found []requirement.Problem
	for i := range rules {
		if ctx.Err() != nil || len(found) >= rulefile.MaxProblems {
			break
		}
		r := &rules[i]
		list, says := "documents", ""
		if f := r.Finding; f != nil {
			list, says = "findings", string(f.Kind)+" "+plainText(f.Message)
		} else {
			says = plainText(r.Document.RequirementText) + "\n" + string(fact.CanonicalJSON(r.Document.AnyOf))
		}
		texts := list + "\n" + r.EntityType + "\n" + plainText(r.Name) + "\n" + says
		same := byName[texts]
		if same == nil {
			byName[texts] = r
		}
		var before *requirement.CompiledRule
		if r.Condition != nil && !r.Condition.Tree.Constant() {
			of := condition{canonical(r.Condition.Tree), r.EntityType == fact.EntityPerson, list}
			if before = byCondition[of]; before == nil {
				byCondition[of] = r
			}
		}
		switch {
		case before != nil && plainText(r.Name) == plainText(before.Name):
			found = append(found, requirement.Problem{
				Path: r.Path,
				Message: fmt.Sprintf(
					"%s asks for the same as %s (%s), under the same condition: keep one of the two",
					r.Code(), before.Path, before.Code()),
			})
		case same != nil:
			found = append(found, requirement.Problem{
				Path: r.Path,
				Message: fmt.Sprintf(
					"%s has the name and the text of %s (%s): keep one of the two, or say how they differ",
					r.Code(), same.Path, same.Code()),
			})
		case before != nil && !slices.ContainsFunc(expected, func(codes map[string]bool) bool { return codes[list+" "+r.Code()] && codes[list+" "+before.Code()] }):
			together := rulefile.Pick(r.Finding != nil, "both are always found together", "both documents are always asked for together")
			found = append(found, requirement.Problem{
				Path:     r.Path + ".when",
				Severity: requirement.SeverityHint,
				Message: fmt.Sprintf(
					"is the condition of %s (%s) too: if it was copied, change it; if %s, add an example that expects both",
					before.Path, before.Code(), together),
			})
		}
	}
	return found
}

// plainText is a text without the differences that do not matter.
func plainText(text string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(text, func(c rune) bool { return !requirement.NameCharacter(c) }), " "))
}

// alike reports whether two expressions are written alike, except for the names of loop variables
// and the order of the parts of && and ||.
func alike(a, b *requirement.Node) bool { return canonical(a) == canonical(b) }

// canonical is the same for expressions that are alike.
func canonical(n *requirement.Node) string { return canonicalBut(n, nil) }

// canonicalBut is canonical without some parts.
func canonicalBut(n *requirement.Node, without []*requirement.Node) string {
	switch {
	case n == nil:
		return ""
	case slices.Contains(without, n):
		return "…"
	case n.Kind == requirement.VariableKind:
		return fmt.Sprintf("$%d:%s", n.Slot, n.Origin.Name)
	case n.Kind == requirement.ListKind:
		return fact.NameLists + "." + n.Name
	case n.Kind == requirement.DefinitionKind:
		return "definitions." + n.Name
	case n.Kind == requirement.LiteralKind:
		if number, ok := fact.Exact(n.Literal); ok && n.Shape != fact.DateShape {
			return number.RatString()
		}
		return requirement.LiteralText(n.Literal)
	}
	args := n.Args
	if isCall(n, operators.LogicalAnd, operators.LogicalOr) {
		args = joinedParts(n)
	}
	parts := make([]string, len(args))
	for i, arg := range args {
		parts[i] = canonicalBut(arg, without)
	}
	if isCall(n,
		operators.LogicalAnd, operators.LogicalOr,
		operators.Equals, operators.NotEquals,
		operators.Add, operators.Multiply) &&
		n.Shape != fact.TextShape {
		slices.Sort(parts)
	}
	if isCall(n, operators.LogicalAnd, operators.LogicalOr) {
		parts = slices.Compact(parts)
	}
	return n.Name + "(" + strings.Join(parts, ",") + ")"
}

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
