package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	requisite "requisite/clients/go"
	"requisite/internal/requests/refusal"
	"requisite/internal/text/visible"
)

// Exit codes, for scripts. The help of a command lists its other codes.
const (
	ExitFailed  = 1 // the command failed
	ExitRefused = 3 // the service answered, and refused
)

// ExitError ends the program with a code of its own. Without Err, the command has printed
// the reason already.
type ExitError struct {
	Code int
	Err  error
}

func (e *ExitError) Error() string { return fmt.Sprint(e.Err) }

func (e *ExitError) Unwrap() error { return e.Err }

// ErrRefused reports a refusal that the command has printed.
var ErrRefused = errors.New("refused")

// ExitCode is the exit code for the error of a command. It prints the error, unless the
// command has.
func ExitCode(stderr io.Writer, err error) int {
	stderr = visible.NewWriter(stderr)
	var coded *ExitError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, ErrRefused):
		return ExitRefused
	case errors.As(err, &coded):
		if coded.Err != nil {
			fmt.Fprintln(stderr, "starter:", ErrorText(coded.Err))
		}
		return coded.Code
	}
	fmt.Fprintln(stderr, "starter:", ErrorText(err))
	if _, refused := refusal.FromError(err); refused || errors.As(err, new(requisite.Error)) {
		return ExitRefused
	}
	return ExitFailed
}

// ErrorText is the text of an error for the command line.
func ErrorText(err error) string {
	refused, ok := refusal.FromError(err)
	if ok && refused.Code == refusal.EntityNotFound {
		return OperatorRefusal(refused).Message
	}
	text := err.Error()
	if ok && refused.SubCode == refusal.ApprovalRequired {
		text += "\n  here: starter rules propose, and starter rules approve by another person"
	}
	var fields []refusal.Field
	if ok && refused.Code == refusal.BadRequest && json.Unmarshal(refused.Details, &fields) == nil {
		for _, f := range fields {
			text += fmt.Sprintf("\n  %s: %s", f.Field, f.Message)
		}
	}
	return text
}

// OperatorRefusal is a refusal for commands that work on the database. Its message does not
// mention a credential, because they have none.
func OperatorRefusal(refused *refusal.Refusal) *refusal.Refusal {
	if refused.Code != refusal.EntityNotFound {
		return refused
	}
	reworded := *refused
	reworded.Message = fmt.Sprintf("there is no such %s: %s", entityWords(refused.EntityType), refused.EntityID)
	return &reworded
}

// entityWords splits an entity type such as BusinessSalesInfo into words.
func entityWords(entityType string) string {
	words := regexp.MustCompile(`[A-Z][a-z]*`).FindAllString(entityType, -1)
	return strings.ToLower(strings.Join(words, " "))
}
