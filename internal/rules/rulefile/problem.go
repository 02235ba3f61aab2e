package rulefile

import (
	"fmt"
	"unicode/utf8"

	"requisite/internal/requests/wire"
)

// Problem is one thing wrong with a rule set or a pricing model.
type Problem struct {
	// Path is the path in the rule set, such as documents[1].when.
	Path    string `json:"path"`
	Message string `json:"message"`
	// Line and Column count from 1, and are 0 if unknown. A problem that was found while reading
	// has a position in the file. A problem of a condition has a position in the condition.
	// File.Locate turns both into positions in the file.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// Severity is set for a warning. A problem that refuses the rule set has none.
	Severity Severity `json:"severity,omitempty"`
}

// Severity distinguishes a likely mistake from advice.
type Severity string

const (
	SeverityWarning Severity = "WARNING" // probably not intended
	SeverityHint    Severity = "HINT"    // could be better, such as a rule that no example tries
)

// Severities lists both.
func Severities() []Severity { return []Severity{SeverityWarning, SeverityHint} }

// MaxProblems limits how many problems are reported at once. The first ones are enough.
const MaxProblems = 100

// FirstProblems returns as many problems as are reported.
func FirstProblems(problems []Problem) []Problem {
	if len(problems) <= MaxProblems {
		return problems
	}
	return append(problems[:MaxProblems-1:MaxProblems-1], MoreProblems())
}

// MoreProblems comes last if not all problems are listed.
func MoreProblems() Problem {
	return Problem{Message: fmt.Sprintf("has more problems than these %d: correct them first", MaxProblems-1)}
}

// LineColumn converts a byte offset to a line and a column, both from 1.
func LineColumn(source string, offset int) (line, column int) {
	return wire.Position([]byte(source[:offset]), offset)
}

// Clip shortens a text for a quotation in a message.
func Clip(text string) string {
	const most = 60
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}

// WithPath gives the problems a path, and returns them.
func WithPath(problems []Problem, path string) []Problem {
	for i := range problems {
		problems[i].Path = path
	}
	return problems
}
