package schema

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"requisite/internal/store/db"

	"github.com/jackc/pgx/v5"
)

// access is what a role may do: its rights on tables, and the rows that it sees there besides the
// rows of the tenant that its transaction names. Rights on columns are written as in GRANT.
type access struct {
	tables    map[string][]string
	policies  []policy
	functions []string // these run with more rights than the role itself has
}

// policy lets a role see rows of every tenant.
type policy struct{ name, table, verb, using, check string }

// unnamedSQL holds in a transaction that names no tenant. It is evaluated once a statement.
const unnamedSQL = `(SELECT requisite_organization() IS NULL)`

// serving returns the rights that the api and the worker share, within one tenant. Neither may
// create an organization, an account or a credential, or publish prices. Neither may delete a
// record that has an id on the API.
func serving() map[string][]string {
	return map[string][]string{
		"account":      {"SELECT", "UPDATE (name)"}, // to lock it; no row passes the policy's check
		"account_fact": {"SELECT", "INSERT", "UPDATE (rules, rules_version)"},
		"business": {"SELECT", "INSERT", `UPDATE (external_id, legal_name, operating_name, established_date, industry_category_code, website, phone_number,
			email, address, no_persons_attested, custom, version, updated_at)`},
		"decision":         {"SELECT", "INSERT"},
		"goose_db_version": {"SELECT"},
		"outcome":          {"SELECT", "INSERT", "UPDATE (content, key, body_sha256)"},
		"person": {
			"SELECT", "INSERT",
			"UPDATE (external_id, first_name, last_name, citizenship, " +
				"ownership_percentage, date_of_birth, " +
				"country_of_residence, email, custom, updated_at)",
			"DELETE",
		},
		"pricing_model": {"SELECT"},
		"recalculation": {"SELECT", "INSERT", "UPDATE (state, again_at, requested_at, ended_at)"},
		"required_document": {"SELECT", "INSERT", `UPDATE (name, category, requirement_text, terms, published, status, previous_status, status_reason, version,
			origin, own, reasons, identity, bound, approval, evidence, reviewed_by, review_note, due_since, due_on, valid_until, notified, next_on, decision_id, updated_at)`},
		"rule_proposal":          {"SELECT", "INSERT", "UPDATE (state, decided_by, decided_by_type, decided_at, decision_comment, version_id, version)"},
		"rule_set":               {"SELECT", "INSERT"},
		"sales_amount":           {"SELECT", "INSERT"},
		"sales_info":             {"SELECT", "INSERT", "DELETE"},
		"schedule_success":       {"SELECT"},
		"webhook_attempt":        {"SELECT"},
		"webhook_delivery":       {"SELECT", "UPDATE"},
		"webhook_delivery_shown": {"SELECT"},
		"webhook_endpoint": {
			"SELECT", "INSERT",
			`UPDATE (url, url_key, event_types, description, rate_per_second, concurrency,
				status, disabled_reason, slot, updated_at,
				deleted_at)`,
		},
		"webhook_endpoint_health": {"SELECT", "INSERT", "UPDATE"},
		"webhook_event":           {"SELECT"},
		"webhook_ready":           {"SELECT", "INSERT", "UPDATE (session_at)"},
		"webhook_replay":          {"SELECT", "INSERT"},
		"webhook_key":             {"SELECT", "INSERT", "UPDATE (status, revealed_at, activated_at, deleted_at)"},
		"workflow": {"SELECT", "INSERT", `UPDATE (external_id, custom, state, evaluation_score, score_calculated_at, score_facts, version, documents_calculated_at,
			documents_as_of, documents_workflow_version, documents_business_version, documents_rule_set_id, findings, started_at, ended_at, updated_at)`},
	}
}

// GrantAPI lets a role answer callers: it authenticates them, and reads and writes within the
// tenant that a transaction names. The role must exist, and the caller must own the schema.
// Repeating it changes nothing.
func (s Schema) GrantAPI(ctx context.Context, role string) error {
	return s.grant(ctx, role, ofAPI())
}

func ofAPI() access {
	may := access{
		tables: serving(),
		functions: []string{
			"emit_events", "give_event_positions", "minimal_credentials", "rule_approvers",
			"sealed_credentials", "sealed_webhook_keys", "sealing_marks",
		},
	}
	may.tables["credential"] = []string{"SELECT", "UPDATE (last_used_at)"}
	may.tables["nonce"] = []string{"SELECT", "INSERT", "UPDATE (expires_at)"}
	may.tables["webhook_event_position"], may.tables["webhook_feed"] = []string{"SELECT"}, []string{"SELECT"}
	return may
}

// GrantWorker lets a role run workflows and activities. Within a tenant it may do what the api may.
// In transactions that name no tenant, it sends webhooks and deletes expired records of all
// tenants. It sees no credential.
func (s Schema) GrantWorker(ctx context.Context, role string) error {
	return s.grant(ctx, role, ofWorker())
}

func ofWorker() access {
	may := access{
		tables: serving(),
		functions: []string{
			"accounts_with_documents_due", "emit_events", "needed_rule_versions",
			"prune_decisions", "sealed_webhook_keys", "sealing_marks",
		},
	}
	for table, more := range map[string][]string{
		"nonce":            {"SELECT", "DELETE"},
		"outcome":          {"DELETE"},
		"recalculation":    {"UPDATE", "DELETE"},
		"rule_proposal":    {"DELETE"},
		"rule_set":         {"DELETE"},
		"schedule_success": {"INSERT", "UPDATE (at)"},
		"webhook_attempt":  {"INSERT", "UPDATE", "DELETE"}, "webhook_delivery": {"INSERT", "DELETE"}, "webhook_event": {"DELETE"},
		"webhook_ready": {"UPDATE", "DELETE"}, "webhook_replay": {"UPDATE", "DELETE"},
	} {
		may.tables[table] = append(may.tables[table], more...)
	}
	// The tables of webhook delivery, for all tenants.
	for _, table := range []string{
		"webhook_attempt", "webhook_delivery", "webhook_endpoint",
		"webhook_endpoint_health", "webhook_event", "webhook_ready", "webhook_replay",
	} {
		may.policies = append(may.policies, policy{name: "unnamed_deliveries", table: table, verb: "ALL", using: unnamedSQL})
	}
	may.policies = append(may.policies,
		policy{name: "unnamed_deliveries", table: "webhook_key", verb: "SELECT", using: unnamedSQL},
		policy{name: "unnamed_deliveries", table: "account", verb: "SELECT", using: unnamedSQL},
		policy{name: "unnamed_recalculations", table: "recalculation", verb: "ALL", using: unnamedSQL},
		policy{name: "unnamed_locks", table: "account", verb: "UPDATE", using: unnamedSQL, check: "false"},
	)
	// The tables that are pruned. The policies forbid deleting rows that are younger than the
	// minimum.
	for table, expired := range map[string]string{
		"nonce": `expires_at <= now()`, "outcome": `created_at < now() - interval '23 hours'`, "rule_set": `published_at < now() - interval '23 hours'`,
		"rule_proposal": `state <> 'APPROVED' AND coalesce(decided_at, proposed_at) < now() - interval '89 days'`,
	} {
		using := unnamedSQL + ` AND ` + expired
		may.policies = append(may.policies,
			policy{name: "unnamed_prune", table: table, verb: "DELETE", using: using},
			policy{name: "unnamed_expired", table: table, verb: "SELECT", using: using},
		)
	}
	return may
}

// GrantRead lets a role read everything but secrets, of every tenant. It has the same conditions as
// GrantAPI.
func (s Schema) GrantRead(ctx context.Context, role string) error {
	may := access{tables: map[string][]string{
		"credential":  {"SELECT (api_key, organization_id, environment, name, policy, policy_forced, permissions, created_at, expires_at, last_used_at, revoked_at)"},
		"outcome":     {"SELECT (run_id, organization_id, environment, operation, created_at)"},
		"webhook_key": {"SELECT (account_id, key_id, day, iteration, status, created_at, revealed_at, activated_at, deleted_at)"},
	}}
	for _, table := range []string{
		"account", "account_fact", "business", "decision",
		"goose_db_version", "operator_action", "organization",
		"person", "pricing_model", "recalculation",
		"required_document", "rule_proposal", "rule_set",
		"sales_amount", "sales_info", "schedule_success", "webhook_attempt", "webhook_delivery", "webhook_endpoint", "webhook_endpoint_health",
		"webhook_event", "webhook_event_position", "webhook_feed", "webhook_ready", "webhook_replay", "workflow",
	} {
		may.tables[table] = []string{"SELECT"}
	}
	for _, table := range slices.Sorted(maps.Keys(may.tables)) {
		if !slices.Contains([]string{"goose_db_version", "operator_action", "schedule_success"}, table) { // these name no tenant
			may.policies = append(may.policies, policy{name: "reader", table: table, verb: "SELECT", using: `true`})
		}
	}
	may.tables["webhook_delivery_shown"] = []string{"SELECT"} // the view has the rights of its reader
	return s.grant(ctx, role, may)
}

// EnsureLogin creates a role that logs in with a password, or changes its password.
func (s Schema) EnsureLogin(ctx context.Context, role, password string) error {
	err := s.conn.InTx(ctx, func(tx pgx.Tx) error {
		var exists bool
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)`, role).Scan(&exists); err != nil {
			return err
		}
		verb := `CREATE`
		if exists {
			verb = `ALTER`
		}
		// The log of failed statements would contain the password. Only a superuser can turn it
		// off.
		if _, err := tx.Exec(ctx, `SELECT set_config('log_min_error_statement', 'panic', true) FROM pg_roles WHERE rolname = current_user AND rolsuper`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, verb+` ROLE `+pgx.Identifier{role}.Sanitize()+` LOGIN PASSWORD '`+strings.ReplaceAll(password, `'`, `''`)+`'`)
		return err
	})
	if err != nil {
		return fmt.Errorf("make the database role %q: %w", role, err)
	}
	return nil
}

// grant grants a role its rights and revokes all others on the schema's tables. After a failure,
// repeating it completes it.
func (s Schema) grant(ctx context.Context, role string, may access) error {
	name := pgx.Identifier{role}.Sanitize()
	statements := []string{
		`REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ` + name,
		`REVOKE ALL ON ALL ROUTINES IN SCHEMA public FROM ` + name,
		`GRANT USAGE ON SCHEMA public TO ` + name,
	}
	for _, table := range slices.Sorted(maps.Keys(may.tables)) {
		statements = append(statements, `GRANT `+strings.Join(may.tables[table], ", ")+` ON `+table+` TO `+name)
	}
	for _, function := range may.functions {
		statements = append(statements, `GRANT EXECUTE ON FUNCTION `+function+` TO `+name)
	}
	err := s.conn.InTx(ctx, func(tx pgx.Tx) error {
		before, err := rightsOf(ctx, tx, role)
		if err != nil {
			return err
		}
		for _, sql := range statements {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return err
			}
		}
		after, err := rightsOf(ctx, tx, role)
		if err != nil || slices.Equal(before, after) {
			return err
		}
		return s.announce(ctx)
	})
	if err == nil {
		err = s.grantPolicies(ctx, role, may.policies)
	}
	if err != nil {
		return db.Advise(fmt.Errorf("grant rights to the database role %q: %w", role, err))
	}
	return nil
}

// rightsOf lists the rights of a role that grant grants and revokes, in a fixed order.
func rightsOf(ctx context.Context, tx pgx.Tx, role string) ([]string, error) {
	rows, err := tx.Query(ctx, `
		SELECT concat_ws(' ', may.kind, may.of, may.part, a.privilege_type, a.is_grantable)
		FROM (
			SELECT 'schema' AS kind, oid AS of, 0 AS part, nspacl AS acl FROM pg_namespace WHERE nspname = 'public'
			UNION ALL SELECT 'table', oid, 0, relacl FROM pg_class WHERE relnamespace = 'public'::regnamespace
			UNION ALL SELECT 'column', attrelid, attnum, attacl FROM pg_attribute
				WHERE attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
			UNION ALL SELECT 'routine', oid, 0, proacl FROM pg_proc WHERE pronamespace = 'public'::regnamespace
		) may, aclexplode(may.acl) a JOIN pg_roles r ON r.oid = a.grantee
		WHERE r.rolname = $1 ORDER BY 1`, role)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// grantPolicies creates and drops policies until a role has the right ones. It leaves a correct
// policy alone, because recreating it would wait for every transaction on its table. A policy's
// comment holds its definition. Each table has a transaction of its own: a transaction that locks
// several tables could deadlock with the programs' transactions.
func (s Schema) grantPolicies(ctx context.Context, role string, policies []policy) error {
	type made struct{ Name, Table, Comment string }
	found, err := db.Many[made](ctx, s.conn, `
		SELECT p.polname::text AS name, c.relname::text AS table, coalesce(obj_description(p.oid, 'pg_policy'), '') AS comment
		FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid JOIN pg_roles r ON p.polroles = ARRAY[r.oid]
		WHERE r.rolname = $1 AND obj_description(p.oid, 'pg_policy') IS NOT NULL`, role)
	if err != nil {
		return err
	}
	want := map[made]string{}
	for _, p := range policies {
		definition := ` ON ` + p.table + ` FOR ` + p.verb + ` TO ` + pgx.Identifier{role}.Sanitize() + ` USING (` + p.using + `)`
		if p.check != "" {
			definition += ` WITH CHECK (` + p.check + `)`
		}
		// Two roles of one kind each have their own policy.
		name := fmt.Sprintf("%s_%x", p.name, sha256.Sum256([]byte(role)))[:len(p.name)+9]
		want[made{name, p.table, definition}] = pgx.Identifier{name}.Sanitize()
	}
	statements := map[string][]string{} // by table
	for _, old := range found {
		if _, right := want[old]; right {
			delete(want, old)
			continue
		}
		statements[old.Table] = append(statements[old.Table], `DROP POLICY `+pgx.Identifier{old.Name}.Sanitize()+` ON `+pgx.Identifier{old.Table}.Sanitize())
	}
	for p, name := range want {
		statements[p.Table] = append(statements[p.Table], `CREATE POLICY `+name+p.Comment,
			`COMMENT ON POLICY `+name+` ON `+pgx.Identifier{p.Table}.Sanitize()+` IS '`+strings.ReplaceAll(p.Comment, `'`, `''`)+`'`)
	}
	if len(statements) > 0 {
		if err := s.announce(ctx); err != nil {
			return err
		}
	}
	for _, table := range slices.Sorted(maps.Keys(statements)) {
		err := s.conn.InTx(ctx, func(tx pgx.Tx) error {
			for _, sql := range statements[table] {
				if _, err := tx.Exec(ctx, sql); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
