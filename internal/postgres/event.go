package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/delivery"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/webhook"
)

// Event is one thing that happened. Fields becomes a JSON object and holds no
// personal data.
type Event struct {
	Type   domain.EventType
	Fields any
}

// subject is what an event is about: an account, and usually one of its workflows.
type subject struct {
	accountID  uuid.UUID
	workflowID uuid.NullUUID
}

func subjectOf(w domain.Workflow) subject {
	return subject{w.AccountID, uuid.NullUUID{UUID: w.ID, Valid: true}}
}

// emit writes events to the outbox, with a delivery for each endpoint that
// subscribes to them, in the transaction of the change. They are sent with the
// next statement or with the commit.
func (r *Records) emit(ctx context.Context, about subject, events ...Event) error {
	batch := &pgx.Batch{}
	for _, e := range events {
		if _, err := r.queueEvent(batch, about, e, uuid.NullUUID{}); err != nil {
			return err
		}
	}
	if err := laterBatch(ctx, r.q, batch); err != nil {
		return fmt.Errorf("write events: %w", err)
	}
	return nil
}

// queueEvent calls the database function that writes an event and its deliveries,
// to all endpoints that subscribe to it or to a single one.
func (r *Records) queueEvent(batch *pgx.Batch, about subject, e Event, only uuid.NullUUID) (uuid.UUID, error) {
	fields, err := json.Marshal(e.Fields)
	if err != nil {
		return uuid.Nil, fmt.Errorf("encode a %s event: %w", e.Type, err)
	}
	made := id.New()
	ids := make([]uuid.UUID, maxEndpoints)
	for i := range ids {
		ids[i] = id.New()
	}
	batch.Queue(`SELECT sendable, held, keyless FROM emit_event($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		r.moment, made, about.accountID, e.Type, r.at, about.workflowID, r.actor.UserID, r.actor.UserType, fields, r.trace, only, ids).
		QueryRow(func(row pgx.Row) error {
			var sendable, held, keyless int64
			if err := row.Scan(&sendable, &held, &keyless); err != nil {
				return err
			}
			r.after.count(delivery.Held, held)
			if sendable > 0 {
				r.due()
			}
			if keyless > 0 { // a key may become active at this moment
				r.settleLater("account_id", about.accountID)
			}
			return nil
		})
	return made, nil
}

// Events lists an account's events, newest first, as Deliveries does.
func (r *Records) Events(ctx context.Context, accountID id.AccountID, t domain.EventType, since time.Time, p domain.Page) ([]domain.OutboxEvent, string, error) {
	account, err := r.Account(ctx, accountID)
	if err != nil {
		return nil, "", err
	}
	after, err := after(p, id.WebhookEvent)
	if err != nil {
		return nil, "", err
	}
	found, err := many[domain.OutboxEvent](ctx, r.q, `
		SELECT v.id, v.event_type, v.occurred_at, v.workflow_id FROM webhook_event v
		WHERE v.account_id = $1 AND v.id < $2 AND ($3 = '' OR v.event_type = $3) AND v.occurred_at >= $4
		ORDER BY v.id DESC LIMIT $5`, account.ID, after, t, since, p.Limit+1)
	if err != nil {
		return nil, "", fmt.Errorf("list events: %w", err)
	}
	if len(found) <= p.Limit {
		return found, "", nil
	}
	found = found[:p.Limit]
	return found, id.Format(id.WebhookEvent, found[p.Limit-1].ID), nil
}

// eventPayload is the content of an event, as receivers decrypt it.
func eventPayload(workflow uuid.NullUUID, sequence *int64, userID, userType string, fields []byte) ([]byte, error) {
	workflowID := ""
	if workflow.Valid {
		workflowID = id.Format(id.Workflow, workflow.UUID)
	}
	return webhook.Payload(workflowID, orZero(sequence), userID, userType, fields)
}
