package deliveries_test

import (
	"context"
	"sync"
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

func TestDecision_MovesTheWholeBacklog(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e, other := b.Endpoint(), b.Endpoint()
	const backlog = 6_000 // several batches of the reconciliation
	b.fill(e, backlog)
	a := b.Claim()[0]
	b.End(a, 410)
	require.Equal(t, domain.EndpointDisabled, b.endpointNow(e).Status)
	b.SendTests(other, 1) // who writes events waits for nobody
	for _, a := range b.Claim() {
		require.Equal(t, other.ID, a.EndpointID, "nothing more is sent to it")
		b.End(a, 200)
	}
	require.Equal(t, backlog, b.CountIn(delivery.Held))
	b.update(e, pgtest.WithStatus(domain.EndpointActive))
	require.Zero(t, b.CountIn(delivery.Held))
	b.deleteEndpoint(e)
	require.Equal(t, backlog, b.CountIn(delivery.Canceled))
	require.Zero(t, b.reconcile())
	require.Equal(t, backlog, b.Count(`SELECT count(*) FROM webhook_delivery WHERE state = 'CANCELED'`))
}

func TestClaim_SharesABatchFairly(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	long, e := b.Endpoint(), b.Endpoint()
	b.fill(long, 500)
	b.Claim()
	b.SendTests(e, 1)
	require.Len(t, b.Claim(), 1, "an endpoint that is full hides none")
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

func TestClaim_SkipsWhatIsLocked(t *testing.T) {
	b := setup(t)
	b.ActiveKey()
	e, locked := b.Endpoint(), b.Endpoint()
	b.SendTests(locked, 1)
	for _, sql := range []string{
		`SELECT FROM webhook_endpoint WHERE $1::uuid IS NOT NULL FOR UPDATE`,
		`SELECT FROM webhook_delivery WHERE endpoint_id <> $1 FOR UPDATE`,
		`SELECT FROM webhook_endpoint_health WHERE endpoint_id <> $1 FOR UPDATE`,
	} {
		b.SendTests(e, 1)
		tx, err := b.Pool().Begin(t.Context())
		require.NoError(t, err)
		defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }() // or the pool waits for it
		_, err = tx.Exec(t.Context(), sql, e.ID)
		require.NoError(t, err)
		found := false
		for _, a := range b.Claim() {
			if a.EndpointID == e.ID {
				found = true
				require.Equal(t, delivery.Delivered, b.End(a, 200).State)
			}
		}
		require.True(t, found, sql)
		require.NoError(t, tx.Rollback(t.Context()))
	}
}

// loops runs steps over and over, all at once, until the test says that it is
// enough.
type loops struct {
	t    *testing.T
	done chan struct{}
	all  sync.WaitGroup
}

func (l *loops) add(step func() error) {
	l.all.Go(func() {
		for {
			select {
			case <-l.done:
				return
			default:
			}
			if err := step(); err != nil {
				l.t.Error(err)
				return
			}
		}
	})
}

func (l *loops) stop() {
	close(l.done)
	l.all.Wait()
}

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
						return nil, b.Store.Deliveries().MarkAttemptsLost(t.Context(), []deliveries.Attempt{a})
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
				_, err = b.Store.Deliveries().TidyReady(t.Context(), id.Nil)
			}
			return end(claimed.Attempts, err)
		})
		for _, endpoint := range []domain.Endpoint{e, f} {
			l.add(func() error {
				claimed, err := b.Store.Deliveries().ClaimForRun(t.Context(), pgtest.InRun, endpoint.ID, delivery.MaxInFlight, 0)
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
	l.add(func() error { _, err := b.Store.Deliveries().Reconcile(t.Context()); return err })
	var written atomic.Int64
	l.add(func() error {
		if written.Add(1) > 120 {
			return nil
		}
		return b.Try(b.Call, func(r *store.Records) error {
			_, err := r.TestEndpoint(t.Context(), e.WireID(), domain.WebhookTest)
			return err
		})
	})
	list, _, err := b.Store.Records(b.Call.Scope).Deliveries(t.Context(), b.Account.WireID(), delivery.Filter{}, domain.Page{Limit: 60})
	require.NoError(t, err)
	for i := range 40 {
		b.update(e, pgtest.WithStatus(domain.EndpointActive))
		b.update(f, pgtest.WithStatus([]domain.EndpointStatus{domain.EndpointActive, domain.EndpointDisabled}[i%2]))
		d := list[i%len(list)]
		err := b.Try(b.Call, func(r *store.Records) error { return r.RetryDelivery(t.Context(), d.WireID()) })
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
