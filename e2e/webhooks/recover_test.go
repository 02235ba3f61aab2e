//go:build deep

package webhooks_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
)

// TestRecover_SendsFailedDeliveriesAgain once, even if the request is repeated.
func TestRecover_SendsFailedDeliveriesAgain(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	k := s.sink(nil, "WEBHOOK_TEST")
	k.test(1)
	k.awaitDeliveries(1, "DELIVERED")

	const backlog = 1500
	_, err := s.Exec(t.Context(), `
		WITH template AS (SELECT * FROM webhook_event WHERE event_type = 'WEBHOOK_TEST' AND account_id = $2 LIMIT 1),
		events AS (INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
			SELECT overlay(gen_random_uuid()::text placing '01' from 1)::uuid, account_id, event_type, now(), user_id, user_type, fields FROM template, generate_series(1, $1) RETURNING id, account_id)
		INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, state, attempt_count, round_attempts, last_error, created_at, updated_at)
		SELECT overlay(gen_random_uuid()::text placing '01' from 1)::uuid, account_id, id, (SELECT id FROM webhook_endpoint WHERE account_id = $2), 'FAILED', 95, 95, 'HTTP 500', now(), now() FROM events`, backlog, s.AccountKey())
	require.NoError(t, err)
	request := harness.Object{"config_id": k.ConfigID, "since": time.Now().Add(-time.Hour).UTC().Format("2006-01-02T15:04:05.000Z")}
	var recovered struct {
		Count int `json:"count"`
	}
	s.Must(s.t, "webhook.delivery.recover", request, &recovered, requisite.IdempotencyKey("recover"))
	require.Equal(t, backlog, recovered.Count)
	s.Must(s.t, "webhook.delivery.recover", request, &recovered, requisite.IdempotencyKey("recover"))
	require.Equal(t, backlog, recovered.Count, "a repeat gets the first outcome")
	seen := k.await("the backlog", distinct(backlog+1))
	require.Equal(t, 95, seen[len(seen)-1].RetryCount)
}
