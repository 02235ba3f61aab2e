package workflows

import (
	"go.temporal.io/sdk/workflow"

	"requisite/internal/postgres"
)

// Prune deletes used nonces and kept outcomes whose time has passed. A Temporal
// Schedule runs it; running it more often does no harm.
func Prune(ctx workflow.Context) (postgres.Pruned, error) {
	var pruned postgres.Pruned
	ctx = untilItSucceeds(ctx, "Delete expired nonces and outcomes")
	err := workflow.ExecuteActivity(ctx, "Prune").Get(ctx, &pruned)
	return pruned, err
}
