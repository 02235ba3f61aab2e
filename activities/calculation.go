package activities

import (
	"context"
	"errors"
	"time"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/engine"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
)

// A calculation has three steps: read the facts, evaluate, save. If the facts keep changing
// meanwhile, one step does all of it under locks. Calculations of documents and of prices
// share the first step.

// Calculation is the input of a calculation: its run, and the account of the
// application.
type Calculation struct {
	Run       domain.Run   `json:"run"`
	AccountID id.AccountID `json:"account_id"`
}

// Took is how long a step took, for operators. The times of the events in Temporal do not
// show it, because local activities are recorded together.
type Took struct {
	MS float64 `json:"took_ms"`
}

func took(since time.Time) Took { return Took{float64(time.Since(since).Microseconds()) / 1000} }

// Loaded is what the first step of a calculation has read.
type Loaded struct {
	Snapshot calculation.Snapshot `json:"snapshot"`
	Took
}

// LoadFacts reads the input of a calculation in one snapshot, with its versions. It refuses
// a workflow that has ended.
func (a *Activities) LoadFacts(ctx context.Context, in Calculation) (Loaded, error) {
	began := time.Now()
	snapshot, err := a.store.LoadFacts(ctx, in.Run.Call, in.Run.WorkflowID, in.Run.StartedAt)
	return Loaded{snapshot, took(began)}, asFailure(err)
}

// Evaluation is the input of the second step: what the first one has read.
type Evaluation struct {
	Calculation
	Snapshot calculation.Snapshot `json:"snapshot"`
}

// ByRules is what the rules in force give: the documents that they require, and the rules
// that hold for nobody, with the reasons. The texts are left to the rule set.
type ByRules struct {
	Required    []requirement.Requirement `json:"required"`
	NotRequired []requirement.Requirement `json:"not_required,omitempty"`
}

// Evaluated is what the second step has found.
type Evaluated struct {
	ByRules
	Took
}

// EvaluateRules finds the required documents. It refuses with every gap if facts are
// missing, and if a rule has no result for the facts. It writes nothing.
func (a *Activities) EvaluateRules(ctx context.Context, in Evaluation) (Evaluated, error) {
	began := time.Now()
	found, err := a.rules.Required(ctx, a.rules.InForce(), in.Snapshot)
	return Evaluated{ByRules{found.Required, found.NotRequired}, took(began)}, asFailure(err)
}

// SavingDocuments is the input of SaveRequiredDocuments: what the other steps found.
type SavingDocuments struct {
	Evaluation
	ByRules
}

// Saved is what a calculation wrote.
type Saved struct {
	calculation.RunResult
	Took
}

// SaveRequiredDocuments writes the documents and the event about their changes in one
// transaction. If facts or rules have changed since they were read, it writes nothing and
// fails with FactsChanged. A second execution for the same run returns what the first one
// wrote. The texts come from the rule set of the snapshot.
func (a *Activities) SaveRequiredDocuments(ctx context.Context, in SavingDocuments) (Saved, error) {
	began := time.Now()
	found := requirement.Result{Required: in.Required, NotRequired: in.NotRequired}
	if in.Snapshot.RuleSet != nil {
		rules, err := a.rules.RuleSet(ctx, in.Snapshot.Scope, in.Snapshot.RuleSet.ID)
		if err != nil {
			return Saved{}, asFailure(err)
		}
		found.Rules = rules.Rules()
	}
	return a.save(ctx, began, in.Evaluation, store.Documents(found))
}

func (a *Activities) save(ctx context.Context, began time.Time, in Evaluation, found store.Finding) (Saved, error) {
	result, err := a.store.Save(ctx, in.Run, in.Snapshot, found)
	return Saved{result, took(began)}, asFailure(err)
}

// CalculatedUnderLocks is the result of a calculation under locks. Snapshot and Required
// are empty if an earlier execution had written.
type CalculatedUnderLocks struct {
	Snapshot calculation.Snapshot      `json:"snapshot"`
	Required []requirement.Requirement `json:"required,omitempty"`
	Saved
}

// CalculateUnderLocks reads, evaluates and saves in one transaction that locks the
// facts and the rules.
func (a *Activities) CalculateUnderLocks(ctx context.Context, in Calculation) (CalculatedUnderLocks, error) {
	var out CalculatedUnderLocks
	var err error
	out.Saved, err = a.underLocks(ctx, in.Run, func(ctx context.Context, from engine.Source, snapshot calculation.Snapshot) (store.Finding, error) {
		found, err := a.rules.Required(ctx, from, snapshot)
		out.Snapshot, out.Required = snapshot, found.Required
		return orRefused(decision.Calculation, store.Documents(found), err)
	})
	return out, err
}

// underLocks reads, evaluates and writes while the facts are locked. It compiles the rules
// first, then takes a connection, then a slot, then the locks. So it waits for nothing
// under the locks, and holds no slot without a connection. If another version comes into
// force before it has the locks, it starts over.
func (a *Activities) underLocks(ctx context.Context, run domain.Run, find func(context.Context, engine.Source, calculation.Snapshot) (store.Finding, error)) (Saved, error) {
	began := time.Now()
	for {
		result, err := a.tryUnderLocks(ctx, run, find)
		if !errors.Is(err, engine.ErrOtherVersion) {
			return Saved{result, took(began)}, asFailure(err)
		}
	}
}

func (a *Activities) tryUnderLocks(ctx context.Context, run domain.Run, find func(context.Context, engine.Source, calculation.Snapshot) (store.Finding, error)) (calculation.RunResult, error) {
	from, err := a.prepare(ctx, run)
	if err != nil {
		return calculation.RunResult{}, err
	}
	release := func() {}
	defer func() { release() }()
	ready := func(ctx context.Context) (err error) {
		release, err = a.rules.Slot(ctx, run.Call.Scope)
		if err != nil {
			release = func() {}
		}
		return err
	}
	return a.store.UnderLocks(ctx, run, ready, func(ctx context.Context, snapshot calculation.Snapshot) (store.Finding, error) {
		return find(ctx, from, snapshot)
	})
}

// prepare compiles the rules and prices in force for a run's workflow. If the workflow
// refuses a calculation, the later transaction reports why.
func (a *Activities) prepare(ctx context.Context, run domain.Run) (engine.Source, error) {
	_, snapshot, err := a.store.Snapshot(ctx, run.Call.Scope, run.WorkflowID)
	if _, refused := refusal.FromError(err); refused {
		snapshot, err = calculation.Snapshot{}, nil
	}
	if err != nil {
		return nil, err
	}
	return a.rules.Prepare(ctx, snapshot), nil
}
