package requirement

import (
	"errors"

	"requisite/internal/rational"
)

// Numbers. Input: an error of exact arithmetic. Output: the words for it.

// Number is an exact number: an amount, a percentage, a score.
type Number = rational.Number

// errAbsent: a condition was evaluated without a fact that it needs.
var errAbsent = errors.New("is not on file")

// noAnswer says why an operation has no answer.
func noAnswer(err error) string {
	switch {
	case errors.Is(err, rational.ErrDivisionByZero):
		return "divides by zero"
	case errors.Is(err, rational.ErrTooLarge):
		return "becomes " + rational.ErrTooLarge.Error()
	case errors.Is(err, rational.ErrNotWhole):
		return "needs whole numbers on both sides"
	}
	return err.Error()
}
