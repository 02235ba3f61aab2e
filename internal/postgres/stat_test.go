package postgres_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"requisite/internal/postgres"
	"requisite/internal/webhook"
)

func (b *bundle) overdue() int64 {
	b.Helper()
	now, err := b.store.Standing(b.Context(), true)
	require.NoError(b, err)
	return now.Overdue
}

// TestOverdueIsWhatNobodySends: what waits for its receiver is not.
func TestOverdueIsWhatNobodySends(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.owe(e, 2)
	require.Zero(t, b.overdue(), "they are due for a moment")
	b.pass(3 * time.Minute)
	require.EqualValues(t, 2, b.overdue(), "nobody dispatches")

	retrying := b.beginAll(b.claim())
	require.Zero(t, b.overdue())
	for _, a := range retrying {
		b.end(a, 500)
	}
	require.NoError(t, b.exec(`UPDATE webhook_delivery SET dispatched_at = NULL`)) // as after a recovery
	b.pass(10 * time.Minute)
	require.EqualValues(t, 2, b.overdue(), "those that are tried again, too")

	// An endpoint that is sent to as fast as it answers.
	b.owe(e, webhook.OnTheWire)
	attempts := b.beginAll(b.claim())
	require.Len(t, attempts, webhook.OnTheWire)
	require.NoError(t, b.exec(`UPDATE webhook_delivery SET next_attempt_at = next_attempt_at - interval '1 hour' WHERE dispatched_at IS NULL`))
	require.Zero(t, b.overdue(), "the rest waits for its receiver")
	b.pass(3 * time.Minute)
	require.EqualValues(t, 12, b.overdue(), "the workers died, and so did their attempts")

	// An endpoint that fails.
	require.NoError(t, b.exec(`UPDATE webhook_endpoint_health SET failures = $1, failing_since = now(), probe_at = $2`, webhook.FailingAfter, b.now().Add(time.Minute)))
	require.Zero(t, b.overdue(), "they wait by design")
	b.update(e, to("https://elsewhere.example/"))
	require.Zero(t, b.overdue(), "it is well for a moment")
	b.pass(3 * time.Minute)
	require.EqualValues(t, 12, b.overdue())
	mended, err := b.store.Mend(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 12, mended.Waiting)
	require.NoError(t, b.exec(`UPDATE webhook_endpoint SET status = 'DISABLED', disabled_reason = 'x'`))
	require.Zero(t, b.overdue())
}

func TestASuccessOfASchedule(t *testing.T) {
	b := setup(t)
	last := func() map[postgres.Schedule]time.Time {
		now, err := b.store.Standing(t.Context(), true)
		require.NoError(t, err)
		return now.LastSuccess
	}
	for _, s := range []postgres.Schedule{postgres.SchedulePrune, postgres.ScheduleReconcile} {
		require.WithinDuration(t, time.Now(), last()[s], time.Hour, "one that never works is missed, too")
	}
	b.pass(24 * time.Hour)
	at := b.now()
	require.NoError(t, b.store.Succeeded(t.Context(), postgres.SchedulePrune))
	require.WithinDuration(t, at, last()[postgres.SchedulePrune], time.Minute)
	require.WithinDuration(t, time.Now(), last()[postgres.ScheduleReconcile], time.Hour)
	b.pass(-time.Hour)
	require.NoError(t, b.store.Succeeded(t.Context(), postgres.SchedulePrune))
	require.WithinDuration(t, at, last()[postgres.SchedulePrune], time.Minute, "a clock that is behind takes nothing back")
}

// TestWhatIsSettledIsCountedOnce, whoever settles it.
func TestWhatIsSettledIsCountedOnce(t *testing.T) {
	b := setup(t)
	want := map[postgres.DeliveryState]int64{postgres.Delivered: 0, postgres.Failed: 0, postgres.Held: 0, postgres.Canceled: 0}
	counts := func(why string, state postgres.DeliveryState, more int64) {
		t.Helper()
		want[state] += more
		require.Equal(t, want, b.store.Settled(), why)
	}
	tried := func(d uuid.UUID, attempts int) {
		require.NoError(t, b.exec(`UPDATE webhook_delivery SET state = 'RETRYING', attempt_count = $2, round_attempts = $2 WHERE id = $1`, d, attempts))
	}
	e := b.endpoint("WEBHOOK_TEST")
	b.owe(e, 2)
	require.Empty(t, b.claim())
	require.Empty(t, b.claim())
	counts("held for want of a key", postgres.Held, 2)
	b.activeKey()
	counts("let go", postgres.Held, 0)

	due := b.claim()
	b.end(b.begin(due[0].ID), 200)
	counts("delivered", postgres.Delivered, 1)
	b.end(b.begin(due[1].ID), 500)
	counts("put off", postgres.Failed, 0)
	tried(due[1].ID, webhook.MaxAttempts)
	b.pass(time.Hour)
	require.Equal(t, postgres.StepEnded, b.begin(due[1].ID).Step)
	b.begin(due[1].ID)
	counts("the last attempt broke off", postgres.Failed, 1)

	b.owe(e, 1)
	last := b.claim()[0].ID
	tried(last, webhook.MaxAttempts-1)
	b.end(b.begin(last), 500)
	counts("given up", postgres.Failed, 1)

	b.owe(e, 1)
	stopped := b.begin(b.claim()[0].ID)
	for range 2 {
		_, err := b.store.StopDelivery(t.Context(), stopped.DeliveryID)
		require.NoError(t, err)
	}
	counts("stopped", postgres.Failed, 1)
	b.end(stopped, 500)
	counts("and failed afterwards", postgres.Failed, 0)

	b.owe(e, 1)
	keyless := b.claim()[0].ID
	require.NoError(t, b.exec(`UPDATE webhook_key SET status = 'DELETED', deleted_at = now()`))
	require.Equal(t, postgres.StepHeld, b.begin(keyless).Step)
	b.begin(keyless)
	counts("held when it was to be sent", postgres.Held, 1)
	b.activeKey()

	b.end(b.begin(b.claim()[0].ID), 200)
	counts("and delivered", postgres.Delivered, 1)
	b.owe(e, 1)
	b.update(e, func(e *postgres.Endpoint) { e.Status = postgres.EndpointDisabled })
	counts("held by who disabled the endpoint", postgres.Held, 1)
	b.owe(e, 1)
	counts("held from the beginning", postgres.Held, 1)
	_, err := b.store.Mend(t.Context())
	require.NoError(t, err)
	counts("nothing to mend", postgres.Held, 0)
	b.write(b.call, func(r *postgres.Records) error { return r.DeleteEndpoint(t.Context(), e.WireID()) })
	counts("canceled", postgres.Canceled, 2)
	require.Error(t, b.try(b.call, func(r *postgres.Records) error { return r.DeleteEndpoint(t.Context(), e.WireID()) }))
	counts("once", postgres.Canceled, 0)

	other := b.endpoint("WEBHOOK_TEST")
	require.Error(t, b.try(b.call, func(r *postgres.Records) error {
		if _, err := r.TestEndpoint(t.Context(), other.WireID()); err != nil {
			return err
		}
		if err := r.DeleteEndpoint(t.Context(), other.WireID()); err != nil {
			return err
		}
		return errors.New("rolled back")
	}))
	counts("what was rolled back never was", postgres.Canceled, 0)
	b.owe(other, 1)
	d := b.claim()[0].ID
	require.NoError(t, b.exec(`UPDATE webhook_endpoint SET deleted_at = now(), place = NULL WHERE id = $1`, other.ID))
	require.Equal(t, postgres.StepEnded, b.begin(d).Step)
	counts("canceled when it was to be sent", postgres.Canceled, 1)
}

// TestADeliveryIsLateFromWhenItCouldGo: neither days without a key nor the wait
// for a failing endpoint are the service's.
func TestADeliveryIsLateFromWhenItCouldGo(t *testing.T) {
	b := setup(t)
	e := b.endpoint("WEBHOOK_TEST")
	near := func(want, got time.Time) {
		t.Helper()
		require.WithinDuration(t, want, got, time.Minute)
	}
	b.owe(e, 1)
	require.Empty(t, b.claim())
	b.pass(48 * time.Hour)
	b.activeKey()
	released := b.now()
	b.pass(10 * time.Minute)
	first := b.begin(b.claim()[0].ID)
	near(released, first.SendableAt)
	b.end(first, 500)
	b.pass(time.Hour)
	again := b.begin(first.DeliveryID)
	require.Zero(t, again.SendableAt, "only the first attempt tells")
	b.end(again, 200)

	b.fail(e)
	b.owe(e, 1)
	waits := b.count(`SELECT count(*) FROM webhook_delivery WHERE state = 'PENDING'`)
	require.Equal(t, 1, waits)
	require.NoError(t, b.exec(`UPDATE webhook_delivery SET next_attempt_at = next_attempt_at + interval '1 day' WHERE state = 'RETRYING'`))
	b.owe(e, 1)
	b.pass(6 * time.Hour)
	probe := b.begin(b.claim()[0].ID)
	require.True(t, probe.Probe)
	require.Zero(t, probe.SendableAt, "the endpoint fails")
	b.end(probe, 200)
	recovered := b.now()
	b.pass(20 * time.Minute)
	rest := b.begin(b.claim()[0].ID)
	near(recovered, rest.SendableAt)
	b.end(rest, 200)
	b.owe(e, 1)
	b.pass(10 * time.Minute)
	near(b.now().Add(-10*time.Minute), b.begin(b.claim()[0].ID).SendableAt)
}
