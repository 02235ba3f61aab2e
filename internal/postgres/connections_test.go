package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/postgres"
	"requisite/internal/postgres/pgtest"
	"requisite/internal/share"
)

// limited is the bundle's store with bounds on its connections.
func (b *bundle) limited(c postgres.Connections) {
	b.store = server.Open(b.TB, pgtest.As(b.url, pgtest.Serving), nil, postgres.Options{Connections: c})
}

// stuck lets an organization ask for many connections of every kind, none of
// which it gives back before the release.
func (b *bundle) stuck(asking int) (ended *atomic.Int64, release func()) {
	b.Helper()
	tx, err := b.pool().Begin(b.Context())
	require.NoError(b, err)
	_, err = tx.Exec(b.Context(), `LOCK business IN ACCESS EXCLUSIVE MODE`)
	require.NoError(b, err)
	ended = new(atomic.Int64)
	var group sync.WaitGroup
	for i := range asking {
		group.Go(func() {
			defer ended.Add(1)
			scope := b.call.Scope
			if i%2 == 0 {
				scope.Environment = domain.Live // the same organization
			}
			switch i % 3 {
			case 0: // a step of a run
				_, _ = b.store.LoadFacts(context.WithoutCancel(b.Context()), b.call, b.workflow.WireID(), time.Now())
			case 1: // a request that reads
				_, _ = b.store.Records(scope).Business(context.WithoutCancel(b.Context()), b.business.WireID())
			case 2: // one that writes
				_, _ = b.store.Write(context.WithoutCancel(b.Context()), b.call, func(r *postgres.Records) (any, error) {
					_, err := r.Business(context.WithoutCancel(b.Context()), b.business.WireID())
					return nil, err
				})
			}
		})
	}
	return ended, sync.OnceFunc(func() {
		require.NoError(b, tx.Rollback(context.WithoutCancel(b.Context())))
		group.Wait()
	})
}

// TestATenantLeavesConnectionsToOthers: all that one organization asks for waits
// for a lock; another's work, authentication and health do not wait for it.
func TestATenantLeavesConnectionsToOthers(t *testing.T) {
	b := setup(t)
	_, other := b.newAccount("other", "UTC")
	b.limited(postgres.Connections{Max: 6, Each: 3, Apart: 2})
	ended, release := b.stuck(30)
	defer release()
	require.Eventually(t, func() bool { s := b.store.Shared().Stat(); return s.InUse == 3 && s.Waiting == 27 }, time.Minute, time.Millisecond)
	_, err := b.store.RuleSetByID(t.Context(), other.Scope, b.account.ID) // any read; there is none
	require.Error(t, err)
	require.NotErrorIs(t, err, share.ErrBusy)
	_, err = b.store.Write(t.Context(), other, func(*postgres.Records) (any, error) { return struct{}{}, nil })
	require.NoError(t, err)
	require.Zero(t, ended.Load(), "it waited for those of the first")
	release()
	require.Zero(t, b.store.Shared().Stat().InUse, "all were given back")
}

// TestAuthenticationAndHealthHaveConnectionsOfTheirOwn: many organizations hold
// every connection of the pool.
func TestAuthenticationAndHealthHaveConnectionsOfTheirOwn(t *testing.T) {
	b := setup(t)
	credential, _, err := b.operator.CreateCredential(t.Context(), b.call.Scope, domain.NewCredential{Name: "c"})
	require.NoError(t, err)
	b.limited(postgres.Connections{Max: 4, Apart: 2})
	ended, release := b.stuck(12)
	defer release()
	require.Eventually(t, func() bool { return b.store.PoolStat().AcquiredConns() == 4 }, time.Minute, time.Millisecond)
	_, _, ok, err := b.store.ActiveCredential(t.Context(), credential.APIKey)
	require.NoError(t, err)
	require.True(t, ok)
	for i := range 3 {
		fresh, err := b.store.UseNonce(t.Context(), credential.APIKey, fmt.Sprint("nonce", i), time.Now())
		require.NoError(t, err)
		require.True(t, fresh)
	}
	require.NoError(t, b.store.Ping(t.Context()))
	require.Zero(t, ended.Load(), "they waited for the others")
}
