package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/delivery"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/webhook"
	"requisite/internal/wire"
)

// Attempt is one attempt that is about to be made, and logged as SENDING.
type Attempt struct {
	delivery.Attempt
	DeliveryID uuid.UUID
	EndpointID uuid.UUID
	// Organization is the endpoint's owner, used only to count attempts for each.
	Organization string
	URL          string
	Traceparent  string
	Event        webhook.Event
	Key          webhook.Key
	// ClaimedAt is by this process's clock; BeginWithin counts from it.
	ClaimedAt time.Time
	// SendableAt is when the first attempt could have been made: not before the
	// delivery was released, nor before the endpoint stopped failing. Zero for later
	// attempts, and for any attempt at an endpoint that fails or limits itself.
	SendableAt time.Time

	// Broken is why this attempt cannot be sent: the key's secret cannot be
	// decrypted, or the event cannot be read. Only this attempt fails.
	Broken error

	unwell bool // the endpoint's health was not clean: ending the attempt must update it
}

// Claimed is the result of a claim.
type Claimed struct {
	Attempts []Attempt
	// More reports that there may be more to claim now.
	More bool
	// OpensIn is how soon the own rate of an endpoint lets an attempt begin again;
	// zero when none is waited for.
	OpensIn time.Duration
	// Emptied are ready endpoints that have nothing left to send.
	Emptied []uuid.UUID
}

// readyLook is how many ready endpoints one claim looks at.
const readyLook = 400

// Room limits what a claim takes.
type Room struct {
	// Quick leaves out endpoints that last answered slowly.
	Quick bool
	// Full are organizations for which nothing is claimed.
	Full []string
	// Share divides the free places among the claimable endpoints.
	Share func([]delivery.Ready) []int
}

// Claim claims first attempts for a session and logs them as SENDING, as many as
// there is room for, in one transaction. It takes ready endpoints in turn, fairly
// across accounts, and the oldest deliveries of each. Concurrent claims get
// different deliveries: rows that another transaction has locked are left to the
// next claim.
func (s *Store) Claim(ctx context.Context, by domain.Maker, room Room) (Claimed, error) {
	claimedAt := time.Now()
	found, err := s.readyEndpoints(ctx, room)
	nothing := Claimed{OpensIn: found.opensIn}
	if err != nil || len(found.endpoints) == 0 {
		return nothing, err
	}
	var served []uuid.UUID
	var places []int
	for i, n := range room.Share(found.ready) {
		if n > 0 {
			served, places = append(served, found.endpoints[i]), append(places, n)
		}
	}
	if len(served) == 0 {
		return nothing, nil
	}
	var claimed Claimed
	err = s.inPlannedTx(ctx, func(tx pgx.Tx) error {
		claimed = Claimed{More: found.full || len(served) < len(found.endpoints), OpensIn: found.opensIn}
		locked, err := many[struct {
			limitsRow
			EndpointID uuid.UUID
			Places     int
			At         time.Time
		}](ctx, tx, `
			SELECT h.endpoint_id, w.places, m.at, `+limitsColumns+` FROM (SELECT `+momentSQL+` AS at) m, unnest($2::uuid[], $3::int[]) AS w (endpoint_id, places)
			JOIN webhook_endpoint_health h ON h.endpoint_id = w.endpoint_id JOIN webhook_endpoint e ON e.id = w.endpoint_id
			FOR UPDATE OF h SKIP LOCKED`, s.moment(), served, places)
		if err != nil || len(locked) == 0 {
			return err
		}
		mine, most, inFlight := make([]uuid.UUID, len(locked)), make([]int, len(locked)), make([]int, len(locked))
		for i, l := range locked {
			limits := l.limits()
			mine[i], most[i], inFlight[i] = l.EndpointID, min(l.Places, limits.Room(0, l.At)), limits.MostInFlight()
		}
		// What is in flight is counted again, now that the locks are held.
		claimed.Attempts, err = s.logPicked(ctx, tx, locked[0].At, by, false, `
			SELECT d.* FROM unnest($6::uuid[], $7::int[], $9::int[]) AS w (endpoint_id, places, in_flight) JOIN webhook_endpoint_health h ON h.endpoint_id = w.endpoint_id, LATERAL (
				SELECT d.* FROM webhook_delivery d
				WHERE d.endpoint_id = h.endpoint_id AND h.failures < $8 AND d.state = 'PENDING' AND d.asked_at IS NULL AND `+idleSQL+`
				ORDER BY d.next_attempt_at, d.id LIMIT greatest(0, least(w.places, w.in_flight - `+inFlightSQL(`$1::timestamptz`)+`)) FOR UPDATE SKIP LOCKED) AS d`,
			mine, most, delivery.FailingAfter, inFlight)
		if err != nil {
			return err
		}
		given := map[uuid.UUID]int{}
		for _, a := range claimed.Attempts {
			given[a.EndpointID]++
		}
		var inTurn, paced []uuid.UUID
		var opens []time.Time
		for i, l := range locked {
			e := l.EndpointID
			left := l.limits().Begun(given[e], l.At)
			at := left.Opens(l.At)
			switch {
			case at.After(l.At): // there may be more, and it is not for now
				claimed.OpensIn = sooner(claimed.OpensIn, at.Sub(l.At))
			case given[e] == most[i]:
				claimed.More = true
			case given[e] == 0:
				claimed.Emptied = append(claimed.Emptied, e)
			}
			if given[e] > 0 {
				inTurn = append(inTurn, e)
			}
			if left.PerSecond > 0 {
				paced, opens = append(paced, e), append(opens, left.OpensAt)
			}
		}
		batch := &pgx.Batch{}
		if len(inTurn) > 0 {
			batch.Queue(`
				WITH mine AS MATERIALIZED (SELECT endpoint_id FROM webhook_ready WHERE endpoint_id = ANY ($1) FOR UPDATE SKIP LOCKED)
				UPDATE webhook_ready q SET turn = $2 FROM mine WHERE q.endpoint_id = mine.endpoint_id`, inTurn, locked[0].At)
		}
		savePace(batch, paced, opens, locked[0].At)
		return tx.SendBatch(ctx, batch).Close()
	})
	if err != nil {
		return Claimed{}, err // what is not in the log must not be sent
	}
	for i := range claimed.Attempts {
		claimed.Attempts[i].ClaimedAt = claimedAt
	}
	return claimed, nil
}

// sooner is the shorter of two waits; zero is none.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 || b < a {
		return b
	}
	return a
}

// savePace keeps when the own rates of endpoints, whose health is locked, let an
// attempt begin again.
func savePace(batch *pgx.Batch, endpoints []uuid.UUID, opens []time.Time, at time.Time) {
	if len(endpoints) == 0 {
		return
	}
	batch.Queue(`
		UPDATE webhook_endpoint_health h SET opens_at = u.opens FROM unnest($1::uuid[], $2::timestamptz[]) AS u (endpoint_id, opens)
		WHERE h.endpoint_id = u.endpoint_id`, endpoints, opens)
	batch.Queue(`
		WITH mine AS MATERIALIZED (SELECT endpoint_id FROM webhook_ready WHERE endpoint_id = ANY ($1) FOR UPDATE SKIP LOCKED)
		UPDATE webhook_ready q SET paced_until = CASE WHEN u.opens > $3 THEN u.opens END
		FROM mine JOIN unnest($1::uuid[], $2::timestamptz[]) AS u (endpoint_id, opens) ON u.endpoint_id = mine.endpoint_id
		WHERE q.endpoint_id = mine.endpoint_id`, endpoints, opens, at)
}

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

// lookForReady also reports whether endpoints without a free place, which the next
// look leaves out, may have hidden others.
func (s *Store) lookForReady(ctx context.Context, room Room) (found readyFound, hidden bool, err error) {
	type row struct {
		limitsRow
		EndpointID   uuid.UUID
		Account      string
		Organization string
		Open         bool
		InFlight     int
		UnknownSince *time.Time // of an attempt that holds a place until it is old enough
		At           time.Time
	}
	seen := s.full.look(s.instant())
	defer seen.end()
	var rows []row
	look := func(batch *pgx.Batch, which, order string) {
		batch.Queue(`
			SELECT q.endpoint_id, q.account_id::text AS account, o.organization AS organization, o.sendable AND o.failures < $2 AS open, o.in_flight,
				CASE WHEN o.in_flight >= coalesce(o.concurrency, $4) THEN (
					SELECT min(a.started_at) FROM webhook_attempt a WHERE a.endpoint_id = q.endpoint_id AND a.outcome = 'UNKNOWN' AND a.started_at > m.at - interval '`+placeHeld+`') END AS unknown_since,
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
				frees = min(frees, e.UnknownSince.Add(delivery.PlaceHeld).Sub(e.At))
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

// logPicked logs an attempt for each delivery that a query selects and locks, and
// reads what is needed to send it. The query's own arguments begin at $6. The
// endpoints' health is locked.
func (s *Store) logPicked(ctx context.Context, tx pgx.Tx, at time.Time, by domain.Maker, probe bool, pick string, args ...any) ([]Attempt, error) {
	type row struct {
		ID           uuid.UUID
		AccountID    uuid.UUID
		Organization string
		Environment  domain.Environment
		EndpointID   uuid.UUID
		AttemptCount int
		DueAt        time.Time
		URL          string
		EventID      uuid.UUID
		EventType    string
		OccurredAt   time.Time
		WorkflowID   uuid.NullUUID
		Sequence     int64
		UserID       string
		UserType     string
		Fields       []byte
		Traceparent  string
		KeyID        string
		SecretSealed []byte
		Failures     int
		RecoveredAt  *time.Time
		Epoch        int
		Watched      bool // a success changes the endpoint's health, too
		Limited      bool // by the endpoint itself
		Replay       bool
	}
	rows, err := many[row](ctx, tx, `
		WITH picked AS MATERIALIZED (`+pick+`),
		sent AS MATERIALIZED (
			SELECT d.id, d.replay, d.account_id, c.organization_id::text AS organization, c.environment, d.endpoint_id, d.attempt_count, d.next_attempt_at AS due_at, e.url, v.id AS event_id, v.event_type, v.occurred_at,
				v.workflow_id, v.sequence, v.user_id, v.user_type, v.fields, v.traceparent, k.key_id, k.secret_sealed, h.failures, h.recovered_at, h.epoch, h.slow OR h.told IS NOT NULL AS watched,
				e.rate_per_second IS NOT NULL OR e.concurrency IS NOT NULL AS limited
			FROM picked d JOIN webhook_event v ON v.id = d.event_id JOIN webhook_endpoint e ON e.id = d.endpoint_id
			JOIN webhook_endpoint_health h ON h.endpoint_id = d.endpoint_id JOIN account c ON c.id = d.account_id
			JOIN webhook_key k ON k.account_id = d.account_id AND k.status = 'ACTIVE'
			WHERE e.status = 'ACTIVE' AND e.deleted_at IS NULL),
		logged AS (
			INSERT INTO webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, probe, epoch, workflow_id, run_id, activity_id)
			SELECT id, attempt_count + 1, endpoint_id, 'SENDING', key_id, $1, $2, epoch, $3, $4, $5 FROM sent)
		SELECT * FROM sent ORDER BY id`, append([]any{at, probe, by.WorkflowID, by.RunID, by.ActivityID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("claim deliveries: %w", err)
	}
	type opened struct {
		secret []byte
		err    error
	}
	secrets := map[uuid.UUID]opened{} // by account: each has one active key
	attempts := make([]Attempt, len(rows))
	for i, r := range rows {
		key, known := secrets[r.AccountID]
		if !known {
			if key.secret, key.err = s.vault.Open(r.SecretSealed, keyBinding(r.AccountID, r.KeyID)); key.err != nil {
				key.err = fmt.Errorf("secret of webhook key %s: %w", r.KeyID, key.err)
			}
			secrets[r.AccountID] = key
		}
		payload, err := eventPayload(r.WorkflowID, r.Sequence, r.UserID, r.UserType, r.Fields)
		h := delivery.Health{Failures: r.Failures}
		attempts[i] = Attempt{
			Attempt:    delivery.Attempt{Number: r.AttemptCount + 1, StartedAt: at, Probe: probe, Epoch: r.Epoch, Outcome: delivery.Sending},
			DeliveryID: r.ID, EndpointID: r.EndpointID, Organization: r.Organization, URL: r.URL, Traceparent: r.Traceparent,
			Event: webhook.Event{
				ID: id.Format(id.WebhookEvent, r.EventID), Type: r.EventType, Timestamp: wire.DateTime(r.OccurredAt),
				AccountID: id.Format(r.Environment.Prefix(), r.AccountID), Sequence: r.Sequence, Replay: r.Replay, Payload: payload,
			},
			Key:    webhook.Key{ID: r.KeyID, Secret: key.secret},
			Broken: errors.Join(key.err, err),
			unwell: r.Failures > 0 || r.Watched,
		}
		if r.AttemptCount == 0 && !h.Failing() && !r.Limited {
			attempts[i].SendableAt = r.DueAt
			if r.RecoveredAt != nil && r.RecoveredAt.After(r.DueAt) {
				attempts[i].SendableAt = *r.RecoveredAt
			}
		}
	}
	return attempts, nil
}

// Look is what an endpoint's run finds when it looks.
type Look struct {
	Attempts []Attempt
	// Next is when to look again; zero when nothing is left for the run.
	Next time.Time
	In   time.Duration // from now until Next
	// What the run shows to operators.
	Host         string
	Waiting      int // PENDING and RETRYING, counted up to WaitingCounted
	FailingSince time.Time
	LastError    string
	Failing      bool
	Sendable     bool // the endpoint exists and is enabled, and its account has an active key
}

// WaitingCounted is where counting an endpoint's waiting deliveries stops.
const WaitingCounted = 10_000

// LookAt claims for an endpoint's own run what may begin now, as Claim does:
// requested attempts, a probe if the endpoint is failing, and otherwise what is
// due again; up to most attempts. inHand is how many attempts the run has in
// flight. It records when the run looks next, so that it is not woken needlessly.
func (s *Store) LookAt(ctx context.Context, by domain.Maker, endpoint uuid.UUID, most, inHand int) (Look, error) {
	var look Look
	claimedAt := time.Now()
	err := s.inPlannedTx(ctx, func(tx pgx.Tx) error {
		look = Look{}
		h, found, err := one[struct {
			healthRow
			RatePerSecond *int
			Concurrency   *int
			Sendable      bool
			URL           string
			InFlight      int
			At            time.Time
		}](ctx, tx, `
			SELECT `+healthRowColumns+`, e.rate_per_second, e.concurrency, `+sendableSQL+` AS sendable, e.url, `+inFlightSQL(`m.at`)+` AS in_flight, m.at
			FROM (SELECT `+momentSQL+` AS at) m, webhook_endpoint_health h JOIN webhook_endpoint e ON e.id = h.endpoint_id
			WHERE h.endpoint_id = $2 FOR UPDATE OF h`, s.moment(), endpoint)
		if err != nil || !found {
			return err
		}
		health, limits := h.health(), limitsRow{h.RatePerSecond, h.Concurrency, h.OpensAt}.limits()
		look.Host, look.Sendable, look.Failing = host(h.URL), h.Sendable, health.Failing()
		look.FailingSince, look.LastError = health.FailingSince, health.LastError
		if h.Sendable {
			// What is in flight is counted again, now that the lock is held.
			if err := tx.QueryRow(ctx, `SELECT `+inFlightSQL(`$2::timestamptz`)+` FROM webhook_endpoint_health h WHERE h.endpoint_id = $1`, endpoint, h.At).Scan(&h.InFlight); err != nil {
				return fmt.Errorf("count attempts in flight: %w", err)
			}
			offer := delivery.NewOffer(health, limits, h.InFlight, h.At)
			offer.Room = min(offer.Room, most)
			if look.Attempts, err = s.pickFor(ctx, tx, by, endpoint, offer, h.At); err != nil {
				return err
			}
			if limits = limits.Begun(len(look.Attempts), h.At); limits.PerSecond > 0 && len(look.Attempts) > 0 {
				batch := &pgx.Batch{}
				savePace(batch, []uuid.UUID{endpoint}, []time.Time{limits.OpensAt}, h.At)
				if err := tx.SendBatch(ctx, batch).Close(); err != nil {
					return fmt.Errorf("keep an endpoint's pace: %w", err)
				}
			}
		}
		owed, _, err := one[owedRow](ctx, tx, `
			SELECT EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = $1 AND d.asked_at IS NOT NULL AND `+idleSQL+`) AS asked,
				(SELECT d.next_attempt_at FROM webhook_delivery d WHERE d.endpoint_id = $1 AND d.state = 'RETRYING' AND `+idleSQL+` ORDER BY d.next_attempt_at LIMIT 1) AS retrying,
				EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = $1 AND d.state = 'PENDING' AND `+idleSQL+`) AS pending`, endpoint)
		if err != nil {
			return err
		}
		if len(look.Attempts)+inHand == 0 { // shown to operators
			err := tx.QueryRow(ctx, `
				SELECT least($2, (SELECT count(*) FROM (SELECT FROM webhook_delivery d WHERE d.endpoint_id = $1 AND d.state = 'PENDING' LIMIT $2) AS d)
					+ (SELECT count(*) FROM (SELECT FROM webhook_delivery d WHERE d.endpoint_id = $1 AND d.state = 'RETRYING' LIMIT $2) AS d))::int`,
				endpoint, WaitingCounted).Scan(&look.Waiting)
			if err != nil {
				return fmt.Errorf("count what waits at an endpoint: %w", err)
			}
		}
		next, any := delivery.NextLook(health, limits, delivery.Owed{
			Asked: owed.Asked, Retrying: orZero(owed.Retrying), Pending: owed.Pending, InFlight: h.InFlight + len(look.Attempts),
		}, h.At)
		any = any && h.Sendable
		if !any && health.Failing() {
			// A delivery that is written from now on makes the endpoint ready again, and
			// the session that sees it wakes a run.
			removed, err := removeReady(ctx, tx, []uuid.UUID{endpoint})
			if err != nil {
				return err
			}
			if !removed && h.Sendable {
				next, any = h.At.Add(time.Second), true
			}
		}
		if any {
			look.Next, look.In = next, next.Sub(h.At)
		}
		if len(look.Attempts)+inHand > 0 { // it looks again when they have ended
			next, any = h.At, true
		}
		var looksAt *time.Time
		if any {
			looksAt = &next
		}
		_, err = tx.Exec(ctx, `UPDATE webhook_endpoint_health SET looks_at = $2, wake_at = NULL, wake_lease = NULL WHERE endpoint_id = $1`, endpoint, looksAt)
		return err
	})
	if err != nil {
		return Look{}, fmt.Errorf("look at what an endpoint is owed: %w", err)
	}
	for i := range look.Attempts {
		look.Attempts[i].ClaimedAt = claimedAt
	}
	return look, nil
}

type owedRow struct {
	Asked    bool
	Retrying *time.Time
	Pending  bool
}

// pickFor claims deliveries of one endpoint.
func (s *Store) pickFor(ctx context.Context, tx pgx.Tx, by domain.Maker, endpoint uuid.UUID, offer delivery.Offer, at time.Time) ([]Attempt, error) {
	if offer.Room == 0 {
		return nil, nil
	}
	attempts, err := s.logPicked(ctx, tx, at, by, false, `
		SELECT d.* FROM webhook_delivery d
		WHERE d.endpoint_id = $6 AND d.asked_at IS NOT NULL AND d.state IN ('PENDING', 'RETRYING') AND `+idleSQL+`
		ORDER BY d.asked_at, d.id LIMIT $7 FOR UPDATE SKIP LOCKED`, endpoint, offer.Room)
	if err != nil {
		return nil, err
	}
	var more []Attempt
	switch room := offer.Room - len(attempts); {
	case room == 0 || offer.Probe && len(attempts) > 0:
	case offer.Probe:
		// The delivery that has waited longest, since it was created or became due
		// again: so each gets its turn.
		more, err = s.logPicked(ctx, tx, at, by, true, `
			SELECT d.* FROM webhook_delivery d WHERE d.id = (
				SELECT due.id FROM (
					(SELECT d.id, d.next_attempt_at FROM webhook_delivery d WHERE d.endpoint_id = $6 AND d.state = 'PENDING' AND d.asked_at IS NULL AND `+idleSQL+`
						ORDER BY d.next_attempt_at, d.id LIMIT 1)
					UNION ALL
					(SELECT d.id, d.next_attempt_at FROM webhook_delivery d WHERE d.endpoint_id = $6 AND d.state = 'RETRYING' AND d.asked_at IS NULL AND d.next_attempt_at <= $1 AND `+idleSQL+`
						ORDER BY d.next_attempt_at, d.id LIMIT 1)) AS due
				ORDER BY due.next_attempt_at, due.id LIMIT 1) FOR UPDATE SKIP LOCKED`, endpoint)
	case offer.Retry:
		more, err = s.logPicked(ctx, tx, at, by, false, `
			SELECT d.* FROM webhook_delivery d
			WHERE d.endpoint_id = $6 AND d.state = 'RETRYING' AND d.asked_at IS NULL AND d.next_attempt_at <= $1 AND `+idleSQL+`
			ORDER BY d.next_attempt_at, d.id LIMIT $7 FOR UPDATE SKIP LOCKED`, endpoint, room)
	}
	return slices.Concat(attempts, more), err
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
