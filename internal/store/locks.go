package store

// Advisory locks protect what a calculation depends on beside its workflow: the facts of a business,
// and the policy of an account. A decision shares the locks until its commit. A change takes its
// lock exclusively. A row lock would not do: Postgres gives a shared one to
// newcomers while a change waits, so that a change would wait for ever beside many calculations.
// Advisory locks are granted in order.
//
// The order of locks is the row of the outcome, the account's row, the workflow's row, the business, the policy,
// proposals of rules, the account's recalculation, the organization's row, then the locks of endpoints and deliveries.
const (
	businessLock = `hashtextextended('business/' || business_id::text, 0)`
	policyLock   = `hashtextextended('policy/' || account_id::text, 0)`
)

// sealingLock is shared by transactions that encrypt a new secret. Who counts what old keys
// encrypt takes it alone, and waits for no other lock.
const sealingLock = `hashtextextended('sealing', 0)`

// lockFactsSQL locks a workflow, and shares its facts and its account's policy. A statement
// that follows sees all changes that were made before.
const lockFactsSQL = `
	WITH w AS MATERIALIZED (SELECT business_id, account_id FROM workflow WHERE id = $1 FOR NO KEY UPDATE)
	SELECT pg_advisory_xact_lock_shared(` + businessLock + `), pg_advisory_xact_lock_shared(` + policyLock + `) FROM w`

// Statements that lock. They find nothing of another tenant, and so lock nothing there.
const (
	// shareBusinessSQL keeps the facts of a business as they are until the transaction ends, and
	// keeps it from being erased.
	shareBusinessSQL = `SELECT pg_advisory_xact_lock_shared(` + businessLock + `) FROM (SELECT id AS business_id FROM business WHERE id = $1) b`
	// lockBusinessSQL waits for transactions that share a business. It precedes every change of its facts.
	lockBusinessSQL = `SELECT pg_advisory_xact_lock(` + businessLock + `) FROM (SELECT id AS business_id FROM business WHERE id = $1) b`
	// lockPolicyOfProposalSQL is lockPolicySQL for the account of a proposal.
	lockPolicyOfProposalSQL = `SELECT pg_advisory_xact_lock(` + policyLock + `) FROM (SELECT account_id FROM rule_proposal WHERE id = $1) q`
	// lockPolicySQL waits for transactions that share an account's policy. It precedes every change of it.
	lockPolicySQL = `SELECT pg_advisory_xact_lock(` + policyLock + `) FROM (SELECT id AS account_id FROM account WHERE id = $1) a`
)
