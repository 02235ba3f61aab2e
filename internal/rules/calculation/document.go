package calculation

import (
	"time"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// RequiredDocument is a stored document with its times.
type RequiredDocument struct {
	document.Document
	// Overdue reports that the document is PENDING and was due before today.
	Overdue bool
	// DecisionID is the decision that last changed it.
	DecisionID id.DecisionID
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// DocumentFilter filters a list. Empty fields match everything.
type DocumentFilter struct {
	Status     document.Status
	EntityType string
	EntityID   string // in the form of the API
}

// NamedDocument names a document in an event and in a run's result.
type NamedDocument struct {
	RequiredDocumentID string          `json:"required_document_id"`
	DocumentTypeCode   string          `json:"document_type_code"`
	EntityType         string          `json:"entity_type"`
	EntityID           string          `json:"entity_id"`
	Status             document.Status `json:"status"`
}

// DocumentRef names a document in the result of a calculation, and says why it has its status.
type DocumentRef struct {
	NamedDocument
	document.StatusCause
}

// CarriedRef names a document that has the approval of an earlier workflow.
type CarriedRef struct {
	DocumentRef
	FromDecisionID string `json:"from_decision_id" doc:"The decision that approved."`
}

// WorkflowWithFindings is a workflow with its findings.
type WorkflowWithFindings struct {
	domain.StoredWorkflow
	// Findings are the findings of the last calculation, followed by those of documents that hold
	// up the application today.
	Findings []Finding
}

// Finding is the finding of a rule, or of a document that holds up its application. For a document
// only the code, the kind and the day are set.
type Finding struct {
	document.Finding
	// RequiredDocumentID is zero for a finding of a rule.
	RequiredDocumentID id.RequiredDocumentID
}

// FindingRef names a finding in a decision and an event.
type FindingRef struct {
	FindingCode string                  `json:"finding_code"`
	Kind        requirement.FindingKind `json:"kind"`
	EntityType  string                  `json:"entity_type"`
	EntityID    string                  `json:"entity_id"`
}

// FindingRefs name findings.
func FindingRefs(findings []document.Finding) []FindingRef {
	list := make([]FindingRef, len(findings))
	for i, f := range findings {
		list[i] = FindingRef{f.FindingCode, f.Kind, f.EntityType, f.EntityID}
	}
	return list
}

// DocumentMove is a change of a required document's status.
type DocumentMove struct {
	RequiredDocumentID id.RequiredDocumentID `json:"required_document_id"`
	DocumentTypeCode   string                `json:"document_type_code"`
	Status             document.Status       `json:"status"`
	PreviousStatus     document.Status       `json:"previous_status"`
	DueOn              fact.Date             `json:"due_on,omitzero" format:"date"`
	ValidUntil         fact.Date             `json:"valid_until,omitzero" format:"date" doc:"The last day on which the approval is valid."`
}

// DocumentExpiry is an approval that has lapsed. In an ended workflow the status of the document
// stays.
type DocumentExpiry struct {
	RequiredDocumentID id.RequiredDocumentID `json:"required_document_id"`
	DocumentTypeCode   string                `json:"document_type_code"`
	Status             document.Status       `json:"status"`
	PreviousStatus     document.Status       `json:"previous_status"`
	StatusReason       document.StatusReason `json:"status_reason" enum:"EXPIRED,RENEWAL_DUE"`
	ValidUntil         fact.Date             `json:"valid_until" format:"date" doc:"The last day on which the approval was valid."`
}

// DocumentExpired is a document that is required again because its approval has lapsed.
type DocumentExpired struct {
	DocumentExpiry
	DueOn fact.Date `json:"due_on,omitzero" format:"date"`
}

// DocumentAdded is a new manual document.
type DocumentAdded struct {
	NamedDocument
	DueOn fact.Date `json:"due_on,omitzero" format:"date"`
}

// ApprovedDocument names a document that is completed or waived.
type ApprovedDocument struct {
	DocumentTypeCode string `json:"document_type_code"`
	EntityType       string `json:"entity_type"`
	EntityID         string `json:"entity_id"`
}
