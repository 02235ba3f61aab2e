package admin

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"requisite/app"
	"requisite/internal/config"
	"requisite/internal/store"
	"requisite/internal/temporalclient"
	"requisite/starter/cli"
)

func Migrate(ctx context.Context, store *store.Store, settings *config.Service) (int, error) {
	applied, err := store.Database.Schema().Migrate(ctx)
	if err != nil {
		return 0, err
	}
	client, err := app.DialTemporal(ctx, settings, "starter", nil)
	if err != nil {
		return 0, err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	_, err = temporalclient.EnsureNamespace(ctx, client, settings.TemporalNamespace, 0, func(context.Context) error { return nil })
	return applied, err
}

func MigrateCommand() *cobra.Command {
	var o cli.Operator
	var retention time.Duration
	var skipTemporal bool
	var apiRole, workerRole, readRole string
	var grant func(context.Context, io.Writer, *store.Store, cli.Changes) error
	var c *cobra.Command
	c = o.Command(&cobra.Command{
		Use:   "migrate",
		Short: "Bring the schema, the namespace and search attributes up to date",
		Long: `Bring the database schema, and Temporal's namespace and search attributes, up to
date. Running it again, or twice at once, is harmless. It needs no keyset, and
with --database-only no Temporal. The audit log has it if it changed something.

"starter temporal" lists the variables of the connection to Temporal.`,
		Args: cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, store *store.Store, _ []string) error {
		return cli.AuditedChanges(ctx, store.Audit, c, "migrate", out, nil, func(_ io.Writer, changing cli.Changes) error {
			applied, err := store.Database.Schema().Migrate(ctx)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "database: %d migration(s) applied\n", applied)
			if applied > 0 { // only now does the audit log surely exist
				if err := changing(ctx); err != nil {
					return err
				}
			}
			return grant(ctx, out, store, changing)
		})
	})
	grant = func(ctx context.Context, out io.Writer, store *store.Store, changing cli.Changes) error {
		schema := store.Database.Schema().Announcing(changing)
		for _, g := range []struct {
			role  string
			grant func(context.Context, string) error
			may   string
		}{
			{apiRole, schema.GrantAPI, "serve as the api"}, {workerRole, schema.GrantWorker, "serve as the worker"},
			{readRole, schema.GrantRead, "read everything but secrets"},
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
		// It needs no keyset, because it writes no payloads.
		client, err := temporalclient.Dial(ctx, temporalclient.Options{Address: o.TemporalAddress, Namespace: o.TemporalNamespace, Program: "starter"})
		if err != nil {
			return err
		}
		defer client.Close()
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		kept, err := temporalclient.EnsureNamespace(ctx, client, o.TemporalNamespace, retention, changing)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "temporal: namespace %s is ready; histories of ended runs are kept for %s\n", o.TemporalNamespace, kept)
		return nil
	}
	o.BindTemporal(c.Flags())
	cli.AsFlag(c.Flags(), new(string))
	c.Flags().DurationVar(&retention, "retention", 0,
		"how long Temporal keeps the histories of runs after their end, at least 24h (default: 168h for a new namespace, no change for an existing one)")
	config.Env(c.Flags(), "retention", "REQUISITE_NAMESPACE_RETENTION")
	config.String(c.Flags(), &apiRole, "api-role", "REQUISITE_API_ROLE", "", "grant this existing database role the rights of the api")
	config.String(c.Flags(), &workerRole, "worker-role", "REQUISITE_WORKER_ROLE", "", "grant this existing database role the rights of the worker")
	config.String(c.Flags(), &readRole, "read-role", "REQUISITE_READ_ROLE", "", "grant this existing database role the right to read everything except secrets")
	c.Flags().BoolVar(&skipTemporal, "database-only", false, "do not connect to Temporal")
	return c
}
