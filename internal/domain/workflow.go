package domain

import (
	"time"

	"requisite/internal/id"
	"requisite/internal/rational"
)

// DocumentCounts counts the required documents of a workflow by their status. Overdue counts the PENDING
// ones whose due date has passed. Lapsed counts those that are COMPLETED on record by an approval that has
// lapsed; unless the workflow has ended, Pending includes them too.
type DocumentCounts struct {
	Pending, NeedsReview, Completed, Waived, Inactive int
	Overdue, Lapsed                                   int `db:"-"`
}

// State is the state of a workflow.
type State string

// A workflow goes from CREATED to STARTED to ENDED, and never back.
const (
	Created State = "CREATED"
	Started State = "STARTED"
	Ended   State = "ENDED"
)

// States lists all of them.
func States() []State { return []State{Created, Started, Ended} }

// Workflow is one application of a business. (Temporal's workflows are called
// runs here.)
type Workflow struct {
	ID         id.UUID
	AccountID  id.UUID
	BusinessID id.UUID
	// PreviousWorkflowID is an ended workflow of the business, whose approvals the first calculation
	// takes over.
	PreviousWorkflowID id.NullUUID
	// ExternalID is like the ExternalID of a business, unique in the account.
	ExternalID        *string
	State             State
	Custom            Custom
	EvaluationScore   *rational.Number
	ScoreCalculatedAt *time.Time
	CreatedAt         time.Time
	StartedAt         *time.Time
	EndedAt           *time.Time
	UpdatedAt         time.Time
}

// NewWorkflow describes a workflow to open.
type NewWorkflow struct {
	State      State // Created or Started
	ExternalID *string
	// PreviousWorkflowID is an ended workflow of the business; zero for none.
	PreviousWorkflowID id.WorkflowID
	Custom             Custom // values in any form
}

// StoredWorkflow is a workflow with the state of its required documents.
type StoredWorkflow struct {
	Workflow
	// DocumentsCalculatedAt is when they were calculated last; nil when they never
	// were.
	DocumentsCalculatedAt *time.Time
	// RuleSetID is the version of the rules in force for the workflow.
	RuleSetID id.NullUUID
	// DocumentsStale reports that the application, the business, the score or the
	// rules have changed since, whether or not that changes a document. It is nil
	// before the first calculation, and false when the workflow has ended.
	DocumentsStale *bool
	DocumentCounts
}

// Account is the account that the workflow belongs to.
func (w Workflow) Account() id.UUID { return w.AccountID }

// WireID is the workflow's id in the API.
func (w Workflow) WireID() id.WorkflowID { return id.WorkflowID{UUID: w.ID} }

// WorkflowFilter filters a list; empty fields match everything.
type WorkflowFilter struct {
	BusinessID id.BusinessID
	State      State
	ExternalID string
	// DocumentsStale matches the field of StoredWorkflow; before the first calculation, neither value
	// matches. Open matches whether a document is in Pending or NeedsReview, Overdue whether one is overdue.
	DocumentsStale, Open, Overdue *bool
}
