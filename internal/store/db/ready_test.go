package db_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
)

// A connection whose session of the server changes goes through a pooler of transactions,
// and so does one that does not find its prepared statements.
func TestTry_FindsAPoolerOfTransactions(t *testing.T) {
	t.Parallel()
	conn := pgtest.Connect(t, server.Database(t))
	nothing := func(context.Context, pgx.Tx) error { return nil }
	require.NoError(t, conn.Try(t.Context(), domain.Scope{}, nothing))
	require.NoError(t, conn.Try(t.Context(), domain.Scope{}, nothing))
	for _, code := range []string{"26000", "42P05"} {
		err := conn.Try(t.Context(), domain.Scope{}, func(ctx context.Context, tx pgx.Tx) error {
			return only(tx.Exec(ctx, `DO $$ BEGIN RAISE SQLSTATE '`+code+`'; END $$`))
		})
		require.ErrorIs(t, err, db.LackSessions, code)
	}
	conn.OtherSession(t)
	require.ErrorIs(t, conn.Try(t.Context(), domain.Scope{}, nothing), db.LackSessions)
}

// What a trial writes is rolled back.
func TestTry_RollsBack(t *testing.T) {
	t.Parallel()
	conn := pgtest.Connect(t, server.Database(t))
	require.NoError(t, conn.Try(t.Context(), domain.Scope{}, func(ctx context.Context, tx pgx.Tx) error { return only(tx.Exec(ctx, change)) }))
	var n int
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM organization`).Scan(&n))
	require.Zero(t, n)
}
