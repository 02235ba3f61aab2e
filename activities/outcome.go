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

// FindOutcome returns the committed result of the run, or else the outcome of its
// Idempotency-Key. A run calls it before it ends with a refusal, because an earlier try may
// have committed.
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
