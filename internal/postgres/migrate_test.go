package postgres_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/postgres"
)

// TestMigrate_HasNoStatementTimeout, though a provider limits every statement on its server.
func TestMigrate_HasNoStatementTimeout(t *testing.T) {
	b := setup(t)
	limited, err := pgx.Connect(t.Context(), b.url)
	require.NoError(t, err)
	defer limited.Close(t.Context())
	require.NoError(t, only(limited.Exec(t.Context(), "ALTER ROLE CURRENT_USER IN DATABASE "+limited.Config().Database+" SET statement_timeout = '3s'")))
	conn, err := pgx.ConnectConfig(t.Context(), server.Open(t, b.url, nil, postgres.Options{}).Migrating())
	require.NoError(t, err)
	defer conn.Close(t.Context())
	var timeout string
	require.NoError(t, conn.QueryRow(t.Context(), "SHOW statement_timeout").Scan(&timeout))
	require.Equal(t, "0", timeout)
}
