package workflows

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"requisite/internal/domain"
	"requisite/internal/sending"
	"requisite/internal/store/deliveries"
	"requisite/internal/temporalclient"
	"requisite/internal/testkit/temporaltest"
)

// round runs a workflow of rounds until its second round, and returns what it says after the first.
func round[T any](t *testing.T, workflow any, activityName string, found T) (told string) {
	env := temporaltest.Workflows()
	done := 0
	env.RegisterActivityWithOptions(func(context.Context) (T, error) {
		if done++; done == 2 {
			told = details(t, env)
			env.CancelWorkflow()
		}
		return found, nil
	}, activity.RegisterOptions{Name: activityName})
	env.ExecuteWorkflow(workflow)
	require.True(t, temporal.IsCanceledError(env.GetWorkflowError()), "%v", env.GetWorkflowError())
	return told
}

func TestRounds_SayWhatTheyFound(t *testing.T) {
	require.Contains(t, round(t, Prune, "Prune", domain.Pruned{Events: 12, Attempts: 3}), "Deleted 12 events with their deliveries, 3 attempts of other events")
	require.Contains(t, round(t, ApplyDeadlines, "ApplyDeadlines", domain.Deadlines{Expired: 12, Expiring: 3, PutOff: 1}),
		": 12 approvals have lapsed, 0 documents are overdue, and 3 reminders were sent. 1 locked workflows have their turn in the next round.")
	require.Contains(t, round(t, StartRecalculations, "StartRecalculations", int64(2)), ": 2 recalculations were started.")
	for want, found := range map[string]sending.Reconciled{
		": Nothing to repair: a run works on every delivery that is due.\n":              {},
		"\n\n- **2** failing endpoints had no open run. Their runs are started again.\n": {Missing: 2},
		"\n\n- **1** attempts had lost their worker. They are UNKNOWN now.\n":            {Reconciled: deliveries.Reconciled{Lost: 1}},
	} {
		require.Contains(t, round(t, Reconcile, "Reconcile", found), want)
	}
}

// TestRounds_GoOn after a round that has found something, and after one that fails.
func TestRounds_GoOn(t *testing.T) {
	env := temporaltest.Workflows()
	var began []time.Time
	var told []string
	tries := 0
	env.RegisterActivityWithOptions(func(ctx context.Context) (sending.Reconciled, error) {
		if activity.GetInfo(ctx).Attempt == 1 {
			began, told = append(began, env.Now()), append(told, details(t, env))
		}
		switch len(began) {
		case 1:
			return sending.Reconciled{Missing: 1}, nil
		case 3:
			tries++
			return sending.Reconciled{}, errors.New("the database is *away*")
		case 5:
			env.SetContinueAsNewSuggested(true)
		}
		return sending.Reconciled{}, nil
	}, activity.RegisterOptions{Name: "Reconcile"})
	env.OnUpsertTypedSearchAttributes(temporal.NewSearchAttributes(temporalclient.Outcome.ValueSet("MENDED"))).Return(nil).Once()
	env.ExecuteWorkflow(Reconcile)
	require.NoError(t, env.GetWorkflowError(), "the schedule starts the next run")
	var done RoundsDone
	require.NoError(t, env.GetWorkflowResult(&done))
	require.Equal(t, RoundsDone{Rounds: 5, Failed: 1}, done)
	require.Equal(t, 3, tries)
	for i := 1; i < len(began); i++ {
		require.WithinDuration(t, began[i-1].Add(30*time.Second), began[i], 10*time.Second, "round %d", i+1)
	}
	require.Equal(t, "The first round is at work. The tab Pending Activities shows it.", told[0])
	const repaired = "- **1** failing endpoints had no open run."
	require.Contains(t, told[1], repaired)
	require.Contains(t, told[2], "Nothing to repair")
	require.Contains(t, told[2], "The last round that found something:\n\n**The round of ")
	require.Contains(t, told[2], repaired)
	require.Regexp(t, `^\*\*The round of [^ ]+Z failed\*\*: .*the database is .*away`, told[3])
	require.Regexp(t, `The next round is at [^ ]+Z\. Rounds since [^ ]+Z: 3, of which 1 failed\.`, told[3])
	require.Contains(t, told[4], "Nothing to repair")
	require.Contains(t, told[4], "The last failure:\n\n**The round of ")
	require.Contains(t, details(t, env), "The schedule starts the next run within a minute.")
	env.AssertExpectations(t)
}

// TestRounds_RepeatSoonAfterAFailure also when the next round is an hour away.
func TestRounds_RepeatSoonAfterAFailure(t *testing.T) {
	env := temporaltest.Workflows()
	failed := false
	env.RegisterActivityWithOptions(func(context.Context) (int64, error) {
		if !failed {
			failed = true
			return 0, temporal.NewNonRetryableApplicationError("no database", "TEST", nil)
		}
		env.SetContinueAsNewSuggested(true)
		return 2, nil
	}, activity.RegisterOptions{Name: "StartRecalculations"})
	began := env.Now()
	env.ExecuteWorkflow(StartRecalculations)
	require.NoError(t, env.GetWorkflowError())
	require.WithinDuration(t, began, env.Now(), time.Minute)
}

// TestRounds_EndAfterADay also when the history is short, so that the list shows a run a day.
func TestRounds_EndAfterADay(t *testing.T) {
	env := temporaltest.Workflows()
	rounds := 0
	env.RegisterActivityWithOptions(func(context.Context) (int64, error) { rounds++; return 0, nil }, activity.RegisterOptions{Name: "StartRecalculations"})
	env.ExecuteWorkflow(StartRecalculations)
	require.NoError(t, env.GetWorkflowError())
	require.InDelta(t, 25, rounds, 1)
}
