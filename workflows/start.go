package workflows

import (
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"requisite/internal/domain"
	"requisite/internal/temporalclient"
)

// Kind is a kind of run that somebody waits for.
type Kind struct {
	Workflow string // its registered name
	Prefix   string // how the ids of its runs begin
}

// Start is a run to be started, whoever asks for it.
type Start struct {
	Kind
	Subject    string // what it is about, as a wire id
	AccountID  string
	Summary    string
	Attributes []temporal.SearchAttributeUpdate // beside the account
	Input      any
}

// Options start the run under an id. Without details of its own it says what
// details say; more are further search attributes.
func (s Start) Options(id, details string, more ...temporal.SearchAttributeUpdate) client.StartWorkflowOptions {
	attributes := append(append([]temporal.SearchAttributeUpdate{temporalclient.AccountID.ValueSet(s.AccountID)}, s.Attributes...), more...)
	return client.StartWorkflowOptions{
		ID:        id,
		TaskQueue: temporalclient.Sync,
		// Where this process has a worker, the first task comes back with the start.
		EnableEagerStart: true,
		// The tasks of one account hold nobody else's up.
		Priority:              temporal.Priority{FairnessKey: s.AccountID},
		StaticSummary:         s.Summary,
		StaticDetails:         details,
		TypedSearchAttributes: temporal.NewSearchAttributes(attributes...),
	}
}

// newRun reads the clock once for all that a run writes.
func newRun(ctx workflow.Context, call domain.Call) domain.Run {
	return domain.Run{ID: workflow.GetInfo(ctx).WorkflowExecution.RunID, Call: call, StartedAt: workflow.Now(ctx)}
}
