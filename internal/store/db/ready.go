package db

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"requisite/internal/domain"
)

// Lack is what the database lacks for the work of a program. Its text may be public: it names no
// address, no role and no secret.
type Lack string

func (l Lack) Error() string { return string(l) }

// The lacks that Try finds.
const (
	LackSessions Lack = "a pooler in transaction mode is in front of Postgres; use session mode or connect directly"
	LackWrites   Lack = "Postgres is read-only: it is a standby, or has been made read-only"
)

// Try does what requests do: it runs work in transactions of a scope, with prepared statements,
// twice on one connection and once on another, and rolls them back. It returns a Lack, or the error
// of the connection or of work. It uses the connections that are reserved from tenants.
func (d *DB) Try(ctx context.Context, scope domain.Scope, work func(context.Context, pgx.Tx) error) error {
	one, err := d.apart.Acquire(ctx)
	if err != nil {
		return lackOf(err)
	}
	defer one.Release()
	other, err := d.apart.Acquire(ctx)
	if err != nil {
		return lackOf(err)
	}
	defer other.Release()
	t := trial{scope, work, map[uint32]*pgxpool.Conn{}}
	if err := t.on(ctx, one, nil); err != nil {
		return lackOf(err)
	}
	// A transaction pooler gives a free session to the connection that begins next. A connection
	// that begins while the first is in use gets another session.
	return lackOf(t.on(ctx, other, func() error { return t.on(ctx, one, nil) }))
}

// TryOnce is Try with one transaction. It finds a server that cannot be reached or written.
func (d *DB) TryOnce(ctx context.Context, scope domain.Scope, work func(context.Context, pgx.Tx) error) error {
	conn, err := d.apart.Acquire(ctx)
	if err != nil {
		return lackOf(err)
	}
	defer conn.Release()
	return lackOf(trial{scope, work, map[uint32]*pgxpool.Conn{}}.on(ctx, conn, nil))
}

// trial maps the server's sessions, by process id, to the connections that used them.
type trial struct {
	scope domain.Scope
	work  func(context.Context, pgx.Tx) error
	seen  map[uint32]*pgxpool.Conn
}

// sessionKey is where a connection stores the session of its first trial.
const sessionKey = "requisite/session"

// errTried rolls back a trial.
var errTried = errors.New("this was only a trial")

// on runs one transaction, and calls inside while it is open.
func (t trial) on(ctx context.Context, conn *pgxpool.Conn, inside func() error) error {
	err := transact(ctx, conn, setting{scope: t.scope}.begin("BEGIN"), func(tx pgx.Tx) error {
		var session uint32
		if err := tx.QueryRow(ctx, `SELECT pg_backend_pid()`).Scan(&session); err != nil {
			return err
		}
		kept := conn.Conn().PgConn().CustomData()
		if kept[sessionKey] == nil {
			kept[sessionKey] = session
		}
		if owner := t.seen[session]; owner != nil && owner != conn || kept[sessionKey] != session {
			return LackSessions
		}
		t.seen[session] = conn
		if err := t.work(ctx, tx); err != nil {
			return err
		}
		if inside != nil {
			if err := inside(); err != nil {
				return err
			}
		}
		return errTried
	})
	if errors.Is(err, errTried) {
		return nil
	}
	return err
}

// lackOf returns the Lack that an error indicates, or the error.
func lackOf(err error) error {
	var pg *pgconn.PgError
	is := func(codes ...string) bool { return errors.As(err, &pg) && slices.Contains(codes, pg.Code) }
	switch {
	case is(codeReadOnly), errors.Is(err, pgconn.ErrReadOnlyConnection):
		return fmt.Errorf("%w: %w", LackWrites, err)
	case is(codeNoSuchPrepared, codePreparedTwice):
		return fmt.Errorf("%w: %w", LackSessions, err)
	}
	return err
}
