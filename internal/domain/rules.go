package domain

import (
	"time"

	"github.com/google/uuid"

	"requisite/internal/id"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// Preview is what a calculation would do now. With gaps it would do nothing.
type Preview struct {
	AccountID uuid.UUID // that the workflow belongs to
	Changes   requirement.Changes
	Gaps      []fact.Gap
}

// WorkflowPreview is the preview of one of many workflows. Err is one of those
// with which rules cannot be evaluated for its facts: see
// requirement.Unanswerable.
type WorkflowPreview struct {
	WorkflowID string
	Preview
	Err error
}

// Publication is one immutable version of a rule set or of a pricing model.
type Publication struct {
	ID                 uuid.UUID
	AccountID          uuid.UUID
	Version            int
	Content            string // canonical JSON
	Comment            *string
	EnvironmentVersion int
	CostLimit          int64
	PublishedAt        time.Time
	PublishedBy        string
}

// WireID is the version's id in the API.
func (p Publication) WireID() id.RuleSetVersionID { return id.RuleSetVersionID{UUID: p.ID} }

// Options are those under which the content was checked. What is stored is loaded
// under them, whatever the newest version of the language is. It may take at least as
// many steps as new content: limits of earlier versions were counted in other steps.
func (p Publication) Options() requirement.Options {
	return requirement.Options{EnvironmentVersion: p.EnvironmentVersion, CostLimit: max(uint64(p.CostLimit), requirement.DefaultCostLimit)}
}

// Draft is checked content that is to be published.
type Draft struct {
	Content            []byte // canonical JSON: the same content gives the same bytes
	Comment            *string
	EnvironmentVersion int
	CostLimit          int64
}

// NewDraft is of content that was checked under requirement.Newest, which is kept
// with it.
func NewDraft(content []byte) Draft {
	checked := requirement.Newest()
	return Draft{Content: content, EnvironmentVersion: checked.EnvironmentVersion, CostLimit: int64(checked.CostLimit)}
}
