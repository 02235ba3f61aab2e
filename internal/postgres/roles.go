package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// GrantApp lets a role serve: it reads and writes rows, and can neither change
// the schema nor rewrite what is immutable. The role must exist; whoever grants
// must own the schema. Granting again changes nothing.
func (s *Store) GrantApp(ctx context.Context, role string) error {
	name := pgx.Identifier{role}.Sanitize()
	return s.grant(ctx, role, []string{
		`REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ` + name,
		`GRANT USAGE ON SCHEMA public TO ` + name,
		`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ` + name,
		`REVOKE INSERT, UPDATE, DELETE ON goose_db_version FROM ` + name,
		`REVOKE UPDATE ON rule_set FROM ` + name,
		`REVOKE UPDATE, DELETE ON pricing_model FROM ` + name,
		`REVOKE UPDATE ON webhook_event FROM ` + name,
		`REVOKE DELETE ON organization, account, credential, business, workflow, required_document, webhook_key, webhook_endpoint FROM ` + name,
	})
}

// GrantRead lets a role read everything but secrets, as GrantApp does.
func (s *Store) GrantRead(ctx context.Context, role string) error {
	name := pgx.Identifier{role}.Sanitize()
	return s.grant(ctx, role, []string{
		`REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ` + name,
		`GRANT USAGE ON SCHEMA public TO ` + name,
		`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ` + name,
		`REVOKE SELECT ON credential, webhook_key, nonce, idempotency FROM ` + name,
		`GRANT SELECT (api_key, organization_id, environment, name, policy, policy_forced, created_at, revoked_at) ON credential TO ` + name,
		`GRANT SELECT (account_id, key_id, day, iteration, status, created_at, revealed_at, activated_at, deleted_at) ON webhook_key TO ` + name,
	})
}

func (s *Store) grant(ctx context.Context, role string, statements []string) error {
	return s.inTx(ctx, func(tx pgx.Tx) error {
		for _, sql := range statements {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return fmt.Errorf("grant rights to the database role %q: %w", role, err)
			}
		}
		return nil
	})
}
