package requirement

import (
	"math/big"

	"cel.dev/cel-go/common/operators"

	"requisite/internal/rational"
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

// measurer finds the magnitudes of a condition's numbers, and with a list those
// of its elements.
type measurer struct {
	found     map[int64]magnitude // by the id of the node
	variables map[string]magnitude
	tooLarge  *node // the first expression that may become too large
}

// measure is sound for facts that records can hold: with them no number goes
// beyond the bounds of package rational unless tooLarge says so. Other facts meet
// those bounds themselves.
func measure(tree *node) *measurer {
	m := &measurer{found: map[int64]magnitude{}, variables: map[string]magnitude{}}
	m.measure(tree)
	return m
}

func (m *measurer) measure(n *node) magnitude {
	found := m.of(n)
	if found.den == nil {
		found.den = big.NewInt(1)
	}
	if found.numBits() > rational.MaxBits {
		if m.tooLarge == nil {
			m.tooLarge = n
		}
		found = wholeMagnitude(1) // told once
	}
	m.found[n.id] = found
	return found
}

func (m *measurer) of(n *node) magnitude {
	switch n.kind {
	case literalKind:
		if number, ok := n.literal.(Number); ok {
			return literalMagnitude(number)
		}
	case factKind, fieldKind:
		for _, arg := range n.args {
			m.measure(arg)
		}
		return onRecord(n.name)
	case variableKind:
		return m.variables[n.name]
	case arrayKind:
		return m.either(n.args)
	case loopKind:
		return m.loop(n)
	case callKind:
		return m.call(n)
	}
	return magnitude{}
}

// onRecord is the magnitude of a fact or of a person's field.
func onRecord(name string) magnitude {
	t := lookup(name).factType
	if t.bits == 0 {
		t = amountFact // it is no number, so that any bound does
	}
	return magnitude{value: t.bits, den: new(big.Int).Exp(big.NewInt(10), big.NewInt(t.decimals), nil)}
}

// either is for a value that is one of several.
func (m *measurer) either(nodes []*node) magnitude {
	most := wholeMagnitude(0)
	for _, n := range nodes {
		one := m.measure(n)
		most.value, most.loose, most.den = max(most.value, one.value), max(most.loose, one.loose), commonMultiple(most.den, one.den)
	}
	return most
}

func (m *measurer) loop(n *node) magnitude {
	list := m.measure(n.list())
	m.variables[n.variable] = list // no other loop around n has a variable of this name
	result := list
	for i, part := range n.args[1:] {
		if part != nil {
			if found := m.measure(part); i == 1 {
				result = found
			}
		}
	}
	return result
}

func (m *measurer) call(n *node) magnitude {
	if n.name == operators.Conditional {
		m.measure(n.args[0])
		return m.either(n.args[1:])
	}
	args := make([]magnitude, len(n.args))
	for i, arg := range n.args {
		args[i] = m.measure(arg)
	}
	switch n.name {
	case "size":
		return wholeMagnitude(countBits)
	case operators.Negate:
		return args[0]
	case operators.Add, operators.Subtract:
		return magnitude{value: max(args[0].value, args[1].value) + 1, den: commonMultiple(args[0].den, args[1].den), loose: args[0].loose + args[1].loose}
	case operators.Multiply:
		return magnitude{value: args[0].value + args[1].value, den: new(big.Int).Mul(args[0].den, args[1].den), loose: args[0].loose + args[1].loose}
	case operators.Divide:
		return quotient(args[0], args[1])
	case operators.Modulo:
		return wholeMagnitude(min(args[0].value, args[1].value))
	}
	return magnitude{}
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
