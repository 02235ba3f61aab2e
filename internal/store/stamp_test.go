package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/store"
)

// TestChange_HasNoEarlierTimeThanTheOneBefore, although the clock is set back: hosts
// differ, and a caller orders by these times.
func TestChange_HasNoEarlierTimeThanTheOneBefore(t *testing.T) {
	b := setup(t)
	rename := func() (updatedAt time.Time) {
		b.Write(b.Call, func(r *store.Records) error {
			return r.Businesses.Update(t.Context(), b.Business.WireID(), domain.CustomChange{}, func(b *domain.Business) { b.LegalName += "x" })
		})
		found, err := b.Store.Records(b.Call.Scope).Businesses.Get(t.Context(), b.Business.WireID())
		require.NoError(t, err)
		return found.UpdatedAt
	}
	first := rename()
	b.ActiveKey()
	b.Pass(-time.Hour)
	require.Equal(t, first, rename())
	b.ActiveKey()
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_key WHERE deleted_at < activated_at OR activated_at < created_at`))
	b.Pass(-time.Hour)
	b.Write(b.Call, func(r *store.Records) error {
		return only(r.Workflows.Complete(t.Context(), b.Workflow.WireID(), false))
	})
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_event a JOIN webhook_event b USING (workflow_id) WHERE a.sequence < b.sequence AND a.occurred_at > b.occurred_at`))
	require.Zero(t, b.Count(`SELECT count(*) FROM workflow WHERE ended_at < created_at OR updated_at < created_at`))
}

// TestChange_TakesItsTimeWhenItHoldsItsLocks: what is committed later is not earlier.
func TestChange_TakesItsTimeWhenItHoldsItsLocks(t *testing.T) {
	b := setup(t)
	tx, err := b.Pool().Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT pg_advisory_xact_lock(hashtextextended('business/' || id::text, 0)) FROM business`)))
	changed := make(chan error, 1)
	go func() {
		changed <- b.Try(b.Call, func(r *store.Records) error {
			return r.Businesses.Update(context.WithoutCancel(t.Context()), b.Business.WireID(), domain.CustomChange{}, func(b *domain.Business) { b.LegalName = "Later" })
		})
	}()
	b.AwaitLock("the update")
	b.Pass(time.Hour)
	require.NoError(t, tx.Rollback(t.Context()))
	require.NoError(t, <-changed)
	found, err := b.Store.Records(b.Call.Scope).Businesses.Get(t.Context(), b.Business.WireID())
	require.NoError(t, err)
	require.WithinDuration(t, b.Now(), found.UpdatedAt, time.Millisecond)
}

// TestIDs_AreOfTheTimeOfTheirRecords: lists are in the order of ids.
func TestIDs_AreOfTheTimeOfTheirRecords(t *testing.T) {
	b := setup(t)
	b.Pass(-100 * time.Hour)
	b.Write(b.Call, func(r *store.Records) error {
		w, err := r.Workflows.Create(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started})
		require.NoError(t, err)
		seconds, nanoseconds := w.ID.Time().UnixTime()
		require.Equal(t, w.CreatedAt.UnixMilli(), time.Unix(seconds, nanoseconds).UnixMilli())
		return nil
	})
}
