package db

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Pool is a pgxpool.Pool that may be larger than the server allows: a role, the database, the
// server or a pooler may limit connections. When the server refuses a connection, callers wait for
// an existing one.
type Pool struct {
	*pgxpool.Pool
	// other is another pool of the same process, or nil. Callers wait there while this pool has no
	// connection and gets none.
	other   *Pool
	refused atomic.Int64  // when the server last refused a connection, in Unix nanoseconds
	queue   chan struct{} // holds the first waiting caller
	waits   atomic.Int64
}

func newPool(ctx context.Context, config *pgxpool.Config) (*Pool, error) {
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	return &Pool{Pool: pool, queue: make(chan struct{}, 1)}, nil
}

const (
	// refusedFor is how long after a refusal callers do not ask the server for a connection, while
	// the pool has some.
	refusedFor = 5 * time.Second
	// freeEvery is how often the first waiting caller looks for a free connection.
	freeEvery = 2 * time.Millisecond
)

// Acquire waits for a connection until ctx ends. A refusal by the server is an error only if the
// process has no other connection.
func (p *Pool) Acquire(ctx context.Context) (*pgxpool.Conn, error) {
	if p.other == nil {
		return p.acquire(ctx)
	}
	if !p.full() || !p.empty() || p.other.empty() {
		conn, err := p.acquire(ctx)
		if !noneMore(err) || p.other.empty() {
			return conn, err
		}
	}
	return p.other.acquire(ctx)
}

func (p *Pool) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	if !p.full() {
		conn, err := p.ask(ctx)
		if !noneMore(err) || p.empty() {
			return conn, err
		}
	}
	p.waits.Add(1)
	select {
	case p.queue <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-p.queue }()
	look := time.NewTicker(freeEvery)
	defer look.Stop()
	for {
		if !p.full() || p.empty() || p.Stat().IdleConns() > 0 {
			conn, err := p.ask(ctx)
			if !noneMore(err) || p.empty() {
				return conn, err
			}
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// ask takes a free connection, or opens one.
func (p *Pool) ask(ctx context.Context) (*pgxpool.Conn, error) {
	conn, err := p.Pool.Acquire(ctx)
	if noneMore(err) {
		p.refused.Store(time.Now().UnixNano())
	}
	return conn, err
}

// full reports whether the server has just refused a connection.
func (p *Pool) full() bool { return time.Since(time.Unix(0, p.refused.Load())) < refusedFor }

// empty reports whether the pool has no connection and is not opening one.
func (p *Pool) empty() bool { return p.Stat().TotalConns() == 0 }

// Waits counts how often work waited for a connection.
func (p *Pool) Waits() int64 { return p.Stat().EmptyAcquireCount() + p.waits.Load() }

// errNoSession is the error of a connection that was accepted but got no session, because a pooler
// has reached its limit.
var errNoSession = errors.New("the server has accepted the connection, and gives it no session")

// noneMore reports whether the server, or a pooler, grants no more connections.
func noneMore(err error) bool {
	if errors.Is(err, errNoSession) {
		return true
	}
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == codeTooManyConnections || strings.HasPrefix(pg.Message, "no more connections allowed")) // PgBouncer
}

func (p *Pool) Ping(ctx context.Context) error {
	conn, err := p.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	return conn.Ping(ctx)
}

func (p *Pool) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	conn, err := p.Acquire(ctx)
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	defer conn.Release()
	return conn.Exec(ctx, sql, args...)
}

func (p *Pool) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	conn, err := p.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := conn.Query(ctx, sql, args...)
	if err != nil {
		conn.Release()
		return nil, err
	}
	return &singleRows{Rows: rows, results: lent{conn}}, nil
}

func (p *Pool) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return rowOf(p.Query(ctx, sql, args...))
}

// lent is a connection that returns to the pool when the rows of its query are closed.
type lent struct{ *pgxpool.Conn }

func (l lent) Close() error {
	l.Release()
	return nil
}

func (p *Pool) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	conn, err := p.Acquire(ctx)
	if err != nil {
		return noBatch{err: err}
	}
	return lentBatch{conn.SendBatch(ctx, b), conn.Release}
}
