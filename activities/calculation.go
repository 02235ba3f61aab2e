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

// A calculation has three steps: read the facts, evaluate, save. When the facts keep
// changing between the first and the last, one step does all of it under locks.
// Calculations of documents and of prices share the first step.

// Calculation is the input of a calculation: its run, and the account of the
// application.
type Calculation struct {
	Run       domain.Run   `json:"run"`
	AccountID id.AccountID `json:"account_id"`
}

// Took is how long a step took, for operators: the steps of a run reach Temporal
// together, so the times of their events do not say it.
type Took struct {
	MS float64 `json:"took_ms"`
}

func took(since time.Time) Took { return Took{float64(time.Since(since).Microseconds()) / 1000} }

// Loaded is what the first step of a calculation has read.
type Loaded struct {
	Snapshot domain.Snapshot `json:"snapshot"`
	Took
}

// LoadFacts reads everything that a calculation depends on, as of one moment, with
// its versions. A workflow that has ended is refused.
func (a *Activities) LoadFacts(ctx context.Context, in Calculation) (Loaded, error) {
	began := time.Now()
	snapshot, err := inTurn(ctx, a.steps, in.Run.Call.Scope, func() (domain.Snapshot, error) {
		return a.store.LoadFacts(ctx, in.Run.Call, in.Run.WorkflowID, in.Run.StartedAt)
	})
	return Loaded{snapshot, took(began)}, asFailure(err)
}

// Evaluation is the input of the second step: what the first one has read.
type Evaluation struct {
	Calculation
	Snapshot domain.Snapshot `json:"snapshot"`
}

// Evaluated are the documents that the rules in force require, with the reasons. Their
// texts are left to the rule set.
type Evaluated struct {
	Required []requirement.Requirement `json:"required"`
	Took
}

// EvaluateRules finds the required documents. It is refused with every gap when
// facts are missing, and when a rule has no answer for the facts. It writes nothing.
func (a *Activities) EvaluateRules(ctx context.Context, in Evaluation) (Evaluated, error) {
	began := time.Now()
	found, err := inTurn(ctx, a.evaluations, in.Snapshot.Scope, func() (requirement.Result, error) {
		return a.required(ctx, a.programs, in.Snapshot)
	})
	return Evaluated{found.Required, took(began)}, asFailure(err)
}

// required are the documents that the rules in force require.
func (a *Activities) required(ctx context.Context, from source, snapshot domain.Snapshot) (requirement.Result, error) {
	found, err := a.evaluateInForce(ctx, from, snapshot)
	if err == nil && len(found.Gaps) > 0 {
		err = refusal.Missing(found.Gaps)
	}
	return found, err
}

// SavingDocuments is the input of SaveRequiredDocuments: what the other steps found.
type SavingDocuments struct {
	Evaluation
	Required []requirement.Requirement `json:"required"`
}

// Saved is what a calculation wrote.
type Saved struct {
	domain.RunResult
	Took
}

// SaveRequiredDocuments writes the documents and what has changed of them, in one
// transaction with its event. When facts or rules have changed since they were read,
// it writes nothing and fails with FactsChanged, which is final. A second execution
// for the same run returns what the first one wrote. The texts are those of the rule set
// of the snapshot, on whichever process it runs.
func (a *Activities) SaveRequiredDocuments(ctx context.Context, in SavingDocuments) (Saved, error) {
	found := requirement.Result{Required: in.Required}
	if len(in.Required) > 0 && in.Snapshot.RuleSet != nil {
		rules, err := a.programs.ruleSet(ctx, in.Snapshot.Scope, in.Snapshot.RuleSet.ID)
		if err != nil {
			return Saved{}, asFailure(err)
		}
		found.Rules = rules.Rules()
	}
	return a.save(ctx, in.Evaluation, postgres.Documents(found))
}

func (a *Activities) save(ctx context.Context, in Evaluation, found postgres.Finding) (Saved, error) {
	began := time.Now()
	result, err := inTurn(ctx, a.steps, in.Run.Call.Scope, func() (domain.RunResult, error) {
		return a.store.Save(ctx, in.Run, in.Snapshot, found)
	})
	return Saved{result, took(began)}, asFailure(err)
}

// CalculatedUnderLocks is what the one step of a calculation under locks read, found
// and wrote. Snapshot and Required are empty when an earlier try had written.
type CalculatedUnderLocks struct {
	Snapshot domain.Snapshot           `json:"snapshot"`
	Required []requirement.Requirement `json:"required,omitempty"`
	Saved
}

// CalculateUnderLocks reads, evaluates and saves in one transaction that locks the
// facts and the rules.
func (a *Activities) CalculateUnderLocks(ctx context.Context, in Calculation) (CalculatedUnderLocks, error) {
	var out CalculatedUnderLocks
	var err error
	out.Saved, err = a.underLocks(ctx, in.Run, func(ctx context.Context, from source, snapshot domain.Snapshot) (postgres.Finding, error) {
		found, err := a.required(ctx, from, snapshot)
		out.Snapshot, out.Required = snapshot, found.Required
		return postgres.Documents(found), err
	})
	return out, err
}

// underLocks reads, evaluates and writes while the facts are locked. It takes both
// of its slots and compiles first, so that under the locks it waits for nothing but a
// processor, needs no second connection, and takes little longer than an evaluation
// may. When another version comes into force before the locks are taken, it starts
// over.
func (a *Activities) underLocks(ctx context.Context, run domain.Run, find func(context.Context, source, domain.Snapshot) (postgres.Finding, error)) (Saved, error) {
	began := time.Now()
	result, err := inTurn(ctx, a.evaluations, run.Call.Scope, func() (domain.RunResult, error) {
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
	return Saved{result, took(began)}, asFailure(err)
}

// lockSlack is how much longer an evaluation may hold locks than the processor
// time that it may take. On a machine that is busier than that, the step fails and
// is retried.
const lockSlack = 5 * time.Second

var errLocksHeld = errors.New("evaluating took too long while the facts were locked; it is retried")

// Evaluate evaluates rules for a snapshot outside of a run, for a preview: those in
// force when rules is nil. versionID is that of the rules, and empty when they are
// not published. It writes nothing.
func (a *Activities) Evaluate(ctx context.Context, rules *evaluation.Rules, versionID string, snapshot domain.Snapshot) (requirement.Result, error) {
	return inTurn(ctx, a.evaluations, snapshot.Scope, func() (requirement.Result, error) {
		if rules == nil {
			return a.evaluateInForce(ctx, a.programs, snapshot)
		}
		return a.evaluate(ctx, a.programs, rules, versionID, snapshot)
	})
}

// evaluateInForce evaluates the rule set of a snapshot, for a caller that has a slot.
// An account without rules requires nothing.
func (a *Activities) evaluateInForce(ctx context.Context, from source, snapshot domain.Snapshot) (requirement.Result, error) {
	if snapshot.RuleSet == nil {
		return requirement.Result{}, nil
	}
	rules, err := from.ruleSet(ctx, snapshot.Scope, snapshot.RuleSet.ID)
	if err != nil {
		return requirement.Result{}, err
	}
	return a.evaluate(ctx, from, rules, snapshot.RuleSet.WireID, snapshot)
}

// evaluate finds the documents that rules require, or every gap in the facts; where
// the score is one, also what pricing itself lacks. A rule that cannot be evaluated is
// a refusal, and not a fault.
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
