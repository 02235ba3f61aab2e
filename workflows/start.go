package workflows

import (
	"cmp"
	"slices"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"requisite/internal/domain"
	"requisite/internal/temporalclient"
)

// Kind is a kind of run that callers wait for.
type Kind struct {
	Workflow string // its registered name
	Prefix   string // of the ids of its runs
	Queue    string // its task queue; Sync when it is empty
	// The names of the activities that commit. The result of one answers the caller, even if the
	// run fails afterwards.
	CommittingActivities []string
}

// CommittingActivities are the names of the committing activities of all kinds of runs that callers
// wait for.
func CommittingActivities() []string {
	return slices.Concat(Calculation.CommittingActivities, Pricing.CommittingActivities, KeyCreation.CommittingActivities, KeyActivation.CommittingActivities)
}

// Start describes a run that is to be started, by the api or by starter.
type Start struct {
	Kind
	Subject    string // the wire id of its record
	AccountID  string
	Summary    string
	Attributes []temporal.SearchAttributeUpdate // beside the account
	Input      any
}

// Options are the options that start the run under an id. details become its
// static details; more are additional search attributes.
func (s Start) Options(id, details string, more ...temporal.SearchAttributeUpdate) client.StartWorkflowOptions {
	attributes := append(append([]temporal.SearchAttributeUpdate{temporalclient.AccountID.ValueSet(s.AccountID)}, s.Attributes...), more...)
	queue := cmp.Or(s.Queue, temporalclient.Sync)
	return client.StartWorkflowOptions{
		ID:        id,
		TaskQueue: queue,
		// When this process has a worker, the response to the start carries the first task.
		EnableEagerStart: queue == temporalclient.Sync,
		// The tasks of one account do not delay those of others.
		Priority:              temporal.Priority{FairnessKey: s.AccountID},
		StaticSummary:         s.Summary,
		StaticDetails:         details,
		TypedSearchAttributes: temporal.NewSearchAttributes(attributes...),
	}
}

// newRun reads the clock once for everything that a run writes.
func newRun(ctx workflow.Context, call domain.Call) domain.Run {
	return domain.Run{ID: workflow.GetInfo(ctx).WorkflowExecution.RunID, Call: call, StartedAt: workflow.Now(ctx)}
}
