package requirement

import (
	"cmp"
	"slices"
	"strings"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
)

// Equal reports whether two values of the same type are equal.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case fact.Number:
		m, ok := b.(fact.Number)
		return ok && a.Equal(m)
	case string:
		text, ok := b.(string)
		return ok && a == text
	}
	return a == b
}

// calculate returns the result of an operator on two numbers.
func calculate(operator string, a, b fact.Number) (fact.Number, error) {
	switch operator {
	case operators.Add:
		return a.Add(b)
	case operators.Subtract:
		return a.Sub(b)
	case operators.Multiply:
		return a.Mul(b)
	case operators.Divide:
		return a.Quo(b)
	}
	return a.Rem(b)
}

// Compare reports whether a comparison of two values of the same type is true.
func Compare(operator string, a, b any) bool {
	switch operator {
	case operators.Equals:
		return Equal(a, b)
	case operators.NotEquals:
		return !Equal(a, b)
	case "contains":
		return strings.Contains(a.(string), b.(string))
	case "startsWith":
		return strings.HasPrefix(a.(string), b.(string))
	case "endsWith":
		return strings.HasSuffix(a.(string), b.(string))
	}
	order := orderOf(a, b)
	switch operator {
	case operators.Less:
		return order < 0
	case operators.LessEquals:
		return order <= 0
	case operators.Greater:
		return order > 0
	}
	return order >= 0
}

func orderOf(a, b any) int {
	switch a := a.(type) {
	case fact.Number:
		return a.Cmp(b.(fact.Number))
	case string:
		return cmp.Compare(a, b.(string))
	}
	return a.(fact.Date).UTC().Compare(b.(fact.Date).UTC())
}

// statement is the result of a comparison, with the clause that states it.
func statement(n *Node, left, right datum, truth bool) datum {
	d := why{}
	if n.Args[0].Shape == fact.BoolShape {
		// Two conditions are compared: what each depends on is the whole reason.
		d.because(left)
		d.because(right)
		return datum{value: truth, why: &d}
	}
	operands := []datum{left, right}
	said := clause{node: n, operands: operands, truth: truth}
	for i, operand := range operands {
		d.clauses = append(d.clauses, operand.rests().clauses...)
		said.atoms = append(said.atoms, operand.rests().atoms...)
		for _, item := range operand.items {
			d.clauses = append(d.clauses, item.rests().clauses...)
			said.atoms = append(said.atoms, item.rests().atoms...)
		}
		if !truth || !n.Args[i].Counts() || !enough(n.Name, i) {
			for _, left := range operand.rests().left {
				said.atoms = append(said.atoms, left.support()...)
			}
		}
	}
	at := len(d.clauses)
	if n.countsWithin() {
		// The count comes before the persons, because a reason may name only some of them.
		at = 0
	}
	d.clauses = slices.Insert(d.clauses, at, said)
	return datum{value: truth, why: &d}
}

// enough reports whether a count on one side of a comparison only has to be large enough. Then the
// elements that were not counted decide nothing.
func enough(operator string, side int) bool {
	if side == 1 {
		operator = Mirrors[operator]
	}
	return operator == operators.Greater || operator == operators.GreaterEquals
}
