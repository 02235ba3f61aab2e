package requirement

import (
	"slices"

	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// Divisions by zero. Input: the tree of a condition. Output: a problem for each
// divisor that is always 0, and a warning for each that may be.

// divisions refuses each division whose divisor is always 0, and warns of each whose
// divisor may be. The condition may ask for that first: nonzero are the divisors that
// it has asked about.
func (r *resolver) divisions(n *node, nonzero []string) {
	if n == nil {
		return
	}
	if n.kind != callKind {
		for _, arg := range n.args {
			r.divisions(arg, nonzero)
		}
		return
	}
	switch n.name {
	case operators.LogicalAnd, operators.LogicalOr:
		// The other side does not decide alone.
		for i, arg := range n.args {
			r.divisions(arg, append(slices.Clone(nonzero), nonzeroWhen(n.args[1-i], n.name == operators.LogicalAnd)...))
		}
		return
	case operators.Conditional:
		r.divisions(n.args[0], nonzero)
		r.divisions(n.args[1], append(slices.Clone(nonzero), nonzeroWhen(n.args[0], true)...))
		r.divisions(n.args[2], append(slices.Clone(nonzero), nonzeroWhen(n.args[0], false)...))
		return
	case operators.Divide, operators.Modulo:
		switch by := n.args[1]; {
		case r.alwaysZero(by):
			r.reportAt(n.id, "%s divides by zero", pick(n.name == operators.Divide, "/", "%"))
		case !by.constant() && !neverZero(by, nonzero):
			r.warn(n, "when %s is 0 this division has no result, and the service refuses the calculation: begin with %s != 0 && …", rulefile.Clip(by.text()), rulefile.Clip(by.within(bindComparison+1)))
		}
	}
	for _, arg := range n.args {
		r.divisions(arg, nonzero)
	}
}

// alwaysZero reports whether a number is 0 whatever the facts are, as far as its form
// and little work show.
func (r *resolver) alwaysZero(n *node) bool {
	if n.constant() {
		number, ok := r.constant(n).(fact.Number)
		return ok && number.Sign() == 0
	}
	if n.kind != callKind {
		return false
	}
	switch n.name {
	case operators.Negate, operators.Divide:
		return r.alwaysZero(n.args[0])
	case operators.Multiply:
		return r.alwaysZero(n.args[0]) || r.alwaysZero(n.args[1])
	case operators.Subtract:
		return n.args[0].text() == n.args[1].text() || r.alwaysZero(n.args[0]) && r.alwaysZero(n.args[1])
	case operators.Add:
		return r.alwaysZero(n.args[0]) && r.alwaysZero(n.args[1])
	case operators.Conditional:
		return r.alwaysZero(n.args[1]) && r.alwaysZero(n.args[2])
	}
	return false
}

// neverZero reports a divisor that cannot be 0: it has been asked about, or what
// can be on record for it is more than 0, or it is such a one times a constant.
func neverZero(n *node, nonzero []string) bool {
	switch {
	case slices.Contains(nonzero, n.text()):
		return true
	case n.kind != callKind:
		return false
	case n.name == overloads.Size:
		return n.args[0].kind == factKind && fact.Lookup(n.args[0].name).List != nil // which is a gap when it is empty
	case n.name == operators.Multiply:
		return constantNonzero(n.args[0]) && neverZero(n.args[1], nonzero) || constantNonzero(n.args[1]) && neverZero(n.args[0], nonzero)
	case n.name == operators.Divide:
		return neverZero(n.args[0], nonzero)
	case n.name == operators.Add:
		return n.args[0].neverNegative() && constantSign(n.args[1]) > 0 || n.args[1].neverNegative() && constantSign(n.args[0]) > 0
	}
	return false
}

// neverNegative reports a fact that no record holds below 0.
func (n *node) neverNegative() bool {
	return n.shape.Number() && (n.kind == factKind || n.kind == fieldKind) && !fact.Lookup(n.name).Signed
}

func constantNonzero(n *node) bool { return constantSign(n) != 0 }

// constantSign is the sign of a number that is written out, and 0 of anything else.
func constantSign(n *node) int {
	v, _ := n.literal.(fact.Number)
	return v.Sign()
}

// nonzeroWhen are the texts of what cannot be 0 when a condition has a truth.
func nonzeroWhen(n *node, truth bool) []string {
	switch n.name {
	case operators.LogicalNot:
		return nonzeroWhen(n.args[0], !truth)
	case operators.LogicalAnd, operators.LogicalOr:
		if truth == (n.name == operators.LogicalAnd) {
			return append(nonzeroWhen(n.args[0], truth), nonzeroWhen(n.args[1], truth)...)
		}
		return nil
	}
	if len(n.args) != 2 {
		return nil
	}
	name, of, with := n.name, n.args[0], n.args[1]
	if _, written := of.literal.(fact.Number); written {
		name, of, with = mirrors[name], with, of
	}
	v, written := with.literal.(fact.Number)
	if !truth {
		name = denied[name]
	}
	if !written || !excludesZero(name, v.Sign()) {
		return nil
	}
	return []string{of.text()}
}

// excludesZero reports whether what compares so with a number of a sign is not 0.
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
