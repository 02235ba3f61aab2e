package schema_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/store/pgtest"
	"requisite/internal/store/schema"
)

// Bypass finds each way in which a role may see other tenants' rows.
func TestBypass(t *testing.T) {
	d := open(t)
	conn := pgtest.ConnectOne(t, d.url)
	for _, sql := range []string{
		`CREATE ROLE bypass_reader`,
		`CREATE ROLE bypass_admin SUPERUSER`,
		`CREATE ROLE bypass_right LOGIN BYPASSRLS PASSWORD 'of-the-tests'`,
		`CREATE ROLE bypass_member LOGIN NOINHERIT PASSWORD 'of-the-tests' IN ROLE bypass_admin`,
		`CREATE ROLE bypass_owner LOGIN PASSWORD 'of-the-tests' IN ROLE requisite_owner`,
		`CREATE ROLE bypass_reads LOGIN PASSWORD 'of-the-tests' IN ROLE bypass_reader`,
	} {
		require.NoError(t, only(conn.Exec(t.Context(), sql)))
	}
	require.NoError(t, d.GrantRead(t.Context(), "bypass_reader"))
	t.Cleanup(func() { // roles belong to the server
		ctx := context.WithoutCancel(t.Context())
		_, _ = conn.Exec(ctx, `DROP OWNED BY bypass_reader`)
		_, _ = conn.Exec(ctx, `DROP ROLE bypass_reads, bypass_owner, bypass_member, bypass_right, bypass_admin, bypass_reader`)
	})
	for role, want := range map[string]string{
		pgtest.API: "", pgtest.Worker: "", pgtest.Serving: "",
		pgtest.Owner:    "it owns the tables",
		"bypass_owner":  "is a member of the role that does",
		"bypass_right":  "it has BYPASSRLS",
		"bypass_member": "it is a member of a role that is a superuser",
		"bypass_reads":  "it reads the rows of every tenant",
	} {
		why, err := schema.New(pgtest.Connect(t, pgtest.As(d.url, role))).Bypass(t.Context())
		require.NoError(t, err)
		if want == "" {
			require.Empty(t, why, role)
		} else {
			require.Contains(t, why, want, role)
		}
	}
	why, err := schema.New(pgtest.Connect(t, d.url)).Bypass(t.Context())
	require.NoError(t, err)
	require.Equal(t, "it is a superuser", why)
}
