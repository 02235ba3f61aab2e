package fact

// The types of facts and expressions, and their names in messages.

// Base is the type of one value in a condition.
type Base uint8

// The types of a value.
const (
	unknownBase Base = iota // not known, because of a problem that was already reported
	BoolBase
	NumberBase
	TextBase
	DateBase
	PersonBase
)

// Shape is the type of an expression: one value, or a list of them.
type Shape struct {
	Base Base
	List bool
}

// The shapes of single values.
var (
	UnknownShape = Shape{}
	BoolShape    = Shape{Base: BoolBase}
	NumberShape  = Shape{Base: NumberBase}
	TextShape    = Shape{Base: TextBase}
	DateShape    = Shape{Base: DateBase}
	PersonShape  = Shape{Base: PersonBase}
)

// ListOf is the shape of a list of values with shape s.
func ListOf(s Shape) Shape { return Shape{Base: s.Base, List: true} }

// Element is the shape of one value of a list.
func (s Shape) Element() Shape { return Shape{Base: s.Base} }

// Number reports whether s is a single number.
func (s Shape) Number() bool { return s == NumberShape }

// Known is false after a reported problem.
func (s Shape) Known() bool { return s != UnknownShape }

// EmptyList reports whether s is the shape of [ ], whose elements have no type.
func (s Shape) EmptyList() bool { return s.List && s.Base == unknownBase }

// String names a shape for a message.
func (s Shape) String() string {
	one, many := "a value", "values"
	switch s.Base {
	case BoolBase:
		one, many = "true or false", "yes-or-no values"
	case NumberBase:
		one, many = "a number", "numbers"
	case TextBase:
		one, many = "text", "texts"
	case DateBase:
		one, many = "a date", "dates"
	case PersonBase:
		one, many = "a person", "persons"
	}
	switch {
	case s.EmptyList():
		return "an empty list"
	case s.List:
		return "a list of " + many
	}
	return one
}
