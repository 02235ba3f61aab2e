package store

// Advisory locks protect what a calculation depends on besides its workflow: the facts of a
// business, and the policy of an account. A decision shares the locks until its commit. A change
// takes its lock exclusively. Row locks would not work: Postgres grants shared row locks to
// newcomers while a change waits, so that a change could wait forever while many calculations run.
// Advisory locks are granted in order.
//
// The order of locks: the row of the outcome, the account's row, the workflow's row, the business,
// the policy, proposals of rules, the account's recalculation, the organization's row, and last the
// locks of endpoints and deliveries.
const (
	businessLock = `hashtextextended('business/' || business_id::text, 0)`
	policyLock   = `hashtextextended('policy/' || account_id::text, 0)`
)

// Transactions that encrypt a new secret share sealingLock. A count of the secrets under old keys
// takes it exclusively, and waits for no other lock.
const sealingLock = `hashtextextended('sealing', 0)`

// lockFactsSQL locks a workflow, and shares the locks of its facts and its account's policy. The
// next statement sees all earlier changes.
const lockFactsSQL = `
	WITH w AS MATERIALIZED (SELECT business_id, account_id FROM workflow WHERE id = $1 FOR NO KEY UPDATE)
	SELECT pg_advisory_xact_lock_shared(` + businessLock + `), pg_advisory_xact_lock_shared(` + policyLock + `) FROM w`

// These statements lock. They find no record of another tenant, and so cannot lock one.
const (
	// shareBusinessSQL prevents changes of the facts of a business, and its erasure, until the
	// transaction ends.
	shareBusinessSQL = `SELECT pg_advisory_xact_lock_shared(` + businessLock + `) FROM (SELECT id AS business_id FROM business WHERE id = $1) b`
	// lockBusinessSQL waits for transactions that share the lock of a business. Every change of its
	// facts takes it first.
	lockBusinessSQL = `SELECT pg_advisory_xact_lock(` + businessLock + `) FROM (SELECT id AS business_id FROM business WHERE id = $1) b`
	// sharePolicySQL prevents changes of an account's policy until the transaction ends.
	sharePolicySQL = `SELECT pg_advisory_xact_lock_shared(` + policyLock + `) FROM (SELECT id AS account_id FROM account WHERE id = $1) a`
	// lockPolicyOfProposalSQL is lockPolicySQL for the account of a proposal.
	lockPolicyOfProposalSQL = `SELECT pg_advisory_xact_lock(` + policyLock + `) FROM (SELECT account_id FROM rule_proposal WHERE id = $1) q`
	// lockPolicySQL waits for transactions that share the lock of an account's policy. Every change
	// of the policy takes it first.
	lockPolicySQL = `SELECT pg_advisory_xact_lock(` + policyLock + `) FROM (SELECT id AS account_id FROM account WHERE id = $1) a`
)
