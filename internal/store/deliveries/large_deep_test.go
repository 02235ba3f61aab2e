//go:build deep

package deliveries_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/delivery"
)

// TestClaimForRun_ReadsFewOfManyRetries: an endpoint's run holds the lock of its health while it claims.
// Thousands of deliveries may wait for their next attempts then, none of them released.
func TestClaimForRun_ReadsFewOfManyRetries(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.fill(e, 5000)
	require.NoError(t, b.Exec(`UPDATE webhook_delivery SET state = 'RETRYING', attempt_count = 1, next_attempt_at = now() + interval '1 hour'`))
	require.NoError(t, b.Exec(`ANALYZE`))
	for name, health := range map[string]string{"well": `failures = 0, failing_since = NULL, probe_at = NULL`, "failing": fmt.Sprintf(`failures = %d, failing_since = now(), probe_at = now()`, delivery.FailingAfter)} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, b.Exec(`UPDATE webhook_endpoint_health SET `+health))
			sent := &pgtest.Spy{}
			s := server.Open(t, pgtest.As(b.URL, pgtest.Worker), nil, store.Options{Tracer: sent})
			_, err := s.Deliveries.Claims.ForRun(t.Context(), pgtest.InRun, e.ID, delivery.MaxInFlight, 1)
			require.NoError(t, err)
			conn, err := db.Open(t.Context(), pgtest.As(b.URL, pgtest.Worker), db.Options{})
			require.NoError(t, err)
			defer conn.Close()
			measured := 0
			for i, q := range sent.Sent {
				if !strings.Contains(q.SQL, "webhook_delivery d") {
					continue
				}
				measured++
				require.Less(t, blocks(t, conn, fmt.Sprintf("look_%d", i), q), 200, q.SQL)
			}
			require.GreaterOrEqual(t, measured, 3, "what was requested, what is due, and what is left")
		})
	}
}

// TestClaim_ReadsNothingOfOtherEndpoints: endpoints that fail, however many and however
// much they are owed, are not looked at by a claim.
func TestClaim_ReadsNothingOfOtherEndpoints(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.crowd(e, 5000)
	require.NoError(t, b.Exec(`UPDATE webhook_key SET status = 'ACTIVE', activated_at = now() WHERE account_id <> $1`, e.AccountID))
	require.NoError(t, b.Exec(`UPDATE webhook_endpoint_health SET failures = 9, failing_since = now(), probe_at = now() + interval '1 hour' WHERE endpoint_id <> $1`, e.ID))
	b.tidy()
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_ready WHERE session_at < 'infinity'`))
	require.Equal(t, 5000, b.Count(`SELECT count(*) FROM webhook_endpoint_health WHERE wake_at IS NOT NULL`), "and their runs are woken")
	b.SendTests(e, 1)
	require.Len(t, b.Claim(), 1)
}

func TestSchedule_EndsAfter95AttemptsAndCanBeginAgain(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.SendTests(e, 1)
	failed := b.Oldest(e)
	attempts := 0
	for b.StateOf(failed) != delivery.Failed {
		for _, a := range b.work(always(pgtest.Answer{Status: 503})) {
			require.Equal(t, failed, a.DeliveryID)
			attempts++
		}
		// Others succeed now and then, so that the endpoint is neither failing nor
		// disabled.
		require.NoError(t, b.Exec(`UPDATE webhook_endpoint_health SET failures = 0, failing_since = NULL, probe_at = NULL, probes = 0`))
		if b.StateOf(failed) == delivery.Retrying {
			b.Pass(b.nextAfter(failed) + time.Second)
		}
	}
	require.Equal(t, delivery.MaxAttempts, attempts)
	require.InDelta(t, 3.5*24, time.Duration(b.Clock.Load()).Hours(), 8)

	b.retry(failed)
	require.Equal(t, delivery.Retrying, b.StateOf(failed))
	again := b.ClaimForRun(e).Attempts
	require.Len(t, again, 1)
	require.Equal(t, delivery.MaxAttempts+1, again[0].Number, "retry_count goes on")
	b.End(again[0], 503)
	require.Equal(t, 1, b.Count(`SELECT round_attempts FROM webhook_delivery WHERE id = $1`, failed), "the schedule begins anew")
}
