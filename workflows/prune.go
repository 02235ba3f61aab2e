package workflows

import (
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/postgres"
)

// Prune deletes used nonces, kept outcomes and old events whose time has passed. A
// Temporal Schedule runs it; running it more often does no harm.
func Prune(ctx workflow.Context, keep activities.Retention) (postgres.Pruned, error) {
	var pruned postgres.Pruned
	ctx = untilItSucceeds(ctx, "Delete what has expired")
	err := workflow.ExecuteActivity(ctx, "Prune", keep).Get(ctx, &pruned)
	return pruned, err
}
