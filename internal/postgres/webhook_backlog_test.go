package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/internal/webhook"
)

// fill owes an endpoint n more events than it does, without the time that it
// takes to write each.
func (b *bundle) fill(e postgres.Endpoint, n int) {
	b.Helper()
	_, err := b.pool().Exec(b.Context(), `
		WITH made AS (
			INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
			SELECT gen_random_uuid(), $2, 'WEBHOOK_TEST', $3, 'u', 'SYSTEM', '{}' FROM generate_series(1, $4) RETURNING id)
		INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, state, next_attempt_at, created_at, updated_at)
		SELECT gen_random_uuid(), $2, made.id, $1, 'PENDING', $3, $3, $3 FROM made`, e.ID, e.AccountID, b.now(), n)
	require.NoError(b, err)
}

// crowd makes n more endpoints, twenty to an account like that of e, each with one
// delivery that is due after a while.
func (b *bundle) crowd(e postgres.Endpoint, n int, due time.Duration) {
	b.Helper()
	tx, err := b.pool().Begin(b.Context())
	require.NoError(b, err)
	args := []any{e.AccountID, b.now(), b.now().Add(due), n} // of the first one
	for _, sql := range []string{
		`CREATE TEMP TABLE crowd ON COMMIT DROP AS SELECT gen_random_uuid() AS account, gen_random_uuid() AS event, generate_series(1, $4::int / 20) AS n, $1::uuid AS model, $2::timestamptz AS at, $3::timestamptz AS due`,
		`INSERT INTO account (id, organization_id, environment, name, currency, time_zone) SELECT c.account, a.organization_id, a.environment, 'n', 'USD', 'UTC' FROM crowd c JOIN account a ON a.id = c.model`,
		`INSERT INTO webhook_key (account_id, key_id, day, iteration, status, secret_sealed, created_at, activated_at)
			SELECT c.account, k.key_id, k.day, k.iteration, k.status, k.secret_sealed, k.created_at, k.activated_at FROM crowd c JOIN webhook_key k ON k.account_id = c.model`,
		`INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields) SELECT event, account, 'WEBHOOK_TEST', at, 'u', 'SYSTEM', '{}' FROM crowd`,
		`INSERT INTO webhook_endpoint (id, account_id, url, url_key, status, place, created_at, updated_at)
			SELECT gen_random_uuid(), account, 'https://example.com/' || place, place, 'ACTIVE', place, at, at FROM crowd, generate_series(1, 20) place`,
		`INSERT INTO webhook_endpoint_health (endpoint_id) SELECT e.id FROM webhook_endpoint e JOIN crowd c ON c.account = e.account_id`,
		`INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, state, next_attempt_at, created_at, updated_at)
			SELECT gen_random_uuid(), c.account, c.event, e.id, 'PENDING', c.due, c.at, c.at FROM webhook_endpoint e JOIN crowd c ON c.account = e.account_id`,
	} {
		_, err := tx.Exec(b.Context(), sql, args...)
		require.NoError(b, err, sql)
		args = nil
	}
	require.NoError(b, tx.Commit(b.Context()))
}

func TestABacklogFollowsWhatWasDecidedOfItsEndpoint(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e, other := b.endpoint(), b.endpoint()
	const backlog = 40_000
	b.fill(e, backlog)
	a := b.beginAll(b.claim())[0]
	b.end(a, 410)
	require.Equal(t, postgres.EndpointDisabled, b.endpointNow(e).Status)
	require.Equal(t, postgres.Held, b.state(a.DeliveryID))
	b.owe(other, 1) // who writes events waits for nobody
	for _, d := range b.claim() {
		require.Equal(t, id.Format(id.WebhookConfig, other.ID), d.EndpointID, "nothing more is sent to it")
		b.end(b.begin(d.ID), 200)
	}
	mend := func() postgres.Mended {
		m, err := b.store.Mend(t.Context())
		require.NoError(t, err)
		return m
	}
	mend()
	require.Equal(t, backlog, b.states(postgres.Held))
	b.update(e, func(e *postgres.Endpoint) { e.Status = postgres.EndpointActive })
	mend()
	require.Zero(t, b.states(postgres.Held))
	b.write(b.call, func(r *postgres.Records) error { return r.DeleteEndpoint(t.Context(), e.WireID()) })
	mend()
	require.Equal(t, backlog, b.states(postgres.Canceled))
	require.Zero(t, mend().Canceled)
}

func TestManyEndpointsThatWaitHideNoneThatIsReady(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.crowd(e, 1000, time.Hour)
	b.owe(e, 1)
	require.Len(t, b.claim(), 1, "it is found at once")
	require.Empty(t, b.claim())
	b.pass(2 * time.Hour)
	claimed := 0
	for range 10 {
		claimed += len(b.claim())
	}
	require.Equal(t, 1000, claimed)
}

func TestAnEndpointThatIsBusyHidesNoneThatIsReady(t *testing.T) {
	b := setup(t)
	b.activeKey()
	busy, e := b.endpoint(), b.endpoint()
	b.crowd(busy, 300, 0)
	for len(b.claim()) > 0 { // all of them, whose attempts are about to begin
	}
	b.fill(busy, 100)
	b.claim()
	b.owe(e, 1)
	require.Len(t, b.claim(), 1)
}

func TestARunThatDoesNotMoveKeepsNoPlace(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, webhook.OnTheWire)
	stuck := b.claim()
	require.Len(t, stuck, webhook.OnTheWire)
	b.owe(e, 1)
	require.Empty(t, b.claim(), "their attempts are about to begin")
	b.pass(time.Minute)
	require.Len(t, b.claim(), 1, "they never did")
	b.begin(stuck[0].ID)
	require.Empty(t, b.claim())
}

func TestLostAttemptsBackOff(t *testing.T) {
	b := setup(t)
	b.activeKey()
	b.owe(b.endpoint(), 1)
	delivery := b.claim()[0].ID
	var passed time.Duration
	for b.state(delivery) != postgres.Failed {
		if a := b.begin(delivery); a.Step == postgres.StepSend {
			require.NoError(t, b.store.LoseAttempt(t.Context(), a))
		}
		b.pass(time.Minute)
		passed += time.Minute
	}
	require.Equal(t, webhook.MaxAttempts, b.count(`SELECT attempt_count FROM webhook_delivery WHERE id = $1`, delivery))
	require.Greater(t, passed, 3*24*time.Hour, "the schedule is three and a half days long, whoever breaks the attempts off")
}

func TestWhatIsOnTheWireIsNotOverdue(t *testing.T) {
	b := setup(t)
	b.activeKey()
	b.owe(b.endpoint(), 2)
	due := b.claim()
	b.begin(due[0].ID)
	b.pass(20 * time.Second)
	overdue, err := b.store.Overdue(t.Context(), 15*time.Second, [16]byte{}, 10)
	require.NoError(t, err)
	require.Equal(t, due[1].ID, overdue[0])
	require.Len(t, overdue, 1)
}

func TestTwoClocksThatDifferALittleProbeAllTheSame(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.fail(e)
	b.pass(webhook.MaxDelay)
	claimed := b.claim()
	require.Len(t, claimed, 1)
	_, err := b.pool().Exec(t.Context(), `UPDATE webhook_endpoint_health SET probe_at = $2 WHERE endpoint_id = $1`, e.ID, b.now().Add(300*time.Millisecond))
	require.NoError(t, err)
	require.Equal(t, postgres.StepSend, b.begin(claimed[0].ID).Step)
}
