package author

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// Rules beside each other. Input: all rules of a set. Output: warnings about rules that
// look alike, and about gaps and overlaps between them.

// alikeRules are rules with one name, and rules that require their documents of the same
// applications. That may be meant, and an example that expects both documents says so.
func alikeRules(ctx context.Context, rules []requirement.CompiledRule, examples []requirement.Example) []requirement.Problem {
	expected := make([]map[string]bool, len(examples)) // the documents of each
	for i, example := range examples {
		expected[i] = map[string]bool{}
		for _, document := range example.Expect.Documents {
			expected[i][document.DocumentTypeCode] = true
		}
	}
	type condition struct {
		text     string
		ofPerson bool
	}
	byCondition, byName := map[condition]*requirement.CompiledRule{}, map[string]*requirement.CompiledRule{}
	var found []requirement.Problem
	for i := range rules {
		if requirement.Ended(ctx) || len(found) >= rulefile.MaxProblems {
			break
		}
		r := &rules[i]
		texts := r.EntityType + "\n" + plainText(r.Name) + "\n" + plainText(r.RequirementText)
		same := byName[texts]
		if same == nil {
			byName[texts] = r
		}
		var before *requirement.CompiledRule
		if r.Condition != nil && !r.Condition.Tree.Constant() {
			of := condition{canonical(r.Condition.Tree), r.EntityType == fact.EntityPerson}
			if before = byCondition[of]; before == nil {
				byCondition[of] = r
			}
		}
		switch {
		case before != nil && plainText(r.Name) == plainText(before.Name):
			found = append(found, requirement.Problem{Path: r.Path, Message: fmt.Sprintf("%s asks for the same as %s (%s), under the same condition: keep one of the two", r.DocumentTypeCode, before.Path, before.DocumentTypeCode)})
		case same != nil:
			found = append(found, requirement.Problem{Path: r.Path, Message: fmt.Sprintf("%s has the name and the text of %s (%s): keep one of the two, or say how they differ", r.DocumentTypeCode, same.Path, same.DocumentTypeCode)})
		case before != nil && !slices.ContainsFunc(expected, func(codes map[string]bool) bool { return codes[r.DocumentTypeCode] && codes[before.DocumentTypeCode] }):
			found = append(found, requirement.Problem{Path: r.Path + ".when", Severity: requirement.SeverityHint, Message: fmt.Sprintf("is the condition of %s (%s) too: if it was copied, change it; if both documents are always asked for together, add an example that expects both", before.Path, before.DocumentTypeCode)})
		}
	}
	return found
}

// plainText is a text without what does not tell it from another.
func plainText(text string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(text, func(c rune) bool { return !requirement.NameCharacter(c) }), " "))
}

// alike reports expressions that are written alike, but for the names of loop variables
// and the order of the parts of && and ||.
func alike(a, b *requirement.Node) bool { return canonical(a) == canonical(b) }

// canonical is equal for expressions that are alike.
func canonical(n *requirement.Node) string {
	switch {
	case n == nil:
		return ""
	case n.Kind == requirement.VariableKind:
		return fmt.Sprintf("$%d:%s", n.Slot, n.Origin)
	case n.Kind == requirement.ListKind:
		return fact.NameLists + "." + n.Name
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
		parts[i] = canonical(arg)
	}
	if isCall(n, operators.LogicalAnd, operators.LogicalOr, operators.Equals, operators.NotEquals, operators.Add, operators.Multiply) {
		slices.Sort(parts)
	}
	return n.Name + "(" + strings.Join(parts, ",") + ")"
}

// band are the values of one fact for which a rule holds, when it compares nothing else
// and they are one range.
type band struct {
	of          *quantity
	first, last *big.Rat // nil where there is no end
	rule        string   // the path of its condition
	root        *requirement.Node
}

// band is that of the condition, if it has one.
func (c *condition) band() (band, bool) {
	var of *quantity
	for _, t := range c.tests {
		if t.of == nil || of != nil && t.of != of || t.of.fact == "" || t.of.isText || t.of.domain.Step == nil {
			return band{}, false
		}
		of = t.of
	}
	if of == nil || c.alwaysAlike(c.tree) || c.left <= 0 {
		return band{}, false
	}
	p := c.pass(of)
	holds := p.sides(c.tree).yes
	first, length := int(holds.TrailingZeroBits()), holds.BitLen()
	for i := first; i < length; i++ {
		if holds.Bit(i) == 0 {
			return band{}, false
		}
	}
	b := band{of: of, rule: c.path, root: c.tree}
	if first > 0 {
		b.first = p.points[first].number
	}
	if length < len(p.points) {
		b.last = of.beside(p.points[length].number, -1, nil)
	}
	return b, true
}

// bands warns of gaps and overlaps between rules that each hold for one range of a fact.
// An example within says that it is meant. Of rules with one end each only a single value
// is looked at: they may have nothing to do with each other.
func bands(conditions []*condition, values func(fact string) []*big.Rat) []requirement.Problem {
	byFact := map[string][]band{}
	var facts []string
	for _, c := range conditions {
		if c == nil {
			continue
		}
		if b, ok := c.band(); ok {
			if byFact[b.of.key] == nil {
				facts = append(facts, b.of.key)
			}
			byFact[b.of.key] = append(byFact[b.of.key], b)
		}
	}
	var found []requirement.Problem
	for _, key := range facts {
		all := byFact[key]
		slices.SortStableFunc(all, func(a, b band) int { return compareEnds(a.first, b.first, -1) })
		top := all[0] // of those before, the one that reaches furthest
		for _, b := range all[1:] {
			if p, ok := top.beside(b, values(b.of.fact)); ok && len(found) < rulefile.MaxProblems {
				found = append(found, p)
			}
			if compareEnds(b.last, top.last, 1) > 0 {
				top = b
			}
		}
	}
	return found
}

// compareEnds compares two ends of ranges, where none counts as beyond all.
func compareEnds(a, b *big.Rat, beyond int) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return beyond
	case b == nil:
		return -beyond
	}
	return a.Cmp(b)
}

// beside is about what lies between a band and the next.
func (a band) beside(b band, tried []*big.Rat) (requirement.Problem, bool) {
	if a.last == nil || b.first == nil || compareEnds(a.first, b.first, -1) == 0 || compareEnds(b.last, a.last, 1) <= 0 {
		return requirement.Problem{}, false // one is within the other
	}
	after := a.of.beside(a.last, 1, nil)
	from, to, gap := b.first, a.last, after.Cmp(b.first) < 0
	if gap {
		from, to = after, a.of.beside(b.first, -1, nil)
	}
	single := from.Cmp(to) == 0
	twoEnds := a.first != nil || b.last != nil
	if !gap && from.Cmp(to) > 0 || !single && !twoEnds || triedBetween(tried, from, to) {
		return requirement.Problem{}, false
	}
	line, column := startOf(b.root)
	p := requirement.Problem{Path: b.rule, Line: line, Column: column, Severity: requirement.SeverityHint}
	if single {
		p.Severity = requirement.SeverityWarning
	}
	what := a.of.fact + " " + rulefile.Pick(single, "exactly "+a.of.show(from), "from "+a.of.show(from)+" to "+a.of.show(to))
	if gap {
		p.Message = fmt.Sprintf("neither this nor %s holds for %s: close the gap, or add an example in it if you mean it", a.rule, what)
	} else {
		p.Message = fmt.Sprintf("both this and %s hold for %s: let one begin where the other ends, or add an example there if you mean it", a.rule, what)
	}
	return p, true
}

// triedBetween reports whether one of some values, which are sorted, lies in a range.
func triedBetween(values []*big.Rat, from, to *big.Rat) bool {
	at, _ := slices.BinarySearchFunc(values, from, (*big.Rat).Cmp)
	return at < len(values) && values[at].Cmp(to) <= 0
}

// show is a value of the quantity as a person would write it.
func (q *quantity) show(v *big.Rat) string {
	if fact.Lookup(q.fact).Shape == fact.DateShape {
		const day = 24 * 60 * 60
		return fact.DateOf(time.Unix(v.Num().Int64()*day, 0).UTC()).String()
	}
	if decimals, finite := v.FloatPrec(); finite {
		return v.FloatString(decimals)
	}
	return v.RatString()
}
