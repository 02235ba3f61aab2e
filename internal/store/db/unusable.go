package db

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// unusable reports an error after which a connection must not be used again: its server cannot be
// written, shuts down, or has a broken disk. Callers cannot provoke the first error, because none
// of our read-only transactions contains a write.
func unusable(err *pgconn.PgError) bool {
	switch err.Code {
	case codeReadOnly, codeAdminShutdown, codeCrashShutdown, codeCannotConnectNow:
		return true
	}
	return strings.HasPrefix(err.Code, classSystemError)
}

// replaceEvery limits how often pools replace their connections. So a database that stays read-only
// does not cost every read a new connection.
const replaceEvery = 5 * time.Second

// errReplaced ends the use of a connection that is not in a pool.
var errReplaced = errors.New("the server of this connection can no longer be written")

// replacer closes connections to a server that has become unusable. Connections to a read-only
// server look healthy, so the first refused write replaces all of them. The next request connects
// again, and finds the server that can be written.
type replacer struct {
	mu       sync.Mutex
	pools    []*pgxpool.Pool
	replaced time.Time
	next     chan struct{} // closed by the next replacement
}

// watch makes the replacer check every error of the connections of a configuration.
func (r *replacer) watch(config *pgconn.Config) {
	before := config.OnPgError
	config.OnPgError = func(conn *pgconn.PgConn, err *pgconn.PgError) bool {
		if err.Code == codeReadOnly {
			r.replace()
		}
		keep := before == nil || before(conn, err)
		return keep && !unusable(err)
	}
}

// add adds a pool. The connections of all added pools are replaced together.
func (r *replacer) add(pool *pgxpool.Pool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pools = append(r.pools, pool)
}

// replace closes idle connections now, and the others when they return to the pool.
func (r *replacer) replace() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.replaced.IsZero() && time.Since(r.replaced) < replaceEvery {
		return
	}
	r.replaced = time.Now()
	for _, pool := range r.pools {
		pool.Reset()
	}
	if r.next != nil {
		close(r.next)
		r.next = nil
	}
}

// replacement returns a channel that is closed at the next replacement.
func (r *replacer) replacement() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next == nil {
		r.next = make(chan struct{})
	}
	return r.next
}

// Beside returns a context for a connection that is not in a pool. The context ends when a pool
// would replace the connection: at the end of its life, and when its server can no longer be
// written. Replaced reports that reason.
func (d *DB) Beside(ctx context.Context) (_ context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	replacement, life := d.replacer.replacement(), time.AfterFunc(d.Pool.Config().MaxConnLifetime, func() { cancel(errReplaced) })
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-replacement:
			cancel(errReplaced)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		life.Stop()
		cancel(nil)
		<-ended
	}
}

// Replaced reports whether a context of Beside has ended because its connection must be replaced.
func Replaced(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errReplaced) }
