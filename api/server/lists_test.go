package server

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/api/limits"
	"requisite/api/reference"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store/pgtest"
)

// pages reads a list to its end, and returns an id of each record.
func (c *tenant) pages(operation, request, items, name string) (ids []string) {
	c.Helper()
	after := ""
	for {
		data := c.data(operation, fmt.Sprintf(`{%s"page":{"limit":2%s}}`, request, after))
		found := data[items].([]any)
		require.LessOrEqual(c, len(found), 2)
		for _, record := range found {
			ids = append(ids, record.(map[string]any)[name].(string))
		}
		if data["next"] == nil {
			return ids
		}
		after = fmt.Sprintf(`,"after":%q`, data["next"])
	}
}

func TestBusinessAndPersonList_AnswerTheRecordsAsGetDoes(t *testing.T) {
	c := refusing{applicantTenant(t)}
	var made []string
	for n := range 5 {
		created := c.data("business.create", c.applicant(fmt.Sprintf(`{"legal_name":"Ltd","external_id":"b-%d"}`, n), `,"persons":`+somePersons+zeroSales))
		made = append(made, created["business_id"].(string))
	}
	slices.Sort(made) // by time, or at random within a millisecond
	slices.Reverse(made)
	account := `"account_id":"` + c.account + `",`
	require.Equal(t, made, c.pages("business.list", account, "businesses", "business_id"))
	listed := c.data("business.list", c.named())["businesses"].([]any)
	for i, business := range made {
		require.Equal(t, c.data("business.get", c.naming("business_id", business)), listed[i])
	}
	listedFirst := slices.IndexFunc(listed, func(b any) bool { return b.(map[string]any)["external_id"] == "b-1" })
	one := c.data("business.list", c.naming("account_id", c.account, `,"filters":{"external_id":"b-1"}`))["businesses"].([]any)
	require.Equal(t, listed[listedFirst:listedFirst+1], one)
	require.Empty(t, c.data("business.list", c.naming("account_id", c.account, `,"filters":{"external_id":"b-9"}`))["businesses"])

	business := made[0]
	c.data("person.create", c.naming("business_id", business, `,"person":`+named))
	persons := c.data("business.get", c.naming("business_id", business))["person_ids"].([]any)
	require.Len(t, persons, 3)
	all := c.data("person.list", c.naming("business_id", business))["persons"].([]any)
	for i, person := range c.pages("person.list", `"business_id":"`+business+`",`, "persons", "person_id") {
		require.Equal(t, persons[len(persons)-1-i], person)
		require.Equal(t, c.data("person.get", c.naming("person_id", person)), all[i])
	}
	require.Len(t, all, 3)
	ours := c.data("person.list", c.naming("business_id", business, `,"filters":{"external_id":"ours"}`))["persons"].([]any)
	require.Len(t, ours, 1)
	require.Equal(t, "ours", ours[0].(map[string]any)["external_id"])
	require.Subset(t, all, ours)
}

func TestRulesList_InPages(t *testing.T) {
	c := refusing{applicantTenant(t)}
	var made []string
	for n := range 3 {
		published := c.data("account.documentRules.publish", c.withRules(c.rules(fmt.Sprintf("business_age_years > %d", n))))
		made = append([]string{published["version_id"].(string)}, made...)
	}
	require.Equal(t, made, c.pages("account.documentRules.list", `"account_id":"`+c.account+`",`, "versions", "version_id"))
}

func TestWorkflowList_FiltersByExternalID(t *testing.T) {
	c := refusing{applicantTenant(t)}
	business := c.business("")
	c.workflow(business, domain.Started)
	named := c.data("workflow.create", fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q,"external_id":"w-1"}}`, c.account, business))["workflow_id"]
	found := c.data("workflow.list", c.naming("account_id", c.account, `,"filters":{"external_id":"w-1"}`))["workflows"].([]any)
	require.Len(t, found, 1)
	require.Equal(t, named, found[0].(map[string]any)["workflow_id"])
}

// TestAccountList_ListsTheAccountsOfTheCredential, and none of another environment.
func TestAccountList_ListsTheAccountsOfTheCredential(t *testing.T) {
	c := refusing{applicantTenant(t)}
	made := []string{c.account}
	for range 4 {
		account, err := c.operator.Organizations.CreateAccount(t.Context(), c.scope(), "more", "EUR", "Europe/Oslo")
		require.NoError(t, err)
		made = append([]string{account.WireID().String()}, made...)
	}
	_, err := c.operator.Organizations.CreateAccount(t.Context(), domain.Scope{OrganizationID: c.organization, Environment: domain.Live}, "live", "EUR", "UTC")
	require.NoError(t, err)
	pgtest.NewAccount(t, c.operator, "other", "UTC")
	require.ElementsMatch(t, made, c.pages("account.list", "", "accounts", "account_id"))
	for _, account := range c.data("account.list", `{}`)["accounts"].([]any) {
		require.Equal(t, c.data("account.get", c.naming("account_id", account.(map[string]any)["account_id"])), account)
	}
}

// TestLists_CheckTheCursorWithTheRestOfTheRequest: a malformed page.after comes before a
// record that does not exist, and together with other problems.
func TestLists_CheckTheCursorWithTheRestOfTheRequest(t *testing.T) {
	c := applicantTenant(t)
	unknown := map[string]string{"account_id": "sb_" + strings.Repeat("7", 21), "business_id": "b_" + strings.Repeat("7", 21), "workflow_id": "w_" + strings.Repeat("7", 21)}
	paged := 0
	for name, o := range c.operations {
		schema := c.api.Schemas.Registry.SchemaFromRef(c.api.Schemas.Describe(o.Request).Ref)
		if schema.Properties["page"] == nil {
			continue
		}
		paged++
		var fields string
		for _, field := range schema.Required {
			require.Contains(t, unknown, field, name)
			fields += fmt.Sprintf(`%q:%q,`, field, unknown[field])
		}
		orders := []string{""}
		if schema.Properties["order"] != nil {
			orders = []string{`"order":"NEWEST_FIRST",`, `"order":"OLDEST_FIRST",`}
		}
		for _, order := range orders {
			for _, after := range []string{"x", "rec_" + strings.Repeat("7", 21), c.account + "xxx"} {
				body := fmt.Sprintf(`{%s%s"page":{"after":%q},"nothing":1}`, fields, order, after)
				require.Equal(t, []string{"nothing", "page.after"}, c.fields(name, body), "%s %s", name, body)
			}
		}
		require.Contains(t, reference.OperationExamples(), name)
	}
	require.Equal(t, 11, paged)
}

func TestWhoami_ShowsTheCredential(t *testing.T) {
	c := applicantTenant(t)
	found := c.data("meta.whoami", `{}`)
	require.Equal(t, id.Format(id.Organization, c.organization), found["organization_id"])
	require.Equal(t, "sandbox", found["environment"])
	require.Equal(t, map[string]any{"name": "c", "api_key": c.key, "permissions": []any{"read", "write", "rules", "keys", "webhooks"}, "signature_policy": "strict"}, found["credential"])
	require.NotContains(t, found, "rate_limit")

	limited := newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 20}, RateLimit: 2.5})
	reader := limited.with(domain.NewCredential{Name: "reader", Policy: domain.Minimal, Permissions: domain.Permissions{domain.PermissionRead}})
	found = reader.data("meta.whoami", `{}`)
	require.Equal(t, map[string]any{"name": "reader", "api_key": reader.key, "permissions": []any{"read"}, "signature_policy": "minimal"}, found["credential"])
	require.Equal(t, map[string]any{"per_second": 2.5, "burst": 5.0}, found["rate_limit"])
	require.Equal(t, []string{"account_id"}, c.fields("meta.whoami", `{"account_id":"x"}`))
}

// TestEvents_AreTheSameObjectInEachAnswer: webhook.event.get and both orders of webhook.event.list.
func TestEvents_AreTheSameObjectInEachAnswer(t *testing.T) {
	c := applicantTenant(t)
	_, workflow, _ := c.application(1)
	for _, order := range []string{"NEWEST_FIRST", "OLDEST_FIRST"} {
		list := func(data bool) []any {
			return c.data("webhook.event.list", fmt.Sprintf(`{"account_id":%q,"order":%q,"include_data":%t}`, c.account, order, data))["events"].([]any)
		}
		bare, whole := list(false), list(true)
		require.Len(t, whole, len(bare))
		require.NotEmpty(t, whole)
		for i, listed := range whole {
			event := listed.(map[string]any)
			got := c.data("webhook.event.get", fmt.Sprintf(`{"event_id":%q}`, event["id"]))
			if order == "OLDEST_FIRST" {
				require.EqualValues(t, i+1, event["position"])
				got["position"] = event["position"]
			}
			require.Equal(t, got, event)
			require.Equal(t, []any{c.account, "2025-11-21", workflow, event["data"].(map[string]any)["sequence"]},
				[]any{event["account_id"], event["schema_version"], event["workflow_id"], event["sequence"]})
			delete(got, "data")
			require.Equal(t, got, bare[i], "data comes only where include_data is true")
		}
	}
	require.Equal(t, []string{"include_payload"}, c.fields("webhook.event.list", fmt.Sprintf(`{"account_id":%q,"include_payload":true}`, c.account)))
}

// TestLists_HaveAnOrderAndAnEnd: the newest first and 50 on a page, except for the feed and for
// required documents.
func TestLists_HaveAnOrderAndAnEnd(t *testing.T) {
	c := applicantTenant(t)
	business, workflow, documents := c.application(3)
	opened := []any{workflow}
	for range 50 {
		opened = append(opened, c.data("workflow.create", fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q}}`, c.account, business))["workflow_id"])
	}
	list := func(operation, items, id, rest string) (ids []any, next any) {
		data := c.data(operation, fmt.Sprintf(`{"account_id":%q%s}`, c.account, rest))
		for _, item := range data[items].([]any) {
			ids = append(ids, item.(map[string]any)[id])
		}
		return ids, data["next"]
	}
	slices.Reverse(opened)
	ids, next := list("workflow.list", "workflows", "workflow_id", "")
	require.Equal(t, opened[:50], ids, "newest first")
	ids, next = list("workflow.list", "workflows", "workflow_id", fmt.Sprintf(`,"page":{"after":%q}`, next))
	require.Equal(t, []any{opened[50:], nil}, []any{ids, next})
	var configs, events []any
	for _, path := range []string{"a", "b"} {
		config := c.data("webhook.config.create", fmt.Sprintf(`{"account_id":%q,"config":{"url":"https://hooks.example.com/%s"}}`, c.account, path))["config_id"]
		configs = append([]any{config}, configs...)
		events = append([]any{c.data("webhook.config.test", fmt.Sprintf(`{"config_id":%q}`, config))["event_id"]}, events...)
	}
	ids, next = list("webhook.config.list", "configs", "config_id", "")
	require.Equal(t, []any{configs, nil}, []any{ids, next})
	ids, _ = list("webhook.delivery.list", "deliveries", "event_id", "")
	require.Equal(t, events, ids)
	ids, _ = list("webhook.event.list", "events", "id", `,"filters":{"event_type":"WEBHOOK_TEST"}`)
	require.Equal(t, events, ids)
	ids, next = list("webhook.event.list", "events", "id", `,"filters":{"event_type":"WEBHOOK_TEST"},"order":"OLDEST_FIRST"`)
	slices.Reverse(events)
	require.Equal(t, events, ids)
	require.NotNil(t, next)
	listed := c.data("workflow.requiredDocument.list", fmt.Sprintf(`{"workflow_id":%q}`, workflow))["required_documents"].([]any)
	require.Len(t, listed, len(documents))
	for i, d := range listed {
		require.Equal(t, documents[i], d.(map[string]any)["required_document_id"], "in the order in which they were first required")
	}
}
