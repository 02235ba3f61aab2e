package activities

import (
	"bytes"
	"context"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
)

// FindOutcome looks for what the run has committed, and then for the outcome of its
// Idempotency-Key. A run calls it before it ends with a refusal: an earlier try may have
// committed, and the facts may have changed since.
func (a *Activities) FindOutcome(ctx context.Context, run domain.Run) (store.Outcome, error) {
	outcome, err := a.store.Outcome(ctx, run)
	if _, refused := refusal.FromError(err); refused {
		return store.Outcome{}, nil // the key belongs to another request
	}
	return outcome, err
}

// Refusing is the input of RecordRefusal: a calculation without its facts, and why it was refused.
type Refusing struct {
	Evaluation
	Kind    decision.Kind    `json:"kind"`
	Refusal *refusal.Refusal `json:"refusal"`
}

// Recorded is the decision of a refusal. It does not repeat the refusal, for a workflow task
// cannot hold one with many gaps three times.
type Recorded struct {
	// Decision is nil when an outcome was committed before, maybe another one: see FindOutcome.
	Decision *refusal.DecisionRef `json:"decision,omitempty"`
}

// RecordRefusal records that a calculation was refused because of the facts on file. It changes
// nothing else. It compares the facts as SaveRequiredDocuments does.
func (a *Activities) RecordRefusal(ctx context.Context, in Refusing) (Recorded, error) {
	_, err := a.store.Save(ctx, in.Run, in.Snapshot, store.Refused{Kind: in.Kind, Refusal: in.Refusal})
	refused, is := refusal.FromError(err)
	switch {
	case err == nil:
		return Recorded{}, nil
	case !is || refused.Decision == nil:
		return Recorded{}, asFailure(err)
	case refused.Message != in.Refusal.Message || !bytes.Equal(refused.Details, in.Refusal.Details):
		return Recorded{}, nil // an earlier execution may have found other gaps
	}
	return Recorded{refused.Decision}, nil
}
