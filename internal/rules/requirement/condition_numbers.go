package requirement

import (
	"math/bits"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
)

// How large numbers can become: for an operator and bounds on its operands, a bound on its
// result, in bits.

// magnitude bounds the numbers that an expression can become: they are below
// 2^value, and their denominator divides 10^decimals times a number of fixed bits, which is
// the same for all facts, times one of loose bits.
type magnitude struct{ value, decimals, fixed, loose int }

func (m magnitude) denBits() int { return m.decimals*3322/1000 + 1 + m.fixed + m.loose }
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
	if a.fixed != b.fixed {
		a.fixed, a.loose, b.loose = 0, a.fixed+a.loose, b.fixed+b.loose
	}
	return magnitude{max(a.value, b.value), max(a.decimals, b.decimals), a.fixed, max(a.loose, b.loose)}
}

// sumMagnitude bounds the sum of so many numbers, whose loose denominators may all differ.
func sumMagnitude(of magnitude, items uint64) magnitude {
	const most = rational.MaxBits + 1 // beyond which it is refused
	loose := min(stepsTimes(uint64(of.loose), items), most)
	return magnitude{of.value + bits.Len64(items), of.decimals, of.fixed, int(loose)}
}

// calculated is the magnitude of what an operator or a function gives.
func calculated(name string, a, b magnitude) magnitude {
	switch name {
	case "size":
		return wholeMagnitude(fact.CountBits)
	case daysSince, monthsSince, yearsSince, daysBetween, monthsBetween, yearsBetween:
		return wholeMagnitude(dateFunctions[name].bits)
	case operators.Negate:
		return a
	case operators.Add, operators.Subtract:
		return magnitude{max(a.value, b.value) + 1, max(a.decimals, b.decimals), a.fixed + b.fixed, a.loose + b.loose}
	case operators.Multiply:
		return magnitude{a.value + b.value, a.decimals + b.decimals, a.fixed + b.fixed, a.loose + b.loose}
	case operators.Divide:
		// The numerator of the divisor goes into the denominator.
		return magnitude{a.value + b.denBits(), a.decimals, a.fixed, a.loose + b.numBits()}
	case operators.Modulo:
		return wholeMagnitude(min(a.value, b.value))
	}
	return wholeMagnitude(0)
}
