package db_test

import (
	"context"
	"errors"
	"testing"

	"requisite/internal/store/db"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// TestTransaction_FailureKeepsNothing: nothing is written, however the caller handles the error, and
// the one connection can be used again.
func TestTransaction_FailureKeepsNothing(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	config, err := pgxpool.ParseConfig(server.Database(t))
	require.NoError(t, err)
	config.MaxConns = 1
	pool, err := pgxpool.NewWithConfig(ctx, config)
	require.NoError(t, err)
	defer pool.Close()
	require.NoError(t, only(pool.Exec(ctx, `CREATE TABLE kept (n int PRIMARY KEY, CHECK (n < 100), other int REFERENCES kept DEFERRABLE INITIALLY DEFERRED)`)))
	in := func(fn func(tx pgx.Tx) error) error {
		begin := &pgx.Batch{}
		begin.Queue(`BEGIN`)
		begin.Queue(`SELECT set_config('requisite.organization', 'set', true)`)
		return db.InTransaction(ctx, pool, begin, fn)
	}
	kept := func() (n int) {
		require.NoError(t, pool.QueryRow(ctx, `SELECT count(*) FROM kept`).Scan(&n))
		return n
	}
	const insert = `INSERT INTO kept VALUES ($1)`
	last := func(sql string, args ...any) *pgx.Batch {
		b := &pgx.Batch{}
		b.Queue(insert, 50)
		b.Queue(sql, args...)
		return b
	}
	objection := errors.New("it objects")

	require.NoError(t, in(func(pgx.Tx) error { return nil }))
	require.NoError(t, in(func(tx pgx.Tx) error {
		var setting string
		require.NoError(t, tx.QueryRow(ctx, `SELECT current_setting('requisite.organization')`).Scan(&setting))
		require.Equal(t, "set", setting, "what begins it goes first")
		return only(tx.Exec(ctx, insert, 1))
	}))
	require.Equal(t, 1, kept())

	for what, fn := range map[string]func(tx pgx.Tx) error{
		"the first statement cannot be prepared": func(tx pgx.Tx) error {
			require.Error(t, only(tx.Exec(ctx, `SELECT FROM nowhere`)))
			require.Error(t, only(tx.Exec(ctx, insert, 2)), "it was never begun")
			return nil // as if nothing had happened
		},
		"the first statement fails": func(tx pgx.Tx) error { return only(tx.Exec(ctx, insert, 100)) },
		"a later statement cannot be prepared": func(tx pgx.Tx) error {
			require.NoError(t, only(tx.Exec(ctx, insert, 2)))
			require.Error(t, only(tx.Exec(ctx, `SELECT FROM nowhere`)))
			return nil
		},
		"a later statement fails, with more to commit": func(tx pgx.Tx) error {
			require.NoError(t, only(tx.Exec(ctx, insert, 2)))
			require.Error(t, only(tx.Exec(ctx, insert, 1)))
			return db.CommitWith(ctx, tx, &pgx.Batch{})
		},
		"one of the last statements cannot be prepared": func(tx pgx.Tx) error {
			require.NoError(t, only(tx.Exec(ctx, insert, 2)))
			err := db.CommitWith(ctx, tx, last(`SELECT FROM nowhere`))
			require.ErrorContains(t, err, "SELECT FROM nowhere: ")
			return err
		},
		"one of the last statements fails": func(tx pgx.Tx) error {
			require.NoError(t, only(tx.Exec(ctx, insert, 2)))
			err := db.CommitWith(ctx, tx, last(insert, 1))
			require.ErrorContains(t, err, "INSERT INTO kept: ")
			return err
		},
		"the commit fails": func(tx pgx.Tx) error { return db.CommitWith(ctx, tx, last(`INSERT INTO kept VALUES (51, 52)`)) },
		"the commit fails, and fn goes on": func(tx pgx.Tx) error {
			require.Error(t, db.CommitWith(ctx, tx, last(`INSERT INTO kept VALUES (51, 52)`)))
			require.Error(t, only(tx.Exec(ctx, insert, 2)), "nothing is sent outside of the transaction")
			return nil // as if nothing had happened
		},
		"fn fails before anything is sent": func(tx pgx.Tx) error { return objection },
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

	require.NoError(t, in(func(tx pgx.Tx) error { return db.CommitWith(ctx, tx, last(insert, 2)) }), "all of it is sent at once")
	require.Equal(t, 3, kept())
	require.NoError(t, in(func(tx pgx.Tx) error {
		require.NoError(t, db.CommitWith(ctx, tx, &pgx.Batch{}))
		require.ErrorIs(t, only(tx.Exec(ctx, insert, 3)), pgx.ErrTxClosed)
		return nil
	}))
	require.Equal(t, 3, kept(), "nothing is written outside of a transaction")
	require.EqualValues(t, 1, pool.Stat().NewConnsCount(), "no transaction cost the connection")
}

// TestSendAll_ReturnsTheErrorOfALostConnection: nobody recovers a panic there.
func TestSendAll_ReturnsTheErrorOfALostConnection(t *testing.T) {
	away := errors.New("the connection is lost")
	require.ErrorIs(t, db.SendInBroken(t.Context(), away), away)
}
