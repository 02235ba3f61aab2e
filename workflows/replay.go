package workflows

import (
	"fmt"

	"go.temporal.io/sdk/workflow"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/text/visible"
)

// Replay is the input of a replay's run.
type Replay struct {
	RunID     id.RunID           `json:"run_id"`
	ConfigID  id.WebhookConfigID `json:"config_id"`
	AccountID id.AccountID       `json:"account_id"`
}

// ReplayEvents sends the events of a period to an endpoint again, in batches, and waits while too many
// deliveries wait there.
func ReplayEvents(ctx workflow.Context, in Replay) (domain.Replayed, error) {
	last, err := background[domain.ReplayStep]{
		step: webhooks.ReplaySome, options: untilItSucceeds,
		summary: func(s domain.ReplayStep) string {
			return "Replay the next events (" + progress(s.Replayed) + " so far)"
		},
		end: webhooks.CancelReplay, ending: "End the replay",
		state: func(s domain.ReplayStep) string { return string(s.State) },
		waits: func(s domain.ReplayStep) bool { return s.Waiting > 0 }, describe: describeReplay,
	}.run(ctx, in.RunID, in)
	return last.Replayed, err
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
