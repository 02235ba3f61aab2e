package postgres

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"requisite/internal/domain"
	"requisite/internal/id"
)

// InTransaction is inTransaction, for tests.
func InTransaction(ctx context.Context, pool *pgxpool.Pool, begin func(*pgx.Batch), fn func(pgx.Tx) error) error {
	return inTransaction(ctx, pool, begin, fn)
}

// Later is later, for tests.
func Later(ctx context.Context, tx pgx.Tx, check func(pgconn.CommandTag) error, sql string, args ...any) error {
	return later(ctx, tx, check, sql, args...)
}

// Migrating is migrating, for tests.
func (s *Store) Migrating() *pgx.ConnConfig { return s.migrating() }

// AwaitUses waits until the uses of credentials noted so far are written.
func (s *Store) AwaitUses() { s.uses.writing.Wait() }

// EmitState writes one more event of a workflow, whatever its state.
func EmitState(ctx context.Context, r *Records, workflow id.WorkflowID) error {
	w, err := r.lockedWorkflow(ctx, workflow)
	if err != nil {
		return err
	}
	return r.emit(ctx, subjectOf(w), Event{Type: domain.WorkflowStarted, Fields: domain.StateContent{State: domain.Started}})
}

// Show is a setting of the server, as a connection of the main pool and one of the
// separate pool have it.
func (s *Store) Show(t testing.TB, setting string) []string {
	t.Helper()
	var values []string
	for _, pool := range []*pgxpool.Pool{s.pool, s.apart} {
		var value string
		if err := pool.QueryRow(t.Context(), "SHOW "+setting).Scan(&value); err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
	return values
}

// PoolConfig is what the main pool was made with.
func (s *Store) PoolConfig() *pgxpool.Config { return s.pool.Config() }

// SendAll sends a batch with a query in a transaction whose beginning failed.
func SendAll(ctx context.Context, failed error) error {
	batch := &pgx.Batch{}
	batch.Queue(`SELECT 1`).Query(func(rows pgx.Rows) error {
		_, err := pgx.CollectRows(rows, pgx.RowTo[int])
		return err
	})
	return sendAll(ctx, &transaction{broken: failed}, batch)
}

// FeedCursor is the cursor of an event in the feed.
func FeedCursor(position int64, event, batch uuid.UUID) string {
	return feedCursor{position, event, batch}.String()
}
