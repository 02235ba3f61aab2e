// Package calculation holds what a calculation reads, what it gives, and what would change:
// snapshots, the versions of rules and prices, required documents. It does no I/O.
package calculation

import (
	"errors"

	"requisite/internal/rules/document"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/fact"
)

// ErrFactsChanged reports that facts or rules are no longer those that a
// calculation was made from: nothing was written, and it must read again.
var ErrFactsChanged = errors.New("the facts or the rules changed while the calculation ran")

// ErrNoVersion reports that a version of rules or prices is not stored any more.
var ErrNoVersion = errors.New("it is not stored any more")

// RunResult is what a run wrote.
type RunResult struct {
	// Documents is set by a calculation of documents.
	Documents *DocumentCounts `json:"documents,omitempty"`
	// Changed are the documents themselves. They are known to the step that wrote them, and never
	// stored: the decision names them, and a run keeps few bytes of many documents.
	Changed DocumentChanges `json:"-"`
	// Score is set by pricing.
	Score    *rational.Number  `json:"evaluation_score,omitempty"`
	Warnings []refusal.Warning `json:"warnings,omitempty"`
	// Decision is how it is recorded.
	Decision *refusal.Decision `json:"decision,omitempty"`
	// Repeated reports that an earlier try of the run, or an earlier run of the same call,
	// wrote this. It is never stored.
	Repeated bool `json:"repeated,omitempty"`
	// Unchanged reports, of a recalculation alone, that at most reasons have changed.
	Unchanged bool `json:"unchanged,omitempty"`
}

// DocumentChanges are the documents of a calculation by what became of them.
type DocumentChanges = document.ByChange[[]DocumentRef, []CarriedRef]

// DocumentCounts says how many documents a calculation changed, and how.
type DocumentCounts = document.ByChange[int, int]

// Snapshot is all input of a calculation, as of one moment.
type Snapshot struct {
	// Scope is the owner of the snapshot, and the only scope in which its versions
	// are read. Evaluating it counts against the share of its tenant.
	Scope domain.Scope `json:"scope"`
	Facts fact.Facts   `json:"facts"`
	// Fingerprint is that of the facts when they were read.
	Fingerprint string `json:"fingerprint"`
	// RuleSet and PricingModel are nil when the account has none in force.
	RuleSet      *VersionRef `json:"rule_set,omitempty"`
	PricingModel *VersionRef `json:"pricing_model,omitempty"`
}

// WithoutFacts is the snapshot for steps that only compare: the fingerprint stands for the facts,
// which beside what was found can take more than a payload of Temporal.
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
