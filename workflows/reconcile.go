package workflows

import (
	"fmt"

	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/postgres"
	"requisite/internal/temporalclient"
	"requisite/internal/visible"
)

// Reconcile finds deliveries that nobody works on although somebody should, and
// mends them. A Temporal Schedule runs it; running it more often does no harm.
func Reconcile(ctx workflow.Context) (activities.Reconciled, error) {
	var found activities.Reconciled
	err := workflow.ExecuteActivity(inBatches(ctx, "Compare deliveries with their runs"), "Reconcile").Get(ctx, &found)
	if err != nil {
		return found, err
	}
	outcome := "NOTHING_FOUND"
	if found.Any() {
		outcome = "MENDED"
	}
	workflow.SetCurrentDetails(ctx, found.Describe())
	return found, workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(outcome))
}

// RecoverRequest asks for everything that an endpoint did not get since a time.
type RecoverRequest struct {
	Call      postgres.Call `json:"call"`
	AccountID string        `json:"account_id"`
	ConfigID  string        `json:"config_id"`
	Since     string        `json:"since"` // RFC 3339
}

// RecoverDeliveries lets an endpoint's FAILED deliveries go again, a thousand at
// a time, and counts them. What fails once more meanwhile is not taken twice.
func RecoverDeliveries(ctx workflow.Context, in RecoverRequest) (postgres.Recovered, error) {
	run := postgres.Run{ID: workflow.GetInfo(ctx).WorkflowExecution.RunID, Call: in.Call, StartedAt: workflow.Now(ctx)}
	total, err := recoverAll(ctx, run, in)
	return total, conclude(ctx, err, "RECOVERED", fmt.Sprintf("**%d** deliveries of endpoint %s, of events since %s, go out again.", total.Count, in.ConfigID, visible.Markdown(in.Since)))
}

func recoverAll(ctx workflow.Context, run postgres.Run, in RecoverRequest) (postgres.Recovered, error) {
	var total postgres.Recovered
	for n := 1; ; n++ {
		some, err := step[postgres.Recovered](ctx, "RecoverSome", fmt.Sprintf("Let the next deliveries go (%d so far)", total.Count),
			activities.RecoverStep{Run: run, Part: n, ConfigID: in.ConfigID, Since: in.Since})
		if err != nil {
			return total, err
		}
		if some.Count == 0 {
			break
		}
		total.Count += some.Count
		workflow.SetCurrentDetails(ctx, fmt.Sprintf("%d deliveries so far.", total.Count))
	}
	return step[postgres.Recovered](ctx, "KeepRecovered", "Keep the count", activities.KeepRecovered{Run: run, Recovered: total})
}
