package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/api/limits"
	"requisite/internal/domain"
)

// declaredFacts are declarations of a rule set in JSON, one of each type.
const declaredFacts = `[
	{"name":"legal_form","entity_type":"Business","type":"TEXT","choices":["LLC","CORPORATION"],"label":"legal form","ask":"The legal form of the business."},
	{"name":"note","entity_type":"Business","type":"TEXT","label":"note","ask":"A note."},
	{"name":"shops","entity_type":"Business","type":"NUMBER","label":"shops","ask":"How many shops."},
	{"name":"deposit","entity_type":"Business","type":"AMOUNT","label":"deposit","ask":"The deposit."},
	{"name":"sells_cbd","entity_type":"Business","type":"BOOLEAN","default":false,"label":"sells CBD","ask":"Whether it sells CBD."},
	{"name":"tags","entity_type":"Business","type":"TEXT_LIST","label":"tags","ask":"Its tags."},
	{"name":"first_sale_date","entity_type":"Workflow","type":"DATE","label":"date of the first sale","ask":"The day of the first sale."},
	{"name":"roles","entity_type":"Person","type":"TEXT_LIST","choices":["DIRECTOR","SIGNATORY"],"label":"roles","ask":"The roles of this person; none is an answer."}]`

func (c refusing) declare(facts string) {
	c.data("account.documentRules.publish", c.withRules(`{"documents":[],"facts":`+facts+`}`))
}

func (c refusing) custom(operation, field string, id any) any {
	return c.data(operation, c.naming(field, id))["custom"]
}

func TestCustom_IsAnsweredByGetAndList(t *testing.T) {
	c := refusing{applicantTenant(t)}
	c.declare(declaredFacts)
	none := map[string]any{}
	made := c.data("business.create", c.applicant(`{"legal_name":"Ltd","custom":{"legal_form":"LLC","shops":1.50,"deposit":1e3,"sells_cbd":false,"note":null}}`,
		`,"persons":[{"first_name":"A","last_name":"B","custom":{"roles":[]}},{"first_name":"C","last_name":"D"}]`))
	business, persons := made["business_id"], made["person_ids"].([]any)
	workflow := c.data("workflow.create", c.naming("account_id", c.account, fmt.Sprintf(`,"workflow":{"business_id":%q,"custom":{"first_sale_date":"2026-12-01"}}`, business)))["workflow_id"]
	require.Equal(t, map[string]any{"legal_form": "LLC", "shops": 1.5, "deposit": 1000.0, "sells_cbd": false}, c.custom("business.get", "business_id", business))
	require.Equal(t, map[string]any{"roles": []any{}}, c.custom("person.get", "person_id", persons[0]))
	require.Equal(t, none, c.custom("person.get", "person_id", persons[1]))
	require.Equal(t, map[string]any{"first_sale_date": "2026-12-01"}, c.custom("workflow.get", "workflow_id", workflow))
	header := c.signed("business.get", c.naming("business_id", business))
	require.Contains(t, c.send(t.Context(), "business.get", header, c.naming("business_id", business)).Body.String(), `"shops":1.5}`, "numbers are plain decimals")

	c.business("")
	listed := c.data("business.list", c.named())["businesses"].([]any)
	require.Equal(t, []any{none, c.custom("business.get", "business_id", business)}, []any{listed[0].(map[string]any)["custom"], listed[1].(map[string]any)["custom"]})
	people := c.data("person.list", c.naming("business_id", business))["persons"].([]any)
	require.Equal(t, []any{none, map[string]any{"roles": []any{}}}, []any{people[0].(map[string]any)["custom"], people[1].(map[string]any)["custom"]})
	open := c.data("workflow.list", c.named())["workflows"].([]any)
	require.Equal(t, map[string]any{"first_sale_date": "2026-12-01"}, open[0].(map[string]any)["custom"])

	c.data("business.update", c.naming("business_id", business, `,"business":{"custom":{"shops":null,"note":"n","tags":["b","a"]}}`))
	require.Equal(t, map[string]any{"legal_form": "LLC", "note": "n", "deposit": 1000.0, "sells_cbd": false, "tags": []any{"b", "a"}}, c.custom("business.get", "business_id", business))
	c.data("person.update", c.naming("person_id", persons[1], `,"person":{"custom":{"roles":["SIGNATORY"]}}`))
	require.Equal(t, map[string]any{"roles": []any{"SIGNATORY"}}, c.custom("person.get", "person_id", persons[1]))
	c.data("workflow.update", c.naming("workflow_id", workflow, `,"workflow":{"custom":{"first_sale_date":null},"external_id":"ours"}`))
	require.Equal(t, none, c.custom("workflow.get", "workflow_id", workflow))
	require.Equal(t, "ours", c.data("workflow.get", c.naming("workflow_id", workflow))["external_id"])
	c.data("business.update", c.naming("business_id", business, `,"business":{"custom":null}`))
	require.Equal(t, none, c.custom("business.get", "business_id", business), "null clears all, as it clears each optional field")
}

// TestCustom_RefusesBadInput with the field and what to write, and writes nothing.
func TestCustom_RefusesBadInput(t *testing.T) {
	c := refusing{applicantTenant(t)}
	c.declare(declaredFacts)
	made := c.data("business.create", c.applicant(`{"legal_name":"Ltd"}`, `,"persons":[{"first_name":"A","last_name":"B"}]`))
	business, person := made["business_id"], made["person_ids"].([]any)[0]
	workflow := c.workflow(business.(string), domain.Started)
	long := strings.Repeat("x", 200)
	many := make([]string, 100)
	for i := range many {
		many[i] = fmt.Sprintf("%0170d", i)
	}
	large, err := json.Marshal(many)
	require.NoError(t, err)
	for _, bad := range []struct{ custom, field, message string }{
		{`{"legl_form":"LLC"}`, "legl_form", "did you mean legal_form?"},
		{`{"roles":[]}`, "roles", "This is a fact of a Person: state it as person.custom.roles."},
		{`{"Legal_form":"LLC"}`, "Legal_form", "did you mean legal_form?"},
		{`{"legal_form":"LCC"}`, "legal_form", "This is not one of the choices; did you mean LLC?"},
		{`{"legal_form":1}`, "legal_form", "This is not of the type TEXT: write a text, in quotes."},
		{`{"legal_form":{"a":1}}`, "legal_form", "This must be true, false, a number, a text, a list of texts, or null."},
		{`{"tags":[1]}`, "tags", "This must be true, false, a number, a text, a list of texts, or null."},
		{`{"tags":[null]}`, "tags", ""},
		{`{"tags":["a","a"]}`, "tags", "A text is in the list twice."},
		{`{"tags":[["a"]]}`, "tags", ""},
		{`{"note":" "}`, "note", "A text may not be blank."},
		{`{"note":""}`, "note", "A text may not be blank."},
		{`{"note":"a\u0000b"}`, "note", "control characters"},
		{`{"tags":["a\u0000b"]}`, "tags", "control characters"},
		{`{"tags":["a\tb"]}`, "tags", "A text may not contain control characters, such as tabs and line breaks."},
		{`{"note":"` + long + `x"}`, "note", "200"},
		{`{"shops":"1"}`, "shops", "This is not of the type NUMBER: write a number, without quotes."},
		{`{"shops":1e400000}`, "shops", ""},
		{`{"shops":0.0000001}`, "shops", ""},
		{`{"deposit":0.001}`, "deposit", ""},
		{`{"deposit":-0.01}`, "deposit", ""},
		{`{"sells_cbd":"true"}`, "sells_cbd", "This is not of the type BOOLEAN: write true or false."},
		{`{"first_sale_date":"2026-12-01"}`, "first_sale_date", "workflow.custom.first_sale_date"},
	} {
		for operation, body := range map[string]string{
			"business.create": c.applicant(`{"legal_name":"Other","custom":`+bad.custom+`}`, ""),
			"business.update": c.naming("business_id", business, `,"business":{"legal_name":"Other","custom":`+bad.custom+`}`),
		} {
			a := c.ask(operation, "", body)
			require.Len(t, a.Errors, 1, bad.custom)
			require.Equal(t, "BAD_REQUEST", a.Errors[0].Code)
			require.Len(t, a.Errors[0].Details, 1, bad.custom)
			require.Equal(t, "business.custom."+bad.field, a.Errors[0].Details[0].Field, bad.custom)
			require.Contains(t, a.Errors[0].Details[0].Message, bad.message, bad.custom)
		}
	}
	require.Equal(t, []string{"business.custom"}, c.fields("business.update", c.naming("business_id", business, `,"business":{"custom":{"tags":`+string(large)+`}}`)), "17 KiB")
	require.Equal(t, []string{"business.custom"}, c.fields("business.update", c.naming("business_id", business, `,"business":{"custom":["a"]}`)))
	require.Equal(t, []string{"business.custom.note"}, c.fields("business.update", c.naming("business_id", business, `,"business":{"custom":{"note":"a","note":"b"}}`)))
	require.Equal(t, "BAD_REQUEST", c.ask("business.update", "", c.naming("business_id", business, `,"business":{"custom":{"note":"\ud800"}}`)).Errors[0].Code, "a lone surrogate")
	require.Equal(t, []string{"person.custom.role"}, c.fields("person.update", c.naming("person_id", person, `,"person":{"custom":{"role":[]}}`)))
	require.Equal(t, []string{"person.custom.roles"}, c.fields("person.create", c.naming("business_id", business, `,"person":{"first_name":"A","last_name":"B","custom":{"roles":["BOSS"]}}`)))
	require.Equal(t, []string{"workflow.custom.first_sale_date"}, c.fields("workflow.update", c.naming("workflow_id", workflow, `,"workflow":{"custom":{"first_sale_date":"2026-02-30"}}`)))
	require.Equal(t, []string{"workflow.custom.note"}, c.fields("workflow.create", c.naming("account_id", c.account, fmt.Sprintf(`,"workflow":{"business_id":%q,"custom":{"note":"x"}}`, business))))
	require.Equal(t, []string{"business.custom.legal_form", "persons[1].custom.note", "business.established_date"}, sortedAs(c.fields("business.create",
		c.applicant(`{"legal_name":"Ltd","established_date":"2999-01-01","custom":{"legal_form":"X"}}`, `,"persons":[{"first_name":"A","last_name":"B"},{"first_name":"A","last_name":"B","custom":{"note":"x"}}]`))))
	require.Equal(t, []int{1, 1, 1}, []int{c.count("business"), c.count("person"), c.count("workflow")})
	found := c.data("business.get", c.naming("business_id", business))
	require.Equal(t, []any{"Ltd", map[string]any{}}, []any{found["legal_name"], found["custom"]})
}

// sortedAs puts the fields of one business before those of the account's clock.
func sortedAs(fields []string) []string {
	var custom, others []string
	for _, f := range fields {
		if strings.Contains(f, "custom") {
			custom = append(custom, f)
		} else {
			others = append(others, f)
		}
	}
	return append(custom, others...)
}

// TestCustom_IsNotLogged: neither values nor names that nothing declares.
func TestCustom_IsNotLogged(t *testing.T) {
	t.Parallel()
	c := refusing{newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 20}})}
	c.declare(declaredFacts)
	business := c.business("")
	workflow := c.workflow(business, domain.Started)
	var logged bytes.Buffer
	c.Server.log = slog.New(slog.NewJSONHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	for _, custom := range []string{`{"note":"planted-value"}`, `{"legal_form":"planted-choice"}`, `{"planted_name":"x"}`, `{"tags":["planted-a","planted-a"]}`, `{"note":"planted\u0000"}`, `{"shops":"planted"}`} {
		for operation, body := range map[string]string{
			"business.create": c.applicant(`{"legal_name":"Ltd","custom":`+custom+`}`, `,"persons":[{"first_name":"A","last_name":"B","custom":`+custom+`}]`),
			"business.update": c.naming("business_id", business, `,"business":{"custom":`+custom+`}`),
			"person.create":   c.naming("business_id", business, `,"person":{"first_name":"A","last_name":"B","custom":`+custom+`}`),
			"workflow.update": c.naming("workflow_id", workflow, `,"workflow":{"custom":`+custom+`}`),
		} {
			before := logged.Len()
			c.send(t.Context(), operation, c.signed(operation, body), body)
			require.Contains(t, logged.String()[before:], `"operation":"`+operation+`"`)
			require.NotContains(t, logged.String(), "planted", body)
		}
	}
}

// TestFactList_IsEnoughForAForm, in the order of gaps.
func TestFactList_IsEnoughForAForm(t *testing.T) {
	c := refusing{applicantTenant(t)}
	require.Equal(t, []any{}, c.data("account.fact.list", c.named())["facts"])
	c.declare(declaredFacts)
	facts := c.data("account.fact.list", c.named())["facts"].([]any)
	var names []any
	for _, f := range facts {
		names = append(names, f.(map[string]any)["name"])
	}
	require.Equal(t, []any{"first_sale_date", "deposit", "legal_form", "note", "sells_cbd", "shops", "tags", "roles"}, names)
	require.Equal(t, map[string]any{
		"name": "legal_form", "entity_type": "Business", "type": "TEXT", "choices": []any{"LLC", "CORPORATION"}, "label": "legal form",
		"ask": "The legal form of the business.", "used_by": []any{"RULES"}, "state": "IN_FORCE",
	}, facts[2])
	require.Equal(t, false, facts[4].(map[string]any)["default"])
	require.NotContains(t, facts[4], "asked_when")
	c.declare(`[{"name":"legal_form","entity_type":"Business","type":"TEXT","choices":["GMBH"],"label":"Rechtsform","ask":"Welche?"},
		{"name":"sells_cbd","entity_type":"Business","type":"BOOLEAN","default":false,"asked_when":"custom.legal_form == \"GMBH\"","label":"l","ask":"a"}]`)
	facts = c.data("account.fact.list", c.named())["facts"].([]any)
	require.Len(t, facts, 8)
	require.Equal(t, []any{"IN_FORCE", []any{"GMBH"}, "Rechtsform"}, []any{facts[2].(map[string]any)["state"], facts[2].(map[string]any)["choices"], facts[2].(map[string]any)["label"]})
	require.Equal(t, `custom.legal_form == "GMBH"`, facts[4].(map[string]any)["asked_when"])
	both := c.data("account.fact.list", c.naming("account_id", c.account, `,"include_built_in":true`))["facts"].([]any)
	require.Equal(t, facts, both[:8])
	builtIn := map[any]any{}
	for _, f := range both[8:] {
		f := f.(map[string]any)
		for _, declared := range []string{"name", "used_by", "state"} {
			require.NotContains(t, f, declared)
		}
		builtIn[f["label"]] = f
	}
	require.Len(t, builtIn, 11)
	require.Equal(t, map[string]any{
		"field": "address.country", "entity_type": "Business", "type": "TEXT", "label": "country", "ask": "The country of the business's address.",
		"related_endpoints": []any{"business.update"},
	}, builtIn["country"])
	require.Equal(t, map[string]any{
		"field": "sales_amount", "sales_amount_type": "HIGHEST_TICKET_SALE", "entity_type": "BusinessSalesInfo", "type": "AMOUNT", "label": "highest ticket sale",
		"ask": "The largest single sale.", "related_endpoints": []any{"business.salesInfo.create"},
	}, builtIn["highest ticket sale"])
	require.Equal(t, []any{"person.update"}, builtIn["citizenship"].(map[string]any)["related_endpoints"])
	require.Equal(t, []any{"DROPPED", []any{}, "roles"}, []any{facts[7].(map[string]any)["state"], facts[7].(map[string]any)["used_by"], facts[7].(map[string]any)["label"]})
}

// TestRules_KeepTheTypesOfFacts: publish, validate and preview say the same.
func TestRules_KeepTheTypesOfFacts(t *testing.T) {
	c := refusing{applicantTenant(t)}
	c.declare(declaredFacts)
	workflow := c.workflow(c.business(""), domain.Started)
	rules := `{"documents":[],"facts":[
		{"name":"legal_form","entity_type":"Business","type":"TEXT_LIST","label":"l","ask":"a"},{"name":"roles","entity_type":"Business","type":"TEXT_LIST","label":"l","ask":"a"}]}`
	for operation, body := range map[string]string{
		"account.documentRules.publish": c.withRules(rules), "account.documentRules.validate": c.withRules(rules),
		"account.documentRules.preview": c.naming("workflow_id", workflow, `,"rules":`+rules),
	} {
		a := c.ask(operation, "", body)
		require.Len(t, a.Errors, 1)
		require.Equal(t, "rules.facts[0].type", a.Errors[0].Details[0].Field, operation)
		require.Contains(t, a.Errors[0].Details[0].Message, "since version 1 of the account's rules")
		require.Equal(t, "rules.facts[1].entity_type", a.Errors[0].Details[1].Field, operation)
	}
	require.Equal(t, 1, c.count("rule_set"))
}

// TestRules_ValidateListsFactsThatCanBeMissing: nobody must supply one with a default, unless it is
// asked for.
func TestRules_ValidateListsFactsThatCanBeMissing(t *testing.T) {
	c := refusing{applicantTenant(t)}
	declared := func(name, entity, more string) string {
		return `{"name":"` + name + `","entity_type":"` + entity + `","type":"BOOLEAN","label":"l","ask":"a"` + more + `}`
	}
	rules := strings.TrimSuffix(c.rules(`custom.a && custom.b && country == "US" && persons.exists(p, p.custom.c) && custom.d`), "}") +
		`,"facts":[` + declared("a", "Business", "") + `,` + declared("b", "Business", `,"default":false`) + `,` + declared("c", "Person", `,"default":true`) + `,` +
		declared("d", "Business", `,"default":true,"asked_when":"custom.a"`) + `]}`
	require.Equal(t, []any{"country", "custom.a", "custom.d", "persons"}, c.data("account.documentRules.validate", c.withRules(rules))["facts"])
}

func TestAddress_MergesByName(t *testing.T) {
	c := refusing{applicantTenant(t)}
	business := c.data("business.create", c.applicant(`{"legal_name":"Ltd","address":{"city":"Bern","country":"CH","line2":null}}`, ""))["business_id"]
	address := func(change string) any {
		c.data("business.update", c.naming("business_id", business, `,"business":{"address":`+change+`}`))
		return c.data("business.get", c.naming("business_id", business))["address"]
	}
	whole := func(line1, city, country any) map[string]any {
		return map[string]any{"line1": line1, "line2": nil, "city": city, "region": nil, "postal_code": nil, "country": country}
	}
	require.Equal(t, whole("1 High St", "Bern", "CH"), address(`{"line1":"1 High St"}`))
	require.Equal(t, whole("1 High St", nil, "GB"), address(`{"city":null,"country":"GB"}`))
	require.Equal(t, whole("1 High St", nil, "GB"), address(`{}`))
	require.Nil(t, address(`{"line1":null,"country":null}`), "an address without parts is none")
	require.Equal(t, whole(nil, "Oslo", nil), address(`{"city":"Oslo"}`))
	require.Nil(t, address(`null`))
	for wrong, meant := range map[string]string{"UK": "GB", "usa": "US", "us": "US", "Germany": "", "XXA": "", "": ""} {
		a := c.ask("business.update", "", c.naming("business_id", business, `,"business":{"address":{"country":"`+wrong+`"}}`))
		require.Equal(t, "business.address.country", a.Errors[0].Details[0].Field, wrong)
		if meant != "" {
			require.Contains(t, a.Errors[0].Details[0].Message, "Did you mean "+meant+"?")
		}
		require.Equal(t, []string{"person.country_of_residence"}, c.fields("person.create", c.naming("business_id", business, `,"person":{"first_name":"A","last_name":"B","country_of_residence":"`+wrong+`"}`)))
	}
	person := c.data("person.create", c.naming("business_id", business, `,"person":{"first_name":"A","last_name":"B","country_of_residence":"FR"}`))["person_id"]
	require.Equal(t, "FR", c.data("person.get", c.naming("person_id", person))["country_of_residence"])
	c.data("person.update", c.naming("person_id", person, `,"person":{"country_of_residence":null}`))
	require.Nil(t, c.data("person.get", c.naming("person_id", person))["country_of_residence"])
}
