// Package command is the program worker, which runs the workflows and activities of Requisite.
package command

import (
	"context"
	"errors"
	"log/slog"
	"os"
	_ "time/tzdata" // accounts have time zones, wherever the program runs

	"github.com/spf13/cobra"

	"requisite/app"
	"requisite/internal/config"
	"requisite/internal/sending"
	"requisite/internal/store"
	"requisite/internal/telemetry"
	"requisite/internal/webhooks/webhook"
)

// Main runs the program, and ends the process.
func Main() { config.Main(command()) }

type options struct {
	config.Service
	webhooks config.Webhooks
	keep     store.Retention
	share    int
	attempts int

	guard *webhook.Guard // made by check from the settings
}

func command() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:           "worker",
		Short:         "Run workflows and activities",
		Long:          "Run the workflows and activities of Requisite.\n\n" + config.Help(),
		Version:       telemetry.ThisBuild().String(),
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		PreRunE:       config.Ready(o.check),
		RunE:          func(c *cobra.Command, _ []string) error { return run(c.Context(), &o) },
	}
	c.SetFlagErrorFunc(config.ExplainFlag)
	o.Bind(c.Flags())
	o.webhooks.Bind(c.Flags())
	config.BindRetention(c.Flags(), &o.keep)
	config.BindShare(c.Flags(), &o.share)
	config.BindConnections(c.Flags(), &o.Connections)
	config.BindAttempts(c.Flags(), &o.attempts)
	config.BindQuotas(c.Flags(), &o.Quotas)
	return c
}

// check reports everything that is wrong with the settings.
func (o *options) check() (err error) {
	o.guard, err = o.webhooks.Guard()
	return errors.Join(
		o.Check(), err,
		config.CheckRetention(o.keep), config.CheckShare(o.share),
		config.CheckConnections(o.Connections), config.CheckAttempts(o.attempts),
	)
}

func run(ctx context.Context, o *options) error {
	ctx, cancel := o.Lifetime(ctx)
	defer cancel()
	log := o.Logger("worker")
	slog.SetDefault(log) // for code without a logger of its own
	o.Connections.Each = config.Each(int(o.Connections.Max), o.share)
	o.LogStart(log)
	o.webhooks.Warn(log)
	deps, err := app.Open(ctx, &o.Service, app.Worker, log)
	if err != nil {
		return err
	}
	defer deps.Close()
	work := app.Work{
		Guard:          o.guard,
		Keep:           o.keep,
		RuleCacheBytes: config.RuleCache(),
		Attempts:       sending.Bounds{All: o.attempts, Each: config.Each(o.attempts, o.share)},
	}
	if o.Child {
		work.Ready = func() error { return deps.Listening.Announce(os.Stdout) }
	}
	return work.Run(ctx, deps, log)
}
