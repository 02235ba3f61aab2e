package deliveries_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/delivery"
)

// One account's key was sealed with a keyset that this worker does not have.
func TestClaim_AKeyThatCannotBeOpenedStopsNoOtherAccount(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.crowd(e, 20)
	require.NoError(t, b.Exec(`UPDATE webhook_key SET status = 'ACTIVE', activated_at = now(), secret_sealed = '\x00' WHERE account_id <> $1`, e.AccountID))
	b.SendTests(e, 3)
	sound, broken := 0, 0
	for _, a := range b.Claim() {
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
func TestClaim_EndpointsThatHangHideNoOther(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.crowd(e, 420)
	require.NoError(t, b.Exec(`UPDATE webhook_key SET status = 'ACTIVE', activated_at = now() WHERE account_id <> $1`, e.AccountID))
	require.NoError(t, b.Exec(`INSERT INTO webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, probe, epoch, workflow_id, run_id, activity_id)
		SELECT id, 1, endpoint_id, 'SENDING', 'k', $1, false, 0, 'w', 'r', '' FROM webhook_delivery`, b.Now()))
	require.NoError(t, b.Exec(`UPDATE webhook_ready SET session_at = $1`, b.Now()))
	for range 3 {
		b.SendTests(e, 1)
		b.Pass(3 * time.Second)
		claimed := b.Claim()
		require.Len(t, claimed, 1)
		require.Equal(t, e.ID, claimed[0].EndpointID)
		b.End(claimed[0], 200)
	}
}

// The answer of the commit was lost, and what was dropped has been claimed anew.
func TestAttempt_DroppedTwiceLeavesALaterOne(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	b.SendTests(b.Endpoint(), 1)
	first := b.Claim()
	require.Len(t, first, 1)
	require.NoError(t, b.Store.Deliveries.Ends.Drop(t.Context(), first))
	b.Pass(time.Second)
	second := b.Claim()
	require.Len(t, second, 1)
	require.NoError(t, b.Store.Deliveries.Ends.Drop(t.Context(), first))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_attempt WHERE outcome = 'SENDING'`))
	b.End(second[0], 200)
	require.Equal(t, delivery.Delivered, b.StateOf(second[0].DeliveryID))
}

func TestFlush_CountsWhatIsDueAlready(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.failEndpoint(e)
	b.Pass(time.Minute)
	retrying := b.CountIn(delivery.Retrying)
	require.Positive(t, retrying)
	require.Equal(t, retrying+b.CountIn(delivery.Pending), b.Flush(e))
}

func TestClaimForRun_EndsWithACanceledRun(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.failEndpoint(e)
	require.Positive(t, b.ClaimForRun(e).In)
	_, err := b.Store.Deliveries.Runs.GiveUp(t.Context(), e.ID)
	require.NoError(t, err)
	list, err := b.Store.Deliveries.Runs.InTrouble(t.Context())
	require.NoError(t, err)
	require.Empty(t, list, "nobody misses it")

	b.SendTests(e, 1) // at an endpoint that fails
	_, err = b.Store.Deliveries.Runs.GiveUp(t.Context(), e.ID)
	require.NoError(t, err)
	wake, err := b.Store.Deliveries.Runs.ToWake(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, wake, 1, "what was never attempted waits for a run of its own")
	require.Equal(t, e.ID, wake[0].Endpoint)
}

func TestRetry_AskedForDuringAHangingAttemptIsMade(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	b.work(always(pgtest.Answer{Status: 500}))
	b.Pass(10 * time.Second)
	require.Len(t, b.ClaimForRun(e).Attempts, 1)
	b.Pass(time.Second)
	claimed, err := b.Store.Deliveries.Claims.ForRun(t.Context(), pgtest.InRun, e.ID, delivery.MaxInFlight, 1)
	require.NoError(t, err)
	require.Empty(t, claimed.Attempts)
	found, err := b.Store.Deliveries.Repairs.Reconcile(t.Context())
	require.NoError(t, err)
	require.Zero(t, found.NoRun)
}

// An organization has as many attempts in flight as it may, and more endpoints with
// something due than one claim looks at.
func TestClaim_AFullOrganizationHidesNoOther(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.crowd(e, 420)
	require.NoError(t, b.Exec(`UPDATE webhook_key SET status = 'ACTIVE', activated_at = now() WHERE account_id <> $1`, e.AccountID))
	other := id.New()
	require.NoError(t, b.Exec(`INSERT INTO organization (id, name) VALUES ($1, 'other')`, other))
	require.NoError(t, b.Exec(`UPDATE account SET organization_id = $1 WHERE id <> $2`, other, e.AccountID))
	b.SendTests(e, 1)
	require.NoError(t, b.Exec(`UPDATE webhook_ready SET session_at = $2 WHERE endpoint_id = $1`, e.ID, b.Now())) // it was served last
	mine, err := b.Store.Deliveries.Runs.OrganizationOf(t.Context(), e.ID)
	require.NoError(t, err)
	due := func(full ...string) bool {
		is, err := b.Store.Deliveries.Claims.SessionDue(t.Context(), full)
		require.NoError(t, err)
		return is
	}
	claim := func(full []string, room map[string]int) []deliveries.Attempt {
		ready, err := b.Store.Deliveries.Claims.LookForReady(t.Context(), false, full)
		require.NoError(t, err)
		claimed, err := b.Store.Deliveries.Claims.Claim(t.Context(), pgtest.InSession, ready, delivery.Share(ready.Endpoints, 200, room))
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
	list, err := b.Store.Deliveries.Runs.ToWake(b.Context(), most)
	require.NoError(b, err)
	for _, t := range list {
		endpoints = append(endpoints, t.EndpointID)
	}
	return endpoints
}

// Runs are started for endpoints in trouble, and for nothing else.
func TestRun_IsStartedOnlyForAFailingEndpoint(t *testing.T) {
	b := setup(t)
	b.SendTests(b.Endpoint(), 1)
	b.ActiveKey() // and what was held goes
	require.Empty(t, b.toWake(10), "its first attempt is a session's")
	gone := b.Endpoint()
	b.SendTests(gone, 3)
	for _, a := range b.Claim() {
		if a.EndpointID == gone.ID {
			b.End(a, 410)
		}
	}
	require.Equal(t, domain.EndpointDisabled, b.endpointNow(gone).Status)
	require.Empty(t, b.toWake(10), "it is disabled")
	b.update(gone, pgtest.WithStatus(domain.EndpointActive))
	b.reconcile()
	require.Equal(t, []string{gone.WireID().String()}, b.toWake(10), "what failed is tried again")
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint_health SET looks_at = $1, wake_at = NULL WHERE endpoint_id = $2`, b.Now().Add(time.Hour), gone.ID))
	b.update(gone, pgtest.WithStatus(domain.EndpointDisabled))
	b.update(gone, pgtest.WithStatus(domain.EndpointActive))
	b.update(gone, pgtest.WithStatus(domain.EndpointDisabled))
	require.Equal(t, []string{gone.WireID().String()}, b.toWake(10), "the run that is open hears that it may end")
}

// Somebody asks for an attempt while very many endpoints fail.
func TestRetry_WaitsBehindNoOutage(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	d := b.Oldest(e)
	b.End(b.Claim()[0], 500)
	b.crowd(e, 400)
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint_health SET failures = 9, failing_since = $1, wake_at = $1 WHERE endpoint_id <> $2`, b.Now().Add(-time.Minute), e.ID))
	require.NoError(t, b.Exec(`UPDATE webhook_key SET status = 'ACTIVE', activated_at = now() WHERE account_id <> $1`, e.AccountID))
	require.NotContains(t, b.toWake(8), e.WireID())
	b.retry(d)
	require.Contains(t, b.toWake(8), e.WireID().String())
	b.retry(d)
	require.NotContains(t, b.toWake(8), e.WireID(), "somebody is waking it")
}
