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

// Pool is a pgxpool.Pool that may want more connections than the server grants, by the limit of a role, of the database, of the
// server or of a pooler. When the server refuses one more, callers wait for one of those that exist.
type Pool struct {
	*pgxpool.Pool
	// other is a pool of the same process. While this one has no connection and gets none, callers wait there. It may be nil.
	other   *Pool
	refused atomic.Int64  // when the server last refused a connection, in Unix nanoseconds
	queue   chan struct{} // the first of those who wait is in it
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
	// refusedFor is for how long after a refusal no caller asks the server for a connection while the pool has some.
	refusedFor = 5 * time.Second
	// freeEvery is how often the first of those who wait looks for a free connection.
	freeEvery = 2 * time.Millisecond
)

// Acquire waits for a connection until ctx ends. The server's refusal is an error only if the process has no other connection.
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

// full reports that the server has refused a connection a moment ago.
func (p *Pool) full() bool { return time.Since(time.Unix(0, p.refused.Load())) < refusedFor }

// empty reports that the pool has no connection, and opens none.
func (p *Pool) empty() bool { return p.Stat().TotalConns() == 0 }

// Waits is how often work waited for a connection.
func (p *Pool) Waits() int64 { return p.Stat().EmptyAcquireCount() + p.waits.Load() }

// errNoSession is the error of a connection that was accepted and then got no session: a pooler has as many as it may have.
var errNoSession = errors.New("the server has accepted the connection, and gives it no session")

// noneMore reports that the server, or a pooler, grants no more connections.
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

// lent is a connection that is given back when the rows of its query are closed.
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
