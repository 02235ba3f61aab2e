package deliveries_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/delivery"
)

// waits are why a delivery waits, and for how long where that is known.
func (b *bundle) waits(d id.UUID) map[delivery.Cause]time.Duration {
	b.Helper()
	found, err := b.Store.AllWebhooks.Waits(b.Context(), []delivery.Record{{ID: d}})
	require.NoError(b, err)
	causes := map[delivery.Cause]time.Duration{}
	for _, w := range found[d] {
		causes[w.Cause] = 0
		if !w.Until.IsZero() {
			causes[w.Cause] = w.Until.Sub(b.Now())
		}
	}
	return causes
}

// TestWaits_FollowsADelivery through everything that may keep it.
func TestWaits_FollowsADelivery(t *testing.T) {
	type causes = map[delivery.Cause]time.Duration
	b := setup(t)
	e := b.Endpoint()
	b.SendTests(e, 1)
	d := b.LastOf(e)
	require.Equal(t, causes{delivery.CauseNoKey: 0}, b.waits(d))
	b.ActiveKey()
	require.Equal(t, causes{delivery.CauseDue: 0}, b.waits(d))
	b.update(e, pgtest.WithStatus(domain.EndpointDisabled))
	require.Equal(t, causes{delivery.CauseDisabled: 0}, b.waits(d))
	b.update(e, pgtest.WithStatus(domain.EndpointActive))
	b.Pass(time.Second)
	first := b.Claim()[0]
	require.Equal(t, causes{delivery.CauseInFlight: 0}, b.waits(d))
	b.SendTests(e, 1)
	second := b.LastOf(e)
	b.EndWith(first, pgtest.Answer{Status: 429, RetryAfter: 2 * time.Minute})
	require.Equal(t, causes{delivery.CauseSchedule: 2 * time.Minute, delivery.CauseRetryAfter: 2 * time.Minute}, b.waits(d))
	require.Equal(t, causes{delivery.CauseRetryAfter: 2 * time.Minute}, b.waits(second), "another delivery waits, too")
	b.Flush(e)
	b.Pass(time.Second)
	require.Equal(t, causes{delivery.CauseDue: 0}, b.waits(second))
	require.Equal(t, causes{delivery.CauseDue: 0}, b.waits(d))
	b.SendTests(e, 1)
	require.Equal(t, causes{delivery.CauseEarlier: 0}, b.waits(b.LastOf(e)))

	b.update(e, func(e *domain.Endpoint) { e.Concurrency = new(1) })
	b.Claim()
	require.Equal(t, causes{delivery.CauseConcurrency: 0}, b.waits(d))
	b.update(e, func(e *domain.Endpoint) { e.Concurrency, e.RatePerSecond = nil, new(1) })
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint_health SET opens_at = $1`, b.Now().Add(time.Second)))
	require.Equal(t, causes{delivery.CauseRate: time.Second}, b.waits(d))
	b.deleteEndpoint(e)
	require.Empty(t, b.waits(d))

	other := b.Endpoint()
	b.failEndpoint(other)
	b.SendTests(other, 1)
	waits := b.waits(b.LastOf(other))
	require.Contains(t, waits, delivery.CauseFailing)
	require.Positive(t, waits[delivery.CauseFailing])
	b.Pass(delivery.WorkerMissedAfter + time.Minute)
	require.Contains(t, b.waits(b.LastOf(other)), delivery.CauseNoWorker)
	require.NoError(t, b.Store.Upkeep.Succeeded(t.Context(), store.ScheduleReconcile))
	require.NotContains(t, b.waits(b.LastOf(other)), delivery.CauseNoWorker)

	b.Pass(24 * time.Hour) // a clock that is ahead for a while
	require.NoError(t, b.Store.Upkeep.Succeeded(t.Context(), store.ScheduleReconcile))
	b.Pass(-24 * time.Hour)
	require.NoError(t, b.Store.Upkeep.Succeeded(t.Context(), store.ScheduleReconcile))
	b.Pass(delivery.WorkerMissedAfter + time.Minute)
	require.Contains(t, b.waits(b.LastOf(other)), delivery.CauseNoWorker)
}
