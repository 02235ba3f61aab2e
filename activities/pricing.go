package activities

import (
	"context"
	"time"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
)

// Priced is the score that the account's pricing model gives, the rules that applied, and
// those that did not.
type Priced struct {
	Score      fact.Number               `json:"evaluation_score"`
	Applied    []requirement.AppliedRule `json:"applied,omitempty"`
	NotApplied []requirement.AppliedRule `json:"not_applied,omitempty"`
}

// Scored is what the second step has found.
type Scored struct {
	Priced
	Took
}

// EvaluatePricing scores a snapshot. It refuses as EvaluateRules does, and if the account has
// no pricing model. It writes nothing.
func (a *Activities) EvaluatePricing(ctx context.Context, in Evaluation) (Scored, error) {
	began := time.Now()
	found, err := a.rules.Score(ctx, in.AccountID.String(), in.Snapshot)
	return Scored{Priced{found.Score, found.Applied, found.NotApplied}, took(began)}, asFailure(err)
}

// SavingScore is the input of SaveScore: what the other steps found.
type SavingScore struct {
	Evaluation
	Priced
}

// SaveScore writes the score as SaveRequiredDocuments writes documents.
func (a *Activities) SaveScore(ctx context.Context, in SavingScore) (Saved, error) {
	return a.save(ctx, time.Now(), in.Evaluation, store.Score{Score: in.Score, Applied: in.Applied, NotApplied: in.NotApplied})
}
