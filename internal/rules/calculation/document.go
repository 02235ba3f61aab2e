package calculation

import (
	"time"

	"requisite/internal/id"
	"requisite/internal/rules/requirement"
)

// RequiredDocument is a document on record, with its times.
type RequiredDocument struct {
	requirement.Document
	// DecisionID is the decision that last changed it.
	DecisionID id.DecisionID
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// DocumentFilter filters a list; empty fields match everything.
type DocumentFilter struct {
	Status     requirement.Status
	EntityType string
	EntityID   string // as the API writes it
}

// DocumentRef names a document in an event and in a run's result.
type DocumentRef struct {
	RequiredDocumentID string             `json:"required_document_id"`
	DocumentTypeCode   string             `json:"document_type_code"`
	EntityType         string             `json:"entity_type"`
	EntityID           string             `json:"entity_id"`
	Status             requirement.Status `json:"status"`
}

// DocumentMove is a change of a required document's status.
type DocumentMove struct {
	RequiredDocumentID id.RequiredDocumentID `json:"required_document_id"`
	DocumentTypeCode   string                `json:"document_type_code"`
	Status             requirement.Status    `json:"status"`
	PreviousStatus     requirement.Status    `json:"previous_status"`
}
