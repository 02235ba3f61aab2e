package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"requisite/activities"
	"requisite/internal/postgres"
	"requisite/internal/telemetry"
	"requisite/internal/temporalclient"
	"requisite/internal/visible"
	"requisite/workflows"
)

// dispatcher starts a run for every delivery that is due. Any number of them
// may work at once.
type dispatcher struct {
	store    *postgres.Store
	temporal client.Client
	log      *slog.Logger
}

const (
	// slowPoll finds what no notification told of: probes whose time has come,
	// and whatever a broken connection missed.
	slowPoll = time.Second
	// A dispatcher that dies between claiming a delivery and starting its run
	// leaves it to the others, who look for such ones now and then.
	sweepEvery = 10 * time.Second
	lostAfter  = 15 * time.Second
	// starters is how many runs are started at once.
	starters = 32
)

// run dispatches until ctx ends; what it has claimed by then it still starts, or
// gives back.
func (d *dispatcher) run(ctx context.Context) {
	due := make(chan struct{}, 1)
	var beside sync.WaitGroup
	beside.Go(func() { d.listen(ctx, due) })
	beside.Go(func() { d.sweeps(ctx, due) })
	defer beside.Wait()
	poll := time.NewTicker(slowPoll)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-due:
		case <-poll.C:
		}
		if err := d.dispatch(ctx); err != nil && ctx.Err() == nil {
			d.log.Error("dispatch webhooks; it is tried again", "error", err)
			pause(ctx, slowPoll)
		}
	}
}

// sweeps goes on beside the dispatching: asking Temporal about very many runs
// takes its time.
func (d *dispatcher) sweeps(ctx context.Context, due chan<- struct{}) {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			d.sweep(ctx)
			wake(due)
		}
	}
}

func wake(due chan<- struct{}) {
	select {
	case due <- struct{}{}:
	default:
	}
}

// sweep takes back deliveries whose run was never started, or is gone.
func (d *dispatcher) sweep(ctx context.Context) {
	lost, _, err := activities.GiveBackOverdue(ctx, d.store, d.temporal, lostAfter, func() {})
	if err != nil && ctx.Err() == nil {
		d.log.Warn("look for deliveries without a run; it is tried again", "error", err)
	}
	if lost > 0 {
		d.log.Warn("deliveries had no run and are dispatched again", "count", lost)
	}
}

// listen wakes the dispatcher, and connects again whenever the connection
// breaks.
func (d *dispatcher) listen(ctx context.Context, due chan<- struct{}) {
	for ctx.Err() == nil {
		err := d.store.ListenForDue(ctx, func() { wake(due) })
		if ctx.Err() == nil {
			d.log.Warn("notifications of due webhooks are interrupted", "error", err)
			pause(ctx, slowPoll)
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// dispatch claims and starts until nothing more is due.
func (d *dispatcher) dispatch(ctx context.Context) error {
	for ctx.Err() == nil {
		due, err := d.store.ClaimDue(ctx)
		err = errors.Join(err, d.startAll(ctx, due)) // what was claimed is started whatever else went wrong
		if err != nil || len(due) == 0 {
			return err
		}
	}
	return nil
}

// startAll starts what was claimed. When the worker stops meanwhile, what is not
// begun goes back to the others.
func (d *dispatcher) startAll(stopping context.Context, due []postgres.Due) error {
	ctx := context.WithoutCancel(stopping)
	var (
		all    sync.WaitGroup
		slots  = make(chan struct{}, starters)
		lock   sync.Mutex
		failed error
	)
	for _, delivery := range due {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			err := stopping.Err()
			if err == nil {
				err = d.start(ctx, delivery)
			}
			if err == nil {
				return
			}
			err = errors.Join(fmt.Errorf("start the run of %s: %w", delivery.DeliveryID(), err), d.store.GiveBack(ctx, delivery.ID))
			lock.Lock()
			defer lock.Unlock()
			failed = err
		})
	}
	all.Wait()
	return failed
}

// startPatience bounds one start; the client uses half of it for one try.
const startPatience = 10 * time.Second

// start begins a run for a delivery, or wakes the one that works on it: only what
// somebody asked for goes out before its time.
func (d *dispatcher) start(ctx context.Context, due postgres.Due) error {
	ctx, cancel := context.WithTimeout(telemetry.Within(ctx, due.TraceParent), startPatience)
	defer cancel()
	signal := workflows.Wake
	if due.Forced {
		signal = workflows.RetryNow
	}
	for {
		_, err := d.temporal.ExecuteWorkflow(ctx, runOptions(due), workflows.DeliverWebhookName, workflows.WebhookDelivery{
			DeliveryID: due.DeliveryID(), AccountID: due.AccountID, EndpointID: due.EndpointID, EventType: due.EventType, Host: due.Host,
		})
		var already *serviceerror.WorkflowExecutionAlreadyStarted
		if !errors.As(err, &already) {
			return err
		}
		err = d.temporal.SignalWorkflow(ctx, due.DeliveryID(), "", signal, nil)
		var gone *serviceerror.NotFound
		if !errors.As(err, &gone) { // it ended in between: start another
			return err
		}
	}
}

func runOptions(due postgres.Due) client.StartWorkflowOptions {
	state := postgres.Pending
	if due.Attempted {
		state = postgres.Retrying
	}
	attributes := []temporal.SearchAttributeUpdate{
		temporalclient.AccountID.ValueSet(due.AccountID),
		temporalclient.EndpointID.ValueSet(due.EndpointID),
		temporalclient.EventType.ValueSet(due.EventType),
		temporalclient.DeliveryState.ValueSet(string(state)),
	}
	if due.TraceParent != "" { // the delivery is found by the trace of its cause
		attributes = append(attributes, temporalclient.TraceID.ValueSet(telemetry.Continue(due.TraceParent).ID()))
	}
	return client.StartWorkflowOptions{
		ID:               due.DeliveryID(),
		TaskQueue:        temporalclient.Webhooks,
		EnableEagerStart: true,
		// One run a delivery: the one that works on it is woken instead.
		WorkflowExecutionErrorWhenAlreadyStarted: true,
		Priority:                                 temporal.Priority{FairnessKey: due.EndpointID},
		StaticSummary:                            fmt.Sprintf("%s to %s", visible.Markdown(due.EventType), visible.Markdown(due.Host)),
		StaticDetails: fmt.Sprintf("Delivery %s of account %s to endpoint %s at %s. Its attempts are read with `webhook.delivery.get`.",
			due.DeliveryID(), due.AccountID, due.EndpointID, visible.Markdown(due.Host)),
		TypedSearchAttributes: temporal.NewSearchAttributes(attributes...),
	}
}
