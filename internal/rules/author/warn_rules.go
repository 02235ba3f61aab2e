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
func canonical(n *requirement.Node) string {
	switch {
	case n == nil:
		return ""
	case n.Kind == requirement.VariableKind:
		return fmt.Sprintf("$%d:%s", n.Slot, n.Origin.Name)
	case n.Kind == requirement.ListKind:
		return fact.NameLists + "." + n.Name
	case n.Kind == requirement.DefinitionKind:
		of := ""
		for _, person := range n.Args {
			of = canonical(person) + "."
		}
		return of + "definitions." + n.Name
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
	if isCall(n,
		operators.LogicalAnd, operators.LogicalOr,
		operators.Equals, operators.NotEquals,
		operators.Add, operators.Multiply) &&
		n.Shape != fact.TextShape {
		slices.Sort(parts)
	}
	return n.Name + "(" + strings.Join(parts, ",") + ")"
}

// band is the range of numbers for which a rule holds, if it compares one fact with constants and
// the numbers form one range.
type band struct {
	*condition
	of          *quantity
	first, last *big.Rat
	open        int // how many of its ends are open
}

// beyond is larger than any stored number.
var beyond = new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 100))

// band is the band of the condition, if it has one.
func (c *condition) band() (band, bool) {
	var of *quantity
	for _, t := range c.tests {
		if t.of == nil || of != nil && t.of != of || t.of.fact == "" || t.of.domain == nil {
			return band{}, false
		}
		of = t.of
	}
	if of == nil || c.isKnown(c.tree) || c.left <= 0 {
		return band{}, false
	}
	p := c.pass(of)
	holds := p.sides(c.tree).yes
	from, to := int(holds.TrailingZeroBits()), holds.BitLen()
	b := band{c, of, p.points[from].number, beyond, 0}
	if from == 0 {
		b.first, b.open = new(big.Rat).Neg(beyond), 1
	}
	if to == len(p.points) {
		b.open++
	} else {
		b.last = of.beside(p.points[to].number, -1)
	}
	oneRange := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(to)), new(big.Int).Lsh(big.NewInt(1), uint(from)))
	return b, holds.Cmp(oneRange) == 0
}

// bands warns of gaps and overlaps between rules that each hold for one range of a fact. values are
// the values of the examples. A value within a gap or an overlap says that it is intended.
func bands(conditions []*condition, values func(*quantity) []*big.Rat) (found []requirement.Problem) {
	byFact := map[string][]band{}
	for _, c := range conditions {
		if c == nil {
			continue
		}
		if b, ok := c.band(); ok {
			byFact[b.of.key] = append(byFact[b.of.key], b)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(byFact)) {
		all := byFact[key]
		slices.SortStableFunc(all, func(a, b band) int { return a.first.Cmp(b.first) })
		top := all[0] // the one before with the highest end
		for _, b := range all[1:] {
			if b.last.Cmp(top.last) <= 0 {
				continue
			}
			if p, ok := top.beside(b, values(b.of)); ok && len(found) < rulefile.MaxProblems {
				found = append(found, p)
			}
			top = b
		}
	}
	return found
}

// beside is about what lies between a band and the next, which extends further. If both are half
// open, it reports only a single number: the rules may be unrelated.
func (a band) beside(b band, tried []*big.Rat) (requirement.Problem, bool) {
	from, to := b.first, a.last
	says := "both this and %s hold for %s: let one begin where the other ends, or add an example there if you mean it"
	if after := a.of.beside(a.last, 1); after.Cmp(b.first) < 0 {
		from, to = after, a.of.beside(b.first, -1)
		says = "neither this nor %s holds for %s: close the gap, or add an example in it if you mean it"
	}
	single := from.Cmp(to) == 0
	if from.Cmp(to) > 0 || a.first.Cmp(b.first) == 0 || !single && a.open+b.open == 2 || between(tried, from, to) {
		return requirement.Problem{}, false
	}
	what, severity := a.of.fact+" exactly "+a.of.show(from), requirement.SeverityWarning
	if !single {
		what, severity = a.of.fact+" from "+a.of.show(from)+" to "+a.of.show(to), requirement.SeverityHint
	}
	p := b.problem(b.tree, fmt.Sprintf(says, a.path, what))
	p.Severity = severity
	return p, true
}

// between reports whether one of the sorted numbers lies in a range.
func between(sorted []*big.Rat, from, to *big.Rat) bool {
	at, _ := slices.BinarySearchFunc(sorted, from, (*big.Rat).Cmp)
	return at < len(sorted) && sorted[at].Cmp(to) <= 0
}

// show writes a number or a date as a person would.
func (q *quantity) show(v *big.Rat) string {
	if q.row.Shape == fact.DateShape {
		return fact.DateOf(time.Unix(0, 0).UTC().AddDate(0, 0, int(v.Num().Int64()))).String()
	}
	if decimals, finite := v.FloatPrec(); finite {
		return v.FloatString(decimals)
	}
	return v.RatString()
}
