package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/webhooks/event"
)

// WorkflowColumns are what a read of a workflow selects from the table w.
const WorkflowColumns = workflowColumns

// SealingLock is shared by transactions that encrypt a new secret.
const SealingLock = sealingLock

// AwaitUses waits until the uses of credentials noted so far are written.
func (s *Store) AwaitUses() { s.Credentials.uses.writing.Wait() }

// EmitState writes one more event of a workflow in any state.
func EmitState(ctx context.Context, r *Records, workflow id.WorkflowID) error {
	w, err := r.Workflows.locked(ctx, workflow)
	if err != nil {
		return err
	}
	return r.emit(ctx, &pgx.Batch{}, subjectOf(w), Event{Type: domain.WorkflowStarted, Fields: event.StateContent{State: domain.Started}})
}

// FeedCursor is the cursor of an event in the feed.
func FeedCursor(position int64, event, batch id.UUID) string {
	return feedCursor{position, event, batch}.String()
}

// LatestCalculationsSQL is the statement of EachLatestCalculation.
const LatestCalculationsSQL = latestCalculationsSQL

// HoldingFacts calls held while it has the locks of a calculation.
func (s *Store) HoldingFacts(ctx context.Context, run domain.Run, held func()) error {
	_, err := s.Write(ctx, run.Call, func(r *Records) (any, error) {
		_, err := r.lockedOpenApplication(ctx, run.WorkflowID, day{at: run.StartedAt})
		held()
		return nil, err
	})
	return err
}
