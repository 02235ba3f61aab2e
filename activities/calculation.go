package activities

import (
	"context"
	"errors"

	"requisite/internal/domain"
	"requisite/internal/postgres"
	"requisite/internal/refusal"
	"requisite/internal/requirement"
)

// Calculation is the input of a calculation: the run that makes it, and whose
// application it is about.
type Calculation struct {
	Run       domain.Run `json:"run"`
	AccountID string     `json:"account_id"`
}

// Calculated is what a calculation of required documents found and wrote: the
// answer to an operator who asks why.
type Calculated struct {
	// Facts are what was on file. Like what is Required, they are absent when an
	// earlier try had written already.
	Facts    *requirement.Facts        `json:"facts,omitempty"`
	RuleSet  *domain.VersionRef        `json:"rule_set,omitempty"`
	Required []requirement.Requirement `json:"required,omitempty"`
	domain.RunResult
}

// CalculateRequiredDocuments decides which documents one workflow must bring, and
// writes them. A second time for the same run it answers what the first one wrote.
// It is refused when facts are missing, with every gap.
func (a *Activities) CalculateRequiredDocuments(ctx context.Context, in Calculation) (Calculated, error) {
	var out Calculated
	result, err := a.calculate(ctx, in.Run, func(ctx context.Context, from source, snapshot domain.Snapshot) (postgres.Finding, error) {
		found, err := a.evaluateRules(ctx, from, snapshot)
		if err == nil && len(found.Gaps) > 0 {
			err = refusal.Missing(found.Gaps)
		}
		out = Calculated{Facts: &snapshot.Facts, RuleSet: snapshot.RuleSet, Required: found.Required}
		return postgres.Documents(found.Required), err
	})
	if result.Repeated {
		out = Calculated{}
	}
	out.RunResult = result
	return out, asFailure(err)
}

// rounds is how often a calculation reads the facts again when they changed
// before it could write; then it holds them still.
const rounds = 3

// find evaluates a snapshot by what a source gives.
type find func(ctx context.Context, from source, snapshot domain.Snapshot) (postgres.Finding, error)

// calculate reads the facts, evaluates them and writes what was found. While it
// evaluates it holds no connection; facts or rules that change meanwhile are read
// again, and held still when they keep changing.
func (a *Activities) calculate(ctx context.Context, run domain.Run, find find) (domain.RunResult, error) {
	for range rounds {
		snapshot, err := inTurn(ctx, a.steps, run.Call.Scope, func() (domain.Snapshot, error) {
			return a.store.LoadFacts(ctx, run.Call, run.WorkflowID, run.StartedAt)
		})
		if err != nil {
			return domain.RunResult{}, err
		}
		found, err := inTurn(ctx, a.evaluations, run.Call.Scope, func() (postgres.Finding, error) { return find(ctx, a.programs, snapshot) })
		if err != nil {
			return domain.RunResult{}, err
		}
		result, err := inTurn(ctx, a.steps, run.Call.Scope, func() (domain.RunResult, error) {
			return a.store.Save(ctx, run, snapshot, found)
		})
		if !errors.Is(err, domain.ErrFactsChanged) {
			return result, err
		}
	}
	return a.calculateUnderLocks(ctx, run, find)
}

// calculateUnderLocks reads, evaluates and writes while nobody else may change the
// facts. It waits for both its places first, and compiles: under the locks it waits
// for nobody, needs no second connection, and takes no longer than an evaluation
// may. When another version comes into force before the locks are taken, it begins
// anew.
func (a *Activities) calculateUnderLocks(ctx context.Context, run domain.Run, find find) (domain.RunResult, error) {
	return inTurn(ctx, a.evaluations, run.Call.Scope, func() (domain.RunResult, error) {
		return inTurn(ctx, a.steps, run.Call.Scope, func() (domain.RunResult, error) {
			for {
				from, err := a.prepare(ctx, run)
				if err != nil {
					return domain.RunResult{}, err
				}
				result, err := a.store.UnderLocks(ctx, run, func(ctx context.Context, snapshot domain.Snapshot) (postgres.Finding, error) {
					ctx, cancel := context.WithTimeoutCause(ctx, a.evaluation, requirement.ErrTimeLimit)
					defer cancel()
					return find(ctx, from, snapshot)
				})
				if !errors.Is(err, errOtherVersion) {
					return result, err
				}
			}
		})
	})
}

// EvaluateRules finds the documents that the rule set of a snapshot requires, or
// every gap in its facts; where the score is one, also what pricing itself lacks.
// It has no effects. An account without rules requires nothing.
func (a *Activities) EvaluateRules(ctx context.Context, snapshot domain.Snapshot) (requirement.Result, error) {
	return inTurn(ctx, a.evaluations, snapshot.Scope, func() (requirement.Result, error) { return a.evaluateRules(ctx, a.programs, snapshot) })
}

// evaluateRules is EvaluateRules for whoever has a place for it.
func (a *Activities) evaluateRules(ctx context.Context, from source, snapshot domain.Snapshot) (requirement.Result, error) {
	if snapshot.RuleSet == nil {
		return requirement.Result{}, nil
	}
	program, err := from.ruleSet(ctx, snapshot.Scope, snapshot.RuleSet.ID)
	if err != nil {
		return requirement.Result{}, err
	}
	return a.evaluate(ctx, from, program, snapshot.RuleSet.WireID, snapshot)
}

// Evaluate is EvaluateRules for a program that need not be in force. It has no
// effects, and tells a rule that cannot be evaluated, which is final, from a
// fault. versionID is that of the program's rule set; empty when it is not
// published.
func (a *Activities) Evaluate(ctx context.Context, program *requirement.Program, versionID string, snapshot domain.Snapshot) (requirement.Result, error) {
	return inTurn(ctx, a.evaluations, snapshot.Scope, func() (requirement.Result, error) { return a.evaluate(ctx, a.programs, program, versionID, snapshot) })
}

func (a *Activities) evaluate(ctx context.Context, from source, program *requirement.Program, versionID string, snapshot domain.Snapshot) (requirement.Result, error) {
	within, cancel := context.WithTimeoutCause(ctx, a.evaluation, requirement.ErrTimeLimit)
	defer cancel()
	result, err := program.Evaluate(within, snapshot.Facts)
	if err == nil {
		err = a.explainMissingScore(ctx, from, snapshot, result.Gaps)
	}
	return result, notEvaluable(err, refusal.EntityDocumentRules, versionID, "rules")
}

// explainMissingScore reads the pricing model only when the score is missing.
func (a *Activities) explainMissingScore(ctx context.Context, from source, snapshot domain.Snapshot, gaps []requirement.Gap) error {
	gap := requirement.ScoreGap(gaps)
	if gap == nil {
		return nil
	}
	var model *requirement.Pricing
	if snapshot.PricingModel != nil {
		var err error
		if model, err = from.pricingModel(ctx, snapshot.Scope, snapshot.PricingModel.ID); err != nil {
			return err
		}
	}
	return gap.ExplainPricing(model, snapshot.Facts)
}

// notEvaluable makes a refusal of what evaluating again cannot mend: a condition
// without an answer for these facts, or beyond its bounds. The account wrote it,
// and only the account can mend it.
func notEvaluable(err error, entityType, entityID, what string) error {
	if requirement.Unanswerable(err) {
		return refusal.Rule(entityType, entityID, refusal.RuleNotEvaluable,
			"The account's %s cannot be evaluated for what is on file, and nothing was changed: %v.", what, err).Failure()
	}
	return err
}
