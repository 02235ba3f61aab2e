package server

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
)

// TestReasons_NameWhomTheDecisionSaw: documents, previews and decisions say who they are about, and
// in which currency. What is kept for machines has ids, and an erasure leaves no name.
func TestReasons_NameWhomTheDecisionSaw(t *testing.T) {
	t.Parallel()
	c := whole(t)
	var log bytes.Buffer
	c.Server.log = slog.New(slog.NewJSONHandler(&log, nil))
	business := c.data("business.create", c.applicant(`{"legal_name":"Quillfeather Ltd","address":{"country":"US"}}`,
		`,"persons":[{"first_name":"Xanthippe","last_name":"Quill","citizenship":"CA","ownership_percentage":70.5},{"first_name":" xanthippe","last_name":"Quill","citizenship":"US","ownership_percentage":20},{"first_name":"Zebedee","last_name":"Quill","citizenship":"CA","ownership_percentage":9.5}],
		"sales_info":{"sales_amount":[{"type":"AVERAGE_MONTHLY_CREDIT_SALES","value":62000.5,"currency":"USD"}]}`))
	persons := business["person_ids"].([]any)
	workflow := c.in(domain.Started, business["business_id"].(string))
	c.data("account.documentRules.publish", c.withRules(`{"documents":[
		{"document_type_code":"BANK","name":"Statements","category":"c","requirement_text":"t","entity_type":"Business","when":"average_monthly_credit_sales > 50000 && country == \"US\"","explanation":"We have to know your sales."},
		{"document_type_code":"OWNERS","name":"Owners","category":"c","requirement_text":"t","entity_type":"Business","when":"persons.exists(p, p.citizenship != country)"},
		{"document_type_code":"SHARE","name":"Shares","category":"c","requirement_text":"t","entity_type":"Person","when":"person.ownership_percentage >= 20"}]}`))
	first := fmt.Sprintf("Xanthippe Quill (%s)", persons[0])
	want := []string{
		"Statements: required because average monthly credit sales are 62000.5 USD, more than 50000 USD; and the country of Quillfeather Ltd is US.",
		fmt.Sprintf("Owners: required because the citizenship of %s is CA, not the country of Quillfeather Ltd (US); and the citizenship of Zebedee Quill is CA, not the country of Quillfeather Ltd (US).", first),
		fmt.Sprintf("Shares: required because the ownership percentage of %s is 70.5%%, at least 20%%.", first),
		fmt.Sprintf("Shares: required because the ownership percentage of xanthippe Quill (%s) is 20%%, at least 20%%.", persons[1]),
	}
	reasons := func(documents any) (messages []string) {
		for _, d := range documents.([]any) {
			reason := d.(map[string]any)["reasons"].([]any)[0].(map[string]any)
			messages = append(messages, reason["message"].(string))
			require.NotContains(t, fmt.Sprint(reason["facts"]), "Quill", "facts have ids")
		}
		return messages
	}
	previewed := c.data("account.documentRules.preview", workflow)["added"]
	require.Equal(t, want, reasons(previewed))
	require.Equal(t, "We have to know your sales.", previewed.([]any)[0].(map[string]any)["explanation"])
	c.data("workflow.requiredDocument.calculate", workflow)
	documents := func() []any { return c.data("workflow.requiredDocument.list", workflow)["required_documents"].([]any) }
	require.Equal(t, want, reasons(documents()))
	require.Equal(t, "We have to know your sales.", documents()[0].(map[string]any)["explanation"])
	one := c.data("workflow.requiredDocument.get", c.naming("required_document_id", documents()[1].(map[string]any)["required_document_id"]))
	require.Equal(t, want[1:2], reasons([]any{one}))
	require.Contains(t, fmt.Sprint(one["reasons"]), persons[2])

	decision := c.naming("decision_id", one["decision_id"])
	decided := func() (messages []string) {
		for _, r := range c.data("workflow.decision.get", decision)["results"].([]any) {
			messages = append(messages, r.(map[string]any)["reason"].(map[string]any)["message"].(string))
		}
		return messages
	}
	require.Equal(t, want, decided())
	require.Equal(t, 1, c.count(`decision WHERE personal::json #>> '{reasons,1,message}' LIKE '%person p\_%' AND personal::json ->> 'reasons' NOT LIKE '%Quill%'`), "the record and its exports have ids")

	c.data("person.update", fmt.Sprintf(`{"person_id":%q,"person":{"first_name":"Yolanda"}}`, persons[0]))
	require.Equal(t, want, reasons(documents()), "as the decision saw them")
	c.data("workflow.requiredDocument.calculate", workflow)
	require.Equal(t, want, decided())
	require.Equal(t, strings.ReplaceAll(want[2], first, "Yolanda Quill"), reasons(documents())[2])

	require.NotContains(t, fmt.Sprint(c.data("webhook.event.list", c.naming("account_id", c.account, `,"include_data":true`))), "Quill")
	require.NotContains(t, log.String(), "uill")

	c.erase(business["business_id"].(string))
	require.NotContains(t, fmt.Sprint(documents(), c.data("workflow.decision.get", decision)), "Quill")
	for _, table := range []string{"required_document", "decision", "webhook_event"} {
		require.Zero(t, c.count(table+" AS row WHERE row::text LIKE '%uill%'"), table)
	}
}
