package admin_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/store/pgtest"
	"requisite/starter/startertest"
)

func TestMigrate_DatabaseOnlyNeedsNoKeysetAndNoTemporal(t *testing.T) {
	b := startertest.Setup(t)
	t.Setenv("DATABASE_URL", pgtest.As(b.URL, pgtest.Owner))
	t.Setenv("REQUISITE_KEK_FILE", "")
	t.Setenv("REQUISITE_PAYLOAD_KEY_FILE", "")
	t.Setenv("REQUISITE_API_ROLE", "")
	t.Setenv("TEMPORAL_ADDRESS", "127.0.0.1:1")
	require.Equal(t, "database: 0 migration(s) applied\n", b.MustRun("migrate", "--database-only"))
	_, err := b.Try("migrate")
	require.ErrorContains(t, err, "reach Temporal at 127.0.0.1:1")
	require.NotContains(t, err.Error(), "key")
}

// TestMigrate_IsInTheAuditLogIfItChangesSomething, and not after each start of a deployment.
func TestMigrate_IsInTheAuditLogIfItChangesSomething(t *testing.T) {
	b := startertest.Setup(t)
	t.Setenv("REQUISITE_API_ROLE", pgtest.API)
	t.Setenv("REQUISITE_WORKER_ROLE", pgtest.Worker)
	t.Setenv("REQUISITE_OPERATOR", "Docker Compose")
	entries := func() int {
		return b.Count(`SELECT count(*) FROM operator_action WHERE outcome = 'DONE' AND operator = 'Docker Compose'`)
	}
	out := b.MustRun("migrate", "--database-only")
	require.Contains(t, out, "database: role "+pgtest.API+" may serve as the api")
	require.Zero(t, entries())
	for n, change := range []string{
		`REVOKE SELECT ON account FROM ` + pgtest.API, `GRANT DELETE ON account TO ` + pgtest.Worker, `GRANT UPDATE (name) ON organization TO ` + pgtest.API,
		`DROP POLICY ` + pgx.Identifier{policyOf(b, pgtest.Worker)}.Sanitize() + ` ON webhook_attempt`,
	} {
		b.Exec(change)
		require.Equal(t, out, b.MustRun("migrate", "--database-only"))
		require.Equal(t, n+1, entries(), change)
		b.MustRun("migrate", "--database-only")
		require.Equal(t, n+1, entries(), "it has changed nothing")
	}
	require.Equal(t, entries(), b.Count(`SELECT count(*) FROM operator_action`))
}

// policyOf names the policy of a role on webhook_attempt.
// TestChanges_RefuseADatabaseOfOtherMigrations: what they would write is of other tables.
func TestChanges_RefuseADatabaseOfOtherMigrations(t *testing.T) {
	b := startertest.Setup(t)
	b.Exec(`UPDATE goose_db_version SET sha256 = repeat('0', 64) WHERE version_id = 4`)
	out, err := startertest.Run(t, "organization", "create", "Late")
	require.ErrorContains(t, err, "is another one than this release has", out)
	require.Zero(t, b.Count(`SELECT count(*) FROM organization WHERE name = 'Late'`))
}

func policyOf(b *startertest.Bundle, role string) (name string) {
	b.Helper()
	conn := pgtest.ConnectOne(b.T, b.URL)
	require.NoError(b, conn.QueryRow(b.Context(), `
		SELECT polname::text FROM pg_policy WHERE polrelid = 'webhook_attempt'::regclass AND polroles = ARRAY[$1::regrole::oid]`, role).Scan(&name))
	return name
}
