package fact

import (
	"cmp"
	"math/big"
	"slices"
)

// Sets of values that a fact can have. Input: their bounds. Output: sets, with their
// unions, intersections and complements.

// Edge is a boundary between two neighboring values: just before one, just after
// one, or beyond them all. With edges, a bound that belongs to a range and one
// that does not are handled alike.
type Edge struct {
	end    int8 // -1 before every value, 1 after every value, 0 beside one
	number *big.Rat
	text   string
	after  bool
}

// Lowest is before every value, and Highest after every value.
var (
	Lowest  = Edge{end: -1}
	Highest = Edge{end: 1}
)

// BeforeNumber is the edge just before a number.
func BeforeNumber(v *big.Rat) Edge { return Edge{number: v} }

// AfterNumber is the edge just after a number.
func AfterNumber(v *big.Rat) Edge { return Edge{number: v, after: true} }

// BeforeText is the edge just before a text.
func BeforeText(v string) Edge { return Edge{text: v} }

// AfterText is the edge just after a text.
func AfterText(v string) Edge { return Edge{text: v, after: true} }

// Compare is below 0 when a is before b, 0 when they are one edge, and else above.
func (a Edge) Compare(b Edge) int {
	if a.end != 0 || b.end != 0 {
		return cmp.Compare(a.end, b.end)
	}
	order := 0
	if a.number != nil {
		order = a.number.Cmp(b.number)
	} else {
		order = cmp.Compare(a.text, b.text)
	}
	switch {
	case order != 0 || a.after == b.after:
		return order
	case a.after:
		return 1
	}
	return -1
}

// Set is a set of numbers or of texts: the values between its first edge and its
// second, its third and its fourth, and so on. The edges ascend.
type Set []Edge

// Everything is the set of all values.
func Everything() Set { return Set{Lowest, Highest} }

// Between are the values from one edge to another: none when they are in the wrong order.
func Between(a, b Edge) Set { return Set{a, b}.tidy() }

// tidy is empty when the edges of a single range are in the wrong order.
func (s Set) tidy() Set {
	if len(s) == 2 && s[0].Compare(s[1]) >= 0 {
		return nil
	}
	return s
}

// Empty reports whether no value is in s.
func (s Set) Empty() bool { return len(s) == 0 }

// Complement are the values that are not in s.
func (s Set) Complement() Set {
	var other Set
	switch {
	case len(s) > 0 && s[0].end < 0:
		other = slices.Clone(s[1:])
	default:
		other = append(Set{Lowest}, s...)
	}
	if last := len(other) - 1; other[last].end > 0 {
		return other[:last]
	}
	return append(other, Highest)
}

// With merges two sets; both says whether a value must be in both or in one.
func (s Set) With(other Set, both bool) Set {
	need := 1
	if both {
		need = 2
	}
	var merged Set
	depth, inside := 0, false
	for i, j := 0, 0; i < len(s) || j < len(other); {
		order := -1
		switch {
		case i == len(s):
			order = 1
		case j < len(other):
			order = s[i].Compare(other[j])
		}
		var at Edge
		if order <= 0 {
			at = s[i]
			depth += 1 - 2*(i%2)
			i++
		}
		if order >= 0 {
			at = other[j]
			depth += 1 - 2*(j%2)
			j++
		}
		if now := depth >= need; now != inside {
			merged, inside = append(merged, at), now
		}
	}
	return merged
}

// Points is the set of some values, given as the edges before each.
func Points(before []Edge) Set {
	sorted := slices.SortedFunc(slices.Values(before), Edge.Compare)
	var s Set
	for i, at := range sorted {
		if i > 0 && at.Compare(sorted[i-1]) == 0 {
			continue
		}
		after := at
		after.after = true
		s = append(s, at, after)
	}
	return s
}

// OnGrid moves every edge to just before the next multiple of step, where it
// parts the multiples as before.
func (s Set) OnGrid(step *big.Rat) Set {
	moved := make(Set, 0, len(s))
	for i, at := range s {
		if at.end == 0 {
			multiple := new(big.Rat).Quo(at.number, step)
			whole := new(big.Int).Div(multiple.Num(), multiple.Denom()) // rounds down: the denominator is positive
			if at.after || !multiple.IsInt() {
				whole.Add(whole, big.NewInt(1))
			}
			at = BeforeNumber(new(big.Rat).Mul(new(big.Rat).SetInt(whole), step))
		}
		// Two edges that meet enclose nothing, or part nothing.
		if last := len(moved) - 1; i > 0 && last >= 0 && moved[last].Compare(at) == 0 {
			moved = moved[:last]
			continue
		}
		moved = append(moved, at)
	}
	return moved
}

// Bounds are the least and the greatest number that s may hold; nil where there
// is none.
func (s Set) Bounds() (least, most *big.Rat) {
	if len(s) > 0 {
		least, most = s[0].number, s[len(s)-1].number
	}
	return least, most
}

// Exact is a number, and a date in days.
func Exact(value any) (*big.Rat, bool) {
	switch v := value.(type) {
	case Number:
		return new(big.Rat).Set(v.Rat()), true
	case Date:
		const day = 24 * 60 * 60
		return big.NewRat(v.UTC().Unix()/day, 1), true
	}
	return nil, false
}
