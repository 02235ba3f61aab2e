package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"requisite/internal/domain"
)

// ApplyDeadlines handles overdue documents and approvals that have lapsed or lapse soon, every minute.
func ApplyDeadlines(ctx workflow.Context) (RoundsDone, error) {
	return rounds[domain.Deadlines]{
		summary: "Apply the deadlines of required documents", activity: upkeep.ApplyDeadlines, pause: time.Minute,
		describe: func(d domain.Deadlines) string {
			return fmt.Sprintf("%d approvals have lapsed, %d documents are overdue, and %d reminders were sent. %d locked workflows have their turn in the next round.",
				d.Expired+d.RenewalDue, d.Overdue, d.Expiring, d.PutOff)
		},
	}.run(ctx)
}
