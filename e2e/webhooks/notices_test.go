//go:build deep

package webhooks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	schedule "requisite/internal/webhooks/delivery"
)

// TestKilledWorker_SendsEachEndpointNoticeOnce kills the worker before, between and after
// the changes of endpoints.
func TestKilledWorker_SendsEachEndpointNoticeOnce(t *testing.T) {
	s := newStack(t)
	watching := s.sink(nil, "WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_ENDPOINT_DISABLED")
	defer s.explain()
	var sinks []*sink
	for range 4 {
		k := s.sink(status(500), "WEBHOOK_TEST")
		k.test(12)
		sinks = append(sinks, k)
	}
	kill := func() {
		s.Worker.Kill(t)
		s.StartPrograms(t)
	}
	sinks[0].await("attempts", count(5))
	kill()
	notices := func(kind string) map[any]map[string]bool { // notices by endpoint
		list := map[any]map[string]bool{}
		for _, a := range watching.seen() {
			if a.EventType == kind {
				of := a.Payload["config_id"]
				if list[of] == nil {
					list[of] = map[string]bool{}
				}
				list[of][a.ID] = true
			}
		}
		return list
	}
	watching.await("notices of failing", func([]arrival) bool { return len(notices("WEBHOOK_ENDPOINT_FAILING")) == len(sinks) })
	kill()
	for _, k := range sinks {
		k.answers(nil)
		s.Must(s.t, "webhook.config.flush", harness.Object{"config_id": k.ConfigID}, nil)
	}
	sinks[0].await("a first success", count(6))
	kill()
	watching.await("notices of recovery", func([]arrival) bool { return len(notices("WEBHOOK_ENDPOINT_RECOVERED")) == len(sinks) })
	for _, k := range sinks {
		k.awaitDeliveries(12, "DELIVERED")
	}
	sinks[0].answers(status(410))
	sinks[0].test(1)
	watching.await("a notice of disabling", func([]arrival) bool { return len(notices("WEBHOOK_ENDPOINT_DISABLED")) == 1 })
	for kind, endpoints := range map[string]int{"WEBHOOK_ENDPOINT_FAILING": len(sinks), "WEBHOOK_ENDPOINT_RECOVERED": len(sinks), "WEBHOOK_ENDPOINT_DISABLED": 1} {
		var list struct {
			Events []harness.Object `json:"events"`
		}
		s.Must(s.t, "webhook.event.list", harness.Object{"account_id": s.AccountID, "filters": harness.Object{"event_type": kind}}, &list)
		require.Len(t, list.Events, endpoints, "one %s for each endpoint", kind)
		require.Len(t, notices(kind), endpoints)
	}
	for _, k := range sinks {
		require.Contains(t, notices("WEBHOOK_ENDPOINT_FAILING"), any(k.ConfigID))
	}
	first := watching.seen()[0].Payload
	require.Equal(t, harness.Object{"user_id": "SYSTEM", "user_type": "SYSTEM"}, first["user_context"])
	require.Equal(t, "HTTP 500", first["last_error"])
	require.Contains(t, first["url_host"], "127.0.0.1:")
}

// TestKilledWorker_SendsEachFailureNoticeOnce kills the worker during the last attempts.
func TestKilledWorker_SendsEachFailureNoticeOnce(t *testing.T) {
	s := newStack(t)
	watching := s.sink(nil, "WEBHOOK_DELIVERY_FAILED")
	defer s.explain()
	const deliveries = schedule.FailingAfter - 1 // one failure more would make the endpoint FAILING
	// No delivery is tried a second time before each has only its last attempt left.
	k := s.sink(harness.Together(deliveries, harness.InAnHour), "WEBHOOK_TEST")
	k.test(deliveries)
	k.awaitDeliveries(deliveries, "RETRYING")
	k.answers(status(500))
	_, err := s.Exec(t.Context(), `UPDATE webhook_delivery SET attempt_count = $1, round_attempts = $1 WHERE state = 'RETRYING' AND account_id = $2`, schedule.MaxAttempts-1, s.AccountKey())
	require.NoError(t, err)
	s.Must(t, "webhook.config.flush", harness.Object{"config_id": k.ConfigID}, nil)
	k.await("a last attempt", count(deliveries+1))
	s.Worker.Kill(t)
	s.StartPrograms(t)

	notices := func() map[any]int {
		list := map[any]int{}
		for _, a := range watching.seen() {
			list[a.Payload["delivery_id"]]++
		}
		return list
	}
	watching.await("notices of all", func([]arrival) bool { return len(notices()) == deliveries })
	k.awaitDeliveries(deliveries, "FAILED")
	var list struct {
		Events []harness.Object `json:"events"`
	}
	s.Must(t, "webhook.event.list", harness.Object{"account_id": s.AccountID, "filters": harness.Object{"event_type": "WEBHOOK_DELIVERY_FAILED"}}, &list)
	require.Len(t, list.Events, deliveries, "one for each delivery")
}
