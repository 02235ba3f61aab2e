package store_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/limiter"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/await"
)

// limited is the bundle's store with bounds on its connections.
func (b *bundle) limited(c db.Connections) {
	b.Store = server.Open(b.TB, pgtest.As(b.URL, pgtest.Serving), nil, store.Options{Connections: c})
}

// stuck lets an organization ask for many connections of every kind, none of
// which it gives back before the release.
func (b *bundle) stuck(asking int) (ended *atomic.Int64, release func()) {
	b.Helper()
	tx, err := b.Pool().Begin(b.Context())
	require.NoError(b, err)
	require.NoError(b, only(tx.Exec(b.Context(), `LOCK business IN ACCESS EXCLUSIVE MODE`)))
	ended = new(atomic.Int64)
	var group sync.WaitGroup
	for i := range asking {
		group.Go(func() {
			defer ended.Add(1)
			scope := b.Call.Scope
			if i%2 == 0 {
				scope.Environment = domain.Live // the same organization
			}
			switch i % 3 {
			case 0: // a step of a run
				_, _ = b.Store.LoadFacts(context.WithoutCancel(b.Context()), b.Call, b.Workflow.WireID(), b.Now())
			case 1: // a request that reads
				_, _ = b.Store.Records(scope).Businesses.Get(context.WithoutCancel(b.Context()), b.Business.WireID())
			case 2: // one that writes
				_, _ = b.Store.Write(context.WithoutCancel(b.Context()), b.Call, func(r *store.Records) (any, error) {
					_, err := r.Businesses.Get(context.WithoutCancel(b.Context()), b.Business.WireID())
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

// TestConnections_LimitPerOrganization: all that one organization asks for waits
// for a lock; another's work, authentication and health do not wait for it.
func TestConnections_LimitPerOrganization(t *testing.T) {
	b := setup(t)
	_, other := b.NewAccount("other", "UTC")
	b.limited(db.Connections{Max: 6, Each: 3, Apart: 2})
	ended, release := b.stuck(30)
	defer release()
	await.True(t, "3 connections in use and 27 callers waiting", func(context.Context) error {
		if s := b.Store.Database.Shared().Stat(); s.InUse != 3 || s.Waiting != 27 {
			return fmt.Errorf("%d are in use, and %d wait", s.InUse, s.Waiting)
		}
		return nil
	})
	_, err := b.Store.Versions.RuleSetByID(t.Context(), other.Scope, b.Account.ID) // any read; there is none
	require.Error(t, err)
	require.NotErrorIs(t, err, limiter.ErrBusy)
	require.NoError(t, only(b.Store.Write(t.Context(), other, func(*store.Records) (any, error) { return struct{}{}, nil })))
	require.Zero(t, ended.Load(), "it waited for those of the first")
	release()
	require.Zero(t, b.Store.Database.Shared().Stat().InUse, "all were given back")
}

// TestConnections_SeparatePoolForAuthenticationAndHealth: many organizations hold
// every connection of the pool.
func TestConnections_SeparatePoolForAuthenticationAndHealth(t *testing.T) {
	b := setup(t)
	credential, _ := b.newCredential(domain.NewCredential{})
	b.limited(db.Connections{Max: 4, Apart: 2})
	ended, release := b.stuck(12)
	defer release()
	await.True(t, "4 connections in use", func(context.Context) error {
		if n := b.Store.Database.PoolStat().AcquiredConns(); n != 4 {
			return fmt.Errorf("%d are in use", n)
		}
		return nil
	})
	b.authenticate(credential.APIKey)
	for i := range 3 {
		fresh, err := b.Store.Credentials.UseNonce(t.Context(), credential.APIKey, fmt.Sprint("nonce", i), time.Now())
		require.NoError(t, err)
		require.True(t, fresh)
	}
	require.NoError(t, b.Store.Database.Ping(t.Context()))
	require.Zero(t, ended.Load(), "they waited for the others")
}
