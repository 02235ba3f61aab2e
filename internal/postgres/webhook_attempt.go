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
	// Probe marks the one attempt that is made at a failing endpoint.
	Probe bool
}

// How long an attempt may be SENDING; beyond it, its end was lost. It is lost
// sooner when Temporal has given up on the worker that made it.
const (
	sendingLife  = webhook.AttemptTimeout + 15*time.Second
	abandonAfter = 10 * time.Second
)

// Begin says how an attempt is asked for.
type Begin struct {
	// Force asks for an attempt before its time, and at an endpoint that fails.
	Force bool
	// Abandoned tells that whoever made the attempt before was given up on.
	Abandoned bool
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
	due := false
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		r := &Records{q: tx, at: s.clock(), madeDue: &due}
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
	if err == nil && due {
		s.notifier.due()
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
	_, err := r.q.Exec(ctx, `
		UPDATE webhook_delivery SET state = $2, next_attempt_at = NULL, dispatched_at = NULL, forced = false, updated_at = $3
		WHERE id = $1 AND state IN ('PENDING', 'RETRYING')`, deliveryID, state, r.at)
	if err != nil {
		return fmt.Errorf("settle a delivery: %w", err)
	}
	return nil
}

// holdWithoutKey holds a delivery, unless the account has an active key by now:
// whoever activates one waits for this, or this for them.
func (s *Store) holdWithoutKey(ctx context.Context, deliveryID uuid.UUID, how Begin) (Attempt, error) {
	attempt := Attempt{Step: StepHeld, State: Held}
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		r := &Records{q: tx, at: s.clock()}
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
	return attempt, err
}

type healthRow struct {
	Failures     int
	FailingSince *time.Time
	ProbeAt      *time.Time
	Probes       int
}

func (h healthRow) failing() bool { return h.Failures >= webhook.FailingAfter }

func (r *Records) lockHealth(ctx context.Context, endpointID uuid.UUID) (healthRow, error) {
	h, ok, err := one[healthRow](ctx, r.q, `SELECT failures, failing_since, probe_at, probes FROM webhook_endpoint_health WHERE endpoint_id = $1 FOR UPDATE`, endpointID)
	if err == nil && !ok {
		err = errors.New("an endpoint without a health record")
	}
	if err != nil {
		return h, fmt.Errorf("lock an endpoint's health: %w", err)
	}
	return h, nil
}

// begin decides under the lock of the endpoint's health.
func (r *Records) begin(ctx context.Context, s *Store, row deliveryRow, how Begin) (Attempt, error) {
	h, err := r.lockHealth(ctx, row.EndpointID)
	if err != nil {
		return Attempt{}, err
	}
	life := sendingLife
	if how.Abandoned {
		life = abandonAfter
	}
	// The row again, now that nobody else can begin or end an attempt of it.
	now, ok, err := one[struct {
		State         DeliveryState
		AttemptCount  int
		RoundAttempts int
		NextAttemptAt *time.Time
		Forced        bool
		Sending       *time.Time
		OnTheWire     int
		Others        bool
	}](ctx, r.q, `
		SELECT d.state, d.attempt_count, d.round_attempts, d.next_attempt_at, d.forced,
			(SELECT started_at FROM webhook_attempt a WHERE a.delivery_id = d.id AND a.outcome = 'SENDING') AS sending,
			(SELECT count(*) FROM webhook_attempt a WHERE a.endpoint_id = d.endpoint_id AND a.outcome = 'SENDING' AND a.started_at > $2)::int AS on_the_wire,
			EXISTS (SELECT FROM webhook_delivery o WHERE o.endpoint_id = d.endpoint_id AND o.id <> d.id AND o.dispatched_at IS NOT NULL
				AND o.state IN ('PENDING', 'RETRYING')) AS others
		FROM webhook_delivery d WHERE d.id = $1 FOR UPDATE OF d`, row.ID, r.at.Add(-sendingLife))
	switch {
	case err != nil:
		return Attempt{}, fmt.Errorf("lock a delivery: %w", err)
	case !ok:
		return Attempt{Step: StepNotFound}, nil
	case now.State.ended():
		return Attempt{Step: StepEnded, State: now.State}, nil
	case now.State == Held:
		return Attempt{Step: StepHeld, State: Held}, nil
	case now.Sending != nil && r.at.Sub(*now.Sending) < life:
		return Attempt{Step: StepWait, State: now.State, Until: r.at.Add(sendingPoll)}, nil
	}
	if now.RoundAttempts >= webhook.MaxAttempts { // the end of the last one was lost
		return Attempt{Step: StepEnded, State: Failed}, r.giveUp(ctx, row.ID, "the last attempt broke off")
	}
	force := how.Force || now.Forced
	probe := h.failing() && !force
	switch {
	case now.OnTheWire >= webhook.OnTheWire:
		return Attempt{Step: StepPark, State: now.State}, r.park(ctx, row.ID)
	case probe && h.ProbeAt != nil && h.ProbeAt.After(r.at):
		if now.Others {
			return Attempt{Step: StepPark, State: now.State}, r.park(ctx, row.ID)
		}
		_, err := r.q.Exec(ctx, `UPDATE webhook_delivery SET next_attempt_at = $2 WHERE id = $1`, row.ID, *h.ProbeAt)
		return Attempt{Step: StepWait, State: now.State, Until: *h.ProbeAt}, err
	case probe:
		// No other probe goes out before this one has ended.
		if _, err := r.q.Exec(ctx, `UPDATE webhook_endpoint_health SET probe_at = $2 WHERE endpoint_id = $1`, row.EndpointID, r.at.Add(sendingLife)); err != nil {
			return Attempt{}, fmt.Errorf("probe an endpoint: %w", err)
		}
	case !force && now.NextAttemptAt != nil && now.NextAttemptAt.Sub(r.at) > time.Second:
		return Attempt{Step: StepWait, State: now.State, Until: *now.NextAttemptAt}, nil
	}
	attempt, err := r.log(ctx, s, row, now.AttemptCount+1)
	attempt.Probe = probe
	return attempt, err
}

// park gives a delivery back: it waits here until the dispatcher finds room.
func (r *Records) park(ctx context.Context, deliveryID uuid.UUID) error {
	_, err := r.q.Exec(ctx, `UPDATE webhook_delivery SET dispatched_at = NULL, next_attempt_at = $2 WHERE id = $1`, deliveryID, r.at)
	if err != nil {
		return fmt.Errorf("park a delivery: %w", err)
	}
	return nil
}

// log writes the attempt before it is made.
func (r *Records) log(ctx context.Context, s *Store, row deliveryRow, number int) (Attempt, error) {
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
	if _, err := r.q.Exec(ctx, `UPDATE webhook_attempt SET outcome = 'UNKNOWN' WHERE delivery_id = $1 AND outcome = 'SENDING'`, row.ID); err != nil {
		return Attempt{}, fmt.Errorf("end a lost attempt: %w", err)
	}
	_, err = r.q.Exec(ctx, `
		INSERT INTO webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at) VALUES ($1, $2, $3, 'SENDING', $4, $5)`,
		row.ID, number, row.EndpointID, *row.KeyID, r.at)
	if err != nil {
		return Attempt{}, fmt.Errorf("log an attempt: %w", err)
	}
	_, err = r.q.Exec(ctx, `
		UPDATE webhook_delivery SET state = 'RETRYING', attempt_count = $2, round_attempts = round_attempts + 1, forced = false, next_attempt_at = $3, updated_at = $3
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
	_, err := r.q.Exec(ctx, `
		UPDATE webhook_delivery SET state = 'FAILED', next_attempt_at = NULL, dispatched_at = NULL, forced = false, last_error = $2, updated_at = $3 WHERE id = $1`,
		deliveryID, why, r.at)
	if err != nil {
		return fmt.Errorf("give a delivery up: %w", err)
	}
	return nil
}

// Next is where a delivery stands after an attempt.
type Next struct {
	State DeliveryState
	// Parked tells that the delivery waits in the database for the endpoint to
	// recover, and no run works on it.
	Parked bool
	At     time.Time // of the next attempt, unless it ended
	Error  string    // why the attempt failed
}

// EndAttempt logs how an attempt went and what follows from it for the delivery
// and its endpoint. A success lets everything else go that waits for the
// endpoint.
func (s *Store) EndAttempt(ctx context.Context, a Attempt, result webhook.Result) (Next, error) {
	verdict := webhook.TryAgain
	if result.Error == "" {
		verdict = webhook.Classify(result.StatusCode)
	}
	var next Next
	due := false
	err := s.inTx(ctx, func(tx pgx.Tx) (err error) {
		r := &Records{q: tx, at: s.clock(), madeDue: &due}
		if verdict == webhook.Delivered {
			next, err = r.succeeded(ctx, a, result)
		} else {
			next, err = r.failed(ctx, a, result, verdict)
		}
		return err
	})
	if err == nil && due {
		s.notifier.due()
	}
	return next, err
}

// LoseAttempt ends an attempt that was broken off from this side: whether it
// arrived is UNKNOWN, and the delivery is due again.
func (s *Store) LoseAttempt(ctx context.Context, a Attempt) error {
	return s.inTx(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE webhook_attempt SET outcome = 'UNKNOWN' WHERE delivery_id = $1 AND number = $2 AND outcome = 'SENDING'`, a.DeliveryID, a.Number)
		if err != nil {
			return fmt.Errorf("lose an attempt: %w", err)
		}
		_, err = tx.Exec(ctx, `UPDATE webhook_endpoint_health SET probe_at = $2 WHERE endpoint_id = $1 AND $3`, a.EndpointID, s.clock(), a.Probe)
		if err != nil {
			return fmt.Errorf("lose an attempt: %w", err)
		}
		return nil
	})
}

func (r *Records) logEnd(ctx context.Context, a Attempt, outcome string, result webhook.Result) error {
	var status *int
	if result.StatusCode != 0 {
		status = &result.StatusCode
	}
	_, err := r.q.Exec(ctx, `
		UPDATE webhook_attempt SET outcome = $3, duration_ms = $4, status_code = $5, error = nullif($6, ''), response_body = $7, address = nullif($8, '')
		WHERE delivery_id = $1 AND number = $2`,
		a.DeliveryID, a.Number, outcome, result.Duration.Milliseconds(), status, result.Error, result.Body, result.Address)
	if err != nil {
		return fmt.Errorf("log the end of an attempt: %w", err)
	}
	return nil
}

func (r *Records) succeeded(ctx context.Context, a Attempt, result webhook.Result) (Next, error) {
	if err := r.logEnd(ctx, a, "SUCCEEDED", result); err != nil {
		return Next{}, err
	}
	tag, err := r.q.Exec(ctx, `
		UPDATE webhook_endpoint_health SET failures = 0, failing_since = NULL, probe_at = NULL, probes = 0 WHERE endpoint_id = $1 AND failures > 0`, a.EndpointID)
	if err != nil {
		return Next{}, fmt.Errorf("record an endpoint's success: %w", err)
	}
	_, err = r.q.Exec(ctx, `
		UPDATE webhook_delivery SET state = 'DELIVERED', next_attempt_at = NULL, dispatched_at = NULL, forced = false, last_error = NULL, updated_at = $2
		WHERE id = $1 AND state <> 'CANCELED'`, a.DeliveryID, r.at)
	if err != nil {
		return Next{}, fmt.Errorf("record a delivery: %w", err)
	}
	if tag.RowsAffected() > 0 {
		// It answers again: whatever sleeps until its next attempt is woken.
		_, err := r.q.Exec(ctx, `
			UPDATE webhook_delivery SET dispatched_at = NULL, next_attempt_at = $2
			WHERE endpoint_id = $1 AND state IN ('PENDING', 'RETRYING') AND dispatched_at IS NOT NULL AND next_attempt_at > $2`, a.EndpointID, r.at)
		if err != nil {
			return Next{}, fmt.Errorf("wake an endpoint's deliveries: %w", err)
		}
	}
	return Next{State: Delivered}, r.dueIfWaiting(ctx, a.EndpointID)
}

// dueIfWaiting tells the dispatcher that there is room, if anything needs it.
func (r *Records) dueIfWaiting(ctx context.Context, endpointID uuid.UUID) error {
	var waiting bool
	err := r.q.QueryRow(ctx, `
		SELECT EXISTS (SELECT FROM webhook_delivery WHERE endpoint_id = $1 AND state IN ('PENDING', 'RETRYING') AND dispatched_at IS NULL)`, endpointID).Scan(&waiting)
	if err != nil {
		return fmt.Errorf("look for waiting deliveries: %w", err)
	}
	if waiting {
		r.due()
	}
	return nil
}

func (r *Records) failed(ctx context.Context, a Attempt, result webhook.Result, verdict webhook.Verdict) (Next, error) {
	// The order of locks: endpoints, health, delivery. Only who may disable the
	// endpoint needs it alone.
	var accountID uuid.UUID
	var mayDisable bool
	err := r.q.QueryRow(ctx, `
		SELECT e.account_id, $2 OR coalesce(h.failing_since <= $3, false)
		FROM webhook_endpoint e JOIN webhook_endpoint_health h ON h.endpoint_id = e.id WHERE e.id = $1`,
		a.EndpointID, verdict == webhook.EndpointGone, r.at.Add(-webhook.DisabledAfter)).Scan(&accountID, &mayDisable)
	if err != nil {
		return Next{}, fmt.Errorf("find an endpoint: %w", err)
	}
	lock := r.shareEndpoints
	if mayDisable {
		lock = r.holdEndpoints
	}
	if err := lock(ctx, accountID); err != nil {
		return Next{}, err
	}
	var status EndpointStatus
	var deleted bool
	if err := r.q.QueryRow(ctx, `SELECT status, deleted_at IS NOT NULL FROM webhook_endpoint WHERE id = $1`, a.EndpointID).Scan(&status, &deleted); err != nil {
		return Next{}, fmt.Errorf("read an endpoint: %w", err)
	}
	h, err := r.lockHealth(ctx, a.EndpointID)
	if err != nil {
		return Next{}, err
	}
	if err := r.logEnd(ctx, a, "FAILED", result); err != nil {
		return Next{}, err
	}
	h.Failures++
	if h.FailingSince == nil {
		h.FailingSince = &a.StartedAt
	}
	if a.Probe {
		h.Probes++
	}
	// Attempts that were on the wire when the endpoint began to fail do not put
	// its probes off.
	if h.failing() && (a.Probe || h.ProbeAt == nil) {
		at := r.at.Add(max(webhook.Delay(h.Probes+1, rand.Float64()), result.RetryAfter))
		h.ProbeAt = &at
	}
	_, err = r.q.Exec(ctx, `UPDATE webhook_endpoint_health SET failures = $2, failing_since = $3, probe_at = $4, probes = $5 WHERE endpoint_id = $1`,
		a.EndpointID, h.Failures, h.FailingSince, h.ProbeAt, h.Probes)
	if err != nil {
		return Next{}, fmt.Errorf("record an endpoint's failure: %w", err)
	}
	next, err := r.afterFailure(ctx, a, result, h)
	if err != nil || deleted || status == EndpointDisabled || !mayDisable {
		return next, err
	}
	reason := ""
	switch {
	case verdict == webhook.EndpointGone:
		reason = "The endpoint answered 410 Gone."
	case r.at.Sub(*h.FailingSince) >= webhook.DisabledAfter:
		reason = fmt.Sprintf("Every attempt since %s has failed.", h.FailingSince.UTC().Format(time.RFC3339))
	default:
		return next, nil
	}
	_, err = r.q.Exec(ctx, `UPDATE webhook_endpoint SET status = 'DISABLED', disabled_reason = $2, updated_at = $3 WHERE id = $1`, a.EndpointID, reason, r.at)
	if err != nil {
		return Next{}, fmt.Errorf("disable an endpoint: %w", err)
	}
	if next.State == Retrying {
		next.State, next.Parked = Held, false
	}
	return next, r.holdAll(ctx, a.EndpointID)
}

// afterFailure decides about the delivery alone.
func (r *Records) afterFailure(ctx context.Context, a Attempt, result webhook.Result, h healthRow) (Next, error) {
	why := result.Error
	if why == "" {
		why = fmt.Sprintf("HTTP %d", result.StatusCode)
	}
	row, ok, err := one[struct {
		State         DeliveryState
		RoundAttempts int
		Others        bool
	}](ctx, r.q, `
		SELECT d.state, d.round_attempts,
			EXISTS (SELECT FROM webhook_delivery o WHERE o.endpoint_id = d.endpoint_id AND o.id <> d.id AND o.dispatched_at IS NOT NULL
				AND o.state IN ('PENDING', 'RETRYING')) AS others
		FROM webhook_delivery d WHERE d.id = $1 FOR UPDATE OF d`, a.DeliveryID)
	switch {
	case err != nil:
		return Next{}, fmt.Errorf("lock a delivery: %w", err)
	case !ok:
		return Next{State: Canceled}, nil
	case row.State != Retrying: // held, canceled or delivered while this was on the wire
		_, err := r.q.Exec(ctx, `UPDATE webhook_delivery SET last_error = $2 WHERE id = $1 AND state <> 'DELIVERED'`, a.DeliveryID, why)
		return Next{State: row.State, Error: why}, err
	}
	next := Next{State: Retrying, Error: why, At: r.at.Add(max(webhook.Delay(row.RoundAttempts, rand.Float64()), result.RetryAfter))}
	if row.RoundAttempts >= webhook.MaxAttempts {
		next.State = Failed
		if err := r.giveUp(ctx, a.DeliveryID, why); err != nil {
			return Next{}, err
		}
		return next, r.dueIfWaiting(ctx, a.EndpointID)
	}
	if h.failing() {
		// One delivery probes the endpoint, at the endpoint's pace; others wait in
		// the database.
		next.Parked, next.At = row.Others, *h.ProbeAt
	}
	_, err = r.q.Exec(ctx, `
		UPDATE webhook_delivery SET next_attempt_at = CASE WHEN $4 THEN $5::timestamptz ELSE $2::timestamptz END, dispatched_at = CASE WHEN $4 THEN NULL ELSE dispatched_at END,
			last_error = $3, updated_at = $5 WHERE id = $1`, a.DeliveryID, next.At, why, next.Parked, r.at)
	if err != nil {
		return Next{}, fmt.Errorf("put a delivery off: %w", err)
	}
	return next, r.dueIfWaiting(ctx, a.EndpointID)
}
