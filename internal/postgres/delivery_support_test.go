package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/postgres"
	"requisite/internal/postgres/db"
	"requisite/internal/postgres/deliveries"
	"requisite/internal/webhooks/delivery"
	"requisite/internal/webhooks/webhook"
)

var (
	inSession = domain.Maker{WorkflowID: "send/1", RunID: "session"}
	inRun     = domain.Maker{WorkflowID: "whc_1", RunID: "endpoint", ActivityID: "5"}
)

// answer is how a receiver answers one attempt.
type answer struct {
	status     int
	retryAfter time.Duration
}

func always(with answer) func(deliveries.Attempt) answer {
	return func(deliveries.Attempt) answer { return with }
}

func (b *bundle) endpoint(types ...string) domain.Endpoint {
	b.Helper()
	var e domain.Endpoint
	url := fmt.Sprintf("https://%d.example/", b.runs.Add(1))
	b.write(b.call, func(r *postgres.Records) (err error) {
		e, err = r.CreateEndpoint(b.Context(), b.account.WireID(), domain.Endpoint{URL: url, URLKey: url, EventTypes: types})
		return err
	})
	return e
}

// owe writes n events for an endpoint alone.
func (b *bundle) owe(e domain.Endpoint, n int) {
	b.Helper()
	for range n {
		b.write(b.call, func(r *postgres.Records) error {
			_, err := r.TestEndpoint(b.Context(), e.WireID(), domain.WebhookTest)
			return err
		})
	}
}

// oldest is the delivery of an endpoint that was made first.
func (b *bundle) oldest(e domain.Endpoint) (d uuid.UUID) {
	b.Helper()
	require.NoError(b, b.pool().QueryRow(b.Context(), `SELECT id FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY id LIMIT 1`, e.ID).Scan(&d))
	return d
}

func (b *bundle) activeKey() {
	b.Helper()
	_, err := b.activate(b.mustKey().KeyID)
	require.NoError(b, err)
	b.settle()
}

// anyRoom bounds a claim as sessions do that have room for everybody.
var anyRoom = deliveries.Room{Share: func(ready []delivery.Ready) []int { return delivery.Share(ready, 200, nil) }}

// claim is what a session does.
func (b *bundle) claim() []deliveries.Attempt {
	b.Helper()
	claimed, err := b.store.Deliveries().Claim(b.Context(), inSession, anyRoom)
	require.NoError(b, err)
	return claimed.Attempts
}

// look is what an endpoint's run does.
func (b *bundle) look(e domain.Endpoint) deliveries.Look {
	b.Helper()
	look, err := b.store.Deliveries().LookAt(b.Context(), inRun, e.ID, delivery.MaxInFlight, 0)
	require.NoError(b, err)
	return look
}

func (b *bundle) endWith(a deliveries.Attempt, with answer) deliveries.Next {
	b.Helper()
	next, err := endAll(b.Context(), b.store, deliveries.AttemptEnd{Attempt: a, Result: webhook.Result{StatusCode: with.status, RetryAfter: with.retryAfter}})
	require.NoError(b, err)
	return next[0]
}

// endAll does what a sender does: it ends successes together, and the rest by
// account, again while somebody holds a lock.
func endAll(ctx context.Context, store *postgres.Store, ends ...deliveries.AttemptEnd) ([]deliveries.Next, error) {
	nexts, rest, err := store.Deliveries().EndSuccesses(ctx, ends)
	if err != nil {
		return nil, err
	}
	byAccount := map[uuid.UUID][]int{}
	for _, i := range rest {
		byAccount[ends[i].AccountID] = append(byAccount[ends[i].AccountID], i)
	}
	for _, group := range byAccount {
		list := make([]deliveries.AttemptEnd, len(group))
		for k, i := range group {
			list[k] = ends[i]
		}
		written, err := unlessBusy(func() ([]deliveries.Next, error) { return store.Deliveries().EndAttempts(ctx, list) })
		if err != nil {
			return nil, err
		}
		for k, i := range group {
			nexts[i] = written[k]
		}
	}
	return nexts, nil
}

// unlessBusy repeats what another transaction was in the way of.
func unlessBusy[T any](do func() (T, error)) (T, error) {
	for {
		value, err := do()
		if !db.Busy(err) {
			return value, err
		}
	}
}

func (b *bundle) end(a deliveries.Attempt, status int) deliveries.Next {
	b.Helper()
	return b.endWith(a, answer{status: status})
}

// work does what a session and the endpoints' runs do at this moment, and ends the
// attempts as told.
func (b *bundle) work(with func(deliveries.Attempt) answer) (attempts []deliveries.Attempt) {
	b.Helper()
	attempts = b.claim()
	for _, e := range b.inTrouble() {
		attempts = append(attempts, b.look(domain.Endpoint{ID: e}).Attempts...)
	}
	for _, a := range attempts {
		b.endWith(a, with(a))
	}
	return attempts
}

// inTrouble are the endpoints whose run is due: woken, or at the time that it gave.
func (b *bundle) inTrouble() (list []uuid.UUID) {
	b.Helper()
	rows, err := b.pool().Query(b.Context(), `SELECT endpoint_id FROM webhook_endpoint_health WHERE wake_at IS NOT NULL OR looks_at <= $1 ORDER BY endpoint_id`, b.now())
	require.NoError(b, err)
	for rows.Next() {
		var e uuid.UUID
		require.NoError(b, rows.Scan(&e))
		list = append(list, e)
	}
	require.NoError(b, rows.Err())
	return list
}

// fail owes an endpoint as many events as it takes, and fails them all.
func (b *bundle) fail(e domain.Endpoint) {
	b.Helper()
	b.owe(e, delivery.FailingAfter)
	require.Len(b, b.work(always(answer{status: 500})), delivery.FailingAfter)
	require.Equal(b, delivery.FailingAfter, b.failures(e))
}

func (b *bundle) failures(e domain.Endpoint) int {
	return b.count(`SELECT failures FROM webhook_endpoint_health WHERE endpoint_id = $1`, e.ID)
}

func (b *bundle) retry(d uuid.UUID) {
	b.Helper()
	b.write(b.call, func(r *postgres.Records) error {
		return r.RetryDelivery(b.Context(), domain.Delivery{ID: d}.WireID())
	})
}

func (b *bundle) update(e domain.Endpoint, change func(*domain.Endpoint)) {
	b.Helper()
	b.write(b.call, func(r *postgres.Records) error { return r.UpdateEndpoint(b.Context(), e.WireID(), change) })
	b.settle()
}

// settle does what workers do after decisions about endpoints and keys.
func (b *bundle) settle() {
	b.Helper()
	for progress := true; progress; {
		var err error
		if progress, err = b.store.Deliveries().Settle(b.Context()); db.Busy(err) {
			return // somebody holds a lock: it is settled later
		}
		require.NoError(b, err)
	}
}

func (b *bundle) tidy() {
	b.Helper()
	last, err := b.store.Deliveries().TidyReady(b.Context(), uuid.Nil)
	for err == nil && last != uuid.Nil {
		last, err = b.store.Deliveries().TidyReady(b.Context(), last)
	}
	require.NoError(b, err)
}

func (b *bundle) deleteEndpoint(e domain.Endpoint) {
	b.Helper()
	b.write(b.call, func(r *postgres.Records) error { return r.DeleteEndpoint(b.Context(), e.WireID()) })
	b.settle()
}

func to(url string) func(*domain.Endpoint) {
	return func(e *domain.Endpoint) { e.URL, e.URLKey = url, url }
}

func is(status domain.EndpointStatus) func(*domain.Endpoint) {
	return func(e *domain.Endpoint) { e.Status = status }
}

func (b *bundle) endpointNow(e domain.Endpoint) domain.Endpoint {
	b.Helper()
	found, err := b.store.Records(b.call.Scope).Endpoint(b.Context(), e.WireID())
	require.NoError(b, err)
	return found
}

func (b *bundle) state(d uuid.UUID) (state delivery.State) {
	b.Helper()
	require.NoError(b, b.pool().QueryRow(b.Context(), `SELECT state FROM webhook_delivery WHERE id = $1`, d).Scan(&state))
	return state
}

func (b *bundle) states(state delivery.State) int {
	return b.count(`SELECT count(*) FROM webhook_delivery WHERE state = $1`, state)
}

// now is the time of the store's clock, which moves only when the test moves it.
func (b *bundle) now() time.Time { return b.began.Add(time.Duration(b.clock.Load())) }

func (b *bundle) pass(d time.Duration) { b.clock.Add(int64(d)) }

// nextAfter is how long from now a delivery wants to be left alone.
func (b *bundle) nextAfter(d uuid.UUID) time.Duration {
	b.Helper()
	var next time.Time
	require.NoError(b, b.pool().QueryRow(b.Context(), `SELECT next_attempt_at FROM webhook_delivery WHERE id = $1`, d).Scan(&next))
	return next.Sub(b.now())
}

// fill owes an endpoint n more events than it does, without the time that it
// takes to write each.
func (b *bundle) fill(e domain.Endpoint, n int) {
	b.Helper()
	require.NoError(b, b.exec(`
		WITH made AS (
			INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
			SELECT gen_random_uuid(), $2, 'WEBHOOK_TEST', $3, 'u', 'SYSTEM', '{}' FROM generate_series(1, $4) RETURNING id),
		ready AS (INSERT INTO webhook_ready (endpoint_id, account_id) VALUES ($1, $2) ON CONFLICT DO NOTHING)
		INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, state, next_attempt_at, created_at, updated_at)
		SELECT gen_random_uuid(), $2, made.id, $1, 'PENDING', $3, $3, $3 FROM made`, e.ID, e.AccountID, b.now(), n))
}

// crowd makes n more endpoints, twenty to an account like that of e, each with one
// delivery that is PENDING.
func (b *bundle) crowd(e domain.Endpoint, n int) {
	b.Helper()
	tx, err := b.pool().Begin(b.Context())
	require.NoError(b, err)
	args := []any{e.AccountID, b.now(), n} // of the first one
	for _, sql := range []string{
		`CREATE TEMP TABLE crowd ON COMMIT DROP AS SELECT gen_random_uuid() AS account, gen_random_uuid() AS event, generate_series(1, $3::int / 20) AS n, $1::uuid AS model, $2::timestamptz AS at`,
		`INSERT INTO account (id, organization_id, environment, name, currency, time_zone) SELECT c.account, a.organization_id, a.environment, 'n', 'USD', 'UTC' FROM crowd c JOIN account a ON a.id = c.model`,
		`INSERT INTO webhook_key (account_id, key_id, day, iteration, status, secret_sealed, created_at, activated_at)
			SELECT c.account, k.key_id, k.day, k.iteration, 'INACTIVE', k.secret_sealed, k.created_at, NULL FROM crowd c JOIN webhook_key k ON k.account_id = c.model`,
		`INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields) SELECT event, account, 'WEBHOOK_TEST', at, 'u', 'SYSTEM', '{}' FROM crowd`,
		`INSERT INTO webhook_endpoint (id, account_id, url, url_key, status, slot, created_at, updated_at)
			SELECT gen_random_uuid(), account, 'https://example.com/' || slot, slot, 'ACTIVE', slot, at, at FROM crowd, generate_series(1, 20) slot`,
		`INSERT INTO webhook_endpoint_health (endpoint_id) SELECT e.id FROM webhook_endpoint e JOIN crowd c ON c.account = e.account_id`,
		`INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, state, next_attempt_at, created_at, updated_at)
			SELECT gen_random_uuid(), c.account, c.event, e.id, 'PENDING', c.at, c.at, c.at FROM webhook_endpoint e JOIN crowd c ON c.account = e.account_id`,
		`INSERT INTO webhook_ready (endpoint_id, account_id) SELECT e.id, e.account_id FROM webhook_endpoint e JOIN crowd c ON c.account = e.account_id`,
	} {
		_, err := tx.Exec(b.Context(), sql, args...)
		require.NoError(b, err, sql)
		args = nil
	}
	require.NoError(b, tx.Commit(b.Context()))
}

func deliveriesOf(attempts []deliveries.Attempt) (list []uuid.UUID) {
	for _, a := range attempts {
		list = append(list, a.DeliveryID)
	}
	return list
}

func of(attempts []deliveries.Attempt, d uuid.UUID) bool {
	return slices.Contains(deliveriesOf(attempts), d)
}

func ended(a deliveries.Attempt, status int) deliveries.AttemptEnd {
	return deliveries.AttemptEnd{Attempt: a, Result: webhook.Result{StatusCode: status}}
}
