package activities

import (
	"context"
	"time"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
)

// A calculation has three steps: read the facts, evaluate, save. If facts or rules change
// meanwhile, the run begins again. Calculations of documents and of prices share the first step.

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
// a workflow that has ended, and stores the refusal as the outcome of the request.
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
	found, err := a.rules.Required(ctx, in.Snapshot)
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
		found.Rules, found.Table = rules.Rules(), rules.Table()
	}
	return a.save(ctx, began, in.Evaluation, store.Required(found))
}

func (a *Activities) save(ctx context.Context, began time.Time, in Evaluation, found store.Found) (Saved, error) {
	result, err := a.store.Save(ctx, in.Run, in.Snapshot, found)
	return Saved{result, took(began)}, asFailure(err)
}
