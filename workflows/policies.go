package workflows

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
)

// withCallerWaiting is for the first try of a step while a caller waits: a local activity
// needs no round trip to the server. After two seconds, the step becomes an ordinary
// activity, which operators see.
func withCallerWaiting(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{
		ScheduleToCloseTimeout: 2 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    20 * time.Millisecond,
			BackoffCoefficient: 2,
			MaximumInterval:    500 * time.Millisecond,
		},
		Summary: summary,
	})
}

// untilItSucceeds retries a step as an ordinary activity. The Temporal UI shows it as pending
// with its last failure.
func untilItSucceeds(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 30 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    500 * time.Millisecond,
			BackoffCoefficient: 2,
			MaximumInterval:    30 * time.Second,
		},
		Summary: summary,
	})
}

// inBatches is for a long step. It may run as long as it heartbeats, and each try continues
// after the previous one.
func inBatches(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 12 * time.Hour,
		HeartbeatTimeout:    time.Minute, // longer than the statement timeout
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    500 * time.Millisecond,
			BackoffCoefficient: 2,
			MaximumInterval:    30 * time.Second,
		},
		Summary: summary,
	})
}

// inOneRound is for a round of work that repeats. If a round keeps failing, it ends, and the run's details
// say why. The next round does the rest of the work.
func inOneRound(ctx workflow.Context, summary string) workflow.Context {
	options := workflow.GetActivityOptions(inBatches(ctx, summary))
	options.RetryPolicy.MaximumAttempts = 3
	return workflow.WithActivityOptions(ctx, options)
}

// onTheEndpointsSchedule is for the attempts of an endpoint's run, for days. The activity
// itself says when the next attempt is due. The intervals here are for other failures, such
// as an unavailable database.
func onTheEndpointsSchedule(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 12 * time.Hour,
		HeartbeatTimeout:    10 * time.Second,
		WaitForCancellation: true,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    10 * time.Second,
		},
		Summary: summary,
	})
}

// whileItHeartbeats is for the rest of a session. Temporal soon notices the death of a worker.
func whileItHeartbeats(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 5 * time.Minute,
		HeartbeatTimeout:    10 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    500 * time.Millisecond,
			BackoffCoefficient: 2,
			MaximumInterval:    10 * time.Second,
		},
		Summary: summary,
	})
}

// localOnce is for the first round of a session: a local activity without retries.
func localOnce(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{
		StartToCloseTimeout: 2 * time.Minute,
		RetryPolicy:         &temporal.RetryPolicy{MaximumAttempts: 1},
		Summary:             summary,
	})
}

// steps provides the names and types of the activities that callers wait for; its methods are never called.
var steps *activities.Activities

// stepFunc is the type of such an activity.
type stepFunc[In, Out any] = func(context.Context, In) (Out, error)

// step runs one activity: first as a local activity and then, if that fails, as
// an ordinary one that operators see. Refusals are not retried.
func step[In, Out any](ctx workflow.Context, summary string, do stepFunc[In, Out], in In) (Out, error) {
	var out Out
	err := workflow.ExecuteLocalActivity(withCallerWaiting(ctx, summary), do, in).Get(ctx, &out)
	if err == nil || final(err) {
		return out, err
	}
	workflow.GetLogger(ctx).Warn("a local activity failed; the step continues as an ordinary activity", "step", summary)
	err = workflow.ExecuteActivity(untilItSucceeds(ctx, summary), do, in).Get(ctx, &out)
	return out, err
}

// final reports an error that no retry can fix, or that ends the run.
func final(err error) bool {
	var app *temporal.ApplicationError
	return temporal.IsCanceledError(err) || errors.As(err, &app) && app.NonRetryable()
}
