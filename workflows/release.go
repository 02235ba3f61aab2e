package workflows

import (
	"fmt"

	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/postgres"
	"requisite/internal/visible"
)

// ReleaseRequest names the endpoint whose deliveries are to go out again.
type ReleaseRequest struct {
	Call      postgres.Call `json:"call"`
	AccountID string        `json:"account_id"`
	ConfigID  string        `json:"config_id"`
	Since     string        `json:"since,omitempty"` // RFC 3339; of a recovery
}

// RecoverDeliveries lets an endpoint's FAILED deliveries go again, a thousand at
// a time, and counts them. What fails once more meanwhile is not taken twice.
func RecoverDeliveries(ctx workflow.Context, in ReleaseRequest) (postgres.Released, error) {
	total, err := release(ctx, in, "RecoverSome", false)
	return total, conclude(ctx, err, "RECOVERED", fmt.Sprintf("**%d** deliveries of endpoint %s, of events since %s, go out again.", total.Count, in.ConfigID, visible.Markdown(in.Since)))
}

// FlushDeliveries lets an endpoint begin afresh, and everything that it is owed go
// out at once.
func FlushDeliveries(ctx workflow.Context, in ReleaseRequest) (postgres.Released, error) {
	total, err := release(ctx, in, "FlushSome", true)
	return total, conclude(ctx, err, "FLUSHED", fmt.Sprintf("**%d** deliveries of endpoint %s are attempted now.", total.Count, in.ConfigID))
}

func release(ctx workflow.Context, in ReleaseRequest, some string, flush bool) (postgres.Released, error) {
	run := postgres.Run{ID: workflow.GetInfo(ctx).WorkflowExecution.RunID, Call: in.Call, StartedAt: workflow.Now(ctx)}
	var total postgres.Released
	if flush {
		begun, err := step[postgres.BegunFlush](ctx, "BeginFlush", "Begin afresh with the endpoint", activities.ReleaseStep{Run: run, ConfigID: in.ConfigID})
		if err != nil {
			return total, err
		}
		total, run.StartedAt = begun.Released, begun.At
	}
	for n := 1; ; n++ {
		next, err := step[postgres.Released](ctx, some, fmt.Sprintf("Let the next deliveries go (%d so far)", total.Count),
			activities.ReleaseStep{Run: run, Part: n, ConfigID: in.ConfigID, Since: in.Since})
		if err != nil {
			return total, err
		}
		if next.Count == 0 {
			break
		}
		total.Count += next.Count
		workflow.SetCurrentDetails(ctx, fmt.Sprintf("%d deliveries so far.", total.Count))
	}
	return step[postgres.Released](ctx, "KeepReleased", "Keep the count", activities.KeepReleased{Run: run, Released: total})
}
