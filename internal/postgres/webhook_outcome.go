package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/webhook"
)

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
	var after aftermath
	err := s.inTx(ctx, func(tx pgx.Tx) (err error) {
		r := &Records{q: tx, at: s.clock(), after: &after}
		if verdict == webhook.Delivered {
			next, err = r.succeeded(ctx, a, result)
		} else {
			next, err = r.failed(ctx, a, result, verdict)
		}
		return err
	})
	if err == nil {
		s.follow(ctx, after)
	}
	return next, err
}

// LoseAttempt ends an attempt that was broken off from this side: whether it
// arrived is UNKNOWN, and the delivery, as the endpoint's next probe, backs off
// as after a failure.
func (s *Store) LoseAttempt(ctx context.Context, a Attempt) error {
	return s.inTx(ctx, func(tx pgx.Tx) error {
		r := &Records{q: tx, at: s.clock()}
		h, err := r.lockHealth(ctx, a.EndpointID)
		if err != nil {
			return err
		}
		if a.Probe && h.Epoch == a.epoch {
			next := r.at.Add(webhook.Delay(h.Probes+1, rand.Float64()))
			h.ProbeAt = &next
			if err := r.saveHealth(ctx, a.EndpointID, h); err != nil {
				return err
			}
		}
		row, ok, err := one[struct {
			RoundAttempts int
			Last          bool
			Forced        bool
		}](ctx, tx, `SELECT round_attempts, attempt_count = $2 AS last, forced FROM webhook_delivery WHERE id = $1 FOR UPDATE`, a.DeliveryID, a.Number)
		if err != nil || !ok {
			return err
		}
		if row.Last && !row.Forced {
			if err := r.putOff(ctx, a.DeliveryID, r.at.Add(webhook.Delay(max(row.RoundAttempts, 1), rand.Float64()))); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, `UPDATE webhook_attempt SET outcome = 'UNKNOWN' WHERE delivery_id = $1 AND number = $2 AND outcome = 'SENDING'`, a.DeliveryID, a.Number); err != nil {
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

// The order of locks, as in beginning: health, delivery, attempt.

func (r *Records) succeeded(ctx context.Context, a Attempt, result webhook.Result) (Next, error) {
	if err := r.recovered(ctx, a); err != nil {
		return Next{}, err
	}
	tag, err := r.q.Exec(ctx, `
		UPDATE webhook_delivery SET state = 'DELIVERED', next_attempt_at = NULL, dispatched_at = NULL, forced = false, last_error = NULL, updated_at = $2
		WHERE id = $1 AND state NOT IN ('CANCELED', 'DELIVERED')`, a.DeliveryID, r.at)
	if err != nil {
		return Next{}, fmt.Errorf("record a delivery: %w", err)
	}
	r.count(Delivered, tag.RowsAffected())
	if err := r.logEnd(ctx, a, "SUCCEEDED", result); err != nil {
		return Next{}, err
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
	ofThisEpoch := h.Epoch == a.epoch
	if ofThisEpoch {
		h.failed(a, r.at, result.RetryAfter)
		if err := r.saveHealth(ctx, a.EndpointID, h); err != nil {
			return Next{}, err
		}
	}
	next, err := r.afterFailure(ctx, a, result, h)
	if err != nil || deleted || status == EndpointDisabled || !mayDisable || !ofThisEpoch {
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
	r.unsettle("endpoint_id", a.EndpointID)
	if next.State == Retrying {
		next.State, next.Parked = Held, false
	}
	return next, r.settle(ctx, a.DeliveryID, Held)
}

// afterFailure logs the end and decides about the delivery alone: its own
// backoff, or what its receiver asked for, and never the endpoint's pace.
func (r *Records) afterFailure(ctx context.Context, a Attempt, result webhook.Result, h healthRow) (Next, error) {
	why := result.Error
	if why == "" {
		why = fmt.Sprintf("HTTP %d", result.StatusCode)
	}
	row, ok, err := one[struct {
		State         DeliveryState
		AttemptCount  int
		RoundAttempts int
		Forced        bool
		Others        bool
	}](ctx, r.q, `
		SELECT d.state, d.attempt_count, d.round_attempts, d.forced,
			EXISTS (SELECT FROM webhook_delivery o WHERE o.endpoint_id = d.endpoint_id AND o.id <> d.id AND o.state IN ('PENDING', 'RETRYING')) AS others
		FROM webhook_delivery d WHERE d.id = $1 FOR UPDATE OF d`, a.DeliveryID)
	if err != nil {
		return Next{}, fmt.Errorf("lock a delivery: %w", err)
	}
	if err := r.logEnd(ctx, a, "FAILED", result); err != nil {
		return Next{}, err
	}
	switch {
	case !ok:
		return Next{State: Canceled}, nil
	case row.State != Retrying: // held, stopped, canceled or delivered while this was on the wire
		_, err := r.q.Exec(ctx, `UPDATE webhook_delivery SET last_error = $2 WHERE id = $1 AND state NOT IN ('DELIVERED', 'FAILED')`, a.DeliveryID, why)
		return Next{State: row.State, Error: why}, err
	case row.AttemptCount > a.Number: // it was taken for lost, and another is under way
		return Next{State: Retrying, At: r.at.Add(sendingPoll), Error: why}, nil
	case row.RoundAttempts >= webhook.MaxAttempts && !row.Forced:
		if err := r.giveUp(ctx, a.DeliveryID, why); err != nil {
			return Next{}, err
		}
		return Next{State: Failed, Error: why}, r.dueIfWaiting(ctx, a.EndpointID)
	}
	next := Next{State: Retrying, At: r.at, Error: why}
	if !row.Forced { // or else somebody asked meanwhile for another attempt
		next.At = r.at.Add(max(webhook.Delay(row.RoundAttempts, rand.Float64()), result.RetryAfter))
		// Whoever probes next is chosen when the time has come. A delivery that is
		// alone may as well sleep until then, where operators see it.
		next.Parked = h.failing() && (row.Others || h.probeAt().After(next.At))
	}
	_, err = r.q.Exec(ctx, `
		UPDATE webhook_delivery SET next_attempt_at = $2, dispatched_at = CASE WHEN $4 THEN NULL ELSE dispatched_at END, last_error = $3, updated_at = $5
		WHERE id = $1`, a.DeliveryID, next.At, why, next.Parked, r.at)
	if err != nil {
		return Next{}, fmt.Errorf("put a delivery off: %w", err)
	}
	if h.failing() {
		return next, nil
	}
	return next, r.dueIfWaiting(ctx, a.EndpointID)
}
