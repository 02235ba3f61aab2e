package workflows

import (
	"fmt"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/sending"
	"requisite/internal/temporalclient"
	"requisite/internal/text/visible"
)

// webhooks provides the names of the activities that send; its methods are never called.
var webhooks *activities.Webhooks

// SendWebhooks is a session: it makes first attempts, for any account and endpoint. Its first
// round is a local activity; an ordinary one does the rest. It is COMPLETED also if attempts
// fail: the endpoint's own run retries them.
func SendWebhooks(ctx workflow.Context) (sending.Sent, error) {
	var sent, rest sending.Sent
	err := workflow.ExecuteLocalActivity(localOnce(ctx, "Send due deliveries"), webhooks.SendFirst).Get(ctx, &sent)
	if err != nil {
		workflow.GetLogger(ctx).Warn("the first round of a session failed; the session continues as an ordinary activity", "error", err)
	}
	if err != nil || sent.More {
		if err := workflow.ExecuteActivity(whileItHeartbeats(ctx, "Send the remaining deliveries"), webhooks.SendRest).Get(ctx, &rest); err != nil {
			return sent, err
		}
		sent = sent.Plus(rest)
	}
	tellOperators(ctx, sent.Describe())
	return sent, workflow.UpsertTypedSearchAttributes(ctx,
		temporalclient.AccountIDs.ValueSet(sent.Accounts), temporalclient.EndpointIDs.ValueSet(sent.Endpoints),
		temporalclient.EventTypes.ValueSet(sent.EventTypes), temporalclient.Outcome.ValueSet(sent.Outcome()))
}

// The signals of an endpoint's run. With RetryNow, an operator makes it attempt all RETRYING
// deliveries at once. With Wake, the dispatcher makes it look again. With Waits, its activity
// says what it waits for.
const (
	RetryNow = "retry-now"
	Wake     = activities.Wake
	Waits    = activities.Waits
)

// EndpointRun is the input of an endpoint's run.
type EndpointRun struct {
	EndpointID string `json:"endpoint_id"`
	AccountID  string `json:"account_id"`
	Host       string `json:"host"`
}

// RetryEndpoint makes all attempts at an endpoint after a failure. Temporal retries its
// activity for days, and the Temporal UI shows the last failure and the next attempt. A
// signal makes it look at once. It ends when no delivery is left for it. A signal after a day
// makes it continue as new. Canceling it fails the RETRYING deliveries, which can be
// recovered. Its state is in the database: the reconciliation replaces a terminated run.
func RetryEndpoint(ctx workflow.Context, in EndpointRun) (sending.Retried, error) {
	retry, wake := workflow.GetSignalChannel(ctx, RetryNow), workflow.GetSignalChannel(ctx, Wake)
	retryRequested := false
	receiveSignals := func() (any bool) {
		for wake.ReceiveAsync(nil) {
			any = true
		}
		for retry.ReceiveAsync(nil) {
			any, retryRequested = true, true
		}
		return any
	}
	tellOperators(ctx, fmt.Sprintf("Deliveries to %s have failed. The next attempt is at work.", visible.Markdown(in.Host)))
	for {
		receiveSignals() // the next look covers these signals
		if retryRequested {
			persistent := untilItSucceeds(ctx, "Make all RETRYING deliveries due now")
			if err := workflow.ExecuteActivity(persistent, webhooks.RetryEndpointNow, in.EndpointID).Get(ctx, nil); err != nil {
				if ctx.Err() != nil {
					return giveUp(ctx, in)
				}
				return sending.Retried{}, err
			}
			retryRequested = false
			continue // another retry may have been requested meanwhile
		}
		renew := shouldContinueAsNew(ctx)
		done, interrupted, err := retryUntil(ctx, in, renew, retry, wake, &retryRequested)
		switch {
		case ctx.Err() != nil:
			return giveUp(ctx, in)
		case err != nil:
			return done, err
		case renew:
			return done, continueAsNew(ctx, in)
		case interrupted || receiveSignals():
			continue
		}
		tellOperators(ctx, done.DescribeEnd(in.Host))
		return done, workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(done.Ended), temporalclient.EventTypes.ValueSet(done.EventTypes))
	}
}

// retryUntil runs the activity until it ends or a signal interrupts it. It does not start it
// if the run must continue as new: then no attempt is in flight.
func retryUntil(
	ctx workflow.Context, in EndpointRun, renew bool, retry, wake workflow.ReceiveChannel, retryRequested *bool,
) (done sending.Retried, interrupted bool, err error) {
	attemptCtx, cancel := workflow.WithCancel(ctx)
	defer cancel()
	if renew {
		return done, false, nil
	}
	scheduled := onTheEndpointsSchedule(attemptCtx, "Retry deliveries to "+visible.Markdown(in.Host))
	future := workflow.ExecuteActivity(scheduled, webhooks.RetryEndpoint, in.EndpointID)
	over := false
	selector := workflow.NewSelector(ctx).
		AddFuture(future, func(f workflow.Future) {
			over = true
			err = f.Get(ctx, &done)
		}).
		AddReceive(retry, func(c workflow.ReceiveChannel, _ bool) {
			c.Receive(ctx, nil)
			interrupted, *retryRequested = true, true
		}).
		AddReceive(wake, func(c workflow.ReceiveChannel, _ bool) {
			c.Receive(ctx, nil)
			interrupted = true
		}).
		AddReceive(workflow.GetSignalChannel(ctx, Waits), func(c workflow.ReceiveChannel, _ bool) {
			var what string
			c.Receive(ctx, &what)
			tellOperators(ctx, what)
			interrupted = interrupted || shouldContinueAsNew(ctx)
		})
	for !over && !interrupted {
		selector.Select(ctx)
	}
	if interrupted {
		cancel()
		// It begins no more attempts, and returns when those in flight have ended. The next
		// activity handles the due deliveries.
		err = future.Get(ctx, &done)
		if ctx.Err() == nil {
			err = nil // the activity was canceled, or its worker is gone; the next activity continues
		}
	}
	return done, interrupted, err
}

// giveUp fails the RETRYING deliveries after an operator has canceled the run.
func giveUp(ctx workflow.Context, in EndpointRun) (sending.Retried, error) {
	ctx, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	var n int64
	persistent := untilItSucceeds(ctx, "Give up RETRYING deliveries")
	if err := workflow.ExecuteActivity(persistent, webhooks.GiveUpEndpoint, in.EndpointID).Get(ctx, &n); err != nil {
		return sending.Retried{}, err
	}
	tellOperators(ctx, fmt.Sprintf("**%s**: an operator canceled this run, so %d deliveries are FAILED. `webhook.delivery.recover` sends them again.",
		sending.GaveUp, n))
	err := workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(sending.GaveUp))
	if err != nil {
		return sending.Retried{}, err
	}
	return sending.Retried{GaveUp: int(n), Ended: sending.GaveUp}, temporal.NewCanceledError()
}
