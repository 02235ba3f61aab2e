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

// RunClaim is what an endpoint's run has claimed, and what the run shows to operators.
type RunClaim struct {
	Attempts []Attempt
	// Next is when to look again. It is zero when nothing is left for the run.
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

// ForRun claims what an endpoint's own run may begin now, as Claim does: requested attempts, a
// probe if the endpoint is failing, and otherwise retries that are due. It claims up to most
// attempts. inHand is how many attempts the run has in flight. ForRun saves when the run looks
// next, so that nobody wakes it needlessly.
func (s Claims) ForRun(
	ctx context.Context, by domain.CreatedBy,
	endpoint id.UUID, most, inHand int,
) (RunClaim, error) {
	var claim RunClaim
	claimedAt := time.Now()
	err := s.db.InPlannedTx(ctx, func(tx pgx.Tx) error {
		claim = RunClaim{} // forgets what an earlier try claimed
		e, found, err := s.lockForRun(ctx, tx, endpoint)
		if err != nil || !found {
			return err
		}
		claim = e.shown()
		if claim.Attempts, err = s.pickForRun(ctx, tx, by, &e, most); err != nil {
			return err
		}
		left, err := e.left(ctx, tx)
		if err != nil {
			return err
		}
		left.InFlight = e.inFlight + len(claim.Attempts)
		inFlight := len(claim.Attempts)+inHand > 0
		if !inFlight { // the run shows it while it waits
			if claim.Waiting, err = countWaiting(ctx, tx, endpoint); err != nil {
				return err
			}
		}
		next, again, err := e.nextLook(ctx, tx, left)
		if err != nil {
			return err
		}
		if again {
			claim.Next, claim.In = next, next.Sub(e.at)
		}
		if inFlight { // the run looks again when its attempts have ended
			next, again = e.at, true
		}
		return saveLook(ctx, tx, endpoint, next, again)
	})
	if err != nil {
		return RunClaim{}, fmt.Errorf("claim for an endpoint's run: %w", err)
	}
	for i := range claim.Attempts {
		claim.Attempts[i].ClaimedAt = claimedAt
	}
	return claim, nil
}

// runEndpoint is the endpoint of a run, with its health locked.
type runEndpoint struct {
	id       id.UUID
	url      string
	health   delivery.Health
	limits   delivery.Limits
	at       time.Time // the moment of the claim
	sendable bool
	inFlight int // before the claim
}

// lockForRun locks the health of an endpoint, and reads what a claim decides by. It returns
// false when the endpoint does not exist.
func (s Claims) lockForRun(ctx context.Context, tx pgx.Tx, endpoint id.UUID) (runEndpoint, bool, error) {
	h, found, err := db.One[struct {
		HealthRow
		RatePerSecond *int
		Concurrency   *int
		URL           string
		At            time.Time
	}](ctx, tx, `
		SELECT `+healthRowColumns+`, e.rate_per_second, e.concurrency, e.url, m.at
		FROM (SELECT `+db.MomentSQL+` AS at) m, webhook_endpoint_health h
			JOIN webhook_endpoint e ON e.id = h.endpoint_id
		WHERE h.endpoint_id = $2
		FOR UPDATE OF h`,
		s.db.Moment(), endpoint)
	if err != nil || !found {
		return runEndpoint{}, false, err
	}
	e := runEndpoint{
		id: endpoint, url: h.URL, at: h.At,
		health: h.Health(),
		limits: limitsRow{h.RatePerSecond, h.Concurrency, h.OpensAt}.limits(),
	}
	// A statement after the one that locks sees what was committed before the lock was granted.
	err = tx.QueryRow(ctx, `
		SELECT `+SendableSQL+`, `+inFlightSQL(`$2::timestamptz`)+`
		FROM webhook_endpoint_health h
			JOIN webhook_endpoint e ON e.id = h.endpoint_id
		WHERE h.endpoint_id = $1`,
		endpoint, e.at).Scan(&e.sendable, &e.inFlight)
	if err != nil {
		return runEndpoint{}, false, fmt.Errorf("read whether an endpoint has room: %w", err)
	}
	return e, true, nil
}

// shown is what the run shows to operators about its endpoint.
func (e runEndpoint) shown() RunClaim {
	return RunClaim{
		Host:         Host(e.url),
		Sendable:     e.sendable,
		Failing:      e.health.Failing(),
		FailingSince: e.health.FailingSince,
		LastError:    e.health.LastError,
	}
}

// pickForRun claims up to most deliveries if anything may be sent to the endpoint. It counts
// them against the endpoint's rate, and saves when the rate allows the next attempt.
func (s Claims) pickForRun(
	ctx context.Context, tx pgx.Tx, by domain.CreatedBy,
	e *runEndpoint, most int,
) ([]Attempt, error) {
	if !e.sendable {
		return nil, nil
	}
	offer := delivery.NewOffer(e.health, e.limits, e.inFlight, e.at)
	offer.Room = min(offer.Room, most)
	attempts, err := s.pickFor(ctx, tx, by, e.id, offer, e.at)
	if err != nil {
		return nil, err
	}
	e.limits = e.limits.Begun(len(attempts), e.at)
	if e.limits.PerSecond > 0 && len(attempts) > 0 {
		batch := &pgx.Batch{}
		savePace(batch, []id.UUID{e.id}, []time.Time{e.limits.OpensAt})
		queueTurns(batch, []id.UUID{e.id}, []time.Time{e.limits.Opens(e.at)})
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return nil, fmt.Errorf("keep an endpoint's pace: %w", err)
		}
	}
	return attempts, nil
}

// left reads what waits at the endpoint and is not in flight.
func (e runEndpoint) left(ctx context.Context, tx pgx.Tx) (delivery.Backlog, error) {
	open, _, err := db.One[struct {
		RetryRequested bool
		Retrying       *time.Time
		Pending        bool
	}](ctx, tx, `
		SELECT
			EXISTS (SELECT FROM webhook_delivery d
				WHERE d.endpoint_id = $1
					AND d.retry_requested_at IS NOT NULL
					AND `+IdleSQL+`) AS retry_requested,
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
		e.id, e.at)
	return delivery.Backlog{
		RetryRequested: open.RetryRequested,
		Retrying:       db.OrZero(open.Retrying),
		Pending:        open.Pending,
	}, err
}

// countWaiting counts what waits at an endpoint, up to WaitingCounted.
func countWaiting(ctx context.Context, tx pgx.Tx, endpoint id.UUID) (n int, err error) {
	err = tx.QueryRow(ctx, `
		SELECT least($2,
			(SELECT count(*) FROM (
				SELECT FROM webhook_delivery d
				WHERE d.endpoint_id = $1 AND d.state = 'PENDING'
				LIMIT $2) AS d)
			+ (SELECT count(*) FROM (
				SELECT FROM webhook_delivery d
				WHERE d.endpoint_id = $1 AND d.state = 'RETRYING'
				LIMIT $2) AS d))::int`,
		endpoint, WaitingCounted).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count what waits at an endpoint: %w", err)
	}
	return n, nil
}

// nextLook decides when the run must look again; false when nothing is left for it. It removes a
// failing endpoint with nothing to send from the ready ones.
func (e runEndpoint) nextLook(ctx context.Context, tx pgx.Tx, left delivery.Backlog) (time.Time, bool, error) {
	next, again := delivery.NextLook(e.health, e.limits, left, e.at)
	again = again && e.sendable
	if again || !e.health.Failing() {
		return next, again, nil
	}
	// A delivery that is written from now on makes the endpoint ready again, and TidyReady then
	// wakes a run.
	removed, err := removeReady(ctx, tx, []id.UUID{e.id})
	if err != nil {
		return time.Time{}, false, err
	}
	if !removed && e.sendable {
		return e.at.Add(time.Second), true, nil
	}
	return next, false, nil
}

// saveLook saves when the run looks next, if again, and that nobody has to wake it.
func saveLook(ctx context.Context, tx pgx.Tx, endpoint id.UUID, next time.Time, again bool) error {
	var looksAt *time.Time
	if again {
		looksAt = &next
	}
	_, err := tx.Exec(ctx, `
		UPDATE webhook_endpoint_health
		SET looks_at = $2, wake_at = NULL, wake_lease = NULL
		WHERE endpoint_id = $1`,
		endpoint, looksAt)
	return err
}

// releasedBySQL selects deliveries d that were released together with their endpoint. The
// endpoint's time is a scalar, so that it bounds an index. A join would read all RETRYING
// deliveries.
func releasedBySQL(endpoint string) string {
	return `d.updated_at <= (SELECT h.released_at FROM webhook_endpoint_health h WHERE h.endpoint_id = ` + endpoint + `)`
}

// pickFor claims deliveries of one endpoint: first those whose attempt was requested.
func (s Claims) pickFor(ctx context.Context, tx pgx.Tx, by domain.CreatedBy, endpoint id.UUID, offer delivery.Offer, at time.Time) ([]Attempt, error) {
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
		// The probe takes the delivery that has waited longest since it was created or became due
		// again, so that each delivery gets its turn.
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
		// Released deliveries come first, then those that are due by their own schedule. Each pick
		// reads one index: a condition with OR would also read all other deliveries.
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
