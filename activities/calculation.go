package activities

import (
	"context"
	"errors"

	"requisite/internal/postgres"
	"requisite/internal/refusal"
	"requisite/internal/requirement"
)

// LoadFacts reads what is on file for a workflow, at one moment.
func (a *Activities) LoadFacts(ctx context.Context, run postgres.Run) (postgres.Snapshot, error) {
	return inTurn(ctx, a.steps, run.Call.Scope, func() (postgres.Snapshot, error) {
		snapshot, err := a.store.LoadFacts(ctx, run.Call, run.WorkflowID, run.StartedAt)
		return snapshot, asFailure(err)
	})
}

// EvaluateRules finds the documents that the rule set of a snapshot requires,
// or every gap in its facts; where the score is one, also what pricing itself
// lacks. It writes nothing. An account without rules
// requires nothing.
func (a *Activities) EvaluateRules(ctx context.Context, snapshot postgres.Snapshot) (requirement.Result, error) {
	return inTurn(ctx, a.evaluations, snapshot.Scope, func() (requirement.Result, error) { return a.evaluateRules(ctx, a.programs, snapshot) })
}

// evaluateRules is EvaluateRules for whoever has a place for it.
func (a *Activities) evaluateRules(ctx context.Context, from source, snapshot postgres.Snapshot) (requirement.Result, error) {
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
func (a *Activities) Evaluate(ctx context.Context, program *requirement.Program, versionID string, snapshot postgres.Snapshot) (requirement.Result, error) {
	return inTurn(ctx, a.evaluations, snapshot.Scope, func() (requirement.Result, error) { return a.evaluate(ctx, a.programs, program, versionID, snapshot) })
}

func (a *Activities) evaluate(ctx context.Context, from source, program *requirement.Program, versionID string, snapshot postgres.Snapshot) (requirement.Result, error) {
	within, cancel := context.WithTimeoutCause(ctx, a.evaluation, requirement.ErrTimeLimit)
	defer cancel()
	result, err := program.Evaluate(within, snapshot.Facts)
	if err == nil {
		err = a.explainMissingScore(ctx, from, snapshot, result.Gaps)
	}
	return result, notEvaluable(err, refusal.EntityDocumentRules, versionID, "rules")
}

// explainMissingScore reads the pricing model only when the score is missing.
func (a *Activities) explainMissingScore(ctx context.Context, from source, snapshot postgres.Snapshot, gaps []requirement.Gap) error {
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

// SaveDocuments is the input of SaveRequiredDocuments.
type SaveDocuments struct {
	Run      postgres.Run              `json:"run"`
	Snapshot postgres.Snapshot         `json:"snapshot"`
	Required []requirement.Requirement `json:"required"`
}

// SaveRequiredDocuments writes what was found, unless facts or rules changed
// since; a second time for the same run it answers what the first one wrote.
func (a *Activities) SaveRequiredDocuments(ctx context.Context, in SaveDocuments) (postgres.RunResult, error) {
	return inTurn(ctx, a.steps, in.Run.Call.Scope, func() (postgres.RunResult, error) {
		result, err := a.store.SaveRequiredDocuments(ctx, in.Run, in.Snapshot, in.Required)
		return result, asFailure(err)
	})
}

// UnderLocks is what CalculateUnderLocks found and wrote. A run that had
// written before knows only what it wrote.
type UnderLocks struct {
	Snapshot postgres.Snapshot         `json:"snapshot"`
	Required []requirement.Requirement `json:"required"`
	postgres.RunResult
}

// CalculateUnderLocks reads, evaluates and writes while nobody else may change
// the facts. It waits for its places first, and compiles: under the locks it waits
// for nobody, needs no second connection, and takes no longer than an evaluation
// may.
func (a *Activities) CalculateUnderLocks(ctx context.Context, run postgres.Run) (UnderLocks, error) {
	return underLocks(ctx, a, run, func(from source) (UnderLocks, error) {
		var out UnderLocks
		result, err := a.store.CalculateUnderLocks(ctx, run, func(ctx context.Context, snapshot postgres.Snapshot) ([]requirement.Requirement, error) {
			ctx, cancel := context.WithTimeoutCause(ctx, a.evaluation, requirement.ErrTimeLimit)
			defer cancel()
			found, err := a.evaluateRules(ctx, from, snapshot)
			if err == nil && len(found.Gaps) > 0 {
				err = refusal.Missing(found.Gaps)
			}
			out.Snapshot, out.Required = snapshot, found.Required
			return found.Required, err
		})
		out.RunResult = result
		return out, asFailure(err)
	})
}

// underLocks takes both places of a step that holds locks while it evaluates, and
// gives it what is in force, compiled. When another version comes into force
// before the locks are taken, it begins anew.
func underLocks[T any](ctx context.Context, a *Activities, run postgres.Run, do func(from source) (T, error)) (T, error) {
	return inTurn(ctx, a.evaluations, run.Call.Scope, func() (T, error) {
		return inTurn(ctx, a.steps, run.Call.Scope, func() (T, error) {
			for {
				from, err := a.prepare(ctx, run)
				if err != nil {
					var none T
					return none, err
				}
				done, err := do(from)
				if !errors.Is(err, errOtherVersion) {
					return done, err
				}
			}
		})
	})
}
