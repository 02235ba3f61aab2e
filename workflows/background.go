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

// background works on a row of the database, in steps, until the row has ended. P is the progress after a step.
// All state is in the row: if the run is terminated, the dispatcher starts a new run, which continues. Canceling
// the run ends the work.
type background[P any] struct {
	// step and end are activities, which take the id of the row. step does the next part, and end cancels the rest.
	step, end any
	options   func(ctx workflow.Context, summary string) workflow.Context // of a step
	summary   func(P) string                                              // of the next step
	ending    string                                                      // the summary of end
	state     func(P) string
	waits     func(P) bool // reports whether the next step must wait; nil if it never must
	describe  func(P) string
}

// While a run must wait, it looks again after waitPause. It doubles the pause, up to waitPauseMost.
const (
	waitPause     = 2 * time.Second
	waitPauseMost = time.Minute
)

// run works on the row with an id. in is the input of the workflow.
func (b background[P]) run(ctx workflow.Context, row, in any) (last P, err error) {
	pause := waitPause
	for !shouldContinueAsNew(ctx) {
		var next P // must be new: decoding keeps the values of fields that the result does not have
		err := workflow.ExecuteActivity(b.options(ctx, b.summary(last)), b.step, row).Get(ctx, &next)
		if err == nil {
			last = next
			tellOperators(ctx, b.describe(last))
		}
		if err == nil && b.waits != nil && b.waits(last) {
			err = workflow.Sleep(ctx, pause)
			pause = min(2*pause, waitPauseMost)
		} else {
			pause = waitPause
		}
		switch {
		case ctx.Err() != nil:
			return b.cancel(ctx, row)
		case err != nil:
			return last, err
		case b.state(last) != domain.Running:
			return last, b.setOutcome(ctx, last)
		}
	}
	return last, continueAsNew(ctx, in)
}

// cancel ends the work of a run that an operator cancels.
func (b background[P]) cancel(ctx workflow.Context, row any) (last P, err error) {
	ctx, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	if err := workflow.ExecuteActivity(untilItSucceeds(ctx, b.ending), b.end, row).Get(ctx, &last); err != nil {
		return last, err
	}
	tellOperators(ctx, b.describe(last))
	if err := b.setOutcome(ctx, last); err != nil {
		return last, err
	}
	return last, temporal.NewCanceledError()
}

func (b background[P]) setOutcome(ctx workflow.Context, last P) error {
	return workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(b.state(last)))
}

// startBackground starts the run of a row, unless it is open.
func startBackground(ctx context.Context, c client.Client, account id.AccountID, options client.StartWorkflowOptions, name string, in any) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	options.TaskQueue, options.Priority = temporalclient.Upkeep, temporal.Priority{FairnessKey: account.String()}
	if _, err := c.ExecuteWorkflow(ctx, options, name, in); err != nil {
		return fmt.Errorf("start %s: %w", options.ID, err)
	}
	return nil
}
