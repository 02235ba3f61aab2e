package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"requisite/internal/operations/app"
	"requisite/internal/operations/config"
	"requisite/internal/postgres"
	"requisite/internal/text/visible"
)

// operator is a command that works on the database directly.
type operator struct{ config.Service }

// needs are what a command works with, besides the database. Its help shows only
// the settings of that.
type needs int

const (
	secrets needs = 1 << iota // it seals or opens secrets in the database
	runs                      // it starts runs of Temporal, or deletes them
)

// storeWork is what a command does with the store.
type storeWork = func(ctx context.Context, out io.Writer, store *postgres.Store, args []string) error

// command binds the settings of the database and opens the store while the command
// runs. Sealing and opening secrets fail.
func (o *operator) command(c *cobra.Command, do storeWork) *cobra.Command { return o.with(0, c, do) }

// with is command for one that needs more.
func (o *operator) with(n needs, c *cobra.Command, do storeWork) *cobra.Command {
	o.BindDatabase(c.Flags())
	if n&secrets != 0 {
		o.BindKEK(c.Flags())
	}
	if n&runs != 0 {
		o.BindTemporal(c.Flags())
		o.BindPayloadKey(c.Flags())
	}
	c.PreRunE = config.Load
	c.RunE = func(c *cobra.Command, args []string) error {
		store, err := o.open(c.Context(), n)
		if err != nil {
			return err
		}
		defer store.Close()
		return do(c.Context(), c.OutOrStdout(), store, args)
	}
	return c
}

// open opens the store with the loaded settings. All that are missing are reported.
func (o *operator) open(ctx context.Context, n needs) (*postgres.Store, error) {
	problems := []error{config.Required(o.DatabaseURL, "database-url", "DATABASE_URL")}
	if n&secrets != 0 {
		problems = append(problems, o.CheckKEK())
	}
	if n&runs != 0 {
		problems = append(problems, o.CheckPayloadKeys())
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	if n&secrets != 0 {
		return app.OpenStore(ctx, &o.Service, "starter")
	}
	return app.OpenReader(ctx, &o.Service, "starter")
}

// table prints rows under headings, in columns. Each cell stays on its line, and the
// rows are indented as the headings are.
func table(out io.Writer, headings string, rows ...[]any) error {
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

// list is what every list prints: a table, or with --json an array of objects, whose
// names are the headings.
type list struct{ json bool }

func (l *list) flag(c *cobra.Command) *cobra.Command {
	c.Flags().BoolVar(&l.json, "json", false, "print a JSON array")
	return c
}

func (l *list) print(out io.Writer, headings string, rows ...[]any) error {
	if !l.json {
		return table(out, headings, rows...)
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
	return printJSON(out, objects)
}

// more says that there are more entries than a list shows: below a table, and beside a
// JSON array, on standard error.
func (l *list) more(c *cobra.Command, filter string) {
	out := c.OutOrStdout()
	if l.json {
		out = c.ErrOrStderr()
	}
	fmt.Fprintf(out, "There are more; a higher --limit, up to %d, or a filter such as --%s shows them.\n", mostListed, filter)
}

func printJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
