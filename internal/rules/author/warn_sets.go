package author

import (
	"cmp"
	"math/big"
	"slices"

	"requisite/internal/rules/fact"
)

// What several quantities can be at once. Input: a set of values for each. Output:
// boxes, with their unions and intersections.

// quantity is something that has one value in any one application, such as a
// fact, the number of persons, or a person's field within a loop.
type quantity struct {
	key    string
	fact   string // whose value it is, when it is that of one fact, field or count
	domain fact.Set
	step   *big.Rat // of which every value is a multiple; nil when any value may occur
	// words say which values can be on record; empty when any can.
	words string
	// depth counts the loops around the value; within a loop it is another one for
	// each element.
	depth int
}

// among are the values of the quantity that are in s, and those that are not.
func (q *quantity) among(s fact.Set) (in, out fact.Set) {
	if q.step != nil {
		s = s.OnGrid(q.step)
	}
	return s.With(q.domain, true), s.Complement().With(q.domain, true)
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
	values fact.Set
}

var noBox = box{none: true}

// boxOf is the box in which one quantity has one of some values.
func boxOf(q *quantity, values fact.Set) box {
	if values.Empty() {
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
			values := b.sides[i].values.With(other.sides[j].values, true)
			if values.Empty() {
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
			joined.sides = append(joined.sides, boxSide{b.sides[i].of, b.sides[i].values.With(other.sides[j].values, false)})
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
