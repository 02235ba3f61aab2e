package rational

import (
	"database/sql/driver"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Words rounds a number with more than mostDecimals decimals, or with infinitely
// many, to roundedTo of them.
const (
	mostDecimals = 8
	roundedTo    = 6
)

// Decimals is how many decimals n has; false when they never end.
func (n Number) Decimals() (int, bool) {
	if n.big != nil {
		return n.big.FloatPrec()
	}
	den, twos, fives := n.den(), 0, 0
	for den%2 == 0 {
		den, twos = den/2, twos+1
	}
	for den%5 == 0 {
		den, fives = den/5, fives+1
	}
	return max(twos, fives), den == 1
}

// String writes n exactly, without an exponent: as a decimal number if its
// decimals end, and otherwise as a fraction such as 1/3.
func (n Number) String() string {
	if n.big == nil && n.less == 0 {
		return strconv.FormatInt(n.num, 10)
	}
	decimals, ends := n.Decimals()
	if !ends {
		return n.Rat().String()
	}
	if n.big == nil && decimals <= 18 {
		return n.short(decimals)
	}
	return n.Rat().FloatString(decimals)
}

// short is String of a number that is small and has so many decimals.
func (n Number) short(decimals int) string {
	den := uint64(n.den())
	whole, rest := magnitude(n.num)/den, magnitude(n.num)%den
	text := make([]byte, 0, 40)
	if n.num < 0 {
		text = append(text, '-')
	}
	text = append(strconv.AppendUint(text, whole, 10), '.')
	for range decimals {
		// rest is below den, which is at most 10^18 and divides 10^decimals.
		rest *= 10
		text = append(text, '0'+byte(rest/den))
		rest %= den
	}
	return string(text)
}

// Words writes n for a reader: exactly if it has few decimals, and otherwise
// rounded and marked as rounded. A rounded number never looks like an exact round
// number.
func (n Number) Words() string {
	if decimals, ends := n.Decimals(); ends && decimals <= mostDecimals {
		return n.String()
	}
	text := strings.TrimRight(n.Rat().FloatString(roundedTo), "0")
	if _, decimals, _ := strings.Cut(text, "."); len(decimals) > 2 {
		return "about " + text
	}
	text = strings.TrimSuffix(text, ".")
	if text == "-0" {
		text = "0"
	}
	rounded, _ := new(big.Rat).SetString(text)
	if n.Rat().Cmp(rounded) > 0 {
		return "just over " + text
	}
	return "just under " + text
}

// MarshalJSON writes a JSON number, never with an exponent; a fraction whose
// decimals never end is a string.
func (n Number) MarshalJSON() ([]byte, error) {
	text := n.String()
	if strings.Contains(text, "/") {
		return []byte(`"` + text + `"`), nil
	}
	return []byte(text), nil
}

// UnmarshalJSON reads a JSON number exactly.
func (n *Number) UnmarshalJSON(data []byte) error {
	parsed, err := Parse(string(data))
	if err != nil {
		return err
	}
	*n = parsed
	return nil
}

// Scan reads a numeric of a database.
func (n *Number) Scan(source any) error {
	text, ok := source.(string)
	if !ok {
		return fmt.Errorf("no number is read from a %T", source)
	}
	return n.UnmarshalJSON([]byte(text))
}

// Value writes a numeric of a database.
func (n Number) Value() (driver.Value, error) { return n.String(), nil }
