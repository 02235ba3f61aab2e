package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/postgres"
	"requisite/internal/refusal"
)

// TestErasingWaitsForACalculation takes the locks of a calculation, in its order,
// while a business is erased.
func TestErasingWaitsForACalculation(t *testing.T) {
	b := setup(t)
	b.publishOne()
	tx, err := b.pool().Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `SELECT FROM workflow FOR NO KEY UPDATE`)
	require.NoError(t, err)
	erased := make(chan error, 1)
	go func() {
		_, err := b.operator.Erase(b.Context(), b.call.Scope, b.business.WireID(), false)
		erased <- err
	}()
	require.Eventually(t, func() bool {
		return b.count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) > 0
	}, 10*time.Second, 5*time.Millisecond)
	_, err = tx.Exec(t.Context(), `SELECT FROM business FOR SHARE`)
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-erased)
	require.Zero(t, b.count(`SELECT count(*) FROM person WHERE citizenship IS NOT NULL`))
}

// TestNothingChangesAfterErasing: what would change the business, or decide by it,
// is refused, and the record says since when.
func TestNothingChangesAfterErasing(t *testing.T) {
	b := setup(t)
	b.publishOne()
	person := b.person.WireID()
	for range 2 { // again does no harm
		_, err := b.operator.Erase(b.Context(), b.call.Scope, b.business.WireID(), false)
		require.NoError(t, err)
		b.pass(time.Hour)
	}
	r := b.store.Records(b.call.Scope)
	found, err := r.Business(t.Context(), b.business.WireID())
	require.NoError(t, err)
	require.NotNil(t, found.ErasedAt)
	require.Greater(t, b.now().Sub(*found.ErasedAt), 90*time.Minute, "the first time counts")
	write := func(do func(r *postgres.Records) error) error { return b.try(b.call, do) }
	date := "2001-01-01"
	for what, err := range map[string]error{
		"update": write(func(r *postgres.Records) error {
			return r.UpdateBusiness(t.Context(), b.business.WireID(), func(b *domain.Business) { b.EstablishedDate = &date })
		}),
		"person": write(func(r *postgres.Records) error {
			_, err := r.CreatePerson(t.Context(), b.business.WireID(), domain.Person{FirstName: "A", LastName: "B"})
			return err
		}),
		"update of a person": write(func(r *postgres.Records) error { return r.UpdatePerson(t.Context(), person, func(*domain.Person) {}) }),
		"sales": write(func(r *postgres.Records) error {
			_, err := r.CreateSalesInfo(t.Context(), b.business.WireID(), nil)
			return err
		}),
		"workflow": write(func(r *postgres.Records) error {
			_, err := r.CreateWorkflow(t.Context(), b.account.WireID(), b.business.WireID(), domain.Created)
			return err
		}),
		"calculate": func() error {
			_, err := b.store.LoadFacts(t.Context(), b.call, b.workflow.WireID(), b.now())
			return err
		}(),
		"preview": func() error {
			_, err := b.store.Preview(t.Context(), b.call.Scope, b.workflow.WireID(), nil, nil)
			return err
		}(),
	} {
		refused, ok := refusal.FromError(err)
		require.True(t, ok, "%s: %v", what, err)
		require.Equal(t, refusal.BusinessErased, refused.SubCode, what)
		require.Equal(t, b.business.WireID().String(), refused.EntityID)
	}
	open, err := r.CountOpen(t.Context(), b.account.WireID())
	require.NoError(t, err)
	require.Zero(t, open, "a preview of all workflows leaves it out")
}
