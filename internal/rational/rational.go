// Package rational holds exact numbers: whole numbers, decimals and fractions.
// Only Words rounds, and marks the number as rounded.
package rational

import (
	"errors"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// MaxBits limits the numerator and the denominator of every result, so that no
// expression can make huge numbers: 154 digits each.
const MaxBits = 512

// maxLength bounds the text of a number, its sign and exponent included, and
// maxExponent its exponent: a short text may not stand for a huge number.
const (
	maxLength   = 40
	maxExponent = 40
)

// Operations without a result.
var (
	ErrDivisionByZero = errors.New("division by zero")
	ErrTooLarge       = errors.New("a number of more than 154 digits")
	ErrNotWhole       = errors.New("the remainder of numbers that are not whole")
	ErrForm           = errors.New("not a plain decimal number of at most 40 characters")
)

// Number is an exact rational number. The zero value is 0. Numbers are compared
// with Equal and Cmp, never with ==.
type Number struct {
	// num and less+1 are the numerator and the denominator in lowest terms.
	// Numbers that do not fit into them are in big.
	num, less int64
	big       *big.Rat
}

// Int is a whole number.
func Int(v int64) Number {
	if v == math.MinInt64 {
		return Number{big: new(big.Rat).SetInt64(v)}
	}
	return Number{num: v}
}

// Hundredths is v / 100.
func Hundredths(v int64) Number {
	if v == math.MinInt64 {
		return Number{big: big.NewRat(v, 100)}
	}
	return lowest(v, 100)
}

// Parse reads a decimal number such as -12, 0.5, .5 or 1.5e3, exactly.
func Parse(text string) (Number, error) {
	if !plain(text) {
		return Number{}, ErrForm
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		exponent, err := strconv.Atoi(text[i+1:])
		if err != nil || exponent > maxExponent || exponent < -maxExponent {
			return Number{}, ErrForm
		}
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return Number{}, ErrForm
	}
	return compact(r)
}

// plain reports whether text has the form of a decimal number: math/big reads
// fractions, bases and separators too.
func plain(text string) bool {
	if len(text) > maxLength {
		return false
	}
	mantissa, exponent, scaled := strings.Cut(strings.ToLower(text), "e")
	whole, decimals, pointed := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	if scaled && !digits(strings.TrimLeft(exponent[:min(1, len(exponent))], "+-")+exponent[min(1, len(exponent)):]) {
		return false
	}
	return digits(decimals) && digits(whole) || !pointed && digits(whole) || pointed && whole == "" && digits(decimals)
}

func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// lowest is num / den for den above 0 and num above the least int64.
func lowest(num, den int64) Number {
	if g := gcd(magnitude(num), uint64(den)); g > 1 {
		num, den = num/int64(g), den/int64(g)
	}
	return Number{num: num, less: den - 1}
}

// compact is r in its smallest form. It takes ownership of r.
func compact(r *big.Rat) (Number, error) {
	if r.Num().IsInt64() && r.Denom().IsInt64() && r.Num().Int64() != math.MinInt64 {
		return Number{num: r.Num().Int64(), less: r.Denom().Int64() - 1}, nil
	}
	if r.Num().BitLen() > MaxBits || r.Denom().BitLen() > MaxBits {
		return Number{}, ErrTooLarge
	}
	return Number{big: r}, nil
}

func (n Number) den() int64 { return n.less + 1 }

// Rat returns n for math/big. The caller must not change it.
func (n Number) Rat() *big.Rat {
	if n.big != nil {
		return n.big
	}
	return big.NewRat(n.num, n.den())
}

// Add is n + m.
func (n Number) Add(m Number) (Number, error) {
	if n.big == nil && m.big == nil {
		if sum, ok := add(n, m); ok {
			return sum, nil
		}
	}
	return compact(new(big.Rat).Add(n.Rat(), m.Rat()))
}

// Sub is n - m.
func (n Number) Sub(m Number) (Number, error) { return n.Add(m.Neg()) }

// Neg is -n.
func (n Number) Neg() Number {
	if n.big != nil {
		return Number{big: new(big.Rat).Neg(n.big)}
	}
	return Number{num: -n.num, less: n.less}
}

// Mul is n * m.
func (n Number) Mul(m Number) (Number, error) {
	if n.big == nil && m.big == nil {
		if product, ok := mul(n.num, n.den(), m.num, m.den()); ok {
			return product, nil
		}
	}
	return compact(new(big.Rat).Mul(n.Rat(), m.Rat()))
}

// Quo is n / m, exactly: 18 / 12 is 1.5.
func (n Number) Quo(m Number) (Number, error) {
	if m.Sign() == 0 {
		return Number{}, ErrDivisionByZero
	}
	if n.big == nil && m.big == nil {
		num, den := m.den(), m.num
		if den < 0 {
			num, den = -num, -den
		}
		if quotient, ok := mul(n.num, n.den(), num, den); ok {
			return quotient, nil
		}
	}
	return compact(new(big.Rat).Quo(n.Rat(), m.Rat()))
}

// Rem is the remainder of n / m, of two whole numbers, with the sign of n.
func (n Number) Rem(m Number) (Number, error) {
	switch {
	case !n.IsInt() || !m.IsInt():
		return Number{}, ErrNotWhole
	case m.Sign() == 0:
		return Number{}, ErrDivisionByZero
	case n.big == nil && m.big == nil:
		return Number{num: n.num % m.num}, nil
	}
	return compact(new(big.Rat).SetInt(new(big.Int).Rem(n.Rat().Num(), m.Rat().Num())))
}

// Cmp is -1, 0 or 1 as n is less than m, equal to it or more.
func (n Number) Cmp(m Number) int {
	switch {
	case n.big != nil || m.big != nil:
		return n.Rat().Cmp(m.Rat())
	case n.less == m.less:
		return compare(n.num, m.num)
	case n.Sign() != m.Sign():
		return compare(int64(n.Sign()), int64(m.Sign()))
	}
	highN, lowN := bits.Mul64(magnitude(n.num), uint64(m.den()))
	highM, lowM := bits.Mul64(magnitude(m.num), uint64(n.den()))
	order := 0
	switch {
	case highN != highM:
		order = compare(highN, highM)
	default:
		order = compare(lowN, lowM)
	}
	return order * n.Sign()
}

func compare[T int64 | uint64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Equal reports whether n and m are the same number.
func (n Number) Equal(m Number) bool {
	if n.big != nil && m.big != nil {
		return n.big.Cmp(m.big) == 0
	}
	return n == m // a number that fits has only one form
}

// Sign is -1, 0 or 1.
func (n Number) Sign() int {
	if n.big != nil {
		return n.big.Sign()
	}
	return compare(n.num, 0)
}

// IsInt reports whether n is a whole number.
func (n Number) IsInt() bool {
	if n.big != nil {
		return n.big.IsInt()
	}
	return n.less == 0
}

// Bits are the lengths of the numerator and of the denominator.
func (n Number) Bits() (num, den int) {
	if n.big != nil {
		return n.big.Num().BitLen(), n.big.Denom().BitLen()
	}
	return bits.Len64(magnitude(n.num)), bits.Len64(uint64(n.den()))
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return uint64(-v)
	}
	return uint64(v)
}

func gcd(a, b uint64) uint64 {
	if a == 0 || b == 0 {
		return a | b
	}
	shift := bits.TrailingZeros64(a | b)
	a >>= bits.TrailingZeros64(a)
	for b != 0 {
		b >>= bits.TrailingZeros64(b)
		if a > b {
			a, b = b, a
		}
		b -= a
	}
	return a << shift
}

// add is the sum of two small numbers; false when it does not fit.
func add(n, m Number) (Number, bool) {
	nn, mn, common, den := n.num, m.num, int64(1), n.den()
	if n.less != m.less {
		common = int64(gcd(uint64(n.den()), uint64(m.den())))
		var okN, okM, okD bool
		nn, okN = times(nn, m.den()/common)
		mn, okM = times(mn, n.den()/common)
		den, okD = times(n.den()/common, m.den())
		if !okN || !okM || !okD {
			return Number{}, false
		}
	}
	sum := nn + mn
	if (sum > nn) != (mn > 0) || sum == math.MinInt64 {
		return Number{}, false
	}
	if den == 1 {
		return Number{num: sum}, true
	}
	return lowest(sum, den), true
}

// mul is the product of two small fractions in lowest terms; false when it does
// not fit.
func mul(nn, nd, mn, md int64) (Number, bool) {
	if nd > 1 || md > 1 {
		if md > 1 {
			if g := int64(gcd(magnitude(nn), uint64(md))); g > 1 {
				nn, md = nn/g, md/g
			}
		}
		if nd > 1 {
			if g := int64(gcd(magnitude(mn), uint64(nd))); g > 1 {
				mn, nd = mn/g, nd/g
			}
		}
	}
	num, okN := times(nn, mn)
	den, okD := times(nd, md)
	return Number{num: num, less: den - 1}, okN && okD
}

// times is a * b; false when it does not fit.
func times(a, b int64) (int64, bool) {
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	if high != 0 || low > math.MaxInt64 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(low), true
	}
	return int64(low), true
}
