package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/delivery"
)

// readyLook is how many ready endpoints one claim looks at.
const readyLook = 400

// readyFound is what readyEndpoints finds.
type readyFound struct {
	endpoints []uuid.UUID
	ready     []delivery.Ready
	full      bool          // there may be more
	opensIn   time.Duration // until the rate of another one lets an attempt begin; zero without any
}

// readyEndpoints are those from which a session may claim: those whose own rate was
// used up until now, and the others in the order of their turns. The result may be
// outdated once the claim holds its locks. Endpoints that are no longer ready are
// closed to sessions.
func (s *Store) readyEndpoints(ctx context.Context, room Room) (readyFound, error) {
	for {
		found, hidden, err := s.lookForReady(ctx, room)
		if err != nil || len(found.endpoints) > 0 || !hidden {
			return found, err
		}
	}
}

// lookForReady also reports whether endpoints without a free slot, which the next
// look leaves out, may have hidden others.
func (s *Store) lookForReady(ctx context.Context, room Room) (found readyFound, hidden bool, err error) {
	type row struct {
		limitsRow
		EndpointID   uuid.UUID
		Account      string
		Organization string
		Open         bool
		InFlight     int
		UnknownSince *time.Time // of an attempt that holds a slot until it is old enough
		At           time.Time
	}
	seen := s.full.look(s.instant())
	defer seen.end()
	var rows []row
	look := func(batch *pgx.Batch, which, order string) {
		batch.Queue(`
			SELECT q.endpoint_id, q.account_id::text AS account, o.organization AS organization, o.sendable AND o.failures < $2 AS open, o.in_flight,
				CASE WHEN o.in_flight >= coalesce(o.concurrency, $4) THEN (
					SELECT min(a.started_at) FROM webhook_attempt a WHERE a.endpoint_id = q.endpoint_id AND a.outcome = 'UNKNOWN' AND a.started_at > m.at - interval '`+slotHeld+`') END AS unknown_since,
				m.at, o.rate_per_second, o.concurrency, o.opens_at
			FROM (SELECT `+momentSQL+` AS at) m, `+readySQL(which, order, `$7`)+`
			WHERE o.organization <> ALL (coalesce($6::text[], '{}')) AND NOT (o.slow AND $3) AND (o.in_flight >= coalesce(o.concurrency, $4) OR `+claimableSQL+`
				OR (SELECT true FROM webhook_delivery d WHERE d.endpoint_id = q.endpoint_id AND d.state = 'PENDING' LIMIT 1) IS NULL)
			ORDER BY `+order+` LIMIT $5`, s.moment(), delivery.FailingAfter, room.Quick, delivery.MaxInFlight, readyLook, room.Full, seen.full).
			Query(func(result pgx.Rows) error {
				some, err := pgx.CollectRows(result, pgx.RowToStructByName[row])
				found.full = found.full || len(some) == readyLook
				rows = append(rows, some...)
				return err
			})
	}
	err = s.inPlannedTx(ctx, func(tx pgx.Tx) error {
		found, rows = readyFound{}, nil
		batch := &pgx.Batch{}
		look(batch, `q.paced_until <= m.at`, `q.paced_until`)
		look(batch, `q.paced_until IS NULL`, `q.turn`)
		batch.Queue(`
			SELECT coalesce((SELECT extract(epoch FROM q.paced_until - m.at) FROM webhook_ready q
				WHERE NOT q.closed AND q.paced_until > m.at ORDER BY q.paced_until LIMIT 1), 0)::float8 FROM (SELECT `+momentSQL+` AS at) m`, s.moment()).
			QueryRow(func(result pgx.Row) error {
				var seconds float64
				err := result.Scan(&seconds)
				found.opensIn = time.Duration(seconds * float64(time.Second))
				return err
			})
		return tx.SendBatch(ctx, batch).Close()
	})
	if err != nil {
		return readyFound{}, false, fmt.Errorf("find endpoints that are ready: %w", err)
	}
	var shut []uuid.UUID
	for _, e := range rows {
		limits := e.limits()
		switch {
		case !e.Open:
			shut = append(shut, e.EndpointID)
		case e.InFlight >= limits.MostInFlight():
			hidden = found.full
			frees := fullFor
			if e.UnknownSince != nil {
				frees = min(frees, e.UnknownSince.Add(delivery.SlotHeld).Sub(e.At))
			}
			seen.learn(e.EndpointID, frees)
		default:
			found.endpoints = append(found.endpoints, e.EndpointID)
			found.ready = append(found.ready, delivery.Ready{Account: e.Account, Organization: e.Organization, Room: limits.Room(e.InFlight, e.At)})
		}
	}
	if len(shut) > 0 {
		if err := s.closeToSessions(ctx, shut); err != nil {
			return readyFound{}, false, err
		}
	}
	return found, hidden, nil
}

// readySQL are the ready endpoints q, in an order, and what is on record of each, o;
// m.at is the moment. Whatever the statistics say, the plan begins with the index of
// ready endpoints and looks the rest up for each: of all endpoints there may be a
// million.
func readySQL(which, order, full string) string {
	return `LATERAL (SELECT q.* FROM webhook_ready q WHERE NOT q.closed AND ` + which + ` AND ` + notFullSQL(full) + ` ORDER BY ` + order + ` OFFSET 0) q,
		LATERAL (
			SELECT c.organization_id::text AS organization, ` + sendableSQL + ` AS sendable, h.failures, h.slow, ` + inFlightSQL(`m.at`) + ` AS in_flight, ` + limitsColumns + `
			FROM webhook_endpoint e JOIN webhook_endpoint_health h ON h.endpoint_id = e.id JOIN account c ON c.id = e.account_id
			WHERE e.id = q.endpoint_id OFFSET 0) o`
}

// claimableSQL: the ready endpoint q has something that a session may claim, if
// there is room. An endpoint with all of its deliveries in flight is excluded: any
// number of those would hide the others. It is not an EXISTS, which Postgres may
// answer by reading every PENDING delivery of the table.
const claimableSQL = `(SELECT true FROM webhook_delivery d WHERE d.endpoint_id = q.endpoint_id AND d.state = 'PENDING' AND d.asked_at IS NULL AND ` + idleSQL + `
	ORDER BY d.next_attempt_at LIMIT 1) IS NOT NULL`

// closeToSessions closes endpoints that fail, or to which nothing may be sent.
// It holds the lock of their health, so that a concurrent change that opens them
// is not lost.
func (s *Store) closeToSessions(ctx context.Context, endpoints []uuid.UUID) error {
	return s.inPlannedTx(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `
			SELECT endpoint_id FROM webhook_endpoint_health WHERE endpoint_id = ANY ($1) ORDER BY endpoint_id FOR UPDATE SKIP LOCKED`, endpoints)
		if err != nil {
			return fmt.Errorf("lock endpoints' health: %w", err)
		}
		locked, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `
			WITH mine AS MATERIALIZED (SELECT endpoint_id FROM webhook_ready WHERE endpoint_id = ANY ($1) FOR UPDATE SKIP LOCKED)
			UPDATE webhook_ready q SET closed = true FROM mine JOIN webhook_endpoint_health h ON h.endpoint_id = mine.endpoint_id JOIN webhook_endpoint e ON e.id = h.endpoint_id
			WHERE q.endpoint_id = mine.endpoint_id AND NOT (`+sendableSQL+` AND h.failures < $2)`, locked, delivery.FailingAfter)
		if err != nil {
			return fmt.Errorf("close endpoints to sessions: %w", err)
		}
		// The run of a failing endpoint sends its deliveries.
		_, err = tx.Exec(ctx, `
			UPDATE webhook_endpoint_health SET wake_at = `+momentSQL+` WHERE endpoint_id = ANY ($2) AND failures >= $3 AND looks_at IS NULL AND wake_at IS NULL`,
			s.moment(), locked, delivery.FailingAfter)
		if err != nil {
			return fmt.Errorf("wake the runs of failing endpoints: %w", err)
		}
		return nil
	})
}

// RemoveReady removes those of the endpoints from the ready ones that have nothing
// PENDING any more. Writers of deliveries share a lock with it, so that no delivery
// is missed; an account whose lock is held is left to the next time.
func (s *Store) RemoveReady(ctx context.Context, endpoints []uuid.UUID) error {
	return s.inPlannedTx(ctx, func(tx pgx.Tx) error {
		_, err := removeReady(ctx, tx, endpoints)
		return err
	})
}

// removeReady reports whether none of the endpoints is ready any more.
func removeReady(ctx context.Context, tx pgx.Tx, endpoints []uuid.UUID) (bool, error) {
	rows, err := tx.Query(ctx, `
		WITH accounts AS MATERIALIZED (SELECT DISTINCT account_id FROM webhook_ready WHERE endpoint_id = ANY ($1))
		SELECT account_id FROM accounts WHERE pg_try_advisory_xact_lock(`+endpointsLockOf(`account_id`)+`)`, endpoints)
	if err != nil {
		return false, fmt.Errorf("hold the endpoints of accounts: %w", err)
	}
	accounts, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return false, fmt.Errorf("hold the endpoints of accounts: %w", err)
	}
	if len(accounts) > 0 {
		_, err = tx.Exec(ctx, `
			WITH mine AS MATERIALIZED (SELECT endpoint_id FROM webhook_ready WHERE endpoint_id = ANY ($1) AND account_id = ANY ($2) FOR UPDATE SKIP LOCKED)
			DELETE FROM webhook_ready q USING mine WHERE q.endpoint_id = mine.endpoint_id
				AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = q.endpoint_id AND d.state = 'PENDING')`, endpoints, accounts)
		if err != nil {
			return false, fmt.Errorf("remove endpoints that are not ready: %w", err)
		}
	}
	var left bool
	if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM webhook_ready WHERE endpoint_id = ANY ($1))`, endpoints).Scan(&left); err != nil {
		return false, fmt.Errorf("look for endpoints that are ready: %w", err)
	}
	return !left, nil
}

// SessionDue reports whether there is work for a session: first attempts of
// organizations that are not full, or attempts to declare lost.
func (s *Store) SessionDue(ctx context.Context, full []string) (due bool, err error) {
	seen := s.full.look(s.instant())
	defer seen.end()
	err = s.inPlannedTx(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `
		WITH m AS MATERIALIZED (SELECT `+momentSQL+` AS at)
		SELECT EXISTS (SELECT FROM m, `+readySQL(`q.paced_until IS NULL`, `q.turn`, `$5`)+`
				WHERE o.organization <> ALL (coalesce($4::text[], '{}')) AND o.in_flight < coalesce(o.concurrency, $2) AND `+claimableSQL+`)
			OR EXISTS (SELECT FROM m, `+readySQL(`q.paced_until <= m.at`, `q.paced_until`, `$5`)+`
				WHERE o.organization <> ALL (coalesce($4::text[], '{}')) AND o.in_flight < coalesce(o.concurrency, $2) AND `+claimableSQL+`)
			OR EXISTS (SELECT FROM webhook_attempt a WHERE a.outcome = 'SENDING' AND a.started_at < (SELECT m.at FROM m) - make_interval(secs => $3))`,
			s.moment(), delivery.MaxInFlight, delivery.LostAfter.Seconds(), full, seen.full).Scan(&due)
	})
	if err != nil {
		return false, fmt.Errorf("look for due deliveries: %w", err)
	}
	return due, nil
}
