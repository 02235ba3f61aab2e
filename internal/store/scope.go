package store

import (
	"context"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
)

// Scopes finds the scope of a record. It is for operators' commands, which work on the records of
// every tenant.
type Scopes struct{ *base }

// Account finds the scope of an account.
func (s Scopes) Account(ctx context.Context, wireID id.AccountID) (domain.Scope, error) {
	environment := domain.Sandbox
	if wireID.Prefix() == id.AccountLive {
		environment = domain.Live
	}
	return existing[domain.Scope](ctx, s.db, refusal.EntityAccount, wireID,
		`SELECT organization_id, environment FROM account WHERE id = $1 AND environment = $2`, wireID.UUID, environment)
}

// Workflow finds the scope of a workflow.
func (s Scopes) Workflow(ctx context.Context, wireID id.WorkflowID) (domain.Scope, error) {
	return existing[domain.Scope](ctx, s.db, refusal.EntityWorkflow, wireID,
		`SELECT a.organization_id, a.environment FROM workflow w JOIN account a ON a.id = w.account_id WHERE w.id = $1`, wireID.UUID)
}

// Proposal finds the scope of a proposal of rules.
func (s Scopes) Proposal(ctx context.Context, wireID id.ProposalID) (domain.Scope, error) {
	return existing[domain.Scope](ctx, s.db, refusal.EntityDocumentRules, wireID,
		`SELECT a.organization_id, a.environment FROM rule_proposal q JOIN account a ON a.id = q.account_id WHERE q.id = $1`, wireID.UUID)
}

// Decision finds the scope of a decision.
func (s Scopes) Decision(ctx context.Context, wireID id.DecisionID) (domain.Scope, error) {
	return existing[domain.Scope](ctx, s.db, refusal.EntityDecision, wireID, `
		SELECT a.organization_id, a.environment
		FROM decision d
			JOIN workflow w ON w.id = d.workflow_id
			JOIN account a ON a.id = w.account_id
		WHERE d.id = $1`, wireID.UUID)
}

// Delivery finds the scope of a delivery.
func (s Scopes) Delivery(ctx context.Context, wireID id.WebhookDeliveryID) (domain.Scope, error) {
	return existing[domain.Scope](ctx, s.db, refusal.EntityWebhookDelivery, wireID,
		`SELECT a.organization_id, a.environment FROM webhook_delivery d JOIN account a ON a.id = d.account_id WHERE d.id = $1`, wireID.UUID)
}

// Endpoint finds the scope of an endpoint.
func (s Scopes) Endpoint(ctx context.Context, wireID id.WebhookConfigID) (domain.Scope, error) {
	return existing[domain.Scope](ctx, s.db, refusal.EntityWebhookConfig, wireID,
		`SELECT a.organization_id, a.environment FROM webhook_endpoint e JOIN account a ON a.id = e.account_id WHERE e.id = $1`, wireID.UUID)
}

// Recalculation finds the scope of a recalculation.
func (s Scopes) Recalculation(ctx context.Context, run id.RecalculationID) (domain.Scope, error) {
	return existing[domain.Scope](ctx, s.db, refusal.EntityRecalculation, run,
		`SELECT a.organization_id, a.environment FROM recalculation r JOIN account a ON a.id = r.account_id WHERE r.id = $1`, run.UUID)
}
