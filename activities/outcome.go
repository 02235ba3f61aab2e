package activities

import (
	"context"
	"time"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
)

// FindOutcome looks for what the run has committed, and then for the outcome of its
// Idempotency-Key. A run that is refused asks before it ends: an earlier try may have
// committed, and what it found may have changed since.
func (a *Activities) FindOutcome(ctx context.Context, run domain.Run) (store.Outcome, error) {
	outcome, err := a.store.Outcome(ctx, run)
	if _, refused := refusal.FromError(err); refused {
		return store.Outcome{}, nil // the key belongs to another request
	}
	return outcome, err
}

// Refusing is the input of RecordRefusal: a calculation, and why it was refused.
type Refusing struct {
	Evaluation
	Kind    decision.Kind    `json:"kind"`
	Refusal *refusal.Refusal `json:"refusal"`
}

// RecordRefusal records that a calculation was refused because of the facts on file. It changes
// nothing else, and fails with the refusal and its decision. It compares the facts as
// SaveRequiredDocuments does. When the run, or an earlier one of the same Idempotency-Key, has
// committed, it returns that instead.
func (a *Activities) RecordRefusal(ctx context.Context, in Refusing) (Saved, error) {
	return a.save(ctx, time.Now(), in.Evaluation, store.Refused{Kind: in.Kind, Refusal: in.Refusal})
}
