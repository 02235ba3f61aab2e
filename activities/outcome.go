package activities

import (
	"context"
	"encoding/json"

	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
)

// Outcome is what a run, or an earlier run with its Idempotency-Key, has committed:
// a result, a refusal, or neither.
type Outcome struct {
	Result  json.RawMessage  `json:"result,omitempty"`
	Refusal *refusal.Refusal `json:"refusal,omitempty"`
}

// FindOutcome looks for what the run has committed, and then for the outcome of its
// Idempotency-Key. A run that is refused asks before it ends: an earlier try may have
// committed, and what it found may have changed since.
func (a *Activities) FindOutcome(ctx context.Context, run domain.Run) (Outcome, error) {
	result, kept, err := a.store.RunOutcome(ctx, run)
	if err != nil || kept {
		return Outcome{Result: result}, err
	}
	outcome, _, err := a.store.KeptOutcome(ctx, run.Call)
	if _, refused := refusal.FromError(err); refused {
		return Outcome{}, nil // the key belongs to another request
	}
	return Outcome{Result: outcome.Data, Refusal: outcome.Refusal}, err
}
