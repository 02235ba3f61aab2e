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

// transaction needs fewer round trips than pgx's own: BEGIN is sent with its first
// statement, and queued statements with the next one or with the commit. A
// transaction that sends nothing needs none.
type transaction struct {
	conn *pgxpool.Conn
	// queued waits to be sent, in order, ahead of the next statement.
	queued pgx.Batch
	// sent counts the batches that were sent.
	sent int
	done bool
	// savepoints counts savepoints, which are named by number.
	savepoints int
	// begins is how many statements the beginning takes.
	begins int
	// checked says that a check among what is queued may object.
	checked bool
	// broken ends the transaction, whatever fn does: a queued statement, perhaps its
	// beginning, did not take effect.
	broken error
}

// errUnsupported is the answer of methods that the store does not use.
var errUnsupported = errors.New("a transaction of the store does not do this")

// rollbackPatience bounds a rollback, which also happens when the caller is gone.
const rollbackPatience = 5 * time.Second

// inTransaction runs fn in a transaction that begins with the given statements; an
// error rolls it back, a panic too.
func inTransaction(ctx context.Context, pool *pgxpool.Pool, begin func(*pgx.Batch), fn func(pgx.Tx) error) (err error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	tx := &transaction{conn: conn}
	begin(&tx.queued)
	tx.begins = tx.queued.Len()
	defer func() {
		if !tx.done {
			if failed := tx.Rollback(ctx); failed != nil && err != nil {
				err = fmt.Errorf("%w (and the rollback failed: %w)", err, failed)
			}
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// Queue queues a statement without waiting for its result: its error is returned by
// the next statement, or by the commit. Outside a transaction it is sent at once.
// check, when not nil, reads the result.
func Queue(ctx context.Context, q Querier, check func(pgconn.CommandTag) error, sql string, args ...any) error {
	tx, ok := q.(queuing)
	if !ok {
		tag, err := q.Exec(ctx, sql, args...)
		if err == nil && check != nil {
			err = check(tag)
		}
		return err
	}
	whole := tx.whole()
	query := whole.queued.Queue(sql, args...)
	if check != nil {
		query.Exec(check)
		whole.checked = true
	}
	return nil
}

// QueueBatch is Queue for several statements that read their own results.
func QueueBatch(ctx context.Context, q Querier, b *pgx.Batch) error {
	tx, ok := q.(queuing)
	if !ok {
		return q.SendBatch(ctx, b).Close()
	}
	queued := &tx.whole().queued
	queued.QueuedQueries = append(queued.QueuedQueries, b.QueuedQueries...)
	return nil
}

// queuing is a transaction or a part of one.
type queuing interface{ whole() *transaction }

func (tx *transaction) whole() *transaction { return tx }

// send sends what is queued and then the batch, and reads the results of the
// former.
func (tx *transaction) send(ctx context.Context, b *pgx.Batch) (pgx.BatchResults, error) {
	if tx.broken != nil {
		return nil, tx.broken
	}
	ahead := tx.queued.Len()
	whole := &pgx.Batch{QueuedQueries: append(tx.queued.QueuedQueries, b.QueuedQueries...)}
	tx.queued, tx.checked = pgx.Batch{}, false
	tx.sent++
	results := tx.conn.SendBatch(ctx, whole)
	for _, query := range whole.QueuedQueries[:ahead] {
		var err error
		if query.Fn != nil {
			err = query.Fn(results)
		} else {
			_, err = results.Exec()
		}
		if err != nil {
			_ = results.Close() // the first error says more
			tx.broken = err
			return nil, err
		}
	}
	return results, nil
}

// plain reports that nothing has to be sent ahead of a statement.
func (tx *transaction) plain() bool { return tx.queued.Len() == 0 && tx.broken == nil }

func (tx *transaction) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	results, err := tx.send(ctx, b)
	if err != nil {
		return noBatch{err: err}
	}
	return results
}

func (tx *transaction) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if tx.plain() {
		return tx.conn.Query(ctx, sql, args...)
	}
	return queryOne(tx.SendBatch(ctx, batchOf(sql, args)))
}

func (tx *transaction) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return rowOf(tx.Query(ctx, sql, args...))
}

func (tx *transaction) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if tx.plain() {
		return tx.conn.Exec(ctx, sql, args...)
	}
	return execOne(tx.SendBatch(ctx, batchOf(sql, args)))
}

// Commit sends what is queued with the commit.
func (tx *transaction) Commit(ctx context.Context) error {
	if tx.done {
		return pgx.ErrTxClosed
	}
	if tx.sent == 0 && tx.queued.Len() == tx.begins {
		tx.done = true // nothing happened
		return nil
	}
	if tx.checked { // a commit in the same batch would take effect before the check
		if err := tx.SendBatch(ctx, &pgx.Batch{}).Close(); err != nil {
			return err
		}
	}
	tag, err := tx.Exec(ctx, `COMMIT`)
	if err != nil {
		return err
	}
	tx.done = true
	if tag.String() == "ROLLBACK" {
		return pgx.ErrTxCommitRollback
	}
	return nil
}

func (tx *transaction) Rollback(ctx context.Context) error {
	if tx.done {
		return pgx.ErrTxClosed
	}
	tx.done = true
	tx.queued = pgx.Batch{}
	if tx.sent == 0 || tx.conn.Conn().IsClosed() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackPatience)
	defer cancel()
	if _, err := tx.conn.Exec(ctx, `ROLLBACK`); err != nil {
		_ = tx.conn.Conn().Close(ctx) // its state is not known: it must not go back to the pool
		return err
	}
	return nil
}

// Begin makes a savepoint, which costs no round trip of its own.
func (tx *transaction) Begin(context.Context) (pgx.Tx, error) {
	tx.savepoints++
	inner := &savepoint{transaction: tx, name: fmt.Sprintf("part_%d", tx.savepoints), sentBefore: tx.sent, queuedBefore: tx.queued.Len()}
	tx.queued.Queue(`SAVEPOINT ` + inner.name)
	return inner, nil
}

func (tx *transaction) Conn() *pgx.Conn { return tx.conn.Conn() }

func (tx *transaction) CopyFrom(context.Context, pgx.Identifier, []string, pgx.CopyFromSource) (int64, error) {
	return 0, errUnsupported
}

func (tx *transaction) LargeObjects() pgx.LargeObjects { panic(errUnsupported) }

func (tx *transaction) Prepare(context.Context, string, string) (*pgconn.StatementDescription, error) {
	return nil, errUnsupported
}

// savepoint is a part of a transaction that can be rolled back alone.
type savepoint struct {
	*transaction
	name                     string
	sentBefore, queuedBefore int
	ended                    bool
}

func (s *savepoint) Commit(context.Context) error {
	if s.ended {
		return pgx.ErrTxClosed
	}
	s.ended = true
	s.queued.Queue(`RELEASE SAVEPOINT ` + s.name)
	return nil
}

func (s *savepoint) Rollback(ctx context.Context) error {
	if s.ended {
		return pgx.ErrTxClosed
	}
	s.ended = true
	if s.sent == s.sentBefore { // it was never begun
		s.queued.QueuedQueries = s.queued.QueuedQueries[:s.queuedBefore]
		return nil
	}
	s.queued = pgx.Batch{}
	_, err := s.transaction.Exec(ctx, `ROLLBACK TO SAVEPOINT `+s.name)
	return err
}

// SendAll sends a batch of a transaction; an error says which statement failed.
func SendAll(ctx context.Context, tx pgx.Tx, batch *pgx.Batch) error {
	results := tx.SendBatch(ctx, batch)
	for _, query := range batch.QueuedQueries {
		var err error
		if query.Fn != nil {
			err = query.Fn(results)
		} else {
			_, err = results.Exec()
		}
		if err != nil {
			_ = results.Close() // the first error says more
			words := strings.Fields(query.SQL)
			return fmt.Errorf("%s: %w", strings.Join(words[:min(3, len(words))], " "), err)
		}
	}
	return results.Close()
}
