package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/user"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/text/visible"
)

// changing marks commands that change something.
const changing = "changing"

// Changing marks a command that changes something: it is written to the audit log.
func Changing(c *cobra.Command) *cobra.Command {
	c.Annotations = map[string]string{changing: ""}
	return c
}

// commandName is the name of a command in the audit log.
func commandName(c *cobra.Command) string { return strings.TrimPrefix(c.CommandPath(), "starter ") }

// AskWho adds --as to the changing commands that lack it, so that the audit log has a name.
func AskWho(c *cobra.Command) {
	for _, below := range c.Commands() {
		AskWho(below)
	}
	if IsChanging(c) && c.Flags().Lookup("as") == nil {
		AsFlag(c.Flags(), new(string))
	}
}

// IsChanging reports whether a command is marked.
func IsChanging(c *cobra.Command) bool {
	_, is := c.Annotations[changing]
	return is
}

// subject matches an id that the audit log keeps: of a record in the API, or of a webhook key.
var subject = regexp.MustCompile(`\b(?:(?:lv|sb|b|dec|org|p|rec|rd|prp|rul|run|bsi|whc|whd|wh|w)_` + id.TailPattern + `|whk_\d{8}_\d+)\b`)

// mostSubjects is how many ids of a command the audit log keeps.
const mostSubjects = 20

// subjects collects the ids in texts, each once. As a writer, it collects the ids in the output of a command.
type subjects struct {
	io.Writer
	found []string
}

func (s *subjects) add(text string) {
	for _, one := range subject.FindAllString(text, -1) {
		if len(s.found) < mostSubjects && !slices.Contains(s.found, one) {
			s.found = append(s.found, one)
		}
	}
}

func (s *subjects) Write(text []byte) (int, error) {
	s.add(string(text))
	return s.Writer.Write(text)
}

// Audited does the work of a command, and writes the audit log before and after it. The log has the boolean flags of the
// command, and the ids in its other flags, in about, in its output and in its error.
func Audited(ctx context.Context, log store.Audit, c *cobra.Command, what string, out io.Writer, about []string, do func(out io.Writer) error) error {
	return AuditedChanges(ctx, log, c, what, out, about, func(out io.Writer, changing Changes) error {
		if err := changing(ctx); err != nil {
			return err
		}
		return do(out)
	})
}

// Changes tells the audit log that a command is about to change something. Nothing may be changed if it fails.
type Changes = func(context.Context) error

// AuditedChanges is Audited for a command that may find nothing to change: only from its first call of changing on is it in the log.
func AuditedChanges(ctx context.Context, log store.Audit, c *cobra.Command, what string, out io.Writer, about []string,
	do func(out io.Writer, changing Changes) error) (err error) {
	operator, err := operatorOf(c)
	if err != nil {
		return err
	}
	s := &subjects{Writer: out, found: []string{}}
	s.add(strings.Join(about, " "))
	c.Flags().Visit(func(f *pflag.Flag) {
		if s.add(f.Value.String()); f.Value.Type() == "bool" {
			what += " --" + f.Name + "=" + f.Value.String()
		}
	})
	var action id.UUID
	logged := false
	changing := func(ctx context.Context) (err error) {
		if !logged {
			action, err = log.Begin(ctx, operator, what, s.found)
			logged = err == nil
		}
		return err
	}
	outcome := "FAILED" // also if it panics
	defer func() {
		if !logged {
			return
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), db.DefaultTimeout)
		defer cancel()
		if unwritten := log.End(ctx, action, s.found, outcome); unwritten != nil {
			err = errors.Join(err, fmt.Errorf("the command has ended as %s, but the audit log does not say so: %w", outcome, unwritten))
		}
	}()
	err = do(s, changing)
	if err != nil {
		s.add(err.Error())
	}
	outcome = outcomeOf(err)
	return err
}

// machineUser returns the user of this machine. Tests replace it.
var machineUser = user.Current

// operatorOf names the operator who runs a command: --as, its variable, or the user of this machine. In a container there is no user.
func operatorOf(c *cobra.Command) (string, error) {
	if as := c.Flags().Lookup("as"); as != nil && as.Value.String() != OperatorName {
		actor, err := OperatorActor(as.Value.String())
		return actor.UserID, err
	}
	if u, err := machineUser(); err == nil && u.Username != "" {
		return visible.Line(u.Username) + " of the machine", nil
	}
	return "", errors.New("the audit log needs a name, and this machine has no user: set REQUISITE_OPERATOR to your name, or give --as")
}

func outcomeOf(err error) string {
	refused, is := refusal.FromError(err)
	switch {
	case err == nil:
		return "DONE"
	case is:
		return "REFUSED " + refused.SpecificCode()
	case errors.Is(err, ErrRefused):
		return "REFUSED"
	}
	return "FAILED"
}
