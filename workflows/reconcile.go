package workflows

import (
	"fmt"
	"strings"
	"time"

	"go.temporal.io/sdk/workflow"

	"requisite/internal/sending"
)

// Reconcile finds deliveries that no run works on although one should, and repairs them, every
// half minute.
func Reconcile(ctx workflow.Context) (RoundsDone, error) {
	return rounds[sending.Reconciled]{
		summary: "Compare open deliveries with the runs that send them", activity: webhooks.Reconcile, pause: 30 * time.Second,
		describe: describeReconciled, outcome: "MENDED",
	}.run(ctx)
}

func describeReconciled(r sending.Reconciled) string {
	if r == (sending.Reconciled{}) {
		return "Nothing to repair: a run works on every delivery that is due."
	}
	var b strings.Builder
	b.WriteString("\n\n")
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
