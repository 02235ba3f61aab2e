package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	requisite "requisite/clients/go"
	"requisite/internal/requests/refusal"
	"requisite/internal/text/visible"
	"strings"
)

// Exit codes, for scripts. What a command adds to them, its help says.
const (
	exitFailed  = 1 // the command failed
	exitRefused = 3 // the service answered, and refused
)

// exitError ends the program with a code of its own. Without an error inside,
// all has been said.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return fmt.Sprint(e.err) }

func (e *exitError) Unwrap() error { return e.err }

// errRefused marks a command whose request was answered with a refusal, which
// has been printed.
var errRefused = errors.New("refused")

// exitCode is the exit code for the error of a command, which it prints unless
// it was printed already.
func exitCode(stderr io.Writer, err error) int {
	stderr = visible.NewWriter(stderr)
	var coded *exitError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errRefused):
		return exitRefused
	case errors.As(err, &coded):
		if coded.err != nil {
			fmt.Fprintln(stderr, "starter:", errorText(coded.err))
		}
		return coded.code
	}
	fmt.Fprintln(stderr, "starter:", errorText(err))
	if answered := (requisite.Error{}); errors.As(err, &answered) {
		return exitRefused
	}
	return exitFailed
}

// errorText is the text of an error for the command line, which has no credential.
func errorText(err error) string {
	if refused, ok := refusal.FromError(err); ok && refused.Code == refusal.EntityNotFound {
		return refusedHere(refused).Message
	}
	return err.Error()
}

// refusedHere is the text of a refusal for commands that work on the database,
// which have no credential.
func refusedHere(refused *refusal.Refusal) *refusal.Refusal {
	if refused.Code != refusal.EntityNotFound {
		return refused
	}
	told := *refused
	told.Message = fmt.Sprintf("there is no such %s: %s", entityWords(refused.EntityType), refused.EntityID)
	return &told
}

// entityWords splits an entity type such as BusinessSalesInfo into words.
func entityWords(entityType string) string {
	words := regexp.MustCompile(`[A-Z][a-z]*`).FindAllString(entityType, -1)
	return strings.ToLower(strings.Join(words, " "))
}
