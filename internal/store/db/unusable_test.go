package db_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/await"
)

// readOnly is a pool whose connections are all open to a database that is read-only, and
// that can be written by connections opened later.
func readOnly(t *testing.T) *db.DB {
	url := server.Database(t)
	admin := pgtest.Connect(t, url)
	var name string
	require.NoError(t, admin.QueryRow(t.Context(), `SELECT current_database()`).Scan(&name))
	require.NoError(t, only(admin.Exec(t.Context(), `ALTER DATABASE `+name+` SET default_transaction_read_only = on`)))
	conn := pgtest.Connect(t, url)
	open(t, conn, 3)
	require.NoError(t, only(admin.Exec(t.Context(), `ALTER DATABASE `+name+` RESET default_transaction_read_only`)))
	return conn
}

// open opens connections of the pool.
func open(t *testing.T, conn *db.DB, n int) {
	var held []interface{ Release() }
	for range n {
		c, err := conn.Acquire(t.Context())
		require.NoError(t, err)
		held = append(held, c)
	}
	for _, c := range held {
		c.Release()
	}
}

// change is a write, sent in one of several ways.
const change = `INSERT INTO organization (id, name) VALUES (gen_random_uuid(), gen_random_uuid()::text)`

// The first write that a read-only server refuses replaces every connection to it.
func TestReadOnlyServer_ConnectionsAreReplaced(t *testing.T) {
	t.Parallel()
	exec := func(tx pgx.Tx) error { return only(tx.Exec(context.WithoutCancel(t.Context()), change)) }
	for way, write := range map[string]func(context.Context, *db.DB) error{
		"a statement":           func(ctx context.Context, d *db.DB) error { return only(d.Exec(ctx, change)) },
		"a transaction":         func(ctx context.Context, d *db.DB) error { return d.InTx(ctx, exec) },
		"a planned transaction": func(ctx context.Context, d *db.DB) error { return d.InPlannedTx(ctx, exec) },
		"a brief transaction":   func(ctx context.Context, d *db.DB) error { return d.InBriefTx(ctx, exec) },
		"a scoped transaction":  func(ctx context.Context, d *db.DB) error { return d.InScope(ctx, domain.Scope{}, exec) },
		"a statement with the commit": func(ctx context.Context, d *db.DB) error {
			return d.InTx(ctx, func(tx pgx.Tx) error {
				last := &pgx.Batch{}
				last.Queue(change)
				return db.CommitWith(ctx, tx, last)
			})
		},
		"a scoped statement": func(ctx context.Context, d *db.DB) error { return only(d.Scoped(domain.Scope{}).Exec(ctx, change)) },
		"an authentication":  func(ctx context.Context, d *db.DB) error { return only(d.Authenticating("").Exec(ctx, change)) },
		"a returned row": func(ctx context.Context, d *db.DB) error {
			return only(db.Column[string](ctx, d.Scoped(domain.Scope{}), change+` RETURNING name`))
		},
		"a lock": func(ctx context.Context, d *db.DB) error {
			return d.InTx(ctx, func(tx pgx.Tx) error {
				var n int
				return tx.QueryRow(ctx, `SELECT count(*) FROM (SELECT FROM account FOR UPDATE) AS locked`).Scan(&n)
			})
		},
	} {
		t.Run(way, func(t *testing.T) {
			conn := readOnly(t)
			err := write(t.Context(), conn)
			require.ErrorContains(t, err, "25006")
			require.True(t, db.Unreachable(err), "the same request may succeed")
			for range 3 {
				require.NoError(t, write(t.Context(), conn), "the next request dials again")
			}
			require.Zero(t, conn.Stat().AcquiredConns())
		})
	}
}

// A read-only transaction of our own that reads keeps its connection.
func TestInSnapshot_KeepsItsConnection(t *testing.T) {
	t.Parallel()
	conn := pgtest.Connect(t, server.Database(t))
	open(t, conn, 1)
	for range 3 {
		require.NoError(t, conn.InSnapshot(t.Context(), domain.Scope{}, func(tx pgx.Tx) error { return only(tx.Exec(t.Context(), `SELECT FROM account`)) }))
	}
	require.EqualValues(t, 1, conn.Stat().NewConnsCount())
}

// A connection whose server shuts down or has a broken disk is closed after its error, and
// one that answers an error of a statement is not.
func TestUnusableConnection_IsClosed(t *testing.T) {
	t.Parallel()
	conn := pgtest.Connect(t, server.Database(t))
	for code, closed := range map[string]bool{
		"57P01": true, "57P02": true, "57P03": true, "58000": true, "58030": true, "58P01": true,
		"57014": false, "53100": false, "23505": false, "40001": false, "55P03": false,
	} {
		t.Run(code, func(t *testing.T) {
			c, err := conn.Acquire(t.Context())
			require.NoError(t, err)
			defer c.Release()
			_, err = c.Exec(t.Context(), fmt.Sprintf(`DO $$ BEGIN RAISE SQLSTATE '%s'; END $$`, code))
			require.ErrorContains(t, err, code)
			require.Equal(t, closed, c.Conn().IsClosed())
		})
	}
}

// A connection beside the pools ends when their connections are replaced.
func TestBeside_EndsWhenConnectionsAreReplaced(t *testing.T) {
	t.Parallel()
	conn := readOnly(t)
	ctx, end := conn.Beside(t.Context())
	defer end()
	require.False(t, db.Replaced(ctx))
	require.Error(t, only(conn.Exec(t.Context(), change)))
	await.Closed(t, "the end of the connection beside the pool", ctx.Done())
	require.True(t, db.Replaced(ctx))

	short, err := db.Open(t.Context(), server.Database(t), db.Options{Connections: db.Connections{Life: time.Second}})
	require.NoError(t, err)
	t.Cleanup(short.Close)
	ctx, end = short.Beside(t.Context())
	defer end()
	await.Closed(t, "the end of its life", ctx.Done())
	require.True(t, db.Replaced(ctx))
}
