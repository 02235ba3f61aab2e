package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/delivery"
	"requisite/internal/domain"
	"requisite/internal/webhook"
)

// AttemptEnd is an attempt that has ended, and its answer.
type AttemptEnd struct {
	Attempt
	Result webhook.Result
}

// Next is the state of a delivery after an attempt.
type Next struct {
	State   delivery.State
	Outcome delivery.Outcome
	At      time.Time // of the next attempt, while it is open
	Error   string    // why the attempt did not succeed
	GaveUp  bool      // this was the last attempt
}

// EndAttempts logs the outcomes of attempts and updates their deliveries and
// endpoints, all in one transaction; results are in the order of the attempts. A
// success at a healthy endpoint does not touch its health. Writing an outcome
// twice changes nothing.
func (s *Store) EndAttempts(ctx context.Context, ended []AttemptEnd) ([]Next, error) {
	decide := func(i int, d delivery.Delivery, h delivery.Health, a delivery.Attempt, at time.Time) delivery.After {
		return delivery.End(d, h, a, ended[i].answer(), at, rand.Float64())
	}
	attempts := make([]Attempt, len(ended))
	for i, e := range ended {
		attempts[i] = e.Attempt
		attempts[i].unwell = e.unwell || e.answer().Verdict() != delivery.Success || e.Result.Duration >= delivery.SlowAfter
	}
	return s.end(ctx, attempts, []delivery.Outcome{delivery.Sending, delivery.Unknown}, decide, func(batch *pgx.Batch, ids []uuid.UUID, order []int, outcomes []string) {
		n := len(order)
		durations, statuses := make([]int64, n), make([]*int, n)
		errs, bodies, addresses, numbers := make([]string, n), make([]string, n), make([]string, n), make([]int, n)
		for i, k := range order {
			r := ended[k].Result
			numbers[i], durations[i], statuses[i] = ended[k].Number, r.Duration.Milliseconds(), orNil(r.StatusCode)
			errs[i], bodies[i], addresses[i] = r.Error, r.Body, r.Address
		}
		batch.Queue(`
			UPDATE webhook_attempt a SET outcome = u.outcome, duration_ms = u.duration, status_code = u.status, error = nullif(u.error, ''),
				response_body = u.body, address = nullif(u.address, '')
			FROM unnest($1::uuid[], $2::int[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[])
				AS u (delivery_id, number, outcome, duration, status, error, body, address)
			WHERE a.delivery_id = u.delivery_id AND a.number = u.number`, ids, numbers, outcomes, durations, statuses, errs, bodies, addresses)
	})
}

func (e AttemptEnd) answer() delivery.Answer {
	return delivery.Answer{StatusCode: e.Result.StatusCode, Error: e.Result.Error, RetryAfter: e.Result.RetryAfter, Duration: e.Result.Duration}
}

// LoseAttempts declares attempts lost whose outcome nobody will write: whether
// they arrived is UNKNOWN, and their deliveries continue on schedule.
func (s *Store) LoseAttempts(ctx context.Context, attempts []Attempt) error {
	for i := range attempts {
		attempts[i].unwell = true
	}
	decide := func(_ int, d delivery.Delivery, h delivery.Health, a delivery.Attempt, at time.Time) delivery.After {
		return delivery.Lose(d, h, a, at, rand.Float64())
	}
	_, err := s.end(ctx, attempts, []delivery.Outcome{delivery.Sending}, decide, func(batch *pgx.Batch, ids []uuid.UUID, order []int, outcomes []string) {
		numbers := make([]int, len(order))
		for i, k := range order {
			numbers[i] = attempts[k].Number
		}
		batch.Queue(`
			UPDATE webhook_attempt a SET outcome = u.outcome FROM unnest($1::uuid[], $2::int[], $3::text[]) AS u (delivery_id, number, outcome)
			WHERE a.delivery_id = u.delivery_id AND a.number = u.number`, ids, numbers, outcomes)
	})
	return err
}

// end locks the rows that the attempts concern, in lock order, decides, and
// saves: one statement for each record type. Attempts whose outcome is not one of
// from are left as they are. decide gets an attempt's index in the list, and log
// saves the attempts at the given indexes.
func (s *Store) end(ctx context.Context, attempts []Attempt, from []delivery.Outcome,
	decide func(i int, d delivery.Delivery, h delivery.Health, a delivery.Attempt, at time.Time) delivery.After,
	log func(batch *pgx.Batch, ids []uuid.UUID, order []int, outcomes []string),
) ([]Next, error) {
	nexts := make([]Next, len(attempts))
	disable := map[uuid.UUID]disabling{}
	var after afterCommit
	shareAll := false
	step := func(tx pgx.Tx) error {
		clear(nexts)
		clear(disable)
		after = afterCommit{}
		locked, err := s.lockForEnd(ctx, tx, attempts, shareAll)
		if err != nil {
			return err
		}
		var notices []notice
		var ids, each []uuid.UUID // of attempts, and of deliveries
		var order []int
		var outcomes []string
		saved := map[uuid.UUID]delivery.Delivery{}
		health := map[uuid.UUID]delivery.Health{}
		for e, h := range locked.health {
			health[e] = h.health()
		}
		for i, a := range attempts {
			row, found := locked.deliveries[a.DeliveryID]
			outcome, logged := locked.outcomes[a.key()]
			switch {
			case !found || !logged: // the record is gone, with its event
				nexts[i] = Next{State: delivery.Canceled, Outcome: delivery.Unknown}
				continue
			case !slices.Contains(from, outcome): // its end is written already
				nexts[i] = Next{State: row.State, Outcome: outcome}
				continue
			}
			before, known := saved[a.DeliveryID]
			if !known {
				before = row.delivery()
				each = append(each, a.DeliveryID)
			}
			h, unwell := health[a.EndpointID]
			if !unwell {
				h = delivery.Health{Epoch: a.Epoch}
			}
			at := a.Attempt
			at.Outcome = outcome
			end := decide(i, before, h, at, locked.at)
			saved[a.DeliveryID] = end.Delivery
			if unwell {
				health[a.EndpointID] = end.Health
			}
			ids, order, outcomes = append(ids, a.DeliveryID), append(order, i), append(outcomes, string(end.Outcome))
			nexts[i] = Next{State: end.Delivery.State, Outcome: end.Outcome, Error: end.Delivery.LastError}
			if end.Delivery.State.Open() {
				nexts[i].At = end.Delivery.DueAt
			}
			nexts[i].GaveUp = end.Delivery.State == delivery.Failed && before.State != delivery.Failed
			if end.Delivery.State != before.State {
				after.count(end.Delivery.State, 1)
			}
			if end.Disable != "" {
				disable[a.EndpointID] = disabling{end.Disable, end.Health.Epoch, locked.at, a.Traceparent}
			}
			if len(end.Notices) > 0 && !locked.shared[a.EndpointID] {
				return errNotShared
			}
			notices = append(notices, noticesOf(end.Notices, a.EndpointID, a.URL, a.Traceparent, row, end.Delivery)...)
		}
		if len(ids) == 0 {
			return nil
		}
		batch := &pgx.Batch{}
		for _, e := range locked.healthOrder {
			if before := locked.health[e]; before.health() != health[e] {
				saveHealth(batch, before, health[e])
				if before.health().Failing() && !health[e].Failing() {
					after.due = true
				}
			}
		}
		list := make([]delivery.Delivery, len(each))
		for i, d := range each {
			list[i] = saved[d]
		}
		saveDeliveries(batch, each, list, locked.at)
		log(batch, ids, order, outcomes)
		for _, e := range locked.healthOrder {
			if at, wanted := wanted(health[e], e, attempts, saved); wanted {
				wake(batch, e, at)
				after.due = true
			}
		}
		if err := queueNotices(batch, &after, s.moment(), locked.at, notices); err != nil {
			return err
		}
		return tx.SendBatch(ctx, batch).Close()
	}
	err := s.inPlannedTx(ctx, step)
	if errors.Is(err, errNotShared) {
		shareAll = true
		err = s.inPlannedTx(ctx, step)
	}
	if err != nil {
		return nil, fmt.Errorf("end attempts: %w", err)
	}
	s.full.freed(attempts)
	s.follow(ctx, after)
	for endpoint, d := range disable {
		// The outcomes are committed: a retry of all of it would find nothing to disable.
		for err := s.disable(ctx, endpoint, d); err != nil; err = s.disable(ctx, endpoint, d) {
			select {
			case <-ctx.Done():
				return nexts, err
			case <-time.After(disableAgain):
			}
		}
		for i, a := range attempts {
			if a.EndpointID == endpoint && nexts[i].State.Open() {
				nexts[i].State = delivery.Held
			}
		}
	}
	return nexts, nil
}

// errNotShared ends a transaction that has a notice to write and does not share the
// lock of the account's endpoints, which comes before those that it holds.
var errNotShared = errors.New("a notice needs the lock of an account's endpoints")

// disableAgain is how long after a failure disabling an endpoint is retried.
const disableAgain = 100 * time.Millisecond

// wanted is when an endpoint's run must look because of these deliveries.
func wanted(h delivery.Health, endpoint uuid.UUID, attempts []Attempt, saved map[uuid.UUID]delivery.Delivery) (at time.Time, wanted bool) {
	for _, a := range attempts {
		d, ok := saved[a.DeliveryID]
		if a.EndpointID != endpoint || !ok || d.State != delivery.Retrying {
			continue
		}
		due := d.DueAt
		if h.Failing() && d.AskedAt.IsZero() && h.ProbeDue().After(due) {
			due = h.ProbeDue()
		}
		if !wanted || due.Before(at) {
			at, wanted = due, true
		}
	}
	if h.Failing() && !wanted { // deliveries that were never attempted wait for it, too
		at, wanted = h.ProbeDue(), true
	}
	return at, wanted
}

type attemptKey struct {
	delivery uuid.UUID
	number   int
}

func (a Attempt) key() attemptKey { return attemptKey{a.DeliveryID, a.Number} }

// lockedForEnd holds the locked rows that ending attempts needs.
type lockedForEnd struct {
	at          time.Time
	health      map[uuid.UUID]healthRow // of endpoints that are not known to be healthy
	healthOrder []uuid.UUID
	deliveries  map[uuid.UUID]deliveryRow
	outcomes    map[attemptKey]delivery.Outcome
	shared      map[uuid.UUID]bool // endpoints of accounts whose endpoints are shared, for notices
}

// lockForEnd locks what ending attempts needs. Most successes cause no notice, so
// the endpoints of accounts are shared only for attempts that may, or for all.
func (s *Store) lockForEnd(ctx context.Context, tx pgx.Tx, attempts []Attempt, shareAll bool) (lockedForEnd, error) {
	l := lockedForEnd{health: map[uuid.UUID]healthRow{}, deliveries: map[uuid.UUID]deliveryRow{}, outcomes: map[attemptKey]delivery.Outcome{}, shared: map[uuid.UUID]bool{}}
	var share []uuid.UUID
	var endpoints, unwell, ids []uuid.UUID
	for _, a := range attempts {
		endpoints, ids = append(endpoints, a.EndpointID), append(ids, a.DeliveryID)
		if a.unwell {
			unwell = append(unwell, a.EndpointID)
		}
		if (a.unwell || shareAll) && !l.shared[a.EndpointID] {
			share = append(share, a.EndpointID)
			l.shared[a.EndpointID] = true
		}
	}
	batch := &pgx.Batch{}
	if len(share) > 0 {
		shareEndpointsOf(batch, share)
	}
	batch.Queue(`SELECT `+momentSQL, s.moment()).QueryRow(func(row pgx.Row) error { return row.Scan(&l.at) })
	batch.Queue(`
		SELECT `+healthRowColumns+` FROM webhook_endpoint_health h
		WHERE h.endpoint_id = ANY ($1) AND (h.failures > 0 OR h.slow OR h.told IS NOT NULL OR h.endpoint_id = ANY ($2)) ORDER BY h.endpoint_id FOR UPDATE`, endpoints, unwell).
		Query(func(rows pgx.Rows) error {
			list, err := pgx.CollectRows(rows, pgx.RowToStructByName[healthRow])
			for _, h := range list {
				l.health[h.EndpointID] = h
				l.healthOrder = append(l.healthOrder, h.EndpointID)
			}
			return err
		})
	batch.Queue(`SELECT `+deliveryRowColumns+` FROM webhook_delivery d WHERE d.id = ANY ($1) ORDER BY d.id FOR UPDATE`, ids).
		Query(func(rows pgx.Rows) error {
			list, err := pgx.CollectRows(rows, pgx.RowToStructByName[deliveryRow])
			for _, d := range list {
				l.deliveries[d.ID] = d
			}
			return err
		})
	// A separate statement, so that it sees what was committed before the locks were
	// granted.
	batch.Queue(`SELECT delivery_id, number, outcome FROM webhook_attempt WHERE delivery_id = ANY ($1)`, ids).
		Query(func(rows pgx.Rows) error {
			for rows.Next() {
				var k attemptKey
				var outcome delivery.Outcome
				if err := rows.Scan(&k.delivery, &k.number, &outcome); err != nil {
					return err
				}
				l.outcomes[k] = outcome
			}
			return rows.Err()
		})
	return l, tx.SendBatch(ctx, batch).Close()
}

// Drop deletes attempts whose requests were never sent: their deliveries wait as
// before. Repeating it does not delete an attempt that was claimed meanwhile with
// the same number.
func (s *Store) Drop(ctx context.Context, attempts []Attempt) error {
	if len(attempts) == 0 {
		return nil
	}
	ids, numbers, started := make([]uuid.UUID, len(attempts)), make([]int, len(attempts)), make([]time.Time, len(attempts))
	for i, a := range attempts {
		ids[i], numbers[i], started[i] = a.DeliveryID, a.Number, a.StartedAt
	}
	_, err := s.pool.Exec(ctx, `
		DELETE FROM webhook_attempt a USING unnest($1::uuid[], $2::int[], $3::timestamptz[]) AS u (delivery_id, number, started_at)
		WHERE a.delivery_id = u.delivery_id AND a.number = u.number AND a.started_at = u.started_at AND a.outcome = 'SENDING'`, ids, numbers, started)
	if err != nil {
		return fmt.Errorf("drop attempts that were not begun: %w", err)
	}
	s.full.freed(attempts)
	s.notifier.due()
	return nil
}

// loseBatch limits how many attempts one transaction declares lost.
const loseBatch = 500

const lostColumns = `a.delivery_id, a.endpoint_id, a.number, a.started_at, a.probe, a.epoch`

// LoseOf declares lost what a run's activity left unfinished, or everything of
// the run when the maker names no activity. LoseOld does so for attempts that
// are older than any attempt can be. Both return how many.
func (s *Store) LoseOf(ctx context.Context, by domain.Maker) (int, error) {
	return s.lose(ctx, `a.run_id = $1 AND ($2 = '' OR a.activity_id = $2)`, by.RunID, by.ActivityID)
}

// LoseOld: see LoseOf.
func (s *Store) LoseOld(ctx context.Context) (int, error) {
	return s.lose(ctx, `a.started_at < `+momentSQL+` - make_interval(secs => $2)`, s.moment(), delivery.LostAfter.Seconds())
}

func (s *Store) lose(ctx context.Context, which string, args ...any) (total int, err error) {
	for {
		found, err := many[struct {
			DeliveryID uuid.UUID
			EndpointID uuid.UUID
			Number     int
			StartedAt  time.Time
			Probe      bool
			Epoch      int
		}](ctx, s.pool, `SELECT `+lostColumns+` FROM webhook_attempt a WHERE a.outcome = 'SENDING' AND `+which+` ORDER BY a.started_at LIMIT `+fmt.Sprint(loseBatch), args...)
		if err != nil {
			return total, fmt.Errorf("find lost attempts: %w", err)
		}
		if len(found) == 0 {
			return total, nil
		}
		lost := make([]Attempt, len(found))
		for i, f := range found {
			lost[i] = Attempt{
				Attempt:    delivery.Attempt{Number: f.Number, StartedAt: f.StartedAt, Probe: f.Probe, Epoch: f.Epoch, Outcome: delivery.Sending},
				DeliveryID: f.DeliveryID, EndpointID: f.EndpointID,
			}
		}
		if err := s.LoseAttempts(ctx, lost); err != nil {
			return total, err
		}
		total += len(found)
	}
}
