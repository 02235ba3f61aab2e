package server

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/api/limits"
	"requisite/api/reference"
)

func TestExternalID_IsAnsweredAndCleared(t *testing.T) {
	c := refusing{applicantTenant(t)}
	business := c.data("business.create", c.applicant(`{"legal_name":"Ltd","external_id":"b/1"}`, `,"persons":[`+named+`]`))
	person := business["person_ids"].([]any)[0]
	workflow := c.data("workflow.create", fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q,"external_id":"w#1"}}`, c.account, business["business_id"]))
	get := func(operation, field string, id any) any {
		return c.data(operation, c.naming(field, id))["external_id"]
	}
	require.Equal(t, "b/1", get("business.get", "business_id", business["business_id"]))
	require.Equal(t, "ours", get("person.get", "person_id", person))
	require.Equal(t, "w#1", get("workflow.get", "workflow_id", workflow["workflow_id"]))
	c.data("business.update", c.naming("business_id", business["business_id"], `,"business":{"website":"https://ltd.example"}`))
	require.Equal(t, "b/1", get("business.get", "business_id", business["business_id"]))
	c.data("business.update", c.naming("business_id", business["business_id"], `,"business":{"external_id":null}`))
	c.data("person.update", c.naming("person_id", person, `,"person":{"external_id":null}`))
	require.Nil(t, get("business.get", "business_id", business["business_id"]))
	require.Nil(t, get("person.get", "person_id", person))
	bare := c.data("workflow.get", c.in("CREATED", business["business_id"].(string)))
	require.Contains(t, bare, "external_id")
	require.Nil(t, bare["external_id"])
}

func TestExternalID_HasAForm(t *testing.T) {
	c := refusing{applicantTenant(t)}
	for _, wrong := range []string{`""`, `" "`, `"a b"`, `"é"`, `7`, `"a\u0007"`, `"` + strings.Repeat("x", 65) + `"`} {
		require.Equal(t, []string{"business.external_id"}, c.fields("business.create", c.applicant(`{"legal_name":"Ltd","external_id":`+wrong+`}`, "")), wrong)
	}
	c.data("business.create", c.applicant(`{"legal_name":"Ltd","external_id":"`+strings.Repeat("~", 64)+`"}`, ""))
	require.Equal(t, []string{"persons[1].external_id"}, c.fields("business.create", c.applicant(`{"legal_name":"Ltd"}`, `,"persons":[`+named+`,`+named+`]`)))
}

// TestExternalID_IsNotLogged, neither when it is accepted nor when it is refused, and no
// refusal repeats it.
func TestExternalID_IsNotLogged(t *testing.T) {
	t.Parallel()
	c := refusing{newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 20}})}
	var logged bytes.Buffer
	c.Server.log = slog.New(slog.NewJSONHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	business := c.business("")
	const planted = `"external_id":"planted-external-id"`
	send := func(operation, body string) {
		before := logged.Len()
		answer := c.send(t.Context(), operation, c.signed(operation, body), body).Body.String()
		require.Contains(t, logged.String()[before:], `"operation":"`+operation+`"`)
		require.NotContains(t, logged.String(), "planted", body)
		if strings.Contains(answer, "errors") {
			require.NotContains(t, answer, "planted", body)
		}
	}
	for range 2 { // the second time it exists
		send("business.create", c.applicant(`{"legal_name":"Ltd",`+planted+`}`, ""))
		send("person.create", c.naming("business_id", business, `,"person":{"first_name":"Ida","last_name":"Berg",`+planted+`}`))
		send("workflow.create", c.naming("account_id", c.account, `,"workflow":{"business_id":"`+business+`",`+planted+`}`))
	}
	send("business.update", c.naming("business_id", business, `,"business":{`+planted+`}`))
	send("business.update", c.naming("business_id", business, `,"business":{"external_id":"planted id"}`))
}

// TestExternalID_IsNullInEveryAnswerWhereThereIsNone, and never absent.
func TestExternalID_IsNullInEveryAnswerWhereThereIsNone(t *testing.T) {
	api := description(t)
	var answers []string
	var visit func(at string, schema any, within []string)
	schemas := api["components"].(map[string]any)["schemas"].(map[string]any)
	visit = func(at string, schema any, within []string) {
		walk(schema, at, func(at string, object map[string]any) {
			if ref, is := object["$ref"].(string); is && !slices.Contains(within, ref) {
				visit(at, schemas[strings.TrimPrefix(ref, reference.SchemaPrefix)], append(slices.Clone(within), ref))
			}
			properties, _ := object["properties"].(map[string]any)
			property, has := properties["external_id"].(map[string]any)
			if !has {
				return
			}
			answers = append(answers, at)
			require.Contains(t, object["required"], "external_id", at)
			require.ElementsMatch(t, []any{"string", "null"}, property["type"], at)
		})
	}
	for path, of := range api["paths"].(map[string]any) {
		visit(path, of.(map[string]any)["post"].(map[string]any)["responses"], nil)
	}
	require.GreaterOrEqual(t, len(answers), 6, "get and list of businesses, persons and workflows")
}
