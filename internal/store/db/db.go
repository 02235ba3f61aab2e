// Package db connects to Postgres and runs statements: it has the settings of connections, the
// share of them that each tenant may use, transactions and their scope, and the meaning of errors.
// It knows no table.
package db

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/limiter"
)

// DB is a pool of connections to one database. Statements on the pool itself name no tenant. A DB
// is safe for concurrent use.
type DB struct {
	*Pool
	connections Connections
	apart       *Pool            // for authentication and Ping; the same as Pool if there is no separate one
	tenants     *limiter.Limiter // limits connections by organization; nil is no limit
	replacer    *replacer
	patience    time.Duration    // how long to wait for a connection of a tenant's share
	now         func() time.Time // nil for the real clock
}

// Options configure a DB; the zero value is suitable for production.
type Options struct {
	Connections Connections
	// ApplicationName is how the connections show in pg_stat_activity.
	ApplicationName string
	// Now is the clock. If it is nil, the real clocks are used.
	Now func() time.Time
	// Tracer traces every statement. It may be nil.
	Tracer pgx.QueryTracer
}

// Open connects to the database and checks that it answers.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	config, err := parseURL(url)
	if err != nil {
		return nil, err
	}
	o.Connections.Connect = cmp.Or(o.Connections.Connect, config.ConnConfig.ConnectTimeout) // connect_timeout of the URL
	o.Connections = o.Connections.orDefault()
	o.Connections.configure(config)
	if o.ApplicationName != "" {
		config.ConnConfig.RuntimeParams["application_name"] = o.ApplicationName
	}
	config.ConnConfig.Tracer = o.Tracer
	replacer := &replacer{}
	replacer.watch(&config.ConnConfig.Config)
	pool, err := newPool(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to Postgres: %w", err)
	}
	replacer.add(pool.Pool)
	d := &DB{
		Pool: pool, connections: o.Connections, apart: pool, tenants: newTenants(o.Connections), replacer: replacer,
		patience: o.Connections.Statement + borrowMargin, now: o.Now,
	}
	if o.Connections.Apart > 0 {
		if d.apart, err = openApart(ctx, config, o.Connections.Apart); err != nil {
			pool.Close()
			return nil, fmt.Errorf("connect to Postgres: %w", err)
		}
		pool.other, d.apart.other = d.apart, pool
		replacer.add(d.apart.Pool)
	}
	if err := d.Ping(ctx); err != nil {
		d.Close()
		return nil, Advise(err)
	}
	return d, nil
}

// Close waits until the connections in use are returned, and closes all.
func (d *DB) Close() {
	d.Pool.Close()
	if d.apart != d.Pool {
		d.apart.Close()
	}
}

// Ping reports whether the database answers. It works even when tenants hold all their connections.
func (d *DB) Ping(ctx context.Context) error {
	if err := d.apart.Ping(ctx); err != nil {
		return fmt.Errorf("reach Postgres: %w", err)
	}
	return nil
}

// InTx runs fn in one READ COMMITTED transaction; an error rolls it back.
func (d *DB) InTx(ctx context.Context, fn func(pgx.Tx) error) error {
	return inTransaction(ctx, d.Pool, batchOf(`BEGIN`), fn)
}

const planned = `SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`

// InPlannedTx is InTx that plans each statement once a connection, for all arguments, and always by
// index. It is for statements that touch a bounded number of rows of tables of any size. Planning a
// claim each time took three times as long as running it. And a plan that was made while a table
// was small would scan the table when it has grown.
func (d *DB) InPlannedTx(ctx context.Context, fn func(pgx.Tx) error) error {
	return inTransaction(ctx, d.Pool, beginPlanned(), fn)
}

func beginPlanned() *pgx.Batch {
	b := batchOf(`BEGIN`)
	b.Queue(planned)
	return b
}

// PlannedBatch runs a batch in one transaction with one round trip, planned as in InPlannedTx. The
// statements read their own results.
func (d *DB) PlannedBatch(ctx context.Context, b *pgx.Batch) error {
	whole := batchOf(planned)
	whole.QueuedQueries = append(whole.QueuedQueries, b.QueuedQueries...)
	return d.SendBatch(ctx, whole).Close()
}

// briefWait is how long transactions wait for a lock in InBriefTx and after WaitBriefly.
const briefWait = 100 * time.Millisecond

// InBriefTx is InPlannedTx that waits only briefly for a lock; then its error is Busy. It is for
// work that serves all tenants, which no tenant's locks may delay.
func (d *DB) InBriefTx(ctx context.Context, fn func(pgx.Tx) error) error {
	begin := beginPlanned()
	queueBriefWait(begin)
	return inTransaction(ctx, d.Pool, begin, fn)
}

// WaitBriefly makes the rest of a transaction wait only briefly for a lock; then the error is Busy.
// It is for work that serves all tenants in the scope of one.
func WaitBriefly(ctx context.Context, tx pgx.Tx) error {
	b := &pgx.Batch{}
	queueBriefWait(b)
	return SendAll(ctx, tx, b)
}

func queueBriefWait(b *pgx.Batch) {
	b.Queue(`SELECT set_config('lock_timeout', $1, true)`, strconv.FormatInt(briefWait.Milliseconds(), 10))
}
