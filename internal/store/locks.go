package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
)

// What a calculation rests on, beside its workflow, is protected by advisory locks: the facts of
// a business, and the policy of an account. Whoever decides shares them until the commit, and
// whoever changes them holds them alone. A row lock would not do: Postgres gives a shared one to
// newcomers while a change waits, so that a change would wait for ever beside many calculations.
// Advisory locks are granted in order.
//
// The order of locks is the workflow's row, the business, the policy, the organization's row, then
// the locks of endpoints and deliveries.
const (
	businessLock = `hashtextextended('business/' || business_id::text, 0)`
	policyLock   = `hashtextextended('policy/' || account_id::text, 0)`
)

// lockFactsSQL locks a workflow, and shares its facts and its account's policy. A statement
// that follows sees all changes that were made before.
const lockFactsSQL = `
	WITH w AS MATERIALIZED (SELECT business_id, account_id FROM workflow WHERE id = $1 FOR NO KEY UPDATE)
	SELECT pg_advisory_xact_lock_shared(` + businessLock + `), pg_advisory_xact_lock_shared(` + policyLock + `) FROM w`

// shareBusiness keeps the facts of a business as they are until the transaction ends, and
// keeps it from being erased.
func (r *Records) shareBusiness(ctx context.Context, business uuid.UUID) error {
	return r.lock(ctx, `SELECT pg_advisory_xact_lock_shared(`+businessLock+`) FROM (SELECT id AS business_id FROM business WHERE id = $1) b`, business)
}

// lockBusiness waits for whoever shares a business. It comes before every change of its facts.
func (r *Records) lockBusiness(ctx context.Context, business uuid.UUID) error {
	return r.lock(ctx, `SELECT pg_advisory_xact_lock(`+businessLock+`) FROM (SELECT id AS business_id FROM business WHERE id = $1) b`, business)
}

// lockPolicy waits for whoever shares an account's policy. It comes before every change of it.
func (r *Records) lockPolicy(ctx context.Context, account uuid.UUID) error {
	return r.lock(ctx, `SELECT pg_advisory_xact_lock(`+policyLock+`) FROM account_policy WHERE account_id = $1`, account)
}

// lock sends a statement that locks. It finds nothing of another tenant, and so locks nothing
// there.
func (r *Records) lock(ctx context.Context, sql string, of uuid.UUID) error {
	if _, err := r.q.Exec(ctx, sql, of); err != nil {
		return fmt.Errorf("lock what a calculation rests on: %w", err)
	}
	return nil
}
