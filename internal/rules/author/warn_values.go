package author

import (
	"fmt"
	"slices"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// Values. Input: a condition, or the facts of an example. Output: warnings about
// values that no record can hold.

const comparesWithout = "compares with"

// valueWarnings looks for values in a condition that no record can hold for the
// fact that they are compared with.
type valueWarnings struct {
	lists map[string][]string
	seen  map[listUse]bool    // lists that have been looked through for a fact
	loops []*requirement.Node // around the node at hand, outermost first
	found []requirement.Problem
}

// listUse is what the warnings about a list's entries depend on. A list that
// many comparisons name is looked through once for each.
type listUse struct {
	list, fact string
	exactly    bool
	compares   bool
}

// looked reports whether the entries of a list have been held against a fact
// before, and notes that they are now.
func (v *valueWarnings) looked(list *requirement.Node, comparison *requirement.Node, fact string) bool {
	use := listUse{list.Name, fact, looksExactly(comparison), comparison.IsComparison()}
	before := v.seen[use]
	if v.seen == nil {
		v.seen = map[listUse]bool{}
	}
	v.seen[use] = true
	return before
}

// looksExactly reports whether n looks for a value itself, and not for a bound or a
// part of it.
func looksExactly(n *requirement.Node) bool {
	return slices.Contains([]string{operators.Equals, operators.NotEquals, operators.In}, n.Name)
}

// states reports whether n says something about values: see statement.
func states(n *requirement.Node) bool {
	if n.Kind != requirement.CallKind || len(n.Args) != 2 || n.Args[0].Shape == fact.BoolShape {
		return false
	}
	return n.IsComparison() || slices.Contains([]string{"contains", "startsWith", "endsWith"}, n.Name)
}

func (v *valueWarnings) visit(n *requirement.Node) {
	if n == nil {
		return
	}
	if states(n) {
		v.comparison(n)
	}
	if n.Kind != requirement.LoopKind {
		for _, arg := range n.Args {
			v.visit(arg)
		}
		return
	}
	v.visit(n.List())
	v.loops = append(v.loops, n)
	for _, arg := range n.Args[1:] {
		v.visit(arg)
	}
	v.loops = v.loops[:len(v.loops)-1]
}

func (v *valueWarnings) comparison(n *requirement.Node) {
	for i, arg := range n.Args {
		fact := arg.ComparedFact()
		if fact == "" || len(v.found) >= rulefile.MaxProblems {
			continue
		}
		for _, c := range v.constants(n.Args[1-i], func(list *requirement.Node) bool { return v.looked(list, n, fact) }) {
			v.compare(n, fact, c)
		}
	}
}

// constantValue is a value that a condition or a list holds.
type constantValue struct {
	value any
	node  *requirement.Node
	path  string // of an entry of a list
}

// constants are the values that n can have, where it is written out or comes from
// a list that is. Named lists that skip reports are left out.
func (v *valueWarnings) constants(n *requirement.Node, skip func(list *requirement.Node) bool) []constantValue {
	switch n.Kind {
	case requirement.LiteralKind:
		return []constantValue{{value: n.Literal, node: n}}
	case requirement.ArrayKind:
		var found []constantValue
		for _, arg := range n.Args {
			found = append(found, v.constants(arg, skip)...)
		}
		return found
	case requirement.ListKind:
		if skip(n) {
			return nil
		}
		found := make([]constantValue, 0, len(v.lists[n.Name]))
		for i, text := range v.lists[n.Name] {
			found = append(found, constantValue{text, n, fmt.Sprintf("%s.%s[%d]", fact.NameLists, n.Name, i)})
		}
		return found
	case requirement.CallKind:
		if n.Name == operators.Conditional {
			return slices.Concat(v.constants(n.Args[1], skip), v.constants(n.Args[2], skip))
		}
	case requirement.VariableKind:
		for _, loop := range slices.Backward(v.loops) {
			if loop.Variable == n.Name {
				return v.constants(loop.List(), skip)
			}
		}
	}
	return nil
}

func (v *valueWarnings) compare(n *requirement.Node, name string, c constantValue) {
	exactly := looksExactly(n)
	verb := rulefile.Pick(exactly || !n.IsComparison(), "looks for", comparesWithout)
	switch value := c.value.(type) {
	case string:
		why, form := fact.Unrecorded(name, value), fact.Lookup(name).Text
		switch {
		case !n.IsComparison() && form != nil:
			why = rulefile.Pick(form.Part.MatchString(value), "", form.Words)
		case !exactly && (form == nil || !form.Ordered || value == ""):
			why = "" // an order of texts, of which none need be on record
		}
		v.warn(n, c, why, verb, fmt.Sprintf("%q", value), name)
	case fact.Number:
		if percent := fact.Lookup(name).Percent; percent != "" && value.Sign() > 0 && value.Cmp(rational.Int(1)) < 0 {
			v.found = append(v.found, requirement.Problem{Message: fmt.Sprintf("%s: %s, %s", rulefile.Clip(n.Text()), percent, fact.FractionWords), Line: c.node.Line, Column: c.node.Column})
			return
		}
		v.warn(n, c, fact.Lookup(name).UnrecordedNumber(value, exactly), verb, value.String(), name)
	}
}

func (v *valueWarnings) warn(n *requirement.Node, c constantValue, why, verb, value, name string) {
	switch {
	case why == "":
	case c.path != "":
		v.found = append(v.found, requirement.Problem{Path: c.path, Message: fmt.Sprintf("%s is compared with %s, %s: %s", value, fact.Words(name), fact.NeverOnRecord, why)})
	default:
		v.found = append(v.found, requirement.Problem{
			Message: fmt.Sprintf("%s %s %s, %s: %s", rulefile.Clip(n.Text()), verb, value, fact.NeverOnRecord, why),
			Line:    c.node.Line, Column: c.node.Column,
		})
	}
}

// exampleWarnings are about examples of what hardly is on record. What cannot be is
// refused as the file is read.
func exampleWarnings(examples []requirement.Example) []requirement.Problem {
	var found []requirement.Problem
	for i, example := range examples {
		if share := ownedTogether(example.Facts.Persons); share.Cmp(fact.WholeShare) > 0 {
			found = append(found, requirement.Problem{
				Path:    fmt.Sprintf("examples[%d].facts.%s", i, fact.NamePersons),
				Message: fmt.Sprintf("own %s percent together, more than 100: the service warns about such a business too", share.Words()),
			})
		}
	}
	return found
}

// ownedTogether is the sum of the shares. No sum of so few of them goes beyond
// the bounds of a number.
func ownedTogether(persons []fact.PersonFacts) fact.Number {
	var sum fact.Number
	for _, person := range persons {
		if share := person.OwnershipPercentage; share != nil {
			if more, err := sum.Add(*share); err == nil {
				sum = more
			}
		}
	}
	return sum
}
