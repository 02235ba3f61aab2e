// Package decimal holds numbers with at most two decimals exactly: amounts of
// money in the major unit of a currency, and percentages.
package decimal

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Number counts hundredths. The zero value is 0. Its JSON form is a plain
// number without an exponent or trailing zeros.
type Number int64

// ErrForm reports text that is not a number of at most two decimals below
// 10^15.
var ErrForm = errors.New("not a number with at most two decimals")

// maxLength bounds the text of a number before it is computed with: an
// exponent may not turn a short text into a huge one.
const maxLength = 40

// Rat reads a JSON number exactly; false when its text is longer, or its
// exponent greater, than any number of use here needs.
func Rat(text string) (*big.Rat, bool) {
	if len(text) > maxLength {
		return nil, false
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		exponent, err := strconv.Atoi(text[i+1:])
		if err != nil || exponent > maxLength || exponent < -maxLength {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}

// Parse reads a JSON number.
func Parse(text string) (Number, error) {
	r, ok := Rat(text)
	if !ok {
		return 0, ErrForm
	}
	r.Mul(r, big.NewRat(100, 1))
	if !r.IsInt() || r.Num().CmpAbs(big.NewInt(1e17)) >= 0 {
		return 0, ErrForm
	}
	return Number(r.Num().Int64()), nil
}

// Float64 is the nearest double: the value a rule compares with.
func (n Number) Float64() float64 {
	f, _ := big.NewRat(int64(n), 100).Float64()
	return f
}

func (n Number) String() string {
	sign, v := "", int64(n)
	if v < 0 {
		sign, v = "-", -v
	}
	text := fmt.Sprintf("%s%d.%02d", sign, v/100, v%100)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// MarshalJSON writes the number.
func (n Number) MarshalJSON() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalJSON reads the number; a value that it cannot hold exactly is an
// error, never rounded.
func (n *Number) UnmarshalJSON(data []byte) error {
	parsed, err := Parse(string(data))
	if err != nil {
		return err
	}
	*n = parsed
	return nil
}
