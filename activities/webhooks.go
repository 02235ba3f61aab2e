package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/sending"
	"requisite/internal/temporalclient"
)

// Webhooks are the activities that send webhooks. Only their workers connect to the
// internet.
type Webhooks struct{ deliverer *sending.Deliverer }

// NewWebhooks makes the steps over a deliverer.
func NewWebhooks(deliverer *sending.Deliverer) *Webhooks { return &Webhooks{deliverer} }

// How long a session claims: first in a local activity, then in one that heartbeats.
const (
	firstWindow = time.Second
	restWindow  = 10 * time.Second
)

// SendFirst is the first round of a session. As a local activity, it sends an event as soon
// as its run has started. It leaves out endpoints whose last answer was slow. If its worker
// dies, other sessions find its attempts by their age.
func (w *Webhooks) SendFirst(ctx context.Context) (sending.Sent, error) {
	return w.deliverer.Send(ctx, sending.Session{By: createdBy(ctx), Quick: true, Window: firstWindow})
}

// SendRest is the rest of a session. If its worker dies, Temporal misses its heartbeat, and
// the next try declares its attempts lost.
func (w *Webhooks) SendRest(ctx context.Context) (sending.Sent, error) {
	stop := heartbeat(ctx)
	defer stop()
	return w.deliverer.Send(ctx, sending.Session{By: createdBy(ctx), Window: restWindow, Repeated: activity.GetInfo(ctx).Attempt > 1})
}

// describeAgainAfter is how old the description of a failing endpoint may get. The activity
// then counts its waiting deliveries again.
const describeAgainAfter = 10 * time.Minute

// RetryEndpoint makes the attempts of an endpoint's own run. While a delivery is due later,
// it fails with a benign error and the delay until then. So the Temporal UI shows it as
// pending, with its last failure and its next attempt. It returns when nothing is left for
// the run. A second execution attempts only due deliveries.
func (w *Webhooks) RetryEndpoint(ctx context.Context, endpointID string) (sending.Retried, error) {
	endpoint, err := id.Parse(id.WebhookConfig, endpointID)
	if err != nil {
		return sending.Retried{}, temporal.NewNonRetryableApplicationError("not an endpoint's id", "BAD_ENDPOINT_ID", err)
	}
	stop := heartbeat(ctx)
	defer stop()
	done, err := w.deliverer.Retry(ctx, createdBy(ctx), endpoint, activity.GetInfo(ctx).Attempt > 1)
	switch {
	case err != nil:
		return done, err
	case done.Done():
		done.Ended = done.Outcome()
		return done, nil
	}
	tellRun(ctx, done.Describe())
	return done, temporal.NewApplicationErrorWithOptions(done.Describe(), "WAITING", temporal.ApplicationErrorOptions{
		NextRetryDelay: min(max(done.Claim.In, time.Millisecond), describeAgainAfter),
		Category:       temporal.ApplicationErrorCategoryBenign,
	})
}

// tellRunWithin limits how long tellRun delays the next attempt.
const tellRunWithin = 5 * time.Second

// tellRun sends the run a signal with what it waits for, for its current details. Nothing depends on
// the signal: the failure of the activity has the same text.
func tellRun(ctx context.Context, what string) {
	ctx, cancel := context.WithTimeout(ctx, tellRunWithin)
	defer cancel()
	run := activity.GetInfo(ctx).WorkflowExecution
	if err := activity.GetClient(ctx).SignalWorkflow(ctx, run.ID, run.RunID, Waits, what); err != nil {
		activity.GetLogger(ctx).Warn("the run of an endpoint cannot be told what it waits for", "error", err)
	}
}

// RetryEndpointNow requests an attempt at all of an endpoint's RETRYING deliveries.
func (w *Webhooks) RetryEndpointNow(ctx context.Context, endpointID string) error {
	endpoint, err := id.Parse(id.WebhookConfig, endpointID)
	if err != nil {
		return temporal.NewNonRetryableApplicationError("not an endpoint's id", "BAD_ENDPOINT_ID", err)
	}
	return w.deliverer.RetryEndpointNow(ctx, endpoint)
}

// GiveUpEndpoint fails an endpoint's RETRYING deliveries, and reports how many that were.
func (w *Webhooks) GiveUpEndpoint(ctx context.Context, endpointID string) (int64, error) {
	endpoint, err := id.Parse(id.WebhookConfig, endpointID)
	if err != nil {
		return 0, temporal.NewNonRetryableApplicationError("not an endpoint's id", "BAD_ENDPOINT_ID", err)
	}
	return w.deliverer.GiveUp(ctx, endpoint)
}

// ReplaySome sends the next events of a replay to its endpoint. A repeat continues after the
// events of the first execution.
func (w *Webhooks) ReplaySome(ctx context.Context, run id.RunID) (domain.ReplayStep, error) {
	return w.deliverer.ReplaySome(ctx, run)
}

// CancelReplay ends a replay.
func (w *Webhooks) CancelReplay(ctx context.Context, run id.RunID) (domain.ReplayStep, error) {
	return w.deliverer.CancelReplay(ctx, run)
}

// createdBy names the activity in the log of attempts.
func createdBy(ctx context.Context) domain.CreatedBy {
	info := activity.GetInfo(ctx)
	by := domain.CreatedBy{WorkflowID: info.WorkflowExecution.ID, RunID: info.WorkflowExecution.RunID}
	if !info.IsLocalActivity {
		by.ActivityID = info.ActivityID
	}
	return by
}

// heartbeatEvery is well below the heartbeat timeout.
const heartbeatEvery = 3 * time.Second

// heartbeat sends heartbeats until it is stopped.
func heartbeat(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(heartbeatEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				activity.RecordHeartbeat(ctx)
			}
		}
	}()
	return func() { cancel(); <-done }
}

// RenewAfter is the age at which a run continues as new, at its next workflow task.
const RenewAfter = 24 * time.Hour

// Reconcile compares open deliveries with the runs that should send them, and repairs stuck
// ones. It also wakes old runs, which would not continue as new while they wait. Running it
// again is harmless.
func (w *Webhooks) Reconcile(ctx context.Context) (sending.Reconciled, error) {
	return w.deliverer.Reconcile(ctx, func(ctx context.Context) (map[string]bool, error) {
		return openEndpointRuns(ctx, activity.GetClient(ctx))
	})
}

// Wake is the signal that makes an endpoint's run look again. Waits tells it what its activity
// waits for.
const (
	Wake  = "wake"
	Waits = "waits"
)

// openEndpointRuns lists the endpoints whose run is open, by the ids of the runs. It
// wakes those that should continue as new.
func openEndpointRuns(ctx context.Context, c client.Client) (map[string]bool, error) {
	open := map[string]bool{}
	request := &workflowservice.ListWorkflowExecutionsRequest{
		Query: fmt.Sprintf("TaskQueue = '%s' AND ExecutionStatus = 'Running'", temporalclient.Endpoints), PageSize: 1000,
	}
	for {
		list, err := c.ListWorkflow(ctx, request)
		if err != nil {
			return nil, fmt.Errorf("list the runs of endpoints: %w", err)
		}
		for _, run := range list.Executions {
			open[run.Execution.WorkflowId] = true
			if time.Since(run.StartTime.AsTime()) <= RenewAfter {
				continue
			}
			err := c.SignalWorkflow(ctx, run.Execution.WorkflowId, run.Execution.RunId, Wake, nil)
			var ended *serviceerror.NotFound
			if err != nil && !errors.As(err, &ended) { // the search for missing runs goes on
				activity.GetLogger(ctx).Warn("an old run of an endpoint cannot be woken", "error", err, "WorkflowID", run.Execution.WorkflowId)
			}
		}
		if request.NextPageToken = list.NextPageToken; len(request.NextPageToken) == 0 {
			return open, nil
		}
		activity.RecordHeartbeat(ctx)
	}
}
