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
	PruneName                      = "Prune"
)

// Register makes a worker able to run everything. The worker, the api's own
// worker and the tests all use it.
func Register(r worker.Registry, a *activities.Activities) {
	RegisterWorkflows(r)
	r.RegisterActivity(a)
}

// RegisterWorkflows is Register for whoever replays histories and runs nothing.
func RegisterWorkflows(r worker.WorkflowRegistry) {
	r.RegisterWorkflowWithOptions(CalculateRequiredDocuments, workflow.RegisterOptions{Name: CalculateRequiredDocumentsName})
	r.RegisterWorkflowWithOptions(CalculatePricing, workflow.RegisterOptions{Name: CalculatePricingName})
	r.RegisterWorkflowWithOptions(CreateWebhookKey, workflow.RegisterOptions{Name: CreateWebhookKeyName})
	r.RegisterWorkflowWithOptions(ActivateWebhookKey, workflow.RegisterOptions{Name: ActivateWebhookKeyName})
	r.RegisterWorkflowWithOptions(Prune, workflow.RegisterOptions{Name: PruneName})
}
