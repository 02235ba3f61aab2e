package requirement

import (
	"slices"

	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file reports divisions by zero: a problem for each divisor that is always 0, and a warning
// for each that may be.

// divisions refuses each division whose divisor is always 0, and warns of each whose divisor may
// be. The condition may check the divisor first: nonzero has the divisors that it has checked.
func (r *resolver) divisions(n *Node, nonzero []string) {
	if n == nil {
		return
	}
	if n.Kind != CallKind {
		for _, arg := range n.Args {
			r.divisions(arg, nonzero)
		}
		return
	}
	switch n.Name {
	case operators.LogicalAnd, operators.LogicalOr:
		// The other operand alone does not decide.
		for i, arg := range n.Args {
			r.divisions(arg, append(slices.Clone(nonzero), nonzeroWhen(n.Args[1-i], n.Name == operators.LogicalAnd)...))
		}
		return
	case operators.Conditional:
		r.divisions(n.Args[0], nonzero)
		r.divisions(n.Args[1], append(slices.Clone(nonzero), nonzeroWhen(n.Args[0], true)...))
		r.divisions(n.Args[2], append(slices.Clone(nonzero), nonzeroWhen(n.Args[0], false)...))
		return
	case operators.Divide, operators.Modulo:
		switch by := n.Args[1]; {
		case r.alwaysZero(by):
			r.reportAt(n.id, "%s divides by zero", rulefile.Pick(n.Name == operators.Divide, "/", "%"))
		case !by.Constant() && !neverZero(by, nonzero):
			r.warn(n,
				"when %s is 0 this division has no result, and the service refuses the calculation: begin with %s != 0 && …",
				rulefile.Clip(by.Text()), rulefile.Clip(by.within(bindComparison+1)))
		}
	}
	for _, arg := range n.Args {
		r.divisions(arg, nonzero)
	}
}

// alwaysZero reports whether a number is 0 for all facts, as far as its form and a little
// calculation show.
func (r *resolver) alwaysZero(n *Node) bool {
	if n.Constant() {
		number, ok := r.constant(n).(fact.Number)
		return ok && number.Sign() == 0
	}
	if n.Kind != CallKind {
		return false
	}
	switch n.Name {
	case operators.Negate, operators.Divide:
		return r.alwaysZero(n.Args[0])
	case operators.Multiply:
		return r.alwaysZero(n.Args[0]) || r.alwaysZero(n.Args[1])
	case operators.Subtract:
		return n.Args[0].Text() == n.Args[1].Text() || r.alwaysZero(n.Args[0]) && r.alwaysZero(n.Args[1])
	case operators.Add:
		return r.alwaysZero(n.Args[0]) && r.alwaysZero(n.Args[1])
	case operators.Conditional:
		return r.alwaysZero(n.Args[1]) && r.alwaysZero(n.Args[2])
	}
	return false
}

// neverZero reports whether a divisor cannot be 0: the condition has checked it, all its stored
// values are greater than 0, or it is such a divisor times a constant.
func neverZero(n *Node, nonzero []string) bool {
	switch {
	case slices.Contains(nonzero, n.Text()):
		return true
	case n.Kind != CallKind:
		return false
	case n.Name == overloads.Size:
		list := n.Args[0].Row.List
		return list != nil && list.Least > 0 // an empty list is a gap
	case n.Name == operators.Multiply:
		return constantNonzero(n.Args[0]) && neverZero(n.Args[1], nonzero) || constantNonzero(n.Args[1]) && neverZero(n.Args[0], nonzero)
	case n.Name == operators.Divide:
		return neverZero(n.Args[0], nonzero)
	case n.Name == operators.Add:
		return n.Args[0].neverNegative() && constantSign(n.Args[1]) > 0 || n.Args[1].neverNegative() && constantSign(n.Args[0]) > 0
	}
	return false
}

// neverNegative reports whether no record contains a negative value of the fact.
func (n *Node) neverNegative() bool {
	return n.Shape.Number() && (n.Kind == FactKind || n.Kind == FieldKind) && !n.Row.Signed
}

func constantNonzero(n *Node) bool { return constantSign(n) != 0 }

// constantSign is the sign of a literal number, and 0 for anything else.
func constantSign(n *Node) int {
	v, _ := n.Literal.(fact.Number)
	return v.Sign()
}

// nonzeroWhen returns the texts of the expressions that cannot be 0 if a condition has a truth
// value.
func nonzeroWhen(n *Node, truth bool) []string {
	switch n.Name {
	case operators.LogicalNot:
		return nonzeroWhen(n.Args[0], !truth)
	case operators.LogicalAnd, operators.LogicalOr:
		if truth == (n.Name == operators.LogicalAnd) {
			return append(nonzeroWhen(n.Args[0], truth), nonzeroWhen(n.Args[1], truth)...)
		}
		return nil
	}
	if len(n.Args) != 2 {
		return nil
	}
	name, of, with := n.Name, n.Args[0], n.Args[1]
	if _, written := of.Literal.(fact.Number); written {
		name, of, with = Mirrors[name], with, of
	}
	v, written := with.Literal.(fact.Number)
	if !truth {
		name = denied[name]
	}
	if !written || !excludesZero(name, v.Sign()) {
		return nil
	}
	return []string{of.Text()}
}

// excludesZero reports whether a number with this comparison to a number with the given sign cannot
// be 0.
func excludesZero(name string, sign int) bool {
	switch name {
	case operators.NotEquals:
		return sign == 0
	case operators.Equals:
		return sign != 0
	case operators.Greater:
		return sign >= 0
	case operators.GreaterEquals:
		return sign > 0
	case operators.Less:
		return sign <= 0
	case operators.LessEquals:
		return sign < 0
	}
	return false
}
