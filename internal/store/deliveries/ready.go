package deliveries

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/id"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
)

// readyLook limits how many ready endpoints one statement reads.
const readyLook = 400

// Ready lists the endpoints from which a session may claim, in the order of their turns.
type Ready struct {
	// Endpoints says how much each endpoint may get. It is only a preview: a claim reads the
	// endpoints again under locks.
	Endpoints []delivery.Ready
	ids       []id.UUID
	more      bool          // there may be other endpoints
	opensIn   time.Duration // until the rate of another endpoint allows an attempt; zero if there is none
}

// LookForReady finds the ready endpoints whose turn it is, without locking them. quick leaves out
// endpoints that last answered slowly. full lists the organizations to leave out.
func (s Claims) LookForReady(ctx context.Context, quick bool, full []string) (found Ready, err error) {
	type row struct {
		limitsRow
		EndpointID   id.UUID
		Account      string
		Organization string
		InFlight     int
		At           time.Time
	}
	batch := &pgx.Batch{}
	batch.Queue(`
		SELECT q.endpoint_id, q.account_id::text AS account, o.organization AS organization, o.in_flight, m.at, o.rate_per_second, o.concurrency, o.opens_at
		FROM (SELECT `+db.MomentSQL+` AS at) m, `+readySQL+` AND NOT (o.slow AND $5)
		ORDER BY q.session_at LIMIT $6`, s.db.Moment(), delivery.FailingAfter, delivery.MaxInFlight, full, quick, readyLook).
		Query(db.Each(pgx.RowToStructByName[row], func(e row) {
			found.ids = append(found.ids, e.EndpointID)
			found.Endpoints = append(found.Endpoints, delivery.Ready{Account: e.Account, Organization: e.Organization, Room: e.limits().Room(e.InFlight, e.At)})
			found.more = len(found.ids) == readyLook
		}))
	batch.Queue(`
		SELECT coalesce((SELECT extract(epoch FROM q.session_at - m.at) FROM webhook_ready q
			WHERE q.session_at > m.at
				AND q.session_at <= m.at + `+pacedAtMost+`
			ORDER BY q.session_at LIMIT 1), 0)::float8
		FROM (SELECT `+db.MomentSQL+` AS at) m`, s.db.Moment()).
		QueryRow(func(result pgx.Row) error {
			var seconds float64
			err := result.Scan(&seconds)
			found.opensIn = time.Duration(seconds * float64(time.Second))
			return err
		})
	if err := s.db.PlannedBatch(ctx, batch); err != nil {
		return Ready{}, fmt.Errorf("find endpoints that are ready: %w", err)
	}
	return found, nil
}

// readySQL selects the endpoints q whose turn it is and that have something to claim, with the
// record o of each. m.at is the moment, $2 FailingAfter, $3 MaxInFlight, and $4 the organizations
// that are full. There may be a million endpoints: with any statistics, the plan begins with the
// index of ready endpoints and looks up the rest for each.
var readySQL = `LATERAL (
	SELECT q.* FROM webhook_ready q
	WHERE q.session_at <= m.at AND q.session_at < 'infinity'
	ORDER BY q.session_at OFFSET 0) q,
	` + readyRecordSQL + `
	WHERE o.organization <> ALL (coalesce($4::text[], '{}'))
		AND o.sendable
		AND o.failures < $2
		AND coalesce(o.retry_after <= m.at, true)
		AND o.in_flight < coalesce(o.concurrency, $3)
		AND (o.rate_per_second IS NULL OR coalesce(o.opens_at <= m.at OR o.opens_at > m.at + ` + pacedAtMost + `, true)) AND ` + claimableSQL

// readyRecordSQL reads what is stored about the ready endpoint q.
var readyRecordSQL = `LATERAL (
	SELECT c.organization_id::text AS organization,
		` + SendableSQL + ` AS sendable,
		e.deleted_at IS NOT NULL AS deleted,
		h.failures, ` + retryAfterSQL(`m.at`) + ` AS retry_after,
		h.slow, ` + inFlightSQL(`m.at`) + ` AS in_flight,
		` + limitsColumns + `
	FROM webhook_endpoint e JOIN webhook_endpoint_health h ON h.endpoint_id = e.id JOIN account c ON c.id = e.account_id
	WHERE e.id = q.endpoint_id OFFSET 0) o`

// claimableSQL holds if the ready endpoint q has something that a session may claim. It excludes
// endpoints whose deliveries are all in flight: many of those would hide the others. It is not an
// EXISTS, because Postgres may answer an EXISTS by reading every PENDING delivery of the table.
const claimableSQL = `(
	SELECT true FROM webhook_delivery d
	WHERE d.endpoint_id = q.endpoint_id
		AND d.state = 'PENDING'
		AND d.retry_requested_at IS NULL
		AND ` + IdleSQL + `
	ORDER BY d.next_attempt_at LIMIT 1) IS NOT NULL`

// TidyReady looks at the next ready endpoints after one, in the order of their ids, and returns the
// last of them; id.Nil when there are no more.
//
// It removes endpoints that have nothing PENDING or are deleted. It keeps one whose rate is used
// up, because the row says when the rate allows an attempt. It parks endpoints that fail or to
// which nothing may be sent. An endpoint with a Retry-After gets its turn when that ends. If the
// clock was set back, so that an endpoint waits longer than any rate requires, the endpoint is
// ready now. Locked rows are left to the next call.
func (s Claims) TidyReady(ctx context.Context, after id.UUID) (id.UUID, error) {
	type row struct {
		EndpointID        id.UUID
		Idle, Park, Ahead bool
		Until             *time.Time // the Retry-After of an endpoint whose turn would be earlier
	}
	var rows []row
	err := s.db.InPlannedTx(ctx, func(tx pgx.Tx) (err error) {
		rows, err = db.Many[row](ctx, tx, `
		SELECT q.endpoint_id, (o.deleted OR NOT d.pending) AND (q.session_at <= m.at OR q.session_at > m.at + `+pacedAtMost+`) AS idle,
			NOT o.deleted AND d.pending AND (o.failures >= $2 OR NOT o.sendable) AS park, q.session_at > greatest(m.at + `+pacedAtMost+`, o.retry_after) AS ahead,
			CASE WHEN o.retry_after > greatest(m.at, q.session_at) THEN o.retry_after END AS until
		FROM (SELECT `+db.MomentSQL+` AS at) m, (
				SELECT * FROM (
					SELECT * FROM webhook_ready
					WHERE session_at < 'infinity' OFFSET 0) q
				WHERE endpoint_id > $3
				ORDER BY endpoint_id LIMIT $4) q, `+readyRecordSQL+`,
			LATERAL (SELECT `+pendingSQL+` AS pending) d
		ORDER BY q.endpoint_id`, s.db.Moment(), delivery.FailingAfter, after, readyLook)
		return err
	})
	if err != nil {
		return id.Nil, fmt.Errorf("find endpoints that are not ready: %w", err)
	}
	var idle, park, ahead, rest []id.UUID
	var until []time.Time
	for _, r := range rows {
		switch {
		case r.Idle:
			idle = append(idle, r.EndpointID)
		case r.Park:
			park = append(park, r.EndpointID)
		case r.Ahead:
			ahead = append(ahead, r.EndpointID)
		case r.Until != nil:
			rest, until = append(rest, r.EndpointID), append(until, *r.Until)
		}
	}
	var errs []error
	tidy := func(endpoints []id.UUID, fn func(tx pgx.Tx) error) {
		if len(endpoints) > 0 {
			errs = append(errs, s.db.InPlannedTx(ctx, fn))
		}
	}
	tidy(idle, func(tx pgx.Tx) error {
		_, err := removeReady(ctx, tx, idle)
		return err
	})
	tidy(park, func(tx pgx.Tx) error { return s.parkReady(ctx, tx, park) })
	turns := func(endpoints []id.UUID, at []time.Time) {
		tidy(endpoints, func(tx pgx.Tx) error {
			batch := &pgx.Batch{}
			queueTurns(batch, endpoints, at)
			return tx.SendBatch(ctx, batch).Close()
		})
	}
	turns(ahead, make([]time.Time, len(ahead))) // the zero time is past: their turn is now
	turns(rest, until)
	next := id.Nil
	if len(rows) == readyLook {
		next = rows[len(rows)-1].EndpointID
	}
	return next, errors.Join(errs...)
}

// pendingSQL holds if the ready endpoint q has something PENDING. It is not an EXISTS, for the same
// reason as claimableSQL.
const pendingSQL = `(SELECT true FROM webhook_delivery d WHERE d.endpoint_id = q.endpoint_id AND d.state = 'PENDING' LIMIT 1) IS NOT NULL`

// removeParked removes the parked endpoints that have nothing PENDING or are deleted.
func (s Claims) removeParked(ctx context.Context) error {
	var after id.UUID
	for {
		var idle []id.UUID
		err := s.db.InPlannedTx(ctx, func(tx pgx.Tx) (err error) {
			idle, err = db.Column[id.UUID](ctx, tx, `
				SELECT q.endpoint_id FROM webhook_ready q JOIN webhook_endpoint e ON e.id = q.endpoint_id
				WHERE q.session_at = 'infinity' AND q.endpoint_id > $1
					AND (e.deleted_at IS NOT NULL OR NOT `+pendingSQL+`)
				ORDER BY q.endpoint_id LIMIT $2`, after, readyLook)
			if err != nil || len(idle) == 0 {
				return err
			}
			after = idle[len(idle)-1]
			_, err = removeReady(ctx, tx, idle)
			return err
		})
		if err != nil {
			return fmt.Errorf("remove endpoints that nothing is to be sent to: %w", err)
		}
		if len(idle) < readyLook {
			return nil
		}
	}
}

// retryAfterSQL is the Retry-After of endpoint h. It is ignored if the clock was set back since.
func retryAfterSQL(at string) string {
	return fmt.Sprintf(`(CASE WHEN h.retry_after <= %s + interval '%d milliseconds' THEN h.retry_after END)`, at, delivery.RetryAfterAtMost.Milliseconds())
}

// pacedAtMost is an interval in SQL that is longer than any rate can delay an endpoint.
var pacedAtMost = fmt.Sprintf(`interval '%d milliseconds'`, delivery.PacedAtMost.Milliseconds())

// parkReady hides endpoints from sessions while they fail or nothing may be sent to them, and wakes
// the runs of failing endpoints that do not look. It locks the endpoints' health, so that it does
// not overwrite a concurrent recovery.
func (s Claims) parkReady(ctx context.Context, tx pgx.Tx, endpoints []id.UUID) error {
	locked, err := db.Column[id.UUID](ctx, tx, `
		SELECT endpoint_id FROM webhook_endpoint_health WHERE endpoint_id = ANY ($1) ORDER BY endpoint_id FOR UPDATE SKIP LOCKED`, endpoints)
	if err != nil {
		return fmt.Errorf("lock endpoints' health: %w", err)
	}
	// Statements after the one that locks see what was committed before the lock was granted.
	_, err = tx.Exec(ctx, `
		WITH mine AS MATERIALIZED (
			SELECT q.endpoint_id FROM webhook_ready q JOIN webhook_endpoint e ON e.id = q.endpoint_id JOIN webhook_endpoint_health h ON h.endpoint_id = e.id
			WHERE q.endpoint_id = ANY ($1) AND (h.failures >= $2 OR NOT `+SendableSQL+`) FOR NO KEY UPDATE OF q SKIP LOCKED)
		UPDATE webhook_ready q
		SET session_at = 'infinity'
		FROM mine
		WHERE q.endpoint_id = mine.endpoint_id AND q.session_at < 'infinity'`,
		locked, delivery.FailingAfter)
	if err != nil {
		return fmt.Errorf("hide endpoints from sessions: %w", err)
	}
	_, err = tx.Exec(ctx, `
		UPDATE webhook_endpoint_health h SET wake_at = `+db.MomentSQL+` FROM webhook_endpoint e
		WHERE h.endpoint_id = ANY ($2) AND e.id = h.endpoint_id AND h.failures >= $3 AND `+SendableSQL+` AND h.looks_at IS NULL AND h.wake_at IS NULL`,
		s.db.Moment(), locked, delivery.FailingAfter)
	if err != nil {
		return fmt.Errorf("wake the runs of failing endpoints: %w", err)
	}
	return nil
}

// removeReady removes endpoints with nothing to send from the ready ones, and reports whether none
// of them is left. It locks the rows first. The next statement sees what was committed until
// the locks were granted: writers of deliveries hold the rows until they commit.
func removeReady(ctx context.Context, tx pgx.Tx, endpoints []id.UUID) (bool, error) {
	locked, err := db.Column[id.UUID](ctx, tx, `
		SELECT endpoint_id FROM webhook_ready WHERE endpoint_id = ANY ($1) ORDER BY endpoint_id FOR UPDATE SKIP LOCKED`, endpoints)
	if err != nil {
		return false, fmt.Errorf("lock endpoints that are ready: %w", err)
	}
	_, err = tx.Exec(ctx, `
		DELETE FROM webhook_ready q USING webhook_endpoint e WHERE q.endpoint_id = ANY ($1) AND e.id = q.endpoint_id
			AND (e.deleted_at IS NOT NULL OR NOT `+pendingSQL+`)`, locked)
	if err != nil {
		return false, fmt.Errorf("remove endpoints that are not ready: %w", err)
	}
	var left bool
	if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM webhook_ready WHERE endpoint_id = ANY ($1))`, endpoints).Scan(&left); err != nil {
		return false, fmt.Errorf("look for endpoints that are ready: %w", err)
	}
	return !left, nil
}

// MakeReady makes endpoints ready for sessions.
func MakeReady(batch *pgx.Batch, endpoints ...id.UUID) {
	batch.Queue(`
		INSERT INTO webhook_ready (endpoint_id, account_id) SELECT id, account_id FROM webhook_endpoint WHERE id = ANY ($1) ORDER BY id
		ON CONFLICT (endpoint_id) DO UPDATE SET session_at = '-infinity' WHERE webhook_ready.session_at = 'infinity'`, endpoints)
}

// queueTurns sets when sessions look at ready endpoints next. A parked endpoint stays parked.
func queueTurns(batch *pgx.Batch, endpoints []id.UUID, at []time.Time) {
	if len(endpoints) == 0 {
		return
	}
	batch.Queue(`
		WITH mine AS MATERIALIZED (SELECT endpoint_id FROM webhook_ready WHERE endpoint_id = ANY ($1) AND session_at < 'infinity' FOR NO KEY UPDATE SKIP LOCKED)
		UPDATE webhook_ready q SET session_at = u.at FROM mine JOIN unnest($1::uuid[], $2::timestamptz[]) AS u (endpoint_id, at) ON u.endpoint_id = mine.endpoint_id
		WHERE q.endpoint_id = mine.endpoint_id`, endpoints, at)
}

// SessionDue reports whether a session has work: first attempts of organizations that are not full,
// or attempts to declare lost.
func (s Claims) SessionDue(ctx context.Context, full []string) (due bool, err error) {
	err = s.db.InPlannedTx(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `
			WITH m AS MATERIALIZED (SELECT `+db.MomentSQL+` AS at)
			SELECT EXISTS (SELECT FROM m, `+readySQL+`)
				OR EXISTS (SELECT FROM webhook_attempt a WHERE a.outcome = 'SENDING' AND a.started_at < (SELECT m.at FROM m) - make_interval(secs => $5))`,
			s.db.Moment(), delivery.FailingAfter, delivery.MaxInFlight, full, delivery.LostAfter.Seconds()).Scan(&due)
	})
	if err != nil {
		return false, fmt.Errorf("look for due deliveries: %w", err)
	}
	return due, nil
}
