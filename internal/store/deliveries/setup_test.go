package deliveries_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/delivery"
	"requisite/internal/webhooks/webhook"
)

var server *pgtest.Server

func TestMain(m *testing.M) {
	pgtest.Main(m, func(s *pgtest.Server) { server = s })
}

// bundle is pgtest's, with what only these tests do.
type bundle struct{ *pgtest.Bundle }

func setup(t *testing.T) *bundle {
	t.Parallel()
	return prepare(t)
}

func prepare(t testing.TB) *bundle { return &bundle{pgtest.NewBundle(t, server)} }

// crowd makes n more endpoints, each with one PENDING delivery. Twenty share an account like the
// account of e.
func (b *bundle) crowd(e domain.Endpoint, n int) {
	b.Helper()
	tx, err := b.Pool().Begin(b.Context())
	require.NoError(b, err)
	args := []any{e.AccountID, b.Now(), n} // of the first one
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

func deliveriesOf(attempts []deliveries.Attempt) (list []id.UUID) {
	for _, a := range attempts {
		list = append(list, a.DeliveryID)
	}
	return list
}

func ended(a deliveries.Attempt, status int) deliveries.AttemptEnd {
	return deliveries.AttemptEnd{Attempt: a, Result: webhook.Result{StatusCode: status}}
}

func (b *bundle) endpointNow(e domain.Endpoint) domain.Endpoint {
	b.Helper()
	found, err := b.Store.Records(b.Call.Scope).Webhooks.Endpoint(b.Context(), e.WireID())
	require.NoError(b, err)
	return found
}

// fill owes an endpoint n more events than it does, without the time that it
// takes to write each.
func (b *bundle) fill(e domain.Endpoint, n int) {
	b.Helper()
	require.NoError(b, b.Exec(`
		WITH made AS (
			INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
			SELECT gen_random_uuid(), $2, 'WEBHOOK_TEST', $3, 'u', 'SYSTEM', '{}' FROM generate_series(1, $4) RETURNING id),
		ready AS (INSERT INTO webhook_ready (endpoint_id, account_id) VALUES ($1, $2) ON CONFLICT DO NOTHING)
		INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, state, next_attempt_at, created_at, updated_at)
		SELECT gen_random_uuid(), $2, made.id, $1, 'PENDING', $3, $3, $3 FROM made`, e.ID, e.AccountID, b.Now(), n))
}

// nextAfter is how long from now a delivery wants to be left alone.
func (b *bundle) nextAfter(d id.UUID) time.Duration {
	b.Helper()
	var next time.Time
	require.NoError(b, b.Pool().QueryRow(b.Context(), `SELECT next_attempt_at FROM webhook_delivery WHERE id = $1`, d).Scan(&next))
	return next.Sub(b.Now())
}

// backOff schedules a delivery's next attempt.
func (b *bundle) backOff(d id.UUID, in time.Duration) {
	b.Helper()
	require.NoError(b, b.Exec(`UPDATE webhook_delivery SET next_attempt_at = $2 WHERE id = $1`, d, b.Now().Add(in)))
}

func (b *bundle) retry(d id.UUID) {
	b.Helper()
	b.Write(b.Call, func(r *store.Records) error {
		return r.Webhooks.RetryDelivery(b.Context(), delivery.Record{ID: d}.WireID())
	})
}

func (b *bundle) tidy() {
	b.Helper()
	last, err := b.Store.Deliveries.Claims.TidyReady(b.Context(), id.Nil)
	for err == nil && last != id.Nil {
		last, err = b.Store.Deliveries.Claims.TidyReady(b.Context(), last)
	}
	require.NoError(b, err)
}

func (b *bundle) deleteEndpoint(e domain.Endpoint) {
	b.Helper()
	b.Write(b.Call, func(r *store.Records) error { return r.Webhooks.DeleteEndpoint(b.Context(), e.WireID()) })
}

// failEndpoint owes an endpoint as many events as it takes, and fails them all.
func (b *bundle) failEndpoint(e domain.Endpoint) {
	b.Helper()
	b.SendTests(e, delivery.FailingAfter)
	require.Len(b, b.work(always(pgtest.Answer{Status: 500})), delivery.FailingAfter)
	require.Equal(b, delivery.FailingAfter, b.failures(e))
}

func (b *bundle) update(e domain.Endpoint, change func(*domain.Endpoint)) {
	b.Helper()
	b.Write(b.Call, func(r *store.Records) error { return r.Webhooks.UpdateEndpoint(b.Context(), e.WireID(), change) })
}

func withURL(url string) func(*domain.Endpoint) {
	return func(e *domain.Endpoint) { e.URL, e.URLKey = url, url }
}

func always(with pgtest.Answer) func(deliveries.Attempt) pgtest.Answer {
	return func(deliveries.Attempt) pgtest.Answer { return with }
}

func (b *bundle) failures(e domain.Endpoint) int {
	return b.Count(`SELECT failures FROM webhook_endpoint_health WHERE endpoint_id = $1`, e.ID)
}

// inTrouble are the endpoints whose run is due: woken, or at the time that it gave.
func (b *bundle) inTrouble() (list []id.UUID) {
	b.Helper()
	rows, err := b.Pool().Query(b.Context(), `SELECT endpoint_id FROM webhook_endpoint_health WHERE wake_at IS NOT NULL OR looks_at <= $1 ORDER BY endpoint_id`, b.Now())
	require.NoError(b, err)
	for rows.Next() {
		var e id.UUID
		require.NoError(b, rows.Scan(&e))
		list = append(list, e)
	}
	require.NoError(b, rows.Err())
	return list
}

// work does what a session and the endpoints' runs do at this moment, and ends the
// attempts as told.
func (b *bundle) work(with func(deliveries.Attempt) pgtest.Answer) (attempts []deliveries.Attempt) {
	b.Helper()
	attempts = b.Claim()
	for _, e := range b.inTrouble() {
		attempts = append(attempts, b.ClaimForRun(domain.Endpoint{ID: e}).Attempts...)
	}
	for _, a := range attempts {
		b.EndWith(a, with(a))
	}
	return attempts
}
