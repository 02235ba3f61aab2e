package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/workflow"

	"requisite/internal/sending"
	"requisite/internal/temporalclient"
)

// Reconcile finds deliveries that no run works on although one should, and
// repairs them. A Temporal Schedule runs it; running it more often is harmless.
func Reconcile(ctx workflow.Context) (sending.Reconciled, error) {
	var found sending.Reconciled
	err := workflow.ExecuteActivity(inBatches(ctx, "Compare open deliveries with the runs that send them"), webhooks.Reconcile).Get(ctx, &found)
	if err != nil {
		return found, err
	}
	outcome := "NOTHING_FOUND"
	if found != (sending.Reconciled{}) {
		outcome = "MENDED"
	}
	tellOperators(ctx, describeReconciled(found))
	return found, workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(outcome))
}

func describeReconciled(r sending.Reconciled) string {
	if r == (sending.Reconciled{}) {
		return "Nothing to repair: a run works on every delivery that is due."
	}
	var b strings.Builder
	for _, line := range []struct {
		count int64
		text  string
	}{
		{r.Lost, "attempts had lost their worker. They are UNKNOWN now."},
		{r.Unready, "endpoints had due deliveries that no session saw. A session will see them now."},
		{r.NoRun, "failing endpoints had no time for their next attempt. They have one now."},
		{int64(r.Missing), "failing endpoints had no open run. Their runs are started again."},
		{r.Overdue, "deliveries have been due for more than two minutes. Check that a worker is running and has free slots."},
	} {
		if line.count > 0 {
			b.WriteString(fmt.Sprintf("- **%d** %s\n", line.count, line.text))
		}
	}
	return b.String()
}
