package activities

import (
	"context"

	"requisite/internal/domain"
	"requisite/internal/postgres"
	"requisite/internal/refusal"
	"requisite/internal/requirement"
)

// Priced is what a run of pricing found and wrote.
type Priced struct {
	// Facts are the facts on file. Like Applied, they are absent when an earlier
	// try had already written.
	Facts        *requirement.Facts        `json:"facts,omitempty"`
	PricingModel *domain.VersionRef        `json:"pricing_model,omitempty"`
	Applied      []requirement.AppliedRule `json:"applied,omitempty"`
	domain.RunResult
}

// CalculatePricing sets a workflow's evaluation score from the account's pricing
// model. Repeats and refusals are as with CalculateRequiredDocuments.
func (a *Activities) CalculatePricing(ctx context.Context, in Calculation) (Priced, error) {
	var out Priced
	result, err := a.calculate(ctx, in.Run, func(ctx context.Context, from source, snapshot domain.Snapshot) (postgres.Finding, error) {
		found, err := a.evaluatePricing(ctx, from, in.AccountID.String(), snapshot)
		if err == nil && len(found.Gaps) > 0 {
			err = refusal.MissingForPrice(found.Gaps)
		}
		out = Priced{Facts: &snapshot.Facts, PricingModel: snapshot.PricingModel, Applied: found.Applied}
		return postgres.Score(found.Score), err
	})
	if result.Repeated {
		out = Priced{}
	}
	out.RunResult = result
	return out, asFailure(err)
}

// evaluatePricing scores a snapshot by the account's pricing model, or finds every
// gap in its facts.
func (a *Activities) evaluatePricing(ctx context.Context, from source, accountID string, snapshot domain.Snapshot) (requirement.PricingResult, error) {
	if snapshot.PricingModel == nil {
		return requirement.PricingResult{}, refusal.Rule(refusal.EntityAccount, accountID, refusal.PricingNotConfigured,
			"The account has no pricing model; its operator publishes one.")
	}
	model, err := from.pricingModel(ctx, snapshot.Scope, snapshot.PricingModel.ID)
	if err != nil {
		return requirement.PricingResult{}, err
	}
	result, err := model.Score(ctx, a.evaluation, snapshot.Facts)
	return result, notEvaluable(err, refusal.EntityAccount, accountID, "pricing model")
}
