package workflows

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/temporalclient"
	"requisite/internal/testkit/temporaltest"
)

func TestRecalculateAccount_GoesOnUntilItIsDone(t *testing.T) {
	env := temporaltest.Workflows()
	total, steps := int64(3), 0
	env.RegisterActivityWithOptions(func(context.Context, id.RecalculationID) (domain.RecalculationProgress, error) {
		p := domain.RecalculationProgress{State: domain.RecalculationRunning, Total: &total, RecalculationCounts: domain.RecalculationCounts{Changed: 1, WithGaps: int64(steps)}}
		if steps++; steps == 3 {
			p.State = domain.RecalculationDone
		}
		return p, nil
	}, activity.RegisterOptions{Name: "RecalculateSome"})
	env.OnUpsertTypedSearchAttributes(temporal.NewSearchAttributes(temporalclient.Outcome.ValueSet("DONE"))).Return(nil).Once()
	env.ExecuteWorkflow(RecalculateAccount, Recalculation{RunID: id.RecalculationID{UUID: id.New()}})
	require.NoError(t, env.GetWorkflowError())
	env.AssertExpectations(t)
	require.Equal(t, 3, steps)
	require.Equal(t, "**DONE**: 3 of 3 workflows. 1 changed, 0 unchanged, 2 with gaps, 0 not evaluable.", details(t, env))
}

func TestRecalculateAccount_ContinuesAsNew(t *testing.T) {
	env := temporaltest.Workflows()
	env.SetContinueAsNewSuggested(true)
	in := Recalculation{RunID: id.RecalculationID{UUID: id.New()}}
	env.ExecuteWorkflow(RecalculateAccount, in)
	var again *workflow.ContinueAsNewError
	require.ErrorAs(t, env.GetWorkflowError(), &again)
	require.Equal(t, RecalculateName, again.WorkflowType.Name)
}

func TestRecalculateAccount_CancelEndsIt(t *testing.T) {
	env := temporaltest.Workflows()
	env.RegisterActivityWithOptions(func(ctx context.Context, _ id.RecalculationID) (domain.RecalculationProgress, error) {
		env.CancelWorkflow()
		<-ctx.Done()
		return domain.RecalculationProgress{}, ctx.Err()
	}, activity.RegisterOptions{Name: "RecalculateSome"})
	ended := 0
	env.RegisterActivityWithOptions(func(context.Context, id.RecalculationID) (domain.RecalculationProgress, error) {
		ended++
		return domain.RecalculationProgress{State: domain.RecalculationCanceled}, nil
	}, activity.RegisterOptions{Name: "EndRecalculation"})
	env.OnUpsertTypedSearchAttributes(temporal.NewSearchAttributes(temporalclient.Outcome.ValueSet("CANCELED"))).Return(nil).Once()
	env.ExecuteWorkflow(RecalculateAccount, Recalculation{RunID: id.RecalculationID{UUID: id.New()}})
	env.AssertExpectations(t)
	var canceled *temporal.CanceledError
	require.ErrorAs(t, env.GetWorkflowError(), &canceled)
	require.Equal(t, 1, ended)
	require.Contains(t, details(t, env), "**CANCELED**: 0 workflows.")
}

// TestReplayEvents_WaitsForRoom longer each time, and no longer once there is some.
func TestReplayEvents_WaitsForRoom(t *testing.T) {
	env := temporaltest.Workflows()
	waiting := []int{9, 9, 9, 0, 9, 0, 0}
	var began []time.Time
	var told []string
	env.RegisterActivityWithOptions(func(context.Context, id.RunID) (domain.ReplayStep, error) {
		step := domain.ReplayStep{Replayed: domain.Replayed{State: domain.ReplayRunning}, Host: "receiver", Waiting: waiting[len(began)]}
		if began = append(began, env.Now()); len(began) > 1 { // before, the run has told nothing
			told = append(told, details(t, env))
		}
		if len(began) == len(waiting) {
			step.State = domain.ReplayCompleted
		}
		return step, nil
	}, activity.RegisterOptions{Name: "ReplaySome"})
	env.OnUpsertTypedSearchAttributes(temporal.NewSearchAttributes(temporalclient.Outcome.ValueSet("COMPLETED"))).Return(nil).Once()
	env.ExecuteWorkflow(ReplayEvents, Replay{RunID: id.RunID{UUID: id.New()}})
	require.NoError(t, env.GetWorkflowError())
	env.AssertExpectations(t)
	for i, pause := range []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second, 0, 2 * time.Second, 0} {
		require.WithinDuration(t, began[i].Add(pause), began[i+1], time.Second, "after step %d", i+1)
		require.Equal(t, waiting[i] > 0, strings.Contains(told[i], "It waits, because 9 or more deliveries wait"), "after step %d", i+1)
	}
	require.Equal(t, "**COMPLETED**: 0 events to receiver.", details(t, env))
}

func TestReplayEvents_CancelEndsItWhileItWaits(t *testing.T) {
	env := temporaltest.Workflows()
	env.RegisterActivityWithOptions(func(context.Context, id.RunID) (domain.ReplayStep, error) {
		env.RegisterDelayedCallback(env.CancelWorkflow, time.Second)
		return domain.ReplayStep{Replayed: domain.Replayed{State: domain.ReplayRunning}, Waiting: 9}, nil
	}, activity.RegisterOptions{Name: "ReplaySome"})
	ended := 0
	env.RegisterActivityWithOptions(func(context.Context, id.RunID) (domain.ReplayStep, error) {
		ended++
		return domain.ReplayStep{Replayed: domain.Replayed{State: domain.ReplayCanceled}, Host: "receiver"}, nil
	}, activity.RegisterOptions{Name: "CancelReplay"})
	env.OnUpsertTypedSearchAttributes(temporal.NewSearchAttributes(temporalclient.Outcome.ValueSet("CANCELED"))).Return(nil).Once()
	env.ExecuteWorkflow(ReplayEvents, Replay{RunID: id.RunID{UUID: id.New()}})
	env.AssertExpectations(t)
	var canceled *temporal.CanceledError
	require.ErrorAs(t, env.GetWorkflowError(), &canceled)
	require.Equal(t, 1, ended)
	require.Equal(t, "**CANCELED**: 0 events to receiver.", details(t, env))
}
