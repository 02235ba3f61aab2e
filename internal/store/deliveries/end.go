package deliveries

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/id"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/delivery"
	"requisite/internal/webhooks/webhook"
)

// AttemptEnd is an attempt that has ended, with its answer.
type AttemptEnd struct {
	Attempt
	Result webhook.Result
}

// Next is the state of a delivery after an attempt.
type Next struct {
	State   delivery.State
	Outcome delivery.AttemptOutcome
	At      time.Time // of the next attempt, while the delivery is open
	Error   string    // why the attempt did not succeed
	GaveUp  bool      // this was the last attempt
}

// Ends saves how attempts end, and which were lost.
type Ends struct{ *base }

func (b *base) ends() Ends { return Ends{b} }

// EndWithoutWaiting logs the outcomes of successful attempts at healthy endpoints, of any accounts,
// in one transaction. It changes no endpoint's health and waits for no lock, so that no tenant
// delays another. It returns in rest the indexes, in ascending order, of the attempts that it
// leaves to EndAttempts. nexts has the order of the attempts; its entries for rest mean nothing.
// Writing an outcome twice changes nothing.
func (s Ends) EndWithoutWaiting(ctx context.Context, ended []AttemptEnd) (nexts []Next, rest []int, err error) {
	var endpoints, deliveries []id.UUID
	for i, e := range ended {
		rest = append(rest, i)
		if e.plain() {
			endpoints, deliveries = append(endpoints, e.EndpointID), append(deliveries, e.DeliveryID)
		}
	}
	if len(deliveries) == 0 {
		return make([]Next, len(ended)), rest, nil
	}
	var found decided
	err = s.db.InBriefTx(ctx, func(tx pgx.Tx) error {
		found, rest = s.newDecided(len(ended)), nil
		var locked lockedForEnd
		left := map[id.UUID]bool{} // endpoints whose attempts are left to EndAttempts
		batch := &pgx.Batch{}
		locked.lockDeliveries(batch, s.db.Moment(), deliveries, `SKIP LOCKED`)
		batch.Queue(`
			SELECT h.endpoint_id FROM webhook_endpoint_health h JOIN webhook_endpoint e ON e.id = h.endpoint_id
			WHERE h.endpoint_id = ANY ($1) AND (h.failures > 0 OR h.slow OR h.notified IS NOT NULL OR e.deleted_at IS NOT NULL)`, endpoints).
			Query(db.Each(pgx.RowTo[id.UUID], func(e id.UUID) { left[e] = true }))
		if err := db.SendAll(ctx, tx, batch); err != nil {
			return err
		}
		for i, e := range ended {
			if _, mine := locked.deliveries[e.DeliveryID]; !mine || !e.plain() || left[e.EndpointID] {
				rest = append(rest, i)
				continue
			}
			if before, open := found.before(i, e.Attempt, locked, ending); open {
				a := e.Attempt.Attempt
				a.Outcome = locked.outcomes[e.key()]
				found.take(i, e.Attempt, before, delivery.End(before, delivery.Health{Epoch: e.Epoch}, a, e.answer(), locked.at, rand.Float64()))
			}
		}
		batch = &pgx.Batch{}
		found.save(batch, locked.at)
		logEnds(batch, ended, found, locked)
		return db.CommitWith(ctx, tx, batch)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("end successful attempts: %w", err)
	}
	found.after.Run(ctx)
	return found.nexts, rest, nil
}

// plain reports a success that changes nothing about its endpoint, by the state of the endpoint
// when the attempt began.
func (e AttemptEnd) plain() bool {
	return !e.unwell && e.answer().Verdict() == delivery.Success && e.Result.Duration < delivery.SlowAfter
}

// The end of an attempt replaces the outcomes in ending. Losing an attempt replaces those in
// losing.
var (
	ending = []delivery.AttemptOutcome{delivery.AttemptSending, delivery.AttemptUnknown}
	losing = []delivery.AttemptOutcome{delivery.AttemptSending}
)

// EndAttempts logs the outcomes of attempts of one account, updates their deliveries and endpoints,
// writes notices, and disables endpoints, all in one transaction. Results have the order of the
// attempts. It waits only briefly for a lock; then its error is Busy. Writing an outcome twice
// changes nothing.
func (s Ends) EndAttempts(ctx context.Context, ended []AttemptEnd) ([]Next, error) {
	attempts := make([]Attempt, len(ended))
	for i, e := range ended {
		attempts[i] = e.Attempt
	}
	decide := func(i int, d delivery.Delivery, h delivery.Health, a delivery.Attempt, at time.Time) delivery.After {
		return delivery.End(d, h, a, ended[i].answer(), at, rand.Float64())
	}
	return s.end(ctx, attempts, ending, decide, func(batch *pgx.Batch, found decided, locked lockedForEnd) { logEnds(batch, ended, found, locked) })
}

// logEnds queues the statement that logs the answers to attempts. It drops the answer's body if the
// business of the event was erased: the body may repeat personal data.
func logEnds(batch *pgx.Batch, ended []AttemptEnd, found decided, locked lockedForEnd) {
	n := len(found.order)
	numbers, durations, statuses := make([]int, n), make([]int64, n), make([]*int, n)
	errs, bodies, addresses := make([]string, n), make([]string, n), make([]string, n)
	for i, k := range found.order {
		r := ended[k].Result
		numbers[i], durations[i], statuses[i] = ended[k].Number, r.Duration.Milliseconds(), db.OrNull(r.StatusCode)
		errs[i], addresses[i] = r.Error, r.Address
		if !locked.erased[ended[k].DeliveryID] {
			bodies[i] = r.Body
		}
	}
	batch.Queue(`
		UPDATE webhook_attempt a SET outcome = u.outcome, duration_ms = u.duration, status_code = u.status, error = nullif(u.error, ''),
			response_body = u.body, address = nullif(u.address, '')
		FROM unnest($1::uuid[], $2::int[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[])
			AS u (delivery_id, number, outcome, duration, status, error, body, address)
		WHERE a.delivery_id = u.delivery_id AND a.number = u.number`, found.of, numbers, found.outcomes, durations, statuses, errs, bodies, addresses)
}

func (e AttemptEnd) answer() delivery.Answer {
	return delivery.Answer{StatusCode: e.Result.StatusCode, Error: e.Result.Error, RetryAfter: e.Result.RetryAfter, Duration: e.Result.Duration}
}

// end locks the rows of an account's attempts in lock order, decides, and saves with one statement
// for each record type. It ignores attempts whose outcome is not in from. decide gets an attempt's
// index in the list. log saves the attempts.
func (s Ends) end(
	ctx context.Context,
	attempts []Attempt, from []delivery.AttemptOutcome,
	decide decideEnd,
	log func(*pgx.Batch, decided, lockedForEnd),
) ([]Next, error) {
	if len(attempts) == 0 {
		return nil, nil
	}
	account := attempts[0].AccountID
	for _, a := range attempts {
		if a.AccountID != account {
			return nil, errors.New("end attempts: they are of more than one account")
		}
	}
	var ends accountEnds
	err := s.db.InBriefTx(ctx, func(tx pgx.Tx) error {
		locked, err := s.lockForEnd(ctx, tx, attempts)
		if err != nil {
			return err
		}
		ends = s.decideEnds(attempts, locked, from, decide)
		if len(ends.order) == 0 {
			return nil
		}
		batch := &pgx.Batch{}
		ends.disableEndpoints(batch, s.db.Clock())
		ends.saveHealth(batch)
		ends.save(batch, locked.at)
		log(batch, ends.decided, locked)
		if err := s.outbox().queueNotices(batch, &ends.after, locked.at, account, ends.notices); err != nil {
			return err
		}
		ends.wake(batch)
		return db.CommitWith(ctx, tx, batch)
	})
	if err != nil {
		return nil, fmt.Errorf("end attempts: %w", err)
	}
	ends.after.Run(ctx)
	return ends.nexts, nil
}

// decideEnd decides what the end of the attempt with index i changes.
type decideEnd func(i int, d delivery.Delivery, h delivery.Health, a delivery.Attempt, at time.Time) delivery.After

// accountEnds is what the ends of an account's attempts change.
type accountEnds struct {
	decided
	attempts []Attempt
	locked   lockedForEnd
	health   map[id.UUID]delivery.Health // of each endpoint, after the ends
	notices  []Notice
	disable  map[id.UUID]Notice // endpoints to disable, with the reason and the trace of the attempt that caused it
}

// decideEnds decides about each attempt in order, given the decisions about earlier ones.
func (s Ends) decideEnds(attempts []Attempt, locked lockedForEnd, from []delivery.AttemptOutcome, decide decideEnd) accountEnds {
	e := accountEnds{
		decided:  s.newDecided(len(attempts)),
		attempts: attempts,
		locked:   locked,
		health:   map[id.UUID]delivery.Health{},
		disable:  map[id.UUID]Notice{},
	}
	for endpoint, h := range locked.health {
		e.health[endpoint] = h.Health()
	}
	for i, a := range attempts {
		before, open := e.before(i, a, locked, from)
		if !open {
			continue
		}
		at := a.Attempt
		at.Outcome = locked.outcomes[a.key()]
		end := decide(i, before, e.health[a.EndpointID], at, locked.at)
		e.health[a.EndpointID] = end.Health
		e.take(i, a, before, end)
		if end.Disable != "" {
			e.disable[a.EndpointID] = Notice{Notice: delivery.Notice{Reason: end.Disable}, Endpoint: a.EndpointID, Host: Host(a.URL), Trace: a.Traceparent}
		}
		e.notices = append(e.notices, NoticesOf(end.Notices, a.EndpointID, a.URL, a.Traceparent, locked.deliveries[a.DeliveryID], end.Delivery)...)
	}
	for i, a := range attempts {
		if _, disabled := e.disable[a.EndpointID]; e.nexts[i].State.Open() && (disabled || !locked.endpoints[a.EndpointID].Sendable) {
			e.nexts[i].State, e.nexts[i].At = delivery.Held, time.Time{}
		}
	}
	return e
}

// disableEndpoints queues a statement and adds a notice for each endpoint to disable.
func (e *accountEnds) disableEndpoints(batch *pgx.Batch, now time.Time) {
	for _, endpoint := range e.locked.healthOrder {
		told, asked := e.disable[endpoint]
		if !asked || !e.locked.endpoints[endpoint].Enabled {
			continue
		}
		e.health[endpoint], told.Notice = e.health[endpoint].Disabled(told.Reason, e.locked.at)
		e.notices = append(e.notices, told)
		batch.Queue(`
			UPDATE webhook_endpoint
			SET status = 'DISABLED', disabled_reason = $2, updated_at = greatest(updated_at, $3)
			WHERE id = $1`,
			endpoint, told.Reason, now)
	}
}

// saveHealth queues a statement for each endpoint whose health has changed.
func (e *accountEnds) saveHealth(batch *pgx.Batch) {
	for _, endpoint := range e.locked.healthOrder {
		before, after := e.locked.health[endpoint], e.health[endpoint]
		if before.Health() == after {
			continue
		}
		SaveHealth(batch, before, after)
	}
}

// wake queues the statements that make recovered endpoints ready again, and that wake the runs that
// must look.
func (e *accountEnds) wake(batch *pgx.Batch) {
	for _, endpoint := range e.locked.healthOrder {
		if e.locked.health[endpoint].Health().Failing() && !e.health[endpoint].Failing() {
			batch.Queue(`UPDATE webhook_ready SET session_at = '-infinity' WHERE endpoint_id = $1 AND session_at = 'infinity'`, endpoint)
			e.outbox.NotifyAfter(&e.after)
		}
		if at, found := nextLook(e.health[endpoint], endpoint, e.attempts, e.deliveries, e.locked.at); found {
			AskRun(batch, endpoint, at)
			e.outbox.NotifyAfter(&e.after)
		}
	}
}

// decided is what the ends of attempts change. It is saved with one statement for each record type.
type decided struct {
	nexts      []Next
	outbox     Outbox
	after      db.AfterCommit
	deliveries map[id.UUID]delivery.Delivery
	each       []id.UUID // the ids of the deliveries, without repetition
	// The attempts to log: their deliveries, indexes and outcomes.
	of       []id.UUID
	order    []int
	outcomes []string
}

func (s Ends) newDecided(attempts int) decided {
	return decided{outbox: s.outbox(), nexts: make([]Next, attempts), deliveries: map[id.UUID]delivery.Delivery{}}
}

// before returns the delivery of the attempt with index i, as the earlier attempts left it. It
// returns false when the attempt's end is written already, or its record is gone. An open delivery
// of a deleted endpoint is saved as CANCELED.
func (f *decided) before(i int, a Attempt, locked lockedForEnd, from []delivery.AttemptOutcome) (delivery.Delivery, bool) {
	row, found := locked.deliveries[a.DeliveryID]
	outcome, logged := locked.outcomes[a.key()]
	switch {
	case !found || !logged: // the record and its event were deleted
		f.nexts[i] = Next{State: delivery.Canceled, Outcome: delivery.AttemptUnknown}
		return delivery.Delivery{}, false
	case !slices.Contains(from, outcome): // the end is written already
		f.nexts[i] = Next{State: row.State, Outcome: outcome}
		return delivery.Delivery{}, false
	}
	before, known := f.deliveries[a.DeliveryID]
	if !known {
		f.each = append(f.each, a.DeliveryID)
		before = row.Delivery()
		if c := delivery.Cancel(); locked.endpoints[a.EndpointID].Deleted && slices.Contains(c.From, before.State) {
			before = c.Apply(before, locked.at)
			f.outbox.CountAfter(&f.after, before.State, 1)
		}
	}
	return before, true
}

// take adds what the end of an attempt changes.
func (f *decided) take(i int, a Attempt, before delivery.Delivery, end delivery.After) {
	f.deliveries[a.DeliveryID] = end.Delivery
	f.of, f.order, f.outcomes = append(f.of, a.DeliveryID), append(f.order, i), append(f.outcomes, string(end.Outcome))
	f.nexts[i] = Next{State: end.Delivery.State, Outcome: end.Outcome, Error: end.Delivery.LastError}
	if end.Delivery.State.Open() {
		f.nexts[i].At = end.Delivery.DueAt
	}
	f.nexts[i].GaveUp = end.Delivery.State == delivery.Failed && before.State != delivery.Failed
	if end.Delivery.State != before.State {
		f.outbox.CountAfter(&f.after, end.Delivery.State, 1)
	}
}

// save queues the statement that saves the deliveries.
func (f *decided) save(batch *pgx.Batch, at time.Time) {
	list := make([]delivery.Delivery, len(f.each))
	for i, d := range f.each {
		list[i] = f.deliveries[d]
	}
	Save(batch, f.each, list, at)
}

// nextLook returns when an endpoint's run must look because of these deliveries.
func nextLook(h delivery.Health, endpoint id.UUID, attempts []Attempt, saved map[id.UUID]delivery.Delivery, now time.Time) (at time.Time, found bool) {
	for _, a := range attempts {
		d, ok := saved[a.DeliveryID]
		if a.EndpointID != endpoint || !ok || d.State != delivery.Retrying {
			continue
		}
		due := d.DueAt
		if d.RetryRequestedAt.IsZero() && h.AttemptDue(now).After(due) {
			due = h.AttemptDue(now)
		}
		if !found || due.Before(at) {
			at, found = due, true
		}
	}
	if h.Failing() && !found { // deliveries without any attempt wait for the endpoint, too
		at, found = h.AttemptDue(now), true
	}
	return at, found
}

type attemptKey struct {
	delivery id.UUID
	number   int
}

func (a Attempt) key() attemptKey { return attemptKey{a.DeliveryID, a.Number} }

// lockedForEnd holds the locked rows that the ends of attempts change.
type lockedForEnd struct {
	at          time.Time
	health      map[id.UUID]HealthRow
	healthOrder []id.UUID
	endpoints   map[id.UUID]endpointRow
	deliveries  map[id.UUID]Row
	outcomes    map[attemptKey]delivery.AttemptOutcome
	erased      map[id.UUID]bool // whether the business of a delivery's event was erased
}

// endpointRow is what deliveries need to know about their endpoint. The lock on the endpoint's
// health protects it.
type endpointRow struct {
	ID       id.UUID
	Enabled  bool
	Deleted  bool
	Sendable bool
}

// lockForEnd locks the rows that the ends of an account's attempts change.
func (s Ends) lockForEnd(ctx context.Context, tx pgx.Tx, attempts []Attempt) (lockedForEnd, error) {
	l := lockedForEnd{health: map[id.UUID]HealthRow{}, endpoints: map[id.UUID]endpointRow{}}
	var endpoints, deliveries []id.UUID
	for _, a := range attempts {
		endpoints, deliveries = append(endpoints, a.EndpointID), append(deliveries, a.DeliveryID)
	}
	batch := &pgx.Batch{}
	batch.Queue(`SELECT `+healthRowColumns+` FROM webhook_endpoint_health h WHERE h.endpoint_id = ANY ($1) ORDER BY h.endpoint_id FOR UPDATE`, endpoints).
		Query(db.Each(pgx.RowToStructByName[HealthRow], func(h HealthRow) {
			l.health[h.EndpointID] = h
			l.healthOrder = append(l.healthOrder, h.EndpointID)
		}))
	l.lockDeliveries(batch, s.db.Moment(), deliveries, ``)
	batch.Queue(`
		SELECT e.id, e.status = 'ACTIVE' AND e.deleted_at IS NULL AS enabled, e.deleted_at IS NOT NULL AS deleted, `+SendableSQL+` AS sendable
		FROM webhook_endpoint e WHERE e.id = ANY ($1)`, endpoints).
		Query(db.Each(pgx.RowToStructByName[endpointRow], func(e endpointRow) { l.endpoints[e.ID] = e }))
	return l, db.SendAll(ctx, tx, batch)
}

// lockDeliveries queues the statements that lock deliveries and read their attempts
// and the time.
func (l *lockedForEnd) lockDeliveries(batch *pgx.Batch, moment *time.Time, ids []id.UUID, wait string) {
	l.deliveries, l.outcomes, l.erased = map[id.UUID]Row{}, map[attemptKey]delivery.AttemptOutcome{}, map[id.UUID]bool{}
	batch.Queue(`SELECT `+db.MomentSQL, moment).QueryRow(func(row pgx.Row) error { return row.Scan(&l.at) })
	batch.Queue(`SELECT `+RowColumns+` FROM webhook_delivery d WHERE d.id = ANY ($1) ORDER BY d.id FOR UPDATE `+wait, ids).
		Query(db.Each(pgx.RowToStructByName[Row], func(d Row) { l.deliveries[d.ID] = d }))
	// A separate statement sees what was committed before the locks were granted. An erasure locks
	// the deliveries, too.
	type logged struct {
		DeliveryID id.UUID
		Number     int
		Outcome    delivery.AttemptOutcome
		Erased     bool
	}
	batch.Queue(`
		SELECT a.delivery_id, a.number, a.outcome, v.erased
		FROM webhook_attempt a
			JOIN webhook_delivery d ON d.id = a.delivery_id
			JOIN webhook_event v ON v.id = d.event_id
		WHERE a.delivery_id = ANY ($1)`, ids).
		Query(db.Each(pgx.RowToStructByName[logged], func(a logged) {
			l.outcomes[attemptKey{a.DeliveryID, a.Number}], l.erased[a.DeliveryID] = a.Outcome, a.Erased
		}))
}

// Drop deletes attempts whose requests were never sent: their deliveries wait as before. Repeating
// Drop does not delete an attempt with the same number that was claimed meanwhile.
func (s Ends) Drop(ctx context.Context, attempts []Attempt) error {
	if len(attempts) == 0 {
		return nil
	}
	ids, numbers, started := make([]id.UUID, len(attempts)), make([]int, len(attempts)), make([]time.Time, len(attempts))
	for i, a := range attempts {
		ids[i], numbers[i], started[i] = a.DeliveryID, a.Number, a.StartedAt
	}
	err := s.db.InBriefTx(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `
			DELETE FROM webhook_attempt a USING unnest($1::uuid[], $2::int[], $3::timestamptz[]) AS u (delivery_id, number, started_at)
			WHERE a.delivery_id = u.delivery_id AND a.number = u.number AND a.started_at = u.started_at AND a.outcome = 'SENDING'`, ids, numbers, started)
		return err
	})
	if err != nil {
		return fmt.Errorf("drop attempts that were not begun: %w", err)
	}
	s.notifier.due()
	return nil
}
