package requirement

import (
	"math/bits"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
)

// This file limits how large numbers can become: from an operator and the bounds of its operands it
// derives a bound of the result, in bits.

// magnitude limits the numbers that an expression can become. They are below 2^value. Their
// denominator divides the product of 10^decimals, a number of fixed bits, which is the same for all
// facts, and a number of loose bits.
type magnitude struct{ value, decimals, fixed, loose int }

func (m magnitude) denBits() int { return m.decimals*3322/1000 + 1 + m.fixed + m.loose }
func (m magnitude) numBits() int { return m.value + m.denBits() }

// bits is the sum of the bits of the numerator and the denominator.
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
		t = fact.AmountFact // it is not a number, so any bound is correct
	}
	return magnitude{value: t.Bits, decimals: int(t.Decimals)}
}

// eitherMagnitude is the magnitude of a value that is one of two.
func eitherMagnitude(a, b magnitude) magnitude {
	if a.fixed != b.fixed {
		a.fixed, a.loose, b.loose = 0, a.fixed+a.loose, b.fixed+b.loose
	}
	return magnitude{max(a.value, b.value), max(a.decimals, b.decimals), a.fixed, max(a.loose, b.loose)}
}

// sumMagnitude limits the sum of a number of items, whose loose denominators may all differ.
func sumMagnitude(of magnitude, items uint64) magnitude {
	const most = rational.MaxBits + 1 // a larger sum is refused
	loose := min(stepsTimes(uint64(of.loose), items), most)
	return magnitude{of.value + bits.Len64(items), of.decimals, of.fixed, int(loose)}
}

// calculated is the magnitude of the result of an operator or a function.
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
		// The numerator of the divisor becomes part of the denominator.
		return magnitude{a.value + b.denBits(), a.decimals, a.fixed, a.loose + b.numBits()}
	case operators.Modulo:
		return wholeMagnitude(min(a.value, b.value))
	}
	return wholeMagnitude(0)
}
