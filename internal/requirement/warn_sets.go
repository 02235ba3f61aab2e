package requirement

import (
	"cmp"
	"math/big"
	"slices"
)

// Sets of values. Input: bounds on one or several quantities. Output: sets and boxes,
// with their unions, intersections and complements.

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

// quantity is something that has one value in any one application, such as a
// fact, the number of persons, or a person's field within a loop.
type quantity struct {
	key    string
	fact   string // whose value it is, when it is that of one fact, field or count
	domain set
	step   *big.Rat // of which every value is a multiple; nil when any value may occur
	// words say which values can be on record; empty when any can.
	words string
	// depth counts the loops around the value; within a loop it is another one for
	// each element.
	depth int
}

// among are the values of the quantity that are in s, and those that are not.
func (q *quantity) among(s set) (in, out set) {
	if q.step != nil {
		s = s.onGrid(q.step)
	}
	return s.with(q.domain, true), s.complement().with(q.domain, true)
}

// box says what each of several quantities can be at once. A quantity that is not
// in it can be anything. It is a superset: what is outside the box cannot be, and
// what is inside may not be either.
type box struct {
	none  bool // nothing at all can be
	sides []boxSide
}

type boxSide struct {
	of     *quantity
	values set
}

var noBox = box{none: true}

// boxOf is the box in which one quantity has one of some values.
func boxOf(q *quantity, values set) box {
	if values.empty() {
		return noBox
	}
	return box{sides: []boxSide{{q, values}}}
}

// size is the work of going through the box once.
func (b box) size() int {
	size := 1
	for _, side := range b.sides {
		size += len(side.values)
	}
	return size
}

// and is what can be within both boxes.
func (b box) and(other box) box {
	if b.none || other.none {
		return noBox
	}
	var met box
	for i, j := 0, 0; i < len(b.sides) || j < len(other.sides); {
		switch order := sideOrder(b.sides, i, other.sides, j); {
		case order < 0:
			met.sides = append(met.sides, b.sides[i])
			i++
		case order > 0:
			met.sides = append(met.sides, other.sides[j])
			j++
		default:
			values := b.sides[i].values.with(other.sides[j].values, true)
			if values.empty() {
				return noBox
			}
			met.sides = append(met.sides, boxSide{b.sides[i].of, values})
			i, j = i+1, j+1
		}
	}
	return met
}

// or is a box around both: exact where both say something about one quantity and
// nothing else.
func (b box) or(other box) box {
	switch {
	case b.none:
		return other
	case other.none:
		return b
	}
	var joined box
	for i, j := 0, 0; i < len(b.sides) && j < len(other.sides); {
		switch order := sideOrder(b.sides, i, other.sides, j); {
		case order < 0:
			i++
		case order > 0:
			j++
		default:
			joined.sides = append(joined.sides, boxSide{b.sides[i].of, b.sides[i].values.with(other.sides[j].values, false)})
			i, j = i+1, j+1
		}
	}
	return joined
}

func sideOrder(a []boxSide, i int, b []boxSide, j int) int {
	switch {
	case i == len(a):
		return 1
	case j == len(b):
		return -1
	}
	return cmp.Compare(a[i].of.key, b[j].of.key)
}

// outside is b without what is said about the elements of a loop.
func (b box) outside(depth int) box {
	if b.none {
		return b
	}
	return box{sides: slices.DeleteFunc(slices.Clone(b.sides), func(s boxSide) bool { return s.of.depth > depth })}
}
