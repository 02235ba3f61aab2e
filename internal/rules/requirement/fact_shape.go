package requirement

// The types of facts and expressions. Input: a shape. Output: what it is a list of,
// and its name in a message.

// base is the type of one value in a condition.
type base uint8

const (
	unknownBase base = iota // not known, because of a problem already reported
	boolBase
	numberBase
	textBase
	dateBase
	personBase
)

// shape is the type of an expression: one value, or a list of them.
type shape struct {
	base base
	list bool
}

var (
	unknownShape = shape{}
	boolShape    = shape{base: boolBase}
	numberShape  = shape{base: numberBase}
	textShape    = shape{base: textBase}
	dateShape    = shape{base: dateBase}
	personShape  = shape{base: personBase}
)

func listOf(s shape) shape     { return shape{base: s.base, list: true} }
func (s shape) element() shape { return shape{base: s.base} }
func (s shape) number() bool   { return s == numberShape }

// known is false after a problem that has been reported.
func (s shape) known() bool { return s != unknownShape }

// emptyList is the shape of [ ], whose elements are of no kind.
func (s shape) emptyList() bool { return s.list && s.base == unknownBase }

// String names a shape in the words of a message.
func (s shape) String() string {
	one, many := "a value", "values"
	switch s.base {
	case boolBase:
		one, many = "true or false", "yes-or-no values"
	case numberBase:
		one, many = "a number", "numbers"
	case textBase:
		one, many = "text", "texts"
	case dateBase:
		one, many = "a date", "dates"
	case personBase:
		one, many = "a person", "persons"
	}
	switch {
	case s.emptyList():
		return "an empty list"
	case s.list:
		return "a list of " + many
	}
	return one
}
