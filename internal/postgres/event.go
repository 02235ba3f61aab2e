package postgres

import (
	"context"
	"encoding/json"
	"fmt"

	"requisite/internal/id"
)

// EventType names what happened, as webhooks spell it.
type EventType string

// The events that are written with the data they tell of.
const (
	WorkflowCreated             EventType = "WORKFLOW_CREATED"
	WorkflowStarted             EventType = "WORKFLOW_STARTED"
	WorkflowCompleted           EventType = "WORKFLOW_COMPLETED"
	WorkflowPricingCalculated   EventType = "WORKFLOW_PRICING_CALCULATED"
	RequiredDocumentsCalculated EventType = "REQUIRED_DOCUMENTS_CALCULATED"
	RequiredDocumentUpdated     EventType = "REQUIRED_DOCUMENT_UPDATED"
)

// Event is one thing that happened to a workflow. Fields becomes a JSON object
// and holds no personal data.
type Event struct {
	Type   EventType
	Fields any
}

type stateFields struct {
	State State `json:"state"`
}

// emit writes events to the outbox, in the transaction of the change.
func (r *Records) emit(ctx context.Context, w Workflow, events ...Event) error {
	for _, e := range events {
		fields, err := json.Marshal(e.Fields)
		if err != nil {
			return fmt.Errorf("encode a %s event: %w", e.Type, err)
		}
		_, err = r.q.Exec(ctx, `
			INSERT INTO webhook_event (id, account_id, event_type, occurred_at, workflow_id, user_id, user_type, fields)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			id.New(), w.AccountID, e.Type, r.at, w.ID, r.actor.UserID, r.actor.UserType, fields)
		if err != nil {
			return fmt.Errorf("write a %s event: %w", e.Type, err)
		}
	}
	return nil
}
