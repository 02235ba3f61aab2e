package domain

import (
	"time"

	"github.com/google/uuid"

	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requirement"
)

// RequiredDocument is a document on record, with its times.
type RequiredDocument struct {
	requirement.Document
	CreatedAt time.Time
	UpdatedAt time.Time
}

// State is the state of a workflow.
type State string

// A workflow goes from CREATED to STARTED to ENDED, and never back.
const (
	Created State = "CREATED"
	Started State = "STARTED"
	Ended   State = "ENDED"
)

// Workflow is one application of a business. (Temporal's workflows are called
// runs here.)
type Workflow struct {
	ID                uuid.UUID
	AccountID         uuid.UUID
	BusinessID        uuid.UUID
	State             State
	EvaluationScore   *rational.Number
	ScoreCalculatedAt *time.Time
	CreatedAt         time.Time
	StartedAt         *time.Time
	EndedAt           *time.Time
	UpdatedAt         time.Time
}

// WireID is the workflow's id in the API.
func (w Workflow) WireID() id.WorkflowID { return id.WorkflowID{UUID: w.ID} }

// WorkflowFilter filters a list; empty fields match everything.
type WorkflowFilter struct {
	BusinessID id.BusinessID
	State      State
}
