// Package workflows says what the service does, step by step, and nothing of
// how: each workflow is deterministic and touches the world through activities
// alone.
package workflows

import (
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
)

// The names under which workflows run; histories hold them, so they stay.
const (
	CalculateRequiredDocumentsName = "CalculateRequiredDocuments"
	CalculatePricingName           = "CalculatePricing"
	CreateWebhookKeyName           = "CreateWebhookKey"
	ActivateWebhookKeyName         = "ActivateWebhookKey"
	DeliverWebhookName             = "DeliverWebhook"
	RecoverDeliveriesName          = "RecoverDeliveries"
	ReconcileName                  = "Reconcile"
	PruneName                      = "Prune"
)

// Register makes a worker able to run what callers wait for. The worker and the
// api's own worker use it.
func Register(r worker.Registry, a *activities.Activities) {
	RegisterWorkflows(r)
	r.RegisterActivity(a)
}

// RegisterDeliveries makes a worker able to send webhooks.
func RegisterDeliveries(r worker.Registry, d *activities.Deliveries) {
	RegisterWorkflows(r)
	r.RegisterActivity(d)
}

// RegisterUpkeep makes a worker able to delete what has expired.
func RegisterUpkeep(r worker.Registry, u *activities.Upkeep) {
	RegisterWorkflows(r)
	r.RegisterActivity(u)
}

// RegisterWorkflows is Register for whoever replays histories and runs nothing.
func RegisterWorkflows(r worker.WorkflowRegistry) {
	r.RegisterWorkflowWithOptions(CalculateRequiredDocuments, workflow.RegisterOptions{Name: CalculateRequiredDocumentsName})
	r.RegisterWorkflowWithOptions(CalculatePricing, workflow.RegisterOptions{Name: CalculatePricingName})
	r.RegisterWorkflowWithOptions(CreateWebhookKey, workflow.RegisterOptions{Name: CreateWebhookKeyName})
	r.RegisterWorkflowWithOptions(ActivateWebhookKey, workflow.RegisterOptions{Name: ActivateWebhookKeyName})
	r.RegisterWorkflowWithOptions(DeliverWebhook, workflow.RegisterOptions{Name: DeliverWebhookName})
	r.RegisterWorkflowWithOptions(RecoverDeliveries, workflow.RegisterOptions{Name: RecoverDeliveriesName})
	r.RegisterWorkflowWithOptions(Reconcile, workflow.RegisterOptions{Name: ReconcileName})
	r.RegisterWorkflowWithOptions(Prune, workflow.RegisterOptions{Name: PruneName})
}
