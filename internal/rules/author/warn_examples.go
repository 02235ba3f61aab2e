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

// This file finds rules and thresholds that no example tries.

// excludedByNoRule finds documents that examples exclude and that no rule requires. Such an example
// passes whatever the rules say.
func excludedByNoRule(rs requirement.RuleSet) (found []requirement.Problem) {
	var codes []string
	for _, rule := range rs.Documents {
		codes = append(codes, rule.DocumentTypeCode)
	}
	for i, example := range rs.Examples {
		for j, d := range example.Expect.Excludes {
			required := func(rule requirement.DocumentRule) bool {
				ofPerson := d.PersonID == "" || rule.EntityType == fact.EntityPerson
				return rule.DocumentTypeCode == d.DocumentTypeCode && ofPerson && (d.EntityType == "" || d.EntityType == rule.EntityType)
			}
			named := func(p fact.PersonFacts) bool { return p.PersonID == d.PersonID }
			if d.PersonID != "" && !slices.ContainsFunc(example.Facts.Persons, named) && len(found) < rulefile.MaxProblems {
				found = append(found, requirement.Problem{
					Path:    fmt.Sprintf("examples[%d].expect.excludes[%d]", i, j),
					Message: fmt.Sprintf("the facts have no person %s, so this always holds", rulefile.Clip(d.PersonID)),
				})
				continue
			}
			if !slices.ContainsFunc(rs.Documents, required) && len(found) < rulefile.MaxProblems {
				didYouMean := ""
				if !slices.Contains(codes, d.DocumentTypeCode) {
					didYouMean = rulefile.DidYouMean(d.DocumentTypeCode, codes)
				}
				found = append(found, requirement.Problem{
					Path:    fmt.Sprintf("examples[%d].expect.excludes[%d]", i, j),
					Message: fmt.Sprintf("no rule requires %s of this entity, so this always holds%s", d.DocumentTypeCode, didYouMean),
				})
			}
		}
	}
	return found
}

// coverage is what the examples of a rule set try.
type coverage struct {
	*requirement.Coverage
	numbers map[string][]*big.Rat // by fact, sorted
}

func coverageOf(p *requirement.Program) coverage {
	return coverage{p.Tried(), map[string][]*big.Rat{}}
}

// of returns the numbers that the examples have for a quantity: a fact, a field of a person or a
// count.
func (c coverage) of(q *quantity) []*big.Rat {
	name, row := q.fact, q.row
	numbers, ok := c.numbers[name]
	if ok || c.Coverage == nil || name == "" {
		return numbers
	}
	add := func(v any) {
		if number, ok := fact.Exact(v); ok {
			numbers = append(numbers, number)
		}
	}
	list, counted := countedList(name)
	for i := range c.Tried {
		f := &c.Tried[i]
		switch {
		case counted && list == fact.NamePersons:
			numbers = append(numbers, whole(len(f.Persons)))
		case counted:
			texts, _ := row.Value(f).([]string)
			numbers = append(numbers, whole(len(texts)))
		case !row.OfPerson():
			add(row.Value(f))
		default:
			for j := range f.Persons {
				add(row.ValueOf(&f.Persons[j]))
			}
		}
	}
	slices.SortFunc(numbers, (*big.Rat).Cmp)
	c.numbers[name] = numbers
	return numbers
}

// countedList is the list whose elements a quantity counts.
func countedList(name string) (list string, ok bool) {
	name, ok = strings.CutPrefix(name, "size(")
	return strings.TrimSuffix(name, ")"), ok
}

// threshold is a comparison of a fact with a bound, and on which sides of the bound there are
// examples.
type threshold struct {
	*test
	node             *requirement.Node
	below, at, above bool
}

// thresholds returns the thresholds of a condition that can matter, each once, with what the
// examples try. It leaves out parts that always have the same value, and bounds that no record can
// contain.
func (c *condition) thresholds(tried coverage) (found []threshold) {
	seen := map[string]bool{}
	var visit func(n *requirement.Node)
	visit = func(n *requirement.Node) {
		if n == nil || c.isKnown(n) {
			return
		}
		if t := c.tests[n]; t != nil && t.bound != nil && t.of.fact != "" && !isCall(n, operators.Equals, operators.NotEquals) && t.of.domain.Holds(t.bound) {
			if key := t.of.key + " " + t.bound.RatString(); !seen[key] {
				seen[key] = true
				numbers := tried.of(t.of)
				below, on := slices.BinarySearchFunc(numbers, t.bound, (*big.Rat).Cmp)
				found = append(found, threshold{t, n, below > 0, on, len(numbers) > 0 && numbers[len(numbers)-1].Cmp(t.bound) > 0})
			}
		}
		for _, arg := range n.Args {
			visit(arg)
		}
	}
	visit(c.tree)
	return found
}

// exactly describes an example on the threshold.
func (t threshold) exactly() string {
	list, counted := countedList(t.of.fact)
	switch {
	case counted && list == fact.NamePersons:
		return "exactly " + t.of.show(t.bound) + " persons on record"
	case counted:
		return "exactly " + t.of.show(t.bound) + " " + t.of.row.List.Many + " on record"
	}
	return t.of.fact + " exactly " + t.of.show(t.bound)
}

// hints advises about what the examples leave untried. Without examples it is a single hint.
func hints(p *requirement.Program, rs requirement.RuleSet, conditions, defined []*condition, tried coverage) []requirement.Problem {
	found := untried(p, conditions, defined, tried, false)
	if len(rs.Examples) == 0 && len(found) > 0 {
		found = []requirement.Problem{{
			Path:    "examples",
			Message: "there are none: write applications with the documents that must come out, so that publishing tries the rules",
		}}
	}
	for i := range found {
		found[i].Severity = requirement.SeverityHint
	}
	return found
}

// untried returns what the examples leave untried, in the order of the rules and then of the
// definitions: rules that none or all of them require, and thresholds that none meets or, with
// sides, none exceeds.
func untried(p *requirement.Program, conditions, defined []*condition, tried coverage, sides bool) (found []requirement.Problem) {
	threshold := func(c *condition, t threshold, sides bool) {
		if missing := t.missing(sides); len(missing) > 0 {
			found = append(found, c.problem(t.node, fmt.Sprintf("%s: no example %s", rulefile.Clip(t.node.Text()), strings.Join(missing, ", and none "))))
		}
	}
	for i, r := range p.CompiledRules() {
		for j, o := range r.Options {
			if path := r.OptionPath(j); o.Condition != nil && !tried.Offered[path] {
				found = append(found, requirement.Problem{Path: path, Message: "no example is offered this option: add one that is"})
			}
		}
		c := conditions[i]
		if r.Condition == nil || c != nil && c.isKnown(c.tree) {
			continue
		}
		none, all, spared := "no example requires %s: add one that does", "every example requires %s: add one that does not", tried.Spared[i]
		if r.Finding != nil { // an example that expects no findings tries none
			none = "no example expects the finding %s: add one that does"
			all = "every example with findings expects %s: add one that does not"
			spared = spared || !tried.Required[i]
		}
		if !tried.Required[i] {
			found = append(found, requirement.Problem{Path: r.Path, Message: fmt.Sprintf(none, r.Code())})
		}
		if !spared {
			found = append(found, requirement.Problem{Path: r.Path, Message: fmt.Sprintf(all, r.Code())})
		}
		if c == nil {
			continue
		}
		for _, t := range c.thresholds(tried) {
			// For a rule with a single comparison, another hint already says that it always has the
			// same value.
			said := (!tried.Required[i] || !tried.Spared[i]) && (t.node == c.tree || isCall(c.tree, operators.LogicalNot) && t.node == c.tree.Args[0])
			threshold(c, t, sides && !said)
		}
	}
	for _, c := range defined {
		for _, t := range c.thresholds(tried) {
			threshold(c, t, sides)
		}
	}
	return found
}

// missing returns the examples that are missing to show where the threshold is: one on the
// threshold and, with sides, one on the other side.
func (t threshold) missing(sides bool) (missing []string) {
	if !t.at {
		missing = append(missing, "has "+t.exactly())
	}
	other := t.above
	if t.operator == operators.GreaterEquals || t.operator == operators.Less {
		other = t.below
	}
	if sides && !other {
		missing = append(missing, fmt.Sprintf("makes it %v", t.operator == operators.Greater || t.operator == operators.Less))
	}
	return missing
}
