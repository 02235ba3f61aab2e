package deliveries_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/delivery"
)

// TestTransactions_DoNotDeadlock: all transactions that change deliveries take the same locks in the
// same order, or skip locked rows.
func TestTransactions_DoNotDeadlock(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e, f := b.Endpoint(), b.Endpoint()
	b.SendTests(e, 30)
	b.SendTests(f, 30)
	l := &loops{t: t, done: make(chan struct{})}
	end := func(attempts []deliveries.Attempt, err error) error {
		for i, a := range attempts {
			if err == nil {
				switch status := []int{200, 500, 500, 410}[(int(a.DeliveryID[15])+a.Number)%4]; {
				case i%7 == 6:
					_, err = pgtest.UnlessBusy(func() (any, error) {
						return nil, b.Store.Deliveries.Ends.MarkAttemptsLost(t.Context(), []deliveries.Attempt{a})
					})
				default:
					_, err = pgtest.EndAll(t.Context(), b.Store, ended(a, status))
				}
			}
			b.Pass(time.Second)
		}
		return err
	}
	for range 2 {
		l.add(func() error {
			claimed, err := pgtest.ClaimAs(t.Context(), b.Store, pgtest.InSession)
			if err == nil {
				_, err = b.Store.Deliveries.Claims.TidyReady(t.Context(), id.Nil)
			}
			return end(claimed.Attempts, err)
		})
		for _, endpoint := range []domain.Endpoint{e, f} {
			l.add(func() error {
				claimed, err := b.Store.Deliveries.Claims.ForRun(t.Context(), pgtest.InRun, endpoint.ID, delivery.MaxInFlight, 0)
				return end(claimed.Attempts, err)
			})
		}
	}
	l.add(func() error {
		claimed, err := pgtest.ClaimAs(t.Context(), b.Store, pgtest.InSession)
		list := make([]deliveries.AttemptEnd, len(claimed.Attempts))
		for i, a := range claimed.Attempts {
			list[i] = ended(a, 200+300*(i%2))
		}
		if err == nil {
			_, err = pgtest.EndAll(t.Context(), b.Store, list...)
		}
		return err
	})
	l.add(func() error { _, err := b.Store.Deliveries.Repairs.Reconcile(t.Context()); return err })
	var written atomic.Int64
	l.add(func() error {
		if written.Add(1) > 120 {
			return nil
		}
		return b.Try(b.Call, func(r *store.Records) error {
			_, err := r.Webhooks.TestEndpoint(t.Context(), e.WireID(), domain.WebhookTest)
			return err
		})
	})
	list, _, err := b.Store.Records(b.Call.Scope).Webhooks.Deliveries(t.Context(), b.Account.WireID(), delivery.Filter{}, domain.Page{Limit: 60})
	require.NoError(t, err)
	for i := range 40 {
		b.update(e, pgtest.WithStatus(domain.EndpointActive))
		b.update(f, pgtest.WithStatus([]domain.EndpointStatus{domain.EndpointActive, domain.EndpointDisabled}[i%2]))
		d := list[i%len(list)]
		err := b.Try(b.Call, func(r *store.Records) error { return r.Webhooks.RetryDelivery(t.Context(), d.WireID()) })
		if err != nil {
			require.Equal(t, refusal.DeliveryHeld, pgtest.Refused(t, err).SubCode)
		}
	}
	l.stop()
	require.LessOrEqual(t, b.Count(`SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM webhook_attempt WHERE outcome = 'SENDING' GROUP BY endpoint_id) AS m`), delivery.MaxInFlight)
	b.update(e, pgtest.WithStatus(domain.EndpointActive))
	b.update(f, pgtest.WithStatus(domain.EndpointActive))
	for range 400 { // everything ends, nothing is lost
		b.Pass(61 * time.Minute)
		b.reconcile()
		b.work(always(pgtest.Answer{Status: 200}))
		if b.CountIn(delivery.Delivered) == b.Count(`SELECT count(*) FROM webhook_delivery`) {
			break
		}
	}
	require.Equal(t, b.Count(`SELECT count(*) FROM webhook_delivery`), b.CountIn(delivery.Delivered))
}
