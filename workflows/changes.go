package workflows

import (
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
)

// During a deployment and a rollback, workers of two releases execute the tasks of a run. So
// a change of a workflow takes two releases. The first has the change behind
// workflow.GetVersion, but not in activeChanges: it can continue runs with the change, and
// starts none. The second lists it. The same holds for signals, and for the names, inputs,
// results and heartbeats of activities. See "a workflow" in CONTRIBUTING.md.
var activeChanges = map[string]bool{}

// preferredVersion is the version that a run takes when it first reaches a
// workflow.GetVersion.
func preferredVersion(in worker.PreferredVersionProviderInput) *worker.VersionPreference {
	if activeChanges[in.ChangeID] {
		return nil // the newest
	}
	return &worker.VersionPreference{Version: workflow.DefaultVersion}
}

// shouldContinueAsNew reports that a run's history is long or that the run is old.
func shouldContinueAsNew(ctx workflow.Context) bool {
	info := workflow.GetInfo(ctx)
	return info.GetContinueAsNewSuggested() || workflow.Now(ctx).Sub(info.WorkflowStartTime) >= activities.RenewAfter
}

// continueAsNew continues a run as new with this input.
func continueAsNew(ctx workflow.Context, in any) error {
	return workflow.NewContinueAsNewError(ctx, workflow.GetInfo(ctx).WorkflowType.Name, in)
}
