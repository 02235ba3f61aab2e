// Package calculation has the input and the results of a calculation, and what it would change:
// snapshots, the versions of rules and prices, and required documents. It does no I/O.
package calculation

import (
	"errors"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
)

// ErrFactsChanged reports that the facts or rules have changed since a calculation read them.
// Nothing was written. The calculation must read them again.
var ErrFactsChanged = errors.New("the facts or the rules changed while the calculation ran")

// ErrNoVersion reports that a version of rules or prices is no longer stored.
var ErrNoVersion = errors.New("it is not stored any more")

// RunResult is what a run wrote.
type RunResult struct {
	// Documents is set if documents were calculated.
	Documents *DocumentCounts `json:"documents,omitempty"`
	// Changed has the documents themselves. Only the step that wrote them knows it. It is not
	// stored: the decision names the documents, and a run keeps few bytes about many documents.
	Changed DocumentChanges `json:"-"`
	// Score is set if the score was calculated.
	Score    *rational.Number  `json:"evaluation_score,omitempty"`
	Warnings []refusal.Warning `json:"warnings,omitempty"`
	// Decision names the recorded decision.
	Decision *refusal.DecisionRef `json:"decision,omitempty"`
	// Repeated reports that an earlier try of the run, or an earlier run of the same call, wrote
	// this. It is never stored.
	Repeated bool `json:"repeated,omitempty"`
	// Unchanged is only set by a recalculation. It reports that nothing but reasons has changed.
	Unchanged bool `json:"unchanged,omitempty"`
}

// DocumentChanges groups the documents of a calculation by their change.
type DocumentChanges = document.ByChange[[]DocumentRef, []CarriedRef]

// DocumentCounts counts the documents that a calculation changed, by change.
type DocumentCounts = document.ByChange[int, int]

// Snapshot is all input of a calculation at one moment.
type Snapshot struct {
	// Scope owns the snapshot. The snapshot's versions are read only in this scope. Evaluating it
	// counts against the share of its tenant.
	Scope domain.Scope `json:"scope"`
	Facts fact.Facts   `json:"facts"`
	// Fingerprint is the fingerprint of the facts when they were read.
	Fingerprint string `json:"fingerprint"`
	// RuleSet and PricingModel are nil if the account has none in force.
	RuleSet      *VersionRef `json:"rule_set,omitempty"`
	PricingModel *VersionRef `json:"pricing_model,omitempty"`
}

// WithoutFacts is the snapshot for steps that only compare. The fingerprint replaces the facts:
// facts and result together may exceed the size of a Temporal payload.
func (s Snapshot) WithoutFacts() Snapshot {
	s.Facts = fact.Facts{AsOf: s.Facts.AsOf, WorkflowID: s.Facts.WorkflowID, EvaluationScore: s.Facts.EvaluationScore}
	return s
}

// VersionRef names a version to people and to the next activity.
type VersionRef struct {
	ID      id.UUID `json:"id"`
	WireID  string  `json:"version_id"`
	Version int     `json:"version"`
}
