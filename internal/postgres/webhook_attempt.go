package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/id"
	"requisite/internal/webhook"
	"requisite/internal/wire"
)

// Step is what is to be done about a delivery now.
type Step string

// The steps. All but StepSend and StepWait end the run that works on the
// delivery.
const (
	StepSend     Step = "SEND"
	StepWait     Step = "WAIT" // for Until; the run keeps the delivery
	StepPark     Step = "PARKED"
	StepHeld     Step = "HELD"
	StepEnded    Step = "ENDED"    // DELIVERED, FAILED or CANCELED before
	StepNotFound Step = "NOTFOUND" // the record is gone
)

// Attempt is one attempt that is about to be made, and logged as SENDING.
type Attempt struct {
	Step  Step
	State DeliveryState // with every step but StepSend
	Until time.Time     // of StepWait

	DeliveryID  uuid.UUID
	EndpointID  uuid.UUID
	Number      int // from 1; one less is retry_count
	URL         string
	Traceparent string
	Event       webhook.Event
	Key         webhook.Key
	StartedAt   time.Time
	// SendableAt is when the first attempt could have been made: not before the
	// delivery was released, nor before the endpoint ceased to fail. Zero with
	// later attempts, and with any at an endpoint that fails.
	SendableAt time.Time
	// Probe marks the one attempt that is made at a failing endpoint.
	Probe bool
	// epoch is that of the endpoint's health: in a later one, the attempt says
	// nothing about the endpoint any more.
	epoch int
}

// How long an attempt may be SENDING; beyond it, its end was lost. It is lost
// sooner when Temporal has given up on the activity that made it.
const (
	sendingLife  = webhook.AttemptTimeout + 15*time.Second
	abandonAfter = 10 * time.Second
)

// Begin says how an attempt is asked for.
type Begin struct {
	// Force asks for an attempt before its time, and at an endpoint that fails. A
	// wish that comes while another attempt is on the wire is remembered: it is
	// acted upon once, if that one ends without success.
	Force bool
	// ForceFirst is Force until the maker has begun an attempt of the delivery.
	ForceFirst bool
	// Maker names who will make the attempt; empty for nobody in particular.
	Maker string
	// After names makers that were given up on: their attempts are lost.
	After []string
}

// sendingPoll is how often to look whether an attempt under way has ended.
const sendingPoll = 2 * time.Second

// deliveryRow is what beginning an attempt looks at.
type deliveryRow struct {
	ID             uuid.UUID
	AccountID      uuid.UUID
	Environment    Environment
	EndpointID     uuid.UUID
	State          DeliveryState
	AttemptCount   int
	NextAttemptAt  *time.Time
	Forced         bool
	URL            string
	EndpointStatus EndpointStatus
	Deleted        bool
	EventID        uuid.UUID
	EventType      string
	OccurredAt     time.Time
	WorkflowID     uuid.NullUUID
	UserID         string
	UserType       string
	Fields         []byte
	Traceparent    string
	KeyID          *string
	SecretSealed   []byte
}

// BeginAttempt decides what is to be done about a delivery, and logs the attempt
// if it is to be made: at most one of a delivery at a time, and
// webhook.OnTheWire at an endpoint. An earlier attempt whose end was lost
// becomes UNKNOWN.
func (s *Store) BeginAttempt(ctx context.Context, deliveryID uuid.UUID, how Begin) (Attempt, error) {
	var attempt Attempt
	noKey := false
	var after aftermath
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		r := &Records{q: tx, at: s.clock(), after: &after}
		row, step, err := r.deliveryToSend(ctx, deliveryID)
		if err != nil || step != StepSend {
			attempt = Attempt{Step: step, State: row.State}
			return err
		}
		if row.KeyID == nil {
			noKey = true
			return nil
		}
		attempt, err = r.begin(ctx, s, row, how)
		return err
	})
	if err == nil && noKey {
		attempt, err = s.holdWithoutKey(ctx, deliveryID, how)
	}
	if err == nil {
		s.follow(ctx, after)
	}
	return attempt, err
}

// deliveryToSend reads a delivery and holds its endpoint as it is.
func (r *Records) deliveryToSend(ctx context.Context, deliveryID uuid.UUID) (deliveryRow, Step, error) {
	if err := r.shareEndpointsOf(ctx, deliveryID); err != nil {
		return deliveryRow{}, "", err
	}
	row, ok, err := one[deliveryRow](ctx, r.q, `
		SELECT d.id, d.account_id, a.environment, d.endpoint_id, d.state, d.attempt_count, d.next_attempt_at, d.forced, e.url, e.status AS endpoint_status,
			e.deleted_at IS NOT NULL AS deleted, v.id AS event_id, v.event_type, v.occurred_at, v.workflow_id, v.user_id, v.user_type, v.fields, v.traceparent,
			k.key_id, k.secret_sealed
		FROM webhook_delivery d
		JOIN webhook_event v ON v.id = d.event_id
		JOIN webhook_endpoint e ON e.id = d.endpoint_id
		JOIN account a ON a.id = d.account_id
		LEFT JOIN webhook_key k ON k.account_id = d.account_id AND k.status = 'ACTIVE'
		WHERE d.id = $1`, deliveryID)
	switch {
	case err != nil:
		return row, "", fmt.Errorf("read a delivery: %w", err)
	case !ok:
		return row, StepNotFound, nil
	case row.State.ended():
		return row, StepEnded, nil
	case row.State == Held:
		return row, StepHeld, nil
	case row.Deleted:
		row.State = Canceled
		return row, StepEnded, r.settle(ctx, deliveryID, Canceled)
	case row.EndpointStatus == EndpointDisabled:
		row.State = Held
		return row, StepHeld, r.settle(ctx, deliveryID, Held)
	}
	return row, StepSend, nil
}

// shareEndpointsOf is shareEndpoints for the account of a delivery.
func (r *Records) shareEndpointsOf(ctx context.Context, deliveryID uuid.UUID) error {
	_, err := r.q.Exec(ctx, `
		SELECT pg_advisory_xact_lock_shared(hashtextextended('webhook_endpoints/' || account_id::text, 0)) FROM webhook_delivery WHERE id = $1`, deliveryID)
	if err != nil {
		return fmt.Errorf("share an account's endpoints: %w", err)
	}
	return nil
}

// settle moves a delivery out of the states in which it is worked on.
func (r *Records) settle(ctx context.Context, deliveryID uuid.UUID, state DeliveryState) error {
	tag, err := r.q.Exec(ctx, `
		UPDATE webhook_delivery SET state = $2, next_attempt_at = NULL, dispatched_at = NULL, forced = false, updated_at = $3
		WHERE id = $1 AND state IN ('PENDING', 'RETRYING')`, deliveryID, state, r.at)
	if err != nil {
		return fmt.Errorf("settle a delivery: %w", err)
	}
	r.count(state, tag.RowsAffected())
	return nil
}

// holdWithoutKey holds a delivery, unless the account has an active key by now:
// whoever activates one waits for this, or this for them.
func (s *Store) holdWithoutKey(ctx context.Context, deliveryID uuid.UUID, how Begin) (Attempt, error) {
	attempt := Attempt{Step: StepHeld, State: Held}
	var after aftermath
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		r := &Records{q: tx, at: s.clock(), after: &after}
		if _, err := tx.Exec(ctx, `SELECT FROM account WHERE id = (SELECT account_id FROM webhook_delivery WHERE id = $1) FOR SHARE`, deliveryID); err != nil {
			return fmt.Errorf("lock an account: %w", err)
		}
		row, step, err := r.deliveryToSend(ctx, deliveryID)
		switch {
		case err != nil:
			return err
		case step != StepSend:
			attempt = Attempt{Step: step, State: row.State}
			return nil
		case row.KeyID == nil:
			return r.settle(ctx, deliveryID, Held)
		}
		attempt, err = r.begin(ctx, s, row, how)
		return err
	})
	if err == nil {
		s.follow(ctx, after)
	}
	return attempt, err
}

// begin decides under the lock of the endpoint's health.
func (r *Records) begin(ctx context.Context, s *Store, row deliveryRow, how Begin) (Attempt, error) {
	h, err := r.lockHealth(ctx, row.EndpointID)
	if err != nil {
		return Attempt{}, err
	}
	// The row again, now that nobody else can begin or end an attempt of it.
	now, ok, err := one[struct {
		State         DeliveryState
		AttemptCount  int
		RoundAttempts int
		NextAttemptAt *time.Time
		Forced        bool
		Sending       bool
		Lost          *time.Time // when the attempt began whose end never came
		Made          bool
		OnTheWire     int
	}](ctx, r.q, `
		SELECT d.state, d.attempt_count, d.round_attempts, d.next_attempt_at, d.forced,
			EXISTS (SELECT FROM webhook_attempt a WHERE a.delivery_id = d.id AND a.outcome = 'SENDING'
				AND a.started_at > CASE WHEN a.maker = ANY ($3) THEN $4::timestamptz ELSE $2::timestamptz END) AS sending,
			(SELECT started_at FROM webhook_attempt a WHERE a.delivery_id = d.id AND a.outcome = 'SENDING') AS lost,
			EXISTS (SELECT FROM webhook_attempt a WHERE a.delivery_id = d.id AND a.maker = $5) AS made,
			(SELECT count(*) FROM webhook_attempt a WHERE a.endpoint_id = d.endpoint_id AND a.outcome = 'SENDING' AND a.started_at > $2)::int AS on_the_wire
		FROM webhook_delivery d WHERE d.id = $1 FOR UPDATE OF d`, row.ID, r.at.Add(-sendingLife), how.After, r.at.Add(-abandonAfter), how.Maker)
	switch {
	case err != nil:
		return Attempt{}, fmt.Errorf("lock a delivery: %w", err)
	case !ok:
		return Attempt{Step: StepNotFound}, nil
	case now.State.ended():
		return Attempt{Step: StepEnded, State: now.State}, nil
	case now.State == Held:
		return Attempt{Step: StepHeld, State: Held}, nil
	}
	if now.Lost != nil && !now.Sending {
		if err := r.lose(ctx, row.ID); err != nil {
			return Attempt{}, err
		}
		// It may well have arrived, and what broke it off may last: it backs off as
		// one that failed.
		if next := now.Lost.Add(webhook.Delay(now.RoundAttempts, rand.Float64())); next.After(*now.NextAttemptAt) {
			now.NextAttemptAt = &next
			if err := r.putOff(ctx, row.ID, next); err != nil {
				return Attempt{}, err
			}
		}
	}
	force := how.Force || how.ForceFirst && !now.Made || now.Forced
	probe := h.failing() && !force
	switch {
	case now.Sending:
		return Attempt{Step: StepWait, State: now.State, Until: r.at.Add(sendingPoll)}, r.remember(ctx, row.ID, force)
	case now.RoundAttempts >= webhook.MaxAttempts && !force: // the end of the last one was lost
		return Attempt{Step: StepEnded, State: Failed}, r.giveUp(ctx, row.ID, "the last attempt broke off")
	case now.OnTheWire >= webhook.OnTheWire:
		return Attempt{Step: StepPark, State: now.State}, errors.Join(r.remember(ctx, row.ID, force), r.park(ctx, row.ID))
	case !force && now.NextAttemptAt != nil && now.NextAttemptAt.Sub(r.at) > time.Second:
		return Attempt{Step: StepWait, State: now.State, Until: *now.NextAttemptAt}, nil
	case probe && h.probeAt().Sub(r.at) > time.Second: // less is the skew of two clocks
		return Attempt{Step: StepPark, State: now.State}, r.park(ctx, row.ID)
	case probe:
		// No other probe goes out before this one has ended.
		if _, err := r.q.Exec(ctx, `UPDATE webhook_endpoint_health SET probe_at = $2 WHERE endpoint_id = $1`, row.EndpointID, r.at.Add(sendingLife)); err != nil {
			return Attempt{}, fmt.Errorf("probe an endpoint: %w", err)
		}
	}
	attempt, err := r.log(ctx, s, row, now.AttemptCount+1, how.Maker)
	attempt.Probe, attempt.epoch = probe, h.Epoch
	if now.AttemptCount == 0 && !h.failing() {
		attempt.SendableAt = h.sendableAt(now.NextAttemptAt)
	}
	return attempt, err
}

// remember keeps the wish for an attempt until it can be made.
func (r *Records) remember(ctx context.Context, deliveryID uuid.UUID, wish bool) error {
	if !wish {
		return nil
	}
	if _, err := r.q.Exec(ctx, `UPDATE webhook_delivery SET forced = true WHERE id = $1 AND NOT forced`, deliveryID); err != nil {
		return fmt.Errorf("remember a retry: %w", err)
	}
	return nil
}

// lose ends the attempt of a delivery whose end never came.
func (r *Records) lose(ctx context.Context, deliveryID uuid.UUID) error {
	if _, err := r.q.Exec(ctx, `UPDATE webhook_attempt SET outcome = 'UNKNOWN' WHERE delivery_id = $1 AND outcome = 'SENDING'`, deliveryID); err != nil {
		return fmt.Errorf("end a lost attempt: %w", err)
	}
	return nil
}

// putOff sets when a delivery's next attempt is due.
func (r *Records) putOff(ctx context.Context, deliveryID uuid.UUID, until time.Time) error {
	_, err := r.q.Exec(ctx, `UPDATE webhook_delivery SET next_attempt_at = $2 WHERE id = $1 AND state = 'RETRYING'`, deliveryID, until)
	if err != nil {
		return fmt.Errorf("put a delivery off: %w", err)
	}
	return nil
}

// park gives a delivery back: it waits here until the dispatcher finds room. Its
// own schedule stays as it is.
func (r *Records) park(ctx context.Context, deliveryID uuid.UUID) error {
	if _, err := r.q.Exec(ctx, `UPDATE webhook_delivery SET dispatched_at = NULL WHERE id = $1`, deliveryID); err != nil {
		return fmt.Errorf("park a delivery: %w", err)
	}
	return nil
}

// log writes the attempt before it is made.
func (r *Records) log(ctx context.Context, s *Store, row deliveryRow, number int, maker string) (Attempt, error) {
	secret, err := s.vault.Open(row.SecretSealed, keyBinding(row.AccountID, *row.KeyID))
	if err != nil {
		return Attempt{}, fmt.Errorf("secret of webhook key %s: %w", *row.KeyID, err)
	}
	workflowID := ""
	if row.WorkflowID.Valid {
		workflowID = id.Format(id.Workflow, row.WorkflowID.UUID)
	}
	payload, err := webhook.Payload(workflowID, row.UserID, row.UserType, row.Fields)
	if err != nil {
		return Attempt{}, err
	}
	_, err = r.q.Exec(ctx, `
		INSERT INTO webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, maker) VALUES ($1, $2, $3, 'SENDING', $4, $5, nullif($6, ''))`,
		row.ID, number, row.EndpointID, *row.KeyID, r.at, maker)
	if err != nil {
		return Attempt{}, fmt.Errorf("log an attempt: %w", err)
	}
	_, err = r.q.Exec(ctx, `
		UPDATE webhook_delivery SET state = 'RETRYING', attempt_count = $2, round_attempts = round_attempts + 1, forced = false, next_attempt_at = $3, updated_at = $3,
			dispatched_at = coalesce(dispatched_at, $3)
		WHERE id = $1`, row.ID, number, r.at)
	if err != nil {
		return Attempt{}, fmt.Errorf("log an attempt: %w", err)
	}
	return Attempt{
		Step: StepSend, State: Retrying, DeliveryID: row.ID, EndpointID: row.EndpointID, Number: number, URL: row.URL, Traceparent: row.Traceparent,
		Event: webhook.Event{
			ID: id.Format(id.WebhookEvent, row.EventID), Type: row.EventType, Timestamp: wire.DateTime(row.OccurredAt),
			AccountID: id.Format(row.Environment.Prefix(), row.AccountID), Payload: payload,
		},
		Key:       webhook.Key{ID: *row.KeyID, Secret: secret},
		StartedAt: r.at,
	}, nil
}

// giveUp ends a delivery that has had all its attempts.
func (r *Records) giveUp(ctx context.Context, deliveryID uuid.UUID, why string) error {
	tag, err := r.q.Exec(ctx, `
		UPDATE webhook_delivery SET state = 'FAILED', next_attempt_at = NULL, dispatched_at = NULL, forced = false, last_error = $2, updated_at = $3 WHERE id = $1`,
		deliveryID, why, r.at)
	if err != nil {
		return fmt.Errorf("give a delivery up: %w", err)
	}
	r.count(Failed, tag.RowsAffected())
	return nil
}
