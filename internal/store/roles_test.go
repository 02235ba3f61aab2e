package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/sig1"
	"requisite/internal/secrets/vault"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// as connects as a role of the server.
func (b *bundle) as(role string) *pgx.Conn {
	b.Helper()
	return pgtest.ConnectOne(b, pgtest.As(b.URL, role))
}

// serve lets the bundle work as a role.
func (b *bundle) serve(role string) {
	b.Store = server.Open(b, pgtest.As(b.URL, role), nil, store.Options{Now: b.Now})
}

func TestAPIRole_IsEnoughForTheAPI(t *testing.T) {
	b := setup(t)
	credential, _ := b.newCredential(domain.NewCredential{Policy: domain.Minimal})
	b.serve(pgtest.API)
	require.NoError(t, b.Store.Secrets.CheckKeyset(t.Context()))
	b.authenticate(credential.APIKey)
	for range 2 {
		require.NoError(t, only(b.Store.Credentials.UseNonce(t.Context(), credential.APIKey, "n", b.Now().Add(-2*sig1.NonceLife))))
	}
	minimal, err := b.Store.Credentials.Minimal(t.Context())
	require.NoError(t, err)
	require.Len(t, minimal, 1)
	b.publish(rule("A", "business_age_years >= 5"))
	b.mustCalculate()
	b.ActiveKey()
	b.Endpoint()
	b.Call = b.keyed("once")
	b.mustCalculate()
	b.mustCalculate()
	require.NoError(t, b.Exec(`UPDATE account SET recalculation = 'ON_FORCE'`))
	b.Call.IdempotencyKey, b.Call.BodySHA256 = "", nil
	b.publish(rule("B", ""))
	b.publish(rule("C", ""))
	require.NoError(t, b.Exec(`UPDATE recalculation SET state = 'DONE', ended_at = now(), again_at = NULL`))
	run, err := b.tryRecalculation()
	require.NoError(t, err)
	require.NoError(t, b.Try(b.Call, func(r *store.Records) error { return r.Recalculations.Cancel(t.Context(), run) }))
	require.NoError(t, only(b.Store.Upkeep.BackgroundState(t.Context(), false)))
}

func TestWorkerRole_IsEnoughForTheWorker(t *testing.T) {
	b := setup(t)
	credential, _ := b.newCredential(domain.NewCredential{})
	// Pruning heeds the clock of the database too.
	require.NoError(t, only(b.Store.Credentials.UseNonce(t.Context(), credential.APIKey, "n", b.Now().Add(-time.Hour))))
	other, err := vault.Ephemeral()
	require.NoError(t, err)
	require.ErrorIs(t, server.Open(t, pgtest.As(b.URL, pgtest.Worker), other, store.Options{}).Secrets.CheckKeyset(t.Context()), store.ErrWrongKeyset, "only a credential is sealed, which it does not see")
	b.propose(ann, draft(rule("FORGOTTEN", ""))) // which is not for the worker
	b.serve(pgtest.Worker)
	require.NoError(t, b.Store.Secrets.CheckKeyset(t.Context()))
	b.publish(rule("FORGOTTEN", ""))
	b.publish(rule("A", "business_age_years >= 5"))
	b.mustCalculate()
	b.ActiveKey()
	b.SendTests(b.Endpoint(), 1)
	b.End(b.Claim()[0], 200)
	require.NoError(t, only(b.Store.Deliveries.Repairs.Reconcile(t.Context())))
	require.NoError(t, b.Store.Upkeep.Succeeded(t.Context(), store.ScheduleReconcile))
	require.Zero(t, b.deadlines())
	require.NoError(t, b.Exec(`UPDATE account SET recalculation = 'DAILY'`))
	for range 2 { // the first is pruned
		require.EqualValues(t, 1, b.startDue())
		started, err := b.Store.LongRuns.ToStart(t.Context(), 1)
		require.NoError(t, err)
		run := id.RecalculationID{UUID: started[0].ID}
		at, err := b.Store.LongRuns.RunningRecalculation(t.Context(), run)
		require.NoError(t, err)
		require.NoError(t, only2(b.Store.LongRuns.WorkflowsToRecalculate(t.Context(), at)))
		require.NoError(t, b.Store.LongRuns.CountToRecalculate(t.Context(), at, func(id.UUID) (bool, error) { return true, nil }))
		require.NoError(t, only(b.Store.LongRuns.AdvanceRecalculation(t.Context(), at, b.Workflow.ID, domain.RecalculationCounts{})))
		require.NoError(t, only(b.Store.LongRuns.EndRecalculation(t.Context(), run)))
		b.Pass(24 * time.Hour)
	}
	require.NoError(t, only(b.Store.Upkeep.BackgroundState(t.Context(), true)))
	b.Call = b.keyed("once")
	b.mustCalculate()
	b.Pass(100 * 24 * time.Hour)
	b.age(100 * 24 * time.Hour)
	pruned, err := b.Store.Upkeep.Prune(t.Context(), store.Retention{}, func(domain.Pruned) {}, func(string, error) {})
	require.NoError(t, err)
	require.Positive(t, pruned.Nonces)
	require.Positive(t, pruned.Outcomes)
	require.Positive(t, pruned.Events)
	require.EqualValues(t, 1, pruned.RuleVersions)
	require.EqualValues(t, 1, pruned.Proposals)
	require.EqualValues(t, 1, pruned.Recalculations)
}

// age makes everything that is deleted by age so much older: a program whose
// clock is wrong deletes nothing that is young by the database's.
func (b *bundle) age(d time.Duration) {
	b.Helper()
	tx, err := b.Pool().Begin(b.Context())
	require.NoError(b, err)
	for _, sql := range []string{
		`SELECT set_config('session_replication_role', 'replica', true), $1::interval`, // a rule set is not to be changed
		`UPDATE outcome SET created_at = created_at - $1::interval`, `UPDATE nonce SET expires_at = expires_at - $1::interval`,
		`UPDATE rule_set SET published_at = published_at - $1::interval`, `UPDATE rule_proposal SET proposed_at = proposed_at - $1::interval, decided_at = decided_at - $1::interval`,
	} {
		require.NoError(b, only(tx.Exec(b.Context(), sql, d)), sql)
	}
	require.NoError(b, tx.Commit(b.Context()))
}

// mayNot are attacks on what the serving roles have no business with.
var mayNot = []string{
	`INSERT INTO organization (id, name) VALUES (gen_random_uuid(), 'mine')`,
	`INSERT INTO account (id, organization_id, environment, name, currency, time_zone) SELECT gen_random_uuid(), organization_id, 'live', 'mine', 'USD', 'UTC' FROM account`,
	`UPDATE account SET rules_need_approval = false`, `UPDATE account SET recalculation = 'DAILY'`, `UPDATE rule_proposal SET content = ''`, `UPDATE rule_proposal SET proposed_by = 'x'`, `UPDATE account SET name = 'mine'`, `UPDATE account SET environment = 'live'`, `DELETE FROM account`,
	`INSERT INTO credential (api_key, organization_id, environment, name, policy, secret_sealed, token_sha256)
		SELECT 'lv_7777777777777777777777', organization_id, 'live', 'mine', 'strict', '\x00', sha256('x') FROM account`,
	`UPDATE credential SET revoked_at = NULL`, `UPDATE credential SET token_sha256 = sha256('x')`, `UPDATE credential SET policy = 'minimal'`, `DELETE FROM credential`,
	`UPDATE credential SET permissions = DEFAULT`, `UPDATE credential SET expires_at = NULL`, `UPDATE credential SET name = 'x'`, `UPDATE credential SET last_used_at = now(), permissions = '{read,write}'`,
	`INSERT INTO pricing_model SELECT * FROM pricing_model`, `UPDATE rule_set SET effective_from = NULL`,
	`UPDATE rule_set SET content = ''`, `UPDATE webhook_event SET fields = '{}'`, `UPDATE webhook_key SET secret_sealed = ''`, `DELETE FROM webhook_key`,
	`DELETE FROM business`, `DELETE FROM workflow`, `DELETE FROM required_document`, `UPDATE business SET account_id = account_id`, `UPDATE workflow SET account_id = account_id`,
	`UPDATE outcome SET organization_id = organization_id`, `UPDATE goose_db_version SET version_id = 1`,
	`TRUNCATE workflow`, `DROP TABLE nonce`, `CREATE TABLE x (y int)`, `ALTER TABLE business ADD COLUMN x int`, `ALTER TABLE business DISABLE ROW LEVEL SECURITY`,
	`CREATE POLICY mine ON business USING (true)`, `DROP POLICY tenant ON business`, `CALL protect('business', 'true')`,
	`CREATE FUNCTION mine() RETURNS int LANGUAGE sql SECURITY DEFINER RETURN 1`, `CREATE OR REPLACE FUNCTION requisite_organization() RETURNS uuid LANGUAGE sql RETURN NULL`,
	`SET ROLE requisite_owner`, `ALTER ROLE CURRENT_USER BYPASSRLS`, `ALTER ROLE requisite_api SUPERUSER`, `GRANT requisite_owner TO CURRENT_USER`,
	`UPDATE decision SET outcome = ''`, `DELETE FROM decision`, `UPDATE workflow SET decision_number = 0`,
	`SELECT FROM operator_action`, `INSERT INTO operator_action (id, started_at, operator, command, subjects) VALUES (gen_random_uuid(), now(), 'x', 'erase', '{}')`,
	`UPDATE operator_action SET outcome = 'DONE', ended_at = now()`, `DELETE FROM operator_action`, `TRUNCATE operator_action`, `ALTER TABLE operator_action DISABLE TRIGGER USER`,
	`COPY business TO PROGRAM 'cat'`, `SELECT pg_read_file('/etc/passwd')`, `SELECT * FROM pg_authid`,
}

func TestServingRoles_AreDeniedTheRest(t *testing.T) {
	b := setup(t)
	b.newCredential(domain.NewCredential{})
	own := map[string][]string{
		pgtest.API: {`UPDATE recalculation SET user_id = 'x'`, `DELETE FROM recalculation`, `DELETE FROM rule_set`, `DELETE FROM rule_proposal`, `SELECT needed_rule_versions('{}', '{}', now())`, `DELETE FROM webhook_event`, `UPDATE webhook_event_position SET position = 1`, `UPDATE webhook_feed SET last_position = 1`, `DELETE FROM webhook_delivery`, `INSERT INTO webhook_attempt SELECT * FROM webhook_attempt`, `DELETE FROM nonce`,
			`DELETE FROM outcome`, `INSERT INTO schedule_success VALUES ('x', now())`, `SELECT FROM organization`, `SET ROLE requisite_worker`},
		pgtest.Worker: {`SELECT FROM credential`, `UPDATE credential SET last_used_at = now()`, `SELECT * FROM sealed_credentials()`, `SELECT * FROM minimal_credentials()`, `SELECT * FROM rule_approvers(now())`, `SELECT give_event_positions(gen_random_uuid())`, `INSERT INTO nonce VALUES ('a', 'b', now())`, `SELECT FROM organization`, `SET ROLE requisite_api`},
	}
	for _, role := range []string{pgtest.API, pgtest.Worker} {
		conn := b.as(role)
		require.NoError(t, only(conn.Exec(t.Context(), `SELECT set_config('requisite.organization', $1, false), set_config('requisite.environment', 'sandbox', false)`, b.Call.Scope.OrganizationID.String())))
		for _, sql := range slices.Concat(mayNot, own[role]) {
			require.ErrorContains(t, only(conn.Exec(t.Context(), sql)), "42501", "%s: %s", role, sql)
		}
	}
}

func TestReaderRole_SeesNoSecrets(t *testing.T) {
	b := setup(t)
	b.MustKey()
	b.newCredential(domain.NewCredential{Permissions: domain.Permissions{domain.PermissionRead}})
	require.NoError(t, b.Exec(`CREATE ROLE reader_of_a_test LOGIN PASSWORD 'of-the-tests'`))
	require.NoError(t, b.Operator.Database.Schema().GrantRead(t.Context(), "reader_of_a_test"))
	conn := b.as("reader_of_a_test")
	for _, sql := range []string{`SELECT count(*) FROM business`, `SELECT count(*) FROM webhook_key`, `SELECT count(*) FROM workflow`,
		`SELECT count(*) FROM credential WHERE permissions = '{read}' AND expires_at IS NULL`} {
		var n int
		require.NoError(t, conn.QueryRow(t.Context(), sql).Scan(&n), sql)
		require.Equal(t, 1, n, sql)
	}
	for _, sql := range []string{`SELECT api_key, name, permissions FROM credential WHERE expires_at IS NULL`, `SELECT state FROM webhook_delivery`, `SELECT event_id FROM webhook_event_position WHERE position > 0`, `SELECT last_position FROM webhook_feed`,
		`SELECT operator, command, subjects, outcome FROM operator_action`} {
		require.NoError(t, only(conn.Exec(t.Context(), sql)), sql)
	}
	for _, sql := range []string{
		`SELECT secret_sealed FROM webhook_key`, `SELECT * FROM webhook_key`, `SELECT secret_sealed FROM credential`, `SELECT token_sha256 FROM credential`,
		`SELECT key FROM outcome`, `SELECT body_sha256 FROM outcome`, `SELECT content FROM outcome`, `SELECT * FROM sealed_credentials()`, `SELECT * FROM sealed_webhook_keys()`, `SELECT * FROM minimal_credentials()`, `SELECT * FROM rule_approvers(now())`, `SELECT give_event_positions(gen_random_uuid())`, `UPDATE business SET legal_name = 'x'`, `INSERT INTO nonce VALUES ('a', 'b', now())`,
		`INSERT INTO operator_action (id, started_at, operator, command, subjects) VALUES (gen_random_uuid(), now(), 'x', 'erase', '{}')`, `DELETE FROM operator_action`,
	} {
		require.ErrorContains(t, only(conn.Exec(t.Context(), sql)), "42501", sql)
	}
}
