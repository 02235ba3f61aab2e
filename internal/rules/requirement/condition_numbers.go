package requirement

import (
	"cel.dev/cel-go/common/operators"

	"requisite/internal/rules/fact"
)

// How large numbers can become: for an operator and bounds on its operands, a bound on its
// result, in bits.

// magnitude bounds the numbers that an expression can become: they are below
// 2^value, and their denominator divides 10^decimals times a number of loose bits.
type magnitude struct{ value, decimals, loose int }

func (m magnitude) denBits() int { return m.decimals*3322/1000 + 1 + m.loose }
func (m magnitude) numBits() int { return m.value + m.denBits() }

// bits counts the bits of the numerator and the denominator together.
func (m magnitude) bits() int { return m.numBits() + m.denBits() }

func wholeMagnitude(bits int) magnitude { return magnitude{value: bits} }

func literalMagnitude(n fact.Number) magnitude {
	num, den := n.Bits()
	decimals, _ := n.Decimals()
	return magnitude{value: num - den + 1, decimals: decimals} // below 1 it is negative
}

// onRecord is the magnitude of a fact or of a person's field.
func onRecord(t *fact.Type) magnitude {
	if t.Bits == 0 {
		t = fact.AmountFact // it is no number, so that any bound does
	}
	return magnitude{value: t.Bits, decimals: int(t.Decimals)}
}

// eitherMagnitude is for a value that is one of several.
func eitherMagnitude(a, b magnitude) magnitude {
	return magnitude{max(a.value, b.value), max(a.decimals, b.decimals), max(a.loose, b.loose)}
}

// calculated is the magnitude of what an operator or a function gives.
func calculated(name string, a, b magnitude) magnitude {
	switch name {
	case "size":
		return wholeMagnitude(fact.CountBits)
	case daysSince, monthsSince, yearsSince:
		return wholeMagnitude(sinceFunctions[name].bits)
	case operators.Negate:
		return a
	case operators.Add, operators.Subtract:
		return magnitude{max(a.value, b.value) + 1, max(a.decimals, b.decimals), a.loose + b.loose}
	case operators.Multiply:
		return magnitude{a.value + b.value, a.decimals + b.decimals, a.loose + b.loose}
	case operators.Divide:
		// The numerator of the divisor goes into the denominator.
		return magnitude{a.value + b.denBits(), a.decimals, a.loose + b.numBits()}
	case operators.Modulo:
		return wholeMagnitude(min(a.value, b.value))
	}
	return wholeMagnitude(0)
}
