package author

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// What examples try. Input: the outcomes of the examples. Output: hints about rules
// and thresholds that no example tries.

// maxCoverageWork bounds the values looked at to find which thresholds the
// examples try.
const maxCoverageWork = 1_000_000

// hints are advice about what the examples leave untried: without examples one
// piece, else each rule that none makes true and each threshold that none stands on.
func hints(ctx context.Context, p *requirement.Program, rs requirement.RuleSet, decided []bool) []requirement.Problem {
	rules, c := p.CompiledRules(), p.Tried()
	conditional := slices.ContainsFunc(rules, func(r requirement.CompiledRule) bool { return r.Condition != nil && !r.Condition.Tree.Constant() })
	switch {
	case !conditional:
		return nil
	case len(rs.Examples) == 0:
		return []requirement.Problem{{Path: "examples", Severity: requirement.SeverityHint, Message: "there are none: write applications with the documents that must come out, so that publishing tries the rules"}}
	}
	var found []requirement.Problem
	for i, r := range rules {
		if r.Condition != nil && !c.Required[i] && !decided[i] {
			found = append(found, requirement.Problem{Path: r.Path, Severity: requirement.SeverityHint, Message: fmt.Sprintf("no example requires %s: add one that does", r.DocumentTypeCode)})
		}
	}
	for _, t := range thresholds(ctx, p, rs.Lists) {
		if !t.at && t.reachable() {
			found = append(found, requirement.Problem{Path: t.path, Line: t.line, Column: t.column, Severity: requirement.SeverityHint, Message: fmt.Sprintf("no example has %s, where %s changes: add one", t.exactly(), rulefile.Clip(t.node.Text()))})
		}
	}
	return found
}

// Untried is what the examples leave untried, in the order of the rules: rules
// that no example makes true or false, and thresholds with no example on one of
// their sides.
func Untried(ctx context.Context, p *requirement.Program, rs requirement.RuleSet) []requirement.Problem {
	rules, c := p.CompiledRules(), p.Tried()
	var found []requirement.Problem
	thresholds := thresholds(ctx, p, rs.Lists)
	for i, r := range rules {
		if r.Condition == nil {
			continue
		}
		if !c.Required[i] {
			found = append(found, requirement.Problem{Path: r.Path, Message: fmt.Sprintf("%s is never true: no example requires it", r.DocumentTypeCode)})
		}
		if !c.Spared[i] {
			found = append(found, requirement.Problem{Path: r.Path, Message: fmt.Sprintf("%s is never false: every example requires it", r.DocumentTypeCode)})
		}
		when := r.Path + ".when"
		for _, t := range thresholds {
			if t.path != when || !t.reachable() {
				continue
			}
			// Of a rule that is one comparison it is said already that it never comes
			// out one way.
			said := (!c.Required[i] || !c.Spared[i]) && t.node == positive(r.Condition.Tree)
			if missing := t.missing(!said); len(missing) > 0 {
				found = append(found, requirement.Problem{Path: t.path, Line: t.line, Column: t.column, Message: fmt.Sprintf("%s: no example %s", rulefile.Clip(t.node.Text()), strings.Join(missing, ", and none "))})
			}
		}
	}
	return found
}

// threshold is a comparison of what is on record with a bound, and on which sides
// of the bound the examples stand.
type threshold struct {
	path         string // of the condition
	node         *requirement.Node
	line, column int
	difference
	below, at, above bool
}

// thresholds are those of the rules, each once for each condition, with what the
// examples try of them.
func thresholds(ctx context.Context, p *requirement.Program, lists map[string][]string) []*threshold {
	rules, c := p.CompiledRules(), p.Tried()
	l := newLinter(ctx, lists)
	budget := maxCoverageWork
	var found []*threshold
	tried := map[string]*threshold{} // by what is compared with which bound
	for _, r := range rules {
		if r.Condition == nil {
			continue
		}
		if ctx.Err() != nil {
			break
		}
		l.quantities, l.loops = map[string]*quantity{}, nil
		here := map[string]bool{}
		l.comparisons(r.Condition.Tree, func(n *requirement.Node) {
			t, ok := l.threshold(n)
			if !ok || l.left <= 0 || budget <= 0 {
				return
			}
			t.path = r.Path + ".when"
			t.line, t.column = startOf(n)
			key := t.quantity.key + " " + t.bound.RatString()
			if here[key] {
				return
			}
			here[key] = true
			if same := tried[key]; same != nil {
				t.below, t.at, t.above = same.below, same.at, same.above
			} else {
				for i := range c.Tried {
					budget -= t.try(&c.Tried[i])
				}
				if budget <= 0 {
					return
				}
				tried[key] = t
			}
			found = append(found, t)
		})
	}
	return found
}

// comparisons visits every comparison with an order.
func (l *linter) comparisons(n *requirement.Node, visit func(*requirement.Node)) {
	if n == nil {
		return
	}
	if n.Kind == requirement.CallKind && len(n.Args) == 2 && isComparable(n.Args[0]) && requirement.Mirrors[n.Name] != "" && requirement.Mirrors[n.Name] != n.Name {
		visit(n)
	}
	for i, arg := range n.Args {
		if n.Kind == requirement.LoopKind && i == 1 {
			l.loops = append(l.loops, n)
		}
		l.comparisons(arg, visit)
	}
	if n.Kind == requirement.LoopKind {
		l.loops = l.loops[:len(l.loops)-1]
	}
}

// threshold reads a comparison of facts with a bound.
func (l *linter) threshold(n *requirement.Node) (*threshold, bool) {
	d, ok := l.difference(n)
	if !ok || len(d.of.terms) == 0 || slices.ContainsFunc(d.of.terms, func(t term) bool { return t.of.fact == "" }) {
		return nil, false
	}
	return &threshold{node: n, difference: d}, true
}

// reachable reports whether an example can stand on the threshold.
func (t *threshold) reachable() bool {
	in, _ := t.quantity.among(fact.Set{fact.BeforeNumber(t.bound), fact.AfterNumber(t.bound)})
	return !in.Empty()
}

// try looks on which sides of the threshold an example stands. It returns the work
// that it took.
func (t *threshold) try(f *fact.Facts) int {
	ofPersons := slices.ContainsFunc(t.of.terms, func(of term) bool {
		_, isField := fact.FindPersonField(of.of.fact)
		return isField
	})
	persons := f.Persons
	if !ofPersons {
		persons = []fact.PersonFacts{{}}
	}
	for i := range persons {
		total, ok := new(big.Rat).Set(t.of.number), true
		for _, part := range t.of.terms {
			value, known := fact.Exact(factValue(part.of.fact, f, &persons[i]))
			if !known {
				ok = false
				break
			}
			total.Add(total, value.Mul(value, part.times))
		}
		if ok {
			t.below = t.below || total.Sign() < 0
			t.at = t.at || total.Sign() == 0
			t.above = t.above || total.Sign() > 0
		}
	}
	return len(persons) * len(t.of.terms)
}

// countOfList names how many elements a list has that is a fact, as a threshold may
// be about it.
func countOfList(fact string) string { return "size(" + fact + ")" }

// countedList is the list whose elements a name made by countOfList counts.
func countedList(name string) (fact string, ok bool) {
	name, ok = strings.CutPrefix(name, "size(")
	return strings.TrimSuffix(name, ")"), ok
}

// factValue is what is on file of a fact, a field of a person, or a count.
func factValue(name string, f *fact.Facts, person *fact.PersonFacts) any {
	if list, ok := countedList(name); ok {
		if list == fact.NamePersons {
			return rational.Int(int64(len(f.Persons)))
		}
		return rational.Int(int64(len(*fact.Lookup(list).Texts(f))))
	}
	if row, ok := fact.Find(name); ok {
		return row.Value(f)
	}
	if field, ok := fact.FindPersonField(name); ok && person != nil {
		return field.ValueOf(person)
	}
	return nil
}

// exactly says what an example on the threshold has.
func (t *threshold) exactly() string {
	if len(t.of.terms) > 1 {
		return "both sides equal"
	}
	name := t.of.terms[0].of.fact
	list, counted := countedList(name)
	switch {
	case counted && list == fact.NamePersons:
		return "exactly " + decimalText(t.bound) + " persons on record"
	case counted:
		return "exactly " + decimalText(t.bound) + " " + fact.Lookup(list).List.Many + " on record"
	case fact.Lookup(name).Shape == fact.DateShape:
		return name + " exactly " + dayText(t.bound)
	}
	return name + " exactly " + decimalText(t.bound)
}

// missing is what no example has of those that show where the threshold lies: one
// that stands on it, and, if sides are asked for, one on the side to which it does
// not belong.
func (t *threshold) missing(sides bool) []string {
	var missing []string
	if !t.at {
		missing = append(missing, "has "+t.exactly())
	}
	other, truth := t.above, t.operator == operators.Greater
	if t.operator == operators.GreaterEquals || t.operator == operators.Less {
		other, truth = t.below, t.operator == operators.Less
	}
	if sides && !other {
		missing = append(missing, fmt.Sprintf("makes it %v", truth))
	}
	return missing
}

// positive is what remains of a condition without the ! before it.
func positive(n *requirement.Node) *requirement.Node {
	for n.Kind == requirement.CallKind && n.Name == operators.LogicalNot {
		n = n.Args[0]
	}
	return n
}

// decimalText is a number as a person would write it, or as a fraction where it has
// no end.
func decimalText(r *big.Rat) string {
	if decimals, finite := r.FloatPrec(); finite {
		return r.FloatString(decimals)
	}
	return r.RatString()
}

func dayText(days *big.Rat) string {
	const day = 24 * 60 * 60
	return fact.DateOf(time.Unix(days.Num().Int64()*day, 0).UTC()).String()
}
