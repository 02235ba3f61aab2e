package activities

import (
	"context"
	"time"

	"requisite/internal/decision"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/engine"
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
	found, err := a.rules.Score(ctx, a.rules.InForce(), in.AccountID.String(), in.Snapshot)
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

// PricedUnderLocks is CalculatedUnderLocks for pricing.
type PricedUnderLocks struct {
	Snapshot calculation.Snapshot      `json:"snapshot"`
	Applied  []requirement.AppliedRule `json:"applied,omitempty"`
	Saved
}

// PriceUnderLocks reads, evaluates and saves in one transaction that locks the facts
// and the pricing model.
func (a *Activities) PriceUnderLocks(ctx context.Context, in Calculation) (PricedUnderLocks, error) {
	var out PricedUnderLocks
	var err error
	out.Saved, err = a.underLocks(ctx, in.Run, func(ctx context.Context, from engine.Source, snapshot calculation.Snapshot) (store.Finding, error) {
		found, err := a.rules.Score(ctx, from, in.AccountID.String(), snapshot)
		out.Snapshot, out.Applied = snapshot, found.Applied
		return orRefused(decision.Pricing, store.Score(found), err)
	})
	return out, err
}
