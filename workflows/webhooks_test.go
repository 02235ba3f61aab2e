package workflows

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/sending"
	"requisite/internal/testkit/temporaltest"
)

// sessionScript scripts the two activities of a session.
type sessionScript struct {
	first, rest func() (sending.Sent, error)
	asked       []string
	local       []bool
}

func (r *sessionScript) environment(t *testing.T) *testsuite.TestWorkflowEnvironment {
	env := temporaltest.Workflows()
	for name, answer := range map[string]func() (sending.Sent, error){"SendFirst": r.first, "SendRest": r.rest} {
		env.RegisterActivityWithOptions(func(ctx context.Context) (sending.Sent, error) {
			r.asked, r.local = append(r.asked, name), append(r.local, activity.GetInfo(ctx).IsLocalActivity)
			return answer()
		}, activity.RegisterOptions{Name: name})
	}
	return env
}

func sent(s sending.Sent) func() (sending.Sent, error) {
	return func() (sending.Sent, error) { return s, nil }
}

func TestSession_SendsInOneLocalActivity(t *testing.T) {
	r := &sessionScript{first: sent(sending.Sent{Delivered: 3, Accounts: []string{"sb_1"}})}
	env := r.environment(t)
	env.ExecuteWorkflow(SendWebhooks)
	require.NoError(t, env.GetWorkflowError())
	require.Equal(t, []string{"SendFirst"}, r.asked)
	require.Equal(t, []bool{true}, r.local)
}

func TestSession_SendsTheRestInAnActivity(t *testing.T) {
	for name, first := range map[string]func() (sending.Sent, error){
		"there is more":          sent(sending.Sent{Delivered: 200, More: true}),
		"the first round failed": func() (sending.Sent, error) { return sending.Sent{Delivered: 200}, context.DeadlineExceeded },
	} {
		t.Run(name, func(t *testing.T) {
			r := &sessionScript{first: first, rest: sent(sending.Sent{Delivered: 40, Failed: 1, Failures: []sending.Failure{{Host: "hooks.example.com", Error: "HTTP 500"}}})}
			env := r.environment(t)
			env.ExecuteWorkflow(SendWebhooks)
			require.NoError(t, env.GetWorkflowError(), "what a receiver answers is no fault of the run")
			require.Equal(t, []string{"SendFirst", "SendRest"}, r.asked)
			require.Equal(t, []bool{true, false}, r.local)
			var total sending.Sent
			require.NoError(t, env.GetWorkflowResult(&total))
			require.Equal(t, 1, total.Failed)
			require.Equal(t, "FAILED", total.Outcome())
			require.Contains(t, details(t, env), fmt.Sprintf("%d delivered, 1 failed, 0 with an unknown outcome.\n\n- ", total.Delivered), "Markdown needs an empty line before a list")
		})
	}
}

var anEndpoint = EndpointRun{EndpointID: "whc_1", AccountID: "sb_1", Host: "hooks.example.com"}

// looks scripts RetryEndpoint, one answer a call.
type looks struct {
	answers []func() (sending.Retried, error)
	asked   []time.Time
	madeDue int
	gaveUp  int
}

func waiting(delay time.Duration) func() (sending.Retried, error) {
	return func() (sending.Retried, error) {
		return sending.Retried{}, temporal.NewApplicationErrorWithOptions("2 deliveries wait", "WAITING", temporal.ApplicationErrorOptions{NextRetryDelay: delay})
	}
}

func over(outcome string) func() (sending.Retried, error) {
	return func() (sending.Retried, error) { return sending.Retried{Ended: outcome}, nil }
}

func (l *looks) environment(t *testing.T) *testsuite.TestWorkflowEnvironment {
	env := temporaltest.Workflows()
	env.RegisterActivityWithOptions(func(context.Context, string) (sending.Retried, error) {
		l.asked = append(l.asked, env.Now())
		if len(l.asked) > len(l.answers) {
			return sending.Retried{}, temporal.NewNonRetryableApplicationError("one look too many", "TEST", nil)
		}
		return l.answers[len(l.asked)-1]()
	}, activity.RegisterOptions{Name: "RetryEndpoint"})
	env.RegisterActivityWithOptions(func(context.Context, string) error {
		l.madeDue++
		return nil
	}, activity.RegisterOptions{Name: "RetryEndpointNow"})
	env.RegisterActivityWithOptions(func(context.Context, string) (int64, error) {
		l.gaveUp++
		return 7, nil
	}, activity.RegisterOptions{Name: "GiveUpEndpoint"})
	return env
}

// requireAt allows the clock of the environment to go on while an activity is executed.
func requireAt(t *testing.T, want, got time.Time) {
	t.Helper()
	require.WithinRange(t, got, want, want.Add(30*time.Minute))
}

func TestEndpointRun_RetriesAfterTheDelayOfItsActivity(t *testing.T) {
	l := &looks{answers: []func() (sending.Retried, error){waiting(5 * time.Second), waiting(time.Hour), over(sending.Recovered)}}
	env := l.environment(t)
	started := env.Now()
	env.ExecuteWorkflow(RetryEndpoint, anEndpoint)
	require.NoError(t, env.GetWorkflowError())
	require.Len(t, l.asked, 3)
	for i, after := range []time.Duration{0, 5 * time.Second, time.Hour + 5*time.Second} {
		requireAt(t, started.Add(after), l.asked[i])
	}
	var done sending.Retried
	require.NoError(t, env.GetWorkflowResult(&done))
	require.Equal(t, sending.Recovered, done.Ended)
	require.Equal(t, "**RECOVERED**: `hooks.example.com` accepts deliveries again, and none is left to retry.", details(t, env))
}

func TestEndpointRun_IsWokenBySignals(t *testing.T) {
	for signal, madeDue := range map[string]int{RetryNow: 1, Wake: 0} {
		l := &looks{answers: []func() (sending.Retried, error){waiting(time.Hour), over(sending.Recovered)}}
		env := l.environment(t)
		started := env.Now()
		env.RegisterDelayedCallback(func() { env.SignalWorkflow(signal, nil) }, time.Minute)
		env.ExecuteWorkflow(RetryEndpoint, anEndpoint)
		require.NoError(t, env.GetWorkflowError())
		require.Len(t, l.asked, 2)
		requireAt(t, started.Add(time.Minute), l.asked[1])
		require.Equal(t, madeDue, l.madeDue, "%s: an operator's word makes everything due, the dispatcher's does not", signal)
	}
}

func TestEndpointRun_HandlesItsStartingSignalOnce(t *testing.T) {
	l := &looks{answers: []func() (sending.Retried, error){over(sending.GaveUp)}}
	env := l.environment(t)
	env.RegisterDelayedCallback(func() { env.SignalWorkflow(Wake, nil) }, 0)
	env.ExecuteWorkflow(RetryEndpoint, anEndpoint)
	require.NoError(t, env.GetWorkflowError())
	require.LessOrEqual(t, len(l.asked), 2)
}

func TestEndpointRun_FailsRetryingDeliveriesWhenCanceled(t *testing.T) {
	l := &looks{answers: []func() (sending.Retried, error){waiting(time.Hour)}}
	env := l.environment(t)
	env.RegisterDelayedCallback(env.CancelWorkflow, time.Minute)
	env.ExecuteWorkflow(RetryEndpoint, anEndpoint)
	require.True(t, temporal.IsCanceledError(env.GetWorkflowError()), "%v", env.GetWorkflowError())
	require.Equal(t, 1, l.gaveUp)
	require.Contains(t, details(t, env), "an operator canceled this run, so 7 deliveries are FAILED")
}

// What its activity waits for is not in the run's history until the activity says it.
func TestEndpointRun_SaysWhatItsActivityWaitsFor(t *testing.T) {
	l := &looks{answers: []func() (sending.Retried, error){waiting(time.Hour), waiting(time.Hour), over(sending.Recovered)}}
	env := l.environment(t)
	var told []string
	for i, what := range []string{"3 deliveries wait", "4 deliveries wait"} {
		env.RegisterDelayedCallback(func() { env.SignalWorkflow(Waits, what) }, time.Duration(i+1)*time.Minute)
		env.RegisterDelayedCallback(func() { told = append(told, details(t, env)) }, time.Duration(i+1)*time.Minute+time.Second)
	}
	env.ExecuteWorkflow(RetryEndpoint, anEndpoint)
	require.NoError(t, env.GetWorkflowError())
	require.Equal(t, []string{"3 deliveries wait", "4 deliveries wait"}, told)
	require.Len(t, l.asked, 3, "it makes no attempt early")
}

// It continues as new before its history grows long, and once it is a day old, but never
// during an attempt.
func TestEndpointRun_ContinuesAsNew(t *testing.T) {
	for name, c := range map[string]struct {
		signal string
		long   bool
		after  time.Duration
	}{"long history": {Wake, true, time.Minute}, "old": {Wake, false, activities.RenewAfter}, "long history of waits": {Waits, true, time.Minute}} {
		t.Run(name, func(t *testing.T) {
			l := &looks{answers: []func() (sending.Retried, error){waiting(48 * time.Hour), over(sending.Recovered)}}
			env := l.environment(t)
			env.RegisterDelayedCallback(func() {
				env.SetContinueAsNewSuggested(c.long)
				env.SignalWorkflow(c.signal, "4 deliveries wait")
			}, c.after)
			env.ExecuteWorkflow(RetryEndpoint, anEndpoint)
			var renewed *workflow.ContinueAsNewError
			require.ErrorAs(t, env.GetWorkflowError(), &renewed)
			require.Equal(t, RetryEndpointName, renewed.WorkflowType.Name)
			require.Len(t, l.asked, 1, "with nothing in flight")
		})
	}
}
