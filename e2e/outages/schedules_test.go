//go:build deep

package outages_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	historypb "go.temporal.io/api/history/v1"

	"requisite/e2e/harness"
)

// TestSchedule_ReplacesATerminatedRun with one that does the work too, and starts no other one.
func TestSchedule_ReplacesATerminatedRun(t *testing.T) {
	s := newStack(t)
	c := s.Temporal(t)
	next := func(after *historypb.WorkflowExecutionStartedEventAttributes) (found *historypb.WorkflowExecutionStartedEventAttributes) {
		s.Await(t, "the open run of reconcile, with a round", func(ctx context.Context) error {
			rounds, err := s.Rounds(ctx, c)
			if err != nil {
				return err
			}
			if len(rounds["reconcile"]) == 0 {
				return errors.New("there is none")
			}
			found = rounds["reconcile"][0].GetWorkflowExecutionStartedEventAttributes()
			if found.GetOriginalExecutionRunId() == after.GetOriginalExecutionRunId() {
				return errors.New("it is the same")
			}
			return nil
		})
		return found
	}
	first := next(nil)
	require.NoError(t, c.TerminateWorkflow(t.Context(), first.WorkflowId, "", "a test"))
	second := next(first)
	told, err := s.Told(t.Context(), c, second.WorkflowId)
	require.NoError(t, err)
	require.Contains(t, told, "Nothing to repair")
	s.Await(t, "one open run of reconcile", func(context.Context) error { // the terminated one is shown as open for a moment
		if n := len(s.Runs(t, c, "WorkflowType = 'Reconcile' AND ExecutionStatus = 'Running'")); n != 1 {
			return fmt.Errorf("%d are open", n)
		}
		return nil
	})
	require.NoError(t, harness.StartRound(t.Context(), c, "reconcile"))
	next(second)
}
