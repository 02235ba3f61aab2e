package workflows

import (
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/domain"
)

// upkeep provides the name of the activity that deletes; its methods are never called.
var upkeep *activities.Upkeep

// Prune deletes expired nonces, outcomes, events and attempts. A Temporal
// Schedule runs it; running it more often is harmless.
func Prune(ctx workflow.Context) (domain.Pruned, error) {
	var pruned domain.Pruned
	ctx = inBatches(ctx, "Delete what has expired")
	err := workflow.ExecuteActivity(ctx, upkeep.Prune).Get(ctx, &pruned)
	return pruned, err
}
