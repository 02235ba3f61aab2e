package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/api/limits"
	"requisite/api/reference"
	"requisite/internal/domain"
)

// TestLog_HasOneLinePerRequestWithoutNames calls every operation. Each line has the API
// key, and the id of the account if a record was found. No line has a name, because names
// may be personal data.
func TestLog_HasOneLinePerRequestWithoutNames(t *testing.T) {
	t.Parallel()
	c := newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 20}})
	const planted, unknown = "Planted", "whc_7n42DGM5Tflk9n8mt7Fhc7"
	account, err := c.operator.Organizations.CreateAccount(t.Context(), domain.Scope{OrganizationID: c.organization, Environment: domain.Sandbox}, planted+" Account", "USD", "UTC")
	require.NoError(t, err)
	c.account = account.WireID().String()
	c = c.with(domain.NewCredential{Name: planted + " Credential", Permissions: domain.AllPermissions()})
	var log bytes.Buffer
	c.Server.log = slog.New(slog.NewJSONHandler(&log, nil))

	business, workflow, documents := c.application(1)
	sales := `"sales_info":{"sales_amount":[]}`
	applicant := c.data("business.create", c.applicant(`{"legal_name":"`+planted+` Ltd"}`, `,"persons":[{"first_name":"`+planted+`","last_name":"Name"}],`+sales))
	config := c.data("webhook.config.create", `{"account_id":"`+c.account+`","config":{"url":"https://hooks.example.com/","description":"`+planted+`"}}`)["config_id"]
	event := c.data("webhook.config.test", fmt.Sprintf(`{"config_id":%q}`, config))["event_id"]
	deliveries := c.data("webhook.delivery.list", fmt.Sprintf(`{"account_id":%q,"filters":{"event_id":%q}}`, c.account, event))["deliveries"].([]any)
	delivery := deliveries[0].(map[string]any)["delivery_id"]
	of := func(name string, value any) string { return fmt.Sprintf(`{%q:%q}`, name, value) }
	person := applicant["person_ids"].([]any)[0]
	rules := fmt.Sprintf(`{"account_id":%q,"rules":{"documents":[{"document_type_code":"A","name":"%s","category":"c","requirement_text":"t","entity_type":"Business"}]}}`, c.account, planted)
	requests := []struct{ operation, body string }{ // each depends on those before it
		{"account.get", of("account_id", c.account)},
		{"account.documentRules.validate", rules},
		{"account.documentRules.publish", rules},
		{"account.documentRules.get", of("account_id", c.account)},
		{"account.documentRules.list", of("account_id", c.account)},
		{"business.create", c.applicant(`{"legal_name":"`+planted+`"}`, "")},
		{"business.get", of("business_id", business)},
		{"business.list", fmt.Sprintf(`{"account_id":%q,"filters":{"external_id":%q}}`, c.account, planted)},
		{"business.update", fmt.Sprintf(`{"business_id":%q,"business":{"email":"%s@example.com"}}`, business, planted)},
		{"business.salesInfo.create", fmt.Sprintf(`{"business_id":%q,"validate_only":true,%s}`, business, sales)},
		{"business.salesInfo.create", fmt.Sprintf(`{"business_id":%q,%s}`, business, sales)},
		{"business.salesInfo.delete", of("sales_info_id", applicant["sales_info_id"])},
		{"person.create", fmt.Sprintf(`{"business_id":%q,"person":{"first_name":"%s","last_name":"B"}}`, business, planted)},
		{"person.get", of("person_id", person)},
		{"person.list", of("business_id", business)},
		{"person.update", fmt.Sprintf(`{"person_id":%q,"person":{"last_name":"%s"}}`, person, planted)},
		{"person.delete", of("person_id", person)},
		{"webhook.config.get", of("config_id", config)},
		{"webhook.config.list", of("account_id", c.account)},
		{"webhook.config.update", fmt.Sprintf(`{"config_id":%q,"config":{"description":"%s"}}`, config, planted)},
		{"webhook.event.list", of("account_id", c.account)},
		{"webhook.delivery.list", of("account_id", c.account)},
		{"webhook.delivery.get", of("delivery_id", delivery)},
		{"webhook.delivery.cancel", of("delivery_id", delivery)},
		{"webhook.config.delete", of("config_id", config)},
		{"webhook.key.list", of("account_id", c.account)},
		{"workflow.create", fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q,"state":"CREATED"}}`, c.account, business)},
		{"workflow.get", of("workflow_id", workflow)},
		{"workflow.list", of("account_id", c.account)},
		{"workflow.list", fmt.Sprintf(`{"account_id":%q,"filters":{"external_id":%q}}`, c.account, planted)},
		{"workflow.requiredDocument.list", of("workflow_id", workflow)},
		{"workflow.requiredDocument.update", fmt.Sprintf(`{"required_document_id":%q,"required_document":{"status":"NEEDS_REVIEW"}}`, documents[0])},
		{"workflow.complete", of("workflow_id", workflow)},
	}
	line := func(operation, body string) (line map[string]any) {
		log.Reset()
		c.sign(operation, body)(t.Context())
		require.NotContains(t, strings.ToLower(log.String()), strings.ToLower(planted), operation)
		require.NoError(t, json.Unmarshal(log.Bytes(), &line), "%s: one line: %s", operation, log.String())
		require.Equal(t, []any{operation, c.key}, []any{line["operation"], line["api_key"]})
		require.NotEmpty(t, line["trace_id"])
		require.IsType(t, 0.0, line["duration_ms"])
		return line
	}
	for _, r := range requests {
		found := line(r.operation, r.body)
		require.Equal(t, []any{"SUCCESS", 200.0, true, c.account}, []any{found["outcome"], found["status"], found["sent"], found["account_id"]}, "%s: %s", r.operation, r.body)
		require.NotContains(t, found, "code")
		require.NotContains(t, found, "sub_code")
	}
	malformed := line("workflow.get", of("workflow_id", planted))
	require.Equal(t, []any{400.0, "BAD_REQUEST"}, []any{malformed["status"], malformed["code"]})
	require.NotContains(t, malformed, "workflow_id")
	inURL := line("webhook.config.update", fmt.Sprintf(`{"config_id":%q,"config":{"url":"https://%s.example/"}}`, unknown, c.account))
	require.Equal(t, unknown, inURL["config_id"])
	require.NotContains(t, inURL, "account_id")
	// All operations are refused, because their examples name records of no tenant.
	for _, operation := range slices.Sorted(maps.Keys(c.operations)) {
		found := line(operation, reference.OperationExamples()[operation].Request)
		if !slices.Contains([]string{"account.list", "meta.checkVersion", "meta.whoami"}, operation) {
			require.Equal(t, []any{"ENTITY_NOT_FOUND", "ENTITY_NOT_FOUND", 400.0}, []any{found["code"], found["outcome"], found["status"]}, operation)
			named, _ := found["account_id"].(string)
			require.Contains(t, []string{"", "sb_3517wGo2vFZkUlmyh1meP"}, named, "%s: the account that the request names, or none", operation)
		}
	}
	reader := c.with(domain.NewCredential{Name: planted, Permissions: domain.Permissions{domain.PermissionRead}})
	log.Reset()
	reader.answers(403, "FORBIDDEN", reader.sign("business.create", "{}"))
	require.Contains(t, log.String(), `"code":"FORBIDDEN","api_key":"`+reader.key+`"`)
	require.NotContains(t, log.String(), planted)
}
