package server

import (
	"encoding/base64"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/api/reference"
	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
)

func decoded(t *testing.T, text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	return data
}

// section returns the HTML of a section of the page about what all operations share.
func section(t *testing.T, id string) string {
	_, text, found := strings.Cut(fetch(t, "/docs/conventions").Body.String(), `<section id="`+id+`">`)
	require.True(t, found)
	text, _, _ = strings.Cut(text, "</section>")
	return html.UnescapeString(text)
}

// TestDocsPage_DescribesListsAsTheyWork: which lists have pages, their order and their end.
func TestDocsPage_DescribesListsAsTheyWork(t *testing.T) {
	text := section(t, "lists")
	const usual = "Pass it as page.after for the next page; null on the last one."
	api := description(t)
	schemas := api["components"].(map[string]any)["schemas"].(map[string]any)
	properties := func(schema any) map[string]any {
		object := schema.(map[string]any)
		if target, is := object["$ref"].(string); is {
			object = schemas[strings.TrimPrefix(target, reference.SchemaPrefix)].(map[string]any)
		}
		return orNone(object["properties"])
	}
	for name, o := range testServer(t).operations {
		post := api["paths"].(map[string]any)["/"+name].(map[string]any)["post"].(map[string]any)
		schema := func(message any) any {
			return message.(map[string]any)["content"].(map[string]any)["application/json"].(map[string]any)["schema"]
		}
		_, paged := properties(schema(post["requestBody"]))["page"]
		next, ends := properties(properties(schema(post["responses"].(map[string]any)["200"]))["data"])["next"].(map[string]any)
		require.Equal(t, paged, ends, "%s: a request with page has a response with next", name)
		require.False(t, paged && !strings.HasSuffix(name, ".list"), name)
		require.Equal(t, paged && next["description"] != usual, strings.Contains(text, `<a href="`+o.Address()+`">`), "%s: the page names the lists whose next differs: %v", name, next)
	}

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
	require.Contains(t, text, "50 when left out")
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
	ids, _ = list("webhook.event.list", "events", "event_id", `,"filters":{"event_type":"WEBHOOK_TEST"}`)
	require.Equal(t, events, ids)
	ids, next = list("webhook.event.list", "events", "event_id", `,"filters":{"event_type":"WEBHOOK_TEST"},"order":"OLDEST_FIRST"`)
	slices.Reverse(events)
	require.Equal(t, events, ids)
	require.NotNil(t, next)
	listed := c.data("workflow.requiredDocument.list", fmt.Sprintf(`{"workflow_id":%q}`, workflow))["required_documents"].([]any)
	require.Len(t, listed, len(documents))
	for i, d := range listed {
		require.Equal(t, documents[i], d.(map[string]any)["required_document_id"], "in the order in which they were first required")
	}
}

// TestDocsPage_DescribesTheFormOfIDs: every id in an example has the form on the page,
// except those that the page names.
func TestDocsPage_DescribesTheFormOfIDs(t *testing.T) {
	text := section(t, "answers")
	form := regexp.MustCompile(`^[a-z]+_[0-9A-Za-z]{20,22}$`)
	excepted := map[string]bool{}
	check := func(example string) {
		walk(reference.Parsed(example), "", func(_ string, object map[string]any) {
			for name, value := range object {
				id, is := value.(string)
				if is && strings.HasSuffix(name, "_id") && !strings.HasPrefix(name, "temporal_") && !form.MatchString(id) { // temporal_ ids name no record of the API
					excepted[name] = true
				}
			}
		})
	}
	for _, shown := range reference.OperationExamples() {
		check(shown.Request)
		check(shown.Data)
	}
	for _, event := range domain.EventTypes() {
		about, _ := event.Describe()
		check(string(reference.EventContentExample(about)))
	}
	delete(excepted, "user_id")     // the name of a credential
	delete(excepted, "external_id") // the caller's own
	require.Equal(t, map[string]bool{"key_id": true}, excepted)
	require.Contains(t, text, "20 to 22 characters of <code>0-9A-Za-z</code>; <code>key_id</code> alone")
}

// TestDocsPage_NamesTheResponsesToRepeat: those whose cure in the catalogue is a repeat.
func TestDocsPage_NamesTheResponsesToRepeat(t *testing.T) {
	_, text, found := strings.Cut(section(t, "repeating"), "Repeat after a lost connection, ")
	require.True(t, found)
	text, _, _ = strings.Cut(text, ";")
	for _, code := range refusal.Codes() {
		words, _ := code.Words()
		again := strings.HasPrefix(words.Cure, "Repeat the request") || strings.HasPrefix(words.Cure, "Wait for")
		require.Equal(t, again, strings.Contains(text, strconv.Itoa(code.Status())), "%s: %s", code, words.Cure)
	}
}

// TestDisabledEndpoint_HoldsItsDeliveries, as the description of response 410 says.
func TestDisabledEndpoint_HoldsItsDeliveries(t *testing.T) {
	c := applicantTenant(t)
	config := c.data("webhook.config.create", fmt.Sprintf(`{"account_id":%q,"config":{"url":"https://hooks.example.com/"}}`, c.account))["config_id"]
	c.data("webhook.config.update", fmt.Sprintf(`{"config_id":%q,"config":{"status":"DISABLED"}}`, config))
	c.data("webhook.config.test", fmt.Sprintf(`{"config_id":%q}`, config))
	deliveries := c.data("webhook.delivery.list", fmt.Sprintf(`{"account_id":%q}`, c.account))["deliveries"].([]any)
	require.Len(t, deliveries, 1)
	require.Equal(t, "HELD", deliveries[0].(map[string]any)["status"])
	for event, item := range description(t)["webhooks"].(map[string]any) {
		gone := item.(map[string]any)["post"].(map[string]any)["responses"].(map[string]any)["410"].(map[string]any)
		require.Contains(t, gone["description"], "its events wait until it is enabled again", event)
	}
}
