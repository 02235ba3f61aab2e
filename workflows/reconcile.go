package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/workflow"

	"requisite/internal/operations/temporalclient"
	"requisite/internal/webhooks/sending"
)

// Reconcile finds deliveries that no run works on although one should, and
// repairs them. A Temporal Schedule runs it; running it more often is harmless.
func Reconcile(ctx workflow.Context) (sending.Reconciled, error) {
	var found sending.Reconciled
	err := workflow.ExecuteActivity(inBatches(ctx, "Compare what is owed with what sends it"), webhooks.Reconcile).Get(ctx, &found)
	if err != nil {
		return found, err
	}
	outcome := "NOTHING_FOUND"
	if found != (sending.Reconciled{}) {
		outcome = "MENDED"
	}
	workflow.SetCurrentDetails(ctx, describeReconciled(found))
	return found, workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(outcome))
}

func describeReconciled(r sending.Reconciled) string {
	if r == (sending.Reconciled{}) {
		return "Every delivery is where it should be."
	}
	var b strings.Builder
	for _, line := range []struct {
		count int64
		text  string
	}{
		{r.Lost, "attempts had no end and are UNKNOWN now"},
		{r.Unsettled, "endpoints had deliveries that contradicted how the endpoint is; they follow now"},
		{r.Unready, "endpoints had something to send that no session looked at"},
		{r.NoRun, "endpoints in trouble had nobody to wake their run"},
		{int64(r.Missing), "endpoints' runs were not open, and are started again"},
		{r.Overdue, "deliveries have been due for more than two minutes: is a worker running, and is there capacity?"},
	} {
		if line.count > 0 {
			b.WriteString(fmt.Sprintf("- **%d** %s\n", line.count, line.text))
		}
	}
	return b.String()
}
