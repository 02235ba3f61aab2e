package webhooks_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"requisite/e2e/parts"
)

// busy answers when it is released: come back in an hour.
func busy(release <-chan struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		<-release
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

func (d delivery) outcomes() (list []string) {
	for _, a := range d.Attempts {
		list = append(list, a.Outcome)
	}
	return list
}

// TestARetryAskedForDuringAnAttemptFollowsIt asks the API while a first attempt is in
// flight, and the endpoint's run while a second one is: that attempt ends, and the next one
// follows at once instead of in an hour.
func TestARetryAskedForDuringAnAttemptFollowsIt(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	c := s.Temporal(t)
	release := make(chan struct{})
	k := s.sink(busy(release), "WEBHOOK_TEST")
	k.test(1)
	k.await("the first attempt", count(1))
	first := k.awaitDeliveries(1, "PENDING")[0] // until it has ended
	require.Empty(t, first.NextAttemptAt)
	s.Must(s.t, "webhook.delivery.retry", parts.Object{"delivery_id": first.DeliveryID}, nil)
	k.answers(nil)
	close(release)
	k.await("the attempt that was asked for", count(2))
	k.awaitDeliveries(1, "DELIVERED")
	require.Equal(t, []string{"FAILED", "SUCCEEDED"}, s.delivery(first.DeliveryID).outcomes())

	release = make(chan struct{})
	k.answers(status(http.StatusInternalServerError))
	k.test(1)
	k.await("another first attempt", count(3))
	k.answers(busy(release))
	k.await("its second", count(4))
	second := k.awaitDeliveries(1, "RETRYING")[0]
	for range 2 { // twice is once
		require.NoError(t, c.SignalWorkflow(t.Context(), k.ConfigID, "", "retry-now", nil))
	}
	k.answers(nil)
	s.Poll(t, "the run does not take the signal", func(ctx context.Context) (bool, error) {
		described, err := c.DescribeWorkflowExecution(ctx, k.ConfigID, "")
		for _, a := range described.GetPendingActivities() {
			if a.State == enums.PENDING_ACTIVITY_STATE_CANCEL_REQUESTED {
				return true, nil
			}
		}
		return false, err
	})
	require.Len(t, k.seen(), 4, "one attempt of a delivery at a time")
	close(release)
	k.await("the attempt that was asked for", count(5))
	k.awaitDeliveries(2, "DELIVERED")
	require.Equal(t, []string{"FAILED", "FAILED", "SUCCEEDED"}, s.delivery(second.DeliveryID).outcomes())
}
