package db_test

import (
	"context"
	"errors"
	"testing"

	"requisite/internal/store/db"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// TestTransaction_FailureKeepsNothing: nothing of them is kept, whatever is
// made of the error, and the one connection is as new.
func TestTransaction_FailureKeepsNothing(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	config, err := pgxpool.ParseConfig(server.Database(t))
	require.NoError(t, err)
	config.MaxConns = 1
	pool, err := pgxpool.NewWithConfig(ctx, config)
	require.NoError(t, err)
	defer pool.Close()
	require.NoError(t, only(pool.Exec(ctx, `CREATE TABLE kept (n int PRIMARY KEY)`)))
	begin := func(b *pgx.Batch) {
		b.Queue(`BEGIN`)
		b.Queue(`SELECT set_config('requisite.organization', 'set', true)`)
	}
	in := func(fn func(tx pgx.Tx) error) error { return db.InTransaction(ctx, pool, begin, fn) }
	kept := func() (n int) {
		require.NoError(t, pool.QueryRow(ctx, `SELECT count(*) FROM kept`).Scan(&n))
		return n
	}
	const insert = `INSERT INTO kept VALUES ($1)`
	objection := errors.New("it objects")

	require.NoError(t, in(func(pgx.Tx) error { return nil }))
	require.NoError(t, in(func(tx pgx.Tx) error {
		var setting string
		require.NoError(t, tx.QueryRow(ctx, `SELECT current_setting('requisite.organization')`).Scan(&setting))
		require.Equal(t, "set", setting, "what begins it goes first")
		return db.Queue(ctx, tx, nil, insert, 1)
	}))
	require.Equal(t, 1, kept(), "what is queued goes with the commit")

	for what, fn := range map[string]func(tx pgx.Tx) error{
		"the first statement cannot be prepared": func(tx pgx.Tx) error {
			require.Error(t, only(tx.Exec(ctx, `SELECT FROM nowhere`)))
			require.Error(t, only(tx.Exec(ctx, insert, 2)), "it was never begun")
			return nil // as if nothing had happened
		},
		"a statement behind a queued one cannot be prepared": func(tx pgx.Tx) error {
			require.NoError(t, only(tx.Exec(ctx, insert, 2)))
			require.NoError(t, db.Queue(ctx, tx, nil, insert, 3))
			require.Error(t, only(tx.Exec(ctx, `SELECT FROM nowhere`)))
			return nil
		},
		"a queued statement fails": func(tx pgx.Tx) error { return db.Queue(ctx, tx, nil, insert, 1) },
		"a check objects at the commit": func(tx pgx.Tx) error {
			require.NoError(t, db.Queue(ctx, tx, func(pgconn.CommandTag) error { return objection }, insert, 2))
			return db.Queue(ctx, tx, nil, insert, 3)
		},
		"fn fails before anything is sent": func(tx pgx.Tx) error {
			require.NoError(t, db.Queue(ctx, tx, nil, insert, 2))
			return objection
		},
		"fn fails afterwards": func(tx pgx.Tx) error {
			require.NoError(t, only(tx.Exec(ctx, insert, 2)))
			return objection
		},
		"the caller goes": func(tx pgx.Tx) error {
			require.NoError(t, only(tx.Exec(ctx, insert, 2)))
			gone, cancel := context.WithCancel(ctx)
			cancel()
			_, err = tx.Exec(gone, insert, 3)
			return err
		},
	} {
		require.Error(t, in(fn), what)
		require.Equal(t, 1, kept(), what)
	}
	require.Panics(t, func() { _ = in(func(tx pgx.Tx) error { _, _ = tx.Exec(ctx, insert, 2); panic("x") }) })
	require.Equal(t, 1, kept())

	// A part is undone alone, whether or not its beginning has been sent.
	for _, statement := range []string{``, `SELECT 1`} {
		require.NoError(t, in(func(tx pgx.Tx) error {
			err := pgx.BeginFunc(ctx, tx, func(part pgx.Tx) error {
				require.NoError(t, db.Queue(ctx, part, nil, insert, 4))
				if statement != "" {
					require.NoError(t, only(part.Exec(ctx, statement)))
				}
				return objection
			})
			require.ErrorIs(t, err, objection)
			return pgx.BeginFunc(ctx, tx, func(part pgx.Tx) error { return db.Queue(ctx, part, nil, insert+` ON CONFLICT DO NOTHING`, 5) })
		}))
	}
	require.Equal(t, 2, kept())
}

// TestSendAll_ReturnsTheErrorOfALostConnection: nobody recovers a panic there.
func TestSendAll_ReturnsTheErrorOfALostConnection(t *testing.T) {
	away := errors.New("the connection is lost")
	require.ErrorIs(t, db.SendInBroken(t.Context(), away), away)
}
