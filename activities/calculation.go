package activities

import (
	"context"
	"errors"
	"time"

	"requisite/internal/domain"
	"requisite/internal/evaluation"
	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/internal/refusal"
	"requisite/internal/requirement"
)

// Calculation is the input of a calculation: its run, and the account of the
// application.
type Calculation struct {
	Run       domain.Run   `json:"run"`
	AccountID id.AccountID `json:"account_id"`
}

// Calculated is what a calculation of required documents found and wrote; it
// tells operators why.
type Calculated struct {
	// Facts are the facts on file. Like Required, they are absent when an
	// earlier try had already written.
	Facts    *requirement.Facts        `json:"facts,omitempty"`
	RuleSet  *domain.VersionRef        `json:"rule_set,omitempty"`
	Required []requirement.Requirement `json:"required,omitempty"`
	domain.RunResult
}

// CalculateRequiredDocuments decides which documents one workflow requires, and
// writes them. A second execution for the same run returns what the first one
// wrote. When facts are missing, it is refused with every gap.
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
// before it could write; after that it locks them.
const rounds = 3

// find evaluates a snapshot with the rules of a source.
type find func(ctx context.Context, from source, snapshot domain.Snapshot) (postgres.Finding, error)

// calculate reads the facts, evaluates them and writes the result. It holds no
// connection while it evaluates. When facts or rules change meanwhile, it reads
// again, and under locks when they keep changing.
func (a *Activities) calculate(ctx context.Context, run domain.Run, find find) (domain.RunResult, error) {
	result, err := a.calculateAnew(ctx, run, find)
	if _, refused := refusal.FromError(err); !refused {
		return result, err
	}
	// An earlier try of the run may have written, and what it found have changed since.
	written, ok, failed := a.store.Written(ctx, run)
	if ok || failed != nil {
		return written, failed
	}
	return result, err
}

func (a *Activities) calculateAnew(ctx context.Context, run domain.Run, find find) (domain.RunResult, error) {
	for range rounds {
		snapshot, err := a.loadFacts(ctx, run)
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

// calculateUnderLocks reads, evaluates and writes while the facts are locked. It
// takes both of its places and compiles first, so that under the locks it waits for
// nothing but a processor, needs no second connection, and takes little longer than an
// evaluation may. When another version comes into force before the locks are taken, it
// starts over.
func (a *Activities) calculateUnderLocks(ctx context.Context, run domain.Run, find find) (domain.RunResult, error) {
	return inTurn(ctx, a.evaluations, run.Call.Scope, func() (domain.RunResult, error) {
		return inTurn(ctx, a.steps, run.Call.Scope, func() (domain.RunResult, error) {
			for {
				from, err := a.prepare(ctx, run)
				if err != nil {
					return domain.RunResult{}, err
				}
				result, err := a.store.UnderLocks(ctx, run, func(ctx context.Context, snapshot domain.Snapshot) (postgres.Finding, error) {
					ctx, cancel := context.WithTimeoutCause(ctx, a.evaluation+lockSlack, errLocksHeld)
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

// lockSlack is how much longer an evaluation may hold locks than the processor
// time that it may take. On a machine that is busier than that, the step fails and
// is tried again.
const lockSlack = 5 * time.Second

var errLocksHeld = errors.New("evaluating took too long while the facts were locked; it is tried again")

// EvaluateRules finds the documents that the rule set of a snapshot requires, or
// every gap in its facts; where the score is one, also what pricing itself lacks.
// It has no side effects. An account without rules requires nothing.
func (a *Activities) EvaluateRules(ctx context.Context, snapshot domain.Snapshot) (requirement.Result, error) {
	return inTurn(ctx, a.evaluations, snapshot.Scope, func() (requirement.Result, error) { return a.evaluateRules(ctx, a.programs, snapshot) })
}

// evaluateRules is EvaluateRules for a caller that already has a place.
func (a *Activities) evaluateRules(ctx context.Context, from source, snapshot domain.Snapshot) (requirement.Result, error) {
	if snapshot.RuleSet == nil {
		return requirement.Result{}, nil
	}
	rules, err := from.ruleSet(ctx, snapshot.Scope, snapshot.RuleSet.ID)
	if err != nil {
		return requirement.Result{}, err
	}
	return a.evaluate(ctx, from, rules, snapshot.RuleSet.WireID, snapshot)
}

// Evaluate is EvaluateRules for rules that need not be in force. It has no
// side effects. A rule that cannot be evaluated is a refusal, which is final,
// and not a fault. versionID is that of the rules, and empty when they are not
// published.
func (a *Activities) Evaluate(ctx context.Context, rules *evaluation.Rules, versionID string, snapshot domain.Snapshot) (requirement.Result, error) {
	return inTurn(ctx, a.evaluations, snapshot.Scope, func() (requirement.Result, error) { return a.evaluate(ctx, a.programs, rules, versionID, snapshot) })
}

func (a *Activities) evaluate(ctx context.Context, from source, rules *evaluation.Rules, versionID string, snapshot domain.Snapshot) (requirement.Result, error) {
	result, err := rules.Evaluate(ctx, a.evaluation, snapshot.Facts)
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
		found, err := from.pricingModel(ctx, snapshot.Scope, snapshot.PricingModel.ID)
		if err != nil {
			return err
		}
		model = found.Pricing
	}
	return gap.ExplainPricing(model, snapshot.Facts)
}

// notEvaluable is the refusal of what a retry cannot fix: a condition that has
// no answer for these facts, or exceeds its limits. The account wrote the rule,
// and only the account can fix it.
func notEvaluable(err error, entityType, entityID, what string) error {
	if requirement.Unanswerable(err) {
		return refusal.Rule(entityType, entityID, refusal.RuleNotEvaluable,
			"The account's %s cannot be evaluated for what is on file, and nothing was changed: %v.", what, err).Failure()
	}
	return err
}
