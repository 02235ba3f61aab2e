//go:build deep

package store_test

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// TestUniqueTexts_StayUniqueWhenALibraryChanges: a database that sorts as ICU says, and an ICU that sorts
// 9 before 10 from one day on. Requests are repeated, and external ids are used again.
func TestUniqueTexts_StayUniqueWhenALibraryChanges(t *testing.T) {
	t.Parallel()
	const many = 100
	admin := pgtest.Connect(t, server.Database(t))
	exec := func(sql string) { t.Helper(); require.NoError(t, only(admin.Exec(t.Context(), sql)), sql) }
	u, err := url.Parse(admin.Config().ConnString())
	require.NoError(t, err)
	name := admin.Config().ConnConfig.Database + "_icu"
	exec(`CREATE DATABASE ` + name + ` OWNER ` + pgtest.Owner + ` TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C'`)
	u.Path = name
	operator := server.Open(t, pgtest.As(u.String(), pgtest.Owner), nil, store.Options{})
	require.NoError(t, only(operator.Database.Schema().Migrate(t.Context())))
	require.NoError(t, operator.Database.Schema().GrantAPI(t.Context(), pgtest.API))
	account, call := pgtest.NewAccount(t, operator, "first", "UTC")

	var locale string // the name of the column
	require.NoError(t, admin.QueryRow(t.Context(), `SELECT attname FROM pg_attribute WHERE attrelid = 'pg_database'::regclass AND attname IN ('daticulocale', 'datlocale')`).Scan(&locale))
	for _, sorts := range []string{"en", "en-u-kn-true"} {
		exec(`UPDATE pg_database SET ` + locale + ` = '` + sorts + `' WHERE datname = '` + name + `'`)
		serving := server.Open(t, pgtest.As(u.String(), pgtest.API), nil, store.Options{})
		for i := range many {
			text := fmt.Sprint(i)
			call.IdempotencyKey, call.BodySHA256 = text, make([]byte, 32)
			_, err := serving.Write(t.Context(), call, func(r *store.Records) (any, error) {
				return r.Applicants.CreateBusiness(t.Context(), account.WireID(), domain.Business{LegalName: "Ltd", ExternalID: &text})
			})
			require.NoError(t, err, "%s, %s", sorts, text)
			call.IdempotencyKey = ""
			_, err = serving.Write(t.Context(), call, func(r *store.Records) (any, error) {
				return r.Applicants.CreateBusiness(t.Context(), account.WireID(), domain.Business{LegalName: "Ltd", ExternalID: &text})
			})
			require.Error(t, err, "%s, %s", sorts, text)
		}
		var businesses int
		require.NoError(t, pgtest.Connect(t, u.String()).QueryRow(t.Context(), `SELECT count(*) FROM business`).Scan(&businesses))
		require.Equal(t, many, businesses, sorts)
	}
}
