//go:build deep

package db_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/pgbouncer"
)

// TestPool_WaitsForAConnectionOfAPooler that has two sessions, and accepts further clients or refuses them.
func TestPool_WaitsForAConnectionOfAPooler(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{"default_pool_size = 2", "max_client_conn = 2"} {
		t.Run(setting, func(t *testing.T) {
			url := pgtest.As(server.Database(t), pgtest.Serving)
			through := pgbouncer.Start(t, "session", []string{url}, setting)
			d, err := db.Open(t.Context(), through(url), db.Options{Connections: db.Connections{Max: 10, Connect: time.Second}})
			require.NoError(t, err)
			defer d.Close()
			callsWait(t, d, func() {})
		})
	}
}
