package server

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestRulesPreview_OfDrafts: rules whose examples fail, a version of the account, and a day to come.
func TestRulesPreview_OfDrafts(t *testing.T) {
	t.Parallel()
	c := whole(t)
	rules := func(text, examples string) string {
		return fmt.Sprintf(`{"documents":[{"document_type_code":"YOUNG","name":"n","category":"c","requirement_text":%q,"entity_type":"Business","when":"business_age_years < 1"}]%s}`, text, examples)
	}
	first := c.data("account.documentRules.publish", c.withRules(rules("t", "")))["version_id"]
	business := c.business("")
	c.data("business.update", fmt.Sprintf(`{"business_id":%q,"business":{"established_date":%q}}`, business, time.Now().UTC().AddDate(0, -6, 0).Format(time.DateOnly)))
	workflow := c.in("STARTED", business)
	c.data("workflow.requiredDocument.calculate", workflow)
	with := func(more string) string { return strings.TrimSuffix(workflow, "}") + "," + more + "}" }

	tried := c.data("account.documentRules.preview", with(`"rules":`+rules("another", `,"examples":[{"name":"old","facts":{"as_of":"2026-01-01","established_date":"2020-01-01"},"expect":{"documents":["YOUNG"]}}]`)))
	require.Equal(t, "old", tried["failing_examples"].([]any)[0].(map[string]any)["name"])
	require.Equal(t, true, tried["kept"].([]any)[0].(map[string]any)["text_changed"])
	require.Empty(t, tried["reopened"])

	c.data("account.documentRules.publish", c.withRules(`{"documents":[]}`))
	require.Len(t, c.data("account.documentRules.preview", workflow)["removed"], 1)
	require.Len(t, c.data("account.documentRules.preview", with(fmt.Sprintf(`"version_id":%q`, first)))["kept"], 1)
	later := time.Now().UTC().AddDate(1, 0, 0).Format(time.DateOnly)
	require.Len(t, c.data("account.documentRules.preview", with(fmt.Sprintf(`"version_id":%q,"as_of":%q`, first, later)))["removed"], 1)

	for more, field := range map[string]string{
		`"as_of":"2020-01-01"`: "as_of",
		fmt.Sprintf(`"version_id":%q,"rules":%s`, first, rules("t", "")): "version_id",
	} {
		refused := c.ask("account.documentRules.preview", "", with(more)).Errors
		require.Equal(t, "BAD_REQUEST", refused[0].Code)
		require.Equal(t, field, refused[0].Details[0].Field)
	}
	unknown := c.ask("account.documentRules.preview", "", with(`"version_id":"rul_0000000000000000000000"`)).Errors
	require.Equal(t, "ENTITY_NOT_FOUND", unknown[0].Code)
}

// TestRulesPreview_OfApprovals: which would no longer hold, hold again, or be taken over.
func TestRulesPreview_OfApprovals(t *testing.T) {
	t.Parallel()
	c := whole(t)
	rules := func(text string) string {
		return fmt.Sprintf(`{"documents":[{"document_type_code":"A","name":"n","category":"c","requirement_text":%q,"entity_type":"Business"}]}`, text)
	}
	first := c.data("account.documentRules.publish", c.withRules(rules("t")))["version_id"]
	business := c.business("")
	workflow := c.in("STARTED", business)
	c.data("workflow.requiredDocument.calculate", workflow)
	document := c.data("workflow.requiredDocument.list", workflow)["required_documents"].([]any)[0].(map[string]any)["required_document_id"]
	c.data("workflow.requiredDocument.update", c.naming("required_document_id", document, `,"required_document":{"status":"COMPLETED"}`))
	with := func(workflow, more string) string { return strings.TrimSuffix(workflow, "}") + "," + more + "}" }
	listed := func(request, list string) []any {
		t.Helper()
		preview := c.data("account.documentRules.preview", request)
		var seen []any
		for _, name := range []string{"reopened", "reinstated", "carried"} {
			for _, d := range preview[name].([]any) {
				require.Equal(t, list, name)
				entry := d.(map[string]any)
				seen = append(seen, entry["status"], entry["status_reason"])
			}
		}
		return seen
	}
	require.Equal(t, []any{"NEEDS_REVIEW", "TEXT_CHANGED"}, listed(with(workflow, `"rules":`+rules("u")), "reopened"))
	require.Empty(t, listed(workflow, ""))
	c.data("account.documentRules.publish", c.withRules(rules("u")))
	c.data("workflow.requiredDocument.calculate", workflow)
	require.Equal(t, []any{"COMPLETED", nil}, listed(with(workflow, fmt.Sprintf(`"version_id":%q`, first)), "reinstated"))
	c.data("workflow.requiredDocument.update", c.naming("required_document_id", document, `,"required_document":{"status":"COMPLETED"}`))
	c.data("workflow.complete", workflow)
	var previous string
	_, err := fmt.Sscanf(workflow, `{"workflow_id":%q}`, &previous)
	require.NoError(t, err)
	next := c.data("workflow.create", fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q,"previous_workflow_id":%q}}`, c.account, business, previous))["workflow_id"]
	require.Equal(t, []any{"COMPLETED", nil}, listed(c.naming("workflow_id", next), "carried"))
}
