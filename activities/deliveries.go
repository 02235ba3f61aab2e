package activities

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/trace"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"requisite/internal/id"
	"requisite/internal/metrics"
	"requisite/internal/postgres"
	"requisite/internal/telemetry"
	"requisite/internal/visible"
	"requisite/internal/webhook"
)

// Deliveries are the steps that send webhooks. Their worker is the only one that
// connects to the outside.
type Deliveries struct {
	store  *postgres.Store
	sender *webhook.Sender
	count  *metrics.Metrics // may be nil
}

// NewDeliveries makes the steps over a store and a sender.
func NewDeliveries(store *postgres.Store, sender *webhook.Sender, count *metrics.Metrics) *Deliveries {
	return &Deliveries{store: store, sender: sender, count: count}
}

// AttemptRequest asks for an attempt at a delivery.
type AttemptRequest struct {
	DeliveryID string `json:"delivery_id"`
	// Force asks for an attempt before its time, and at an endpoint that fails.
	Force bool `json:"force,omitempty"`
}

// DeliveryEnd is how the work of one run on a delivery ended.
type DeliveryEnd struct {
	State    postgres.DeliveryState `json:"state"`
	Attempts int                    `json:"attempts,omitempty"` // so far, when this run made the last one
	// Waiting tells that the delivery waits in the database until its endpoint
	// answers again.
	Waiting   bool   `json:"waiting,omitempty"`
	LastError string `json:"last_error,omitempty"`
}

// Describe says it to an operator.
func (e DeliveryEnd) Describe() string {
	var b strings.Builder
	switch {
	case e.Waiting:
		b.WriteString("**Waiting:** the endpoint fails or is busy. The delivery waits in the database and starts a new run when its turn has come.")
	case e.State == postgres.Held:
		b.WriteString("**HELD:** there is no active webhook key, or the endpoint is disabled. It goes out when that changes.")
	default:
		b.WriteString(fmt.Sprintf("**%s**", e.State))
	}
	if e.Attempts > 0 {
		b.WriteString(fmt.Sprintf(" Attempt %d.", e.Attempts))
	}
	if e.LastError != "" {
		b.WriteString(fmt.Sprintf(" Last error: %s.", visible.Markdown(e.LastError)))
	}
	return b.String()
}

// AttemptedSignal tells a run how its activity's last attempt went.
const AttemptedSignal = "attempted"

// Attempted is what the signal carries.
type Attempted struct {
	Number int       `json:"number"`
	Error  string    `json:"error"`
	NextAt time.Time `json:"next_at"`
}

// Describe says it to an operator.
func (a Attempted) Describe() string {
	return fmt.Sprintf("**RETRYING** Attempt %d failed: %s.\n\nNext attempt at **%s**; the signal `retry-now` makes it at once.",
		a.Number, visible.Markdown(a.Error), a.NextAt.UTC().Format(time.RFC3339))
}

// A first try of the activity that starts so long after it was scheduled was
// reset by an operator, who wants an attempt now.
const resetAfter = 15 * time.Second

// AttemptDelivery makes one attempt at a delivery and logs it before and after.
// It returns when no further attempt by this run is wanted; otherwise it fails
// with the delay until the next one. Run twice, it makes another attempt only if
// the delivery still wants one.
func (d *Deliveries) AttemptDelivery(ctx context.Context, in AttemptRequest) (DeliveryEnd, error) {
	deliveryID, err := id.Parse(id.WebhookDelivery, in.DeliveryID)
	if err != nil {
		return DeliveryEnd{}, temporal.NewNonRetryableApplicationError("not a delivery id", "BAD_DELIVERY_ID", err)
	}
	info := activity.GetInfo(ctx)
	how := beginBy(info)
	how.Force, how.ForceFirst = info.Attempt == 1 && time.Since(info.ScheduledTime) > resetAfter, in.Force
	attempt, err := d.store.BeginAttempt(ctx, deliveryID, how)
	if err != nil {
		return DeliveryEnd{}, err
	}
	switch attempt.Step {
	case postgres.StepSend:
		return d.send(ctx, attempt)
	case postgres.StepWait:
		return DeliveryEnd{}, later("it is not yet time", attempt.Until)
	case postgres.StepPark:
		return DeliveryEnd{State: attempt.State, Waiting: true}, nil
	case postgres.StepNotFound:
		return DeliveryEnd{State: postgres.Canceled, LastError: "the delivery's record is gone"}, nil
	default:
		return DeliveryEnd{State: attempt.State}, nil
	}
}

// beginBy names the activity, and the makers that Temporal has given up on when
// it runs: an earlier try of itself, and the run's local activity. Another
// activity of the run, canceled for a retry, may have its attempt on the wire.
func beginBy(info activity.Info) postgres.Begin {
	first := info.WorkflowExecution.RunID + "/first"
	if info.IsLocalActivity {
		return postgres.Begin{Maker: first, After: []string{first}}
	}
	self := info.WorkflowExecution.RunID + "/" + info.ActivityID
	return postgres.Begin{Maker: self, After: []string{first, self}}
}

// untilGivenUp ends with an activity that Temporal has given up on. One that is
// canceled, for a retry or because the run is, lets its attempt come to its end;
// so does a local activity, which is not told why it is to end.
func untilGivenUp(ctx context.Context) (context.Context, context.CancelFunc) {
	attempt, cancel := context.WithCancel(context.WithoutCancel(ctx))
	if activity.GetInfo(ctx).IsLocalActivity {
		return attempt, cancel
	}
	stop := context.AfterFunc(ctx, func() {
		if !temporal.IsCanceledError(context.Cause(ctx)) {
			cancel()
		}
	})
	return attempt, func() { stop(); cancel() }
}

// endGrace is how long the log of an attempt's end may take, also when the
// worker is stopping.
const endGrace = 10 * time.Second

func (d *Deliveries) send(ctx context.Context, attempt postgres.Attempt) (DeliveryEnd, error) {
	stop := keepAlive(ctx)
	defer stop()
	ctx = telemetry.Within(ctx, attempt.Traceparent) // also in a run that was started without one
	body, err := webhook.Seal(attempt.Event, attempt.Key, attempt.Number-1, attempt.StartedAt)
	if err != nil {
		return DeliveryEnd{}, err
	}
	sending, done := untilGivenUp(ctx)
	defer done()
	result := d.sender.Post(sending, attempt.URL, webhook.Header(attempt.Event.ID, attempt.StartedAt, attempt.Traceparent), body)
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endGrace)
	defer cancel()
	if sending.Err() != nil && result.Error != "" {
		// It was broken off from this side, and may have arrived.
		d.count.Attempt("UNKNOWN", result.Duration, -1)
		return DeliveryEnd{}, errors.Join(sending.Err(), d.store.LoseAttempt(ending, attempt))
	}
	next, err := d.store.EndAttempt(ending, attempt, result)
	d.observe(ctx, attempt, next, result, err)
	switch {
	case err != nil:
		return DeliveryEnd{}, err
	case next.State != postgres.Retrying || next.Parked:
		return DeliveryEnd{State: next.State, Attempts: attempt.Number, Waiting: next.Parked, LastError: next.Error}, nil
	}
	made := Attempted{Number: attempt.Number, Error: next.Error, NextAt: next.At}
	info := activity.GetInfo(ctx)
	if !info.IsLocalActivity { // whose run is told by the error
		run := info.WorkflowExecution
		if err := activity.GetClient(ctx).SignalWorkflow(ending, run.ID, run.RunID, AttemptedSignal, made); err != nil {
			activity.GetLogger(ctx).Warn("the run could not be told of its attempt", "error", err)
		}
	}
	return DeliveryEnd{}, later(fmt.Sprintf("attempt %d: %s", attempt.Number, next.Error), next.At, made)
}

// observe counts an attempt, and tells of it in the log and in the trace.
func (d *Deliveries) observe(ctx context.Context, a postgres.Attempt, next postgres.Next, result webhook.Result, err error) {
	outcome, delay := "FAILED", time.Duration(-1)
	switch {
	case err != nil:
		outcome = "UNKNOWN" // its end could not be written
	case next.Error == "":
		outcome = "SUCCEEDED"
	}
	if !a.SendableAt.IsZero() {
		delay = max(0, a.StartedAt.Sub(a.SendableAt))
	}
	d.count.Attempt(outcome, result.Duration, delay)
	trace.SpanFromContext(ctx).SetAttributes(telemetry.AttributeAttempt.Int(a.Number), telemetry.AttributeOutcome.String(outcome))
	activity.GetLogger(ctx).Info("attempt", "number", a.Number, "outcome", outcome, "status_code", result.StatusCode,
		"duration", result.Duration, "endpoint_id", id.Format(id.WebhookConfig, a.EndpointID))
}

const attemptFailedType = "ATTEMPT_FAILED"

// later fails an activity until a time.
func later(why string, at time.Time, details ...any) error {
	return temporal.NewApplicationErrorWithOptions(why, attemptFailedType, temporal.ApplicationErrorOptions{
		NextRetryDelay: max(time.Until(at), time.Millisecond),
		Category:       temporal.ApplicationErrorCategoryBenign,
		Details:        details,
	})
}

// AttemptedFromError reads out of a failed activity how its attempt went; false
// when none was made.
func AttemptedFromError(err error) (Attempted, bool) {
	var app *temporal.ApplicationError
	var made Attempted
	if !errors.As(err, &app) || app.Type() != attemptFailedType || !app.HasDetails() {
		return made, false
	}
	return made, app.Details(&made) == nil
}

// keepAlive heartbeats until it is stopped, so that a worker that dies is missed
// soon.
func keepAlive(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(3 * time.Second)
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

// StopDelivery gives a delivery up, unless it has ended.
func (d *Deliveries) StopDelivery(ctx context.Context, deliveryID string) (DeliveryEnd, error) {
	u, err := id.Parse(id.WebhookDelivery, deliveryID)
	if err != nil {
		return DeliveryEnd{}, temporal.NewNonRetryableApplicationError("not a delivery id", "BAD_DELIVERY_ID", err)
	}
	state, err := d.store.StopDelivery(ctx, u)
	return DeliveryEnd{State: state, LastError: "stopped by the operator"}, err
}

// Reconciled is what a reconciliation found and mended.
type Reconciled struct {
	// Restarted deliveries had been handed to a run that is gone.
	Restarted int `json:"restarted"`
	// Late deliveries have a run that should have acted by now.
	Late int `json:"late"`
	postgres.Mended
}

// Any reports whether anything was found.
func (r Reconciled) Any() bool { return r != Reconciled{} }

// Describe says it to an operator.
func (r Reconciled) Describe() string {
	if !r.Any() {
		return "Every delivery is where it should be."
	}
	var b strings.Builder
	for _, line := range []struct {
		count int64
		text  string
	}{
		{int64(r.Restarted), "had lost their run and were given back to the dispatcher"},
		{int64(r.Late), "have a run that is late; look at its pending activity"},
		{r.LostAttempts, "attempts had lost their end and are UNKNOWN now"},
		{r.Released, "were HELD although they could go, and were released"},
		{r.Canceled, "belonged to deleted endpoints and were canceled"},
		{r.Held, "belonged to disabled endpoints and were held"},
		{r.Waiting, "wait for a dispatcher, or for their run to begin, for more than two minutes: is a worker running, is there capacity, and what do their runs say?"},
	} {
		if line.count > 0 {
			b.WriteString(fmt.Sprintf("- **%d** %s\n", line.count, line.text))
		}
	}
	return b.String()
}

// reconcileBatch is how many overdue deliveries are looked at in one go.
const reconcileBatch = 200

// Reconcile compares the deliveries that should have moved with the runs that
// should have moved them, and mends what is stuck. Running it again does no
// harm.
func (d *Deliveries) Reconcile(ctx context.Context) (Reconciled, error) {
	mended, err := d.store.Mend(ctx)
	found := Reconciled{Mended: mended}
	if err != nil {
		return found, err
	}
	c := activity.GetClient(ctx)
	found.Restarted, found.Late, err = GiveBackOverdue(ctx, d.store, c, lateAfter, func() { activity.RecordHeartbeat(ctx) })
	if err != nil {
		return found, err
	}
	return found, d.store.Succeeded(ctx, postgres.ScheduleReconcile)
}

// lateAfter is how far behind its time a delivery must be to be worth a word.
const lateAfter = 2 * time.Minute

// GiveBackOverdue looks at the deliveries that were handed to a run and should
// have moved so long ago. Those without a run go back to the dispatcher, and are
// counted; so are those whose run is late.
func GiveBackOverdue(ctx context.Context, store *postgres.Store, c client.Client, by time.Duration, progress func()) (lost, late int, err error) {
	var after uuid.UUID
	for {
		batch, err := store.Overdue(ctx, by, after, reconcileBatch)
		if err != nil || len(batch) == 0 {
			return lost, late, err
		}
		for _, delivery := range batch {
			running, err := isRunning(ctx, c, id.Format(id.WebhookDelivery, delivery))
			switch {
			case err != nil:
				return lost, late, err
			case running:
				late++
				continue
			}
			if err := store.GiveBack(ctx, delivery); err != nil {
				return lost, late, err
			}
			lost++
		}
		after = batch[len(batch)-1]
		progress()
	}
}

func isRunning(ctx context.Context, c client.Client, runID string) (bool, error) {
	described, err := c.DescribeWorkflow(ctx, runID, "")
	var none *serviceerror.NotFound
	switch {
	case errors.As(err, &none):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("look for the run of %s: %w", runID, err)
	}
	return described.Status == enums.WORKFLOW_EXECUTION_STATUS_RUNNING, nil
}
