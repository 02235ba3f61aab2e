package server

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/api/limits"
	"requisite/internal/rules/fact"
)

type answer struct {
	Meta struct {
		Warnings []struct{ Code, Message string }
	}
	Data   map[string]any
	Errors []struct {
		Code, Message string
		SubCode       string `json:"sub_code"`
		Details       []struct {
			Field, Message string
			Allowed        []string
		}
	}
}

// ask sends a signed request. idempotencyKey may be empty.
func (c *tenant) ask(operation, idempotencyKey, body string) (a answer) {
	c.Helper()
	require.NoError(c, json.Unmarshal(c.send(c.Context(), operation, c.signed(operation, body, idempotencyKey), body).Body.Bytes(), &a))
	return a
}

// data sends a request that must succeed, and returns its data.
func (c *tenant) data(operation, body string) map[string]any {
	c.Helper()
	a := c.ask(operation, "", body)
	require.Empty(c, a.Errors, "%s %s", operation, body)
	return a.Data
}

// fields sends a request that must be a BAD_REQUEST, and returns the paths of its problems.
func (c *tenant) fields(operation, body string) (fields []string) {
	c.Helper()
	a := c.ask(operation, "", body)
	require.Len(c, a.Errors, 1)
	require.Equal(c, "BAD_REQUEST", a.Errors[0].Code)
	for _, d := range a.Errors[0].Details {
		fields = append(fields, d.Field)
	}
	return fields
}

func applicantTenant(t *testing.T) *tenant {
	t.Parallel()
	return newTenant(t, Settings{Bounds: limits.Bounds{Waiting: 5, Requests: 5, Share: 20}})
}

func (c *tenant) applicant(business, rest string) string {
	return `{"account_id":"` + c.account + `","business":` + business + rest + `}`
}

const somePersons = `[{"first_name":"Ida","last_name":"Berg","citizenship":"NO","ownership_percentage":33.33},{"first_name":"Per","last_name":"Lund","date_of_birth":"1970-02-28"}]`

func TestBusinessCreate_AcceptsPersonsAndSales(t *testing.T) {
	c := applicantTenant(t)
	body := c.applicant(`{"legal_name":"Ltd"}`, `,"persons":`+somePersons+`,"sales_info":{"sales_amount":[{"type":"HIGHEST_TICKET_SALE","value":12.5,"currency":"USD"}]}`)
	a := c.ask("business.create", "once", body)
	require.Empty(t, a.Errors)
	require.Empty(t, a.Meta.Warnings)
	business := c.data("business.get", fmt.Sprintf(`{"business_id":%q}`, a.Data["business_id"]))
	require.Len(t, business["person_ids"], 2)
	require.Equal(t, a.Data["person_ids"], business["person_ids"])
	sales := business["sales_info"].(map[string]any)
	require.Equal(t, a.Data["sales_info_id"], sales["sales_info_id"])
	require.Equal(t, []any{map[string]any{"type": "HIGHEST_TICKET_SALE", "value": 12.5, "currency": "USD"}}, sales["sales_amount"])
	for i, want := range []map[string]any{
		{"first_name": "Ida", "last_name": "Berg", "citizenship": "NO", "ownership_percentage": 33.33, "date_of_birth": nil},
		{"first_name": "Per", "last_name": "Lund", "citizenship": nil, "ownership_percentage": nil, "date_of_birth": "1970-02-28"},
	} {
		person := c.data("person.get", fmt.Sprintf(`{"person_id":%q}`, a.Data["person_ids"].([]any)[i]))
		require.Equal(t, a.Data["business_id"], person["business_id"])
		for name, value := range want {
			require.Equal(t, value, person[name], name)
		}
	}
	require.Equal(t, a.Data, c.ask("business.create", "once", body).Data, "a repeat gets the same data")
	require.Equal(t, []int{1, 2, 1, 1}, []int{c.count("business"), c.count("person"), c.count("sales_info"), c.count("sales_amount")})

	alone := c.data("business.create", c.applicant(`{"legal_name":"Ltd","no_persons_attested":true}`, ""))
	require.Len(t, alone, 1)
	require.Equal(t, true, c.data("business.get", fmt.Sprintf(`{"business_id":%q}`, alone["business_id"]))["no_persons_attested"])
	empty := c.data("business.create", c.applicant(`{"legal_name":"Ltd"}`, `,"persons":[],"sales_info":{"sales_amount":[]}`))
	require.NotContains(t, empty, "person_ids")
	require.Contains(t, empty, "sales_info_id")
}

func TestBusinessCreate_ReportsAllProblemsAtOnce(t *testing.T) {
	c := applicantTenant(t)
	sales := func(amounts string) string { return `,"sales_info":{"sales_amount":[` + amounts + `]}` }
	// Problems of the request itself.
	require.Equal(t, []string{
		"business.established_date", "business.legal_name", "persons[0].nationality", "persons[1].citizenship",
		"sales_info.sales_amount[1].currency", "business.no_persons_attested", "sales_info.sales_amount[2].type", "persons[1].first_name",
	}, c.fields("business.create", c.applicant(`{"established_date":"2001-02-30","no_persons_attested":true}`,
		`,"persons":[{"first_name":"A","last_name":"B","nationality":"NO"},{"citizenship":"no"}]`+
			sales(`{"type":"HIGHEST_TICKET_SALE","value":1,"currency":"USD"},{"type":"AVERAGE_INDIVIDUAL_SALE","value":1,"currency":"usd"},{"type":"HIGHEST_TICKET_SALE","value":1,"currency":"USD"}`))))
	// Problems that only the account shows.
	require.Equal(t, []string{"business.established_date", "persons[1].date_of_birth", "persons[2].date_of_birth", "sales_info.sales_amount[1].currency"},
		c.fields("business.create", c.applicant(`{"legal_name":"Ltd","established_date":"2999-01-01"}`,
			`,"persons":[{"first_name":"A","last_name":"B","date_of_birth":"1970-01-01"},{"first_name":"A","last_name":"B","date_of_birth":"2999-01-01"},{"first_name":"A","last_name":"B","date_of_birth":"2999-01-01"}]`+
				sales(`{"type":"HIGHEST_TICKET_SALE","value":1,"currency":"USD"},{"type":"AVERAGE_INDIVIDUAL_SALE","value":1,"currency":"EUR"}`))))
	require.Equal(t, []string{"persons", "sales_info"}, c.fields("business.create", c.applicant(`{"legal_name":"Ltd"}`, `,"persons":null,"sales_info":null`)))
	require.Equal(t, []string{"persons[0]"}, c.fields("business.create", c.applicant(`{"legal_name":"Ltd"}`, `,"persons":[null]`)))
	require.Equal(t, []string{"sales_info.sales_amount"}, c.fields("business.create", c.applicant(`{"legal_name":"Ltd"}`, `,"sales_info":{}`)))
	require.Equal(t, []int{0, 0, 0}, []int{c.count("business"), c.count("person"), c.count("sales_info")})
}

// TestBusinessCreate_WritesAllOrNothing makes the last statement fail.
func TestBusinessCreate_WritesAllOrNothing(t *testing.T) {
	c := applicantTenant(t)
	c.exec(`ALTER TABLE sales_amount ADD CHECK (value <> 13)`)
	for _, key := range []string{"", "once"} {
		a := c.ask("business.create", key, c.applicant(`{"legal_name":"Ltd"}`, `,"persons":`+somePersons+`,"sales_info":{"sales_amount":[{"type":"HIGHEST_TICKET_SALE","value":13,"currency":"USD"}]}`))
		require.Equal(t, "INTERNAL_ERROR", a.Errors[0].Code)
	}
	require.Equal(t, []int{0, 0, 0, 0}, []int{c.count("business"), c.count("person"), c.count("sales_info"), c.count("outcome")})
}

func TestBusinessCreate_WarnsOfOwnershipAbove100(t *testing.T) {
	c := applicantTenant(t)
	owned := func(shares ...string) string {
		var persons []string
		for _, share := range shares {
			persons = append(persons, `{"first_name":"A","last_name":"B","ownership_percentage":`+share+`}`)
		}
		return c.applicant(`{"legal_name":"Ltd"}`, `,"persons":[`+strings.Join(persons, ",")+`]`)
	}
	require.Empty(t, c.ask("business.create", "", owned("50", "50")).Meta.Warnings)
	for range 2 {
		a := c.ask("business.create", "once", owned("50", "50.01"))
		require.Len(t, a.Meta.Warnings, 1)
		require.Equal(t, "OWNERSHIP_EXCEEDS_100", a.Meta.Warnings[0].Code)
	}
}

func TestBusinessCreate_LimitsThePersons(t *testing.T) {
	c := applicantTenant(t)
	many := func(n int) string {
		return c.applicant(`{"legal_name":"Ltd"}`, `,"persons":`+manyPersons(n))
	}
	require.Len(t, c.data("business.create", many(fact.MaxPersons))["person_ids"], fact.MaxPersons)
	require.Equal(t, []string{"persons"}, c.fields("business.create", many(fact.MaxPersons+1)))
	schema := c.api.Schemas.Registry.SchemaFromRef(c.api.Schemas.Describe(reflect.TypeFor[businessCreateRequest]()).Ref)
	require.Equal(t, fact.MaxPersons, *schema.Properties["persons"].MaxItems)
}
