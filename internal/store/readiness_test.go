package store_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/store/schema"
)

// readyAs opens the store of a program on a database of its own.
func readyAs(t *testing.T, p schema.Program) (serving *store.Store, superuser *db.DB) {
	t.Parallel()
	url := server.Database(t)
	role := map[schema.Program]string{schema.API: pgtest.API, schema.Worker: pgtest.Worker}[p]
	return server.Open(t, pgtest.As(url, role), nil, store.Options{Connections: db.Connections{Apart: 4}}), pgtest.Connect(t, url)
}

var programs = []schema.Program{schema.API, schema.Worker}

// Each kind of right is revoked from each program's role, which a running program notices,
// and notices when it is back.
func TestReady_NamesMissingRights(t *testing.T) {
	t.Parallel()
	for _, program := range programs {
		t.Run(string(program), func(t *testing.T) {
			serving, superuser := readyAs(t, program)
			require.NoError(t, serving.Database.Ready(t.Context(), program))
			role := "requisite_" + string(program)
			owner := server.Open(t, pgtest.As(superuser.Config().ConnString(), pgtest.Owner), nil, store.Options{})
			grant := owner.Database.Schema().GrantAPI
			revoked := map[string]string{
				`REVOKE INSERT ON business FROM ` + role:                  "INSERT on business",
				`REVOKE DELETE ON person FROM ` + role:                    "DELETE on person",
				`REVOKE UPDATE (legal_name) ON business FROM ` + role:     "UPDATE on business",
				`REVOKE SELECT ON pricing_model FROM ` + role:             "SELECT on pricing_model",
				`REVOKE EXECUTE ON FUNCTION emit_events FROM ` + role:     "EXECUTE on emit_events",
				`REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ` + role:  " more; run `starter migrate` with this role as --" + string(program) + "-role",
				`REVOKE USAGE ON SCHEMA public FROM PUBLIC, ` + role:      "USAGE on the schema",
				`REVOKE ALL ON credential, webhook_delivery FROM ` + role: "SELECT on webhook_delivery",
			}
			if program == schema.Worker {
				grant = owner.Database.Schema().GrantWorker
				var policy string
				require.NoError(t, superuser.QueryRow(t.Context(), `SELECT polname FROM pg_policy WHERE polname LIKE 'unnamed\_locks\_%'`).Scan(&policy))
				revoked[`DROP POLICY `+pgx.Identifier{policy}.Sanitize()+` ON account`] = "the policy unnamed_locks of account"
			}
			for statement, named := range revoked {
				require.NoError(t, only(superuser.Exec(t.Context(), statement)))
				err := serving.Database.Ready(t.Context(), program)
				var lack db.Lack
				require.ErrorAs(t, err, &lack, statement)
				require.ErrorContains(t, lack, named, statement)
				require.NotContains(t, lack, role)
				require.NoError(t, grant(t.Context(), role))
				require.NoError(t, serving.Database.Ready(t.Context(), program), statement)
			}
		})
	}
}

// A program that needs a newer schema is not ready: its requests would fail. One that is older than the schema is.
func TestReady_NoticesAnOldSchema(t *testing.T) {
	t.Parallel()
	for _, program := range programs {
		t.Run(string(program), func(t *testing.T) {
			serving, superuser := readyAs(t, program)
			var newest int
			require.NoError(t, superuser.QueryRow(t.Context(), `
				INSERT INTO goose_db_version (version_id, is_applied) SELECT max(version_id) + 1, true FROM goose_db_version RETURNING version_id - 1`).Scan(&newest))
			require.NoError(t, serving.Database.Ready(t.Context(), program))
			require.NoError(t, only(superuser.Exec(t.Context(), `DELETE FROM goose_db_version WHERE version_id >= $1`, newest)))
			want := fmt.Sprintf("the schema has version %d, and this release needs %d; run `starter migrate`", newest-1, newest)
			require.ErrorIs(t, serving.Database.Ready(t.Context(), program), db.Lack(want))
		})
	}
}

// It runs every second: a slow database must not be kept busy by it.
func TestStillReady_TakesFourRoundTrips(t *testing.T) {
	t.Parallel()
	spy := &pgtest.Spy{}
	serving := server.Open(t, pgtest.As(server.Database(t), pgtest.API), nil, store.Options{Tracer: spy})
	for range 2 {
		spy.Trips = 0
		require.NoError(t, serving.Database.StillReady(t.Context()))
		require.Equal(t, 4, spy.Trips)
	}
}

// A read-only database is noticed, and so is the end of that, without a new store.
func TestReady_NoticesAReadOnlyDatabase(t *testing.T) {
	t.Parallel()
	for _, program := range programs {
		t.Run(string(program), func(t *testing.T) {
			serving, superuser := readyAs(t, program)
			require.NoError(t, serving.Database.Ready(t.Context(), program))
			var name string
			require.NoError(t, superuser.QueryRow(t.Context(), `SELECT current_database()`).Scan(&name))
			require.NoError(t, only(superuser.Exec(t.Context(), `ALTER DATABASE `+name+` SET default_transaction_read_only = on`)))
			// Postgres applies it to new sessions.
			require.NoError(t, only(superuser.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)))
			for range 2 {
				_ = serving.Database.Ready(t.Context(), program) // the terminated connections
			}
			for range 2 {
				require.ErrorIs(t, serving.Database.Ready(t.Context(), program), db.LackWrites)
			}
			require.NoError(t, only(superuser.Exec(t.Context(), `SET default_transaction_read_only = off`)))
			require.NoError(t, only(superuser.Exec(t.Context(), `ALTER DATABASE `+name+` RESET default_transaction_read_only`)))
			for range 2 {
				_ = serving.Database.Ready(t.Context(), program) // each closes one of its connections
			}
			require.NoError(t, serving.Database.Ready(t.Context(), program))
		})
	}
}

// A check writes nothing that a vacuum must remove, and waits for no lock for long.
func TestReady_LeavesNothingBehind(t *testing.T) {
	b := setup(t)
	before := b.Count(`SELECT count(*) FROM business`)
	lock, err := b.Pool().Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, only(lock.Exec(t.Context(), `LOCK TABLE business IN ACCESS EXCLUSIVE MODE`)))
	require.NoError(t, b.Store.Database.Ready(t.Context(), schema.API), "a migration locks one table for a while")
	require.NoError(t, lock.Rollback(t.Context()))
	require.NoError(t, b.Store.Database.Ready(t.Context(), schema.API))
	require.Equal(t, before, b.Count(`SELECT count(*) FROM business`))
	require.Zero(t, b.Store.Database.PoolStat().AcquiredConns())
}
