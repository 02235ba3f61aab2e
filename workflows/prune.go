package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/domain"
)

// upkeep provides the names of the activities of maintenance; its methods are never called.
var upkeep *activities.Upkeep

// Prune deletes what has expired, every ten minutes.
func Prune(ctx workflow.Context) (RoundsDone, error) {
	return rounds[domain.Pruned]{
		summary: "Delete expired records", activity: upkeep.Prune, pause: 10 * time.Minute,
		describe: func(p domain.Pruned) string {
			return fmt.Sprintf("Deleted %d events with their deliveries, %d attempts of other events, %d outcomes, %d nonces, "+
				"%d replays, %d rule versions, %d proposals, %d recalculations and %d decisions.",
				p.Events, p.Attempts, p.Outcomes, p.Nonces, p.Replays, p.RuleVersions, p.Proposals, p.Recalculations, p.Decisions)
		},
	}.run(ctx)
}
