package postgres

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/id"
	"requisite/internal/webhook"
)

// Due is a delivery that a dispatcher has claimed: it is to start a run for it.
type Due struct {
	ID         uuid.UUID
	AccountID  string // wire ids
	EndpointID string
	EventType  string
	Host       string // of the endpoint's URL
	Attempted  bool
	Forced     bool // somebody asked for an attempt now
	// TraceParent is the W3C trace of whatever caused the event; empty for none.
	TraceParent string
}

// DeliveryID is the delivery's wire id.
func (d Due) DeliveryID() string { return id.Format(id.WebhookDelivery, d.ID) }

// claimEndpoints is how many endpoints one claim looks at.
const claimEndpoints = 200

// ClaimDue claims deliveries that wait and are due: at each endpoint those that
// somebody has asked for, then the oldest, at most as many as there is room for;
// and at one that fails a single one, when its time to be probed has come, in
// turns. What cannot go for want of an active key becomes HELD. Dispatchers that
// claim at the same time get different ones, and what somebody else has locked is
// left for the next claim. What was claimed is returned also with an error.
func (s *Store) ClaimDue(ctx context.Context) ([]Due, error) {
	var due []Due
	var keyless []uuid.UUID
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		at := s.clock()
		// A walk along the index finds the endpoints with something waiting, however
		// much that is.
		endpoints, err := many[struct {
			ID  uuid.UUID
			Key bool
		}](ctx, tx, `
			WITH RECURSIVE waiting AS (
				(SELECT endpoint_id FROM webhook_delivery WHERE state IN ('PENDING', 'RETRYING') AND dispatched_at IS NULL ORDER BY endpoint_id LIMIT 1)
				UNION ALL
				SELECT (SELECT d.endpoint_id FROM webhook_delivery d WHERE d.state IN ('PENDING', 'RETRYING') AND d.dispatched_at IS NULL
					AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
				FROM waiting w WHERE w.endpoint_id IS NOT NULL)
			SELECT h.endpoint_id AS id, EXISTS (SELECT FROM webhook_key k WHERE k.account_id = e.account_id AND k.status = 'ACTIVE') AS key
			FROM waiting w JOIN webhook_endpoint_health h ON h.endpoint_id = w.endpoint_id JOIN webhook_endpoint e ON e.id = w.endpoint_id
			WHERE e.status = 'ACTIVE' AND e.deleted_at IS NULL
				AND (h.failures < $1 OR coalesce(greatest(h.probe_at, h.retry_after) <= $2, true)
					OR EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = h.endpoint_id AND d.dispatched_at IS NULL AND d.forced AND d.state IN ('PENDING', 'RETRYING')))
			ORDER BY random() LIMIT $3 FOR UPDATE OF h SKIP LOCKED`, webhook.FailingAfter, at, claimEndpoints)
		if err != nil {
			return fmt.Errorf("find endpoints with due deliveries: %w", err)
		}
		var ids []uuid.UUID
		for _, e := range endpoints {
			if e.Key {
				ids = append(ids, e.ID)
			} else {
				keyless = append(keyless, e.ID)
			}
		}
		if len(ids) > 0 {
			due, err = claimAt(ctx, tx, ids, at)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(keyless) > 0 {
		err = s.holdKeyless(ctx, keyless)
	}
	return due, err
}

// claimAt claims at endpoints whose health is locked, so that what it counts
// does not change under it. A place is taken by what is on the wire or about to
// be, and not by a run that sleeps.
func claimAt(ctx context.Context, tx pgx.Tx, endpoints []uuid.UUID, at time.Time) ([]Due, error) {
	type row struct {
		ID          uuid.UUID
		AccountID   uuid.UUID
		Environment Environment
		EndpointID  uuid.UUID
		EventType   string
		URL         string
		Attempted   bool
		Forced      bool
		Traceparent string
	}
	rows, err := many[row](ctx, tx, `
		WITH room AS MATERIALIZED (
			SELECT h.endpoint_id, h.failures >= $2 AS failing, coalesce(greatest(h.probe_at, h.retry_after) <= $3, true) AS probe_due,
				(SELECT count(*) FROM webhook_delivery d WHERE d.endpoint_id = h.endpoint_id AND d.dispatched_at IS NOT NULL
					AND d.state IN ('PENDING', 'RETRYING') AND d.next_attempt_at <= $3)
				+ (SELECT count(*) FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id
					WHERE a.endpoint_id = h.endpoint_id AND a.outcome = 'SENDING' AND a.started_at > $5 AND d.dispatched_at IS NULL) AS taken
			FROM webhook_endpoint_health h WHERE h.endpoint_id = ANY ($1)),
		asked AS MATERIALIZED (
			SELECT d.id, room.endpoint_id FROM room, LATERAL (
				SELECT d.id FROM webhook_delivery d
				WHERE d.endpoint_id = room.endpoint_id AND d.state IN ('PENDING', 'RETRYING') AND d.dispatched_at IS NULL AND d.forced AND `+idle+`
				ORDER BY d.id LIMIT greatest($4 - room.taken, 0) FOR UPDATE SKIP LOCKED) d),
		rest AS MATERIALIZED (
			SELECT room.*, room.taken + (SELECT count(*) FROM asked WHERE asked.endpoint_id = room.endpoint_id) AS all_taken FROM room),
		oldest AS MATERIALIZED (
			SELECT d.id FROM rest, LATERAL (
				SELECT d.id FROM webhook_delivery d
				WHERE d.endpoint_id = rest.endpoint_id AND d.state IN ('PENDING', 'RETRYING') AND d.dispatched_at IS NULL AND NOT d.forced AND d.next_attempt_at <= $3 AND `+idle+`
				ORDER BY d.id LIMIT greatest($4 - rest.all_taken, 0) FOR UPDATE SKIP LOCKED) d
			WHERE NOT rest.failing),
		probe AS MATERIALIZED (
			SELECT d.id FROM rest, LATERAL (
				SELECT d.id FROM webhook_delivery d
				WHERE d.endpoint_id = rest.endpoint_id AND d.state IN ('PENDING', 'RETRYING') AND d.dispatched_at IS NULL AND NOT d.forced AND d.next_attempt_at <= $3
				ORDER BY d.updated_at, d.id LIMIT 1 FOR UPDATE SKIP LOCKED) d
			WHERE rest.failing AND rest.probe_due AND rest.all_taken = 0),
		claimed AS (
			UPDATE webhook_delivery d SET dispatched_at = $3
			FROM (SELECT id FROM asked UNION ALL SELECT id FROM oldest UNION ALL SELECT id FROM probe) c WHERE d.id = c.id
			RETURNING d.id, d.account_id, d.event_id, d.endpoint_id, d.attempt_count, d.forced)
		SELECT c.id, c.account_id, a.environment, c.endpoint_id, v.event_type, e.url, c.attempt_count > 0 AS attempted, c.forced, v.traceparent
		FROM claimed c JOIN webhook_event v ON v.id = c.event_id JOIN webhook_endpoint e ON e.id = c.endpoint_id JOIN account a ON a.id = c.account_id
		ORDER BY c.id`, endpoints, webhook.FailingAfter, at, webhook.OnTheWire, at.Add(-sendingLife))
	if err != nil {
		return nil, fmt.Errorf("claim due deliveries: %w", err)
	}
	due := make([]Due, len(rows))
	for i, r := range rows {
		host := ""
		if u, err := url.Parse(r.URL); err == nil {
			host = u.Host
		}
		due[i] = Due{
			ID: r.ID, AccountID: id.Format(r.Environment.Prefix(), r.AccountID), EndpointID: id.Format(id.WebhookConfig, r.EndpointID),
			EventType: r.EventType, Host: host, Attempted: r.Attempted, Forced: r.Forced, TraceParent: r.Traceparent,
		}
	}
	return due, nil
}

// idle is a condition on webhook_delivery d: no attempt of it is on the wire.
const idle = `NOT EXISTS (SELECT FROM webhook_attempt a WHERE a.delivery_id = d.id AND a.outcome = 'SENDING' AND a.started_at > $5)`

// holdKeyless holds what endpoints are owed, unless their accounts have an active
// key by now. Nobody who has an account or a delivery locked is waited for: the
// next claim comes by again.
func (s *Store) holdKeyless(ctx context.Context, endpoints []uuid.UUID) error {
	return s.inTx(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `
			SELECT id FROM account WHERE id IN (SELECT account_id FROM webhook_endpoint WHERE id = ANY ($1)) FOR SHARE SKIP LOCKED`, endpoints)
		if err != nil {
			return fmt.Errorf("lock accounts: %w", err)
		}
		accounts, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil || len(accounts) == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `
			UPDATE webhook_delivery SET state = 'HELD', next_attempt_at = NULL, forced = false, updated_at = $3
			WHERE id IN (
				SELECT d.id FROM webhook_delivery d
				WHERE d.endpoint_id = ANY ($1) AND d.account_id = ANY ($2) AND d.state IN ('PENDING', 'RETRYING') AND d.dispatched_at IS NULL
					AND NOT EXISTS (SELECT FROM webhook_key k WHERE k.account_id = d.account_id AND k.status = 'ACTIVE')
				FOR UPDATE OF d SKIP LOCKED)`, endpoints, accounts, s.clock())
		if err != nil {
			return fmt.Errorf("hold deliveries without a key: %w", err)
		}
		return nil
	})
}

// GiveBack returns a claimed delivery for which no run could be started.
func (s *Store) GiveBack(ctx context.Context, deliveryID uuid.UUID) error {
	_, err := s.pool.Exec(ctx, `UPDATE webhook_delivery SET dispatched_at = NULL WHERE id = $1`, deliveryID)
	if err != nil {
		return fmt.Errorf("give a delivery back: %w", err)
	}
	return nil
}

// ListenForDue calls due whenever deliveries have become due, on a connection of
// its own, until ctx ends or the connection breaks.
func (s *Store) ListenForDue(ctx context.Context, due func()) error {
	config := s.pool.Config().ConnConfig.Copy()
	config.RuntimeParams["application_name"] += "-listener"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("listen for due deliveries: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, `LISTEN `+dueChannel); err != nil {
		return fmt.Errorf("listen for due deliveries: %w", err)
	}
	for {
		due() // also for whatever happened before the connection stood
		if _, err := conn.WaitForNotification(ctx); err != nil {
			return fmt.Errorf("listen for due deliveries: %w", err)
		}
	}
}

// tooLong is how long a delivery may wait for a dispatcher while its endpoint is
// well.
const tooLong = 2 * time.Minute

// Overdue lists dispatched deliveries, after a given one, whose next attempt
// should have begun so long ago.
func (s *Store) Overdue(ctx context.Context, by time.Duration, after uuid.UUID, limit int) ([]uuid.UUID, error) {
	at := s.clock().Add(-by)
	rows, err := s.pool.Query(ctx, `
		SELECT id FROM webhook_delivery
		WHERE state IN ('PENDING', 'RETRYING') AND dispatched_at < $1 AND next_attempt_at < $1 AND id > $2 ORDER BY id LIMIT $3`, at, after, limit)
	if err != nil {
		return nil, fmt.Errorf("find overdue deliveries: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// Mended counts what Mend put right.
type Mended struct {
	LostAttempts int64 `json:"lost_attempts"` // are UNKNOWN now
	Released     int64 `json:"released"`      // were HELD although they could go
	Canceled     int64 `json:"canceled"`      // of deleted endpoints
	Held         int64 `json:"held"`          // of disabled endpoints
	Waiting      int64 `json:"waiting"`       // wait for longer than they should; nothing was changed
}

// Mend puts right what no other step would: attempts whose end was lost, and
// deliveries in a state that their endpoint or key contradicts; what somebody is
// changing at the moment is left to the next time. Running it again changes
// nothing.
func (s *Store) Mend(ctx context.Context) (Mended, error) {
	var m Mended
	at := s.clock()
	for _, step := range []struct {
		count *int64
		sql   string
		args  []any
	}{
		{&m.LostAttempts, `UPDATE webhook_attempt SET outcome = 'UNKNOWN' WHERE outcome = 'SENDING' AND started_at < $1`, []any{at.Add(-2 * sendingLife)}},
		{&m.Canceled, `
			UPDATE webhook_delivery SET state = 'CANCELED', next_attempt_at = NULL, dispatched_at = NULL, forced = false, updated_at = $1
			WHERE id IN (SELECT d.id FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
				WHERE e.deleted_at IS NOT NULL AND d.state IN ('PENDING', 'RETRYING', 'HELD') FOR UPDATE OF d SKIP LOCKED)`, []any{at}},
		{&m.Held, `
			UPDATE webhook_delivery SET state = 'HELD', next_attempt_at = NULL, dispatched_at = NULL, forced = false, updated_at = $1
			WHERE id IN (SELECT d.id FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
				WHERE e.status = 'DISABLED' AND e.deleted_at IS NULL AND d.state IN ('PENDING', 'RETRYING') FOR UPDATE OF d SKIP LOCKED)`, []any{at}},
		{&m.Released, `
			UPDATE webhook_delivery d SET state = CASE WHEN attempt_count = 0 THEN 'PENDING' ELSE 'RETRYING' END, next_attempt_at = $1, updated_at = $1
			WHERE d.id IN (SELECT d.id FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id JOIN webhook_key k ON k.account_id = d.account_id AND k.status = 'ACTIVE'
				WHERE d.state = 'HELD' AND e.status = 'ACTIVE' AND e.deleted_at IS NULL LIMIT 10000 FOR UPDATE OF d SKIP LOCKED)`, []any{at}},
	} {
		tag, err := s.pool.Exec(ctx, step.sql, step.args...)
		if err != nil {
			return m, fmt.Errorf("mend deliveries: %w", err)
		}
		*step.count = tag.RowsAffected()
	}
	err := s.pool.QueryRow(ctx, `
		SELECT count(*) FROM webhook_delivery d JOIN webhook_endpoint_health h ON h.endpoint_id = d.endpoint_id
		WHERE d.state IN ('PENDING', 'RETRYING') AND d.dispatched_at IS NULL AND d.next_attempt_at < $1 AND h.failures < $2`,
		at.Add(-tooLong), webhook.FailingAfter).Scan(&m.Waiting)
	if err != nil {
		return m, fmt.Errorf("count waiting deliveries: %w", err)
	}
	if m.Released > 0 || m.Waiting > 0 {
		s.notifier.due()
	}
	return m, nil
}
