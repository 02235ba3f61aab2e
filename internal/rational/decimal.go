package rational

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// Decimal is a number with at most two decimals: an amount of money in the major
// unit of a currency, or a percentage. It counts hundredths. The zero value is 0. Its JSON form is a plain
// number without an exponent or trailing zeros.
type Decimal int64

// ErrDecimal reports text that is not a number of at most two decimals below
// 10^15.
var ErrDecimal = errors.New("not a number with at most two decimals")

// ParseDecimal reads a JSON number.
func ParseDecimal(text string) (Decimal, error) {
	n, err := Parse(text)
	if err != nil {
		return 0, ErrDecimal
	}
	r := new(big.Rat).Mul(n.Rat(), big.NewRat(100, 1))
	if !r.IsInt() || r.Num().CmpAbs(big.NewInt(1e17)) >= 0 {
		return 0, ErrDecimal
	}
	return Decimal(r.Num().Int64()), nil
}

// Exact is the number as rules calculate with it.
func (n Decimal) Exact() Number { return Hundredths(int64(n)) }

func (n Decimal) String() string {
	sign, v := "", int64(n)
	if v < 0 {
		sign, v = "-", -v
	}
	text := fmt.Sprintf("%s%d.%02d", sign, v/100, v%100)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// MarshalJSON writes the number.
func (n Decimal) MarshalJSON() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalJSON reads the number; a value that it cannot hold exactly is an
// error, never rounded.
func (n *Decimal) UnmarshalJSON(data []byte) error {
	parsed, err := ParseDecimal(string(data))
	if err != nil {
		return err
	}
	*n = parsed
	return nil
}
