package activities

import (
	"context"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/postgres"
)

// handover passes facts on file from the program that starts a calculation, which has
// just read them, to the step of the calculation, if that begins soon and in the same
// process.
// Whether they are current is checked when the result is written, as it is for facts
// that a step has read itself.
type handover struct {
	mu    sync.Mutex
	facts map[handoverKey]handedOver
}

type handedOver struct {
	*postgres.FactsOnFile
	at time.Time
}

// handoverLife is how old facts may be that a step takes: what it writes is checked,
// but not a refusal.
const handoverLife = time.Second

// handoverKey is a run and what it is about: the run's id alone may derive from an
// Idempotency-Key, which requests about several workflows may have at the same time.
type handoverKey struct {
	temporalWorkflowID string
	scope              domain.Scope
	workflowID         id.WorkflowID
}

// HandOver offers facts that were just read to a run that is about to be started, for
// handoverLife at most, until forget is called. It is not a method, because exported methods are activities.
func HandOver(a *Activities, temporalWorkflowID string, facts *postgres.FactsOnFile) (forget func()) {
	key := handoverKey{temporalWorkflowID, facts.Scope(), facts.WireID()}
	a.handover.mu.Lock()
	defer a.handover.mu.Unlock()
	a.handover.facts[key] = handedOver{facts, time.Now()}
	return func() { a.handover.forget(key, facts) }
}

// forget leaves those of another request alone.
func (h *handover) forget(key handoverKey, facts *postgres.FactsOnFile) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.facts[key].FactsOnFile == facts {
		delete(h.facts, key)
	}
}

// take returns the facts for a run, once; nil when there are none that are young
// enough.
func (h *handover) take(temporalWorkflowID string, run domain.Run) *postgres.FactsOnFile {
	key := handoverKey{temporalWorkflowID, run.Call.Scope, run.WorkflowID}
	h.mu.Lock()
	defer h.mu.Unlock()
	found := h.facts[key]
	delete(h.facts, key)
	if time.Since(found.at) > handoverLife {
		return nil
	}
	return found.FactsOnFile
}

// loadFacts reads a run's snapshot, unless it was handed over: then the first call
// reads nothing.
func (a *Activities) loadFacts(ctx context.Context, run domain.Run) (domain.Snapshot, error) {
	return inTurn(ctx, a.steps, run.Call.Scope, func() (domain.Snapshot, error) {
		if activity.IsActivity(ctx) {
			if facts := a.handover.take(activity.GetInfo(ctx).WorkflowExecution.ID, run); facts != nil {
				return a.store.SnapshotOf(ctx, run.Call, *facts, run.StartedAt)
			}
		}
		return a.store.LoadFacts(ctx, run.Call, run.WorkflowID, run.StartedAt)
	})
}
