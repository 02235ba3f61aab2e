package workflows

import (
	"fmt"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/sending"
	"requisite/internal/temporalclient"
	"requisite/internal/visible"
)

// webhooks names the activities that send; nobody calls it.
var webhooks *activities.Webhooks

// SendWebhooks is a session: it sends what is due and was never attempted, of any
// account and endpoint. Its first round is a local activity, and what that leaves,
// an ordinary one that Temporal watches. It ends COMPLETED whatever the receivers
// answered: what failed goes on in its endpoint's own run.
func SendWebhooks(ctx workflow.Context) (sending.Sent, error) {
	var sent, rest sending.Sent
	err := workflow.ExecuteLocalActivity(localOnce(ctx, "Send what is due"), webhooks.SendFirst).Get(ctx, &sent)
	if err != nil {
		workflow.GetLogger(ctx).Warn("the first round of a session goes on as an ordinary activity", "error", err)
	}
	if err != nil || sent.More {
		if err := workflow.ExecuteActivity(whileItHeartbeats(ctx, "Send what is left"), webhooks.SendRest).Get(ctx, &rest); err != nil {
			return sent, err
		}
		sent = sent.Plus(rest)
	}
	workflow.SetCurrentDetails(ctx, sent.Describe())
	return sent, workflow.UpsertTypedSearchAttributes(ctx,
		temporalclient.AccountIDs.ValueSet(sent.Accounts), temporalclient.EndpointIDs.ValueSet(sent.Endpoints),
		temporalclient.EventTypes.ValueSet(sent.EventTypes), temporalclient.Outcome.ValueSet(sent.Outcome()))
}

// The signals of an endpoint's run. RetryNow is for operators: everything that is
// RETRYING is attempted at once. Wake is the dispatcher's: the run looks anew.
const (
	RetryNow = "retry-now"
	Wake     = "wake"
)

// EndpointRun names an endpoint for its run, with what an operator looks for.
type EndpointRun struct {
	EndpointID string `json:"endpoint_id"`
	AccountID  string `json:"account_id"`
	Host       string `json:"host"`
}

// RetryEndpoint works on everything that an endpoint is owed after a failure. Its
// activity makes the attempts, and is retried by Temporal for days, pending in the
// Temporal UI with what happened last and what comes next; a signal looks again at
// once. It ends when nothing is owed that concerns it. Canceling it fails what is
// RETRYING, which can be recovered. The database owns the state of everything; a
// run that is terminated is missed, and started again.
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
	for {
		woken() // what has come so far is looked at now
		if asked {
			if err := workflow.ExecuteActivity(untilItSucceeds(ctx, "Make everything due now"), webhooks.AskEndpoint, in.EndpointID).Get(ctx, nil); err != nil {
				if ctx.Err() != nil {
					return giveUp(ctx, in)
				}
				return sending.Retried{}, err
			}
			asked = false
		}
		full := workflow.GetInfo(ctx).GetContinueAsNewSuggested()
		done, interrupted, err := retryUntil(ctx, in, full, retry, wake, &asked)
		switch {
		case ctx.Err() != nil:
			return giveUp(ctx, in)
		case err != nil:
			return done, err
		case full:
			return done, workflow.NewContinueAsNewError(ctx, RetryEndpointName, in)
		case interrupted || woken():
			continue
		}
		workflow.SetCurrentDetails(ctx, fmt.Sprintf("**%s** %s", done.Ended, visible.Markdown(in.Host)))
		return done, workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(done.Ended), temporalclient.EventTypes.ValueSet(done.EventTypes))
	}
}

// retryUntil runs the activity until nothing is owed, or a signal interrupts it.
// Before the history grows too long it waits until the activity has ended, so that
// the run continues as new with no attempt in flight.
func retryUntil(ctx workflow.Context, in EndpointRun, full bool, retry, wake workflow.ReceiveChannel, asked *bool) (done sending.Retried, interrupted bool, err error) {
	attemptCtx, cancel := workflow.WithCancel(ctx)
	defer cancel()
	if full {
		return done, false, nil
	}
	future := workflow.ExecuteActivity(onTheEndpointsSchedule(attemptCtx, "Retry what "+visible.Markdown(in.Host)+" is owed"), webhooks.RetryEndpoint, in.EndpointID)
	selector := workflow.NewSelector(ctx).
		AddFuture(future, func(f workflow.Future) { err = f.Get(ctx, &done) }).
		AddReceive(retry, func(c workflow.ReceiveChannel, _ bool) { c.Receive(ctx, nil); interrupted, *asked = true, true }).
		AddReceive(wake, func(c workflow.ReceiveChannel, _ bool) { c.Receive(ctx, nil); interrupted = true })
	selector.Select(ctx)
	if interrupted {
		cancel()
		// It ends when what it has in flight has ended; what is due meanwhile, it
		// begins no more, and the next one looks at.
		err = future.Get(ctx, &done)
		if ctx.Err() == nil {
			err = nil // it was canceled, or its worker is gone: then it is not tried again
		}
	}
	return done, interrupted, err
}

// giveUp fails what is RETRYING when an operator cancels the run.
func giveUp(ctx workflow.Context, in EndpointRun) (sending.Retried, error) {
	ctx, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	var n int64
	if err := workflow.ExecuteActivity(untilItSucceeds(ctx, "Give up what is RETRYING"), webhooks.GiveUpEndpoint, in.EndpointID).Get(ctx, &n); err != nil {
		return sending.Retried{}, err
	}
	workflow.SetCurrentDetails(ctx, fmt.Sprintf("**%s** %d deliveries were given up by the operator; `starter delivery recover` lets them go again.", sending.GaveUp, n))
	err := workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(sending.GaveUp))
	if err != nil {
		return sending.Retried{}, err
	}
	return sending.Retried{GaveUp: int(n), Ended: sending.GaveUp}, temporal.NewCanceledError()
}
