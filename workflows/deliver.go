package workflows

import (
	"fmt"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/postgres"
	"requisite/internal/temporalclient"
	"requisite/internal/visible"
)

// RetryNow is the signal that asks DeliverWebhook for an attempt at once.
// Operators send it too.
const RetryNow = "retry-now"

// Wake is the signal with which a dispatcher hands a delivery to a run that still
// works on it: the delivery is looked at again, and attempted if it is due.
const Wake = "wake"

// WebhookDelivery names a delivery for its run, with what an operator looks for.
type WebhookDelivery struct {
	DeliveryID string `json:"delivery_id"`
	AccountID  string `json:"account_id"`
	EndpointID string `json:"endpoint_id"`
	EventType  string `json:"event_type"`
	Host       string `json:"host"`
}

// DeliverWebhook works on one delivery until it is delivered, given up, held or
// canceled, or until it is to wait in the database for its endpoint to recover.
// The first attempt is a local activity, for most need no other and it costs
// Temporal half as much. Then one ordinary activity makes the attempts, retried
// by Temporal on the schedule that the activity gives, pending in the Temporal UI
// in between. The database owns the delivery's state.
//
// The signal retry-now tries again at once. Canceling the run gives the delivery
// up: it is FAILED, and can be asked for again. A run that is terminated is
// missed when its next attempt is overdue, and the delivery goes on.
func DeliverWebhook(ctx workflow.Context, in WebhookDelivery) (activities.DeliveryEnd, error) {
	d := delivering{
		in:       in,
		retry:    workflow.GetSignalChannel(ctx, RetryNow),
		wake:     workflow.GetSignalChannel(ctx, Wake),
		attempts: workflow.GetSignalChannel(ctx, activities.AttemptedSignal),
	}
	return d.run(ctx)
}

type delivering struct {
	in                    WebhookDelivery
	retry, wake, attempts workflow.ReceiveChannel
	force                 bool // the next attempt was asked for
}

func (d *delivering) run(ctx workflow.Context) (activities.DeliveryEnd, error) {
	end, again, err := d.first(ctx)
	// A wish that came in the moment of the end would be lost with the run.
	for again || ctx.Err() == nil && d.wanted() {
		end, again, err = d.attempt(ctx)
	}
	switch {
	case ctx.Err() != nil:
		return d.stop(ctx)
	case err != nil:
		return end, err
	}
	if err := d.show(ctx, end.State, end.Describe()); err != nil {
		return end, err
	}
	if end.State == postgres.Failed {
		return end, temporal.NewApplicationErrorWithOptions("the webhook was not delivered: "+end.LastError, "DELIVERY_FAILED",
			temporal.ApplicationErrorOptions{NonRetryable: true})
	}
	return end, nil
}

// sending says what an attempt does.
func (d *delivering) sending() string {
	return fmt.Sprintf("Send %s to %s", visible.Markdown(d.in.EventType), visible.Markdown(d.in.Host))
}

// wanted takes a wish that has come unnoticed.
func (d *delivering) wanted() bool {
	d.force = d.retry.ReceiveAsync(nil)
	return d.force || d.wake.ReceiveAsync(nil)
}

// first makes the first attempt, and leaves the others to attempt.
func (d *delivering) first(ctx workflow.Context) (end activities.DeliveryEnd, again bool, err error) {
	err = workflow.ExecuteLocalActivity(onceCloseBy(ctx, d.sending()), "AttemptDelivery",
		activities.AttemptRequest{DeliveryID: d.in.DeliveryID}).Get(ctx, &end)
	if err == nil || ctx.Err() != nil {
		return end, false, err
	}
	if last, ok := activities.AttemptedFromError(err); ok {
		if err := d.show(ctx, postgres.Retrying, last.Describe()); err != nil {
			return end, false, err
		}
	}
	return d.attempt(ctx)
}

// attempt runs the activity to its end, or until somebody wants the delivery
// looked at again: then again is true. An attempt on the wire ends by itself; the
// next activity waits for that.
func (d *delivering) attempt(ctx workflow.Context) (end activities.DeliveryEnd, again bool, err error) {
	attemptCtx, cancel := workflow.WithCancel(onTheDeliverysSchedule(ctx, d.sending()))
	defer cancel()
	future := workflow.ExecuteActivity(attemptCtx, "AttemptDelivery", activities.AttemptRequest{DeliveryID: d.in.DeliveryID, Force: d.force})
	d.force = false
	ended := false
	selector := workflow.NewSelector(ctx).
		AddFuture(future, func(f workflow.Future) { ended, err = true, f.Get(ctx, &end) }).
		AddReceive(d.attempts, func(c workflow.ReceiveChannel, _ bool) {
			var last activities.Attempted
			// What the service did not write is dropped: Receive would go on waiting.
			if c.ReceiveAsync(&last) {
				err = d.show(ctx, postgres.Retrying, last.Describe())
			}
		}).
		AddReceive(d.retry, func(c workflow.ReceiveChannel, _ bool) {
			c.Receive(ctx, nil)
			d.force, again = true, true
		}).
		AddReceive(d.wake, func(c workflow.ReceiveChannel, _ bool) {
			c.Receive(ctx, nil)
			again = true
		})
	for !ended && !again && err == nil {
		selector.Select(ctx)
	}
	return end, again, err
}

// stop gives the delivery up when an operator cancels the run.
func (d *delivering) stop(ctx workflow.Context) (activities.DeliveryEnd, error) {
	ctx, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	var end activities.DeliveryEnd
	err := workflow.ExecuteActivity(untilItSucceeds(ctx, "Give the delivery up"), "StopDelivery", d.in.DeliveryID).Get(ctx, &end)
	if err != nil {
		return end, err
	}
	if err := d.show(ctx, end.State, end.Describe()); err != nil {
		return end, err
	}
	return end, temporal.NewCanceledError()
}

// show leaves for the operator where the delivery stands.
func (d *delivering) show(ctx workflow.Context, state postgres.DeliveryState, details string) error {
	workflow.SetCurrentDetails(ctx, details)
	return workflow.UpsertTypedSearchAttributes(ctx, temporalclient.DeliveryState.ValueSet(string(state)))
}
