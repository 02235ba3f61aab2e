package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/operations/temporalclient"
	"requisite/internal/text/visible"
)

// Replay is the input of a replay's run.
type Replay struct {
	RunID     id.RunID           `json:"run_id"`
	ConfigID  id.WebhookConfigID `json:"config_id"`
	AccountID id.AccountID       `json:"account_id"`
}

// While too much waits for the endpoint, the run looks again after replayPause,
// then later and later, up to replayPauseMost.
const (
	replayPause     = 2 * time.Second
	replayPauseMost = time.Minute
)

// ReplayEvents sends events of a period to an endpoint again, a batch at a time,
// and waits while too much waits there. All state is in the database: a run that was
// terminated is started again, and goes on. Canceling it ends the replay.
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
