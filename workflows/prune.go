package workflows

import (
	"fmt"

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
	ctx = inBatches(ctx, "Delete expired records")
	err := workflow.ExecuteActivity(ctx, upkeep.Prune).Get(ctx, &pruned)
	if err != nil {
		return pruned, err
	}
	tellOperators(ctx, fmt.Sprintf("Deleted %d events with their deliveries, %d attempts of other events, %d outcomes, %d nonces, %d replays, %d rule versions and %d decisions.",
		pruned.Events, pruned.Attempts, pruned.Outcomes, pruned.Nonces, pruned.Replays, pruned.RuleVersions, pruned.Decisions))
	return pruned, nil
}
