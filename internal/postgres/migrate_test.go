package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// A backup holds one transaction open for as long as it takes. A migration beside
// it waits for it, for longer than anything else may wait for a lock.
func TestAMigrationWaitsForABackup(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.exec(`DROP INDEX webhook_delivery_forced, webhook_delivery_due, webhook_delivery_turn`))
	require.NoError(t, b.exec(`DROP TABLE schedule_success`))
	require.NoError(t, b.exec(`ALTER TABLE webhook_endpoint_health DROP COLUMN recovered_at`))
	require.NoError(t, b.exec(`DELETE FROM goose_db_version WHERE version_id >= 9`))
	backup, err := b.pool().BeginTx(t.Context(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	require.NoError(t, err)
	defer func() { _ = backup.Rollback(context.WithoutCancel(t.Context())) }() // it may have ended
	_, err = backup.Exec(t.Context(), `SELECT FROM webhook_delivery`)
	require.NoError(t, err)
	migrated := make(chan error, 1)
	go func() {
		_, err := b.operator.Migrate(t.Context())
		migrated <- err
	}()
	require.Eventually(t, func() bool {
		return b.count(`SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%CREATE INDEX CONCURRENTLY%' AND now() - query_start > interval '6 seconds'`) == 1
	}, time.Minute, 100*time.Millisecond, "it does not wait")
	require.NoError(t, backup.Rollback(t.Context()))
	require.NoError(t, <-migrated)
	require.Equal(t, 3, b.count(`SELECT count(*) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
		WHERE i.indisvalid AND c.relname IN ('webhook_delivery_forced', 'webhook_delivery_due', 'webhook_delivery_turn')`))
}
