package refusal

import "fmt"

// ProblemCode is the kind of a problem of a request. A program decides by it.
type ProblemCode string

// The kinds of problems; the list is closed.
const (
	Required     ProblemCode = "REQUIRED"
	UnknownField ProblemCode = "UNKNOWN_FIELD"
	UnknownValue ProblemCode = "UNKNOWN_VALUE"
	WrongType    ProblemCode = "WRONG_TYPE"
	TooLong      ProblemCode = "TOO_LONG"
	TooShort     ProblemCode = "TOO_SHORT"
	TooLarge     ProblemCode = "TOO_LARGE"
	TooSmall     ProblemCode = "TOO_SMALL"
	WrongFormat  ProblemCode = "WRONG_FORMAT"
	Duplicate    ProblemCode = "DUPLICATE"
	Malformed    ProblemCode = "MALFORMED"
	InvalidRule  ProblemCode = "INVALID_RULE"
	NotAllowed   ProblemCode = "NOT_ALLOWED"
)

// ProblemCodes lists all of them.
func ProblemCodes() []ProblemCode {
	return []ProblemCode{
		Required, UnknownField, UnknownValue, WrongType, TooLong, TooShort, TooLarge, TooSmall, WrongFormat, Duplicate, Malformed, InvalidRule, NotAllowed,
	}
}

// Problem is what is wrong with a value, and what to do about it. Only the functions of this file
// make one, so that each has a code. The zero value is no problem.
type Problem struct {
	Code    ProblemCode `json:"code"`
	Message string      `json:"message"`
	// Suggestion is the name or the value that was probably meant, of UNKNOWN_FIELD and UNKNOWN_VALUE.
	Suggestion string `json:"suggestion,omitempty"`
	// Allowed are all values, of UNKNOWN_VALUE.
	Allowed []string `json:"allowed,omitempty"`
	// Expected is the type of JSON, of WRONG_TYPE.
	Expected string `json:"expected,omitempty"`
	// Limit is the bound of TOO_LONG, TOO_SHORT, TOO_LARGE and TOO_SMALL: of the number itself, or of
	// characters, elements or bytes, as the message says.
	Limit *float64 `json:"limit,omitempty"`
}

// Field is one problem of a request. Field is its path, such as rules.documents[1].when.
type Field struct {
	Field string `json:"field"`
	Problem
}

// None reports whether there is no problem.
func (p Problem) None() bool { return p.Code == "" }

// At names the field with the problem.
func (p Problem) At(field string) Field { return Field{field, p} }

// At makes a problem of a field, whose code has no values.
func At(field string, code ProblemCode, format string, args ...any) Field {
	return Wrong(code, format, args...).At(field)
}

// Wrong makes a problem whose code has no values.
func Wrong(code ProblemCode, format string, args ...any) Problem {
	return Problem{Code: code, Message: fmt.Sprintf(format, args...)}
}

// UnknownName makes an UNKNOWN_FIELD. suggestion is empty if no name is near.
func UnknownName(suggestion, format string, args ...any) Problem {
	p := Wrong(UnknownField, format, args...)
	p.Suggestion = suggestion
	return p
}

// NotOneOf makes an UNKNOWN_VALUE. suggestion is empty if no value is near.
func NotOneOf(allowed []string, suggestion, format string, args ...any) Problem {
	p := Wrong(UnknownValue, format, args...)
	p.Allowed, p.Suggestion = allowed, suggestion
	return p
}

// NotOfType makes a WRONG_TYPE. expected is a type of JSON, or several separated by a comma.
func NotOfType(expected, format string, args ...any) Problem {
	p := Wrong(WrongType, format, args...)
	p.Expected = expected
	return p
}

// Beyond makes a TOO_LONG, TOO_SHORT, TOO_LARGE or TOO_SMALL.
func Beyond[N int | float64](code ProblemCode, limit N, format string, args ...any) Problem {
	p := Wrong(code, format, args...)
	p.Limit = new(float64(limit))
	return p
}
