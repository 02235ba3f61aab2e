package workflows

import (
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Runs that start eagerly (what callers wait for, and sessions) are on no version:
// while a release replaces the one before, and while it is rolled back, their tasks
// go to workers of both. So a change of such a workflow takes two releases. The first
// has the change behind workflow.GetVersion and not in activeChanges: it can go on with
// runs that follow the change, and starts none. The next one lists it. See "a workflow"
// in CONTRIBUTING.md.
//
// All other runs stay on the version of the worker that began them, and change freely.
var activeChanges = map[string]bool{}

// preferredVersion says which branch of workflow.GetVersion a run takes that meets it first.
func preferredVersion(in worker.PreferredVersionProviderInput) *worker.VersionPreference {
	if activeChanges[in.ChangeID] {
		return nil // the newest
	}
	return &worker.VersionPreference{Version: workflow.DefaultVersion}
}

// shouldContinueAsNew reports that a run's history is long, or that its version is no
// longer the one that would begin it.
func shouldContinueAsNew(ctx workflow.Context) bool {
	info := workflow.GetInfo(ctx)
	return info.GetContinueAsNewSuggested() || info.GetTargetWorkerDeploymentVersionChanged()
}

// continueAsNew continues a run as new on the version that would begin it: the current
// one, or one that is being ramped. Otherwise it would stay on its own.
func continueAsNew(ctx workflow.Context, in any) error {
	return workflow.NewContinueAsNewErrorWithOptions(ctx, workflow.ContinueAsNewErrorOptions{
		InitialVersioningBehavior: workflow.ContinueAsNewVersioningBehaviorAutoUpgrade,
	}, workflow.GetInfo(ctx).WorkflowType.Name, in)
}
