package server

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
)

// manyPersons is a list of n persons as JSON.
func manyPersons(n int) string {
	return "[" + strings.TrimSuffix(strings.Repeat(`{"first_name":"A","last_name":"B"},`, n), ",") + "]"
}

func TestPersonCreate_RecordsSeveralOrNone(t *testing.T) {
	c := refusing{applicantTenant(t)}
	business := c.business("")
	request := func(persons string) string { return c.naming("business_id", business, `,"persons":`+persons) }

	a := c.ask("person.create", "once", request(somePersons))
	require.Empty(t, a.Errors)
	require.NotContains(t, a.Data, "person_id")
	require.Equal(t, a.Data["person_ids"], c.data("business.get", c.naming("business_id", business))["person_ids"], "in the order of the request")
	for i, name := range []string{"Ida", "Per"} {
		require.Equal(t, name, c.data("person.get", c.naming("person_id", a.Data["person_ids"].([]any)[i]))["first_name"])
	}
	require.Equal(t, a.Data, c.ask("person.create", "once", request(somePersons)).Data, "a repeat gets the same data")
	require.Equal(t, "IDEMPOTENCY_KEY_REUSED", c.ask("person.create", "once", request(manyPersons(1))).Errors[0].Code)
	require.Equal(t, 2, c.count("person"))

	// All problems come at once, those of the request before those that need the account.
	require.Equal(t, []string{"persons[1].citizenship", "persons[0].date_of_birth", "persons[2].first_name", "persons[3].external_id"}, c.fields("person.create", request(
		`[{"first_name":"A","last_name":"B","date_of_birth":"1799-01-01","external_id":"x"},{"first_name":"A","last_name":"B","citizenship":"Norway"},{"citizenship":"NO"},{"first_name":"A","last_name":"B","external_id":"x"}]`)))
	require.Equal(t, []string{"persons[1].date_of_birth", "persons[0].custom.rolls"}, c.fields("person.create", request(
		`[{"first_name":"A","last_name":"B","custom":{"rolls":[]}},{"first_name":"A","last_name":"B","date_of_birth":"2999-01-01"}]`)))
	require.Equal(t, 2, c.count("person"))
	single := c.ask("person.create", "", c.naming("business_id", business, `,"person":{"first_name":"Eva","last_name":"Lie"}`)).Data
	require.NotContains(t, single, "person_ids")
	require.Contains(t, single, "person_id")
}

func TestPersonCreate_TakesEitherPersonOrPersons(t *testing.T) {
	c := refusing{applicantTenant(t)}
	business := c.business("")
	for rest, want := range map[string]string{
		"": "person",
		`,"person":{"first_name":"A","last_name":"B"},"persons":[{"first_name":"A","last_name":"B"}]`: "persons",
		`,"person":null`: "person",
		`,"persons":[]`:  "persons",
		`,"persons":` + manyPersons(fact.MaxPersons+1): "persons",
	} {
		require.Equal(t, []string{want}, c.fields("person.create", c.naming("business_id", business, rest)), rest)
	}
	require.Zero(t, c.count("person"))
	schema := c.api.Schemas.Registry.SchemaFromRef(c.api.Schemas.Describe(reflect.TypeFor[personCreateRequest]()).Ref)
	require.Equal(t, fact.MaxPersons, *schema.Properties["persons"].MaxItems)
}

func TestPersonCreate_RefusesAllWhereOneIsRefused(t *testing.T) {
	c := refusing{applicantTenant(t)}
	business := c.business(`,"persons":[` + named + `]`)
	a := c.ask("person.create", "", c.naming("business_id", business, `,"persons":[{"first_name":"Eva","last_name":"Lie","external_id":"free"},`+named+`]`))
	require.Equal(t, "Another person of this business has the external_id of persons[1].", a.Errors[0].Message)
	a = c.ask("person.create", "", c.naming("business_id", business, `,"persons":`+manyPersons(fact.MaxPersons)))
	require.Equal(t, "SYSTEM_RULE_VIOLATION", a.Errors[0].Code)
	require.Contains(t, a.Errors[0].Message, "at most 200 persons")
	require.Equal(t, 1, c.count("person"))
	require.Len(t, c.data("person.create", c.naming("business_id", business, `,"persons":`+manyPersons(fact.MaxPersons-1)))["person_ids"], fact.MaxPersons-1)
}

func TestPerson_HasOneNameOrBoth(t *testing.T) {
	c := refusing{applicantTenant(t)}
	business := c.business("")
	person := c.data("person.create", c.naming("business_id", business, `,"person":{"last_name":"Sukarno"}`))["person_id"]
	names := func() []any {
		p := c.data("person.get", c.naming("person_id", person))
		return []any{p["first_name"], p["last_name"]}
	}
	require.Equal(t, []any{nil, "Sukarno"}, names())
	update := func(fields string) string { return c.naming("person_id", person, `,"person":`+fields) }
	for fields, want := range map[string]string{
		`{"last_name":null}`: "person.last_name", `{"first_name":null,"last_name":null}`: "person.last_name", `{"first_name":"","last_name":null}`: "person.first_name", `{"last_name":" "}`: "person.last_name",
	} {
		require.Equal(t, []string{want}, c.fields("person.update", update(fields)), fields)
	}
	c.data("person.update", update(`{"first_name":"Kusno"}`))
	c.data("person.update", update(`{"last_name":null}`))
	require.Equal(t, []any{"Kusno", nil}, names())
	for fields, want := range map[string]string{
		`{}`: "first_name", `{"first_name":null}`: "first_name", `{"last_name":null}`: "last_name", `{"last_name":7}`: "last_name", `{"first_name":null,"last_name":null}`: "first_name",
	} {
		require.Equal(t, []string{"person." + want}, c.fields("person.create", c.naming("business_id", business, `,"person":`+fields)), fields)
		require.Equal(t, []string{"persons[0]." + want}, c.fields("business.create", c.applicant(`{"legal_name":"Ltd"}`, `,"persons":[`+fields+`]`)), fields)
	}
}

// warned are the warnings of a request, whose messages hold no value.
func (c refusing) warned(operation, body string) (warned []string) {
	c.Helper()
	a := c.ask(operation, "", body)
	require.Empty(c, a.Errors, body)
	for _, w := range a.Meta.Warnings {
		field, _, _ := strings.Cut(w.Message, " ")
		warned = append(warned, w.Code+" "+field)
		require.NotContains(c, w.Message, "Planted")
	}
	return warned
}

func TestNames_WarnOfInvisibleCharacters(t *testing.T) {
	c := refusing{applicantTenant(t)}
	const code = "NAME_HAS_INVISIBLE_CHARACTERS "
	for _, hidden := range []string{`\u00ad`, `\u200b`, `\u2060`, `\ufeff`, `\u202e`, `\u2066`, `\u200f`, `\u061c`} {
		name := `"Planted` + hidden + `"`
		require.Equal(t, []string{code + "business.legal_name", code + "business.operating_name", code + "persons[0].last_name"},
			c.warned("business.create", c.applicant(`{"legal_name":`+name+`,"operating_name":`+name+`}`, `,"persons":[{"last_name":`+name+`}]`)), hidden)
	}
	business := c.business("")
	require.Equal(t, []string{code + "business.legal_name"}, c.warned("business.update", c.naming("business_id", business, `,"business":{"legal_name":"Planted\u200b"}`)))
	require.Equal(t, []string{code + "person.first_name"}, c.warned("person.create", c.naming("business_id", business, `,"person":{"first_name":"Planted\u00ad"}`)))
	person := c.data("person.create", c.naming("business_id", business, `,"person":{"first_name":"نام\u200cها","last_name":"👩\u200d🚀"}`))["person_id"]
	require.Empty(t, c.warned("person.update", c.naming("person_id", person, `,"person":{"first_name":"نام\u200cها"}`)), "joiners belong to scripts")
	require.Equal(t, []string{code + "person.last_name"}, c.warned("person.update", c.naming("person_id", person, `,"person":{"last_name":"\u202eX"}`)))
}

func TestPersonCreate_WarnsOfAPersonOnRecord(t *testing.T) {
	c := refusing{applicantTenant(t)}
	const code = "PERSON_MAY_BE_ON_RECORD "
	const ida = `{"first_name":"Planted","last_name":"Berg","date_of_birth":"1980-05-06"}`
	business := c.business(`,"persons":[` + ida + `,{"last_name":"Nobody"}]`)
	several := func(persons string) string { return c.naming("business_id", business, `,"persons":[`+persons+`]`) }
	for _, other := range []string{`{"last_name":"Nobody"}`, `{"first_name":"Planted","last_name":"Berg"}`, `{"first_name":"Planted","last_name":"Berg","date_of_birth":"1980-05-07"}`} {
		require.Empty(t, c.warned("person.create", several(other)), other)
	}
	require.Equal(t, []string{code + "person"}, c.warned("person.create", c.naming("business_id", business, `,"person":{"first_name":"PLANTED berg","date_of_birth":"1980-05-06"}`)))
	require.Equal(t, []string{code + "persons[1]", code + "persons[3]"},
		c.warned("person.create", several(`{"last_name":"Lie","date_of_birth":"1990-01-02"},`+ida+`,{"last_name":"Moe","date_of_birth":"1990-01-02"},{"last_name":"lie\u200b","date_of_birth":"1990-01-02"}`))[1:])
	require.Equal(t, []string{code + "persons[1]"}, c.warned("business.create", c.applicant(`{"legal_name":"Ltd"}`, `,"persons":[`+ida+`,`+ida+`]`)))
}

func TestSalesInfoCreate_ReplacesARecord(t *testing.T) {
	c := refusing{applicantTenant(t)}
	business, other := c.business(zeroSales), c.business(zeroSales)
	onFile := func(of string) map[string]any {
		return c.data("business.get", c.naming("business_id", of))["sales_info"].(map[string]any)
	}
	request := func(replaces any, amountType, currency, more string) string {
		return fmt.Sprintf(`{"business_id":%q,"replaces":%q,"sales_info":{"sales_amount":[{"type":%q,"value":7,"currency":%q}]}%s}`, business, replaces, amountType, currency, more)
	}
	old, foreign := onFile(business)["sales_info_id"], onFile(other)["sales_info_id"]
	before := onFile(business)
	const only = `,"validate_only":true`
	for _, more := range []string{"", only} {
		require.Equal(t, []string{"sales_info.sales_amount[0].currency"}, c.fields("business.salesInfo.create", request(old, "HIGHEST_TICKET_SALE", "EUR", more)))
		for _, wrong := range []any{foreign, "bsi_3517YD0lAEUTH3NuZTzYR"} {
			a := c.send(t.Context(), "business.salesInfo.create", c.signed("business.salesInfo.create", request(wrong, "HIGHEST_TICKET_SALE", "EUR", more)), request(wrong, "HIGHEST_TICKET_SALE", "EUR", more))
			var refused struct{ Errors []map[string]any }
			require.NoError(t, json.Unmarshal(a.Body.Bytes(), &refused))
			require.Equal(t, []any{"ENTITY_NOT_FOUND", "BusinessSalesInfo", wrong}, []any{refused.Errors[0]["code"], refused.Errors[0]["entity_type"], refused.Errors[0]["entity_id"]})
		}
	}
	checked := c.ask("business.salesInfo.create", "once", request(old, "HIGHEST_TICKET_SALE", "USD", only))
	require.Empty(t, checked.Errors)
	require.Empty(t, checked.Meta.Warnings, "the record is named, so nothing stands in the way")
	require.Equal(t, before, onFile(business), "what was refused or only checked has changed nothing")

	made := c.ask("business.salesInfo.create", "once", request(old, "HIGHEST_TICKET_SALE", "USD", ""))
	require.Empty(t, made.Errors)
	require.Equal(t, map[string]any{
		"sales_info_id": made.Data["sales_info_id"], "sales_amount": []any{map[string]any{"type": "HIGHEST_TICKET_SALE", "value": 7.0, "currency": "USD"}},
	}, onFile(business), "types that are not stated are not kept")
	require.Equal(t, made.Data, c.ask("business.salesInfo.create", "once", request(old, "HIGHEST_TICKET_SALE", "USD", "")).Data, "a repeat")
	require.Equal(t, "ENTITY_NOT_FOUND", c.ask("business.salesInfo.create", "", request(old, "HIGHEST_TICKET_SALE", "USD", "")).Errors[0].Code, "replaced already")
	require.Equal(t, "ENTITY_NOT_FOUND", c.ask("business.salesInfo.create", "", request(old, "HIGHEST_TICKET_SALE", "USD", only)).Errors[0].Code)
	require.Equal(t, foreign, onFile(other)["sales_info_id"])
}
