//go:build deep

package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/store/schema"
	"requisite/internal/testkit/pgbouncer"
)

// TestReady_RefusesAPoolerOfTransactions by name, with the real PgBouncer.
func TestReady_RefusesAPoolerOfTransactions(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]error{"session": nil, "transaction": db.LackSessions} {
		t.Run(mode, func(t *testing.T) {
			database := pgtest.As(server.Database(t), pgtest.API)
			store := server.Open(t, pgbouncer.Start(t, mode, []string{database})(database), nil, store.Options{Connections: db.Connections{Max: 8, Apart: 4}})
			for range 5 {
				require.ErrorIs(t, store.Database.Ready(t.Context(), schema.API), want)
			}
		})
	}
}
