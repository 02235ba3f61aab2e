package requirement

import (
	"math/big"

	"cel.dev/cel-go/common/operators"
)

// Values on record in bits, which bound what can be calculated from them.
const (
	amountBits = 44 // below 10^13
	scoreBits  = 40 // up to 10^12
	shareBits  = 7  // up to 100
	ageBits    = 17 // in months, of 9999 years
	countBits  = 16 // elements of a list, or characters of a text
)

// magnitude bounds the numbers that an expression can become: they are below
// 2^value, and their denominator divides den times a number of loose bits.
type magnitude struct {
	value int
	den   *big.Int
	loose int
	exact *Number // of a number that is written out, whatever its sign
}

func (m magnitude) denBits() int { return m.den.BitLen() + m.loose }
func (m magnitude) numBits() int { return m.value + m.denBits() }

// bits are those of the numerator and the denominator together.
func (m magnitude) bits() int { return m.numBits() + m.denBits() }

func wholeMagnitude(bits int) magnitude { return magnitude{value: bits, den: big.NewInt(1)} }

func literalMagnitude(n Number) magnitude {
	num, _ := n.Bits()
	return magnitude{value: num, den: n.Rat().Denom(), exact: &n}
}

// onRecord is the magnitude of a fact or of a person's field.
func onRecord(name string) magnitude {
	t := lookup(name).factType
	if t.bits == 0 {
		t = amountFact // it is no number, so that any bound does
	}
	return magnitude{value: t.bits, den: new(big.Int).Exp(big.NewInt(10), big.NewInt(t.decimals), nil)}
}

// eitherMagnitude is for a value that is one of several.
func eitherMagnitude(one, other magnitude) magnitude {
	return magnitude{value: max(one.value, other.value), loose: max(one.loose, other.loose), den: commonMultiple(one.den, other.den)}
}

// calculated is the magnitude of what an operator or a function gives.
func calculated(name string, a, b magnitude) magnitude {
	switch name {
	case "size":
		return wholeMagnitude(countBits)
	case operators.Negate:
		return a
	case operators.Add, operators.Subtract:
		return magnitude{value: max(a.value, b.value) + 1, den: commonMultiple(a.den, b.den), loose: a.loose + b.loose}
	case operators.Multiply:
		return magnitude{value: a.value + b.value, den: new(big.Int).Mul(a.den, b.den), loose: a.loose + b.loose}
	case operators.Divide:
		return quotient(a, b)
	case operators.Modulo:
		return wholeMagnitude(min(a.value, b.value))
	}
	return wholeMagnitude(0)
}

// quotient: the numerator of the divisor goes into the denominator. It is known
// of a number that is written out, and otherwise only how large it can be.
func quotient(a, b magnitude) magnitude {
	if b.exact != nil && b.exact.Sign() != 0 {
		r := b.exact.Rat()
		return magnitude{value: a.value + r.Denom().BitLen(), den: new(big.Int).Mul(a.den, new(big.Int).Abs(r.Num())), loose: a.loose}
	}
	return magnitude{value: a.value + b.denBits(), den: a.den, loose: a.loose + b.numBits()}
}

func commonMultiple(a, b *big.Int) *big.Int {
	if a.Cmp(b) == 0 {
		return a
	}
	product := new(big.Int).Mul(a, b)
	return product.Quo(product, new(big.Int).GCD(nil, nil, a, b))
}
