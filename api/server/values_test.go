package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDates_ThatCannotBeRight(t *testing.T) {
	c := refusing{applicantTenant(t)}
	warnings := func(operation, body string) (codes []string) {
		a := c.ask(operation, "", body)
		require.Empty(t, a.Errors, body)
		for _, w := range a.Meta.Warnings {
			codes = append(codes, w.Code)
		}
		return codes
	}
	born := func(date string) string { return `{"first_name":"A","last_name":"B","date_of_birth":"` + date + `"}` }
	founded := func(date string) string { return `{"legal_name":"Ltd","established_date":"` + date + `"}` }
	business := c.business("")
	person := c.data("person.create", c.naming("business_id", business, `,"person":`+born("1980-01-01")))["person_id"]
	update := func(of string) string { return c.naming("business_id", business, `,"business":`+of) }
	updatePerson := func(of string) string { return c.naming("person_id", person, `,"person":`+of) }

	require.Equal(t, []string{"business.established_date", "persons[0].date_of_birth"}, c.fields("business.create", c.applicant(founded("1499-12-31"), `,"persons":[`+born("1899-12-31")+`,`+born("1900-01-01")+`]`)))
	require.Equal(t, []string{"business.established_date"}, c.fields("business.update", update(founded("1499-12-31"))))
	require.Equal(t, []string{"person.date_of_birth"}, c.fields("person.create", c.naming("business_id", business, `,"person":`+born("1899-12-30"))))
	require.Equal(t, []string{"person.date_of_birth"}, c.fields("person.update", updatePerson(born("0001-01-01"))))

	const looks = "DATE_LOOKS_LIKE_DEFAULT"
	for _, date := range []string{"1899-12-30", "1900-01-01", "1970-01-01"} {
		require.Equal(t, []string{looks}, warnings("business.create", c.applicant(founded(date), "")))
		require.Equal(t, []string{looks}, warnings("business.update", update(founded(date))))
	}
	for _, date := range []string{"1900-01-01", "1970-01-01"} {
		require.Equal(t, []string{looks, looks}, warnings("business.create", c.applicant(founded(date), `,"persons":[`+born("1980-01-01")+`,`+born(date)+`]`)))
		require.Equal(t, []string{looks}, warnings("person.create", c.naming("business_id", business, `,"person":`+born(date))))
		require.Equal(t, []string{looks}, warnings("person.update", updatePerson(born(date))))
	}
	for _, date := range []string{"1500-01-01", "1899-12-31", "1970-01-02"} {
		require.Empty(t, warnings("business.update", update(founded(date))))
	}
	require.Empty(t, warnings("business.update", update(`{"website":"https://x.example"}`)), "the date is on file, and was not sent")
}

func TestValues_WarnOfPhoneNumbersAndCategoryCodes(t *testing.T) {
	c := refusing{applicantTenant(t)}
	business := c.business("")
	update := func(fields string) []string {
		return c.warned("business.update", c.naming("business_id", business, `,"business":{`+fields+`}`))
	}
	const phone, category = "PHONE_NUMBER_TOO_SHORT business.phone_number", "CATEGORY_CODE_WITHOUT_DIGIT business.industry_category_code"
	for _, number := range []string{"abc", "Planted", "123456", "+47 12-34", "١٢٣"} {
		require.Equal(t, []string{phone}, update(`"phone_number":"`+number+`"`), number)
	}
	for _, number := range []string{"1234567", "+683 4000", "+1 (503) 555-0114 ext. 9", "1-800-555-FLOWERS", "١٢٣٤٥٦٧"} {
		require.Empty(t, update(`"phone_number":"`+number+`"`), number)
	}
	require.Equal(t, []string{category + "[1]", category + "[3]"}, update(`"industry_category_code":["0742","banana","C10.7","A"]`))
	require.Empty(t, update(`"phone_number":null,"industry_category_code":null`))
	require.Equal(t, []string{category + "[0]", phone}, c.warned("business.create", c.applicant(`{"legal_name":"Ltd","phone_number":"abc","industry_category_code":["banana"]}`, "")))
}

// TestUpdate_WarnsWhenItNamesNoField, and a repeat does too. A field that has its value already is named.
func TestUpdate_WarnsWhenItNamesNoField(t *testing.T) {
	c := refusing{applicantTenant(t)}
	c.declare(declaredFacts)
	made := c.data("business.create", c.applicant(`{"legal_name":"Ltd"}`, `,"persons":[`+named+`]`))
	business := made["business_id"].(string)
	workflow := c.data("workflow.create", c.naming("account_id", c.account, fmt.Sprintf(`,"workflow":{"business_id":%q}`, business)))["workflow_id"]
	for operation, of := range map[string]struct {
		id, record string
		of         any
		one        string
		empty      []string
	}{
		"business.update":       {"business_id", "business", business, `"legal_name":"Ltd"`, []string{``, `"custom":{}`, `"address":{}`, `"address":{},"custom":{}`}},
		"person.update":         {"person_id", "person", made["person_ids"].([]any)[0], `"email":null`, []string{``, `"custom":{}`}},
		"workflow.update":       {"workflow_id", "workflow", workflow, `"external_id":null`, []string{``, `"custom":{}`}},
		"webhook.config.update": {"config_id", "config", c.endpoint("a"), `"description":null`, []string{``}},
	} {
		body := func(fields string) string { return c.naming(of.id, of.of, fmt.Sprintf(`,%q:{%s}`, of.record, fields)) }
		for _, fields := range of.empty {
			for range 2 {
				a := c.ask(operation, "empty "+operation+fields, body(fields))
				require.Len(t, a.Meta.Warnings, 1, body(fields))
				require.Equal(t, "NOTHING_TO_UPDATE", a.Meta.Warnings[0].Code)
				require.True(t, strings.HasPrefix(a.Meta.Warnings[0].Message, of.record+" names no field"), a.Meta.Warnings[0].Message)
			}
		}
		require.Empty(t, c.warned(operation, body(of.one)))
	}
	require.Empty(t, c.warned("business.update", c.naming("business_id", business, `,"business":{"custom":null}`)))
	require.Empty(t, c.warned("business.update", c.naming("business_id", business, `,"business":{"industry_category_code":[]}`)))
	require.Empty(t, c.warned("business.update", c.naming("business_id", business, `,"business":{"address":{"city":null}}`)))
}
