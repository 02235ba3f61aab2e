package calculation

import (
	"time"

	"requisite/internal/rules/document"

	"requisite/internal/id"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// Preview is what a calculation would do now. With gaps it would do nothing.
type Preview struct {
	AccountID id.UUID // that the workflow belongs to
	Changes   document.Changes
	Gaps      []fact.Gap
}

// WorkflowPreview is the preview of one of many workflows. Err reports rules that cannot be
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
	Force
	Approval
}

// WireID is the version's id in the API.
func (p Publication) WireID() id.RuleSetVersionID { return id.RuleSetVersionID{UUID: p.ID} }

// Options are the options of the check before publication. The stored content is loaded with them,
// also after the language has a newer version and new content has another limit.
func (p Publication) Options() requirement.Options {
	return requirement.Options{EnvironmentVersion: p.EnvironmentVersion, CostLimit: uint64(p.CostLimit)}
}

// Draft is checked content that is to be published.
type Draft struct {
	Content            []byte // canonical JSON: the same content gives the same bytes
	Comment            *string
	EnvironmentVersion int
	CostLimit          int64
	// Force is that of rules; prices are always in force at once and for all.
	Force
}

// NewDraft is a draft of content that was checked with the options of requirement.Newest, and that is to be
// in force at once and for all.
func NewDraft(content []byte) Draft {
	checked := requirement.Newest()
	return Draft{Content: content, EnvironmentVersion: checked.EnvironmentVersion, CostLimit: int64(checked.CostLimit), Force: Force{AppliesTo: AppliesToAll}}
}
