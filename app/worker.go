package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	"requisite/activities"
	"requisite/internal/metrics"
	"requisite/internal/sending"
	"requisite/internal/store"
	"requisite/internal/store/deliveries"
	"requisite/internal/temporalclient"
	"requisite/internal/webhooks/webhook"
	"requisite/workflows"
)

// Work configures the worker program.
type Work struct {
	Guard *webhook.Guard // of the addresses that webhooks go to
	Keep  store.Retention
	// RuleCacheBytes is how much memory compiled rules may take, by estimate.
	RuleCacheBytes int64
	Attempts       sending.Bounds
	// Ready, when set, is called once everything runs.
	Ready func() error
}

var errNoMoreWork = errors.New("a worker has stopped because of a fatal error")

// Run runs workflows and activities, and starts the runs that send webhooks, until
// ctx ends. Then it finishes its current work.
func (w Work) Run(ctx context.Context, deps *Dependencies, log *slog.Logger) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	fail := func(err error) { end(fmt.Errorf("%w: %w", errNoMoreWork, err)) }
	sender := webhook.NewSender(w.Guard, webhook.SenderOptions{Tracer: deps.Spans.Tracer(), Log: log})
	defer sender.Close()
	deliverer := sending.New(deps.Store, sender, w.Attempts, deps.Metrics, log)
	deps.Metrics.Register(metrics.NewLimiterCollector(deliverer.Limiters()...))
	webhooks, steps := activities.NewWebhooks(deliverer), activities.New(deps.Store, deps.Rules(w.RuleCacheBytes))
	var started []worker.Worker
	defer func() { stopAll(started) }()
	for _, one := range []worker.Worker{
		workflows.NewWorker(deps.Temporal, temporalclient.Sync, steps, fail),
		workflows.NewWebhookWorker(deps.Temporal, webhooks, fail),
		workflows.NewEndpointWorker(deps.Temporal, webhooks, fail),
		workflows.NewUpkeepWorker(deps.Temporal, steps, webhooks, activities.NewUpkeep(deps.Store, w.Keep, deps.Metrics), fail),
	} {
		if err := one.Start(); err != nil {
			return fmt.Errorf("start: %w", err)
		}
		started = append(started, one)
	}
	if err := schedule(ctx, deps.Temporal); err != nil && ctx.Err() == nil {
		return err
	}
	deps.SetServing(true)
	if w.Ready != nil {
		if err := w.Ready(); err != nil {
			return err
		}
	}
	log.Info("working", "task_queues", []string{temporalclient.Sync, temporalclient.Upkeep, temporalclient.Webhooks, temporalclient.Endpoints})
	dispatcher(deps, deliverer, log).Run(ctx)
	deps.SetServing(false)
	log.Info("stopping: finishing the current work first")
	if err := context.Cause(ctx); errors.Is(err, errNoMoreWork) {
		return err
	}
	return nil
}

// stopAll stops workers concurrently. Each finishes its work first. One after the other,
// they would take longer than a supervisor waits.
func stopAll(workers []worker.Worker) {
	var stopping sync.WaitGroup
	for _, w := range workers {
		stopping.Go(w.Stop)
	}
	stopping.Wait()
}

// dispatcher starts the runs that send webhooks when there is something to send.
func dispatcher(deps *Dependencies, deliverer *sending.Deliverer, log *slog.Logger) *sending.Dispatcher {
	return &sending.Dispatcher{
		Deliverer: deliverer, Deliveries: deps.Store.Deliveries(), Log: log,
		StartSession: func(ctx context.Context) error { return workflows.StartSession(ctx, deps.Temporal) },
		WakeRun: func(ctx context.Context, t deliveries.Trouble) error {
			return workflows.WakeEndpoint(ctx, deps.Temporal, workflows.EndpointRun{EndpointID: t.EndpointID, AccountID: t.AccountID, Host: t.Host}, t.EventTypes)
		},
		StartReplay: func(ctx context.Context, r deliveries.ReplayToStart) error {
			return workflows.StartReplay(ctx, deps.Temporal, workflows.Replay{RunID: r.RunID, ConfigID: r.ConfigID, AccountID: r.AccountID}, r.Host)
		},
	}
}

// schedule creates or updates the Temporal Schedules. They have no input, because an input
// would be encrypted for the id of the schedule and not for the id of the run.
func schedule(ctx context.Context, c client.Client) error {
	for _, s := range []struct {
		id, workflow, queue, summary string
		every                        time.Duration
	}{
		{"prune", workflows.PruneName, temporalclient.Upkeep, "Delete expired records", 10 * time.Minute},
		{"reconcile", workflows.ReconcileName, temporalclient.Upkeep, "Repair webhook deliveries that no run works on", 30 * time.Second},
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
