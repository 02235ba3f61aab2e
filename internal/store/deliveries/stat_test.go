package deliveries_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/delivery"
)

func (b *bundle) overdue() int64 {
	b.Helper()
	now, err := b.Store.Upkeep.BackgroundState(b.Context(), true)
	require.NoError(b, err)
	return now.Overdue
}

func TestEndpoints_CountsEnabledOnesByHealth(t *testing.T) {
	b := setup(t)
	counted := func() deliveries.Endpoints {
		now, err := b.Store.Upkeep.BackgroundState(b.Context(), true)
		require.NoError(t, err)
		return now.Endpoints
	}
	require.Zero(t, counted())
	fails, _, disabled, deleted := b.Endpoint(), b.Endpoint(), b.Endpoint(), b.Endpoint()
	require.Equal(t, deliveries.Endpoints{Healthy: 4}, counted(), "nothing was sent to them")
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint_health SET failures = $1, failing_since = now() WHERE endpoint_id <> $2`, delivery.FailingAfter-1, fails.ID))
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint_health SET failures = $1, failing_since = now() WHERE endpoint_id = $2`, delivery.FailingAfter, fails.ID))
	require.Equal(t, deliveries.Endpoints{Healthy: 3, Failing: 1}, counted())
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint SET status = 'DISABLED', disabled_reason = 'x' WHERE id = $1`, disabled.ID))
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint SET deleted_at = now(), slot = NULL WHERE id = $1`, deleted.ID))
	require.Equal(t, deliveries.Endpoints{Healthy: 1, Failing: 1}, counted())
}

// TestOverdue_CountsWhatNobodySends: what waits for its receiver is not.
func TestOverdue_CountsWhatNobodySends(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 2)
	require.Zero(t, b.overdue(), "they are due for a moment")
	b.Pass(3 * time.Minute)
	require.EqualValues(t, 2, b.overdue(), "nobody sends them")
	retrying := b.Claim()
	require.Zero(t, b.overdue())
	for _, a := range retrying {
		b.End(a, 500)
	}
	b.Pass(10 * time.Minute)
	require.EqualValues(t, 2, b.overdue(), "those that are tried again, too")

	// An endpoint that is sent to as fast as it answers.
	b.SendTests(e, delivery.MaxInFlight)
	require.Len(t, b.Claim(), delivery.MaxInFlight)
	require.Zero(t, b.overdue(), "the rest waits for its receiver")
	b.Pass(3 * time.Minute)
	require.EqualValues(t, 12, b.overdue(), "the workers died, and so did their attempts")

	// An endpoint that fails.
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint_health SET failures = $1, failing_since = now(), probe_at = $2`, delivery.FailingAfter, b.Now().Add(time.Minute)))
	require.Zero(t, b.overdue(), "they wait by design")
	b.update(e, withURL("https://elsewhere.example/"))
	require.Zero(t, b.overdue(), "it is well for a moment")
	b.Pass(3 * time.Minute)
	require.EqualValues(t, 12, b.overdue())
	require.Equal(t, deliveries.Reconciled{Lost: 10, Overdue: 2}, b.reconcile())
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint SET status = 'DISABLED', disabled_reason = 'x'`))
	require.Zero(t, b.overdue())
}

func TestBackgroundState_ShowsTheLastSuccessOfEachTemporalSchedule(t *testing.T) {
	before := time.Now()
	b := setup(t)
	last := func() map[store.Schedule]time.Time {
		now, err := b.Store.Upkeep.BackgroundState(t.Context(), true)
		require.NoError(t, err)
		return now.LastSuccess
	}
	installed := last()
	require.NotZero(t, installed[store.SchedulePrune], "one that never works is missed, too")
	require.NotZero(t, installed[store.ScheduleReconcile])
	require.True(t, installed[store.ScheduleReconcile].After(before), "a test's database is no older than the test")
	b.Pass(24 * time.Hour)
	at := b.Now()
	require.NoError(t, b.Store.Upkeep.Succeeded(t.Context(), store.SchedulePrune))
	require.True(t, at.Equal(last()[store.SchedulePrune]))
	require.Equal(t, installed[store.ScheduleReconcile], last()[store.ScheduleReconcile])
	b.Pass(-time.Hour)
	require.NoError(t, b.Store.Upkeep.Succeeded(t.Context(), store.SchedulePrune))
	require.True(t, b.Now().Equal(last()[store.SchedulePrune]), "a time that is still to come would hide that the work stops")
}

// TestEnded_CountsEachDeliveryOnce, for every way in which it can end.
func TestEnded_CountsEachDeliveryOnce(t *testing.T) {
	b := setup(t)
	want := map[delivery.State]int64{delivery.Delivered: 0, delivery.Failed: 0, delivery.Canceled: 0}
	counts := func(why string, state delivery.State, more int64) {
		t.Helper()
		want[state] += more
		require.Equal(t, want, b.Store.Deliveries.Outbox.Ended(), why)
	}
	tried := func(d id.UUID, attempts int) {
		require.NoError(t, b.Exec(`UPDATE webhook_delivery SET state = 'RETRYING', attempt_count = $2, round_attempts = $2 WHERE id = $1`, d, attempts))
	}
	e := b.Endpoint("WEBHOOK_TEST")
	b.SendTests(e, 2)
	b.ActiveKey()

	attempts := b.Claim()
	b.End(attempts[0], 200)
	b.End(attempts[0], 200)
	counts("delivered", delivery.Delivered, 1)
	tried(attempts[1].DeliveryID, delivery.MaxAttempts-1)
	require.NoError(t, b.Store.Deliveries.Ends.MarkAttemptsLost(t.Context(), attempts[1:]))
	require.NoError(t, b.Store.Deliveries.Ends.MarkAttemptsLost(t.Context(), attempts[1:]))
	counts("the last attempt broke off", delivery.Failed, 1)
	b.Pass(delivery.SlotHeld)

	b.SendTests(e, 1)
	last := b.Claim()[0]
	tried(last.DeliveryID, delivery.MaxAttempts-1)
	b.End(last, 500)
	counts("given up", delivery.Failed, 1)

	b.SendTests(e, 1)
	stopped := b.Claim()[0]
	once := b.Call
	once.IdempotencyKey, once.BodySHA256 = "once", make([]byte, 32)
	for range 2 {
		b.Write(once, func(r *store.Records) error {
			return r.Webhooks.CancelDelivery(t.Context(), delivery.Record{ID: stopped.DeliveryID}.WireID(), "why")
		})
	}
	counts("canceled by its owner", delivery.Failed, 1)
	b.End(stopped, 500)
	counts("and failed afterwards", delivery.Failed, 0)

	b.SendTests(e, 1)
	b.End(b.Claim()[0], 500)
	for range 2 {
		_, err := b.Store.Deliveries.Runs.GiveUp(t.Context(), e.ID)
		require.NoError(t, err)
	}
	counts("its run was canceled", delivery.Failed, 1)

	b.SendTests(e, 1)
	b.update(e, pgtest.WithStatus(domain.EndpointDisabled))
	b.SendTests(e, 1)
	b.reconcile()
	counts("HELD is no end", delivery.Canceled, 0)
	b.deleteEndpoint(e)
	b.reconcile()
	counts("canceled", delivery.Canceled, 2)
	b.reconcile()
	require.Error(t, b.Try(b.Call, func(r *store.Records) error { return r.Webhooks.DeleteEndpoint(t.Context(), e.WireID()) }))
	counts("once", delivery.Canceled, 0)

	other := b.Endpoint("WEBHOOK_TEST")
	require.Error(t, b.Try(b.Call, func(r *store.Records) error {
		if _, err := r.Webhooks.TestEndpoint(t.Context(), other.WireID(), domain.WebhookTest); err != nil {
			return err
		}
		if err := r.Webhooks.DeleteEndpoint(t.Context(), other.WireID()); err != nil {
			return err
		}
		return errors.New("rolled back")
	}))
	counts("what was rolled back never was", delivery.Canceled, 0)
	b.SendTests(other, 1)
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint SET deleted_at = now(), slot = NULL WHERE id = $1`, other.ID))
	b.reconcile()
	counts("canceled by the reconciliation", delivery.Canceled, 1)
}

// TestLate_BeginsWhenADeliveryCouldGo: neither days without a key nor the wait
// for a failing endpoint are the service's.
func TestLate_BeginsWhenADeliveryCouldGo(t *testing.T) {
	b := setup(t)
	e := b.Endpoint("WEBHOOK_TEST")
	near := func(want, got time.Time) {
		t.Helper()
		require.True(t, want.Equal(got), "%s, not %s", got, want)
	}
	b.SendTests(e, 1)
	require.Empty(t, b.Claim())
	b.Pass(48 * time.Hour)
	b.ActiveKey()
	released := b.Now()
	b.Pass(10 * time.Minute)
	first := b.Claim()[0]
	near(released, first.SendableAt)
	b.End(first, 500)
	b.Pass(time.Hour)
	again := b.ClaimForRun(e).Attempts[0]
	require.Zero(t, again.SendableAt, "only the first attempt tells")
	b.End(again, 200)

	b.failEndpoint(e)
	require.NoError(t, b.Exec(`UPDATE webhook_delivery SET next_attempt_at = next_attempt_at + interval '1 day' WHERE state = 'RETRYING'`))
	b.SendTests(e, 2)
	b.Pass(6 * time.Hour)
	probe := b.ClaimForRun(e).Attempts[0]
	require.True(t, probe.Probe)
	require.Zero(t, probe.SendableAt, "the endpoint fails")
	b.End(probe, 200)
	recovered := b.Now()
	b.Pass(20 * time.Minute)
	rest := b.Claim()[0]
	near(recovered, rest.SendableAt)
	b.End(rest, 200)
	b.SendTests(e, 1)
	b.Pass(10 * time.Minute)
	near(b.Now().Add(-10*time.Minute), b.Claim()[0].SendableAt)
}
