package engine

import (
	"context"
	"time"

	"requisite/internal/domain"
	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// Required returns the documents that the rules in force require.
func (e *Engine) Required(ctx context.Context, snapshot calculation.Snapshot) (requirement.Result, error) {
	return e.required(ctx, tenantOf(snapshot.Scope), snapshot)
}

// ofRecalculations is the tenant of all recalculations together in the limiter of evaluations.
const ofRecalculations = "recalculations"

// RequiredInRecalculation is Required for a recalculation. All recalculations share the slots of
// one additional tenant, so that each waiting caller waits for at most one of their evaluations.
func (e *Engine) RequiredInRecalculation(ctx context.Context, snapshot calculation.Snapshot) (requirement.Result, error) {
	return e.required(ctx, ofRecalculations, snapshot)
}

func tenantOf(scope domain.Scope) string { return scope.OrganizationID.String() }

func (e *Engine) required(ctx context.Context, tenant string, snapshot calculation.Snapshot) (requirement.Result, error) {
	found, err := e.evaluateInForce(ctx, tenant, limiter.Forever, snapshot)
	if err == nil && len(found.Gaps) > 0 {
		err = refusal.Missing(found.Gaps)
	}
	return found, err
}

// evaluateInForce evaluates the rule set of a snapshot. An account without rules requires nothing.
func (e *Engine) evaluateInForce(ctx context.Context, tenant string, patience time.Duration, snapshot calculation.Snapshot) (requirement.Result, error) {
	if snapshot.RuleSet == nil {
		return requirement.Result{}, nil
	}
	rules, err := e.programs.ruleSet(ctx, snapshot.Scope, snapshot.RuleSet.ID)
	if err != nil {
		return requirement.Result{}, err
	}
	return e.evaluate(ctx, tenant, patience, rules, snapshot.RuleSet.WireID, snapshot)
}

// evaluate returns the documents that rules require, or all gaps in the facts. If the score is
// missing, it adds the gaps of pricing. A rule that cannot be evaluated is a refusal.
func (e *Engine) evaluate(
	ctx context.Context, tenant string, patience time.Duration,
	program *requirement.Program, versionID string, snapshot calculation.Snapshot,
) (result requirement.Result, err error) {
	err = within(ctx, e.evaluations, tenant, patience, func() (err error) {
		result, err = program.Yielding(e.yield(tenant)).Evaluate(ctx, snapshot.Facts)
		return err
	})
	if err == nil {
		err = e.explainMissingScore(ctx, snapshot, result.Gaps)
	}
	return result, notEvaluable(err, refusal.EntityDocumentRules, versionID, "rules")
}

// explainMissingScore reads the pricing model only when the score is missing.
func (e *Engine) explainMissingScore(ctx context.Context, snapshot calculation.Snapshot, gaps []fact.Gap) error {
	gap := fact.ScoreGap(gaps)
	if gap == nil {
		return nil
	}
	var model *requirement.Pricing
	if snapshot.PricingModel != nil {
		var err error
		if model, err = e.programs.pricingModel(ctx, snapshot.Scope, snapshot.PricingModel.ID); err != nil {
			return err
		}
	}
	return requirement.ExplainScoreGap(ctx, gap, model, snapshot.Facts)
}

// notEvaluable is the refusal for a condition that has no result for the facts, or exceeds its
// limits. Repeating does not help: the account must change the rule.
func notEvaluable(err error, entityType, entityID, what string) error {
	if requirement.Unanswerable(err) {
		return refusal.Rule(entityType, entityID, refusal.RuleNotEvaluable,
			"The account's %s cannot be evaluated for the facts on record, and nothing was changed: %v.", what, err).Failure()
	}
	return err
}

// Score calculates the score of a snapshot with the account's pricing model.
func (e *Engine) Score(ctx context.Context, accountID string, snapshot calculation.Snapshot) (requirement.PricingResult, error) {
	if snapshot.PricingModel == nil {
		return requirement.PricingResult{}, refusal.Rule(refusal.EntityAccount, accountID, refusal.PricingNotConfigured,
			"The account has no pricing model: ask the operator to publish one.")
	}
	model, err := e.programs.pricingModel(ctx, snapshot.Scope, snapshot.PricingModel.ID)
	if err != nil {
		return requirement.PricingResult{}, err
	}
	var result requirement.PricingResult
	err = within(ctx, e.evaluations, tenantOf(snapshot.Scope), limiter.Forever, func() (err error) {
		result, err = model.Yielding(e.yield(tenantOf(snapshot.Scope))).Score(ctx, snapshot.Facts)
		return err
	})
	if err == nil && len(result.Gaps) > 0 {
		err = refusal.MissingForPrice(result.Gaps)
	}
	return result, notEvaluable(err, refusal.EntityAccount, accountID, "pricing model")
}
