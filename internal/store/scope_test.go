package store_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
)

// furnish gives an account everything that it can have.
func (b *bundle) furnish(account domain.Account, call domain.Call) {
	b.Helper()
	c := &bundle{b.InAccount(account, call)}
	c.Write(call, func(r *store.Records) (err error) {
		if c.Business, err = r.Applicants.CreateBusiness(b.Context(), account.WireID(), domain.Business{LegalName: "Ltd"}); err != nil {
			return err
		}
		if err = only(r.Businesses.CreateSalesInfo(b.Context(), c.Business.WireID(), id.SalesInfoID{},
			[]domain.SalesAmount{{Type: "HIGHEST_TICKET_SALE", Hundredths: 100, Currency: "USD"}})); err != nil {
			return err
		}
		c.Workflow, err = r.Workflows.Create(b.Context(), account.WireID(), c.Business.WireID(), domain.NewWorkflow{State: domain.Started})
		return err
	})
	require.NoError(b, c.tryPerson())
	require.NoError(b, c.tryDeclare(declaring(allFacts()...)))
	c.publish(rule("A", "true"))
	c.propose(ann, draft(rule("B", "")))
	require.NoError(b, only(c.tryRecalculation()))
	require.NoError(b, only(b.Operator.Write(b.Context(), call, func(r *store.Records) (any, error) {
		return nil, only(r.Rules.PublishPrices(b.Context(), account.WireID(), draft()))
	})))
	c.ActiveKey()
	require.NoError(b, only(c.Replay(domain.ReplayRequest{ConfigID: c.Endpoint().WireID(), Since: b.Now().Add(-time.Hour)})))
	c.Call = c.keyed("once")
	c.mustCalculate()
	c.Claim()
	c.readFeed("")
	credential, _ := c.newCredential(domain.NewCredential{})
	require.NoError(b, only(b.Store.Credentials.UseNonce(b.Context(), credential.APIKey, "n", b.Now())))
}

// see counts what a role sees of each table that it may read, under a setting.
func (b *bundle) see(role string, scope domain.Scope, apiKey string) map[string]int {
	b.Helper()
	conn := b.as(role)
	organization := ""
	if scope != (domain.Scope{}) {
		organization = scope.OrganizationID.String()
	}
	seen := map[string]int{}
	require.NoError(b, pgx.BeginFunc(b.Context(), conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(b.Context(), `SELECT set_config('requisite.organization', $1, true), set_config('requisite.environment', $2, true), set_config('requisite.api_key', $3, true)`,
			organization, scope.Environment, apiKey)
		require.NoError(b, err)
		for _, table := range b.protected(role) {
			var n int
			require.NoError(b, tx.QueryRow(b.Context(), `SELECT count(*) FROM `+table).Scan(&n), table)
			seen[table] = n
		}
		return nil
	}))
	return seen
}

func (b *bundle) protected(role string) []string {
	rows, err := b.Pool().Query(b.Context(), `SELECT relname::text FROM pg_class c WHERE relrowsecurity AND has_any_column_privilege($1, c.oid, 'SELECT') ORDER BY 1`, role)
	require.NoError(b, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(b, err)
	return tables
}

// TestRowSecurity_QueriesSeeOneTenant runs statements that ask for no tenant,
// as a fault in the code would, under each tenant's setting and under none.
func TestRowSecurity_QueriesSeeOneTenant(t *testing.T) {
	b := setup(t)
	otherAccount, otherCall := b.NewAccount("other", "UTC")
	liveCall := b.Call
	liveCall.Scope.Environment = domain.Live
	liveAccount, err := b.Operator.Organizations.CreateAccount(t.Context(), liveCall.Scope, "live", "USD", "UTC")
	require.NoError(t, err)
	b.furnish(b.Account, b.Call)
	b.furnish(otherAccount, otherCall)
	b.furnish(liveAccount, liveCall)

	scopes := []domain.Scope{b.Call.Scope, otherCall.Scope, liveCall.Scope}
	// The rows of each tenant, counted by a role that sees all rows.
	authenticated := []string{"credential", "nonce"}
	all := map[string]int{}
	for _, table := range b.protected(pgtest.API) {
		all[table] = b.Count(`SELECT count(*) FROM ` + table)
		require.GreaterOrEqual(t, all[table], 3, "%s is filled for every tenant", table)
	}
	sum := map[string]int{}
	for _, scope := range scopes {
		for table, n := range b.see(pgtest.API, scope, "") {
			sum[table] += n
			if slices.Contains(authenticated, table) {
				require.Zero(t, n, table)
				continue
			}
			require.Positive(t, n, table)
			require.Less(t, n, all[table], table)
		}
	}
	for table, n := range all {
		if !slices.Contains(authenticated, table) {
			require.Equal(t, n, sum[table], "%s: each row is one tenant's", table)
		}
	}
	for name, scope := range map[string]domain.Scope{"none": {}, "an organization alone": {OrganizationID: b.Call.Scope.OrganizationID},
		"an environment alone": {Environment: domain.Sandbox}, "a stranger": {OrganizationID: b.Account.ID, Environment: domain.Sandbox}} {
		for table, n := range b.see(pgtest.API, scope, "") {
			require.Zero(t, n, "%s: %s", name, table)
		}
	}
	var key string
	require.NoError(t, b.Pool().QueryRow(t.Context(), `SELECT api_key FROM credential ORDER BY api_key LIMIT 1`).Scan(&key))
	for table, n := range b.see(pgtest.API, domain.Scope{}, key) {
		if slices.Contains(authenticated, table) {
			require.Equal(t, 1, n, table)
		} else {
			require.Zero(t, n, table)
		}
	}

	// When it names no tenant, the worker sees the deliveries of all tenants and rows that are
	// old enough to be deleted, and nothing else.
	deliveries := []string{"account", "webhook_attempt", "webhook_delivery", "webhook_endpoint", "webhook_endpoint_health", "webhook_event", "webhook_key", "webhook_ready", "webhook_replay", "recalculation"}
	pruned := []string{"nonce", "outcome", "rule_proposal", "rule_set"}
	for table, n := range b.see(pgtest.Worker, domain.Scope{}, "") {
		if slices.Contains(deliveries, table) {
			require.Equal(t, b.Count(`SELECT count(*) FROM `+table), n, table)
		} else {
			require.Zero(t, n, table)
		}
	}
	b.age(100 * 24 * time.Hour)
	for table, n := range b.see(pgtest.Worker, domain.Scope{}, "") {
		if slices.Contains(pruned, table) {
			require.Equal(t, b.Count(`SELECT count(*) FROM `+table), n, table)
		}
	}
	for _, scope := range append(scopes, domain.Scope{OrganizationID: b.Call.Scope.OrganizationID}, domain.Scope{OrganizationID: b.Account.ID, Environment: domain.Sandbox}) {
		api := b.see(pgtest.API, scope, "")
		for table, n := range b.see(pgtest.Worker, scope, "") {
			require.Equal(t, api[table], n, "%s: of the tenant alone", table)
		}
	}
}

// TestRowSecurity_WritesReachOneTenant updates and deletes without a condition, and inserts rows of
// another tenant.
func TestRowSecurity_WritesReachOneTenant(t *testing.T) {
	b := setup(t)
	otherAccount, otherCall := b.NewAccount("other", "UTC")
	b.furnish(b.Account, b.Call)
	b.furnish(otherAccount, otherCall)
	of := func(role string, work func(pgx.Tx)) {
		conn := b.as(role)
		tx, err := conn.Begin(t.Context())
		require.NoError(t, err)
		require.NoError(t, only(tx.Exec(t.Context(), `SELECT set_config('requisite.organization', $1, true), set_config('requisite.environment', 'sandbox', true)`, b.Call.Scope.OrganizationID.String())))
		work(tx)
		require.NoError(t, tx.Rollback(t.Context()))
	}
	changes := map[string]string{
		"business": `UPDATE business SET version = version + 1`, "person": `DELETE FROM person`, "sales_info": `DELETE FROM sales_info`, "workflow": `UPDATE workflow SET version = version + 1`,
		"required_document": `UPDATE required_document SET name = 'x'`, "rule_proposal": `UPDATE rule_proposal SET state = 'OUTDATED', decided_at = now()`,
		"webhook_key": `UPDATE webhook_key SET revealed_at = now()`, "webhook_endpoint": `UPDATE webhook_endpoint SET description = 'x'`,
		"webhook_endpoint_health": `UPDATE webhook_endpoint_health SET probes = 1`, "webhook_delivery": `UPDATE webhook_delivery SET last_error = 'x'`, "webhook_ready": `UPDATE webhook_ready SET session_at = now()`,
		"outcome": `UPDATE outcome SET content = NULL, key = NULL, body_sha256 = NULL`, "nonce": `UPDATE nonce SET expires_at = now()`,
	}
	mine := b.see(pgtest.API, b.Call.Scope, "")
	of(pgtest.API, func(tx pgx.Tx) {
		for _, table := range slices.Sorted(maps.Keys(changes)) {
			tag, err := tx.Exec(t.Context(), changes[table])
			require.NoError(t, err, table)
			require.EqualValues(t, mine[table], tag.RowsAffected(), table)
		}
	})
	foreign := map[string]string{
		"business": `INSERT INTO business (id, account_id, legal_name, created_at, updated_at) VALUES (gen_random_uuid(), $1, 'x', now(), now())`,
		"workflow": `INSERT INTO workflow (id, account_id, business_id, state, created_at, created_on, updated_at) SELECT gen_random_uuid(), $1, id, 'CREATED', now(), now(), now() FROM business`,
		"rule_proposal": `INSERT INTO rule_proposal (id, account_id, content, environment_version, cost_limit, applies_to, keep_approvals, changes, comment, proposed_by, proposed_by_type, proposed_at)
			VALUES (gen_random_uuid(), $1, '{}', 1, 1, 'ALL', '{}', '{}', 'x', 'x', 'SYSTEM', now())`,
		"rule_set": `INSERT INTO rule_set (id, account_id, version, content, sha256, environment_version, cost_limit, published_at, published_by)
			VALUES (gen_random_uuid(), $1, 99, '{}', sha256(''), 1, 1, now(), 'x')`,
		"webhook_key": `INSERT INTO webhook_key (account_id, key_id, day, iteration, status, secret_sealed, created_at) SELECT $1, key_id, day, iteration, 'INACTIVE', '', created_at FROM webhook_key`,
		"outcome": `INSERT INTO outcome (run_id, organization_id, environment, operation, key, body_sha256)
			SELECT 'x', organization_id, 'sandbox', 'x', 'x', sha256('') FROM unnest(ARRAY['` + otherCall.Scope.OrganizationID.String() + `'::uuid]) AS organization_id WHERE $1::uuid IS NOT NULL`,
	}
	of(pgtest.API, func(tx pgx.Tx) {
		require.ErrorContains(t, only(tx.Exec(t.Context(), `SELECT emit_events(NULL, $1, NULL, NULL, 'x', 'SYSTEM', now(), ARRAY[gen_random_uuid()], '{X}', '{"{}"}', '{""}', '{NULL}', '{}')`, otherAccount.ID)), "not the tenant's")
	})
	of(pgtest.API, func(tx pgx.Tx) {
		require.ErrorContains(t, only(tx.Exec(t.Context(), `SELECT give_event_positions($1)`, otherAccount.ID)), "not the tenant's")
	})
	for table, sql := range foreign {
		of(pgtest.API, func(tx pgx.Tx) {
			require.ErrorContains(t, only(tx.Exec(t.Context(), sql, otherAccount.ID)), "row-level security", table)
		})
	}
	of(pgtest.API, func(tx pgx.Tx) {
		require.NoError(t, only(tx.Exec(t.Context(), `SET LOCAL row_security = off`)))
		require.ErrorContains(t, only(tx.Exec(t.Context(), `SELECT FROM business`)), "42501", "nobody turns it off")
	})
}

// TestRowSecurity_SettingEndsWithItsTransaction: one connection serves one tenant after the other,
// for every kind of query.
func TestRowSecurity_SettingEndsWithItsTransaction(t *testing.T) {
	b := setup(t)
	otherAccount, otherCall := b.NewAccount("other", "UTC")
	one := server.Open(t, pgtest.As(b.URL, pgtest.API), nil, store.Options{Connections: db.Connections{Max: 1}})
	for range 3 {
		for call, account := range map[string]domain.Account{"mine": b.Account, "other": otherAccount} {
			scope, foreign := b.Call.Scope, otherAccount
			if call == "other" {
				scope, foreign = otherCall.Scope, b.Account
			}
			require.NoError(t, only(one.Records(scope).Tenants.Get(t.Context(), account.WireID())))
			require.NoError(t, only(one.Write(t.Context(), domain.Call{Scope: scope, Actor: domain.System}, func(r *store.Records) (any, error) { return r.Tenants.Get(t.Context(), account.WireID()) })))
			pgtest.Refused(t, only(one.Records(scope).Tenants.Get(t.Context(), foreign.WireID())))
			pgtest.Refused(t, only(one.Records(domain.Scope{}).Tenants.Get(t.Context(), account.WireID())))
			listed, err := one.Credentials.Minimal(t.Context()) // outside of any setting
			require.NoError(t, err)
			require.Empty(t, listed)
		}
	}
}

// TestPlans_FindAnExternalID among many by its own index, and not by going through the
// account.
func TestPlans_FindAnExternalID(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.Exec(`INSERT INTO business (id, account_id, external_id, legal_name, created_at, updated_at)
		SELECT gen_random_uuid(), $1, n, 'b', now(), now() FROM generate_series(1, 5000) n`, b.Account.ID))
	require.NoError(t, b.Exec(`INSERT INTO workflow (id, account_id, business_id, external_id, state, created_at, created_on, updated_at)
		SELECT gen_random_uuid(), $1, $2, n, 'CREATED', now(), now(), now() FROM generate_series(1, 5000) n`, b.Account.ID, b.Business.ID))
	require.NoError(t, b.Exec(`ANALYZE`))
	noted := &pgtest.Spy{}
	b.Store = server.Open(t, pgtest.As(b.URL, pgtest.API), nil, store.Options{Tracer: noted})
	r := b.Store.Records(b.Call.Scope)
	require.NoError(t, errors.Join(
		only2(r.Businesses.List(t.Context(), b.Account.WireID(), "7", domain.Page{Limit: 20})),
		only2(r.Workflows.List(t.Context(), b.Account.WireID(), domain.WorkflowFilter{ExternalID: "7"}, domain.Page{Limit: 20}))))
	found := 0
	b.explain(noted, func(sql, plan string) {
		for _, table := range []string{"business", "workflow"} {
			if strings.Contains(sql, table[:1]+".external_id = $") {
				require.Contains(t, plan, table+"_external_id", sql)
				found++
			}
		}
	})
	require.Equal(t, 2, found)
}

// explain explains what a store has sent, as the api and under the tenant's setting, and
// counts it.
func (b *bundle) explain(noted *pgtest.Spy, check func(sql, plan string)) (explained int) {
	t := b.TB
	conn := b.as(pgtest.API)
	for _, q := range noted.Sent {
		verb, _, _ := strings.Cut(strings.TrimSpace(q.SQL), " ")
		if !slices.Contains([]string{"SELECT", "UPDATE", "DELETE", "INSERT"}, strings.ToUpper(verb)) || strings.Contains(q.SQL, "set_config") || strings.Contains(q.SQL, "pg_notify") {
			continue
		}
		tx, err := conn.Begin(t.Context())
		require.NoError(t, err)
		require.NoError(t, only(tx.Exec(t.Context(), `SELECT set_config('requisite.organization', $1, true), set_config('requisite.environment', 'sandbox', true)`, b.Call.Scope.OrganizationID.String())))
		rows, err := tx.Query(t.Context(), `EXPLAIN `+q.SQL, q.Arguments...)
		require.NoError(t, err, q.SQL)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err, q.SQL)
		check(q.SQL, strings.Join(lines, "\n"))
		explained++
		require.NoError(t, tx.Rollback(t.Context()))
	}
	return explained
}
