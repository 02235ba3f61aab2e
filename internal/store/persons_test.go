package store_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

func TestOwnership_WarnsAbove100Percent(t *testing.T) {
	b := setup(t) // with one person who owns half
	warnings := func() (codes []string) {
		b.Write(b.Call, func(r *store.Records) error {
			found, err := r.Persons.OwnershipWarnings(t.Context(), b.Business.ID)
			for _, w := range found {
				codes = append(codes, string(w.Code))
				require.Contains(t, w.Message, "they own 100.01.")
			}
			return err
		})
		return codes
	}
	require.Empty(t, warnings())
	share, none := rational.Decimal(5000), (*rational.Decimal)(nil)
	for _, owned := range []*rational.Decimal{&share, none} {
		b.Write(b.Call, func(r *store.Records) error {
			return only(r.Persons.Create(t.Context(), b.Business.WireID(), store.PersonPath,
				domain.Person{FirstName: new("C"), LastName: new("D"), OwnershipHundredths: owned}))
		})
	}
	require.Empty(t, warnings(), "exactly all of it")
	b.setOwnership(5001)
	require.Equal(t, []string{"OWNERSHIP_EXCEEDS_100"}, warnings())
}

// The codes of those who are citizens of no country fit into the database.
func TestCitizenship_AcceptsCodesOfStatelessPersons(t *testing.T) {
	b := setup(t)
	for _, code := range []string{"XK", "XXA", "XXB", "XXC"} {
		b.Write(b.Call, func(r *store.Records) error {
			return r.Persons.Update(t.Context(), b.Person.WireID(), domain.CustomChange{}, func(p *domain.Person) { p.Citizenship = &code })
		})
	}
	unknown := "XXD"
	require.Error(t, b.Try(b.Call, func(r *store.Records) error {
		return r.Persons.Update(t.Context(), b.Person.WireID(), domain.CustomChange{}, func(p *domain.Person) { p.Citizenship = &unknown })
	}))
}

func TestNoPersonsAttested_IsAFact(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	b.publish(requirement.DocumentRule{DocumentTypeCode: "ID", EntityType: "Person"})
	attest := func(is bool) error {
		return b.Try(b.Call, func(r *store.Records) error {
			return r.Businesses.Update(ctx, b.Business.WireID(), domain.CustomChange{}, func(business *domain.Business) { business.NoPersonsAttested = is })
		})
	}
	attested := func() bool {
		found, err := b.Store.Records(b.Call.Scope).Businesses.Get(ctx, b.Business.WireID())
		require.NoError(t, err)
		return found.NoPersonsAttested
	}
	err := pgtest.Refused(t, attest(true))
	require.Equal(t, refusal.PersonsOnRecord, err.SubCode)
	require.Contains(t, err.Message, "person.delete")
	require.False(t, attested())
	require.Len(t, b.mustCalculate().Changed.Added, 1)

	b.Write(b.Call, func(r *store.Records) error { return r.Persons.Delete(ctx, b.Person.WireID()) })
	_, missing := b.calculate(b.Run())
	require.Equal(t, refusal.MissingRequirements, pgtest.Refused(t, missing).Code, "nobody is on record any more, and nobody has said why")

	before := b.load()
	require.NoError(t, attest(true))
	after := b.load()
	require.NotEqual(t, before.Facts.Fingerprint(), after.Facts.Fingerprint())
	require.ErrorIs(t, b.save(before, store.Required{}), calculation.ErrFactsChanged)
	require.Len(t, b.mustCalculate().Changed.Removed, 1)
	require.NoError(t, attest(true), "it may be stated again")

	require.NoError(t, b.tryPerson())
	require.False(t, attested(), "cleared when somebody is added")
	require.Len(t, b.mustCalculate().Changed.Added, 1)

	var made domain.Business
	b.Write(b.Call, func(r *store.Records) (err error) {
		made, err = r.Applicants.CreateBusiness(ctx, b.Account.WireID(), domain.Business{LegalName: "Nobody's Ltd", NoPersonsAttested: true})
		return err
	})
	found, findErr := b.Store.Records(b.Call.Scope).Businesses.Get(ctx, made.WireID())
	require.NoError(t, findErr)
	require.True(t, found.NoPersonsAttested)
}

// A business that states to have no persons has none, whether the statement or a person comes
// first.
func TestNoPersonsAttested_IsNeverTrueBesideAPerson(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	var all sync.WaitGroup
	for range 20 {
		b.Write(b.Call, func(r *store.Records) error {
			var err error
			b.Business, err = r.Applicants.CreateBusiness(ctx, b.Account.WireID(), domain.Business{LegalName: "Race Ltd"})
			return err
		})
		id := b.Business.WireID()
		all.Go(func() {
			_ = b.Try(b.Call, func(r *store.Records) error {
				return r.Businesses.Update(ctx, id, domain.CustomChange{}, func(business *domain.Business) { business.NoPersonsAttested = true })
			})
		})
		all.Go(func() {
			_ = b.Try(b.Call, func(r *store.Records) error {
				return only(r.Persons.Create(ctx, id, store.PersonPath, domain.Person{FirstName: new("G"), LastName: new("H")}))
			})
		})
	}
	all.Wait()
	require.Equal(t, 20, b.Count(`SELECT count(*) FROM person WHERE first_name = 'G'`))
	require.Zero(t, b.Count(`SELECT count(*) FROM business b WHERE no_persons_attested AND EXISTS (SELECT FROM person p WHERE p.business_id = b.id)`))
}
