package calculation

import (
	"time"

	"requisite/internal/id"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// Preview is what a calculation would do now. If there are gaps, it would do nothing.
type Preview struct {
	AccountID id.UUID // of the workflow
	// Rules are those that it evaluates.
	Rules   []requirement.Rule
	Changes document.Changes
	Gaps    []fact.Gap
}

// WorkflowPreview is the preview of one of many workflows. Err is set if the rules cannot be
// evaluated for its facts: see requirement.Unanswerable.
type WorkflowPreview struct {
	WorkflowID string
	ExternalID *string
	Preview
	Err error
}

// Publication is one immutable version of a rule set or of a pricing model.
type Publication struct {
	ID                 id.UUID
	AccountID          id.UUID
	Version            int
	Content            string // canonical JSON
	Comment            *string
	EnvironmentVersion int
	CostLimit          int64
	PublishedAt        time.Time
	PublishedBy        string
	Validity
	Approval
}

// WireID is the version's id in the API.
func (p Publication) WireID() id.RuleSetVersionID { return id.RuleSetVersionID{UUID: p.ID} }

// Options are the options of the check before publication. They are used whenever the stored
// content is loaded, even if new content has a newer version of the language and another limit.
func (p Publication) Options() requirement.Options {
	return requirement.Options{EnvironmentVersion: p.EnvironmentVersion, CostLimit: uint64(p.CostLimit)}
}

// Draft is checked content to be published.
type Draft struct {
	Content            []byte // canonical JSON: the same content gives the same bytes
	Comment            *string
	EnvironmentVersion int
	CostLimit          int64
	// Validity is for rules. Prices are always in force at once and for all.
	Validity
}

// NewDraft makes a draft that is in force at once and for all. The content was checked with the
// options of requirement.Newest.
func NewDraft(content []byte) Draft {
	checked := requirement.Newest()
	return Draft{Content: content, EnvironmentVersion: checked.EnvironmentVersion, CostLimit: int64(checked.CostLimit), Validity: Validity{AppliesTo: AppliesToAll}}
}
