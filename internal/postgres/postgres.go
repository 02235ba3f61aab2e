// Package postgres stores the service's data: the pool, the migrations, and the
// queries, in one file for each aggregate. Every query that serves a caller
// takes the caller's scope, and finds nothing outside it. Invariants are
// constraints of the schema; the code here only turns their violations into
// messages.
package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"requisite/internal/limiter"
	"requisite/internal/secrets/vault"
	"requisite/internal/webhooks/delivery"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Store reads and writes everything that the service keeps. It is safe for
// concurrent use.
type Store struct {
	pool     *pgxpool.Pool
	apart    *pgxpool.Pool    // for authentication and Ping; pool, when there is no other
	tenants  *limiter.Limiter // limits connections by organization; nil is no limit
	patience time.Duration    // with waiting for a connection of a tenant's share
	vault    *vault.Vault
	now      func() time.Time // nil for the real clock
	notifier *notifier
	quotas   Quotas
	counts   counts
	nonces   nonces
	uses     uses
	settled  tally[delivery.State]
	noticed  tally[delivery.NoticeType]
	log      *slog.Logger // may be nil
}

// Options configure a Store; the zero value is suitable for production.
type Options struct {
	Connections Connections
	// ApplicationName is how the connections show in pg_stat_activity.
	ApplicationName string
	// Now is the clock for timestamps such as created_at; time.Now when nil.
	Now func() time.Time
	// Tracer traces every statement; nil traces none.
	Tracer pgx.QueryTracer
	// Quotas limit what callers add; the zero value is no limit.
	Quotas Quotas
	// Log tells operators of endpoints in trouble and of deliveries that failed; nil
	// tells nobody.
	Log *slog.Logger
}

// Open connects to the database and checks that it answers.
func Open(ctx context.Context, url string, keys *vault.Vault, o Options) (*Store, error) {
	config, err := parseURL(url)
	if err != nil {
		return nil, err
	}
	o.Connections = o.Connections.orDefault()
	o.Connections.configure(config)
	if o.ApplicationName != "" {
		config.ConnConfig.RuntimeParams["application_name"] = o.ApplicationName
	}
	config.ConnConfig.Tracer = o.Tracer
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to Postgres: %w", err)
	}
	s := &Store{pool: pool, apart: pool, tenants: newTenants(o.Connections), patience: o.Connections.Statement + borrowMargin, vault: keys, now: o.Now, quotas: o.Quotas, log: o.Log}
	if o.Connections.Apart > 0 {
		if s.apart, err = openApart(ctx, config, o.Connections.Apart); err != nil {
			pool.Close()
			return nil, fmt.Errorf("connect to Postgres: %w", err)
		}
	}
	if err := s.Ping(ctx); err != nil {
		s.closePools()
		return nil, advised(err)
	}
	s.notifier = newNotifier(pool)
	return s, nil
}

// Close waits for connections in use and closes all.
func (s *Store) Close() {
	s.uses.close()
	s.notifier.close()
	s.closePools()
}

func (s *Store) closePools() {
	s.pool.Close()
	if s.apart != s.pool {
		s.apart.Close()
	}
}

// Ping reports whether the database answers. It needs none of the connections
// that tenants hold.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.apart.Ping(ctx); err != nil {
		return fmt.Errorf("reach Postgres: %w", err)
	}
	return nil
}

// Migrate brings the schema to the newest version. Concurrent callers wait for
// each other; one that finds nothing to do changes nothing. A migration may run
// for a long time on large tables, but does not wait long for a lock, because
// other transactions queue behind it.
func (s *Store) Migrate(ctx context.Context) (applied int, err error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return 0, fmt.Errorf("migrations: %w", err)
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return 0, fmt.Errorf("migrations: %w", err)
	}
	db := stdlib.OpenDB(*s.migrating())
	defer func() { err = errors.Join(err, db.Close()) }()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithSessionLocker(locker))
	if err != nil {
		return 0, fmt.Errorf("migrations: %w", err)
	}
	results, err := provider.Up(ctx)
	if err != nil {
		return 0, fmt.Errorf("migrate the schema: %w", err)
	}
	return len(results), nil
}

// migrating is how Migrate connects: a change of a large table takes its time,
// whatever the server's own timeout is.
func (s *Store) migrating() *pgx.ConnConfig {
	config := s.pool.Config().ConnConfig.Copy()
	config.RuntimeParams["statement_timeout"] = "0"
	return config
}

// querier is a pool, a connection or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// inTx runs fn in one READ COMMITTED transaction; an error rolls it back.
func (s *Store) inTx(ctx context.Context, fn func(pgx.Tx) error) error {
	return inTransaction(ctx, s.pool, func(b *pgx.Batch) { b.Queue(`BEGIN`) }, fn)
}

// inPlannedTx is inTx with each statement planned once a connection, whatever its
// arguments are, and always by index: for statements that touch a bounded number of
// rows of tables of any size. Planning a claim each time took three times as long
// as running it, and a plan made while a table is small would scan it when it has
// grown.
func (s *Store) inPlannedTx(ctx context.Context, fn func(pgx.Tx) error) error {
	return inTransaction(ctx, s.pool, func(b *pgx.Batch) {
		b.Queue(`BEGIN`)
		b.Queue(`SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`)
	}, fn)
}

// briefWait is how long a transaction of inBriefTx waits for a lock.
const briefWait = 100 * time.Millisecond

// inBriefTx is inPlannedTx that waits only briefly for a lock, and is then Busy: for
// work that serves all tenants, which no tenant's locks may delay.
func (s *Store) inBriefTx(ctx context.Context, fn func(pgx.Tx) error) error {
	return inTransaction(ctx, s.pool, func(b *pgx.Batch) {
		b.Queue(`BEGIN`)
		b.Queue(`SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true), set_config('lock_timeout', $1, true)`,
			strconv.FormatInt(briefWait.Milliseconds(), 10))
	}, fn)
}

// instant is the current time for durations within this process: setting the clock
// does not change them.
func (s *Store) instant() time.Time {
	if s.now == nil {
		return time.Now()
	}
	return s.now()
}

// clock is the current time for timestamps of records, in the precision of the
// API.
func (s *Store) clock() time.Time { return s.instant().UTC().Truncate(time.Millisecond) }

// one reads a single row; false when there is none.
func one[T any](ctx context.Context, q querier, sql string, args ...any) (T, bool, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		var zero T
		return zero, false, err
	}
	value, err := pgx.CollectOneRow(rows, pgx.RowToStructByName[T])
	if errors.Is(err, pgx.ErrNoRows) {
		return value, false, nil
	}
	return value, err == nil, err
}

// many reads all rows; never nil.
func many[T any](ctx context.Context, q querier, sql string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	values, err := pgx.CollectRows(rows, pgx.RowToStructByName[T])
	if values == nil {
		values = []T{}
	}
	return values, err
}

// column reads all rows of one column.
func column[T any](ctx context.Context, q querier, sql string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[T])
}

// each reads the rows of a queued statement, one after the other.
func each[T any](read pgx.RowToFunc[T], take func(T)) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		list, err := pgx.CollectRows(rows, read)
		for _, value := range list {
			take(value)
		}
		return err
	}
}

// SQLSTATE codes that mean something to a caller.
const (
	codeUniqueViolation  = "23505"
	codeLockNotAvailable = "55P03"
	codeDeadlock         = "40P01"
	codeSerialization    = "40001"
	codeQueryCanceled    = "57014"
	codeReadOnly         = "25006"
)

// violates reports a broken unique constraint of the given name.
func violates(err error, constraint string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == codeUniqueViolation && pg.ConstraintName == constraint
}

func isLockTimeout(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == codeLockNotAvailable
}

// Busy reports an error that only says that another transaction was in the way. The
// same transaction may succeed a moment later.
func Busy(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == codeLockNotAvailable || pg.Code == codeDeadlock || pg.Code == codeSerialization)
}

// StatementTimedOut reports an error that may be Postgres's or the statement's own.
func StatementTimedOut(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == codeQueryCanceled
}

// Unreachable reports an error after which the same request may succeed:
// Postgres could not be reached, shut down, ran out of a resource, lost the
// connection, or timed out waiting for a lock. The request itself is fine.
// Nothing was written, unless the connection broke during a commit: repeating a
// write safely needs an idempotency key.
func Unreachable(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		if Busy(err) {
			return true
		}
		switch pg.Code[:2] { // connection, resources, operator intervention
		case "08", "53", "57":
			return true
		}
		return pg.Code == codeReadOnly // a server that is a standby, during a failover
	}
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, pgconn.ErrConnClosed) ||
		errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err)
}
