package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/postgres/deliveries"
	"requisite/internal/webhooks/delivery"
)

// One account's key was sealed with a keyset that this worker does not have.
func TestAKeyThatCannotBeOpenedStopsNobodyElse(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.crowd(e, 20)
	require.NoError(t, b.exec(`UPDATE webhook_key SET status = 'ACTIVE', activated_at = now(), secret_sealed = '\x00' WHERE account_id <> $1`, e.AccountID))
	b.owe(e, 3)
	sound, broken := 0, 0
	for _, a := range b.claim() {
		switch {
		case a.Broken != nil:
			require.NotEqual(t, e.ID, a.EndpointID)
			broken++
		default:
			require.Equal(t, e.ID, a.EndpointID)
			sound++
		}
	}
	require.Equal(t, []int{3, 20}, []int{sound, broken})
}

// Of more endpoints than one claim looks at, each has its one delivery in flight,
// and hangs.
func TestEndpointsThatHangHideNobody(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.crowd(e, 420)
	require.NoError(t, b.exec(`UPDATE webhook_key SET status = 'ACTIVE', activated_at = now() WHERE account_id <> $1`, e.AccountID))
	require.NoError(t, b.exec(`INSERT INTO webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, probe, epoch, workflow_id, run_id, activity_id)
		SELECT id, 1, endpoint_id, 'SENDING', 'k', $1, false, 0, 'w', 'r', '' FROM webhook_delivery`, b.now()))
	require.NoError(t, b.exec(`UPDATE webhook_ready SET session_at = $1`, b.now()))
	for range 3 {
		b.owe(e, 1)
		b.pass(3 * time.Second)
		claimed := b.claim()
		require.Len(t, claimed, 1)
		require.Equal(t, e.ID, claimed[0].EndpointID)
		b.end(claimed[0], 200)
	}
}

// The answer of the commit was lost, and what was dropped has been claimed anew.
func TestDroppingTwiceLeavesALaterAttempt(t *testing.T) {
	b := setup(t)
	b.activeKey()
	b.owe(b.endpoint(), 1)
	first := b.claim()
	require.Len(t, first, 1)
	require.NoError(t, b.store.Deliveries().Drop(t.Context(), first))
	b.pass(time.Second)
	second := b.claim()
	require.Len(t, second, 1)
	require.NoError(t, b.store.Deliveries().Drop(t.Context(), first))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'SENDING'`))
	b.end(second[0], 200)
	require.Equal(t, delivery.Delivered, b.state(second[0].DeliveryID))
}

// flush lets everything go, and counts it, by a workflow's clock that is off.
func (b *bundle) flush(e domain.Endpoint, skew time.Duration) (total int) {
	b.Helper()
	run := domain.Run{ID: uuid.NewString(), Call: b.call, StartedAt: b.now().Add(skew)}
	begun, err := b.store.BeginFlush(b.Context(), run, e.WireID())
	require.NoError(b, err)
	run.StartedAt, total = begun.StartedAt, begun.Count
	for {
		run.ID = uuid.NewString()
		some, err := b.store.FlushSome(b.Context(), run, e.WireID())
		require.NoError(b, err)
		if some.Count == 0 {
			return total
		}
		total += some.Count
	}
}

func TestAFlushCountsWhatIsDueAlready(t *testing.T) {
	for _, skew := range []time.Duration{-time.Minute, 0, time.Minute} {
		t.Run(skew.String(), func(t *testing.T) {
			b := setup(t)
			b.activeKey()
			e := b.endpoint()
			b.fail(e)
			b.pass(time.Minute)
			retrying := b.states(delivery.Retrying)
			require.Positive(t, retrying)
			require.Equal(t, retrying+b.states(delivery.Pending), b.flush(e, skew))
		})
	}
}

func TestACanceledRunLooksNoMore(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.fail(e)
	require.Positive(t, b.look(e).In)
	_, err := b.store.Deliveries().GiveUp(t.Context(), e.ID)
	require.NoError(t, err)
	list, err := b.store.Deliveries().InTrouble(t.Context())
	require.NoError(t, err)
	require.Empty(t, list, "nobody misses it")

	b.owe(e, 1) // at an endpoint that fails
	_, err = b.store.Deliveries().GiveUp(t.Context(), e.ID)
	require.NoError(t, err)
	wake, err := b.store.Deliveries().RunsToWake(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, wake, 1, "what was never attempted waits for a run of its own")
	require.Equal(t, e.ID, wake[0].Endpoint)
}

func TestARetryThatHangsIsNotMissed(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 1)
	b.work(always(answer{status: 500}))
	b.pass(10 * time.Second)
	require.Len(t, b.look(e).Attempts, 1)
	b.pass(time.Second)
	look, err := b.store.Deliveries().LookAt(t.Context(), inRun, e.ID, delivery.MaxInFlight, 1)
	require.NoError(t, err)
	require.Empty(t, look.Attempts)
	found, err := b.store.Deliveries().Reconcile(t.Context())
	require.NoError(t, err)
	require.Zero(t, found.NoRun)
}

// An organization has as many attempts in flight as it may, and more endpoints with
// something due than one claim looks at.
func TestAnOrganizationThatIsFullHidesNobody(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.crowd(e, 420)
	require.NoError(t, b.exec(`UPDATE webhook_key SET status = 'ACTIVE', activated_at = now() WHERE account_id <> $1`, e.AccountID))
	other := uuid.New()
	require.NoError(t, b.exec(`INSERT INTO organization (id, name) VALUES ($1, 'other')`, other))
	require.NoError(t, b.exec(`UPDATE account SET organization_id = $1 WHERE id <> $2`, other, e.AccountID))
	b.owe(e, 1)
	require.NoError(t, b.exec(`UPDATE webhook_ready SET session_at = $2 WHERE endpoint_id = $1`, e.ID, b.now())) // it was served last
	mine, err := b.store.Deliveries().OrganizationOf(t.Context(), e.ID)
	require.NoError(t, err)
	due := func(full ...string) bool {
		is, err := b.store.Deliveries().SessionDue(t.Context(), full)
		require.NoError(t, err)
		return is
	}
	claim := func(full []string, room map[string]int) []deliveries.Attempt {
		claimed, err := b.store.Deliveries().Claim(t.Context(), inSession, deliveries.Room{Full: full, Share: func(ready []delivery.Ready) []int { return delivery.Share(ready, 200, room) }})
		require.NoError(t, err)
		return claimed.Attempts
	}
	require.True(t, due(other.String()))
	claimed := claim([]string{other.String()}, nil)
	require.Len(t, claimed, 1)
	require.Equal(t, e.ID, claimed[0].EndpointID)
	require.Equal(t, mine, claimed[0].Organization)
	require.False(t, due(other.String()), "no session is started for what has no room")
	require.True(t, due())
	require.Len(t, claim(nil, map[string]int{other.String(): 7}), 7)
}

func (b *bundle) toWake(most int) (endpoints []string) {
	b.Helper()
	list, err := b.store.Deliveries().RunsToWake(b.Context(), most)
	require.NoError(b, err)
	for _, t := range list {
		endpoints = append(endpoints, t.EndpointID)
	}
	return endpoints
}

// Runs are started for endpoints in trouble, and for nothing else.
func TestNoRunIsStartedForAnEndpointThatNeedsNone(t *testing.T) {
	b := setup(t)
	b.owe(b.endpoint(), 1)
	b.activeKey() // and what was held goes
	require.Empty(t, b.toWake(10), "its first attempt is a session's")
	gone := b.endpoint()
	b.owe(gone, 3)
	for _, a := range b.claim() {
		if a.EndpointID == gone.ID {
			b.end(a, 410)
		}
	}
	require.Equal(t, domain.EndpointDisabled, b.endpointNow(gone).Status)
	require.Empty(t, b.toWake(10), "it is disabled")
	b.update(gone, is(domain.EndpointActive))
	b.reconcile()
	require.Equal(t, []string{gone.WireID().String()}, b.toWake(10), "what failed is tried again")
	require.NoError(t, b.exec(`UPDATE webhook_endpoint_health SET looks_at = $1, wake_at = NULL WHERE endpoint_id = $2`, b.now().Add(time.Hour), gone.ID))
	b.update(gone, is(domain.EndpointDisabled))
	b.update(gone, is(domain.EndpointActive))
	b.update(gone, is(domain.EndpointDisabled))
	require.Equal(t, []string{gone.WireID().String()}, b.toWake(10), "the run that is open hears that it may end")
}

// Somebody asks for an attempt while very many endpoints fail.
func TestWhatSomebodyAsksForWaitsBehindNoOutage(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 1)
	d := b.oldest(e)
	b.end(b.claim()[0], 500)
	b.crowd(e, 400)
	require.NoError(t, b.exec(`UPDATE webhook_endpoint_health SET failures = 9, failing_since = $1, wake_at = $1 WHERE endpoint_id <> $2`, b.now().Add(-time.Minute), e.ID))
	require.NoError(t, b.exec(`UPDATE webhook_key SET status = 'ACTIVE', activated_at = now() WHERE account_id <> $1`, e.AccountID))
	require.NotContains(t, b.toWake(8), e.WireID())
	b.retry(d)
	require.Contains(t, b.toWake(8), e.WireID().String())
	b.retry(d)
	require.NotContains(t, b.toWake(8), e.WireID(), "somebody is waking it")
}
