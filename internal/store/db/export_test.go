package db

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// InTransaction is inTransaction, for tests.
func InTransaction(ctx context.Context, pool *pgxpool.Pool, begin *pgx.Batch, fn func(pgx.Tx) error) error {
	return inTransaction(ctx, &Pool{Pool: pool}, begin, fn)
}

// Show is a setting of the server, as a connection of the main pool and one of the
// separate pool have it.
func (d *DB) Show(t testing.TB, setting string) []string {
	t.Helper()
	var values []string
	for _, pool := range []*Pool{d.Pool, d.apart} {
		var value string
		if err := pool.QueryRow(t.Context(), "SHOW "+setting).Scan(&value); err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
	return values
}

// OrDefault is orDefault, for tests.
func (c Connections) OrDefault() Connections { return c.orDefault() }

// Hold takes n connections of the main pool until release is called.
func (d *DB) Hold(t testing.TB, n int) (release func()) {
	t.Helper()
	var held []*pgxpool.Conn
	for range n {
		conn, err := d.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, conn)
	}
	return func() {
		for _, conn := range held {
			conn.Release()
		}
	}
}

// ResetApart closes the connections of the separate pool.
func (d *DB) ResetApart() {
	if d.apart != d.Pool {
		d.apart.Reset()
	}
}

// SendInBroken sends a batch with a query in a transaction whose beginning failed.
func SendInBroken(ctx context.Context, failed error) error {
	batch := &pgx.Batch{}
	batch.Queue(`SELECT 1`).Query(func(rows pgx.Rows) error {
		_, err := pgx.CollectRows(rows, pgx.RowTo[int])
		return err
	})
	return SendAll(ctx, &transaction{closed: failed}, batch)
}

// SessionSettings are the values of sessionSettings, as the server shows them.
func SessionSettings() map[string]string {
	values := map[string]string{}
	for _, s := range sessionSettings {
		values[s.name] = strings.Trim(s.value, `'`)
	}
	values["synchronous_commit"] = "on"
	return values
}

// OtherSession lets the pool's idle connection seem to have had another session of the
// server before.
func (d *DB) OtherSession(t testing.TB) {
	conn, err := d.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	conn.Conn().PgConn().CustomData()[sessionKey] = uint32(1)
	conn.Release()
}
