package requirement

import (
	"cmp"
	"math/big"
	"slices"
)

// Sets of values that a fact can have. Input: their bounds. Output: sets, with their
// unions, intersections and complements.

// edge is a boundary between two neighboring values: just before one, just after
// one, or beyond them all. With edges, a bound that belongs to a range and one
// that does not are handled alike.
type edge struct {
	end    int8 // -1 before every value, 1 after every value, 0 beside one
	number *big.Rat
	text   string
	after  bool
}

var (
	lowest  = edge{end: -1}
	highest = edge{end: 1}
)

func beforeNumber(v *big.Rat) edge { return edge{number: v} }
func afterNumber(v *big.Rat) edge  { return edge{number: v, after: true} }
func beforeText(v string) edge     { return edge{text: v} }
func afterText(v string) edge      { return edge{text: v, after: true} }

func (a edge) compare(b edge) int {
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

// set is a set of numbers or of texts: the values between its first edge and its
// second, its third and its fourth, and so on. The edges ascend.
type set []edge

func everything() set       { return set{lowest, highest} }
func between(a, b edge) set { return set{a, b}.tidy() }

// tidy is empty when the edges of a single range are in the wrong order.
func (s set) tidy() set {
	if len(s) == 2 && s[0].compare(s[1]) >= 0 {
		return nil
	}
	return s
}

func (s set) empty() bool { return len(s) == 0 }

// complement are the values that are not in s.
func (s set) complement() set {
	var other set
	switch {
	case len(s) > 0 && s[0].end < 0:
		other = slices.Clone(s[1:])
	default:
		other = append(set{lowest}, s...)
	}
	if last := len(other) - 1; other[last].end > 0 {
		return other[:last]
	}
	return append(other, highest)
}

// with merges two sets; both says whether a value must be in both or in one.
func (s set) with(other set, both bool) set {
	need := 1
	if both {
		need = 2
	}
	var merged set
	depth, inside := 0, false
	for i, j := 0, 0; i < len(s) || j < len(other); {
		order := -1
		switch {
		case i == len(s):
			order = 1
		case j < len(other):
			order = s[i].compare(other[j])
		}
		var at edge
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

// points is the set of some values, given as the edges before each.
func points(before []edge) set {
	sorted := slices.SortedFunc(slices.Values(before), edge.compare)
	var s set
	for i, at := range sorted {
		if i > 0 && at.compare(sorted[i-1]) == 0 {
			continue
		}
		after := at
		after.after = true
		s = append(s, at, after)
	}
	return s
}

// onGrid moves every edge to just before the next multiple of step, where it
// parts the multiples as before.
func (s set) onGrid(step *big.Rat) set {
	moved := make(set, 0, len(s))
	for i, at := range s {
		if at.end == 0 {
			multiple := new(big.Rat).Quo(at.number, step)
			whole := new(big.Int).Div(multiple.Num(), multiple.Denom()) // rounds down: the denominator is positive
			if at.after || !multiple.IsInt() {
				whole.Add(whole, big.NewInt(1))
			}
			at = beforeNumber(new(big.Rat).Mul(new(big.Rat).SetInt(whole), step))
		}
		// Two edges that meet enclose nothing, or part nothing.
		if last := len(moved) - 1; i > 0 && last >= 0 && moved[last].compare(at) == 0 {
			moved = moved[:last]
			continue
		}
		moved = append(moved, at)
	}
	return moved
}

// bounds are the least and the greatest number that s may hold; nil where there
// is none.
func (s set) bounds() (least, most *big.Rat) {
	if len(s) > 0 {
		least, most = s[0].number, s[len(s)-1].number
	}
	return least, most
}

// exact is a number, and a date in days.
func exact(value any) (*big.Rat, bool) {
	switch v := value.(type) {
	case Number:
		return new(big.Rat).Set(v.Rat()), true
	case Date:
		const day = 24 * 60 * 60
		return big.NewRat(v.UTC().Unix()/day, 1), true
	}
	return nil, false
}
