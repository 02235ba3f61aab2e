// Package webhooks_test looks at webhooks as a receiver does: real deliveries
// from a real stack, while endpoints answer well, badly, slowly or not at all.
package webhooks_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnEventArrivesEncrypted(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	k := s.sink(nil)
	w := s.Application(t)
	s.must("workflow.requiredDocument.calculate", w, nil)
	seen := k.await("three events", count(3))
	kinds := map[string]arrival{}
	for _, a := range seen {
		kinds[a.EventType] = a
	}
	calculated := kinds["REQUIRED_DOCUMENTS_CALCULATED"]
	require.Equal(t, "1.0", calculated.Payload["version"])
	require.Equal(t, w.WorkflowID, calculated.Payload["workflow_id"])
	require.Equal(t, object{"user_id": "outages", "user_type": "API_KEY"}, calculated.Payload["user_context"])
	require.Len(t, calculated.Payload["added"], 1)
	require.Equal(t, "OLD", calculated.Payload["added"].([]any)[0].(object)["document_type_code"])
	require.Equal(t, []any{}, calculated.Payload["removed"])
	require.Equal(t, "CREATED", kinds["WORKFLOW_CREATED"].Payload["state"])
	require.Equal(t, "STARTED", kinds["WORKFLOW_STARTED"].Payload["state"])
	require.Regexp(t, `^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`, calculated.Header.Get("traceparent"))
	for _, d := range k.awaitDeliveries(3, "DELIVERED") {
		log := s.delivery(d.DeliveryID)
		require.Len(t, log.Attempts, 1)
		require.Equal(t, "SUCCEEDED", log.Attempts[0].Outcome)
		require.Equal(t, 204, log.Attempts[0].StatusCode)
		require.Contains(t, k.URL, log.Attempts[0].Address)
	}
}
