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
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	_, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID: "recalculate/" + in.RunID.String(), TaskQueue: temporalclient.Upkeep,
		Priority:      temporal.Priority{FairnessKey: in.AccountID.String()},
		StaticSummary: fmt.Sprintf("Recalculate account %s", in.AccountID),
		StaticDetails: fmt.Sprintf("Calculates the workflows of account %s that have not ended. `account.recalculation.get` with `%s` shows the progress. Cancel the run to end the recalculation; what it has calculated stays.",
			in.AccountID, in.RunID),
		TypedSearchAttributes: temporal.NewSearchAttributes(temporalclient.AccountID.ValueSet(in.AccountID.String())),
	}, RecalculateName, in)
	if err != nil {
		return fmt.Errorf("start a recalculation: %w", err)
	}
	return nil
}

// RecalculateAccount calculates the workflows of an account, in steps of some seconds. Its state is in the
// database: if it is terminated, the worker starts a new run, which continues. Canceling it ends the recalculation.
func RecalculateAccount(ctx workflow.Context, in Recalculation) (domain.RecalculationProgress, error) {
	last := domain.RecalculationProgress{State: domain.RecalculationRunning}
	for last.State == domain.RecalculationRunning {
		if shouldContinueAsNew(ctx) {
			return last, continueAsNew(ctx, in)
		}
		err := workflow.ExecuteActivity(inBatches(ctx, fmt.Sprintf("Calculate the next workflows (%d so far)", last.Done())), steps.RecalculateSome, in.RunID).Get(ctx, &last)
		switch {
		case ctx.Err() != nil:
			return endRecalculation(ctx, in)
		case err != nil:
			return last, err
		}
		tellOperators(ctx, describeRecalculation(last))
	}
	return last, workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(string(last.State)))
}

// endRecalculation ends the recalculation of a run that an operator cancels.
func endRecalculation(ctx workflow.Context, in Recalculation) (last domain.RecalculationProgress, err error) {
	ctx, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	if err := workflow.ExecuteActivity(untilItSucceeds(ctx, "End the recalculation"), steps.EndRecalculation, in.RunID).Get(ctx, &last); err != nil {
		return last, err
	}
	tellOperators(ctx, describeRecalculation(last))
	if err := workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(string(last.State))); err != nil {
		return last, err
	}
	return last, temporal.NewCanceledError()
}

// describeRecalculation is the progress as Markdown, for an operator.
func describeRecalculation(p domain.RecalculationProgress) string {
	of := ""
	if p.Total != nil {
		of = fmt.Sprintf(" of %d", *p.Total)
	}
	return fmt.Sprintf("**%s**: %d%s workflows. %d changed, %d unchanged, %d with gaps, %d not evaluable.", p.State, p.Done(), of, p.Changed, p.Unchanged, p.WithGaps, p.NotEvaluable)
}

// StartRecalculations starts the recalculations that a day has made due, every hour.
func StartRecalculations(ctx workflow.Context) (RoundsDone, error) {
	return rounds[int64]{
		summary: "Start the recalculations that are due", activity: upkeep.StartRecalculations, pause: time.Hour,
		describe: func(started int64) string { return fmt.Sprintf("%d recalculations were started.", started) },
	}.run(ctx)
}
