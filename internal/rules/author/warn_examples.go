package author

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// What examples try. Input: the conditions, and the facts of the examples. Output: rules and
// thresholds that no example tries.

// coverage is what the examples of a rule set try.
type coverage struct {
	*requirement.Coverage
	values map[string][]*big.Rat // of each fact, sorted
}

func coverageOf(p *requirement.Program) *coverage {
	return &coverage{p.Tried(), map[string][]*big.Rat{}}
}

// of are the values that the examples have of a fact, a field of a person or a count.
func (c *coverage) of(name string) []*big.Rat {
	if values, ok := c.values[name]; ok || c.Coverage == nil {
		return values
	}
	var values []*big.Rat
	add := func(v any) {
		if number, ok := fact.Exact(v); ok {
			values = append(values, number)
		}
	}
	for i := range c.Tried {
		f := &c.Tried[i]
		if list, counted := countedList(name); counted {
			values = append(values, whole(countOf(list, f)))
		} else if field, ok := fact.FindPersonField(name); ok {
			for j := range f.Persons {
				add(field.ValueOf(&f.Persons[j]))
			}
		} else if row, ok := fact.Find(name); ok {
			add(row.Value(f))
		}
	}
	slices.SortFunc(values, (*big.Rat).Cmp)
	c.values[name] = values
	return values
}

// countedList is the list whose elements a quantity counts.
func countedList(name string) (list string, ok bool) {
	name, ok = strings.CutPrefix(name, "size(")
	return strings.TrimSuffix(name, ")"), ok
}

func countOf(list string, f *fact.Facts) int {
	if list == fact.NamePersons {
		return len(f.Persons)
	}
	return len(*fact.Lookup(list).Texts(f))
}

// threshold is a comparison of a fact with a bound, and on which sides of the bound the
// examples stand.
type threshold struct {
	*test
	node             *requirement.Node
	path             string // of the condition
	line, column     int
	below, at, above bool
}

// thresholds are those of a condition that can matter, each once, with what the examples try
// of them: not those of parts that change nothing, nor bounds that no record can hold.
func (c *condition) thresholds(tried *coverage) (found []threshold) {
	seen := map[string]bool{}
	var visit func(n *requirement.Node)
	visit = func(n *requirement.Node) {
		if n == nil || c.alwaysAlike(n) || c.isIdle(n) {
			return
		}
		if t := c.tests[n]; t != nil && t.of != nil && t.of.fact != "" && t.bound != nil && t.operator != operators.Equals && t.operator != operators.NotEquals && t.of.domain.Holds(t.bound) {
			if key := t.of.key + " " + t.bound.RatString(); !seen[key] {
				seen[key] = true
				values := tried.of(t.of.fact)
				at, _ := slices.BinarySearchFunc(values, t.bound, (*big.Rat).Cmp)
				line, column := startOf(n)
				found = append(found, threshold{t, n, c.path, line, column, at > 0, triedBetween(values, t.bound, t.bound), len(values) > 0 && values[len(values)-1].Cmp(t.bound) > 0})
			}
		}
		for _, arg := range n.Args {
			visit(arg)
		}
	}
	visit(c.tree)
	return found
}

// problem is about a threshold.
func (t threshold) problem(message string) requirement.Problem {
	return requirement.Problem{Path: t.path, Line: t.line, Column: t.column, Message: message}
}

// exactly says what an example on the threshold has.
func (t threshold) exactly() string {
	list, counted := countedList(t.of.fact)
	switch {
	case counted && list == fact.NamePersons:
		return "exactly " + t.of.show(t.bound) + " persons on record"
	case counted:
		return "exactly " + t.of.show(t.bound) + " " + fact.Lookup(list).List.Many + " on record"
	}
	return t.of.fact + " exactly " + t.of.show(t.bound)
}

// hints are advice about what the examples leave untried: without examples one piece, else
// each rule that none makes true and each threshold that none stands on.
func hints(p *requirement.Program, rs requirement.RuleSet, conditions []*condition, tried *coverage) []requirement.Problem {
	rules := p.CompiledRules()
	conditional := slices.ContainsFunc(rules, func(r requirement.CompiledRule) bool { return r.Condition != nil && !r.Condition.Tree.Constant() })
	switch {
	case !conditional:
		return nil
	case len(rs.Examples) == 0:
		return []requirement.Problem{{Path: "examples", Severity: requirement.SeverityHint, Message: "there are none: write applications with the documents that must come out, so that publishing tries the rules"}}
	}
	var found []requirement.Problem
	for i, r := range rules {
		if c := conditions[i]; r.Condition != nil && !tried.Required[i] && (c == nil || !c.alwaysAlike(c.tree)) {
			found = append(found, requirement.Problem{Path: r.Path, Message: fmt.Sprintf("no example requires %s: add one that does", r.DocumentTypeCode)})
		}
	}
	for _, c := range conditions {
		if c == nil {
			continue
		}
		for _, t := range c.thresholds(tried) {
			if !t.at {
				found = append(found, t.problem(fmt.Sprintf("no example has %s, where %s changes: add one", t.exactly(), rulefile.Clip(t.node.Text()))))
			}
		}
	}
	for i := range found {
		found[i].Severity = requirement.SeverityHint
	}
	return found
}

// untried is what the examples leave untried, in the order of the rules: rules that no example
// makes true or false, and thresholds with no example on one of their sides.
func untried(p *requirement.Program, conditions []*condition) []requirement.Problem {
	tried := coverageOf(p)
	var found []requirement.Problem
	for i, r := range p.CompiledRules() {
		c := conditions[i]
		if c == nil {
			continue
		}
		if !tried.Required[i] {
			found = append(found, requirement.Problem{Path: r.Path, Message: fmt.Sprintf("%s is never true: no example requires it", r.DocumentTypeCode)})
		}
		if !tried.Spared[i] {
			found = append(found, requirement.Problem{Path: r.Path, Message: fmt.Sprintf("%s is never false: every example requires it", r.DocumentTypeCode)})
		}
		for _, t := range c.thresholds(tried) {
			// Of a rule that is one comparison it is said already that it never comes out
			// one way.
			said := (!tried.Required[i] || !tried.Spared[i]) && t.node == positive(c.tree)
			if missing := t.missing(!said); len(missing) > 0 {
				found = append(found, t.problem(fmt.Sprintf("%s: no example %s", rulefile.Clip(t.node.Text()), strings.Join(missing, ", and none "))))
			}
		}
	}
	return found
}

// missing is what no example has of those that show where the threshold lies: one that
// stands on it, and, if sides are asked for, one on the side to which it does not belong.
func (t threshold) missing(sides bool) (missing []string) {
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
	for isCall(n, operators.LogicalNot) {
		n = n.Args[0]
	}
	return n
}
