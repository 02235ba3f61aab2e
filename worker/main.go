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
	"requisite/internal/metrics"
	"requisite/internal/postgres"
	"requisite/internal/sending"
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
	limits   activities.Limits
	announce bool
	attempts sending.Bounds

	guard *webhook.Guard // of what check makes of the settings
}

func command() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:           "worker",
		Short:         "Run workflows and activities",
		Long:          "Run the workflows and activities of Requisite.\n\n" + config.Help(),
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		PreRunE:       config.Ready(o.check),
		RunE:          func(c *cobra.Command, _ []string) error { return run(c.Context(), &o) },
	}
	o.Bind(c.Flags())
	o.webhooks.Bind(c.Flags())
	config.BindRetention(c.Flags(), &o.keep)
	config.BindLimits(c.Flags(), &o.limits)
	config.BindConnections(c.Flags(), &o.Connections)
	config.BindAnnounce(c.Flags(), &o.announce)
	config.BindAttempts(c.Flags(), &o.attempts)
	return c
}

// check finds all that is wrong with the settings.
func (o *options) check() (err error) {
	o.guard, err = o.webhooks.Guard()
	return errors.Join(o.Check(), err, config.CheckRetention(o.keep), config.CheckLimits(o.limits), config.CheckConnections(o.Connections), config.CheckAttempts(o.attempts))
}

var errNoMoreWork = errors.New("temporal gives this worker no more work")

func run(ctx context.Context, o *options) error {
	ctx, cancel := o.Lifetime(ctx)
	defer cancel()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	fail := func(err error) { end(fmt.Errorf("%w: %w", errNoMoreWork, err)) }
	log := o.Logger("worker")
	o.LogStart(log)
	o.webhooks.Warn(log)
	parts, err := o.Open(ctx, "worker", log)
	if err != nil {
		return err
	}
	defer parts.Close()
	o.limits.Evaluations = o.limits.AtOnce()
	config.KeepProcessors(o.limits.Evaluations)
	acts := activities.New(parts.Store, o.limits)
	cacheBytes, places := activities.Measured(acts)
	parts.Metrics.Register(metrics.NewPlacesCollector(cacheBytes, places...))
	sender := webhook.NewSender(o.guard, webhook.SenderOptions{Tracer: parts.Spans.Tracer(), Log: log})
	defer sender.Close()
	engine := sending.New(parts.Store, sender, o.attempts, parts.Metrics, log)
	parts.Metrics.Register(metrics.NewPlacesCollector(nil, engine))
	webhooks := activities.NewWebhooks(engine)
	for _, w := range []worker.Worker{
		workflows.NewWorker(parts.Temporal, temporalclient.Sync, acts, fail),
		workflows.NewWebhookWorker(parts.Temporal, webhooks, fail),
		workflows.NewEndpointWorker(parts.Temporal, webhooks, fail),
		workflows.NewUpkeepWorker(parts.Temporal, activities.NewUpkeep(parts.Store, o.keep), fail),
	} {
		if err := w.Start(); err != nil {
			return fmt.Errorf("start: %w", err)
		}
		defer w.Stop()
	}
	if err := schedule(ctx, parts.Temporal); err != nil && ctx.Err() == nil {
		return err
	}
	parts.SetServing(true)
	if o.announce {
		if err := (config.Listening{MetricsAddress: parts.MetricsAddress}).Announce(os.Stdout); err != nil {
			return err
		}
	}
	log.Info("working", "task_queues", []string{temporalclient.Sync, temporalclient.Upkeep, temporalclient.Webhooks, temporalclient.Endpoints})
	(&sending.Dispatcher{
		Engine: engine, Store: parts.Store, Log: log,
		StartSession: func(ctx context.Context) error { return workflows.StartSession(ctx, parts.Temporal) },
		WakeRun: func(ctx context.Context, t postgres.Trouble) error {
			return workflows.WakeEndpoint(ctx, parts.Temporal, workflows.EndpointRun{EndpointID: t.EndpointID, AccountID: t.AccountID, Host: t.Host}, t.EventTypes)
		},
	}).Run(ctx)
	parts.SetServing(false)
	log.Info("stopping: work in hand is finished first")
	if err := context.Cause(ctx); errors.Is(err, errNoMoreWork) {
		return err
	}
	return nil
}

// schedule makes the Temporal Schedules of what runs by the clock, and brings
// those that exist up to date. None has an input: each run gets an id of its own,
// and an input would be sealed for the id of the schedule.
func schedule(ctx context.Context, c client.Client) error {
	for _, s := range []struct {
		id, workflow, queue, summary string
		every                        time.Duration
	}{
		{"prune", workflows.PruneName, temporalclient.Upkeep, "Delete what has been kept for long enough", 10 * time.Minute},
		{"reconcile", workflows.ReconcileName, temporalclient.Webhooks, "Find webhooks that nobody works on, and put them right", 30 * time.Second},
	} {
		spec := client.ScheduleSpec{Intervals: []client.ScheduleIntervalSpec{{Every: s.every}}}
		action := &client.ScheduleWorkflowAction{ID: s.id, Workflow: s.workflow, TaskQueue: s.queue, StaticSummary: s.summary}
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
