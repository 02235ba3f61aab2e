//go:build deep

package outages_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
)

// recalculation is the progress of a recalculation.
type recalculation struct {
	State        string `json:"state"`
	Total        *int64 `json:"total"`
	Done         int64  `json:"done"`
	Changed      int64  `json:"changed"`
	Unchanged    int64  `json:"unchanged"`
	WithGaps     int64  `json:"with_gaps"`
	NotEvaluable int64  `json:"not_evaluable"`
}

func (s stack) recalculate(t *testing.T, onlyStale bool) (run string) {
	var started struct {
		RunID string `json:"run_id"`
	}
	s.Must(t, "account.recalculation.start", harness.Object{"account_id": s.AccountID, "only_stale": onlyStale}, &started)
	return started.RunID
}

// awaitRecalculation waits until the progress of a recalculation fulfills a condition.
func (s stack) awaitRecalculation(t *testing.T, run string, is func(recalculation) bool) (at recalculation) {
	t.Helper()
	await.True(t, "a recalculation", func(ctx context.Context) error {
		at = recalculation{}
		if _, err := s.Client.Call(ctx, "account.recalculation.get", harness.Object{"run_id": run}, &at); err != nil {
			return err
		}
		if !is(at) {
			return fmt.Errorf("it is %+v", at)
		}
		return nil
	})
	return at
}

func hasEnded(at recalculation) bool { return at.State != "RUNNING" }

// TestRecalculation_GoesOnAfterKills: each application is calculated and counted once.
func TestRecalculation_GoesOnAfterKills(t *testing.T) {
	s := newStack(t)
	const applications = 150
	s.CopyApplication(t, s.Application(t).WorkflowID, applications-2)
	var business struct {
		ID string `json:"business_id"`
	}
	s.Must(t, "business.create", harness.Object{"account_id": s.AccountID, "business": harness.Object{"legal_name": "Quillfeather"}}, &business)
	s.Must(t, "workflow.create", harness.Object{"account_id": s.AccountID, "workflow": harness.Object{"business_id": business.ID}}, nil)

	run := s.recalculate(t, false)
	for range 2 {
		s.awaitRecalculation(t, run, func(at recalculation) bool { return at.Done > 0 })
		s.Worker.Kill(t)
		s.StartPrograms(t)
	}
	at := s.awaitRecalculation(t, run, hasEnded)
	require.Equal(t, "DONE", at.State)
	require.Equal(t, []int64{applications, applications, applications - 1, 0, 1, 0}, []int64{*at.Total, at.Done, at.Changed, at.Unchanged, at.WithGaps, at.NotEvaluable})
	var decisions, events int
	count := func() {
		require.NoError(t, s.Query(t.Context(), `SELECT count(*) FROM decision d JOIN workflow w ON w.id = d.workflow_id WHERE w.account_id = $1`, &decisions, s.AccountKey()))
		require.NoError(t, s.Query(t.Context(), `SELECT count(*) FROM webhook_event WHERE event_type = 'REQUIRED_DOCUMENTS_CALCULATED' AND account_id = $1`, &events, s.AccountKey()))
	}
	count()
	require.Equal(t, []int{applications, applications - 1}, []int{decisions, events})

	again := s.awaitRecalculation(t, s.recalculate(t, false), hasEnded)
	require.Equal(t, []int64{applications - 1, 1}, []int64{again.Unchanged, again.WithGaps})
	count()
	require.Equal(t, []int{applications, applications - 1}, []int{decisions, events}, "none repeats another")

	history := s.Temporal(t).GetWorkflowHistory(t.Context(), "recalculate/"+run, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	seen := 0
	for history.HasNext() {
		e, err := history.Next()
		require.NoError(t, err)
		seen++
		require.NotContains(t, e.String(), "Quillfeather")
	}
	require.Positive(t, seen)
}

// TestRecalculation_CanceledMidway by its caller, and by an operator in Temporal.
func TestRecalculation_CanceledMidway(t *testing.T) {
	s := newStack(t)
	const applications = 400
	s.CopyApplication(t, s.Application(t).WorkflowID, applications-1)
	// The last two cannot be calculated meanwhile, and it is not done before it is canceled.
	hold := func() (release func()) {
		return s.Hold(t, `SELECT FROM workflow WHERE account_id = '`+s.AccountKey()+`' ORDER BY id DESC LIMIT 2 FOR UPDATE`)
	}
	release := hold()
	run := s.recalculate(t, false)
	s.awaitRecalculation(t, run, func(at recalculation) bool { return at.Done > 0 })
	s.Must(t, "account.recalculation.cancel", harness.Object{"run_id": run}, nil)
	s.Must(t, "account.recalculation.cancel", harness.Object{"run_id": run}, nil)
	release()
	require.Equal(t, "CANCELED", s.awaitRecalculation(t, run, hasEnded).State)

	release = hold()
	run = s.recalculate(t, false)
	s.awaitRecalculation(t, run, func(at recalculation) bool { return at.Done > 0 })
	require.NoError(t, s.Temporal(t).CancelWorkflow(t.Context(), "recalculate/"+run, ""))
	require.Equal(t, "CANCELED", s.awaitRecalculation(t, run, hasEnded).State)
	release()

	at := s.awaitRecalculation(t, s.recalculate(t, false), hasEnded)
	require.Equal(t, []any{"DONE", int64(applications)}, []any{at.State, at.Done})
}
