// Package decimal holds numbers with at most two decimals exactly: amounts of
// money in the major unit of a currency, and percentages.
package decimal

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"requisite/internal/rational"
)

// Number counts hundredths. The zero value is 0. Its JSON form is a plain
// number without an exponent or trailing zeros.
type Number int64

// ErrForm reports text that is not a number of at most two decimals below
// 10^15.
var ErrForm = errors.New("not a number with at most two decimals")

// Parse reads a JSON number.
func Parse(text string) (Number, error) {
	n, err := rational.Parse(text)
	if err != nil {
		return 0, ErrForm
	}
	r := new(big.Rat).Mul(n.Rat(), big.NewRat(100, 1))
	if !r.IsInt() || r.Num().CmpAbs(big.NewInt(1e17)) >= 0 {
		return 0, ErrForm
	}
	return Number(r.Num().Int64()), nil
}

// Exact is the number as rules calculate with it.
func (n Number) Exact() rational.Number { return rational.Hundredths(int64(n)) }

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
