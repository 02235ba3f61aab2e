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
	for {
		due, keyless, err := s.claim(ctx)
		if err != nil || len(keyless) == 0 {
			return due, err
		}
		held, err := s.holdKeyless(ctx, keyless)
		if err != nil || len(due) > 0 || held == 0 {
			return due, err
		}
		// Those without a key were in the way of others.
	}
}

// claim looks once; keyless are endpoints whose accounts have no active key.
func (s *Store) claim(ctx context.Context) (due []Due, keyless []uuid.UUID, err error) {
	err = s.inTx(ctx, func(tx pgx.Tx) error {
		at := s.clock()
		// A walk along the index finds the endpoints with something waiting, however
		// much that is; of them only those count from which something can be claimed,
		// so that many that sleep or are busy do not hide one that is ready.
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
			FROM waiting w JOIN webhook_endpoint_health h ON h.endpoint_id = w.endpoint_id JOIN webhook_endpoint e ON e.id = w.endpoint_id,
				LATERAL (SELECT `+taken+` AS taken, h.failures >= $1 AS failing, coalesce(greatest(h.probe_at, h.retry_after) <= $2, true) AS probe_due,
					EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = h.endpoint_id AND d.state IN ('PENDING', 'RETRYING') AND d.dispatched_at IS NULL AND d.forced AND `+idle+`) AS asked,
					EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = h.endpoint_id AND d.state IN ('PENDING', 'RETRYING') AND d.dispatched_at IS NULL AND d.next_attempt_at <= $2) AS due) n
			WHERE e.status = 'ACTIVE' AND e.deleted_at IS NULL
				AND (n.asked AND n.taken < $5 OR n.due AND CASE WHEN n.failing THEN n.probe_due AND n.taken = 0 ELSE n.taken < $5 END)
			ORDER BY random() LIMIT $3 FOR UPDATE OF h SKIP LOCKED`, webhook.FailingAfter, at, claimEndpoints, at.Add(-sendingLife), webhook.OnTheWire)
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
		return nil, nil, err
	}
	return due, keyless, nil
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
			SELECT h.endpoint_id, h.failures >= $3 AS failing, coalesce(greatest(h.probe_at, h.retry_after) <= $2, true) AS probe_due,
				`+taken+` AS taken
			FROM webhook_endpoint_health h WHERE h.endpoint_id = ANY ($1)),
		asked AS MATERIALIZED (
			SELECT d.id, room.endpoint_id FROM room, LATERAL (
				SELECT d.id FROM webhook_delivery d
				WHERE d.endpoint_id = room.endpoint_id AND d.state IN ('PENDING', 'RETRYING') AND d.dispatched_at IS NULL AND d.forced AND `+idle+`
				ORDER BY d.id LIMIT greatest($5 - room.taken, 0) FOR UPDATE SKIP LOCKED) d),
		rest AS MATERIALIZED (
			SELECT room.*, room.taken + (SELECT count(*) FROM asked WHERE asked.endpoint_id = room.endpoint_id) AS all_taken FROM room),
		oldest AS MATERIALIZED (
			SELECT d.id FROM rest, LATERAL (
				SELECT d.id FROM webhook_delivery d
				WHERE d.endpoint_id = rest.endpoint_id AND d.state IN ('PENDING', 'RETRYING') AND d.dispatched_at IS NULL AND NOT d.forced AND d.next_attempt_at <= $2 AND `+idle+`
				ORDER BY d.id LIMIT greatest($5 - rest.all_taken, 0) FOR UPDATE SKIP LOCKED) d
			WHERE NOT rest.failing),
		probe AS MATERIALIZED (
			SELECT d.id FROM rest, LATERAL (
				SELECT d.id FROM webhook_delivery d
				WHERE d.endpoint_id = rest.endpoint_id AND d.state IN ('PENDING', 'RETRYING') AND d.dispatched_at IS NULL AND NOT d.forced AND d.next_attempt_at <= $2
				ORDER BY d.updated_at, d.id LIMIT 1 FOR UPDATE SKIP LOCKED) d
			WHERE rest.failing AND rest.probe_due AND rest.all_taken = 0),
		claimed AS (
			UPDATE webhook_delivery d SET dispatched_at = $2
			FROM (SELECT id FROM asked UNION ALL SELECT id FROM oldest UNION ALL SELECT id FROM probe) c WHERE d.id = c.id
			RETURNING d.id, d.account_id, d.event_id, d.endpoint_id, d.attempt_count, d.forced)
		SELECT c.id, c.account_id, a.environment, c.endpoint_id, v.event_type, e.url, c.attempt_count > 0 AS attempted, c.forced, v.traceparent
		FROM claimed c JOIN webhook_event v ON v.id = c.event_id JOIN webhook_endpoint e ON e.id = c.endpoint_id JOIN account a ON a.id = c.account_id
		ORDER BY c.id`, endpoints, at, webhook.FailingAfter, at.Add(-sendingLife), webhook.OnTheWire)
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
const idle = `NOT EXISTS (SELECT FROM webhook_attempt a WHERE a.delivery_id = d.id AND a.outcome = 'SENDING' AND a.started_at > $4)`

// taken counts the places at the endpoint of webhook_endpoint_health h that are
// taken at $2: by attempts that began after $4, and by deliveries whose attempt is
// about to begin. A run that does not begin it for as long as an attempt may take
// does not move, and keeps no place.
const taken = `((SELECT count(*) FROM webhook_attempt a WHERE a.endpoint_id = h.endpoint_id AND a.outcome = 'SENDING' AND a.started_at > $4)
	+ (SELECT count(*) FROM webhook_delivery d WHERE d.endpoint_id = h.endpoint_id AND d.dispatched_at IS NOT NULL AND d.state IN ('PENDING', 'RETRYING')
		AND d.next_attempt_at <= $2 AND greatest(d.dispatched_at, d.next_attempt_at) > $4
		AND NOT EXISTS (SELECT FROM webhook_attempt a WHERE a.delivery_id = d.id AND a.outcome = 'SENDING' AND a.started_at > $4)))`

// holdKeyless holds what endpoints are owed, a batch of it, unless their accounts
// have an active key by now, and says how much. Nobody who has an account or a
// delivery locked is waited for: the next claim comes by again.
func (s *Store) holdKeyless(ctx context.Context, endpoints []uuid.UUID) (held int64, err error) {
	err = s.inTx(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `
			SELECT id FROM account WHERE id IN (SELECT account_id FROM webhook_endpoint WHERE id = ANY ($1)) FOR SHARE SKIP LOCKED`, endpoints)
		if err != nil {
			return fmt.Errorf("lock accounts: %w", err)
		}
		accounts, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil || len(accounts) == 0 {
			return err
		}
		tag, err := tx.Exec(ctx, `
			UPDATE webhook_delivery SET state = 'HELD', next_attempt_at = NULL, forced = false, updated_at = $3
			WHERE id IN (
				SELECT d.id FROM webhook_delivery d
				WHERE d.endpoint_id = ANY ($1) AND d.account_id = ANY ($2) AND d.state IN ('PENDING', 'RETRYING') AND d.dispatched_at IS NULL
					AND NOT EXISTS (SELECT FROM webhook_key k WHERE k.account_id = d.account_id AND k.status = 'ACTIVE')
				LIMIT $4 FOR UPDATE OF d SKIP LOCKED)`, endpoints, accounts, s.clock(), settleBatch)
		if err != nil {
			return fmt.Errorf("hold deliveries without a key: %w", err)
		}
		held = tag.RowsAffected()
		return nil
	})
	if err == nil {
		s.tally.add(Held, held)
	}
	return held, err
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

// Overdue lists dispatched deliveries, after a given one, whose next attempt
// should have begun so long ago. One that is on the wire is not overdue.
func (s *Store) Overdue(ctx context.Context, by time.Duration, after uuid.UUID, limit int) ([]uuid.UUID, error) {
	at := s.clock()
	rows, err := s.pool.Query(ctx, `
		SELECT d.id FROM webhook_delivery d
		WHERE d.state IN ('PENDING', 'RETRYING') AND d.dispatched_at < $1 AND d.next_attempt_at < $1 AND d.id > $2 AND `+idle+`
		ORDER BY d.id LIMIT $3`, at.Add(-by), after, limit, at.Add(-sendingLife))
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
	tag, err := s.pool.Exec(ctx, `
		UPDATE webhook_attempt SET outcome = 'UNKNOWN' WHERE outcome = 'SENDING' AND delivery_id IN (
			SELECT delivery_id FROM webhook_attempt WHERE outcome = 'SENDING' AND started_at < $1 LIMIT $2)`, at.Add(-2*sendingLife), settleBatch)
	if err != nil {
		return m, fmt.Errorf("mend lost attempts: %w", err)
	}
	m.LostAttempts = tag.RowsAffected()
	settling, cancel := context.WithTimeout(ctx, mendFor)
	defer cancel()
	done, err := s.settleAll(settling, s.pool, nil, at)
	m.Canceled, m.Held, m.Released = done.canceled, done.held, done.released
	if err != nil && settling.Err() == nil { // with more to do than time, the next one goes on
		return m, err
	}
	if m.Waiting, err = s.leftWaiting(ctx); err != nil {
		return m, err
	}
	if m.Released > 0 || m.Waiting > 0 {
		s.notifier.due()
	}
	return m, nil
}
