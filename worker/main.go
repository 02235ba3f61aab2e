// Command worker runs the workflows and activities of Requisite.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // accounts have time zones, wherever the program runs

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	"requisite/activities"
	"requisite/internal/config"
	"requisite/internal/postgres"
	"requisite/internal/temporalclient"
	"requisite/internal/webhook"
	"requisite/workflows"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
}

type options struct {
	config.Service
	webhooks config.Webhooks
	keep     postgres.Retention
}

func command() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:           "worker",
		Short:         "Run workflows and activities",
		Long:          "Run the workflows and activities of Requisite.\n\nEvery setting is a flag or an environment variable; the flag comes first.",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		PreRunE:       config.Load,
		RunE:          func(c *cobra.Command, _ []string) error { return run(c.Context(), &o) },
	}
	o.Bind(c.Flags())
	o.webhooks.Bind(c.Flags())
	config.BindRetention(c.Flags(), &o.keep)
	return c
}

func run(ctx context.Context, o *options) error {
	guard, err := o.webhooks.Guard()
	if err := errors.Join(o.Check(), err, o.keep.Check()); err != nil {
		return err
	}
	ctx, cancel := o.Lifetime(ctx)
	defer cancel()
	log := o.Logger("worker")
	log.Info("starting", "settings", &o.Service)
	if open := o.webhooks.Open(); open != "" {
		log.Warn("webhooks may be sent to addresses that are not public", "networks", open)
	}
	parts, err := o.Open(ctx, "worker", log)
	if err != nil {
		return err
	}
	defer parts.Close()
	acts, err := activities.New(parts.Store)
	if err != nil {
		return err
	}
	sender := webhook.NewSender(guard, webhook.SenderOptions{Tracer: parts.Spans.Tracer()})
	defer sender.Close()
	for _, w := range []worker.Worker{
		workflows.NewWorker(parts.Temporal, temporalclient.Sync, acts),
		workflows.NewDeliveryWorker(parts.Temporal, activities.NewDeliveries(parts.Store, sender, parts.Metrics)),
	} {
		if err := w.Start(); err != nil {
			return fmt.Errorf("start: %w", err)
		}
		defer w.Stop()
	}
	if err := schedule(ctx, parts.Temporal, o.keep); err != nil {
		return err
	}
	log.Info("working", "task_queues", []string{temporalclient.Sync, temporalclient.Webhooks})
	(&dispatcher{store: parts.Store, temporal: parts.Temporal, log: log}).run(ctx)
	log.Info("stopping: work in hand is finished first")
	return nil
}

// schedule makes the Temporal Schedules of what runs by the clock, and brings
// those that exist up to date with today's settings.
func schedule(ctx context.Context, c client.Client, keep postgres.Retention) error {
	for _, s := range []struct {
		id, workflow, queue, summary string
		every                        time.Duration
		args                         []any
	}{
		{"prune", workflows.PruneName, temporalclient.Sync, "Delete what has been kept for long enough", 10 * time.Minute, []any{keep}},
		{"reconcile", workflows.ReconcileName, temporalclient.Webhooks, "Find webhooks that nobody works on, and mend them", time.Minute, nil},
	} {
		spec := client.ScheduleSpec{Intervals: []client.ScheduleIntervalSpec{{Every: s.every}}}
		action := &client.ScheduleWorkflowAction{ID: s.id, Workflow: s.workflow, TaskQueue: s.queue, StaticSummary: s.summary, Args: s.args}
		_, err := c.ScheduleClient().Create(ctx, client.ScheduleOptions{ID: s.id, Spec: spec, Action: action})
		if errors.Is(err, temporal.ErrScheduleAlreadyRunning) {
			err = c.ScheduleClient().GetHandle(ctx, s.id).Update(ctx, client.ScheduleUpdateOptions{
				DoUpdate: func(in client.ScheduleUpdateInput) (*client.ScheduleUpdate, error) {
					in.Description.Schedule.Spec, in.Description.Schedule.Action = &spec, action
					return &client.ScheduleUpdate{Schedule: &in.Description.Schedule}, nil
				},
			})
		}
		if err != nil {
			return fmt.Errorf("schedule %s: %w", s.id, err)
		}
	}
	return nil
}
