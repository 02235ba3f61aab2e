package e2e_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
)

// TestDecisions_AnswersEventsAndRecordAgree on the id and the digest of each decision: of a
// refusal, a calculation, and a change of status.
func TestDecisions_AnswersEventsAndRecordAgree(t *testing.T) {
	as := second()
	publish(t, document("PROOF", "Business", "business_age_years >= 5"))
	business, workflow := bare(t)
	calculate := func() answer {
		return call(t, as, "workflow.requiredDocument.calculate", harness.Object{"workflow_id": workflow})
	}
	refused := calculate()
	require.Equal(t, "MISSING_REQUIREMENTS", refused.code())
	data(t, as, "business.update", harness.Object{"business_id": business, "business": harness.Object{"established_date": "2001-01-01"}})
	calculated := calculate()
	require.Equal(t, http.StatusOK, calculated.status)
	document := data(t, as, "workflow.requiredDocument.list", harness.Object{"workflow_id": workflow})["required_documents"].([]any)[0].(harness.Object)
	require.Equal(t, calculated.header.Get("Requisite-Decision-Id"), document["decision_id"])
	updated := call(t, as, "workflow.requiredDocument.update", harness.Object{"required_document_id": document["required_document_id"], "required_document": harness.Object{"status": "NEEDS_REVIEW"}})
	require.Equal(t, http.StatusOK, updated.status, "%v", updated.body)

	answered := []answer{updated, calculated, refused}
	list := data(t, as, "workflow.decision.list", harness.Object{"workflow_id": workflow})["decisions"].([]any)
	require.Len(t, list, len(answered))
	for i, a := range answered {
		decisionID := a.header.Get("Requisite-Decision-Id")
		require.Equal(t, decisionID, list[i].(harness.Object)["decision_id"])
		require.Equal(t, a.header.Get("Requisite-Decision-Digest"), data(t, as, "workflow.decision.get", harness.Object{"decision_id": decisionID})["digest"])
		require.Equal(t, "ENTITY_NOT_FOUND", call(t, first(), "workflow.decision.get", harness.Object{"decision_id": decisionID}).code(), "another organization sees nothing")
	}
	events := map[any]any{}
	for _, e := range data(t, as, "webhook.event.list", harness.Object{"account_id": as.AccountID, "filters": harness.Object{"workflow_id": workflow}})["events"].([]any) {
		content := data(t, as, "webhook.event.get", harness.Object{"event_id": e.(harness.Object)["id"]})["data"].(harness.Object)
		if content["decision_id"] != nil {
			events[content["decision_id"]] = content["digest"]
		}
	}
	require.Equal(t, map[any]any{
		calculated.header.Get("Requisite-Decision-Id"): calculated.header.Get("Requisite-Decision-Digest"),
		updated.header.Get("Requisite-Decision-Id"):    updated.header.Get("Requisite-Decision-Digest"),
	}, events, "a refusal has no event")
}
