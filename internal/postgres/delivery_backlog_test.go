package postgres_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/postgres"
	"requisite/internal/postgres/db"
	"requisite/internal/postgres/deliveries"
	"requisite/internal/requests/refusal"
	"requisite/internal/webhooks/delivery"
)

func TestABacklogFollowsWhatWasDecidedOfItsEndpoint(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e, other := b.endpoint(), b.endpoint()
	const backlog = 5_000 // several batches
	b.fill(e, backlog)
	a := b.claim()[0]
	b.end(a, 410)
	require.Equal(t, domain.EndpointDisabled, b.endpointNow(e).Status)
	b.owe(other, 1) // who writes events waits for nobody
	for _, a := range b.claim() {
		require.Equal(t, other.ID, a.EndpointID, "nothing more is sent to it")
		b.end(a, 200)
	}
	b.settle()
	require.Equal(t, backlog, b.states(delivery.Held))
	b.update(e, is(domain.EndpointActive))
	require.Zero(t, b.states(delivery.Held))
	b.deleteEndpoint(e)
	require.Equal(t, backlog, b.states(delivery.Canceled))
	require.Zero(t, b.reconcile())
}

func TestABatchIsSharedFairly(t *testing.T) {
	b := setup(t)
	b.activeKey()
	long, e := b.endpoint(), b.endpoint()
	b.fill(long, 500)
	b.claim()
	b.owe(e, 1)
	require.Len(t, b.claim(), 1, "an endpoint that is full hides none")
}

// TestWhatWaitsElsewhereCostsNothing: endpoints that fail, however many and however
// much they are owed, are not looked at by a claim.
func TestWhatWaitsElsewhereCostsNothing(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e := b.endpoint()
	b.crowd(e, 5000)
	require.NoError(t, b.exec(`UPDATE webhook_key SET status = 'ACTIVE', activated_at = now() WHERE account_id <> $1`, e.AccountID))
	require.NoError(t, b.exec(`UPDATE webhook_endpoint_health SET failures = 9, failing_since = now(), probe_at = now() + interval '1 hour' WHERE endpoint_id <> $1`, e.ID))
	b.tidy()
	require.Zero(t, b.count(`SELECT count(*) FROM webhook_ready WHERE session_at < 'infinity'`))
	require.Equal(t, 5000, b.count(`SELECT count(*) FROM webhook_endpoint_health WHERE wake_at IS NOT NULL`), "and their runs are woken")
	b.owe(e, 1)
	require.Len(t, b.claim(), 1)
}

func TestWhatSomebodyElseHasLockedDelaysNobody(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e, locked := b.endpoint(), b.endpoint()
	b.owe(locked, 1)
	for _, sql := range []string{
		`SELECT FROM webhook_endpoint WHERE $1::uuid IS NOT NULL FOR UPDATE`,
		`SELECT FROM webhook_delivery WHERE endpoint_id <> $1 FOR UPDATE`,
		`SELECT FROM webhook_endpoint_health WHERE endpoint_id <> $1 FOR UPDATE`,
	} {
		b.owe(e, 1)
		tx, err := b.pool().Begin(t.Context())
		require.NoError(t, err)
		defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }() // or the pool waits for it
		_, err = tx.Exec(t.Context(), sql, e.ID)
		require.NoError(t, err)
		found := false
		for _, a := range b.claim() {
			if a.EndpointID == e.ID {
				found = true
				require.Equal(t, delivery.Delivered, b.end(a, 200).State)
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

// TestNobodyWaitsInACircle: whoever claims, looks, ends, loses, reconciles, retries
// and disables takes the same locks in the same order, or leaves what is locked.
func TestNobodyWaitsInACircle(t *testing.T) {
	b := setup(t)
	b.activeKey()
	e, f := b.endpoint(), b.endpoint()
	b.owe(e, 30)
	b.owe(f, 30)
	l := &loops{t: t, done: make(chan struct{})}
	end := func(attempts []deliveries.Attempt, err error) error {
		for i, a := range attempts {
			if err == nil {
				switch status := []int{200, 500, 500, 410}[(int(a.DeliveryID[15])+a.Number)%4]; {
				case i%7 == 6:
					_, err = unlessBusy(func() (any, error) {
						return nil, b.store.Deliveries().LoseAttempts(t.Context(), []deliveries.Attempt{a})
					})
				default:
					_, err = endAll(t.Context(), b.store, ended(a, status))
				}
			}
			b.pass(time.Second)
		}
		return err
	}
	for range 2 {
		l.add(func() error {
			claimed, err := b.store.Deliveries().Claim(t.Context(), inSession, anyRoom)
			if err == nil {
				_, err = b.store.Deliveries().TidyReady(t.Context(), uuid.Nil)
			}
			return end(claimed.Attempts, err)
		})
		for _, endpoint := range []domain.Endpoint{e, f} {
			l.add(func() error {
				look, err := b.store.Deliveries().LookAt(t.Context(), inRun, endpoint.ID, delivery.MaxInFlight, 0)
				return end(look.Attempts, err)
			})
		}
	}
	l.add(func() error {
		claimed, err := b.store.Deliveries().Claim(t.Context(), inSession, anyRoom)
		list := make([]deliveries.AttemptEnd, len(claimed.Attempts))
		for i, a := range claimed.Attempts {
			list[i] = ended(a, 200+300*(i%2))
		}
		if err == nil {
			_, err = endAll(t.Context(), b.store, list...)
		}
		return err
	})
	l.add(func() error {
		_, err := b.store.Deliveries().Settle(t.Context())
		if db.Busy(err) && strings.Contains(err.Error(), "55P03") {
			return nil // a lock that was not granted soon: it is tried again. A circle has another code.
		}
		return err
	})
	l.add(func() error { _, err := b.store.Deliveries().Reconcile(t.Context()); return err })
	var written atomic.Int64
	l.add(func() error {
		if written.Add(1) > 120 {
			return nil
		}
		return b.try(b.call, func(r *postgres.Records) error {
			_, err := r.TestEndpoint(t.Context(), e.WireID(), domain.WebhookTest)
			return err
		})
	})
	list, _, err := b.store.Records(b.call.Scope).Deliveries(t.Context(), b.account.WireID(), domain.DeliveryFilter{}, domain.Page{Limit: 60})
	require.NoError(t, err)
	for i := range 40 {
		b.update(e, is(domain.EndpointActive))
		b.update(f, is([]domain.EndpointStatus{domain.EndpointActive, domain.EndpointDisabled}[i%2]))
		d := list[i%len(list)]
		err := b.try(b.call, func(r *postgres.Records) error { return r.RetryDelivery(t.Context(), d.WireID()) })
		if err != nil {
			require.Equal(t, refusal.DeliveryHeld, refused(t, err).SubCode)
		}
	}
	l.stop()
	require.LessOrEqual(t, b.count(`SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM webhook_attempt WHERE outcome = 'SENDING' GROUP BY endpoint_id) AS m`), delivery.MaxInFlight)
	b.update(e, is(domain.EndpointActive))
	b.update(f, is(domain.EndpointActive))
	for range 400 { // everything ends, nothing is lost
		b.pass(61 * time.Minute)
		b.reconcile()
		b.work(always(answer{status: 200}))
		if b.states(delivery.Delivered) == b.count(`SELECT count(*) FROM webhook_delivery`) {
			break
		}
	}
	require.Equal(t, b.count(`SELECT count(*) FROM webhook_delivery`), b.states(delivery.Delivered))
}
