package db_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/testkit/await"
)

// limitable is the URL of a database and a role of the test's own, which a statement limits later.
func limitable(t *testing.T, statement string) (url string, limit func()) {
	admin := server.Database(t)
	role := administer(t, admin).Config().Database + "_limited"
	administer(t, admin, `CREATE ROLE `+role+` LOGIN PASSWORD 'of-the-tests' IN ROLE requisite_serving`)
	return pgtest.As(admin, role), func() { administer(t, admin, strings.ReplaceAll(statement, "ROLE ROLE", "ROLE "+role)) }
}

// calls are the ways to a connection.
func calls(d *db.DB) map[string]func(context.Context) error {
	in := func(tx pgx.Tx) error { return only(tx.Exec(context.Background(), `SELECT`)) }
	batch := func() *pgx.Batch {
		b := &pgx.Batch{}
		b.Queue(`SELECT`)
		return b
	}
	return map[string]func(context.Context) error{
		"Exec":           func(ctx context.Context) error { return only(d.Exec(ctx, `SELECT`)) },
		"Query":          func(ctx context.Context) error { return only(db.Column[int](ctx, d, `SELECT 1`)) },
		"QueryRow":       func(ctx context.Context) error { return d.QueryRow(ctx, `SELECT 1`).Scan(new(int)) },
		"SendBatch":      func(ctx context.Context) error { return d.SendBatch(ctx, batch()).Close() },
		"InTx":           func(ctx context.Context) error { return d.InTx(ctx, in) },
		"InScope":        func(ctx context.Context) error { return d.InScope(ctx, domain.Scope{}, in) },
		"Scoped":         func(ctx context.Context) error { return only(d.Scoped(domain.Scope{}).Exec(ctx, `SELECT`)) },
		"Authenticating": func(ctx context.Context) error { return only(d.Authenticating("").Exec(ctx, `SELECT`)) },
		"Ping":           d.Ping,
	}
}

// TestPool_WaitsForAConnectionWhenTheServerGrantsNoMore: no call fails, of a pool that has connections and of one that has none.
func TestPool_WaitsForAConnectionWhenTheServerGrantsNoMore(t *testing.T) {
	t.Parallel()
	for _, limit := range []string{`ALTER ROLE ROLE CONNECTION LIMIT 2`, `ALTER DATABASE THIS CONNECTION LIMIT 2`} {
		for _, apart := range []int32{0, 4} {
			t.Run(fmt.Sprintf("%.10s, %d", limit, apart), func(t *testing.T) {
				url, limit := limitable(t, limit)
				d, err := db.Open(t.Context(), url, db.Options{Connections: db.Connections{Max: 10, Apart: apart}})
				require.NoError(t, err)
				defer d.Close()
				callsWait(t, d, limit)
			})
		}
	}
}

// callsWait holds two connections, limits the server to them, and calls in every way.
func callsWait(t *testing.T, d *db.DB, limit func()) {
	t.Helper()
	const all = 20
	d.ResetApart()
	release, before := d.Hold(t, 2), d.Waits()
	defer release()
	limit()
	ended, ways := make(chan error, all), calls(d)
	names := slices.Sorted(maps.Keys(ways))
	for i := range all {
		name := names[i%len(names)]
		go func() {
			if err := ways[name](t.Context()); err != nil {
				ended <- fmt.Errorf("%s: %w", name, err)
				return
			}
			ended <- nil
		}()
	}
	await.True(t, "all calls to wait", func(context.Context) error {
		if len(ended) > 0 {
			t.Fatal(<-ended)
		}
		if n := d.Waits() - before; n < all {
			return fmt.Errorf("%d wait", n)
		}
		return nil
	})
	left, leave := context.WithCancel(t.Context())
	leave()
	require.ErrorIs(t, ways["InTx"](left), context.Canceled)
	release()
	for range all {
		require.NoError(t, await.Next(t, "the end of a call", ended))
	}
}

// A process that has no connection does not wait for those of others.
func TestPool_FailsWithoutAnyConnection(t *testing.T) {
	t.Parallel()
	url, limit := limitable(t, `ALTER ROLE ROLE CONNECTION LIMIT 2`)
	other, err := db.Open(t.Context(), url, db.Options{})
	require.NoError(t, err)
	defer other.Close()
	defer other.Hold(t, 2)()
	limit()
	_, err = db.Open(t.Context(), url, db.Options{Connections: db.Connections{Apart: 4}})
	require.ErrorContains(t, err, "SQLSTATE 53300")
	require.True(t, db.Unreachable(err))
}
