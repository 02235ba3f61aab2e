package workflows

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/temporalclient"
)

// Recalculation is the input of a recalculation's run.
type Recalculation struct {
	RunID     id.RecalculationID `json:"run_id"`
	AccountID id.AccountID       `json:"account_id"`
}

// StartRecalculation starts the run of a recalculation, unless it is open.
func StartRecalculation(ctx context.Context, c client.Client, in Recalculation) error {
	return startBackground(ctx, c, in.AccountID, client.StartWorkflowOptions{
		ID:            "recalculate/" + in.RunID.String(),
		StaticSummary: fmt.Sprintf("Recalculate account %s", in.AccountID),
		StaticDetails: fmt.Sprintf("Calculates the workflows of account %s that have not ended. "+
			"`account.recalculation.get` with `%s` shows the progress. "+
			"Cancel the run to end the recalculation; what it has calculated stays.",
			in.AccountID, in.RunID),
		TypedSearchAttributes: temporal.NewSearchAttributes(temporalclient.AccountID.ValueSet(in.AccountID.String())),
	}, RecalculateName, in)
}

// RecalculateAccount calculates the workflows of an account, in steps that take some seconds each.
func RecalculateAccount(ctx workflow.Context, in Recalculation) (domain.RecalculationProgress, error) {
	return background[domain.RecalculationProgress]{
		step: steps.RecalculateSome, options: inBatches,
		summary: func(p domain.RecalculationProgress) string {
			return fmt.Sprintf("Calculate the next workflows (%d so far)", p.Done())
		},
		end: steps.EndRecalculation, ending: "End the recalculation",
		state:    func(p domain.RecalculationProgress) string { return string(p.State) },
		describe: describeRecalculation,
	}.run(ctx, in.RunID, in)
}

// describeRecalculation is the progress as Markdown, for an operator.
func describeRecalculation(p domain.RecalculationProgress) string {
	of := ""
	if p.Total != nil {
		of = fmt.Sprintf(" of %d", *p.Total)
	}
	return fmt.Sprintf("**%s**: %d%s workflows. %d changed, %d unchanged, %d with gaps, %d not evaluable.",
		p.State, p.Done(), of, p.Changed, p.Unchanged, p.WithGaps, p.NotEvaluable)
}

// StartRecalculations starts recalculations that are due because a new day has begun, every hour.
func StartRecalculations(ctx workflow.Context) (RoundsDone, error) {
	return rounds[int64]{
		summary: "Start the recalculations that are due", activity: upkeep.StartRecalculations, pause: time.Hour,
		describe: func(started int64) string { return fmt.Sprintf("%d recalculations were started.", started) },
	}.run(ctx)
}
