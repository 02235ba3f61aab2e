package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/api/spec"
	"requisite/e2e/harness"
)

func TestSandboxAnswer_AWebhookFailsTwiceAndThenArrives(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	k := s.sink(nil, "WORKFLOW_CREATED", "WORKFLOW_COMPLETED")
	failing := func(h http.Header) { h.Set(spec.HeaderSandboxAnswer, "WEBHOOK_FAILS_TWICE") }
	var business struct {
		ID string `json:"business_id"`
	}
	s.Must(t, "business.create", harness.Object{"account_id": s.AccountID, "business": harness.Object{"legal_name": "Ltd"}}, &business)
	var workflow struct {
		ID string `json:"workflow_id"`
	}
	s.Must(t, "workflow.create", harness.Object{"account_id": s.AccountID, "workflow": harness.Object{"business_id": business.ID}}, &workflow, failing)
	for n := 1; n <= 2; n++ {
		var d delivery
		s.Await(t, fmt.Sprintf("attempt %d to fail", n), func(context.Context) error {
			// On a slow machine, the next attempt may have been made meanwhile.
			list := k.deliveries("")
			if len(list) == 1 && (list[0].AttemptCount > n || list[0].AttemptCount == n && list[0].Status == "RETRYING") {
				d = list[0]
				return nil
			}
			return errors.New("it has not ended")
		})
		// It spares the wait for the next attempt. It is refused if that was the last one.
		s.Send(t, "webhook.delivery.retry", harness.Object{"delivery_id": d.DeliveryID})
	}
	arrived := k.await("the third attempt", count(1))[0]
	require.Equal(t, 2, arrived.RetryCount, "the first two did not arrive")
	log := s.delivery(k.awaitDeliveries(1, "DELIVERED")[0].DeliveryID) // the outcome is written after the arrival
	require.Equal(t, []string{"FAILED", "FAILED", "SUCCEEDED"}, log.outcomes())
	for _, a := range log.Attempts[:2] {
		require.Equal(t, "the caller asked for this failure with X-Sandbox-Answer", a.Error)
	}
	require.Equal(t, health{Status: "HEALTHY"}, k.health())
	s.Must(t, "workflow.complete", harness.Object{"workflow_id": workflow.ID}, nil)
	require.Equal(t, 0, k.await("the event of another call", count(2))[1].RetryCount)
}
