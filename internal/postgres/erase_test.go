package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestErasingWaitsForACalculation takes the locks of a calculation, in its order,
// while a business is erased.
func TestErasingWaitsForACalculation(t *testing.T) {
	b := setup(t)
	b.publishOne()
	tx, err := b.pool().Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `SELECT FROM workflow FOR NO KEY UPDATE`)
	require.NoError(t, err)
	erased := make(chan error, 1)
	go func() {
		_, err := b.operator.Erase(b.Context(), b.call.Scope, b.business.WireID(), false)
		erased <- err
	}()
	require.Eventually(t, func() bool {
		return b.count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) > 0
	}, 10*time.Second, 5*time.Millisecond)
	_, err = tx.Exec(t.Context(), `SELECT FROM business FOR SHARE`)
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-erased)
	require.Zero(t, b.count(`SELECT count(*) FROM person WHERE citizenship IS NOT NULL`))
}
