package postgres_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/postgres"
	"requisite/internal/postgres/pgtest"
	"requisite/internal/requests/sig1"
	"requisite/internal/secrets/vault"
)

// as connects as a role of the server.
func (b *bundle) as(role string) *pgx.Conn {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), pgtest.As(b.url, role))
	require.NoError(b, err)
	b.Cleanup(func() { _ = conn.Close(context.WithoutCancel(b.Context())) })
	return conn
}

// serve lets the bundle work as a role.
func (b *bundle) serve(role string) {
	b.store = server.Open(b, pgtest.As(b.url, role), nil, postgres.Options{Now: b.now})
}

func TestTheAPINeedsNoMoreThanItsRole(t *testing.T) {
	b := setup(t)
	credential, _ := b.newCredential(domain.NewCredential{Policy: domain.Minimal})
	b.serve(pgtest.API)
	require.NoError(t, b.store.CheckKeyset(t.Context()))
	b.authenticate(credential.APIKey)
	for range 2 {
		require.NoError(t, only(b.store.UseNonce(t.Context(), credential.APIKey, "n", b.now().Add(-2*sig1.NonceLife))))
	}
	minimal, err := b.store.MinimalCredentials(t.Context())
	require.NoError(t, err)
	require.Len(t, minimal, 1)
	b.publish(rule("A", "business_age_years >= 5"))
	b.mustCalculate()
	b.activeKey()
	b.endpoint()
	b.call = b.keyed("once")
	b.mustCalculate()
	b.mustCalculate()
	require.NoError(t, only(b.store.Standing(t.Context(), false)))
}

func TestTheWorkerNeedsNoMoreThanItsRole(t *testing.T) {
	b := setup(t)
	credential, _ := b.newCredential(domain.NewCredential{})
	// Pruning heeds the clock of the database too.
	require.NoError(t, only(b.store.UseNonce(t.Context(), credential.APIKey, "n", b.now().Add(-time.Hour))))
	other, err := vault.Ephemeral()
	require.NoError(t, err)
	require.ErrorIs(t, server.Open(t, pgtest.As(b.url, pgtest.Worker), other, postgres.Options{}).CheckKeyset(t.Context()), postgres.ErrWrongKeyset, "only a credential is sealed, which it does not see")
	b.serve(pgtest.Worker)
	require.NoError(t, b.store.CheckKeyset(t.Context()))
	b.publish(rule("FORGOTTEN", ""))
	b.publish(rule("A", "business_age_years >= 5"))
	b.mustCalculate()
	b.activeKey()
	b.owe(b.endpoint(), 1)
	b.end(b.claim()[0], 200)
	require.NoError(t, only(b.store.Reconcile(t.Context())))
	require.NoError(t, b.store.Succeeded(t.Context(), postgres.ScheduleReconcile))
	require.NoError(t, only(b.store.Standing(t.Context(), true)))
	b.call = b.keyed("once")
	b.mustCalculate()
	b.pass(60 * 24 * time.Hour)
	b.age(60 * 24 * time.Hour)
	pruned, err := b.store.Prune(t.Context(), postgres.Retention{}, func(domain.Pruned) {})
	require.NoError(t, err)
	require.Positive(t, pruned.Nonces)
	require.Positive(t, pruned.Idempotency)
	require.Positive(t, pruned.RunOutcomes)
	require.Positive(t, pruned.Events)
	require.EqualValues(t, 1, pruned.RuleVersions)
}

// age makes everything that is deleted by age so much older: a program whose
// clock is wrong deletes nothing that is young by the database's.
func (b *bundle) age(d time.Duration) {
	b.Helper()
	tx, err := b.pool().Begin(b.Context())
	require.NoError(b, err)
	for _, sql := range []string{
		`SELECT set_config('session_replication_role', 'replica', true), $1::interval`, // a rule set is not to be changed
		`UPDATE idempotency SET created_at = created_at - $1::interval`, `UPDATE nonce SET expires_at = expires_at - $1::interval`,
		`UPDATE rule_set SET published_at = published_at - $1::interval`, `UPDATE run_outcome SET created_at = created_at - $1::interval`,
	} {
		require.NoError(b, only(tx.Exec(b.Context(), sql, d)), sql)
	}
	require.NoError(b, tx.Commit(b.Context()))
}

// mayNot are attacks on what the serving roles have no business with.
var mayNot = []string{
	`INSERT INTO organization (id, name) VALUES (gen_random_uuid(), 'mine')`,
	`INSERT INTO account (id, organization_id, environment, name, currency, time_zone) SELECT gen_random_uuid(), organization_id, 'live', 'mine', 'USD', 'UTC' FROM account`,
	`UPDATE account SET name = 'mine'`, `UPDATE account SET environment = 'live'`, `DELETE FROM account`,
	`INSERT INTO credential (api_key, organization_id, environment, name, policy, secret_sealed, token_sha256)
		SELECT 'lv_7777777777777777777777', organization_id, 'live', 'mine', 'strict', '\x00', sha256('x') FROM account`,
	`UPDATE credential SET revoked_at = NULL`, `UPDATE credential SET token_sha256 = sha256('x')`, `UPDATE credential SET policy = 'minimal'`, `DELETE FROM credential`,
	`UPDATE credential SET permissions = DEFAULT`, `UPDATE credential SET expires_at = NULL`, `UPDATE credential SET name = 'x'`, `UPDATE credential SET last_used_at = now(), permissions = '{read,write}'`,
	`INSERT INTO pricing_model SELECT * FROM pricing_model`, `UPDATE account_policy SET pricing_model_id = NULL`,
	`UPDATE rule_set SET content = ''`, `UPDATE webhook_event SET fields = '{}'`, `UPDATE webhook_key SET secret_sealed = ''`, `DELETE FROM webhook_key`,
	`DELETE FROM business`, `DELETE FROM workflow`, `DELETE FROM required_document`, `UPDATE business SET account_id = account_id`, `UPDATE workflow SET account_id = account_id`,
	`UPDATE idempotency SET organization_id = organization_id`, `UPDATE goose_db_version SET version_id = 1`,
	`TRUNCATE workflow`, `DROP TABLE nonce`, `CREATE TABLE x (y int)`, `ALTER TABLE business ADD COLUMN x int`, `ALTER TABLE business DISABLE ROW LEVEL SECURITY`,
	`CREATE POLICY mine ON business USING (true)`, `DROP POLICY tenant ON business`, `CALL protect('business', 'true')`,
	`CREATE FUNCTION mine() RETURNS int LANGUAGE sql SECURITY DEFINER RETURN 1`, `CREATE OR REPLACE FUNCTION requisite_organization() RETURNS uuid LANGUAGE sql RETURN NULL`,
	`SET ROLE requisite_owner`, `ALTER ROLE CURRENT_USER BYPASSRLS`, `ALTER ROLE requisite_api SUPERUSER`, `GRANT requisite_owner TO CURRENT_USER`,
	`COPY business TO PROGRAM 'cat'`, `SELECT pg_read_file('/etc/passwd')`, `SELECT * FROM pg_authid`,
}

func TestServingRoles_AreDeniedTheRest(t *testing.T) {
	b := setup(t)
	b.newCredential(domain.NewCredential{})
	own := map[string][]string{
		pgtest.API: {`DELETE FROM rule_set`, `SELECT needed_rule_versions('{}', '{}')`, `DELETE FROM webhook_event`, `UPDATE webhook_event_position SET position = 1`, `UPDATE webhook_feed SET last_position = 1`, `DELETE FROM webhook_delivery`, `INSERT INTO webhook_attempt SELECT * FROM webhook_attempt`, `DELETE FROM nonce`,
			`DELETE FROM idempotency`, `DELETE FROM run_outcome`, `INSERT INTO schedule_success VALUES ('x', now())`, `SELECT FROM organization`, `SET ROLE requisite_worker`},
		pgtest.Worker: {`SELECT FROM credential`, `UPDATE credential SET last_used_at = now()`, `SELECT * FROM sealed_credentials()`, `SELECT * FROM minimal_credentials()`, `SELECT give_event_positions(gen_random_uuid())`, `INSERT INTO nonce VALUES ('a', 'b', now())`, `SELECT FROM organization`, `SET ROLE requisite_api`},
	}
	for _, role := range []string{pgtest.API, pgtest.Worker} {
		conn := b.as(role)
		require.NoError(t, only(conn.Exec(t.Context(), `SELECT set_config('requisite.organization', $1, false), set_config('requisite.environment', 'sandbox', false)`, b.call.Scope.OrganizationID.String())))
		for _, sql := range slices.Concat(mayNot, own[role]) {
			require.ErrorContains(t, only(conn.Exec(t.Context(), sql)), "42501", "%s: %s", role, sql)
		}
	}
}

// TestRightsOnTables holds what each role may do to every table there is: a new
// table, and a new right, must be written down here.
func TestRightsOnTables(t *testing.T) {
	b := setup(t)
	rows, err := b.pool().Query(t.Context(), `
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
requisite_api account_policy: SELECT UPDATE*
requisite_api business: INSERT SELECT UPDATE*
requisite_api credential: SELECT UPDATE*
requisite_api idempotency: INSERT SELECT UPDATE*
requisite_api nonce: INSERT SELECT UPDATE*
requisite_api person: DELETE INSERT SELECT UPDATE*
requisite_api pricing_model: SELECT
requisite_api required_document: INSERT SELECT UPDATE*
requisite_api rule_set: INSERT SELECT
requisite_api run_outcome: INSERT SELECT UPDATE*
requisite_api sales_amount: INSERT SELECT
requisite_api sales_info: DELETE INSERT SELECT
requisite_api schedule_success: SELECT
requisite_api webhook_attempt: SELECT
requisite_api webhook_delivery: SELECT UPDATE
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
requisite_worker account_policy: SELECT UPDATE*
requisite_worker business: INSERT SELECT UPDATE*
requisite_worker idempotency: DELETE INSERT SELECT UPDATE*
requisite_worker nonce: DELETE SELECT
requisite_worker person: DELETE INSERT SELECT UPDATE*
requisite_worker pricing_model: SELECT
requisite_worker required_document: INSERT SELECT UPDATE*
requisite_worker rule_set: DELETE INSERT SELECT
requisite_worker run_outcome: DELETE INSERT SELECT UPDATE*
requisite_worker sales_amount: INSERT SELECT
requisite_worker sales_info: DELETE INSERT SELECT
requisite_worker schedule_success: INSERT SELECT UPDATE*
requisite_worker webhook_attempt: DELETE INSERT SELECT UPDATE
requisite_worker webhook_delivery: DELETE INSERT SELECT UPDATE
requisite_worker webhook_endpoint: INSERT SELECT UPDATE*
requisite_worker webhook_endpoint_health: INSERT SELECT UPDATE
requisite_worker webhook_event: DELETE SELECT
requisite_worker webhook_key: INSERT SELECT UPDATE*
requisite_worker webhook_ready: DELETE INSERT SELECT UPDATE
requisite_worker webhook_replay: DELETE INSERT SELECT UPDATE
requisite_worker workflow: INSERT SELECT UPDATE*
`

func TestGrant_AgainChangesNothing(t *testing.T) {
	b := setup(t)
	policies := func() (found []string) {
		rows, err := b.pool().Query(t.Context(), `SELECT concat_ws(' ', oid::text, polname, polrelid::regclass::text) FROM pg_policy ORDER BY 1`)
		require.NoError(t, err)
		found, err = pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		return found
	}
	before := policies()
	require.NoError(t, b.operator.GrantWorker(t.Context(), pgtest.Worker))
	require.NoError(t, b.operator.GrantAPI(t.Context(), pgtest.API))
	require.Equal(t, before, policies(), "nobody waits for those who use a table")
	require.NoError(t, b.operator.GrantAPI(t.Context(), pgtest.Worker))
	require.Less(t, len(policies()), len(before), "another kind of role loses what it had")
	require.NoError(t, b.operator.GrantWorker(t.Context(), pgtest.Worker))
	require.Len(t, policies(), len(before))
}

func TestReaderRole_SeesNoSecrets(t *testing.T) {
	b := setup(t)
	b.mustKey()
	b.newCredential(domain.NewCredential{Permissions: domain.Permissions{domain.PermissionRead}})
	require.NoError(t, b.exec(`CREATE ROLE reader_of_a_test LOGIN PASSWORD 'of-the-tests'`))
	require.NoError(t, b.operator.GrantRead(t.Context(), "reader_of_a_test"))
	conn := b.as("reader_of_a_test")
	for _, sql := range []string{`SELECT count(*) FROM business`, `SELECT count(*) FROM webhook_key`, `SELECT count(*) FROM workflow`,
		`SELECT count(*) FROM credential WHERE permissions = '{read}' AND expires_at IS NULL`} {
		var n int
		require.NoError(t, conn.QueryRow(t.Context(), sql).Scan(&n), sql)
		require.Equal(t, 1, n, sql)
	}
	for _, sql := range []string{`SELECT api_key, name, permissions FROM credential WHERE expires_at IS NULL`, `SELECT state FROM webhook_delivery`, `SELECT event_id FROM webhook_event_position WHERE position > 0`, `SELECT last_position FROM webhook_feed`} {
		require.NoError(t, only(conn.Exec(t.Context(), sql)), sql)
	}
	for _, sql := range []string{
		`SELECT secret_sealed FROM webhook_key`, `SELECT * FROM webhook_key`, `SELECT secret_sealed FROM credential`, `SELECT token_sha256 FROM credential`,
		`SELECT * FROM idempotency`, `SELECT * FROM sealed_credentials()`, `SELECT * FROM sealed_webhook_keys()`, `SELECT * FROM minimal_credentials()`, `SELECT give_event_positions(gen_random_uuid())`, `UPDATE business SET legal_name = 'x'`, `INSERT INTO nonce VALUES ('a', 'b', now())`,
	} {
		require.ErrorContains(t, only(conn.Exec(t.Context(), sql)), "42501", sql)
	}
}

// TestGrant_DoesNotDeadlockWithTransactions, whose transactions use several tables:
// while it waits for one table, it has no other.
func TestGrant_DoesNotDeadlockWithTransactions(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.exec(`CREATE ROLE late_reader_of_a_test`))
	tx, err := b.as(pgtest.API).Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM account`)))
	granted := make(chan error, 1)
	go func() { granted <- b.operator.GrantRead(context.WithoutCancel(t.Context()), "late_reader_of_a_test") }()
	b.awaitLock("the grant")
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM account_policy`)))
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-granted)
}
