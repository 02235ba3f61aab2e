// Package db connects to Postgres and runs statements there: the settings of
// connections, the share of them that each tenant may use, transactions and the scope
// that they name, and what errors mean. It knows no table.
package db

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/limiter"
)

// DB is a pool of connections to one database. The statements of the pool itself name
// no tenant. It is safe for concurrent use.
type DB struct {
	*Pool
	connections Connections
	apart       *Pool            // for authentication and Ping; Pool, when there is no other
	tenants     *limiter.Limiter // limits connections by organization; nil is no limit
	replacer    *replacer
	patience    time.Duration    // with waiting for a connection of a tenant's share
	now         func() time.Time // nil for the real clock
}

// Options configure a DB; the zero value is suitable for production.
type Options struct {
	Connections Connections
	// ApplicationName is how the connections show in pg_stat_activity.
	ApplicationName string
	// Now is the clock; the real ones when nil.
	Now func() time.Time
	// Tracer traces every statement; nil traces none.
	Tracer pgx.QueryTracer
}

// Open connects to the database and checks that it answers.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
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

// Close waits for connections in use and closes all.
func (d *DB) Close() {
	d.Pool.Close()
	if d.apart != d.Pool {
		d.apart.Close()
	}
}

// Ping reports whether the database answers. It needs none of the connections
// that tenants hold.
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

// InPlannedTx is InTx with each statement planned once a connection, for all arguments,
// and always by index. It is for statements that touch a bounded number of
// rows of tables of any size. Planning a claim each time took three times as long
// as running it, and a plan made while a table is small would scan it when it has
// grown.
func (d *DB) InPlannedTx(ctx context.Context, fn func(pgx.Tx) error) error {
	return inTransaction(ctx, d.Pool, beginPlanned(), fn)
}

func beginPlanned() *pgx.Batch {
	b := batchOf(`BEGIN`)
	b.Queue(planned)
	return b
}

// PlannedBatch runs a batch in one transaction, planned as in InPlannedTx, with one round
// trip. The statements read their own results.
func (d *DB) PlannedBatch(ctx context.Context, b *pgx.Batch) error {
	whole := batchOf(planned)
	whole.QueuedQueries = append(whole.QueuedQueries, b.QueuedQueries...)
	return d.SendBatch(ctx, whole).Close()
}

// briefWait is how long transactions of InBriefTx and WaitBriefly wait for a lock.
const briefWait = 100 * time.Millisecond

// InBriefTx is InPlannedTx that waits only briefly for a lock, and is then Busy: for
// work that serves all tenants, which no tenant's locks may delay.
func (d *DB) InBriefTx(ctx context.Context, fn func(pgx.Tx) error) error {
	begin := beginPlanned()
	queueBriefWait(begin)
	return inTransaction(ctx, d.Pool, begin, fn)
}

// WaitBriefly makes the rest of a transaction wait only briefly for a lock, and be Busy then. It is
// for work that serves all tenants under the scope of one.
func WaitBriefly(ctx context.Context, tx pgx.Tx) error {
	b := &pgx.Batch{}
	queueBriefWait(b)
	return SendAll(ctx, tx, b)
}

func queueBriefWait(b *pgx.Batch) {
	b.Queue(`SELECT set_config('lock_timeout', $1, true)`, strconv.FormatInt(briefWait.Milliseconds(), 10))
}
