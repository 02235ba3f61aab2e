package store_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// named are writes of an external id to a new or another record of each kind, in the
// account of the bundle.
func (b *bundle) named(externalID *string) map[string]func(*store.Records) error {
	ctx := b.Context()
	return map[string]func(*store.Records) error{
		"Business": func(r *store.Records) error {
			return only(r.Applicants.CreateBusiness(ctx, b.Account.WireID(), domain.Business{LegalName: "Ltd", ExternalID: externalID}))
		},
		"Person": func(r *store.Records) error {
			return only(r.Persons.Create(ctx, b.Business.WireID(), store.PersonPath,
				domain.Person{FirstName: new("C"), LastName: new("D"), ExternalID: externalID}))
		},
		"Workflow": func(r *store.Records) error {
			return only(r.Workflows.Create(ctx, b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Created, ExternalID: externalID}))
		},
	}
}

// setExternalID updates the business or the person of the bundle.
func (b *bundle) setExternalID(entity string, externalID *string) error {
	return b.Try(b.Call, func(r *store.Records) error {
		if entity == "Business" {
			return r.Businesses.Update(b.Context(), b.Business.WireID(), domain.CustomChange{}, func(b *domain.Business) { b.ExternalID = externalID })
		}
		return r.Persons.Update(b.Context(), b.Person.WireID(), domain.CustomChange{}, func(p *domain.Person) { p.ExternalID = externalID })
	})
}

func TestExternalID_IsUniqueInItsParent(t *testing.T) {
	b := setup(t)
	ours := "ours"
	for entity, write := range b.named(&ours) {
		require.NoError(t, b.Try(b.Call, write), entity)
		found := pgtest.Refused(t, b.Try(b.Call, write))
		require.Equal(t, []any{refusal.ExternalIDExists, entity}, []any{found.SubCode, found.EntityType})
		require.NotContains(t, found.Message, ours)
		if entity == "Workflow" {
			continue
		}
		require.Equal(t, refusal.ExternalIDExists, pgtest.Refused(t, b.setExternalID(entity, &ours)).SubCode)
	}
	// Another parent has its own, and records without one do not conflict.
	for entity, write := range b.named(nil) {
		require.NoError(t, b.Try(b.Call, write), entity)
		require.NoError(t, b.Try(b.Call, write), entity)
	}
	account, call := b.NewAccount("second", "UTC")
	second := &bundle{b.InAccount(account, call)}
	b.Write(call, func(r *store.Records) (err error) {
		second.Business, err = r.Applicants.CreateBusiness(t.Context(), account.WireID(), domain.Business{LegalName: "Ltd"})
		return err
	})
	for entity, write := range second.named(&ours) {
		require.NoError(t, b.Try(call, write), entity)
	}
}

// TestExternalID_OneOfManyAtOnceGetsIt: the unique index never has to object, because
// Postgres would log the external id.
func TestExternalID_OneOfManyAtOnceGetsIt(t *testing.T) {
	b := setup(t)
	ours := "ours"
	for entity, write := range b.named(&ours) {
		failed := make([]error, 20)
		pgtest.AtOnce(len(failed), func(i int) {
			if i == 0 && entity != "Workflow" {
				failed[i] = b.setExternalID(entity, &ours)
				return
			}
			failed[i] = b.Try(b.Call, write)
		})
		made := 0
		for _, err := range failed {
			if err == nil {
				made++
				continue
			}
			require.Equal(t, refusal.ExternalIDExists, pgtest.Refused(t, err).SubCode, "%s: %v", entity, errors.Unwrap(err))
		}
		require.Equal(t, 1, made, entity)
	}
}

// TestExternalID_IsNoFact: changing it makes no calculation outdated, and the next
// decision has the facts of the one before.
func TestExternalID_IsNoFact(t *testing.T) {
	b := setup(t)
	b.publishOne()
	b.mustCalculate()
	versions := func() int { return b.Count(`SELECT version FROM business WHERE id = $1`, b.Business.ID) }
	before, snapshot := versions(), b.load()
	one, two := "one", "two"
	for _, entity := range []string{"Business", "Person"} {
		for _, value := range []*string{&one, &one, &two, nil, &one} {
			require.NoError(t, b.setExternalID(entity, value), entity)
			require.False(t, *b.onRecord().DocumentsStale, entity)
		}
	}
	require.Equal(t, before, versions())
	require.NoError(t, b.save(snapshot, store.Score{}), "the facts that were read before still hold")

	last := b.decision(b.mustCalculate().Decision)
	require.NoError(t, b.setExternalID("Business", &two))
	require.Equal(t, last.Fingerprint, b.decision(b.mustCalculate().Decision).Fingerprint)
	require.Zero(t, b.Count(`SELECT count(*) FROM decision WHERE personal ~ 'external_id'`))

	r := b.Store.Records(b.Call.Scope)
	business, err := r.Businesses.Get(t.Context(), b.Business.WireID())
	require.NoError(t, err)
	person, err := r.Persons.Get(t.Context(), b.Person.WireID())
	require.NoError(t, err)
	require.Equal(t, []*string{&two, &one}, []*string{business.ExternalID, person.ExternalID})
	require.NoError(t, b.Try(b.Call, func(r *store.Records) error {
		return r.Businesses.Update(t.Context(), b.Business.WireID(), domain.CustomChange{}, func(b *domain.Business) { b.ExternalID, b.LegalName = &one, "Renamed" })
	}))
	require.True(t, *b.onRecord().DocumentsStale, "a fact changed with it")
}

func TestErase_RemovesExternalIDs(t *testing.T) {
	b := setup(t)
	ours := "ida.berg-1981"
	for entity, write := range b.named(&ours) {
		if entity != "Business" {
			require.NoError(t, b.Try(b.Call, write), entity)
		}
	}
	require.NoError(t, b.setExternalID("Business", &ours))
	require.NoError(t, only(b.Operator.Erase(t.Context(), b.Call.Scope, b.Business.WireID(), false)))
	require.Zero(t, b.Count(`SELECT (SELECT count(external_id) FROM business) + (SELECT count(external_id) FROM person) + (SELECT count(external_id) FROM workflow)`))
	require.Equal(t, refusal.BusinessErased, pgtest.Refused(t, b.setExternalID("Business", &ours)).SubCode)
	require.Equal(t, refusal.BusinessErased, pgtest.Refused(t, b.setExternalID("Person", &ours)).SubCode)
}
