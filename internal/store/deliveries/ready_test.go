package deliveries_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/pgtest"
)

// emitOpen writes an event of a type in a transaction that stays open: a WEBHOOK_TEST for one
// endpoint alone, another for all.
func (b *bundle) emitOpen(e domain.Endpoint, kind string) pgx.Tx {
	b.Helper()
	tx := b.other()
	_, err := tx.Exec(b.Context(), `SELECT set_config('lock_timeout', '10s', true), set_config('requisite.organization', $1, true), set_config('requisite.environment', $2, true)`,
		b.Call.Scope.OrganizationID.String(), string(b.Call.Scope.Environment))
	require.NoError(b, err)
	ids := make([]id.UUID, 20)
	for i := range ids {
		ids[i] = id.New()
	}
	_, err = tx.Exec(b.Context(), `SELECT emit_events($1, $2, NULL, $3, 'u', 'SYSTEM', $1, ARRAY[$4::uuid], ARRAY[$6::text], '{"{}"}', '{""}', '{NULL}', $5)`,
		b.Now(), e.AccountID, id.NullUUID{UUID: e.ID, Valid: kind == "WEBHOOK_TEST"}, id.New(), ids, kind)
	require.NoError(b, err)
	return tx
}

func (b *bundle) ready() int { return b.Count(`SELECT count(*) FROM webhook_ready`) }

func TestReady_WritersOfEventsDoNotWaitForEachOther(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1) // the endpoint is ready
	var open []pgx.Tx
	for range 16 {
		open = append(open, b.emitOpen(e, "WEBHOOK_TEST"))
	}
	require.Len(t, b.Claim(), 1, "nor does a session wait for them")
	for _, tx := range open {
		require.NoError(t, tx.Commit(t.Context()))
	}
}

func TestReady_AnEventThatIsCommittedDuringTidyingIsSent(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	b.End(b.Claim()[0], 200)
	writer := b.emitOpen(e, "WEBHOOK_TEST")
	b.tidy()
	require.Equal(t, 1, b.ready(), "somebody may be writing a delivery")
	require.NoError(t, writer.Commit(t.Context()))
	require.Len(t, b.Claim(), 1)
}

func TestReady_IdleEndpointsLeave(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	b.End(b.Claim()[0], 200)
	b.tidy()
	require.Zero(t, b.ready())
	b.SendTests(e, 1)
	require.Len(t, b.Claim(), 1)
}

// TestReady_IdleEndpointsHideNoOther, although they are more than a claim looks at.
func TestReady_IdleEndpointsHideNoOther(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.crowd(e, 420)
	require.NoError(t, b.Exec(`UPDATE webhook_key SET status = 'ACTIVE', activated_at = now() WHERE account_id <> $1`, e.AccountID))
	require.NoError(t, b.Exec(`DELETE FROM webhook_delivery`))
	b.SendTests(e, 1)
	require.NoError(t, b.Exec(`UPDATE webhook_ready SET session_at = $2 WHERE endpoint_id = $1`, e.ID, b.Now()))
	require.Len(t, b.Claim(), 1)
}

// TestReady_FirstKeyReleasesEverything without the reconciliation.
func TestReady_FirstKeyReleasesEverything(t *testing.T) {
	b := setup(t)
	e := b.Endpoint()
	b.SendTests(e, 2)
	require.Empty(t, b.Claim())
	b.tidy()
	_, err := b.Activate(b.MustKey().KeyID)
	require.NoError(t, err)
	b.SendTests(e, 1)
	b.tidy()
	b.tidy()
	require.Len(t, b.Claim(), 4, "with the event that the key is active")
	require.Zero(t, b.reconcile())
}

// TestReady_EnablingSendsWhatWasPendingAllAlong, which no session looks at meanwhile.
func TestReady_EnablingSendsWhatWasPendingAllAlong(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	change := func(status domain.EndpointStatus) {
		b.Write(b.Call, func(r *store.Records) error {
			return r.Webhooks.UpdateEndpoint(t.Context(), e.WireID(), pgtest.WithStatus(status))
		})
	}
	change(domain.EndpointDisabled)
	b.tidy()
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_ready WHERE session_at = 'infinity'`), "nothing may be sent to it")
	change(domain.EndpointActive)
	require.Len(t, b.Claim(), 1)
}

// TestReady_TidyingLooksAtNoParkedEndpoint: there may be many, for a long time. The
// reconciliation removes one whose deliveries have ended.
func TestReady_TidyingLooksAtNoParkedEndpoint(t *testing.T) {
	b := setup(t)
	e := b.Endpoint()
	b.SendTests(e, 1) // and no key is active
	b.tidy()
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_ready WHERE session_at = 'infinity'`))
	require.NoError(t, b.Exec(`UPDATE webhook_delivery SET state = 'FAILED', next_attempt_at = NULL`))
	b.tidy()
	require.Equal(t, 1, b.ready())
	require.Zero(t, b.reconcile())
	require.Zero(t, b.ready())
}

// TestReady_AFailingEndpointIsLeftToItsRun until it is well.
func TestReady_AFailingEndpointIsLeftToItsRun(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 6)
	attempts := b.Claim()
	for _, a := range attempts[:5] {
		b.End(a, 500)
	}
	b.SendTests(e, 1)
	b.tidy()
	require.Empty(t, b.Claim())
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_ready WHERE session_at = 'infinity'`))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_endpoint_health WHERE wake_at IS NOT NULL`))
	b.Pass(time.Minute)
	b.End(attempts[5], 200)
	require.Len(t, b.Claim(), 1, "it is well again")
}

func TestReady_ACanceledRunOfAFailingEndpointHidesNoLaterEvent(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.failEndpoint(e)
	b.tidy()
	require.Positive(t, b.ClaimForRun(e).In)
	_, err := b.Store.Deliveries.Runs.GiveUp(t.Context(), e.ID)
	require.NoError(t, err)
	b.tidy()
	b.SendTests(e, 1)
	b.tidy()
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_endpoint_health WHERE wake_at IS NOT NULL`))
	require.Zero(t, b.reconcile())
}

func TestReady_EndpointsWhoseRateIsUsedUpHideNoOther(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.crowd(e, 420)
	require.NoError(t, b.Exec(`UPDATE webhook_key SET status = 'ACTIVE', activated_at = now() WHERE account_id <> $1`, e.AccountID))
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint SET rate_per_second = 1 WHERE account_id <> $1`, e.AccountID))
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint_health SET opens_at = $2 WHERE endpoint_id <> $1`, e.ID, b.Now().Add(900*time.Millisecond)))
	b.SendTests(e, 1)
	require.NoError(t, b.Exec(`UPDATE webhook_ready SET session_at = $2 WHERE endpoint_id = $1`, e.ID, b.Now()))
	require.Len(t, b.Claim(), 1)
	due, err := b.Store.Deliveries.Claims.SessionDue(t.Context(), nil)
	require.NoError(t, err)
	require.False(t, due, "no session can do anything")
}

func TestReady_TidyingKeepsWhenARateOpens(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.update(e, limited(1, 0))
	b.SendTests(e, 1)
	b.End(b.Claim()[0], 200)
	b.tidy()
	b.SendTests(e, 1)
	claimed, err := pgtest.ClaimAs(t.Context(), b.Store, pgtest.InSession)
	require.NoError(t, err)
	require.Empty(t, claimed.Attempts)
	require.Positive(t, claimed.OpensIn)
}

func TestReady_AClockThatIsSetBackDelaysNobody(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	b.Pass(time.Hour)
	e := b.Endpoint()
	b.SendTests(e, 1)
	b.End(b.Claim()[0], 200)
	b.SendTests(e, 1)
	b.Pass(-5 * time.Second)
	require.Empty(t, b.Claim())
	b.tidy()
	require.Len(t, b.Claim(), 1)
}

func TestClaimForRun_SeesAnEnablingThatItWaitedFor(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	b.End(b.Claim()[0], 500)
	change := func(status domain.EndpointStatus, then func()) {
		b.Write(b.Call, func(r *store.Records) error {
			err := r.Webhooks.UpdateEndpoint(t.Context(), e.WireID(), pgtest.WithStatus(status))
			then()
			return err
		})
	}
	change(domain.EndpointDisabled, func() {})
	claimed := make(chan deliveries.RunClaim, 1)
	change(domain.EndpointActive, func() {
		go func() { claimed <- b.ClaimForRun(e) }()
		b.AwaitLock("look")
	})
	require.True(t, (<-claimed).Sendable)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_endpoint_health WHERE wake_at IS NOT NULL OR looks_at IS NOT NULL`))
	require.Zero(t, b.reconcile())
}
