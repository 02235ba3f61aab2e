package server

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
)

// raw sends a request, and returns its whole answer.
func (c *tenant) raw(operation, idempotencyKey, body string) (answer map[string]any) {
	c.Helper()
	w := c.send(c.Context(), operation, c.signed(operation, body, idempotencyKey), body)
	require.NoError(c, json.Unmarshal(w.Body.Bytes(), &answer))
	return answer
}

// TestEntityName_IsAddedToAnswers: to those of a caller who may read, with the name of that day, and
// to nothing that is stored.
func TestEntityName_IsAddedToAnswers(t *testing.T) {
	t.Parallel()
	c := whole(t)
	unread := refusing{c.with(domain.NewCredential{Name: "unread", Permissions: domain.AllPermissions().Without(domain.Permissions{domain.PermissionRead})})}
	c.price(`persons.exists(p, p.ownership_percentage > 1)`)
	rules := `{"documents":[
		{"document_type_code":"A","name":"n","category":"c","requirement_text":"t","entity_type":"Workflow"},
		{"document_type_code":"B","name":"n","category":"c","requirement_text":"t","entity_type":"Business","when":"business_age_years < 900"},
		{"document_type_code":"C","name":"n","category":"c","requirement_text":"t","entity_type":"Person","when":"person.citizenship == \"NO\" && evaluation_score < 900"}],
		"findings":[{"finding_code":"F","kind":"REVIEW","name":"n","message":"m","entity_type":"Person","when":"person.citizenship == \"NO\""}]}`
	c.data("account.documentRules.publish", c.withRules(rules))
	business := c.data("business.create", c.applicant(`{"legal_name":"Quillfeather  Ltd"}`, `,"persons":[{"first_name":"Ida","last_name":"Berg"}]`))
	person := business["person_ids"].([]any)[0]
	workflowID := c.workflow(business["business_id"].(string), domain.Started)
	workflow := c.naming("workflow_id", workflowID)

	// names has the names in a part of an answer, by the id of the entity.
	names := func(part any) map[string]any {
		found := map[string]any{}
		walk(part, "", func(_ string, object map[string]any) {
			if of, is := object["entity_id"].(string); is {
				found[of] = object["entity_name"]
			}
		})
		return found
	}
	all := map[string]any{workflowID: nil, business["business_id"].(string): "Quillfeather Ltd", person.(string): "Ida Berg"}
	refused := func(by refusing, key string) map[string]any {
		return names(by.raw("workflow.requiredDocument.calculate", key, workflow)["errors"])
	}
	require.Equal(t, all, refused(c, "once"))
	require.Equal(t, map[string]any{workflowID: nil, business["business_id"].(string): nil, person.(string): nil}, refused(unread, "once"))
	require.Equal(t, all, names(c.data("account.documentRules.preview", workflow)["missing"]))

	c.data("person.update", c.naming("person_id", person, `,"person":{"last_name":null}`))
	all[person.(string)] = "Ida"
	require.Equal(t, all, refused(c, "once"), "a repeat has the names of its own day")
	c.data("person.update", c.naming("person_id", person, `,"person":{"citizenship":"NO","ownership_percentage":5}`))
	c.data("business.update", c.naming("business_id", business["business_id"], `,"business":{"established_date":"2001-02-03"}`))
	c.data("workflow.pricing.calculate", workflow)
	preview := c.data("account.documentRules.preview", workflow)
	require.Equal(t, all, names(preview["added"]))
	require.Equal(t, map[string]any{person.(string): "Ida"}, names(preview["findings"]))
	c.data("workflow.requiredDocument.calculate", workflow)
	documents := c.data("workflow.requiredDocument.list", workflow)["required_documents"].([]any)
	require.Equal(t, all, names(documents))
	require.Equal(t, all, names(c.data("account.documentRules.preview", workflow)["kept"]))
	require.Equal(t, map[string]any{person.(string): "Ida"}, names(c.data("workflow.get", workflow)["findings"]))
	for _, d := range documents {
		require.Equal(t, d, c.data("workflow.requiredDocument.get", c.naming("required_document_id", d.(map[string]any)["required_document_id"])))
	}
	for _, table := range []string{"outcome", "decision", "webhook_event", "required_document", "workflow"} {
		require.NotZero(t, c.count(table), table)
		require.Zero(t, c.count(table+" t WHERE t::text LIKE '%entity_name%'"), table)
	}

	c.data("person.delete", c.naming("person_id", person))
	all[person.(string)] = nil
	require.Equal(t, all, names(c.data("workflow.requiredDocument.list", workflow)["required_documents"]))
}

// TestEntityName_OfNobodyOnRecord: the gap has the id of the business, and is about a person.
func TestEntityName_OfNobodyOnRecord(t *testing.T) {
	t.Parallel()
	c := whole(t)
	c.publish(`persons.exists(p, p.citizenship == "NO")`)
	workflow := c.in(domain.Started, c.business(""))
	gap := c.raw("workflow.requiredDocument.calculate", "", workflow)["errors"].([]any)[0].(map[string]any)["details"].([]any)[0]
	require.Equal(t, "Person", gap.(map[string]any)["entity_type"])
	require.NotContains(t, gap, "entity_name")
	require.Contains(t, fmt.Sprint(gap), "first name")

	c.publish(`established_date > date("2000-01-01") && persons.exists(p, p.citizenship == "NO")`)
	named := map[string]any{}
	for _, gap := range c.raw("workflow.requiredDocument.calculate", "", workflow)["errors"].([]any)[0].(map[string]any)["details"].([]any) {
		named[gap.(map[string]any)["entity_type"].(string)] = gap.(map[string]any)["entity_name"]
	}
	require.Equal(t, map[string]any{"Business": "Ltd", "Person": nil}, named, "both have the id of the business")
}
