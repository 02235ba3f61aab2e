package deliveries

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/id"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
)

// This file maps the types of package delivery to their tables. A record is read into a row,
// changed by package delivery, and saved with one statement.

// Row is the part of webhook_delivery that package delivery uses.
type Row struct {
	ID               id.UUID
	EventID          id.UUID
	EndpointID       id.UUID
	OfNotice         bool
	State            delivery.State
	AttemptCount     int
	RoundAttempts    int
	NextAttemptAt    *time.Time
	RetryRequestedAt *time.Time
	LastError        *string
}

// RowColumns reads a Row of webhook_delivery d.
const RowColumns = `d.id, d.event_id, d.endpoint_id, d.of_notice,
	d.state, d.attempt_count, d.round_attempts,
	d.next_attempt_at, d.retry_requested_at, d.last_error`

// Delivery converts the row for package delivery.
func (r Row) Delivery() delivery.Delivery {
	return delivery.Delivery{
		State: r.State, Attempts: r.AttemptCount, Round: r.RoundAttempts,
		DueAt: db.OrZero(r.NextAttemptAt), RetryRequestedAt: db.OrZero(r.RetryRequestedAt), LastError: db.OrZero(r.LastError), OfNotice: r.OfNotice,
	}
}

// Save writes locked deliveries. A delivery to attempt again gets an updated_at after its
// endpoint's release, whatever the clock says, so that its own schedule applies.
func Save(batch *pgx.Batch, ids []id.UUID, list []delivery.Delivery, at time.Time) {
	n := len(ids)
	states, attempts, rounds := make([]string, n), make([]int, n), make([]int, n)
	due, requested, errs := make([]*time.Time, n), make([]*time.Time, n), make([]*string, n)
	for i, d := range list {
		states[i], attempts[i], rounds[i] = string(d.State), d.Attempts, d.Round
		due[i], requested[i], errs[i] = db.OrNull(d.DueAt), db.OrNull(d.RetryRequestedAt), db.OrNull(d.LastError)
	}
	batch.Queue(`
		UPDATE webhook_delivery d SET state = u.state, attempt_count = u.attempts, round_attempts = u.round,
			next_attempt_at = u.due, retry_requested_at = u.requested, last_error = u.error, updated_at = CASE WHEN u.state <> 'RETRYING' THEN $8
				ELSE greatest($8, (SELECT h.released_at + interval '1 microsecond' FROM webhook_endpoint_health h WHERE h.endpoint_id = d.endpoint_id)) END
		FROM unnest($1::uuid[], $2::text[], $3::int[], $4::int[], $5::timestamptz[], $6::timestamptz[], $7::text[])
			AS u (id, state, attempts, round, due, requested, error)
		WHERE d.id = u.id`, ids, states, attempts, rounds, due, requested, errs, at)
}

// ChangeSQL is the SET clause of a change of webhook_delivery. $1 is the moment.
func ChangeSQL(c delivery.Change) string {
	set := []string{`updated_at = ` + db.MomentSQL, `retry_requested_at = ` + sqlIf(c.RequestRetry, db.MomentSQL, `NULL`)}
	if c.To == "" {
		set = append(set, `state = CASE WHEN attempt_count = 0 THEN 'PENDING' ELSE 'RETRYING' END`, `next_attempt_at = `+db.MomentSQL)
	} else {
		set = append(set, `state = '`+string(c.To)+`'`, `next_attempt_at = NULL`)
	}
	if c.NewRound {
		set = append(set, `round_attempts = 0`)
	}
	if c.Why != "" {
		set = append(set, `last_error = '`+strings.ReplaceAll(c.Why, `'`, `''`)+`'`)
	}
	return strings.Join(set, `, `)
}

// FromSQL is the condition that the state of delivery d allows a change.
func FromSQL(c delivery.Change) string {
	states := make([]string, len(c.From))
	for i, s := range c.From {
		states[i] = `'` + string(s) + `'`
	}
	return `d.state IN (` + strings.Join(states, `, `) + `)`
}

func sqlIf(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// HealthRow is a row of webhook_endpoint_health.
type HealthRow struct {
	EndpointID    id.UUID
	Failures      int
	FailingSince  *time.Time
	LastError     *string
	ProbeAt       *time.Time
	Probes        int
	RetryAfter    *time.Time
	RecoveredAt   *time.Time
	Epoch         int
	SuccessesFrom int
	Slow          bool
	Notified      *delivery.NoticeType
	NotifiedSince *time.Time
	OpensAt       *time.Time
}

const healthRowColumns = `h.endpoint_id, h.failures, h.failing_since, h.last_error,
	h.probe_at, h.probes, h.retry_after,
	h.recovered_at, h.epoch, h.successes_from,
	h.slow, h.notified, h.notified_since, h.opens_at`

// Health converts the row for package delivery.
func (r HealthRow) Health() delivery.Health {
	return delivery.Health{
		Failures: r.Failures, FailingSince: db.OrZero(r.FailingSince), LastError: db.OrZero(r.LastError), ProbeAt: db.OrZero(r.ProbeAt), Probes: r.Probes,
		RetryAfter: db.OrZero(r.RetryAfter), RecoveredAt: db.OrZero(r.RecoveredAt),
		Epoch: r.Epoch, SuccessesFrom: r.SuccessesFrom,
		Slow: r.Slow, Notified: db.OrZero(r.Notified), NotifiedSince: db.OrZero(r.NotifiedSince),
	}
}

// SaveHealth writes the health of an endpoint. The caller has locked it.
func SaveHealth(batch *pgx.Batch, before HealthRow, h delivery.Health) {
	batch.Queue(`
		UPDATE webhook_endpoint_health SET failures = $2, failing_since = $3, last_error = $4, probe_at = $5, probes = $6, retry_after = $7,
			recovered_at = $8, epoch = $9, slow = $10, notified = $11, notified_since = $12, successes_from = $13
		WHERE endpoint_id = $1`,
		before.EndpointID, h.Failures, db.OrNull(h.FailingSince), db.OrNull(h.LastError), db.OrNull(h.ProbeAt), h.Probes, db.OrNull(h.RetryAfter),
		db.OrNull(h.RecoveredAt), h.Epoch, h.Slow, db.OrNull(h.Notified), db.OrNull(h.NotifiedSince), h.SuccessesFrom)
}

// AskRun asks the endpoint's run to look at the given time, unless it already looks by then. The
// dispatcher wakes the run.
func AskRun(batch *pgx.Batch, endpointID id.UUID, at time.Time) {
	batch.Queue(`
		UPDATE webhook_endpoint_health SET wake_at = $2, wake_lease = NULL
		WHERE endpoint_id = $1 AND coalesce(looks_at > $2, true) AND coalesce(wake_at > $2, true)`, endpointID, at)
}

// WakeRunsNow asks endpoints' runs to look now, ahead of all scheduled retries, so that a requested
// attempt never waits for other endpoints that fail.
func WakeRunsNow(batch *pgx.Batch, moment *time.Time, endpoints ...id.UUID) {
	batch.Queue(`
		UPDATE webhook_endpoint_health SET wake_at = '-infinity', wake_lease = NULL
		WHERE endpoint_id = ANY ($2) AND coalesce(looks_at > `+db.MomentSQL+`, true) AND wake_at IS DISTINCT FROM '-infinity'`, moment, endpoints)
}

// Release makes all open deliveries of endpoints due, for sessions and for the endpoints' runs:
// those without any attempt, and those that wait for a retry. The caller has locked the endpoints'
// health.
func Release(batch *pgx.Batch, moment *time.Time, endpoints ...id.UUID) {
	batch.Queue(`
		UPDATE webhook_endpoint_health
		SET released_at = greatest(`+db.MomentSQL+`, released_at + interval '1 millisecond')
		WHERE endpoint_id = ANY ($2)`,
		moment, endpoints)
	MakeReady(batch, endpoints...)
	WakeRunsNow(batch, moment, endpoints...)
}

// LockHealth locks an endpoint's health. Until the end of the transaction nobody else begins or
// ends an attempt at the endpoint.
func LockHealth(ctx context.Context, q db.Querier, endpointID id.UUID) (HealthRow, error) {
	h, ok, err := db.One[HealthRow](ctx, q, `SELECT `+healthRowColumns+` FROM webhook_endpoint_health h WHERE h.endpoint_id = $1 FOR UPDATE`, endpointID)
	if err == nil && !ok {
		err = errors.New("an endpoint without a health record")
	}
	if err != nil {
		return h, fmt.Errorf("lock an endpoint's health: %w", err)
	}
	return h, nil
}

// limitsRow holds the limits of attempts at an endpoint. limitsColumns reads it.
type limitsRow struct {
	RatePerSecond *int
	Concurrency   *int
	OpensAt       *time.Time
}

const limitsColumns = `e.rate_per_second, e.concurrency, h.opens_at`

func (r limitsRow) limits() delivery.Limits {
	return delivery.Limits{PerSecond: db.OrZero(r.RatePerSecond), Concurrency: db.OrZero(r.Concurrency), OpensAt: db.OrZero(r.OpensAt)}
}

// These conditions are about webhook_delivery d, webhook_endpoint e and webhook_endpoint_health h.
const (
	// IdleSQL holds if no attempt of the delivery is in flight. It reads all attempts in flight at
	// the endpoint, at most ten, ordered by the intended index. So no plan reads other endpoints,
	// whatever the statistics say.
	IdleSQL = `d.id <> ALL (ARRAY(
		SELECT a.delivery_id
		FROM webhook_attempt a
		WHERE a.endpoint_id = d.endpoint_id AND a.outcome = 'SENDING'
		ORDER BY a.started_at))`
	// KeyedSQL holds if the endpoint's account has an active key, and SendableSQL if anything may
	// be sent to the endpoint.
	KeyedSQL    = `EXISTS (SELECT FROM webhook_key k WHERE k.account_id = e.account_id AND k.status = 'ACTIVE')`
	SendableSQL = `(e.status = 'ACTIVE' AND e.deleted_at IS NULL AND ` + KeyedSQL + `)`
)

// inFlightSQL counts the attempts in flight at endpoint h at the time of an expression: those that
// are SENDING, and UNKNOWN ones that may not have ended yet.
func inFlightSQL(at string) string {
	return `((SELECT count(*) FROM webhook_attempt a
			WHERE a.endpoint_id = h.endpoint_id AND a.outcome = 'SENDING')
		+ (SELECT count(*) FROM webhook_attempt a
			WHERE a.endpoint_id = h.endpoint_id
				AND a.outcome = 'UNKNOWN'
				AND a.started_at > ` + at + ` - interval '` + slotHeld + `'))::int`
}

var slotHeld = fmt.Sprintf("%d milliseconds", delivery.SlotHeld.Milliseconds())

// ReleasedSQL holds if endpoint h was released since delivery d last changed, so that d is due.
const ReleasedSQL = `d.updated_at <= h.released_at`
