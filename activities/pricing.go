package activities

import (
	"context"

	"requisite/internal/postgres"
	"requisite/internal/refusal"
	"requisite/internal/requirement"
)

// PricingInput is the input of EvaluatePricing.
type PricingInput struct {
	AccountID string            `json:"account_id"`
	Snapshot  postgres.Snapshot `json:"snapshot"`
}

// EvaluatePricing scores a snapshot by the account's pricing model, or finds
// every gap in its facts. It writes nothing.
func (a *Activities) EvaluatePricing(ctx context.Context, in PricingInput) (requirement.PricingResult, error) {
	return inTurn(ctx, a.evaluations, in.Snapshot.Scope, func() (requirement.PricingResult, error) { return a.evaluatePricing(ctx, a.programs, in) })
}

// evaluatePricing is EvaluatePricing for whoever has a place for it.
func (a *Activities) evaluatePricing(ctx context.Context, from source, in PricingInput) (requirement.PricingResult, error) {
	if in.Snapshot.PricingModel == nil {
		return requirement.PricingResult{}, refusal.Rule(refusal.EntityAccount, in.AccountID, refusal.PricingNotConfigured,
			"The account has no pricing model; its operator publishes one.").Failure()
	}
	model, err := from.pricingModel(ctx, in.Snapshot.Scope, in.Snapshot.PricingModel.ID)
	if err != nil {
		return requirement.PricingResult{}, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, a.evaluation, requirement.ErrTimeLimit)
	defer cancel()
	result, err := model.Score(ctx, in.Snapshot.Facts)
	return result, notEvaluable(err, refusal.EntityAccount, in.AccountID, "pricing model")
}

// SaveScore is the input of the activity of the same name.
type SaveScore struct {
	Run      postgres.Run       `json:"run"`
	Snapshot postgres.Snapshot  `json:"snapshot"`
	Score    requirement.Number `json:"score"`
}

// SaveScore sets the score, unless facts or the model changed since; a second
// time for the same run it answers what the first one wrote.
func (a *Activities) SaveScore(ctx context.Context, in SaveScore) (postgres.RunResult, error) {
	return inTurn(ctx, a.steps, in.Run.Call.Scope, func() (postgres.RunResult, error) {
		result, err := a.store.SaveScore(ctx, in.Run, in.Snapshot, in.Score)
		return result, asFailure(err)
	})
}

// ScoreRun is the input of ScoreUnderLocks.
type ScoreRun struct {
	Run       postgres.Run `json:"run"`
	AccountID string       `json:"account_id"`
}

// ScoredUnderLocks is what ScoreUnderLocks found and wrote.
type ScoredUnderLocks struct {
	Snapshot postgres.Snapshot         `json:"snapshot"`
	Applied  []requirement.AppliedRule `json:"applied"`
	postgres.RunResult
}

// ScoreUnderLocks reads, scores and writes while nobody else may change the
// facts.
func (a *Activities) ScoreUnderLocks(ctx context.Context, in ScoreRun) (ScoredUnderLocks, error) {
	return underLocks(ctx, a, in.Run, func(from source) (ScoredUnderLocks, error) {
		var out ScoredUnderLocks
		result, err := a.store.ScoreUnderLocks(ctx, in.Run, func(ctx context.Context, snapshot postgres.Snapshot) (requirement.Number, error) {
			ctx, cancel := context.WithTimeoutCause(ctx, a.evaluation, requirement.ErrTimeLimit)
			defer cancel()
			found, err := a.evaluatePricing(ctx, from, PricingInput{AccountID: in.AccountID, Snapshot: snapshot})
			if err == nil && len(found.Gaps) > 0 {
				err = refusal.MissingForPrice(found.Gaps)
			}
			out.Snapshot, out.Applied = snapshot, found.Applied
			return found.Score, err
		})
		out.RunResult = result
		return out, asFailure(err)
	})
}
