package store_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/await"
)

// TestChanges_ComeToTheirTurnBesideCalculations: many applications of one business are calculated
// without pause until the change has committed.
func TestChanges_ComeToTheirTurnBesideCalculations(t *testing.T) {
	const savers = 12
	for _, change := range []struct {
		name string
		make func(*bundle) error
	}{
		{"rules", func(b *bundle) error { return b.tryPublish(rule("B", "")) }},
		{"business", func(b *bundle) error {
			return b.Try(b.Call, func(r *store.Records) error {
				return r.Businesses.Update(b.Context(), b.Business.WireID(), domain.CustomChange{}, func(b *domain.Business) { b.LegalName = "Another" })
			})
		}},
		{"person", func(b *bundle) error {
			return b.Try(b.Call, func(r *store.Records) error {
				return r.Persons.Update(b.Context(), b.Person.WireID(), domain.CustomChange{}, func(p *domain.Person) { p.LastName = new("C") })
			})
		}},
		{"key", func(b *bundle) error {
			made, err := b.NewKey(b.Run())
			if err != nil {
				return err
			}
			return only(b.Activate(made.KeyID))
		}},
		{"deletion of a person", func(b *bundle) error {
			return b.Try(b.Call, func(r *store.Records) error { return r.Persons.Delete(b.Context(), b.Person.WireID()) })
		}},
		{"erasure", func(b *bundle) error {
			return only(b.Operator.Erase(b.Context(), b.Call.Scope, b.Business.WireID(), false))
		}},
	} {
		t.Run(change.name, func(t *testing.T) {
			b := setup(t)
			b.bounded(store.Quotas{}, savers+2)
			b.publish(rule("A", ""))
			workflows := b.open(savers)
			calculating, changed := context.WithCancel(await.Context(t))
			defer changed()
			var all errgroup.Group
			begun := make(chan struct{}, savers)
			for _, w := range workflows {
				all.Go(func() error {
					began := begun
					for calculating.Err() == nil {
						run := b.Run()
						run.WorkflowID = w
						_, err := b.calculate(run)
						if found, ok := refusal.FromError(err); ok && found.SubCode == refusal.BusinessErased {
							return nil
						}
						if err != nil {
							return err
						}
						if began != nil {
							began <- struct{}{}
							began = nil
						}
					}
					return nil
				})
			}
			for range savers {
				await.Next(t, "a first calculation", begun)
			}
			require.NoError(t, change.make(b))
			changed()
			require.NoError(t, all.Wait())
		})
	}
}

// TestChanges_WaitForACalculation: none commits between what a calculation has compared and its
// commit. A calculation that comes later waits for the change.
func TestChanges_WaitForACalculation(t *testing.T) {
	b := setup(t)
	b.publish(rule("OLD", "business_age_years > 3"))
	other := b.open(1)[0]
	for _, change := range b.factChanges() {
		var done errgroup.Group
		require.NoError(t, b.Store.HoldingFacts(t.Context(), b.Run(), func() {
			done.Go(func() error { return b.Try(b.Call, change.make) })
			b.AwaitLock(change.name)
			later := b.Run()
			if change.name != workflowUpdate && change.name != personDelete { // which wait for the calculated workflow itself
				later.WorkflowID = other
			}
			done.Go(func() error { return only(b.calculate(later)) })
			b.AwaitLocks(2, "a calculation behind "+change.name)
		}), change.name)
		require.NoError(t, done.Wait(), change.name)
	}
}

// TestCalculation_WaitsForAPublication: it then sees the new version.
func TestCalculation_WaitsForAPublication(t *testing.T) {
	b := setup(t)
	b.publish(rule("A", ""))
	snapshot := b.load()
	var saving errgroup.Group
	b.Write(b.Call, func(r *store.Records) error {
		err := only(r.Rules.Publish(t.Context(), b.Account.WireID(), draft(rule("B", ""))))
		saving.Go(func() error { return b.save(snapshot, store.Required{}) })
		b.AwaitLock("the calculation")
		return err
	})
	require.ErrorIs(t, saving.Wait(), calculation.ErrFactsChanged)
	require.Empty(t, b.record())
}

// TestLocks_AreWithinATenant: naming a record of another tenant locks nothing.
func TestLocks_AreWithinATenant(t *testing.T) {
	b := setup(t)
	_, stranger := b.NewAccount("stranger", "UTC")
	var waited error
	err := b.Try(stranger, func(r *store.Records) error {
		err := r.Businesses.Update(t.Context(), b.Business.WireID(), domain.CustomChange{}, func(*domain.Business) {})
		waited = b.Try(b.Call, func(r *store.Records) error {
			return r.Businesses.Update(t.Context(), b.Business.WireID(), domain.CustomChange{}, func(b *domain.Business) { b.LegalName = "Another" })
		})
		return err
	})
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code)
	require.NoError(t, waited)
}
