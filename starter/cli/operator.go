// Package cli has the shared parts of the commands of starter: the operator's database, the
// caller's credential, lists and tables, progress, and exit codes.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"requisite/app"
	"requisite/internal/config"
	"requisite/internal/store"
	"requisite/internal/text/visible"
)

// Operator is a command that works on the database directly.
type Operator struct{ config.Service }

// needs are the other dependencies of a command. Its help shows only their settings.
type needs int

const (
	Secrets needs = 1 << iota // it encrypts or decrypts secrets in the database
	Runs                      // it starts runs of Temporal, or deletes them
)

// storeWork is the work of a command on the store.
type storeWork = func(ctx context.Context, out io.Writer, store *store.Store, args []string) error

// Command binds the settings of the database, and opens the store while the command runs.
// The command cannot encrypt or decrypt secrets.
func (o *Operator) Command(c *cobra.Command, do storeWork) *cobra.Command { return o.With(0, c, do) }

// With is Command for a command with other dependencies.
func (o *Operator) With(n needs, c *cobra.Command, do storeWork) *cobra.Command {
	o.BindDatabase(c.Flags())
	if n&Secrets != 0 {
		o.BindKEK(c.Flags())
	}
	if n&Runs != 0 {
		o.BindTemporal(c.Flags())
		o.BindPayloadKey(c.Flags())
	}
	c.PreRunE = config.Load
	c.RunE = func(c *cobra.Command, args []string) error {
		store, err := o.Open(c.Context(), n)
		if err != nil {
			return err
		}
		defer store.Close()
		if !IsChanging(c) {
			return do(c.Context(), c.OutOrStdout(), store, args)
		}
		if err := store.Database.Schema().Known(c.Context()); err != nil {
			return err // what it would write is of other tables
		}
		return Audited(c.Context(), store.Audit, c, commandName(c), c.OutOrStdout(), args, func(out io.Writer) error {
			return do(c.Context(), out, store, args)
		})
	}
	return c
}

// Open opens the store with the loaded settings. It reports all missing settings.
func (o *Operator) Open(ctx context.Context, n needs) (*store.Store, error) {
	if err := o.check(n); err != nil {
		return nil, err
	}
	return app.OpenStore(ctx, &o.Service, "starter", n&Secrets != 0)
}

// SetByUp says how to set DATABASE_URL, where it is not set.
const SetByUp = "`starter up` prints the commands that set it for its stack"

// check reports missing settings.
func (o *Operator) check(n needs) error {
	var problems []error
	if err := config.Required(o.DatabaseURL, "database-url", "DATABASE_URL"); err != nil {
		problems = append(problems, fmt.Errorf("%w; %s", err, SetByUp))
	}
	if n&Secrets != 0 {
		problems = append(problems, o.CheckKEK())
	}
	if n&Runs != 0 {
		problems = append(problems, o.CheckPayloadKeys())
	}
	return errors.Join(problems...)
}

// Table prints rows in columns under headings, with the same indent. Each cell is one line.
func Table(out io.Writer, headings string, rows ...[]any) error {
	indent := headings[:len(headings)-len(strings.TrimLeft(headings, " "))]
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, headings)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = visible.Line(fmt.Sprint(cell))
		}
		fmt.Fprintln(w, strings.TrimRight(indent+strings.Join(cells, "\t"), "\t"))
	}
	return w.Flush()
}

// List prints a table, or with --json an array of objects. The headings are their names.
type List struct{ JSON bool }

// Flag adds --json to a command.
func (l *List) Flag(c *cobra.Command) *cobra.Command {
	c.Flags().BoolVar(&l.JSON, "json", false, "print a JSON array")
	return c
}

// Print prints rows. A dash is null in JSON.
func (l *List) Print(out io.Writer, headings string, rows ...[]any) error {
	if !l.JSON {
		return Table(out, headings, rows...)
	}
	names := strings.Split(strings.ReplaceAll(strings.ToLower(headings), " ", "_"), "\t")
	objects := make([]map[string]any, len(rows))
	for i, row := range rows {
		objects[i] = map[string]any{}
		for k, cell := range row {
			if cell == "-" {
				cell = nil
			}
			objects[i][names[k]] = cell
		}
	}
	return PrintJSON(out, objects)
}

// More says that a list has more entries than it shows. For a JSON array, it writes to
// standard error.
func (l *List) More(c *cobra.Command, filter string) {
	out := c.OutOrStdout()
	if l.JSON {
		out = c.ErrOrStderr()
	}
	fmt.Fprintf(out, "There are more; give a higher --limit, up to %d, or a filter such as --%s.\n", MostListed, filter)
}

// PrintJSON prints a value as indented JSON.
func PrintJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
