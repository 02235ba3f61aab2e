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
	"requisite/internal/operations/temporalclient"
	"requisite/internal/webhooks/sending"
)

// Webhooks are the steps that send webhooks. Only their workers connect to the
// internet.
type Webhooks struct{ engine *sending.Engine }

// NewWebhooks makes the steps over an engine.
func NewWebhooks(engine *sending.Engine) *Webhooks { return &Webhooks{engine} }

// How long a session claims: first as a local activity, and then for longer as one
// that heartbeats.
const (
	firstWindow = time.Second
	restWindow  = 10 * time.Second
)

// SendFirst is the first round of a session: a local activity, so that an event
// goes out as soon as its run has started. It leaves out endpoints that last
// answered slowly. If its worker dies, what was in flight is found by age.
func (w *Webhooks) SendFirst(ctx context.Context) (sending.Sent, error) {
	return w.engine.Send(ctx, sending.Session{By: maker(ctx), Quick: true, Window: firstWindow})
}

// SendRest is the rest of a session. If its worker dies, Temporal misses its
// heartbeat, and the next try declares lost what was in flight.
func (w *Webhooks) SendRest(ctx context.Context) (sending.Sent, error) {
	stop := heartbeat(ctx)
	defer stop()
	return w.engine.Send(ctx, sending.Session{By: maker(ctx), Window: restWindow, Lost: activity.GetInfo(ctx).Attempt > 1})
}

// tellAnew is how old the description of an endpoint in trouble may get: a look
// without attempts counts again what waits.
const tellAnew = 10 * time.Minute

// RetryEndpoint makes the attempts that an endpoint's own run may make. While
// something is due later it fails with a benign error and the delay until then,
// so that it is pending in the Temporal UI with its last failure and its next
// attempt. It returns when nothing is left for the run. Run twice, it attempts
// only what is due.
func (w *Webhooks) RetryEndpoint(ctx context.Context, endpointID string) (sending.Retried, error) {
	endpoint, err := id.Parse(id.WebhookConfig, endpointID)
	if err != nil {
		return sending.Retried{}, temporal.NewNonRetryableApplicationError("not an endpoint's id", "BAD_ENDPOINT_ID", err)
	}
	stop := heartbeat(ctx)
	defer stop()
	done, err := w.engine.Retry(ctx, maker(ctx), endpoint, activity.GetInfo(ctx).Attempt > 1)
	switch {
	case err != nil:
		return done, err
	case done.Done():
		done.Ended = done.Outcome()
		return done, nil
	}
	return done, temporal.NewApplicationErrorWithOptions(done.Describe(), "WAITING", temporal.ApplicationErrorOptions{
		NextRetryDelay: min(max(done.Look.In, time.Millisecond), tellAnew),
		Category:       temporal.ApplicationErrorCategoryBenign,
	})
}

// AskEndpoint requests an attempt at all of an endpoint's RETRYING deliveries.
func (w *Webhooks) AskEndpoint(ctx context.Context, endpointID string) error {
	endpoint, err := id.Parse(id.WebhookConfig, endpointID)
	if err != nil {
		return temporal.NewNonRetryableApplicationError("not an endpoint's id", "BAD_ENDPOINT_ID", err)
	}
	return w.engine.Ask(ctx, endpoint)
}

// GiveUpEndpoint fails an endpoint's RETRYING deliveries, and reports how many that were.
func (w *Webhooks) GiveUpEndpoint(ctx context.Context, endpointID string) (int64, error) {
	endpoint, err := id.Parse(id.WebhookConfig, endpointID)
	if err != nil {
		return 0, temporal.NewNonRetryableApplicationError("not an endpoint's id", "BAD_ENDPOINT_ID", err)
	}
	return w.engine.GiveUp(ctx, endpoint)
}

// ReplaySome sends the next events of a replay to its endpoint. Run again, it goes
// on where the last one ended.
func (w *Webhooks) ReplaySome(ctx context.Context, run id.RunID) (domain.ReplayStep, error) {
	return w.engine.ReplaySome(ctx, run)
}

// CancelReplay ends a replay.
func (w *Webhooks) CancelReplay(ctx context.Context, run id.RunID) (domain.ReplayStep, error) {
	return w.engine.CancelReplay(ctx, run)
}

// maker names the activity in the log of attempts.
func maker(ctx context.Context) domain.Maker {
	info := activity.GetInfo(ctx)
	by := domain.Maker{WorkflowID: info.WorkflowExecution.ID, RunID: info.WorkflowExecution.RunID}
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

// RenewAfter is the age from which a run continues as new at its next workflow task. So
// no open run is much older.
const RenewAfter = 24 * time.Hour

// Reconcile compares open deliveries with the runs that should send them, and
// repairs what is stuck. It should find nothing. It also wakes old runs, which have no
// workflow task while they wait. Running it again is harmless.
func (w *Webhooks) Reconcile(ctx context.Context) (sending.Reconciled, error) {
	return w.engine.Reconcile(ctx, func(ctx context.Context) (map[string]bool, error) {
		return openEndpointRuns(ctx, activity.GetClient(ctx))
	})
}

// Wake is the signal that makes an endpoint's run look again.
const Wake = "wake"

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
