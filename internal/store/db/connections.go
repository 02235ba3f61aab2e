package db

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"requisite/internal/domain"
	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
)

// Connections limits the connections of a store: how many it opens, how many of them one
// organization may use, and for how long.
type Connections struct {
	// Max is the size of the pool; 20 when zero.
	Max int32
	// Each is how many connections one organization may use at once, for all purposes together.
	// Zero is no limit.
	Each int
	// Apart is the size of a separate pool for authentication and Ping, so that
	// tenants cannot exhaust it. Zero uses the main pool.
	Apart int32
	// Statement, Lock and IdleTransaction are timeouts that the server enforces on every
	// connection, even when the client is gone: of one statement, of one wait for a lock, and of a
	// transaction in which nothing happens.
	Statement, Lock, IdleTransaction time.Duration
	// Connect is the timeout of opening one connection. Zero takes connect_timeout of the URL, or 5 seconds.
	Connect time.Duration
	// Life is the longest use of a connection, so that a pool moves to another server after a
	// failover. Idle is how long an unused connection is kept.
	Life, Idle time.Duration
	// Role is the role that each session sets. If it is empty, sessions keep the role that
	// connects.
	Role string
}

// The defaults: opening a connection fails early enough to try again within a step, a pool moves to
// another server within half an hour of a failover behind one name, and unused connections are
// closed.
const (
	defaultMax     = 20
	DefaultTimeout = 15 * time.Second
	defaultConnect = 5 * time.Second
	defaultLife    = 30 * time.Minute
	defaultIdle    = 5 * time.Minute
)

// orDefault fills in the defaults, except for Each and Apart. A wait for a lock ends long before
// its statement would, so that the error says which of the two timed out.
func (c Connections) orDefault() Connections {
	c.Max = cmp.Or(c.Max, defaultMax)
	c.Statement = cmp.Or(c.Statement, DefaultTimeout)
	c.Lock, c.IdleTransaction = cmp.Or(c.Lock, c.Statement/3), cmp.Or(c.IdleTransaction, c.Statement)
	c.Connect, c.Life, c.Idle = cmp.Or(c.Connect, defaultConnect), cmp.Or(c.Life, defaultLife), cmp.Or(c.Idle, defaultIdle)
	return c
}

// configure applies the connections' settings to the configuration of a pool.
func (c Connections) configure(config *pgxpool.Config) {
	config.MaxConns = c.Max
	config.MaxConnLifetime = c.Life
	config.MaxConnLifetimeJitter = c.Life / 6 // so that they do not all end at once
	config.MaxConnIdleTime = c.Idle
	config.HealthCheckPeriod = min(30*time.Second, c.Life, c.Idle)
	config.ConnConfig.ConnectTimeout = c.Connect
	config.ConnConfig.AfterConnect = c.beginSession() // this also applies to connections beside the pool
}

// unnamedConnections is how many connections are reserved for work that names no tenant,
// such as sending webhooks.
const unnamedConnections = 2

// borrowMargin is added to the timeout of a statement. A tenant that uses its whole share waits
// that long for another connection.
const borrowMargin = 5 * time.Second

// newTenants limits how many connections each organization uses.
func newTenants(c Connections) *limiter.Limiter {
	if c.Each == 0 {
		return nil
	}
	return limiter.New(refusal.LimitDatabaseConnections, max(1, int(c.Max)-unnamedConnections), c.Each)
}

// Shared is how organizations share the connections. It is nil if their use is not limited.
func (d *DB) Shared() *limiter.Limiter { return d.tenants }

// borrow waits until the organization may use one more connection. A caller that has a connection
// must not borrow another: two such callers could wait for each other forever.
func (d *DB) borrow(ctx context.Context, scope domain.Scope) (giveBack func(), err error) {
	if d.tenants == nil {
		return func() {}, nil
	}
	within, cancel := context.WithTimeoutCause(ctx, d.patience, limiter.ErrBusy)
	defer cancel()
	giveBack, err = d.tenants.Wait(within, scope.OrganizationID.String(), limiter.Forever)
	if err != nil {
		return nil, fmt.Errorf("wait for a connection: %w", err)
	}
	return giveBack, nil
}

// borrowed runs a transaction of an organization within its share.
func (d *DB) borrowed(ctx context.Context, scope domain.Scope, mode string, fn func(pgx.Tx) error) error {
	giveBack, err := d.borrow(ctx, scope)
	if err != nil {
		return err
	}
	defer giveBack()
	return inTransaction(ctx, d.Pool, setting{scope: scope}.begin("BEGIN "+mode), fn)
}

// lentBatch gives back the organization's slot together with the connection.
type lentBatch struct {
	pgx.BatchResults
	giveBack func()
}

func (b lentBatch) Close() error {
	defer b.giveBack()
	return b.BatchResults.Close()
}

// noBatch is the result of a batch that got no connection.
type noBatch struct {
	pgx.BatchResults
	err error
}

func (b noBatch) Exec() (pgconn.CommandTag, error) { return pgconn.CommandTag{}, b.err }
func (b noBatch) Query() (pgx.Rows, error)         { return failedRows{err: b.err}, b.err }
func (b noBatch) QueryRow() pgx.Row                { return failedRow{b.err} }
func (b noBatch) Close() error                     { return b.err }

// openApart opens the separate pool, with the settings of the main one.
func openApart(ctx context.Context, config *pgxpool.Config, size int32) (*Pool, error) {
	config = config.Copy()
	config.MaxConns = size
	if name := config.ConnConfig.RuntimeParams["application_name"]; name != "" {
		config.ConnConfig.RuntimeParams["application_name"] = name + "-apart"
	}
	return newPool(ctx, config)
}
