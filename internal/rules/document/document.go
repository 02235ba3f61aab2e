// Package document decides how the stored documents and findings of an application change: by a
// calculation, by a reviewer, and with time. It reads and writes nothing.
package document

import (
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// This file has the document: what is stored of it, and what follows from that.

// Origin says what requires a document.
type Origin string

// The origins of documents. A MANUAL document was required by a person, and no rule retires it.
const (
	OriginRule   Origin = "RULE"
	OriginManual Origin = "MANUAL"
)

// Origins lists both.
func Origins() []Origin { return []Origin{OriginRule, OriginManual} }

// Document is a stored required document. Document type code, entity type and entity identify it
// within a workflow.
type Document struct {
	ID               string
	DocumentTypeCode string
	Name             string
	Category         string
	RequirementText  string
	EntityType       string
	EntityID         string
	// Terms has the options that are offered, without their conditions.
	requirement.Terms
	// Published has the options as the rule states them. It is nil if no option has a condition.
	Published []requirement.DocumentOption
	Status    Status
	// PreviousStatus is the status that an inactive document had; empty otherwise.
	PreviousStatus Status
	// StatusReason says why a calculation or a day gave the document its status, or its previous
	// status. It is empty if a person set the status.
	StatusReason StatusReason
	Reasons      []DocumentReason
	// Version is the number of the version of the rules whose text it has. It is zero for a text of
	// its own.
	Version int
	Origin  Origin
	// Own is the text of an OriginManual document while no rule requires it.
	Own *ManualText
	// Identity is the identity of its entity at the last calculation.
	Identity requirement.Identity
	// Bound has the digests of the values that BoundTo names, at the last calculation. The digest of
	// an absent value is empty.
	Bound    map[string]string
	Approval *Approval
	// Evidence, ReviewedBy and ReviewNote come from the last update that stated them.
	Evidence               []Evidence
	ReviewedBy, ReviewNote string
	// DueSince is the day from which DueWithin counts, unless DueFrom names another day.
	DueSince fact.Date
	// DueOn is the last day on which an open document is due. It is zero if there is none.
	DueOn    fact.Date
	Notified Notified
}

// DocumentReason is a reason with the rule set version that gave it.
type DocumentReason struct {
	Rule      string                  `json:"rule"`
	VersionID string                  `json:"version_id,omitempty"` // empty for rules that are not published
	Message   string                  `json:"message"`
	Facts     requirement.ReasonFacts `json:"facts"`
}

// Open reports that somebody has to act.
func (d Document) Open() bool { return d.Status == Pending || d.Status == NeedsReview }

// Deadline is the last day on which the document is due. It is zero if the document is not open.
func (d Document) Deadline() fact.Date {
	if !d.Open() {
		return fact.Date{}
	}
	return d.DueOn
}

// Cause says why the document has its status. It is empty for an inactive document, whose reason
// belongs to the remembered status.
func (d Document) Cause() StatusCause {
	if d.Status == Inactive {
		return StatusCause{}
	}
	cause := StatusCause{StatusReason: d.StatusReason}
	if d.StatusReason != FactsChanged || d.Approval == nil {
		return cause
	}
	for _, name := range d.BoundTo {
		if then, known := d.Approval.Bound[fact.Bare(name)]; known && then != d.Bound[fact.Bare(name)] {
			cause.ChangedFacts = append(cause.ChangedFacts, name)
		}
	}
	return cause
}

// Overdue reports whether the deadline of a pending document has passed.
func (d Document) Overdue(today fact.Date) bool {
	return d.Status == Pending && !d.DueOn.IsZero() && d.DueOn.Before(today)
}

// ManualText is the text of a manual document.
type ManualText struct {
	Name            string       `json:"name"`
	Category        string       `json:"category"`
	RequirementText string       `json:"requirement_text"`
	Explanation     string       `json:"explanation,omitempty"`
	DueWithin       *fact.Period `json:"due_within,omitempty"`
	// Reason is why the document was required.
	Reason string `json:"reason"`
}

// RequiredOnlyByHand reports whether no rule requires the document at its last calculation.
func (d Document) RequiredOnlyByHand() bool {
	return d.Origin == OriginManual && len(d.Reasons) > 0 && d.Reasons[0].Rule == manualRule
}

// manualRule takes the place of a rule in the reason of an OriginManual document.
const manualRule = "MANUAL"

// document makes a document with the text.
func (m ManualText) document(of key) Document {
	return Document{
		DocumentTypeCode: of.code, EntityType: of.entityType, EntityID: of.entityID,
		Name: m.Name, Category: m.Category, RequirementText: m.RequirementText, Terms: requirement.Terms{Explanation: m.Explanation, DueWithin: m.DueWithin},
		Reasons: []DocumentReason{{Rule: manualRule, Message: m.Reason, Facts: requirement.ReasonFacts{}}},
	}
}

// RequireManually makes an OriginManual document. d is a new document with only the id, the code
// and the entity set, or an inactive one, which keeps its evidence.
func (d Document) RequireManually(text ManualText, identity requirement.Identity, today fact.Date) Document {
	required := text.document(d.key())
	required.ID, required.Origin, required.Own, required.Status = d.ID, OriginManual, &text, Pending
	required.Identity, required.Evidence, required.ReviewedBy, required.ReviewNote = identity, d.Evidence, d.ReviewedBy, d.ReviewNote
	required.DueSince, required.Notified = today, d.Notified
	required.DueOn = required.DueDate(fact.Facts{}, today)
	return required
}

// VersionID is the version of the rules whose text the document has. It is empty for a text of its
// own.
func (d Document) VersionID() string {
	if len(d.Reasons) == 0 {
		return ""
	}
	return d.Reasons[0].VersionID
}

// StatedTerms returns the terms of the document. It is nil if the document has none.
func (d Document) StatedTerms() *requirement.Terms {
	if d.Terms.Empty() {
		return nil
	}
	return &d.Terms
}

// Text is the text of the document.
func (d Document) Text() requirement.DocumentText {
	text := d.TextOf(d.Name, d.RequirementText)
	if d.Published != nil {
		text.AnyOf = d.Published
	}
	return text
}
