package workflows

import (
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
)

// While a release replaces the one before, and while it is rolled back, the tasks of a
// run go to workers of both. So a change of a workflow takes two releases. The first has
// the change behind workflow.GetVersion and not in activeChanges: it can go on with runs
// that follow the change, and starts none. The next one lists it. The same holds for
// signals, and for the names, inputs, results and heartbeats of activities. See
// "a workflow" in CONTRIBUTING.md.
var activeChanges = map[string]bool{}

// preferredVersion says which branch of workflow.GetVersion a run takes that meets it first.
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
