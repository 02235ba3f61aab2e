package workflows

import (
	"fmt"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/operations/temporalclient"
	"requisite/internal/text/visible"
	"requisite/internal/webhooks/sending"
)

// webhooks provides the names of the activities that send; its methods are never called.
var webhooks *activities.Webhooks

// SendWebhooks is a session: it makes first attempts, for any account and
// endpoint. Its first round is a local activity; an ordinary one, which
// heartbeats, does the rest. It is COMPLETED whatever the receivers answer: failed
// deliveries continue in their endpoint's own run.
func SendWebhooks(ctx workflow.Context) (sending.Sent, error) {
	var sent, rest sending.Sent
	err := workflow.ExecuteLocalActivity(localOnce(ctx, "Send due deliveries"), webhooks.SendFirst).Get(ctx, &sent)
	if err != nil {
		workflow.GetLogger(ctx).Warn("the first round of a session goes on as an ordinary activity", "error", err)
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

// The signals of an endpoint's run. RetryNow is for operators: everything that is
// RETRYING is attempted at once. Wake is for the dispatcher: the run looks again.
const (
	RetryNow = "retry-now"
	Wake     = activities.Wake
)

// EndpointRun is the input of an endpoint's run, with what operators search for.
type EndpointRun struct {
	EndpointID string `json:"endpoint_id"`
	AccountID  string `json:"account_id"`
	Host       string `json:"host"`
}

// RetryEndpoint makes all attempts at an endpoint after a failure. Temporal
// retries its activity for days; meanwhile it is pending in the Temporal UI with
// its last failure and its next attempt. A signal makes it look at once. It ends
// when nothing is left for it. Once it is a day old, the next signal makes it continue
// as new. Canceling it fails what is RETRYING, which can be recovered. All state is in the
// database; a run that was terminated is noticed and started again.
func RetryEndpoint(ctx workflow.Context, in EndpointRun) (sending.Retried, error) {
	retry, wake := workflow.GetSignalChannel(ctx, RetryNow), workflow.GetSignalChannel(ctx, Wake)
	asked := false
	woken := func() (any bool) {
		for wake.ReceiveAsync(nil) {
			any = true
		}
		for retry.ReceiveAsync(nil) {
			any, asked = true, true
		}
		return any
	}
	tellOperators(ctx, fmt.Sprintf("Deliveries to %s have failed. The tab Pending Activities shows how many wait, the last error and the next attempt.", visible.Markdown(in.Host)))
	for {
		woken() // the next look covers what was signaled so far
		if asked {
			if err := workflow.ExecuteActivity(untilItSucceeds(ctx, "Make all RETRYING deliveries due now"), webhooks.AskEndpoint, in.EndpointID).Get(ctx, nil); err != nil {
				if ctx.Err() != nil {
					return giveUp(ctx, in)
				}
				return sending.Retried{}, err
			}
			asked = false
			continue // somebody may have asked once more meanwhile
		}
		renew := shouldContinueAsNew(ctx)
		done, interrupted, err := retryUntil(ctx, in, renew, retry, wake, &asked)
		switch {
		case ctx.Err() != nil:
			return giveUp(ctx, in)
		case err != nil:
			return done, err
		case renew:
			return done, continueAsNew(ctx, in)
		case interrupted || woken():
			continue
		}
		tellOperators(ctx, done.DescribeEnd(in.Host))
		return done, workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(done.Ended), temporalclient.EventTypes.ValueSet(done.EventTypes))
	}
}

// retryUntil runs the activity until nothing is left for it, or a signal
// interrupts it. A run that is to be renewed starts none, so that it continues as
// new with no attempt in flight.
func retryUntil(ctx workflow.Context, in EndpointRun, renew bool, retry, wake workflow.ReceiveChannel, asked *bool) (done sending.Retried, interrupted bool, err error) {
	attemptCtx, cancel := workflow.WithCancel(ctx)
	defer cancel()
	if renew {
		return done, false, nil
	}
	future := workflow.ExecuteActivity(onTheEndpointsSchedule(attemptCtx, "Retry deliveries to "+visible.Markdown(in.Host)), webhooks.RetryEndpoint, in.EndpointID)
	selector := workflow.NewSelector(ctx).
		AddFuture(future, func(f workflow.Future) { err = f.Get(ctx, &done) }).
		AddReceive(retry, func(c workflow.ReceiveChannel, _ bool) { c.Receive(ctx, nil); interrupted, *asked = true, true }).
		AddReceive(wake, func(c workflow.ReceiveChannel, _ bool) { c.Receive(ctx, nil); interrupted = true })
	selector.Select(ctx)
	if interrupted {
		cancel()
		// It returns when its attempts in flight have ended. It begins no more;
		// the next activity handles what is due by then.
		err = future.Get(ctx, &done)
		if ctx.Err() == nil {
			err = nil // it was canceled, or its worker is gone: then it is not retried
		}
	}
	return done, interrupted, err
}

// giveUp fails what is RETRYING when an operator cancels the run.
func giveUp(ctx workflow.Context, in EndpointRun) (sending.Retried, error) {
	ctx, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	var n int64
	if err := workflow.ExecuteActivity(untilItSucceeds(ctx, "Give up RETRYING deliveries"), webhooks.GiveUpEndpoint, in.EndpointID).Get(ctx, &n); err != nil {
		return sending.Retried{}, err
	}
	tellOperators(ctx, fmt.Sprintf("**%s**: an operator canceled this run, so %d deliveries are FAILED. `starter delivery recover` sends them again.", sending.GaveUp, n))
	err := workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(sending.GaveUp))
	if err != nil {
		return sending.Retried{}, err
	}
	return sending.Retried{GaveUp: int(n), Ended: sending.GaveUp}, temporal.NewCanceledError()
}
