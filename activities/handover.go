package activities

import (
	"context"
	"sync"

	"go.temporal.io/sdk/activity"

	"requisite/internal/domain"
	"requisite/internal/postgres"
)

// handover passes facts on file from the program that starts a calculation to the
// calculation's first try, if that runs in the same process: it has just read them.
// Whether they are current is checked when the result is written, as it is for facts
// that a step has read itself.
type handover struct {
	mu    sync.Mutex
	facts map[string]postgres.FactsOnFile // by the run's workflow id
}

// HandOver offers the facts of a run that is about to be started, until forget is
// called. It is not a method, because exported methods are activities.
func HandOver(a *Activities, temporalWorkflowID string, facts postgres.FactsOnFile) (forget func()) {
	a.handover.mu.Lock()
	defer a.handover.mu.Unlock()
	a.handover.facts[temporalWorkflowID] = facts
	return func() { a.handover.take(temporalWorkflowID) }
}

func (h *handover) take(temporalWorkflowID string) (postgres.FactsOnFile, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	facts, ok := h.facts[temporalWorkflowID]
	delete(h.facts, temporalWorkflowID)
	return facts, ok
}

// loadFacts reads a run's snapshot, unless it was handed over: then the first call
// reads nothing.
func (a *Activities) loadFacts(ctx context.Context, run domain.Run) (domain.Snapshot, error) {
	return inTurn(ctx, a.steps, run.Call.Scope, func() (domain.Snapshot, error) {
		if activity.IsActivity(ctx) {
			if facts, ok := a.handover.take(activity.GetInfo(ctx).WorkflowExecution.ID); ok {
				return a.store.SnapshotOf(ctx, run.Call, facts, run.StartedAt)
			}
		}
		return a.store.LoadFacts(ctx, run.Call, run.WorkflowID, run.StartedAt)
	})
}
