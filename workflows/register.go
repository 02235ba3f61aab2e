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
	ApplyDeadlinesName             = "ApplyDeadlines"
	RecalculateName                = "RecalculateAccount"
	StartRecalculationsName        = "StartRecalculations"
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

// registered are the workflows with their names.
var registered = []struct {
	name     string
	workflow any
}{
	{CalculateRequiredDocumentsName, CalculateRequiredDocuments},
	{CalculatePricingName, CalculatePricing},
	{CreateWebhookKeyName, CreateWebhookKey},
	{ActivateWebhookKeyName, ActivateWebhookKey},
	{SendWebhooksName, SendWebhooks},
	{RetryEndpointName, RetryEndpoint},
	{RecoverDeliveriesName, RecoverDeliveries},
	{ReplayEventsName, ReplayEvents},
	{ReconcileName, Reconcile},
	{PruneName, Prune},
	{ApplyDeadlinesName, ApplyDeadlines},
	{RecalculateName, RecalculateAccount},
	{StartRecalculationsName, StartRecalculations},
}

// RegisterWorkflows registers the workflows alone, which is enough to replay histories.
func RegisterWorkflows(r worker.WorkflowRegistry) {
	for _, w := range registered {
		r.RegisterWorkflowWithOptions(w.workflow, workflow.RegisterOptions{Name: w.name})
	}
}

// Names returns the names of all workflows, which Temporal calls their types.
func Names() (names []string) {
	for _, w := range registered {
		names = append(names, w.name)
	}
	return names
}
