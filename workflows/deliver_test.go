package workflows

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"requisite/activities"
	"requisite/internal/postgres"
)

var aDelivery = WebhookDelivery{DeliveryID: "whd_1", AccountID: "sb_1", EndpointID: "whc_1", EventType: "WEBHOOK_TEST", Host: "hooks.example.com"}

// attempts scripts AttemptDelivery, one answer a call.
type attempts struct {
	answers []func() (activities.DeliveryEnd, error)
	asked   []activities.AttemptRequest
	local   []bool
	stopped int
}

func failed(delay time.Duration) func() (activities.DeliveryEnd, error) {
	return func() (activities.DeliveryEnd, error) {
		return activities.DeliveryEnd{}, temporal.NewApplicationErrorWithOptions("attempt", "ATTEMPT_FAILED", temporal.ApplicationErrorOptions{
			NextRetryDelay: delay, Details: []any{activities.Attempted{Number: 1, Error: "HTTP 500", NextAt: time.Now()}},
		})
	}
}

func ended(end activities.DeliveryEnd) func() (activities.DeliveryEnd, error) {
	return func() (activities.DeliveryEnd, error) { return end, nil }
}

func (a *attempts) environment(t *testing.T) *testsuite.TestWorkflowEnvironment {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	env := suite.NewTestWorkflowEnvironment()
	env.RegisterActivityWithOptions(func(ctx context.Context, in activities.AttemptRequest) (activities.DeliveryEnd, error) {
		a.asked, a.local = append(a.asked, in), append(a.local, activity.GetInfo(ctx).IsLocalActivity)
		if len(a.asked) > len(a.answers) {
			return activities.DeliveryEnd{}, temporal.NewNonRetryableApplicationError("one attempt too many", "TEST", nil)
		}
		return a.answers[len(a.asked)-1]()
	}, activity.RegisterOptions{Name: "AttemptDelivery"})
	env.RegisterActivityWithOptions(func(context.Context, string) (activities.DeliveryEnd, error) {
		a.stopped++
		return activities.DeliveryEnd{State: postgres.Failed}, nil
	}, activity.RegisterOptions{Name: "StopDelivery"})
	return env
}

func TestADeliveryIsTriedUntilItEnds(t *testing.T) {
	a := &attempts{answers: []func() (activities.DeliveryEnd, error){
		failed(5 * time.Second), failed(10 * time.Second), failed(time.Hour), ended(activities.DeliveryEnd{State: postgres.Delivered, Attempts: 4}),
	}}
	env := a.environment(t)
	started := env.Now()
	env.ExecuteWorkflow(DeliverWebhook, aDelivery)
	require.NoError(t, env.GetWorkflowError())
	require.Equal(t, []bool{true, false, false, false}, a.local, "the first attempt is close by, the others are Temporal's to retry")
	require.InDelta(t, (time.Hour + 10*time.Second).Seconds(), env.Now().Sub(started).Seconds(), 5, "at the delays that the activity gives")
	for _, in := range a.asked {
		require.Equal(t, activities.AttemptRequest{DeliveryID: "whd_1"}, in)
	}
}

func TestADeliveryThatIsGivenUpFailsItsRun(t *testing.T) {
	a := &attempts{answers: []func() (activities.DeliveryEnd, error){ended(activities.DeliveryEnd{State: postgres.Failed, Attempts: 95, LastError: "HTTP 500"})}}
	env := a.environment(t)
	env.ExecuteWorkflow(DeliverWebhook, aDelivery)
	require.ErrorContains(t, env.GetWorkflowError(), "HTTP 500")
	for _, end := range []activities.DeliveryEnd{{State: postgres.Held}, {State: postgres.Canceled}, {State: postgres.Retrying, Waiting: true}} {
		a := &attempts{answers: []func() (activities.DeliveryEnd, error){ended(end)}}
		env := a.environment(t)
		env.ExecuteWorkflow(DeliverWebhook, aDelivery)
		require.NoError(t, env.GetWorkflowError())
		var got activities.DeliveryEnd
		require.NoError(t, env.GetWorkflowResult(&got))
		require.Equal(t, end, got)
	}
}

func TestASignalTriesAgainAtOnce(t *testing.T) {
	a := &attempts{answers: []func() (activities.DeliveryEnd, error){
		failed(time.Hour), failed(time.Hour), ended(activities.DeliveryEnd{State: postgres.Delivered}),
	}}
	env := a.environment(t)
	started := env.Now()
	env.RegisterDelayedCallback(func() { env.SignalWorkflow(RetryNow, nil) }, time.Minute)
	env.ExecuteWorkflow(DeliverWebhook, aDelivery)
	require.NoError(t, env.GetWorkflowError())
	require.Less(t, env.Now().Sub(started), 30*time.Minute)
	require.True(t, a.asked[2].Force)
}

// TestADispatcherWakesWithoutForce: what it hands to a run that is still there
// goes out by its schedule and the endpoint's health, as in a run of its own.
func TestADispatcherWakesWithoutForce(t *testing.T) {
	asleep := &attempts{answers: []func() (activities.DeliveryEnd, error){
		failed(time.Hour), failed(time.Hour), ended(activities.DeliveryEnd{State: postgres.Delivered}),
	}}
	env := asleep.environment(t)
	started := env.Now()
	env.RegisterDelayedCallback(func() { env.SignalWorkflow(Wake, nil) }, time.Minute)
	env.ExecuteWorkflow(DeliverWebhook, aDelivery)
	require.NoError(t, env.GetWorkflowError())
	require.Less(t, env.Now().Sub(started), 30*time.Minute)
	require.False(t, asleep.asked[2].Force)

	ending := &attempts{}
	env = ending.environment(t)
	ending.answers = []func() (activities.DeliveryEnd, error){
		func() (activities.DeliveryEnd, error) {
			env.SignalWorkflow(Wake, nil)
			return activities.DeliveryEnd{State: postgres.Retrying, Waiting: true}, nil
		},
		ended(activities.DeliveryEnd{State: postgres.Delivered}),
	}
	env.ExecuteWorkflow(DeliverWebhook, aDelivery)
	require.NoError(t, env.GetWorkflowError())
	require.Len(t, ending.asked, 2)
	require.False(t, ending.asked[1].Force)
}

func TestAWishInTheMomentOfTheEndIsNotLost(t *testing.T) {
	a := &attempts{}
	env := a.environment(t)
	a.answers = []func() (activities.DeliveryEnd, error){
		func() (activities.DeliveryEnd, error) {
			env.SignalWorkflow(RetryNow, nil)
			return activities.DeliveryEnd{State: postgres.Retrying, Waiting: true}, nil
		},
		ended(activities.DeliveryEnd{State: postgres.Delivered}),
	}
	env.ExecuteWorkflow(DeliverWebhook, aDelivery)
	require.NoError(t, env.GetWorkflowError())
	require.Len(t, a.asked, 2)
	require.True(t, a.asked[1].Force)
}

func TestCancelingTheRunGivesTheDeliveryUp(t *testing.T) {
	a := &attempts{answers: []func() (activities.DeliveryEnd, error){failed(time.Hour), failed(time.Hour)}}
	env := a.environment(t)
	env.RegisterDelayedCallback(env.CancelWorkflow, time.Minute)
	env.ExecuteWorkflow(DeliverWebhook, aDelivery)
	var canceled *temporal.CanceledError
	require.ErrorAs(t, env.GetWorkflowError(), &canceled)
	require.Equal(t, 1, a.stopped)
}

func TestRecoveryGoesOnUntilNothingIsLeft(t *testing.T) {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	env := suite.NewTestWorkflowEnvironment()
	var parts []int
	env.RegisterActivityWithOptions(func(_ context.Context, in activities.RecoverStep) (postgres.Recovered, error) {
		if len(parts) == 1 && parts[0] == in.Part {
			return postgres.Recovered{}, errors.New("it may not be asked for the same part twice")
		}
		parts = append(parts, in.Part)
		return postgres.Recovered{Count: []int{1000, 1000, 300, 0}[in.Part-1]}, nil
	}, activity.RegisterOptions{Name: "RecoverSome"})
	env.RegisterActivityWithOptions(func(_ context.Context, in activities.KeepRecovered) (postgres.Recovered, error) {
		return in.Recovered, nil
	}, activity.RegisterOptions{Name: "KeepRecovered"})
	env.ExecuteWorkflow(RecoverDeliveries, RecoverRequest{ConfigID: "whc_1", Since: "2026-11-20T00:00:00Z"})
	require.NoError(t, env.GetWorkflowError())
	var total postgres.Recovered
	require.NoError(t, env.GetWorkflowResult(&total))
	require.Equal(t, 2300, total.Count)
	require.Equal(t, []int{1, 2, 3, 4}, parts)
}
