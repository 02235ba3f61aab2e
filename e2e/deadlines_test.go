package e2e_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
)

// TestDeadlines_AreToldEveryMinute: the schedule sends what no caller asks for.
func TestDeadlines_AreToldEveryMinute(t *testing.T) {
	t.Parallel()
	as := second()
	var workflow string
	t.Run("an application", func(t *testing.T) { // other tests may publish afterwards
		late, soon := document("LATE", "Business", ""), document("SOON", "Business", "")
		late["due_within"], late["due_from"] = "1 day", "established_date"
		soon["must_be_valid"], soon["remind_before"] = true, "1 year"
		publish(t, late, soon)
		business, opened := bare(t)
		workflow = opened
		data(t, as, "business.update", harness.Object{"business_id": business, "business": harness.Object{"established_date": "2001-01-01"}})
		data(t, as, "workflow.requiredDocument.calculate", harness.Object{"workflow_id": workflow})
	})
	expires := time.Now().AddDate(0, 0, 30).Format(time.DateOnly)
	documents := map[any]harness.Object{}
	for _, d := range data(t, as, "workflow.requiredDocument.list", harness.Object{"workflow_id": workflow})["required_documents"].([]any) {
		documents[d.(harness.Object)["document_type_code"]] = d.(harness.Object)
	}
	require.Equal(t, true, documents["LATE"]["overdue"])
	data(t, as, "workflow.requiredDocument.update", harness.Object{
		"required_document_id": documents["SOON"]["required_document_id"],
		"required_document":    harness.Object{"status": "COMPLETED", "evidence": []harness.Object{{"expires_on": expires}}},
	})
	told := map[any]harness.Object{}
	await.True(t, "both events", func(context.Context) error {
		for _, e := range data(t, as, "webhook.event.list", harness.Object{"account_id": as.AccountID, "filters": harness.Object{"workflow_id": workflow}})["events"].([]any) {
			listed := e.(harness.Object)
			told[listed["event_type"]] = data(t, as, "webhook.event.get", harness.Object{"event_id": listed["id"]})["data"].(harness.Object)
		}
		if told["REQUIRED_DOCUMENT_OVERDUE"] == nil || told["REQUIRED_DOCUMENT_EXPIRING"] == nil {
			return fmt.Errorf("there are %d types", len(told))
		}
		return nil
	})
	require.Equal(t, []any{documents["LATE"]["required_document_id"], "LATE", "2001-01-02"}, values(told["REQUIRED_DOCUMENT_OVERDUE"], "due_on"))
	require.Equal(t, []any{documents["SOON"]["required_document_id"], "SOON", expires}, values(told["REQUIRED_DOCUMENT_EXPIRING"], "valid_until"))
	require.Equal(t, harness.Object{"user_id": "SYSTEM", "user_type": "SYSTEM"}, told["REQUIRED_DOCUMENT_OVERDUE"]["user_context"])
}

// values are what an event of a date tells.
func values(payload harness.Object, date string) []any {
	return []any{payload["required_document_id"], payload["document_type_code"], payload[date]}
}
