package deliveries_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/store/deliveries"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/delivery"
	"requisite/internal/webhooks/webhook"
)

func TestFailureOnRequest_IsOfTheFirstAttemptsAndNotOfTheEndpoint(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e := b.Endpoint()
	b.Call.FailingAttempts = 2
	b.SendTests(e, 3)
	b.Call.FailingAttempts = 0
	b.SendTests(e, 1)
	attempts := b.Claim()
	require.Len(t, attempts, 4)
	require.False(t, attempts[3].AsAsked, "another call's")
	var failed []deliveries.AttemptEnd
	for range 2 {
		for _, a := range attempts[:3] {
			require.True(t, a.AsAsked)
			failed = append(failed, deliveries.AttemptEnd{Attempt: a, Result: webhook.Result{Error: webhook.FailureAsked}})
		}
		nexts, err := pgtest.EndAll(t.Context(), b.Store, failed...)
		require.NoError(t, err)
		for _, next := range nexts {
			require.Equal(t, []any{delivery.Retrying, delivery.AttemptFailed}, []any{next.State, next.Outcome})
		}
		b.Pass(delivery.MaxDelay)
		attempts, failed = b.ClaimForRun(e).Attempts, nil
		require.Len(t, attempts, 3)
	}
	require.Zero(t, b.failures(e), "six failures in a row, of which none is the endpoint's")
	for _, a := range attempts {
		require.Equal(t, []any{3, false}, []any{a.Number, a.AsAsked})
		require.Equal(t, delivery.Delivered, b.End(a, 200).State)
	}
}
