package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/id"
	"requisite/internal/refusal"
	"requisite/internal/wire"
)

// DeliveryState is where one event stands with one endpoint.
type DeliveryState string

// PENDING and RETRYING deliveries go out by themselves; HELD ones wait for an
// active key or an enabled endpoint; FAILED ones can be asked for again.
const (
	Pending   DeliveryState = "PENDING"
	Retrying  DeliveryState = "RETRYING"
	Held      DeliveryState = "HELD"
	Delivered DeliveryState = "DELIVERED"
	Failed    DeliveryState = "FAILED"
	Canceled  DeliveryState = "CANCELED"
)

func (s DeliveryState) ended() bool { return s == Delivered || s == Failed || s == Canceled }

// Delivery is what one event owes one endpoint.
type Delivery struct {
	ID            uuid.UUID
	AccountID     uuid.UUID
	EventID       uuid.UUID
	EventType     string
	EndpointID    uuid.UUID
	State         DeliveryState
	AttemptCount  int
	NextAttemptAt *time.Time
	LastError     *string
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// WireID is the delivery's id on the wire.
func (d Delivery) WireID() string { return id.Format(id.WebhookDelivery, d.ID) }

const deliveryColumns = `d.id, d.account_id, d.event_id, v.event_type, d.endpoint_id, d.state, d.attempt_count, d.next_attempt_at, d.last_error, d.created_at, d.updated_at`

// LoggedAttempt is one line of a delivery's log.
type LoggedAttempt struct {
	Number       int
	Outcome      string
	KeyID        string
	StartedAt    time.Time
	DurationMs   *int
	StatusCode   *int
	Error        *string
	ResponseBody *string
	Address      *string
}

// Delivery finds a delivery.
func (r *Records) Delivery(ctx context.Context, wireID string) (Delivery, error) {
	u, err := id.Parse(id.WebhookDelivery, wireID)
	if err != nil {
		return Delivery{}, refusal.NotFound(refusal.EntityWebhookDelivery, wireID)
	}
	d, ok, err := one[Delivery](ctx, r.q, `
		SELECT `+deliveryColumns+` FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id JOIN account a ON a.id = d.account_id
		WHERE d.id = $1 AND a.organization_id = $2 AND a.environment = $3`, u, r.scope.OrganizationID, r.scope.Environment)
	switch {
	case err != nil:
		return Delivery{}, fmt.Errorf("find a delivery: %w", err)
	case !ok:
		return Delivery{}, refusal.NotFound(refusal.EntityWebhookDelivery, wireID)
	}
	return d, nil
}

// Attempts reads a delivery's log, oldest first. An attempt whose end is overdue
// shows as UNKNOWN: it may have arrived.
func (r *Records) Attempts(ctx context.Context, d Delivery) ([]LoggedAttempt, error) {
	return many[LoggedAttempt](ctx, r.q, `
		SELECT number, CASE WHEN outcome = 'SENDING' AND started_at < $2 THEN 'UNKNOWN' ELSE outcome END AS outcome,
			key_id, started_at, duration_ms, status_code, error, response_body, address
		FROM webhook_attempt WHERE delivery_id = $1 ORDER BY number`, d.ID, r.at.Add(-sendingLife))
}

// DeliveryFilter narrows a list; zero fields do not.
type DeliveryFilter struct {
	ConfigID string
	EventID  string
	State    DeliveryState
	Since    time.Time
}

// Deliveries lists an account's deliveries, newest first; the string is After of
// the next page, empty at the end.
func (r *Records) Deliveries(ctx context.Context, accountID string, f DeliveryFilter, p Page) ([]Delivery, string, error) {
	account, err := r.Account(ctx, accountID)
	if err != nil {
		return nil, "", err
	}
	after, err := p.after(id.WebhookDelivery)
	if err != nil {
		return nil, "", err
	}
	var endpoint, event uuid.NullUUID
	if f.ConfigID != "" {
		// A deleted endpoint's deliveries can still be looked at.
		if endpoint, err = r.owned(ctx, account, id.WebhookConfig, "webhook_endpoint", refusal.EntityWebhookConfig, f.ConfigID); err != nil {
			return nil, "", err
		}
	}
	if f.EventID != "" {
		if event, err = r.owned(ctx, account, id.WebhookEvent, "webhook_event", refusal.EntityWebhookEvent, f.EventID); err != nil {
			return nil, "", err
		}
	}
	found, err := many[Delivery](ctx, r.q, `
		SELECT `+deliveryColumns+` FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id
		WHERE d.account_id = $1 AND d.id < $2 AND ($3::uuid IS NULL OR d.endpoint_id = $3) AND ($4::uuid IS NULL OR d.event_id = $4)
			AND ($5 = '' OR d.state = $5) AND d.created_at >= $6
		ORDER BY d.id DESC LIMIT $7`, account.ID, after, endpoint, event, f.State, f.Since, p.Limit+1)
	if err != nil {
		return nil, "", fmt.Errorf("list deliveries: %w", err)
	}
	if len(found) <= p.Limit {
		return found, "", nil
	}
	found = found[:p.Limit]
	return found, found[p.Limit-1].WireID(), nil
}

// owned finds a record of an account by its id.
func (r *Records) owned(ctx context.Context, account Account, prefix id.Prefix, table, entity, wireID string) (uuid.NullUUID, error) {
	u, err := id.Parse(prefix, wireID)
	if err != nil {
		return uuid.NullUUID{}, refusal.NotFound(entity, wireID)
	}
	var found bool
	err = r.q.QueryRow(ctx, `SELECT EXISTS (SELECT FROM `+table+` WHERE id = $1 AND account_id = $2)`, u, account.ID).Scan(&found)
	switch {
	case err != nil:
		return uuid.NullUUID{}, fmt.Errorf("find a record: %w", err)
	case !found:
		return uuid.NullUUID{}, refusal.NotFound(entity, wireID)
	}
	return uuid.NullUUID{UUID: u, Valid: true}, nil
}

// after reads where a page begins.
func (p Page) after(prefix id.Prefix) (uuid.UUID, error) {
	if p.After == "" {
		return uuid.Max, nil
	}
	u, err := id.Parse(prefix, p.After)
	if err != nil {
		return uuid.Nil, refusal.Fields(refusal.Field{Field: "page.after", Message: "This must be the value of next of an earlier answer."})
	}
	return u, nil
}

// OutboxEvent is an event as it is listed.
type OutboxEvent struct {
	ID         uuid.UUID
	EventType  EventType
	OccurredAt time.Time
	WorkflowID uuid.NullUUID
}

// Events lists an account's events, newest first, as Deliveries does.
func (r *Records) Events(ctx context.Context, accountID string, t EventType, since time.Time, p Page) ([]OutboxEvent, string, error) {
	account, err := r.Account(ctx, accountID)
	if err != nil {
		return nil, "", err
	}
	after, err := p.after(id.WebhookEvent)
	if err != nil {
		return nil, "", err
	}
	found, err := many[OutboxEvent](ctx, r.q, `
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

// again is what a delivery becomes when it is asked for again: due now, at the
// start of its schedule.
const again = `state = CASE WHEN attempt_count = 0 THEN 'PENDING' ELSE 'RETRYING' END, round_attempts = 0, next_attempt_at = $2, dispatched_at = NULL, updated_at = $2`

// RetryDelivery asks for an attempt now, whatever the state of the endpoint's
// health. What was delivered is sent once more. If an attempt is on the wire, the
// other one follows it once, unless it succeeds.
func (r *Records) RetryDelivery(ctx context.Context, wireID string) error {
	d, err := r.Delivery(ctx, wireID)
	if err != nil {
		return err
	}
	if err := errors.Join(r.shareAccount(ctx, d.AccountID), r.shareEndpoints(ctx, d.AccountID)); err != nil {
		return err
	}
	var ready, deleted bool
	err = r.q.QueryRow(ctx, `
		SELECT e.status = 'ACTIVE' AND EXISTS (SELECT FROM webhook_key k WHERE k.account_id = e.account_id AND k.status = 'ACTIVE'), e.deleted_at IS NOT NULL
		FROM webhook_endpoint e WHERE e.id = $1`, d.EndpointID).Scan(&ready, &deleted)
	if err != nil {
		return fmt.Errorf("look at an endpoint: %w", err)
	}
	var state DeliveryState
	err = r.q.QueryRow(ctx, `SELECT state FROM webhook_delivery WHERE id = $1 FOR UPDATE`, d.ID).Scan(&state)
	switch {
	case errors.Is(err, pgx.ErrNoRows): // its time had passed
		return refusal.NotFound(refusal.EntityWebhookDelivery, wireID)
	case err != nil:
		return fmt.Errorf("lock a delivery: %w", err)
	}
	switch {
	case state == Canceled || deleted:
		return refusal.Rule(refusal.EntityWebhookDelivery, wireID, refusal.DeliveryCanceled, "The endpoint was deleted; nothing more is sent to it.")
	case state == Held || !ready:
		return refusal.Rule(refusal.EntityWebhookDelivery, wireID, refusal.DeliveryHeld,
			"Nothing can be sent now: activate a webhook key, or enable the endpoint with webhook.config.update; what is held then goes out by itself.")
	}
	if state != Pending && state != Retrying { // those wait already
		if err := r.MayAskForMore(ctx, d.AccountID); err != nil {
			return err
		}
	}
	// A run that has an attempt on the wire keeps the delivery, and makes the next
	// one as well.
	var kept bool
	err = r.q.QueryRow(ctx, `
		SELECT dispatched_at IS NOT NULL AND EXISTS (SELECT FROM webhook_attempt WHERE delivery_id = $1 AND outcome = 'SENDING' AND started_at > $2)
		FROM webhook_delivery WHERE id = $1`, d.ID, r.at.Add(-sendingLife)).Scan(&kept)
	if err != nil {
		return fmt.Errorf("look for an attempt under way: %w", err)
	}
	set := again
	if kept {
		set = `round_attempts = 0, next_attempt_at = $2, updated_at = $2`
	}
	if _, err := r.q.Exec(ctx, `UPDATE webhook_delivery SET forced = true, `+set+` WHERE id = $1`, d.ID, r.at); err != nil {
		return fmt.Errorf("retry a delivery: %w", err)
	}
	r.due()
	return nil
}

// recoverBatch is how many deliveries one transaction lets go again.
const recoverBatch = 1000

// Recovered counts the deliveries that go out again.
type Recovered struct {
	Count int `json:"count"`
}

// Reply is the answer.
func (n Recovered) Reply() wire.Reply { return wire.Reply{Data: n} }

// RecoverSome lets the next FAILED deliveries of an endpoint go again whose
// events are from since or later; zero when none are left. Those that failed
// after the run began are left alone, so that none is taken twice.
func (s *Store) RecoverSome(ctx context.Context, run Run, configID string, since time.Time) (Recovered, error) {
	return finish(ctx, s, run, func(r *Records) (Recovered, error) {
		e, err := r.Endpoint(ctx, configID)
		if err != nil {
			return Recovered{}, err
		}
		if err := errors.Join(r.shareAccount(ctx, e.AccountID), r.shareEndpoints(ctx, e.AccountID)); err != nil {
			return Recovered{}, err
		}
		if e, err = r.Endpoint(ctx, configID); err != nil {
			return Recovered{}, err
		}
		set, held := again, e.Status == EndpointDisabled
		if held {
			set = `state = 'HELD', round_attempts = 0, updated_at = $2`
		}
		tag, err := r.q.Exec(ctx, `
			UPDATE webhook_delivery SET `+set+` WHERE id IN (
				SELECT d.id FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id
				WHERE d.endpoint_id = $1 AND d.state = 'FAILED' AND v.occurred_at >= $3 AND d.updated_at <= $4
				ORDER BY d.id LIMIT $5 FOR UPDATE OF d SKIP LOCKED)`, e.ID, r.at, since, run.StartedAt, recoverBatch)
		if err != nil {
			return Recovered{}, fmt.Errorf("recover deliveries: %w", err)
		}
		switch {
		case held:
			r.count(Held, tag.RowsAffected())
		case tag.RowsAffected() > 0:
			r.due()
		}
		return Recovered{Count: int(tag.RowsAffected())}, nil
	})
}

// KeepRecovered keeps the outcome of a whole recovery.
func (s *Store) KeepRecovered(ctx context.Context, run Run, total Recovered) (Recovered, error) {
	return finish(ctx, s, run, func(*Records) (Recovered, error) { return total, nil })
}

// StopDelivery gives a delivery up because an operator said so, unless it has
// ended. It returns the delivery's state.
func (s *Store) StopDelivery(ctx context.Context, deliveryID uuid.UUID) (DeliveryState, error) {
	tag, err := s.pool.Exec(ctx, `
		UPDATE webhook_delivery SET state = 'FAILED', next_attempt_at = NULL, dispatched_at = NULL, forced = false,
			last_error = 'stopped by the operator', updated_at = $2
		WHERE id = $1 AND state IN ('PENDING', 'RETRYING', 'HELD')`, deliveryID, s.clock())
	state := Canceled // a record that is gone
	if err == nil {
		s.tally.add(Failed, tag.RowsAffected())
		err = s.pool.QueryRow(ctx, `SELECT state FROM webhook_delivery WHERE id = $1`, deliveryID).Scan(&state)
	}
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return "", fmt.Errorf("stop a delivery: %w", err)
	}
	return state, nil
}
