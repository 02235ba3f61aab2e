// Package workflows holds the steps of the service's work. Each workflow is deterministic
// and does all I/O through activities.
package workflows

import (
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
)

// The registered names of workflows. Histories contain them, so they must not change.
const (
	CalculateRequiredDocumentsName = "CalculateRequiredDocuments"
	CalculatePricingName           = "CalculatePricing"
	CreateWebhookKeyName           = "CreateWebhookKey"
	ActivateWebhookKeyName         = "ActivateWebhookKey"
	SendWebhooksName               = "SendWebhooks"
	RetryEndpointName              = "RetryEndpoint"
	RecoverDeliveriesName          = "RecoverDeliveries"
	ReplayEventsName               = "ReplayEvents"
	ReconcileName                  = "Reconcile"
	PruneName                      = "Prune"
)

// Register registers the workflows and the activities that callers wait for.
// The worker and the api's own worker use it.
func Register(r worker.Registry, a *activities.Activities) {
	RegisterWorkflows(r)
	r.RegisterActivity(a)
}

// RegisterWebhooks registers the workflows, and the activities that send webhooks.
func RegisterWebhooks(r worker.Registry, w *activities.Webhooks) {
	RegisterWorkflows(r)
	r.RegisterActivity(w)
}

// RegisterUpkeep registers the workflows, and the activities of the upkeep queue.
func RegisterUpkeep(r worker.Registry, a *activities.Activities, w *activities.Webhooks, u *activities.Upkeep) {
	RegisterWorkflows(r)
	r.RegisterActivity(a)
	r.RegisterActivity(w)
	r.RegisterActivity(u)
}

// RegisterWorkflows registers the workflows alone, which is enough to replay histories.
func RegisterWorkflows(r worker.WorkflowRegistry) {
	r.RegisterWorkflowWithOptions(CalculateRequiredDocuments, workflow.RegisterOptions{Name: CalculateRequiredDocumentsName})
	r.RegisterWorkflowWithOptions(CalculatePricing, workflow.RegisterOptions{Name: CalculatePricingName})
	r.RegisterWorkflowWithOptions(CreateWebhookKey, workflow.RegisterOptions{Name: CreateWebhookKeyName})
	r.RegisterWorkflowWithOptions(ActivateWebhookKey, workflow.RegisterOptions{Name: ActivateWebhookKeyName})
	r.RegisterWorkflowWithOptions(SendWebhooks, workflow.RegisterOptions{Name: SendWebhooksName})
	r.RegisterWorkflowWithOptions(RetryEndpoint, workflow.RegisterOptions{Name: RetryEndpointName})
	r.RegisterWorkflowWithOptions(RecoverDeliveries, workflow.RegisterOptions{Name: RecoverDeliveriesName})
	r.RegisterWorkflowWithOptions(ReplayEvents, workflow.RegisterOptions{Name: ReplayEventsName})
	r.RegisterWorkflowWithOptions(Reconcile, workflow.RegisterOptions{Name: ReconcileName})
	r.RegisterWorkflowWithOptions(Prune, workflow.RegisterOptions{Name: PruneName})
}
