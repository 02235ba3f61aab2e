package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/decimal"
	"requisite/internal/postgres"
)

func TestOwnershipAbove100IsWarnedOf(t *testing.T) {
	b := setup(t) // with one person who owns half
	warnings := func() (codes []string) {
		b.write(b.call, func(r *postgres.Records) error {
			found, err := r.OwnershipWarnings(t.Context(), b.business.ID)
			for _, w := range found {
				codes = append(codes, w.Code)
				require.Contains(t, w.Message, "100.01 percent")
			}
			return err
		})
		return codes
	}
	require.Empty(t, warnings())
	share, none := decimal.Number(5000), (*decimal.Number)(nil)
	for _, owned := range []*decimal.Number{&share, none} {
		b.write(b.call, func(r *postgres.Records) error {
			_, err := r.CreatePerson(t.Context(), b.business.WireID(), postgres.Person{FirstName: "C", LastName: "D", OwnershipHundredths: owned})
			return err
		})
	}
	require.Empty(t, warnings(), "exactly all of it")
	b.setOwnership(5001)
	require.Equal(t, []string{"OWNERSHIP_EXCEEDS_100"}, warnings())
}

// The codes of those who are citizens of no country fit into the database.
func TestCitizenshipOfNoCountryIsKept(t *testing.T) {
	b := setup(t)
	for _, code := range []string{"XK", "XXA", "XXB", "XXC"} {
		b.write(b.call, func(r *postgres.Records) error {
			return r.UpdatePerson(t.Context(), b.person.WireID(), func(p *postgres.Person) { p.Citizenship = &code })
		})
	}
	unknown := "XXD"
	require.Error(t, b.try(b.call, func(r *postgres.Records) error {
		return r.UpdatePerson(t.Context(), b.person.WireID(), func(p *postgres.Person) { p.Citizenship = &unknown })
	}))
}
