package schema_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/store/pgtest"
)

// TestRightsOnTables holds what each role may do to every table there is: a new
// table, and a new right, must be written down here.
func TestRightsOnTables(t *testing.T) {
	d := open(t)
	rows, err := d.Query(t.Context(), `
		SELECT format('%s %s:%s', r, c.relname, string_agg(' ' || v || CASE WHEN has_table_privilege(r, c.oid, v) THEN '' ELSE '*' END, '' ORDER BY v))
		FROM pg_class c, unnest(ARRAY['requisite_api', 'requisite_worker']) AS r, unnest(ARRAY['DELETE', 'INSERT', 'REFERENCES', 'SELECT', 'TRIGGER', 'TRUNCATE', 'UPDATE']) AS v
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v', 'm', 'p')
			AND (has_table_privilege(r, c.oid, v) OR v IN ('INSERT', 'REFERENCES', 'SELECT', 'UPDATE') AND has_any_column_privilege(r, c.oid, v))
		GROUP BY r, c.relname ORDER BY r, c.relname`)
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, strings.TrimSpace(rightsOnTables), strings.Join(found, "\n"))
}

// With * the right is on some columns.
const rightsOnTables = `
requisite_api account: SELECT UPDATE*
requisite_api account_fact: INSERT SELECT UPDATE*
requisite_api business: INSERT SELECT UPDATE*
requisite_api credential: SELECT UPDATE*
requisite_api decision: INSERT SELECT
requisite_api goose_db_version: SELECT
requisite_api nonce: INSERT SELECT UPDATE*
requisite_api outcome: INSERT SELECT UPDATE*
requisite_api person: DELETE INSERT SELECT UPDATE*
requisite_api pricing_model: SELECT
requisite_api recalculation: INSERT SELECT UPDATE*
requisite_api required_document: INSERT SELECT UPDATE*
requisite_api rule_proposal: INSERT SELECT UPDATE*
requisite_api rule_set: INSERT SELECT
requisite_api sales_amount: INSERT SELECT
requisite_api sales_info: DELETE INSERT SELECT
requisite_api schedule_success: SELECT
requisite_api webhook_attempt: SELECT
requisite_api webhook_delivery: SELECT UPDATE
requisite_api webhook_delivery_shown: SELECT
requisite_api webhook_endpoint: INSERT SELECT UPDATE*
requisite_api webhook_endpoint_health: INSERT SELECT UPDATE
requisite_api webhook_event: SELECT
requisite_api webhook_event_position: SELECT
requisite_api webhook_feed: SELECT
requisite_api webhook_key: INSERT SELECT UPDATE*
requisite_api webhook_ready: INSERT SELECT UPDATE*
requisite_api webhook_replay: INSERT SELECT
requisite_api workflow: INSERT SELECT UPDATE*
requisite_worker account: SELECT UPDATE*
requisite_worker account_fact: INSERT SELECT UPDATE*
requisite_worker business: INSERT SELECT UPDATE*
requisite_worker decision: INSERT SELECT
requisite_worker goose_db_version: SELECT
requisite_worker nonce: DELETE SELECT
requisite_worker outcome: DELETE INSERT SELECT UPDATE*
requisite_worker person: DELETE INSERT SELECT UPDATE*
requisite_worker pricing_model: SELECT
requisite_worker recalculation: DELETE INSERT SELECT UPDATE
requisite_worker required_document: INSERT SELECT UPDATE*
requisite_worker rule_proposal: DELETE INSERT SELECT UPDATE*
requisite_worker rule_set: DELETE INSERT SELECT
requisite_worker sales_amount: INSERT SELECT
requisite_worker sales_info: DELETE INSERT SELECT
requisite_worker schedule_success: INSERT SELECT UPDATE*
requisite_worker webhook_attempt: DELETE INSERT SELECT UPDATE
requisite_worker webhook_delivery: DELETE INSERT SELECT UPDATE
requisite_worker webhook_delivery_shown: SELECT
requisite_worker webhook_endpoint: INSERT SELECT UPDATE*
requisite_worker webhook_endpoint_health: INSERT SELECT UPDATE
requisite_worker webhook_event: DELETE SELECT
requisite_worker webhook_key: INSERT SELECT UPDATE*
requisite_worker webhook_ready: DELETE INSERT SELECT UPDATE
requisite_worker webhook_replay: DELETE INSERT SELECT UPDATE
requisite_worker workflow: INSERT SELECT UPDATE*
`

func TestGrant_AgainChangesNothing(t *testing.T) {
	d := open(t)
	policies := func() (found []string) {
		rows, err := d.Query(t.Context(), `SELECT concat_ws(' ', oid::text, polname, polrelid::regclass::text) FROM pg_policy ORDER BY 1`)
		require.NoError(t, err)
		found, err = pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		return found
	}
	before := policies()
	require.NoError(t, d.GrantWorker(t.Context(), pgtest.Worker))
	require.NoError(t, d.GrantAPI(t.Context(), pgtest.API))
	require.Equal(t, before, policies(), "nobody waits for those who use a table")
	require.NoError(t, d.GrantAPI(t.Context(), pgtest.Worker))
	require.Less(t, len(policies()), len(before), "another kind of role loses what it had")
	require.NoError(t, d.GrantWorker(t.Context(), pgtest.Worker))
	require.Len(t, policies(), len(before))
}

// TestGrant_AnnouncesAChangeBeforeItIsMade, and makes none that could not be announced.
func TestGrant_AnnouncesAChangeBeforeItIsMade(t *testing.T) {
	d := open(t)
	planted := errors.New("planted")
	silent := d.Announcing(func(context.Context) error { return planted })
	require.NoError(t, silent.GrantAPI(t.Context(), pgtest.API), "there is nothing to change")
	for _, change := range []string{`REVOKE SELECT ON account FROM requisite_worker`, `REVOKE EXECUTE ON FUNCTION emit_events FROM requisite_worker`} {
		require.NoError(t, only(pgtest.ConnectOne(t, d.url).Exec(t.Context(), change)))
		require.ErrorIs(t, silent.GrantWorker(t.Context(), pgtest.Worker), planted, change)
		require.ErrorIs(t, silent.GrantWorker(t.Context(), pgtest.Worker), planted, change)
		require.NoError(t, d.GrantWorker(t.Context(), pgtest.Worker))
		require.NoError(t, silent.GrantWorker(t.Context(), pgtest.Worker))
	}
}

// TestGrant_DoesNotDeadlockWithTransactions, whose transactions use several tables:
// while it waits for one table, it has no other.
func TestGrant_DoesNotDeadlockWithTransactions(t *testing.T) {
	d := open(t)
	require.NoError(t, only(pgtest.ConnectOne(t, d.url).Exec(t.Context(), `CREATE ROLE late_reader_of_a_test`)))
	tx, err := pgtest.ConnectOne(t, pgtest.As(d.url, pgtest.API)).Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM account`)))
	granted := make(chan error, 1)
	go func() { granted <- d.GrantRead(context.WithoutCancel(t.Context()), "late_reader_of_a_test") }()
	pgtest.AwaitLocks(t, d.Pool, 1, "the grant")
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM account_fact`)))
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-granted)
}

// untenanted are the tables that tell of no tenant.
var untenanted = []string{"goose_db_version", "operator_action", "schedule_success"}

// TestTables_AreProtectedByRowSecurity fails for a new table without it. A view is protected if it
// reads with the rights of its reader.
func TestTables_AreProtectedByRowSecurity(t *testing.T) {
	d := open(t)
	rows, err := d.Query(t.Context(), `
		SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') AND c.relname <> ALL ($1)
			AND NOT (c.relkind = 'v' AND coalesce('security_invoker=true' = ANY (c.reloptions), false)) AND NOT (
			c.relrowsecurity AND c.relforcerowsecurity
			AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant' AND pg_get_expr(p.polqual, c.oid) <> 'true')
			AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'operator' AND p.polroles = ARRAY['requisite_owner'::regrole::oid]))`, untenanted)
	require.NoError(t, err)
	bare, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Empty(t, bare, "no row-level security: CALL protect(…) in the migration that makes the table")
	require.Zero(t, d.count(t, `SELECT count(*) FROM pg_roles WHERE rolname LIKE 'requisite\_%' AND (rolsuper OR rolbypassrls)`))
	require.Zero(t, d.count(t, `SELECT count(*) FROM pg_policy p WHERE p.polroles = '{0}' AND coalesce(pg_get_expr(p.polqual, p.polrelid), 'true') = 'true'`),
		"no policy shows everybody everything")
}
