package deliveries_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
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
	for range 2 { // on a busy machine, one ends after its first batch
		require.Zero(t, b.reconcile())
	}
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
