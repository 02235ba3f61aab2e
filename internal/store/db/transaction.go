package db

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// transaction is a pgx.Tx that needs fewer round trips than pgx's own. It begins with its first
// statement, and CommitWith ends it with its last ones. A transaction that sends nothing needs no
// round trip.
type transaction struct {
	conn *pgxpool.Conn
	// begin holds the statements that begin it. It is nil once they were sent.
	begin *pgx.Batch
	// closed is why nothing more may be sent: the transaction did not begin, or has ended.
	closed error
	ended  bool
	pgx.Tx // nil: the store uses none of its other methods
}

// rollbackPatience bounds a rollback. A rollback also runs when the caller is gone.
const rollbackPatience = 5 * time.Second

// inTransaction runs fn in a transaction that begins with the given statements. An error or a panic
// rolls it back.
func inTransaction(ctx context.Context, pool *Pool, begin *pgx.Batch, fn func(pgx.Tx) error) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	return transact(ctx, conn, begin, fn)
}

// transact is inTransaction on the caller's connection.
func transact(ctx context.Context, conn *pgxpool.Conn, begin *pgx.Batch, fn func(pgx.Tx) error) (err error) {
	tx := &transaction{conn: conn, begin: begin}
	defer func() {
		if failed := tx.Rollback(ctx); failed != nil && err != nil && !errors.Is(failed, pgx.ErrTxClosed) {
			err = fmt.Errorf("%w (and the rollback failed: %w)", err, failed)
		}
	}()
	if err := fn(tx); err != nil || tx.ended {
		return err
	}
	return tx.Commit(ctx)
}

// CommitWith sends the last statements of a transaction together with its commit. They read their
// own results. An error in reading them does not stop the commit. The error says which statement
// failed.
func CommitWith(ctx context.Context, tx pgx.Tx, last *pgx.Batch) error {
	last.Queue(`COMMIT`).Exec(func(tag pgconn.CommandTag) error {
		if tag.String() == "ROLLBACK" {
			return pgx.ErrTxCommitRollback
		}
		return nil
	})
	t := tx.(*transaction)
	if err := SendAll(ctx, t, last); err != nil {
		t.closed = err // the commit may have ended it: later statements must not be sent, nor report success
		return err
	}
	t.end()
	return nil
}

func (tx *transaction) end() { tx.ended, tx.closed = true, pgx.ErrTxClosed }

func (tx *transaction) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	switch {
	case tx.closed != nil:
		return noBatch{err: tx.closed}
	case tx.begin == nil:
		return tx.conn.SendBatch(ctx, b)
	}
	results, err := sendBehind(ctx, tx.conn, tx.begin, b)
	tx.begin, tx.closed = nil, err
	if err != nil {
		return noBatch{err: err}
	}
	return results
}

// sendBehind sends a batch after other statements, and reads the results of those statements.
func sendBehind(ctx context.Context, to interface {
	SendBatch(context.Context, *pgx.Batch) pgx.BatchResults
}, first, b *pgx.Batch) (pgx.BatchResults, error) {
	ahead := first.Len()
	first.QueuedQueries = append(first.QueuedQueries, b.QueuedQueries...)
	results := to.SendBatch(ctx, first)
	for range ahead {
		if _, err := results.Exec(); err != nil {
			_ = results.Close() // releases the connection; the first error is more useful
			return nil, err
		}
	}
	return results, nil
}

// open reports whether a statement may be sent alone.
func (tx *transaction) open() bool { return tx.begin == nil && tx.closed == nil }

func (tx *transaction) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if tx.open() {
		return tx.conn.Query(ctx, sql, args...)
	}
	return queryOne(tx.SendBatch(ctx, batchOf(sql, args...)))
}

func (tx *transaction) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return rowOf(tx.Query(ctx, sql, args...))
}

func (tx *transaction) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if tx.open() {
		return tx.conn.Exec(ctx, sql, args...)
	}
	return execOne(tx.SendBatch(ctx, batchOf(sql, args...)))
}

func (tx *transaction) Commit(ctx context.Context) error {
	if tx.begin != nil { // nothing was sent
		tx.begin = nil
		tx.end()
		return nil
	}
	return CommitWith(ctx, tx, &pgx.Batch{})
}

func (tx *transaction) Rollback(ctx context.Context) error {
	if tx.ended {
		return pgx.ErrTxClosed
	}
	tx.end()
	if tx.begin != nil || tx.conn.Conn().IsClosed() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackPatience)
	defer cancel()
	if _, err := tx.conn.Exec(ctx, `ROLLBACK`); err != nil {
		_ = tx.conn.Conn().Close(ctx) // its state is unknown: it must not return to the pool
		return err
	}
	return nil
}

// SendAll sends a batch; an error says which statement failed.
func SendAll(ctx context.Context, q Querier, batch *pgx.Batch) error {
	results := q.SendBatch(ctx, batch)
	for _, query := range batch.QueuedQueries {
		var err error
		if query.Fn != nil {
			err = query.Fn(results)
		} else {
			_, err = results.Exec()
		}
		if err != nil {
			_ = results.Close() // the first error is more useful
			words := strings.Fields(query.SQL)
			var early pgx.ErrPreprocessingBatch // of any statement, before one is sent
			if errors.As(err, &early) {
				words = strings.Fields(early.SQL())
			}
			return fmt.Errorf("%s: %w", strings.Join(words[:min(3, len(words))], " "), err)
		}
	}
	return results.Close()
}
