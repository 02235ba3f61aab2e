package deliveries

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
)

// RunClaim is what an endpoint's run claims, and what it shows.
type RunClaim struct {
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

// ClaimForRun claims for an endpoint's own run what may begin now, as Claim does:
// requested attempts, a probe if the endpoint is failing, and otherwise what is
// due again; up to most attempts. inHand is how many attempts the run has in
// flight. It records when the run looks next, so that it is not woken needlessly.
func (s *Store) ClaimForRun(ctx context.Context, by domain.CreatedBy, endpoint id.UUID, most, inHand int) (RunClaim, error) {
	var claim RunClaim
	claimedAt := time.Now()
	err := s.db.InPlannedTx(ctx, func(tx pgx.Tx) error {
		claim = RunClaim{}
		h, found, err := db.One[struct {
			HealthRow
			RatePerSecond *int
			Concurrency   *int
			URL           string
			At            time.Time
		}](ctx, tx, `
			SELECT `+healthRowColumns+`, e.rate_per_second, e.concurrency, e.url, m.at
			FROM (SELECT `+db.MomentSQL+` AS at) m, webhook_endpoint_health h JOIN webhook_endpoint e ON e.id = h.endpoint_id
			WHERE h.endpoint_id = $2 FOR UPDATE OF h`, s.db.Moment(), endpoint)
		if err != nil || !found {
			return err
		}
		// In a statement after the one that locks: it sees what was committed before.
		var sendable bool
		var inFlight int
		err = tx.QueryRow(ctx, `
			SELECT `+SendableSQL+`, `+inFlightSQL(`$2::timestamptz`)+`
			FROM webhook_endpoint_health h
				JOIN webhook_endpoint e ON e.id = h.endpoint_id
			WHERE h.endpoint_id = $1`,
			endpoint, h.At).Scan(&sendable, &inFlight)
		if err != nil {
			return fmt.Errorf("read whether an endpoint has room: %w", err)
		}
		health, limits := h.Health(), limitsRow{h.RatePerSecond, h.Concurrency, h.OpensAt}.limits()
		claim.Host, claim.Sendable, claim.Failing = Host(h.URL), sendable, health.Failing()
		claim.FailingSince, claim.LastError = health.FailingSince, health.LastError
		if sendable {
			offer := delivery.NewOffer(health, limits, inFlight, h.At)
			offer.Room = min(offer.Room, most)
			if claim.Attempts, err = s.pickFor(ctx, tx, by, endpoint, offer, h.At); err != nil {
				return err
			}
			if limits = limits.Begun(len(claim.Attempts), h.At); limits.PerSecond > 0 && len(claim.Attempts) > 0 {
				batch := &pgx.Batch{}
				savePace(batch, []id.UUID{endpoint}, []time.Time{limits.OpensAt})
				queueTurns(batch, []id.UUID{endpoint}, []time.Time{limits.Opens(h.At)})
				if err := tx.SendBatch(ctx, batch).Close(); err != nil {
					return fmt.Errorf("keep an endpoint's pace: %w", err)
				}
			}
		}
		open, _, err := db.One[struct {
			RetryRequested bool
			Retrying       *time.Time
			Pending        bool
		}](ctx, tx, `
			SELECT EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = $1 AND d.retry_requested_at IS NOT NULL AND `+IdleSQL+`) AS retry_requested,
				least(
					(SELECT $2::timestamptz FROM webhook_delivery d
						WHERE d.endpoint_id = $1
							AND d.state = 'RETRYING'
							AND `+releasedBySQL(`$1`)+`
							AND `+IdleSQL+`
						ORDER BY d.updated_at LIMIT 1),
					(SELECT d.next_attempt_at FROM webhook_delivery d
						WHERE d.endpoint_id = $1
							AND d.state = 'RETRYING'
							AND `+IdleSQL+`
						ORDER BY d.next_attempt_at LIMIT 1)) AS retrying,
				EXISTS (SELECT FROM webhook_delivery d
					WHERE d.endpoint_id = $1
						AND d.state = 'PENDING'
						AND `+IdleSQL+`) AS pending`,
			endpoint, h.At)
		if err != nil {
			return err
		}
		if len(claim.Attempts)+inHand == 0 { // shown to operators
			err := tx.QueryRow(ctx, `
				SELECT least($2, (SELECT count(*) FROM (SELECT FROM webhook_delivery d WHERE d.endpoint_id = $1 AND d.state = 'PENDING' LIMIT $2) AS d)
					+ (SELECT count(*) FROM (SELECT FROM webhook_delivery d WHERE d.endpoint_id = $1 AND d.state = 'RETRYING' LIMIT $2) AS d))::int`,
				endpoint, WaitingCounted).Scan(&claim.Waiting)
			if err != nil {
				return fmt.Errorf("count what waits at an endpoint: %w", err)
			}
		}
		next, any := delivery.NextLook(health, limits, delivery.Backlog{
			RetryRequested: open.RetryRequested, Retrying: db.OrZero(open.Retrying), Pending: open.Pending, InFlight: inFlight + len(claim.Attempts),
		}, h.At)
		any = any && sendable
		if !any && health.Failing() {
			// A delivery that is written from now on makes the endpoint ready again, and
			// tidying wakes a run.
			removed, err := removeReady(ctx, tx, []id.UUID{endpoint})
			if err != nil {
				return err
			}
			if !removed && sendable {
				next, any = h.At.Add(time.Second), true
			}
		}
		if any {
			claim.Next, claim.In = next, next.Sub(h.At)
		}
		if len(claim.Attempts)+inHand > 0 { // it looks again when they have ended
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
		return RunClaim{}, fmt.Errorf("claim for an endpoint's run: %w", err)
	}
	for i := range claim.Attempts {
		claim.Attempts[i].ClaimedAt = claimedAt
	}
	return claim, nil
}

// releasedBySQL are deliveries d that were released when their endpoint was. The endpoint's time
// is a scalar, so that it bounds an index: a join would read everything that is RETRYING.
func releasedBySQL(endpoint string) string {
	return `d.updated_at <= (SELECT h.released_at FROM webhook_endpoint_health h WHERE h.endpoint_id = ` + endpoint + `)`
}

// pickFor claims deliveries of one endpoint.
func (s *Store) pickFor(ctx context.Context, tx pgx.Tx, by domain.CreatedBy, endpoint id.UUID, offer delivery.Offer, at time.Time) ([]Attempt, error) {
	if offer.Room == 0 {
		return nil, nil
	}
	attempts, err := s.logPicked(ctx, tx, at, by, false, `
		SELECT d.* FROM webhook_delivery d
		WHERE d.endpoint_id = $6 AND d.retry_requested_at IS NOT NULL AND d.state IN ('PENDING', 'RETRYING') AND `+IdleSQL+`
		ORDER BY d.retry_requested_at, d.id LIMIT $7 FOR UPDATE SKIP LOCKED`, endpoint, offer.Room)
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
					(SELECT d.id, d.next_attempt_at AS since FROM webhook_delivery d
						WHERE d.endpoint_id = $6
							AND d.state = 'PENDING'
							AND d.retry_requested_at IS NULL
							AND `+IdleSQL+`
						ORDER BY d.next_attempt_at, d.id LIMIT 1)
					UNION ALL
					(SELECT d.id, (SELECT h.released_at FROM webhook_endpoint_health h WHERE h.endpoint_id = $6) FROM webhook_delivery d WHERE d.endpoint_id = $6
						AND d.state = 'RETRYING' AND d.retry_requested_at IS NULL AND `+releasedBySQL(`$6`)+` AND `+IdleSQL+` ORDER BY d.updated_at, d.id LIMIT 1)
					UNION ALL
					(SELECT d.id, d.next_attempt_at FROM webhook_delivery d
						WHERE d.endpoint_id = $6
							AND d.state = 'RETRYING'
							AND d.retry_requested_at IS NULL
							AND d.next_attempt_at <= $1
							AND `+IdleSQL+`
						ORDER BY d.next_attempt_at, d.id LIMIT 1)) AS due
				ORDER BY due.since, due.id LIMIT 1) FOR UPDATE SKIP LOCKED`, endpoint)
	case offer.Retry:
		// What was released comes first, and then what is due by its own schedule. Each pick
		// reads one index: a condition with OR would read everything that is neither.
		more, err = s.logPicked(ctx, tx, at, by, false, `
			SELECT * FROM (
				SELECT * FROM (
					SELECT d.* FROM webhook_delivery d WHERE d.endpoint_id = $6 AND d.state = 'RETRYING' AND d.retry_requested_at IS NULL AND `+IdleSQL+`
						AND `+releasedBySQL(`$6`)+`
					ORDER BY d.updated_at, d.id LIMIT $7 FOR UPDATE SKIP LOCKED) AS released
				UNION ALL
				SELECT * FROM (
					SELECT d.* FROM webhook_delivery d WHERE d.endpoint_id = $6 AND d.state = 'RETRYING' AND d.retry_requested_at IS NULL AND `+IdleSQL+`
						AND d.next_attempt_at <= $1 AND d.updated_at > (SELECT h.released_at FROM webhook_endpoint_health h WHERE h.endpoint_id = $6)
					ORDER BY d.next_attempt_at, d.id LIMIT $7 FOR UPDATE SKIP LOCKED) AS due) AS d
			LIMIT $7`, endpoint, room)
	}
	return slices.Concat(attempts, more), err
}
