package server

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"requisite/api/reference"
	"requisite/api/spec"
	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/webhooks/event"
)

// description returns /openapi.json, decoded.
func description(t *testing.T) map[string]any {
	var api map[string]any
	require.NoError(t, json.Unmarshal(fetch(t, "/openapi.json").Body.Bytes(), &api))
	return api
}

// walk visits every object in a value, with its path.
func walk(value any, at string, visit func(at string, object map[string]any)) {
	switch value := value.(type) {
	case map[string]any:
		visit(at, value)
		for name, member := range value {
			walk(member, at+"/"+name, visit)
		}
	case []any:
		for _, element := range value {
			walk(element, at, visit)
		}
	}
}

// TestOpenAPI_ListsTheValuesOfEnums, and uses no keyword that generators misread.
func TestOpenAPI_ListsTheValuesOfEnums(t *testing.T) {
	schemas := description(t)["components"].(map[string]any)["schemas"].(map[string]any)
	enumerated := []string{"code", "sub_code", "status", "state", "event_type", "entity_type", "outcome", "severity", "previous_status"}
	walk(schemas, "", func(at string, object map[string]any) {
		require.NotContains(t, object, "multipleOf", at)
		require.NotContains(t, object, "patternDescription", at)
		properties, is := object["properties"].(map[string]any)
		if !is || strings.HasPrefix(at, "/"+reference.RuleSet) || strings.HasPrefix(at, "/"+reference.PublishedRuleSet) {
			return
		}
		for name, property := range properties {
			property := property.(map[string]any)
			require.NotContains(t, property, "default", "%s.%s", at, name)
			if !slices.Contains(enumerated, name) {
				continue
			}
			if target, is := property["$ref"].(string); is {
				property = schemas[strings.TrimPrefix(target, reference.SchemaPrefix)].(map[string]any)
			}
			require.NotEmpty(t, property["enum"], "%s.%s lists no values", at, name)
		}
	})
	union := schemas["Refusal"].(map[string]any)["discriminator"].(map[string]any)["mapping"].(map[string]any)
	var described []string
	for code, target := range union {
		entry := schemas[strings.TrimPrefix(target.(string), reference.SchemaPrefix)].(map[string]any)
		require.Contains(t, entry["properties"].(map[string]any)["code"].(map[string]any)["enum"], code)
		described = append(described, code)
	}
	require.ElementsMatch(t, spec.Texts(refusal.Codes()...), described)
}

// condition matches the parts of a schema that make others depend on a field.
var condition = regexp.MustCompile(`/(if|then|else|not)(/|$)`)

// TestOpenAPI_DescribesEveryField, and has no words that describe none.
func TestOpenAPI_DescribesEveryField(t *testing.T) {
	api := description(t)
	said, fields := map[string]bool{}, 0
	walk(api, "", func(at string, object map[string]any) {
		properties, is := object["properties"].(map[string]any)
		if !is || strings.HasSuffix(at, "/properties") || condition.MatchString(at) { // a field may be named properties
			return
		}
		for name, property := range properties {
			about, _ := orNone(property)["description"].(string)
			assert.Regexp(t, `\.$`, about, "%s/%s needs a description: in its tag, or in api/spec/words.go", at, name)
			required, _ := object["required"].([]any)
			assert.False(t, slices.Contains(required, any(name)) && strings.Contains(strings.ToLower(about), "absent"), "%s/%s is always there, and is said to be absent at times", at, name)
			said[name+": "+about], said[at[strings.LastIndex(at, "/")+1:]+"."+name+": "+about] = true, true
			fields++
		}
	})
	require.Greater(t, fields, 1300)
	schemas := api["components"].(map[string]any)["schemas"].(map[string]any)
	for name, about := range spec.Words() {
		if schema, is := schemas[name].(map[string]any); is && schema["description"] == about {
			continue
		}
		assert.True(t, said[name+": "+about], "api/spec/words.go has %s, and no field needs it", name)
	}
}

// TestOpenAPI_DescribesEveryEvent with words and an example that matches its schema.
func TestOpenAPI_DescribesEveryEvent(t *testing.T) {
	api := description(t)
	webhooks := api["webhooks"].(map[string]any)
	schemas := api["components"].(map[string]any)["schemas"].(map[string]any)
	require.Len(t, webhooks, len(domain.EventTypes()))
	for _, kind := range domain.EventTypes() {
		about, ok := event.Describe(kind)
		require.True(t, ok, "%s has no description in internal/webhooks/event/content.go", kind)
		require.Regexp(t, `\.$`, about.About)
		example := reference.EventContentExample(about)
		content := schemas[reference.Camel(string(kind))+"Content"].(map[string]any)
		require.Subset(t, names(content["properties"]), keysOf(t, string(example)), kind)
		require.Subset(t, keysOf(t, string(example)), content["required"], kind)
		_, workflow := content["properties"].(map[string]any)["workflow_id"]
		require.Equal(t, about.OfWorkflow(), workflow, kind)
		arrives := webhooks[string(kind)].(map[string]any)["post"].(map[string]any)["requestBody"].(map[string]any)["content"].(map[string]any)["application/json"].(map[string]any)["example"].(map[string]any)
		var decrypted map[string]any
		require.NoError(t, json.Unmarshal(example, &decrypted))
		require.Equal(t, decrypted["sequence"], arrives["sequence"], "%s: sequence is the same in clear and in the content", kind)
		require.Equal(t, about.OfWorkflow(), arrives["sequence"] != nil, kind)
	}
}

// TestConfigTest_SendsContentThatMatchesItsSchema for every event type. The content says
// that it is a test.
func TestConfigTest_SendsContentThatMatchesItsSchema(t *testing.T) {
	c := newTenant(t, Settings{})
	schemas := jsonschema.NewCompiler()
	schemas.DefaultDraft(jsonschema.Draft2020)
	schemas.AssertFormat()
	require.NoError(t, schemas.AddResource("openapi.json", description(t)))
	config := c.data("webhook.config.create", `{"account_id":"`+c.account+`","config":{"url":"https://hooks.example.com/","event_types":["WORKFLOW_STARTED"]}}`)["config_id"]
	test := func(request string) (event map[string]any) {
		t.Helper()
		made := c.data("webhook.config.test", fmt.Sprintf(`{"config_id":%q%s}`, config, request))
		event = c.data("webhook.event.get", fmt.Sprintf(`{"event_id":%q}`, made["event_id"]))
		schema, err := schemas.Compile("openapi.json#/components/schemas/" + reference.Camel(event["event_type"].(string)) + "Content")
		require.NoError(t, err)
		require.NoError(t, schema.Validate(event["data"]), event["event_type"])
		delete(event["data"].(map[string]any), "version")
		require.Error(t, schema.Validate(event["data"]), "the schema checks nothing")
		require.Equal(t, []any{true, true}, []any{event["test"], event["data"].(map[string]any)["test"]})
		return event
	}
	for _, kind := range domain.EventTypes() {
		event := test(`,"event_type":"` + string(kind) + `"`)
		require.Equal(t, string(kind), event["event_type"])
	}
	event := test("")
	require.Equal(t, []any{"WEBHOOK_TEST", config}, []any{event["event_type"], event["data"].(map[string]any)["config_id"]})
	for _, order := range []string{"NEWEST_FIRST", "OLDEST_FIRST"} {
		listed := c.data("webhook.event.list", fmt.Sprintf(`{"account_id":%q,"order":%q}`, c.account, order))["events"].([]any)
		require.Len(t, listed, 2, "a feed does not contain examples of other event types")
		for _, e := range listed {
			require.Equal(t, []any{"WEBHOOK_TEST", true}, []any{e.(map[string]any)["event_type"], e.(map[string]any)["test"]})
		}
	}

	require.NotContains(t, event, "workflow_id")

	for _, wrong := range []string{`"WORKFLOW_ENDED"`, `"webhook_test"`, `""`, `null`, `["WEBHOOK_TEST"]`} {
		require.Equal(t, []string{"event_type"}, c.fields("webhook.config.test", fmt.Sprintf(`{"config_id":%q,"event_type":%s}`, config, wrong)), wrong)
	}
}

func names(object any) (list []string) {
	for name := range object.(map[string]any) {
		list = append(list, name)
	}
	return list
}

// objectsOf calls see for each object in a value. see may change the object.
func objectsOf(value any, see func(map[string]any)) {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if name != "custom" { // its names are the account's
				objectsOf(member, see)
			}
		}
		see(value)
	case []any:
		for _, element := range value {
			objectsOf(element, see)
		}
	}
}

// TestOpenAPI_AllowsNewFieldsInResponsesOnly: the schemas of responses and webhooks accept
// an additional field at any depth. Those of requests do not.
func TestOpenAPI_AllowsNewFieldsInResponsesOnly(t *testing.T) {
	api := description(t)
	schemas := jsonschema.NewCompiler()
	schemas.DefaultDraft(jsonschema.Draft2020)
	require.NoError(t, schemas.AddResource("openapi.json", api))
	tried := map[bool]int{}
	check := func(at string, media map[string]any, request bool) {
		schema, err := schemas.Compile("openapi.json#" + strings.ReplaceAll(at, "//", "/~1") + "/content/application~1json/schema")
		require.NoError(t, err)
		examples := []any{media["example"]}
		for _, named := range orNone(media["examples"]) {
			examples = append(examples, named.(map[string]any)["value"])
		}
		for _, example := range examples {
			if example == nil {
				continue
			}
			require.NoError(t, schema.Validate(example), at)
			objectsOf(example, func(object map[string]any) {
				object["added_later"] = "x"
				err := schema.Validate(example)
				if request {
					require.Error(t, err, "%s: %v", at, object)
				} else {
					require.NoError(t, err, "%s: %v", at, object)
				}
				delete(object, "added_later")
				tried[request]++
			})
		}
	}
	json := func(message any) map[string]any {
		return message.(map[string]any)["content"].(map[string]any)["application/json"].(map[string]any)
	}
	for path, item := range api["paths"].(map[string]any) {
		post := item.(map[string]any)["post"].(map[string]any)
		check("/paths/"+path+"/post/requestBody", json(post["requestBody"]), true)
		for _, status := range []string{"200", "400"} {
			check("/paths/"+path+"/post/responses/"+status, json(post["responses"].(map[string]any)[status]), false)
		}
	}
	for event, item := range api["webhooks"].(map[string]any) {
		check("/webhooks/"+event+"/post/requestBody", json(item.(map[string]any)["post"].(map[string]any)["requestBody"]), false)
		name := reference.Camel(event) + "Content"
		schema, err := schemas.Compile("openapi.json#/components/schemas/" + name)
		require.NoError(t, err)
		for _, example := range api["components"].(map[string]any)["schemas"].(map[string]any)[name].(map[string]any)["examples"].([]any) {
			objectsOf(example, func(object map[string]any) {
				object["added_later"] = "x"
				require.NoError(t, schema.Validate(example), name)
				delete(object, "added_later")
			})
		}
	}
	require.Greater(t, tried[true], 60)
	require.Greater(t, tried[false], 500)
}

func orNone(object any) map[string]any {
	found, _ := object.(map[string]any)
	return found
}

// TestOpenAPI_FieldsOfResponsesAreAbsentOrNull: the service either leaves a field without a value
// out, or sends null. The types of callers say which.
func TestOpenAPI_FieldsOfResponsesAreAbsentOrNull(t *testing.T) {
	api := description(t)
	seen := map[string]bool{}
	var check func(at string, object map[string]any)
	check = func(at string, object map[string]any) {
		if reference, is := object["$ref"].(string); is && !seen[reference] {
			seen[reference] = true
			target := any(api)
			for name := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
				target = target.(map[string]any)[name]
			}
			walk(target, reference, check)
		}
		for name, property := range orNone(object["properties"]) {
			if required, _ := object["required"].([]any); slices.Contains(required, any(name)) {
				continue
			}
			property := orNone(property)
			kinds, _ := property["type"].([]any)
			either, _ := property["oneOf"].([]any)
			require.NotContains(t, append([]any{}, kinds...), "null", "%s.%s is both", at, name)
			require.NotContains(t, append([]any{}, either...), map[string]any{"type": "null"}, "%s.%s is both", at, name)
		}
	}
	for path, item := range api["paths"].(map[string]any) {
		walk(item.(map[string]any)["post"].(map[string]any)["responses"], path, check)
	}
	walk(api["webhooks"], "webhooks", check)
	require.Greater(t, len(seen), 50)
}

// TestRequestSchemas_BoundEveryList, because the decoder allocates memory for every
// element of a list.
func TestRequestSchemas_BoundEveryList(t *testing.T) {
	s := testServer()
	var walk func(where string, schema *huma.Schema)
	walk = func(where string, schema *huma.Schema) {
		if schema == nil {
			return
		}
		if schema.Ref != "" {
			schema = s.api.Schemas.Registry.SchemaFromRef(schema.Ref)
		}
		if schema.Type == huma.TypeArray {
			require.NotNil(t, schema.MaxItems, "%s needs maxItems", where)
			walk(where+"[]", schema.Items)
		}
		for _, branch := range schema.OneOf {
			walk(where, branch)
		}
		for name, property := range schema.Properties {
			walk(where+"."+name, property)
		}
	}
	for name, o := range s.operations {
		walk(name, s.api.Schemas.Describe(o.Request))
	}
}
