package webhooks_test

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"requisite/e2e/harness"
)

// busy answers 503 with Retry-After of an hour when it is released.
func busy(release <-chan struct{}) http.HandlerFunc { return held(release, harness.InAnHour) }

func (d delivery) outcomes() (list []string) {
	for _, a := range d.Attempts {
		list = append(list, a.Outcome)
	}
	return list
}

// TestRetryDuringAnAttempt_StartsWhenItEnds retries with the API during a first attempt, and
// with a signal to the endpoint's run during a second one. The next attempt follows at once
// instead of after an hour.
func TestRetryDuringAnAttempt_StartsWhenItEnds(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	c := s.Temporal(t)
	release := make(chan struct{})
	k := s.sink(busy(release), "WEBHOOK_TEST")
	k.test(1)
	k.await("the first attempt", count(1))
	first := k.awaitDeliveries(1, "PENDING")[0] // PENDING until the first attempt has ended
	require.Empty(t, first.NextAttemptAt)
	s.Must(s.t, "webhook.delivery.retry", harness.Object{"delivery_id": first.DeliveryID}, nil)
	k.answers(nil)
	close(release)
	k.await("the attempt that was asked for", count(2))
	k.awaitDeliveries(1, "DELIVERED")
	require.Equal(t, []string{"FAILED", "SUCCEEDED"}, s.delivery(first.DeliveryID).outcomes())

	s.Must(s.t, "webhook.config.flush", harness.Object{"config_id": k.ConfigID}, nil) // the endpoint asked for an hour
	release = make(chan struct{})
	var came atomic.Int64
	k.answers(func(w http.ResponseWriter, r *http.Request) {
		if came.Add(1) == 1 {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		busy(release)(w, r)
	})
	k.test(1)
	k.await("another first attempt, and its second", count(4))
	second := k.awaitDeliveries(1, "RETRYING")[0]
	for range 2 { // the second signal has no effect
		require.NoError(t, c.SignalWorkflow(t.Context(), k.ConfigID, "", "retry-now", nil))
	}
	k.answers(nil)
	s.Await(t, "the run to take the signal", func(ctx context.Context) error {
		described, err := harness.Describe(ctx, c, k.ConfigID, "")
		for _, a := range described.GetPendingActivities() {
			if a.State == enums.PENDING_ACTIVITY_STATE_CANCEL_REQUESTED {
				return nil
			}
		}
		return errors.Join(err, errors.New("no activity has been asked to end"))
	})
	require.Len(t, k.seen(), 4, "one attempt of a delivery at a time")
	close(release)
	k.await("the attempt that was asked for", count(5))
	k.awaitDeliveries(2, "DELIVERED")
	require.Equal(t, []string{"FAILED", "FAILED", "SUCCEEDED"}, s.delivery(second.DeliveryID).outcomes())
}

func TestRetry_IgnoresTheRetryAfterOfTheEndpoint(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	begun := time.Now()
	k := s.sink(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	}, "WEBHOOK_TEST")
	k.test(1)
	d := k.awaitDeliveries(1, "RETRYING")[0]
	require.Equal(t, "HTTP 429", d.LastError)
	next, err := time.Parse(time.RFC3339, d.NextAttemptAt)
	require.NoError(t, err)
	inAnHourOf(t, begun, next)
	k.answers(nil)
	s.Must(t, "webhook.delivery.retry", harness.Object{"delivery_id": d.DeliveryID}, nil)
	k.awaitDeliveries(1, "DELIVERED")
	require.Len(t, k.seen(), 2)
}
