package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/postgres"
	"requisite/internal/refusal"
)

// TestErase_WaitsForACalculation takes the locks of a calculation, in its order,
// while a business is erased.
func TestErase_WaitsForACalculation(t *testing.T) {
	b := setup(t)
	b.publishOne()
	tx, err := b.pool().Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM workflow FOR NO KEY UPDATE`)))
	erased := make(chan error, 1)
	go func() { erased <- only(b.operator.Erase(b.Context(), b.call.Scope, b.business.WireID(), false)) }()
	b.awaitLock("the erasure")
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM business FOR SHARE`)))
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-erased)
	require.Zero(t, b.count(`SELECT count(*) FROM person WHERE citizenship IS NOT NULL`))
}

// TestErase_RejectsLaterChanges: what would change the business, or decide by it,
// is refused, and the record says since when.
func TestErase_RejectsLaterChanges(t *testing.T) {
	b := setup(t)
	b.publishOne()
	person := b.person.WireID()
	for range 2 { // again does no harm
		require.NoError(t, only(b.operator.Erase(b.Context(), b.call.Scope, b.business.WireID(), false)))
		b.pass(time.Hour)
	}
	r := b.store.Records(b.call.Scope)
	found, err := r.Business(t.Context(), b.business.WireID())
	require.NoError(t, err)
	require.NotNil(t, found.ErasedAt)
	require.Equal(t, 2*time.Hour, b.now().Sub(*found.ErasedAt), "the first time counts")
	date := "2001-01-01"
	for what, err := range map[string]error{
		"update": b.try(b.call, func(r *postgres.Records) error {
			return r.UpdateBusiness(t.Context(), b.business.WireID(), func(b *domain.Business) { b.EstablishedDate = &date })
		}),
		"person":             b.tryPerson(),
		"update of a person": b.try(b.call, func(r *postgres.Records) error { return r.UpdatePerson(t.Context(), person, func(*domain.Person) {}) }),
		"sales":              b.try(b.call, func(r *postgres.Records) error { return only(r.CreateSalesInfo(t.Context(), b.business.WireID(), nil)) }),
		"workflow":           b.tryWorkflow(domain.Created),
		"calculate":          only(b.store.LoadFacts(t.Context(), b.call, b.workflow.WireID(), b.now())),
		"preview":            only(b.store.Preview(t.Context(), b.call.Scope, b.workflow.WireID(), nil, nil)),
	} {
		found := refused(t, err)
		require.Equal(t, refusal.BusinessErased, found.SubCode, what)
		require.Equal(t, b.business.WireID().String(), found.EntityID)
	}
	open, err := r.CountOpen(t.Context(), b.account.WireID())
	require.NoError(t, err)
	require.Zero(t, open, "a preview of all workflows leaves it out")
}
