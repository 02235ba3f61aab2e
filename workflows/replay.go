package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/temporalclient"
	"requisite/internal/text/visible"
)

// Replay is the input of a replay's run.
type Replay struct {
	RunID     id.RunID           `json:"run_id"`
	ConfigID  id.WebhookConfigID `json:"config_id"`
	AccountID id.AccountID       `json:"account_id"`
}

// While too many deliveries wait for the endpoint, the run looks again after replayPause. It
// doubles the pause, up to replayPauseMost.
const (
	replayPause     = 2 * time.Second
	replayPauseMost = time.Minute
)

// ReplayEvents sends the events of a period to an endpoint again, in batches, and pauses
// while too many deliveries wait there. Its state is in the database: if it is terminated,
// the dispatcher starts a new run, which continues. Canceling it ends the replay.
func ReplayEvents(ctx workflow.Context, in Replay) (domain.Replayed, error) {
	pause := replayPause
	var last domain.ReplayStep
	for {
		if shouldContinueAsNew(ctx) {
			return last.Replayed, continueAsNew(ctx, in)
		}
		err := workflow.ExecuteActivity(untilItSucceeds(ctx, "Replay the next events ("+progress(last.Replayed)+" so far)"), webhooks.ReplaySome, in.RunID).Get(ctx, &last)
		if err == nil && last.State == domain.ReplayRunning && last.Waiting > 0 {
			tellOperators(ctx, describeReplay(last))
			err = workflow.Sleep(ctx, pause)
			pause = min(2*pause, replayPauseMost)
		} else {
			pause = replayPause
		}
		switch {
		case ctx.Err() != nil:
			return endReplay(ctx, in)
		case err != nil:
			return last.Replayed, err
		}
		tellOperators(ctx, describeReplay(last))
		if last.State != domain.ReplayRunning {
			return last.Replayed, workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(string(last.State)))
		}
	}
}

// endReplay ends the replay of a run that an operator cancels.
func endReplay(ctx workflow.Context, in Replay) (domain.Replayed, error) {
	ctx, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	var last domain.ReplayStep
	if err := workflow.ExecuteActivity(untilItSucceeds(ctx, "End the replay"), webhooks.CancelReplay, in.RunID).Get(ctx, &last); err != nil {
		return last.Replayed, err
	}
	tellOperators(ctx, describeReplay(last))
	if err := workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(string(last.State))); err != nil {
		return last.Replayed, err
	}
	return last.Replayed, temporal.NewCanceledError()
}

func progress(r domain.Replayed) string {
	if r.Total == nil {
		return fmt.Sprintf("%d events", r.Done)
	}
	return fmt.Sprintf("%d of %d events", r.Done, *r.Total)
}

// describeReplay is the progress as Markdown, for an operator.
func describeReplay(s domain.ReplayStep) string {
	text := fmt.Sprintf("**%s**: %s to %s.", s.State, progress(s.Replayed), visible.Markdown(s.Host))
	if s.Waiting > 0 {
		text += fmt.Sprintf(" It waits, because %d or more deliveries wait for this endpoint.", s.Waiting)
	}
	return text
}
