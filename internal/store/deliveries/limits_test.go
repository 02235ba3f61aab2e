package deliveries_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/delivery"
)

func limited(rate, concurrency int) func(*domain.Endpoint) {
	return func(e *domain.Endpoint) {
		e.RatePerSecond, e.Concurrency = nil, nil
		if rate > 0 {
			e.RatePerSecond = &rate
		}
		if concurrency > 0 {
			e.Concurrency = &concurrency
		}
	}
}

// TestRate_IsSharedByWorkers: sessions and the endpoint's run, in two
// processes, never begin more in a second than the endpoint states, and use the rate.
func TestRate_IsSharedByWorkers(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	const rate = 20
	b.update(e, limited(rate, 0))
	b.fill(e, 10*rate)
	other := server.Open(t, pgtest.As(b.URL, pgtest.Serving), nil, store.Options{Now: b.Now, Connections: db.Connections{Max: 5}})
	begun := 0
	for step := 0; begun < 3*rate; step++ {
		var all sync.WaitGroup
		found := make([][]deliveries.Attempt, 3)
		var failed [3]error
		for i, claim := range []func() ([]deliveries.Attempt, error){
			func() ([]deliveries.Attempt, error) {
				claimed, err := pgtest.ClaimAs(t.Context(), b.Store, pgtest.InSession)
				return claimed.Attempts, err
			},
			func() ([]deliveries.Attempt, error) {
				claimed, err := pgtest.ClaimAs(t.Context(), other, domain.CreatedBy{RunID: "other"})
				return claimed.Attempts, err
			},
			func() ([]deliveries.Attempt, error) {
				claimed, err := other.Deliveries.Claims.ForRun(t.Context(), pgtest.InRun, e.ID, delivery.MaxInFlight, 0)
				return claimed.Attempts, err
			},
		} {
			all.Go(func() { found[i], failed[i] = claim() })
		}
		all.Wait()
		for i := range found {
			require.NoError(t, failed[i])
			begun += len(found[i])
			for n, a := range found[i] {
				status := 200
				if n%2 == 0 && step%2 == 0 { // and is tried again
					status = 500
				}
				b.End(a, status)
			}
		}
		b.Pass(20 * time.Millisecond)
	}
	most := b.Count(`
		SELECT max(n) FROM webhook_attempt a, LATERAL (
			SELECT count(*)::int AS n FROM webhook_attempt b WHERE b.started_at <= a.started_at AND b.started_at > a.started_at - interval '1 second') c`)
	require.LessOrEqual(t, most, rate)
}

func TestRate_ClosesAnEndpointForAMoment(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e, free := b.Endpoint(), b.Endpoint()
	b.update(e, limited(1, 0))
	b.SendTests(e, 3)
	due := func() bool {
		due, err := b.Store.Deliveries.Claims.SessionDue(t.Context(), nil)
		require.NoError(t, err)
		return due
	}
	require.True(t, due())
	claimed, err := pgtest.ClaimAs(t.Context(), b.Store, pgtest.InSession)
	require.NoError(t, err)
	require.Len(t, claimed.Attempts, 1)
	require.Greater(t, claimed.OpensIn, time.Duration(0))
	require.LessOrEqual(t, claimed.OpensIn, time.Second+time.Millisecond)
	require.True(t, claimed.Attempts[0].SendableAt.IsZero(), "the delay of the others is not the service's")
	b.End(claimed.Attempts[0], 500)
	b.SendTests(free, 2)
	claimed, err = pgtest.ClaimAs(t.Context(), b.Store, pgtest.InSession)
	require.NoError(t, err)
	require.Len(t, claimed.Attempts, 2, "others do not wait")
	for _, a := range claimed.Attempts {
		require.Equal(t, free.ID, a.EndpointID)
	}
	require.Greater(t, claimed.OpensIn, time.Duration(0))
	b.retry(b.Oldest(e))
	b.Pass(2 * time.Second)
	require.True(t, due())
	ofRun := b.ClaimForRun(e)
	require.Len(t, ofRun.Attempts, 1, "what was requested takes its turn")
	b.End(ofRun.Attempts[0], 200)
	require.Empty(t, b.Claim(), "which both share")
	b.retry(b.Oldest(e))
	ofRun = b.ClaimForRun(e)
	require.Empty(t, ofRun.Attempts)
	require.Greater(t, ofRun.In, time.Duration(0))
	require.LessOrEqual(t, ofRun.In, time.Second+time.Millisecond)
	b.update(e, limited(0, 0))
	require.Len(t, b.ClaimForRun(e).Attempts, 1, "at once, when there is no rate any more")
	b.Pass(2 * time.Second)
	require.Len(t, b.Claim(), 2)
	require.NoError(t, b.Exec(`UPDATE webhook_ready SET session_at = $1`, b.Now().Add(time.Hour)))
	b.SendTests(e, 1)
	b.tidy()
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_ready WHERE session_at > $1`, b.Now()), "as after a clock was set back")
}

func TestConcurrency_IsTheEndpointsOwn(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.update(e, limited(0, 2))
	b.SendTests(e, 6)
	attempts := b.Claim()
	require.Len(t, attempts, 2)
	require.Empty(t, b.Claim())
	due, err := b.Store.Deliveries.Claims.SessionDue(t.Context(), nil)
	require.NoError(t, err)
	require.False(t, due, "it has no room")
	b.End(attempts[0], 500)
	b.Pass(time.Minute)
	require.Len(t, b.ClaimForRun(e).Attempts, 1)
	require.Empty(t, b.ClaimForRun(e).Attempts)
	require.Empty(t, b.Claim())
	b.update(e, limited(0, 0))
	b.Pass(5 * time.Second)
	require.Len(t, b.Claim(), 4, "some seconds after it was changed")
	found := b.endpointNow(e)
	require.Nil(t, found.Concurrency)
	b.update(e, limited(1000, 10))
	found = b.endpointNow(e)
	require.Equal(t, []int{1000, 10}, []int{*found.RatePerSecond, *found.Concurrency})
}

// TestClaim_FullEndpointsHideNoOther, however many they are. A claim sees each again
// as soon as a slot is free in its own process, and soon when it is free in another.
func TestClaim_FullEndpointsHideNoOther(t *testing.T) {
	b := setup(t)
	var passed atomic.Int64
	began := b.Now()
	now := func() time.Time { return began.Add(time.Duration(passed.Load())) }
	pass := func(d time.Duration) { passed.Add(int64(d)) }
	open := func() *store.Store {
		return server.Open(t, pgtest.As(b.URL, pgtest.Serving), nil, store.Options{Now: now, Connections: db.Connections{Max: 2}})
	}
	b.Store = open()
	b.ActiveKey()
	e := b.Endpoint()
	b.crowd(e, 900)
	require.NoError(t, b.Exec(`UPDATE webhook_key SET status = 'ACTIVE', activated_at = created_at WHERE account_id <> $1`, b.Account.ID))
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint SET concurrency = 1 WHERE account_id <> $1`, b.Account.ID))
	inFlight := map[id.UUID]deliveries.Attempt{}
	for len(inFlight) < 900 {
		for _, a := range b.Claim() {
			inFlight[a.EndpointID] = a
		}
	}
	require.NoError(t, b.Exec(`
		WITH events AS (
			INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
			SELECT gen_random_uuid(), id, 'WEBHOOK_TEST', $2, 'u', 'SYSTEM', '{}' FROM account WHERE id <> $1 RETURNING id, account_id)
		INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, state, next_attempt_at, created_at, updated_at)
		SELECT gen_random_uuid(), v.account_id, v.id, e.id, 'PENDING', $2, $2, $2 FROM events v JOIN webhook_endpoint e ON e.account_id = v.account_id`, b.Account.ID, now()))
	due := func() bool {
		due, err := b.Store.Deliveries.Claims.SessionDue(t.Context(), nil)
		require.NoError(t, err)
		return due
	}
	require.NoError(t, b.Exec(`UPDATE webhook_ready SET session_at = $1`, now().Add(-time.Hour)))
	require.False(t, due())
	b.SendTests(e, 1)
	require.NoError(t, b.Exec(`UPDATE webhook_ready SET session_at = $2 WHERE endpoint_id = $1`, e.ID, now()))
	require.True(t, due())
	claimed := b.Claim()
	require.Len(t, claimed, 1, "900 stand before it")
	require.Equal(t, e.ID, claimed[0].EndpointID)
	require.Empty(t, b.Claim())
	require.False(t, due())

	var freed []deliveries.Attempt
	for _, a := range inFlight {
		if freed = append(freed, a); len(freed) == 3 {
			break
		}
	}
	b.End(freed[0], 200)
	require.True(t, due())
	claimed = b.Claim()
	require.Len(t, claimed, 1)
	require.Equal(t, freed[0].EndpointID, claimed[0].EndpointID)
	require.Empty(t, b.Claim())
	require.NoError(t, b.Store.Deliveries.Ends.Drop(t.Context(), claimed))
	require.True(t, due())
	require.Len(t, b.Claim(), 1)

	// Another process ends one, and loses one, whose slot is held for a time.
	other := open()
	_, err := pgtest.EndAll(t.Context(), other, ended(freed[1], 200))
	require.NoError(t, err)
	require.NoError(t, other.Deliveries.Ends.MarkAttemptsLost(t.Context(), freed[2:]))
	pass(5 * time.Second)
	require.True(t, due())
	claimed = b.Claim()
	require.Len(t, claimed, 1)
	require.Equal(t, freed[1].EndpointID, claimed[0].EndpointID)
	pass(delivery.SlotHeld - 6*time.Second)
	require.Empty(t, b.Claim())
	pass(time.Second)
	claimed = b.Claim()
	require.Len(t, claimed, 1, "as soon as its slot is free")
	require.Equal(t, freed[2].EndpointID, claimed[0].EndpointID)
}
