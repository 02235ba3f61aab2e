package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/api/limits"
	"requisite/internal/domain"
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
		c.exec(fmt.Sprintf(`INSERT INTO required_document (id, workflow_id, account_id, document_type_code, name, category, requirement_text, entity_type, entity_id, status, origin, due_since, approval, reasons, decision_id, created_at, updated_at)
			VALUES ('%[1]s', '%[2]s', (SELECT account_id FROM workflow WHERE id = '%[2]s'), 'D%[3]d', 'n', 'c', 't', 'Business', '%[4]s', '%[5]s', 'RULE', now(), '{}', '[{"rule":"true","message":"m","facts":{}}]', gen_random_uuid(), now(), now())`, document, u, i, business, status))
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
	c.exec(`UPDATE workflow w SET documents_calculated_at = '2026-11-20 09:30:00.25Z', documents_as_of = '2026-11-20', documents_workflow_version = w.version, documents_business_version = b.version FROM business b WHERE b.id = w.business_id`)
	require.Equal(t, "2026-11-20T09:30:00.250Z", get()["documents_calculated_at"])
	require.Equal(t, false, get()["documents_stale"])
	c.data("business.update", fmt.Sprintf(`{"business_id":%q,"business":{"website":"https://x.example"}}`, business))
	require.Equal(t, true, get()["documents_stale"])
	listed := c.data("workflow.list", fmt.Sprintf(`{"account_id":%q}`, c.account))["workflows"].([]any)
	found := get()
	delete(found, "findings") // of workflow.get alone
	for _, filter := range []string{"documents_stale", "open_documents", "overdue"} {
		with := func(value string) any {
			return c.data("workflow.list", fmt.Sprintf(`{"account_id":%q,"filters":{%q:%s}}`, c.account, filter, value))["workflows"]
		}
		stale := filter == "documents_stale" // and nothing is open
		require.Equal(t, []any{stale, !stale}, []any{len(with("true").([]any)) == 1, len(with("false").([]any)) == 1}, filter)
		require.Equal(t, []string{"filters." + filter}, c.fields("workflow.list", fmt.Sprintf(`{"account_id":%q,"filters":{%q:"yes"}}`, c.account, filter)))
	}
	require.Equal(t, []any{found}, listed)
}

// TestWorkflowGet_CountsTheDocuments, and workflow.complete warns while one is open.
func TestWorkflowGet_CountsTheDocuments(t *testing.T) {
	c := refusing{applicantTenant(t)}
	_, workflow, documents := c.application(5) // three are PENDING, two COMPLETED
	c.exec(`UPDATE required_document SET previous_status = status, status = 'INACTIVE' WHERE document_type_code = 'D0'`)
	counts := func(workflow any) any { return c.data("workflow.get", c.naming("workflow_id", workflow))["documents"] }
	move := func(status string) {
		c.data("workflow.requiredDocument.update", c.naming("required_document_id", documents[2], `,"required_document":{"status":"`+status+`"}`))
	}
	require.Equal(t, map[string]any{"pending": 2.0, "needs_review": 0.0, "completed": 2.0, "waived": 0.0, "inactive": 1.0, "overdue": 0.0}, counts(workflow))
	move("NEEDS_REVIEW")
	require.Equal(t, map[string]any{"pending": 1.0, "needs_review": 1.0, "completed": 2.0, "waived": 0.0, "inactive": 1.0, "overdue": 0.0}, counts(workflow))

	for range 2 { // a repeat is answered the same
		ended := c.ask("workflow.complete", "once", c.naming("workflow_id", workflow))
		require.Empty(t, ended.Errors)
		require.Len(t, ended.Meta.Warnings, 1)
		require.Equal(t, "DOCUMENTS_NOT_COMPLETED", ended.Meta.Warnings[0].Code)
	}
	_, whole, _ := c.application(2)
	c.exec(`UPDATE required_document SET previous_status = status, status = 'INACTIVE' WHERE status = 'PENDING'`)
	require.Equal(t, map[string]any{"pending": 0.0, "needs_review": 0.0, "completed": 1.0, "waived": 0.0, "inactive": 1.0, "overdue": 0.0}, counts(whole))
	require.Empty(t, c.ask("workflow.complete", "", c.naming("workflow_id", whole)).Meta.Warnings)
	require.Empty(t, c.ask("workflow.complete", "", c.started()).Meta.Warnings, "nothing was required")
}

func TestRequiredDocument_IsReadAndListedByEntity(t *testing.T) {
	c := refusing{applicantTenant(t)}
	business, workflow, documents := c.application(3)
	documents = append(documents, c.document(workflow)) // of the workflow
	listed := c.data("workflow.requiredDocument.list", c.naming("workflow_id", workflow))["required_documents"].([]any)
	for i, document := range documents {
		require.Equal(t, listed[i], c.data("workflow.requiredDocument.get", c.naming("required_document_id", document)))
		require.Equal(t, []any{[]any{}, []any{}, false}, []any{listed[i].(map[string]any)["any_of"], listed[i].(map[string]any)["evidence"], listed[i].(map[string]any)["overdue"]})
	}
	other := newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 20}})
	require.Equal(t, "ENTITY_NOT_FOUND", other.ask("workflow.requiredDocument.get", "", c.naming("required_document_id", documents[0])).Errors[0].Code)
	for filters, want := range map[string][]any{
		`"entity_type":"Business"`:                                              listed[:3],
		`"entity_type":"Workflow"`:                                              listed[3:],
		`"entity_type":"Person"`:                                                {},
		`"entity_id":"` + business + `"`:                                        listed[:3],
		`"entity_id":"` + workflow + `"`:                                        listed[3:],
		`"entity_type":"Workflow","entity_id":"` + business + `"`:               {},
		`"required_document_status":"COMPLETED","entity_id":"` + business + `"`: listed[1:2],
	} {
		require.Equal(t, want, c.data("workflow.requiredDocument.list", c.naming("workflow_id", workflow, `,"filters":{`+filters+`}`))["required_documents"], filters)
	}
	require.Equal(t, []string{"filters.entity_type", "filters.entity_id"},
		c.fields("workflow.requiredDocument.list", c.naming("workflow_id", workflow, `,"filters":{"entity_type":"business","entity_id":"bsi_`+business[2:]+`"}`)))
}

func TestRequiredDocument_BadRequestsNameTheField(t *testing.T) {
	c := refusing{applicantTenant(t)}
	workflow := c.workflow(c.business(""), domain.Started)
	document := c.document(workflow)
	update := func(fields string) string {
		return fmt.Sprintf(`{"required_document_id":%q,"required_document":{"status":"COMPLETED",%s}}`, document, fields)
	}
	create := func(from, to string) string { return strings.Replace(c.byHand(workflow), from, to, 1) }
	for field, request := range map[string][2]string{
		"required_document.evidence":                       {"update", update(`"evidence":[]`)},
		"required_document.evidence ":                      {"update", update(`"evidence":[` + strings.Repeat(`{},`, 20) + `{}]`)},
		"required_document.evidence[0].issued_on":          {"update", update(`"evidence":[{"issued_on":"31.01.2026"}]`)},
		"required_document.evidence[0].issued_on ":         {"update", update(`"evidence":[{"issued_on":"2026-02-30"}]`)},
		"required_document.evidence[0].issued_on  ":        {"update", update(`"evidence":[{"issued_on":"9999-01-01"}]`)},
		"required_document.evidence[0].expires_on":         {"update", update(`"evidence":[{"issued_on":"2026-01-02","expires_on":"2026-01-01"}]`)},
		"required_document.evidence[0].document_type_code": {"update", update(`"evidence":[{"document_type_code":"VISA"}]`)},
		"required_document.evidence[0].reference":          {"update", update(`"evidence":[{"reference":"` + strings.Repeat("x", 201) + `"}]`)},
		"required_document.evidence[0].file":               {"update", update(`"evidence":[{"file":"x"}]`)},
		"required_document.note":                           {"update", update(`"note":" "`)},
		"required_document.note ":                          {"update", update(`"note":"a\u0000b"`)},
		"required_document.reviewed_by ":                   {"update", update(`"reviewed_by":" "`)},
		"required_document.evidence[0].reference ":         {"update", update(`"evidence":[{"reference":" "}]`)},
		"required_document.evidence[0].reference  ":        {"update", update(`"evidence":[{"reference":"a\u0000b"}]`)},
		"document.name":                                    {"create", create(`"name":"n"`, `"name":" "`)},
		"document.category":                                {"create", create(`"category":"c"`, `"category":" "`)},
		"required_document.reviewed_by":                    {"update", update(`"reviewed_by":"` + strings.Repeat("x", 201) + `"`)},
		"reason":                                           {"waive", c.naming("required_document_id", document)},
		"document.entity_id":                               {"create", create(`"entity_type":"Workflow"`, `"entity_type":"Person"`)},
		"document.due_within":                              {"create", create(`"name":"n"`, `"name":"n","due_within":"0 days"`)},
		"document.due_within ":                             {"create", create(`"name":"n"`, `"name":"n","due_within":"1.5 months"`)},
		"document.document_type_code":                      {"create", create(`"D"`, `"d"`)},
	} {
		a := c.ask("workflow.requiredDocument."+request[0], "", request[1])
		require.Len(t, a.Errors, 1, request[1])
		require.Equal(t, "BAD_REQUEST", a.Errors[0].Code, request[1])
		require.Equal(t, strings.TrimSpace(field), a.Errors[0].Details[0].Field, request[1])
	}
	require.Equal(t, "PENDING", c.data("workflow.requiredDocument.get", c.naming("required_document_id", document))["status"])
}

// TestRequiredDocumentUpdate_ListsTheStatusesThatItSets where a status is unknown. The others are refused with a reason.
func TestRequiredDocumentUpdate_ListsTheStatusesThatItSets(t *testing.T) {
	c := refusing{applicantTenant(t)}
	required := c.document(c.workflow(c.business(""), domain.Started))
	update := func(status string) answer {
		return c.ask("workflow.requiredDocument.update", "", fmt.Sprintf(`{"required_document_id":%q,"required_document":{"status":%q}}`, required, status))
	}
	for status, message := range map[string]string{
		"DONE": "This must be one of PENDING, NEEDS_REVIEW, COMPLETED.", "complete": "This must be one of PENDING, NEEDS_REVIEW, COMPLETED. Did you mean COMPLETED?",
	} {
		problem := update(status).Errors[0].Details[0]
		require.Equal(t, []string{"PENDING", "NEEDS_REVIEW", "COMPLETED"}, problem.Allowed)
		require.Equal(t, message, problem.Message)
	}
	for _, status := range []string{"WAIVED", "INACTIVE"} {
		require.Equal(t, "INVALID_STATUS_CHANGE", update(status).Errors[0].SubCode)
	}
}
