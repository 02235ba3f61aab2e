package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/operations/app"
	"requisite/internal/operations/config"
	"requisite/internal/operations/temporalclient"
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

func migrateCommand() *cobra.Command {
	var o operator
	var retention time.Duration
	var skipTemporal bool
	var apiRole, workerRole, readRole string
	c := o.command(&cobra.Command{
		Use:   "migrate",
		Short: "Bring the schema, the namespace and search attributes up to date",
		Long: `Bring the database schema, and Temporal's namespace and search attributes, up to date.
Running it again, or twice at once, is harmless. It needs no keyset, and with
--database-only no Temporal.

` + config.TemporalHelp(),
		Args: cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, _ []string) error {
		applied, err := store.Migrate(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "database: %d migration(s) applied\n", applied)
		for _, g := range []struct {
			role  string
			grant func(context.Context, string) error
			may   string
		}{
			{apiRole, store.GrantAPI, "serve as the api"}, {workerRole, store.GrantWorker, "serve as the worker"},
			{readRole, store.GrantRead, "read everything but secrets"},
		} {
			if g.role == "" {
				continue
			}
			if err := g.grant(ctx, g.role); err != nil {
				return err
			}
			fmt.Fprintf(out, "database: role %s may %s\n", g.role, g.may)
		}
		if skipTemporal {
			return nil
		}
		// Nothing that it does there has a payload.
		client, err := temporalclient.Dial(ctx, temporalclient.Options{Address: o.TemporalAddress, Namespace: o.TemporalNamespace, Program: "starter"})
		if err != nil {
			return err
		}
		defer client.Close()
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		kept, err := temporalclient.EnsureNamespace(ctx, client, o.TemporalNamespace, retention)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "temporal: namespace %s is ready; histories of ended runs are kept for %s\n", o.TemporalNamespace, kept)
		return nil
	})
	o.BindTemporal(c.Flags())
	c.Flags().DurationVar(&retention, "retention", 0, "how long Temporal keeps the histories of runs that end from now on, 24h at least; when it is not given, a namespace that exists keeps its own, and a new one gets 168h")
	config.Env(c.Flags(), "retention", "REQUISITE_NAMESPACE_RETENTION")
	config.String(c.Flags(), &apiRole, "api-role", "REQUISITE_API_ROLE", "", "database role, which must exist, that the api connects as: it is given the rights that it needs, and no others")
	config.String(c.Flags(), &workerRole, "worker-role", "REQUISITE_WORKER_ROLE", "", "database role, which must exist, that the worker connects as: it is given the rights that it needs, and no others")
	config.String(c.Flags(), &readRole, "read-role", "REQUISITE_READ_ROLE", "", "database role, which must exist, that may read everything but secrets")
	c.Flags().BoolVar(&skipTemporal, "database-only", false, "leave Temporal alone; it need not be there")
	return c
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
