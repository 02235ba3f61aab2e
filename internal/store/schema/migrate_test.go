package schema_test

import (
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"requisite/internal/store/pgtest"
)

func TestMigrate_ConcurrentCallsApplyNothingTwice(t *testing.T) {
	d := open(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			applied, err := d.Migrate(t.Context())
			assert.NoError(t, err)
			assert.Zero(t, applied)
		})
	}
	all.Wait()
}

// TestMigrate_HasNoStatementTimeout, though a provider limits every statement on its server.
func TestMigrate_HasNoStatementTimeout(t *testing.T) {
	d := open(t)
	limited := pgtest.ConnectOne(t, d.url)
	require.NoError(t, only(limited.Exec(t.Context(), "ALTER ROLE CURRENT_USER IN DATABASE "+limited.Config().Database+" SET statement_timeout = '3s'")))
	conn, err := pgx.ConnectConfig(t.Context(), d.WithoutStatementTimeout())
	require.NoError(t, err)
	defer conn.Close(t.Context())
	var timeout string
	require.NoError(t, conn.QueryRow(t.Context(), "SHOW statement_timeout").Scan(&timeout))
	require.Equal(t, "0", timeout)
}
