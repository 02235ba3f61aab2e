package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	"requisite/activities"
	"requisite/internal/id"
	"requisite/internal/metrics"
	"requisite/internal/secrets/codec"
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
		workflows.NewUpkeepWorker(deps.Temporal, steps, webhooks, activities.NewUpkeep(deps.Store.Upkeep, w.Keep, deps.Metrics), fail),
	} {
		if err := one.Start(); err != nil {
			return fmt.Errorf("start: %w", err)
		}
		started = append(started, one)
	}
	if err := schedule(ctx, deps.Temporal, deps.namespace); err != nil && ctx.Err() == nil {
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

// dispatcher starts the runs that Temporal's schedules do not start.
func dispatcher(deps *Dependencies, deliverer *sending.Deliverer, log *slog.Logger) *sending.Dispatcher {
	return &sending.Dispatcher{
		Deliverer: deliverer, Deliveries: deps.Store.Deliveries, Log: log,
		StartSession: func(ctx context.Context) error { return workflows.StartSession(ctx, deps.Temporal) },
		WakeRun: func(ctx context.Context, t deliveries.Trouble) error {
			return workflows.WakeEndpoint(ctx, deps.Temporal, workflows.EndpointRun{EndpointID: t.EndpointID, AccountID: t.AccountID, Host: t.Host}, t.EventTypes)
		},
		StartRun: func(ctx context.Context, r store.RunToStart) error {
			account := r.Environment.Account(r.AccountID)
			if !r.EndpointID.Valid {
				return workflows.StartRecalculation(ctx, deps.Temporal, workflows.Recalculation{RunID: id.RecalculationID{UUID: r.ID}, AccountID: account})
			}
			in := workflows.Replay{RunID: id.RunID{UUID: r.ID}, ConfigID: id.WebhookConfigID{UUID: r.EndpointID.UUID}, AccountID: account}
			return workflows.StartReplay(ctx, deps.Temporal, in, deliveries.Host(r.URL))
		},
	}
}

// replacedWithin is how soon a schedule replaces a run that has ended or was terminated.
const replacedWithin = time.Minute

// schedule creates or updates the Temporal Schedules. Each keeps one run open: it starts none
// while one is. They have no input, because an input would be encrypted for the id of the
// schedule and not for the id of the run.
func schedule(ctx context.Context, c client.Client, namespace string) error {
	const overlap = enumspb.SCHEDULE_OVERLAP_POLICY_SKIP
	spec := client.ScheduleSpec{Intervals: []client.ScheduleIntervalSpec{{Every: replacedWithin}}}
	for _, s := range workflows.Schedules() {
		action := &client.ScheduleWorkflowAction{ID: s.ID, Workflow: s.Workflow, TaskQueue: temporalclient.Upkeep, StaticSummary: s.Summary,
			StaticDetails: fmt.Sprintf("It works in rounds. It ends after some hours, at most a day, and the schedule `%s` starts the next run within a minute. To begin a round now, terminate this run. To stop, pause the schedule first.", s.ID)}
		update := func() error {
			return c.ScheduleClient().GetHandle(ctx, s.ID).Update(ctx, client.ScheduleUpdateOptions{
				DoUpdate: func(in client.ScheduleUpdateInput) (*client.ScheduleUpdate, error) {
					in.Description.Schedule.Spec, in.Description.Schedule.Action = &spec, action
					return &client.ScheduleUpdate{Schedule: &in.Description.Schedule}, nil
				},
			})
		}
		_, err := c.ScheduleClient().Create(ctx, client.ScheduleOptions{ID: s.ID, Spec: spec, Action: action, Overlap: overlap, TriggerImmediately: true})
		if errors.Is(err, temporal.ErrScheduleAlreadyRunning) {
			err = update()
		}
		if errors.Is(err, codec.ErrCannotOpen) {
			if err = removeSummary(ctx, c, namespace, s.ID); err == nil {
				err = update()
			}
		}
		if err != nil {
			return fmt.Errorf("schedule %s: %w", s.ID, err)
		}
	}
	return nil
}

// removeSummary removes summary and details from a schedule whose payload key is lost: the SDK decrypts them
// before each update. All else stays, also that it is paused.
func removeSummary(ctx context.Context, c client.Client, namespace, schedule string) error {
	found, err := c.WorkflowService().DescribeSchedule(ctx, &workflowservice.DescribeScheduleRequest{Namespace: namespace, ScheduleId: schedule})
	if err != nil {
		return err
	}
	if start := found.GetSchedule().GetAction().GetStartWorkflow(); start != nil {
		start.UserMetadata = nil
	}
	_, err = c.WorkflowService().UpdateSchedule(ctx, &workflowservice.UpdateScheduleRequest{
		Namespace: namespace, ScheduleId: schedule, Schedule: found.GetSchedule(), ConflictToken: found.GetConflictToken(), RequestId: id.New().String()})
	return err
}
