package postgres

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

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
	WebhookKeyActivated         EventType = "WEBHOOK_KEY_ACTIVATED"
	WebhookTest                 EventType = "WEBHOOK_TEST"
)

// EventTypes lists all of them.
func EventTypes() []EventType {
	return []EventType{
		WorkflowCreated, WorkflowStarted, WorkflowCompleted, WorkflowPricingCalculated, RequiredDocumentsCalculated, RequiredDocumentUpdated,
		WebhookKeyActivated, WebhookTest,
	}
}

// Event is one thing that happened. Fields becomes a JSON object and holds no
// personal data.
type Event struct {
	Type   EventType
	Fields any
}

type stateFields struct {
	State State `json:"state"`
}

// subject is what events are about: an account, and mostly one of its workflows.
type subject struct {
	accountID  uuid.UUID
	workflowID uuid.NullUUID
}

func (w Workflow) subject() subject {
	return subject{w.AccountID, uuid.NullUUID{UUID: w.ID, Valid: true}}
}

// emit writes events to the outbox and owes them to the endpoints that take
// them, in the transaction of the change.
func (r *Records) emit(ctx context.Context, about subject, events ...Event) error {
	for _, e := range events {
		made, err := r.writeEvent(ctx, about, e)
		if err != nil {
			return err
		}
		to, err := r.takers(ctx, about.accountID, e.Type)
		if err != nil {
			return err
		}
		if err := r.deliver(ctx, about.accountID, made, to); err != nil {
			return err
		}
	}
	return nil
}

func (r *Records) writeEvent(ctx context.Context, about subject, e Event) (uuid.UUID, error) {
	fields, err := json.Marshal(e.Fields)
	if err != nil {
		return uuid.Nil, fmt.Errorf("encode a %s event: %w", e.Type, err)
	}
	made := id.New()
	_, err = r.q.Exec(ctx, `
		INSERT INTO webhook_event (id, account_id, event_type, occurred_at, workflow_id, user_id, user_type, fields, traceparent)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		made, about.accountID, e.Type, r.at, about.workflowID, r.actor.UserID, r.actor.UserType, fields, r.trace)
	if err != nil {
		return uuid.Nil, fmt.Errorf("write a %s event: %w", e.Type, err)
	}
	return made, nil
}
