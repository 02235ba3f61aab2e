package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/id"
)

// application makes a workflow with n required documents, and returns their ids in order.
func (c *tenant) application(n int) (business, workflow string, documents []any) {
	c.Helper()
	business = c.data("business.create", c.applicant(`{"legal_name":"Ltd"}`, ""))["business_id"].(string)
	workflow = c.data("workflow.create", fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q}}`, c.account, business))["workflow_id"].(string)
	u, err := id.Parse(id.Workflow, workflow)
	require.NoError(c, err)
	for i := range n {
		status := "PENDING"
		if i%2 == 1 {
			status = "COMPLETED"
		}
		document := id.New()
		documents = append(documents, id.Format(id.RequiredDocument, document))
		c.exec(fmt.Sprintf(`INSERT INTO required_document (id, workflow_id, document_type_code, name, category, requirement_text, entity_type, entity_id, status, reasons, decision_id, created_at, updated_at)
			VALUES ('%s', '%s', 'D%d', 'n', 'c', 't', 'Business', '%s', '%s', '[{"rule":"true","message":"m","facts":{}}]', gen_random_uuid(), now(), now())`, document, u, i, business, status))
	}
	return business, workflow, documents
}

func TestRequiredDocumentList_HasPages(t *testing.T) {
	c := applicantTenant(t)
	_, workflow, all := c.application(5)
	list := func(rest string) (ids []any, next any) {
		t.Helper()
		data := c.data("workflow.requiredDocument.list", fmt.Sprintf(`{"workflow_id":%q%s}`, workflow, rest))
		require.Contains(t, data, "next")
		for _, d := range data["required_documents"].([]any) {
			ids = append(ids, d.(map[string]any)["required_document_id"])
		}
		return ids, data["next"]
	}
	found, next := list("")
	require.Equal(t, all, found)
	require.Nil(t, next, "the list without page is complete")
	found, next = list(`,"page":{}`)
	require.Equal(t, all, found)
	require.Nil(t, next)

	var pages [][]any
	after := ""
	for {
		found, next := list(`,"page":{"limit":2` + after + `}`)
		pages = append(pages, found)
		if next == nil {
			break
		}
		after = fmt.Sprintf(`,"after":%q`, next)
	}
	require.Equal(t, [][]any{all[:2], all[2:4], all[4:]}, pages)
	found, next = list(`,"page":{"limit":5}`)
	require.Equal(t, all, found)
	require.Nil(t, next, "exactly all")
	found, next = list(`,"filters":{"required_document_status":"PENDING"},"page":{"limit":2}`)
	require.Equal(t, []any{all[0], all[2]}, found)
	require.Equal(t, all[2], next)
	found, _ = list(fmt.Sprintf(`,"filters":{"required_document_status":"PENDING"},"page":{"limit":2,"after":%q}`, next))
	require.Equal(t, []any{all[4]}, found)

	for field, page := range map[string]string{
		"page.limit": `{"limit":0}`, "page.after": `{"after":"` + workflow + `"}`, "page": `null`, "page.affter": `{"affter":"x"}`,
	} {
		require.Equal(t, []string{field}, c.fields("workflow.requiredDocument.list", fmt.Sprintf(`{"workflow_id":%q,"page":%s}`, workflow, page)))
	}
	require.Equal(t, []string{"page.limit"}, c.fields("workflow.requiredDocument.list", fmt.Sprintf(`{"workflow_id":%q,"page":{"limit":201}}`, workflow)))
}

// TestWorkflowGet_DistinguishesNothingRequiredFromNotCalculated: the list of documents is
// empty in both cases.
func TestWorkflowGet_DistinguishesNothingRequiredFromNotCalculated(t *testing.T) {
	c := applicantTenant(t)
	business, workflow, _ := c.application(0)
	get := func() map[string]any { return c.data("workflow.get", fmt.Sprintf(`{"workflow_id":%q}`, workflow)) }
	require.NotContains(t, get(), "documents_calculated_at")
	require.NotContains(t, get(), "documents_stale")
	c.exec(`UPDATE workflow w SET documents_calculated_at = '2026-11-20 09:30:00.25Z', documents_workflow_version = w.version, documents_business_version = b.version FROM business b WHERE b.id = w.business_id`)
	require.Equal(t, "2026-11-20T09:30:00.250Z", get()["documents_calculated_at"])
	require.Equal(t, false, get()["documents_stale"])
	c.data("business.update", fmt.Sprintf(`{"business_id":%q,"business":{"website":"x.example"}}`, business))
	require.Equal(t, true, get()["documents_stale"])
	listed := c.data("workflow.list", fmt.Sprintf(`{"account_id":%q}`, c.account))["workflows"].([]any)
	require.Equal(t, []any{get()}, listed)
}
