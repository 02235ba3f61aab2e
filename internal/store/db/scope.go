package db

import (
	"context"
	"io"

	"requisite/internal/domain"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Row-level security is the second barrier between tenants: whatever the query, a transaction sees
// only the rows of one scope. The transaction names the scope in settings that end with it. They
// are sent with its first statement, so they cost no round trip.

// setting is the scope that a transaction names.
type setting struct {
	scope  domain.Scope
	apiKey string // of the request to authenticate
}

const set = `SELECT set_config('requisite.organization', $1, true), set_config('requisite.environment', $2, true), set_config('requisite.api_key', $3, true)`

// begin returns the statements that begin a transaction with the setting.
func (s setting) begin(begin string) *pgx.Batch {
	b := batchOf(begin)
	s.queue(b)
	return b
}

func (s setting) queue(b *pgx.Batch) {
	organization := ""
	if s.scope != (domain.Scope{}) {
		organization = s.scope.OrganizationID.String()
	}
	b.Queue(set, organization, string(s.scope.Environment), s.apiKey)
}

// InScope runs fn in one READ COMMITTED transaction that sees only one scope's rows. An error rolls
// it back.
func (d *DB) InScope(ctx context.Context, scope domain.Scope, fn func(pgx.Tx) error) error {
	return d.borrowed(ctx, scope, "", fn)
}

// InSnapshot is InScope in one read-only database snapshot.
func (d *DB) InSnapshot(ctx context.Context, scope domain.Scope, fn func(pgx.Tx) error) error {
	return d.borrowed(ctx, scope, "ISOLATION LEVEL REPEATABLE READ READ ONLY", fn)
}

// Scoped returns a Querier that runs each statement on its own and sees one scope's rows.
func (d *DB) Scoped(scope domain.Scope) Querier {
	return single{d.Pool, setting{scope: scope}, func(ctx context.Context) (func(), error) { return d.borrow(ctx, scope) }}
}

// Authenticating returns a Querier that runs each statement on its own and sees one credential.
func (d *DB) Authenticating(apiKey string) Querier {
	return single{d.apart, setting{apiKey: apiKey}, unlimited}
}

// ForAPIKey is Authenticating on the main pool.
func (d *DB) ForAPIKey(apiKey string) Querier {
	return single{d.Pool, setting{apiKey: apiKey}, unlimited}
}

// unlimited is the borrow function of statements that no tenant's share limits.
func unlimited(context.Context) (giveBack func(), err error) { return func() {}, nil }

// single sends each statement in a batch after its setting. The batch is one transaction and one
// round trip.
type single struct {
	pool    *Pool
	setting setting
	borrow  func(context.Context) (giveBack func(), err error)
}

// SendBatch sends several statements in one transaction.
func (q single) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	giveBack, err := q.borrow(ctx)
	if err != nil {
		return noBatch{err: err}
	}
	first := &pgx.Batch{}
	q.setting.queue(first)
	results, err := sendBehind(ctx, q.pool, first, b)
	if err != nil {
		giveBack()
		return noBatch{err: err}
	}
	return lentBatch{results, giveBack}
}

type failedRow struct{ err error }

func (f failedRow) Scan(...any) error { return f.err }

// failedRows are the rows of a query that failed. pgx also reads and closes such rows.
type failedRows struct {
	pgx.Rows
	err error
}

func (f failedRows) Close()            {}
func (f failedRows) Err() error        { return f.err }
func (f failedRows) Next() bool        { return false }
func (f failedRows) Scan(...any) error { return f.err }

func (q single) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return execOne(q.SendBatch(ctx, batchOf(sql, args...)))
}

func (q single) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return queryOne(q.SendBatch(ctx, batchOf(sql, args...)))
}

func (q single) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return rowOf(q.Query(ctx, sql, args...))
}

// batchOf is a batch of one statement. execOne and queryOne read its result, and rowOf its first
// row.
func batchOf(sql string, args ...any) *pgx.Batch {
	b := &pgx.Batch{}
	b.Queue(sql, args...)
	return b
}

func execOne(results pgx.BatchResults) (pgconn.CommandTag, error) {
	tag, err := results.Exec()
	if closed := results.Close(); err == nil {
		err = closed // of the commit
	}
	return tag, err
}

func queryOne(results pgx.BatchResults) (pgx.Rows, error) {
	rows, err := results.Query()
	if err != nil {
		_ = results.Close() // the first error is more useful
		return nil, err
	}
	return &singleRows{Rows: rows, results: results}, nil
}

func rowOf(rows pgx.Rows, err error) pgx.Row {
	if err != nil {
		return failedRow{err}
	}
	return singleRow{rows}
}

// singleRows release the connection when they are closed, as the rows of a pool do.
type singleRows struct {
	pgx.Rows
	results io.Closer
	closed  bool
	err     error // of the end of the batch
}

func (r *singleRows) Next() bool {
	if r.Rows.Next() {
		return true
	}
	r.Close()
	return false
}

func (r *singleRows) Close() {
	r.Rows.Close()
	if !r.closed {
		r.closed = true
		r.err = r.results.Close()
	}
}

func (r *singleRows) Err() error {
	if err := r.Rows.Err(); err != nil {
		return err
	}
	return r.err
}

type singleRow struct{ rows pgx.Rows }

func (r singleRow) Scan(targets ...any) error {
	defer r.rows.Close()
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return pgx.ErrNoRows
	}
	if err := r.rows.Scan(targets...); err != nil {
		return err
	}
	r.rows.Close()
	return r.rows.Err()
}
