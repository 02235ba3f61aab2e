package workflows

import (
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/domain"
)

// upkeep names the activity that deletes; nobody calls it.
var upkeep *activities.Upkeep

// Prune deletes used nonces, kept outcomes, old events and old attempts whose
// time has passed. A Temporal Schedule runs it; running it more often does no
// harm.
func Prune(ctx workflow.Context) (domain.Pruned, error) {
	var pruned domain.Pruned
	ctx = inBatches(ctx, "Delete what has expired")
	err := workflow.ExecuteActivity(ctx, upkeep.Prune).Get(ctx, &pruned)
	return pruned, err
}
