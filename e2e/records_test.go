package e2e_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
)

// warnings returns the codes of meta.warnings.
func (a answer) warnings() (codes []string) {
	list, _ := a.body["meta"].(harness.Object)["warnings"].([]any)
	for _, w := range list {
		codes = append(codes, w.(harness.Object)["code"].(string))
	}
	return codes
}

// bare creates a business with only a name, and its workflow.
func bare(t *testing.T) (business, workflow string) {
	as := second()
	business = data(t, as, "business.create", harness.Object{"account_id": as.AccountID, "business": harness.Object{"legal_name": "Bare"}})["business_id"].(string)
	workflow = data(t, as, "workflow.create", harness.Object{"account_id": as.AccountID, "workflow": harness.Object{"business_id": business}})["workflow_id"].(string)
	return business, workflow
}

// gaps calculates, and returns the details of MISSING_REQUIREMENTS; none if nothing is
// missing.
func gaps(t *testing.T, workflow string) (list []harness.Object) {
	a := call(t, second(), "workflow.requiredDocument.calculate", harness.Object{"workflow_id": workflow})
	if a.status == 200 {
		return nil
	}
	require.Equal(t, "MISSING_REQUIREMENTS", a.code(), "%v", a.body)
	for _, d := range a.error()["details"].([]any) {
		list = append(list, d.(harness.Object))
	}
	return list
}

func TestBusinessWithoutPersons_NeedsAttestation(t *testing.T) {
	as := second()
	publish(t, document("ID", "Person", ""), document("ALL", "Business", "persons.all(p, size(persons) > 0)"), document("BOARD", "Business", "size(persons) > 2"))
	require.Equal(t, []any{"persons"}, data(t, as, "account.documentRules.validate", harness.Object{"account_id": as.AccountID, "rules": harness.Object{"documents": []harness.Object{document("ID", "Person", "")}}})["facts"])
	business, workflow := bare(t)
	missing := gaps(t, workflow)
	require.Len(t, missing, 1)
	require.Contains(t, missing[0]["message"], "no_persons_attested")
	delete(missing[0], "message")
	require.Equal(t, harness.Object{
		"code": "FIELDS_REQUIRED", "entity_type": "Person", "entity_id": business, "related_endpoints": []any{"person.create"},
		"fields": []any{"first_name", "last_name"}, "missing": []any{
			harness.Object{"field": "first_name", "value_type": "TEXT", "label": "first name", "ask": "The first name of this person."},
			harness.Object{"field": "last_name", "value_type": "TEXT", "label": "last name", "ask": "The last name of this person."},
		},
		"business_id": business,
	}, missing[0])
	require.Len(t, data(t, as, "account.documentRules.preview", harness.Object{"workflow_id": workflow})["missing"], 1)
	counted := data(t, as, "account.documentRules.preview", harness.Object{"workflow_id": workflow, "rules": harness.Object{"documents": []harness.Object{document("NONE", "Business", "size(persons) == 0")}}})
	require.Len(t, counted["added"], 1, "a rule can count persons after the attestation")

	require.Equal(t, false, data(t, as, "business.get", harness.Object{"business_id": business})["no_persons_attested"])
	attest := func(is any) answer {
		return call(t, as, "business.update", harness.Object{"business_id": business, "business": harness.Object{"no_persons_attested": is}})
	}
	require.Equal(t, []string{"business.no_persons_attested"}, attest("true").fields(t))
	require.Equal(t, 200, attest(true).status)
	require.Equal(t, true, data(t, as, "business.get", harness.Object{"business_id": business})["no_persons_attested"])
	require.Empty(t, gaps(t, workflow))
	documents := data(t, as, "workflow.requiredDocument.list", harness.Object{"workflow_id": workflow})["required_documents"].([]any)
	require.Len(t, documents, 1)
	require.Equal(t, "ALL", documents[0].(harness.Object)["document_type_code"])
	reason := documents[0].(harness.Object)["reasons"].([]any)[0].(harness.Object)
	require.Equal(t, true, reason["facts"].(harness.Object)["no_persons_attested"])

	person := data(t, as, "person.create", harness.Object{"business_id": business, "person": harness.Object{"first_name": "A", "last_name": "B"}})["person_id"].(string)
	require.Equal(t, false, data(t, as, "business.get", harness.Object{"business_id": business})["no_persons_attested"])
	require.Empty(t, gaps(t, workflow))
	refused := attest(true)
	require.Equal(t, "PERSONS_ON_RECORD", refused.sub())
	require.Equal(t, "Business", refused.error()["entity_type"])
	require.Equal(t, business, refused.error()["entity_id"])
	require.Contains(t, refused.error()["message"], "person.delete")
	require.Equal(t, 200, attest(nil).status)
	data(t, as, "person.delete", harness.Object{"person_id": person})
	require.Len(t, gaps(t, workflow), 1, "there are no persons, and no attestation")

	from := data(t, as, "business.create", harness.Object{"account_id": as.AccountID, "business": harness.Object{"legal_name": "None", "no_persons_attested": true}})["business_id"]
	require.Equal(t, true, data(t, as, "business.get", harness.Object{"business_id": from})["no_persons_attested"])

	example := func(facts, expect harness.Object) answer {
		return call(t, as, "account.documentRules.validate", harness.Object{"account_id": as.AccountID, "rules": harness.Object{
			"documents": []harness.Object{document("ID", "Person", "")}, "examples": []harness.Object{{"name": "e", "facts": facts, "expect": expect}}}})
	}
	require.Equal(t, 200, example(harness.Object{"no_persons_attested": true}, harness.Object{"documents": []string{}}).status)
	require.Equal(t, 200, example(harness.Object{}, harness.Object{"gaps": []string{"persons"}}).status)
	require.Equal(t, []string{"rules.examples[0]"}, example(harness.Object{}, harness.Object{"documents": []string{}}).fields(t))
}

func TestGap_NamesEachMissingValue(t *testing.T) {
	publish(t,
		document("A", "Business", `evaluation_score > 1 && established_date > date("2000-01-01")`),
		document("B", "Business", `average_monthly_credit_sales > 1 || average_yearly_credit_sales > 1 || average_individual_sale > 1 || highest_ticket_sale > 1`),
		document("C", "Person", `person.citizenship != "US"`))
	_, workflow := bare(t)
	var missing []string
	all := gaps(t, workflow)
	for _, gap := range all {
		for _, value := range gap["missing"].([]any) { // their words are another test's
			delete(value.(harness.Object), "label")
			delete(value.(harness.Object), "ask")
		}
		missing = append(missing, fmt.Sprint(gap["missing"]))
	}
	sales := "[map[currency:USD field:sales_amount type:%s value_type:AMOUNT]]"
	require.Equal(t, []string{
		"[map[field:evaluation_score value_type:NUMBER]]",
		fmt.Sprintf(sales, "AVERAGE_MONTHLY_CREDIT_SALES"), fmt.Sprintf(sales, "AVERAGE_YEARLY_CREDIT_SALES"),
		fmt.Sprintf(sales, "AVERAGE_INDIVIDUAL_SALE"), fmt.Sprintf(sales, "HIGHEST_TICKET_SALE"),
		"[map[field:established_date value_type:DATE]]", "[map[field:first_name value_type:TEXT] map[field:last_name value_type:TEXT] map[field:citizenship value_type:TEXT]]",
	}, missing)

	// The gap of the score names the facts that pricing lacks.
	score := all[0]
	require.NotContains(t, score, "fields")
	require.Contains(t, score["message"], "pricing lacks ")
	priced := call(t, second(), "workflow.pricing.calculate", harness.Object{"workflow_id": workflow})
	require.Equal(t, "MISSING_REQUIREMENTS", priced.code())
	require.Equal(t, priced.error()["details"], score["pricing_missing"])
	for _, gap := range all[1:] {
		require.NotContains(t, gap, "pricing_missing")
	}
	for _, rules := range []harness.Object{{"workflow_id": workflow}, {"workflow_id": workflow, "rules": harness.Object{"documents": []harness.Object{document("S", "Business", "evaluation_score > 1")}}}} {
		preview := data(t, second(), "account.documentRules.preview", rules)["missing"].([]any)
		require.Equal(t, score, preview[0], "a preview has the same gap")
	}
}

func TestSalesInfo_IsCheckedWithValidateOnly(t *testing.T) {
	as := second()
	business, _ := bare(t)
	request := func(currency string, validate bool) harness.Object {
		r := harness.Object{"business_id": business, "sales_info": harness.Object{"sales_amount": []harness.Object{{"type": "HIGHEST_TICKET_SALE", "value": 5, "currency": currency}}}}
		if validate {
			r["validate_only"] = true
		}
		return r
	}
	keyed := func(key string, body any) answer {
		return newExchange(t, as, "business.salesInfo.create", body).with("Idempotency-Key", "Idempotency-Key", key).sign(t).send(t)
	}
	key := "check-" + business
	checked := keyed(key, request("USD", true))
	require.Equal(t, 200, checked.status, "%v", checked.body)
	require.Empty(t, checked.body["data"])
	require.Empty(t, checked.warnings())
	require.NotContains(t, data(t, as, "business.get", harness.Object{"business_id": business}), "sales_info", "a check writes nothing")
	require.Equal(t, []string{"sales_info.sales_amount[0].currency"}, keyed(key, request("EUR", true)).fields(t))
	require.Equal(t, []string{"validate_only"}, call(t, as, "business.salesInfo.create", harness.Object{"business_id": business, "sales_info": harness.Object{"sales_amount": []harness.Object{}}, "validate_only": 1}).fields(t))
	unknown := request("USD", true)
	unknown["business_id"] = "b_777777777777777777777"
	require.Equal(t, "ENTITY_NOT_FOUND", call(t, as, "business.salesInfo.create", unknown).code())

	made := keyed(key, request("USD", false))
	require.Equal(t, 200, made.status, "a check does not use up the key: %v", made.body)
	require.Equal(t, made.body["data"], keyed(key, request("USD", false)).body["data"])
	require.Equal(t, "IDEMPOTENCY_KEY_REUSED", keyed(key, request("USD", true)).code())

	again := call(t, as, "business.salesInfo.create", request("USD", true))
	require.Equal(t, 200, again.status, "a new record can be checked before the old one is deleted")
	require.Equal(t, []string{"SALES_INFO_EXISTS"}, again.warnings())
	require.Equal(t, []string{"sales_info.sales_amount[0].currency"}, call(t, as, "business.salesInfo.create", request("EUR", true)).fields(t))
	require.Equal(t, "SALES_INFO_EXISTS", call(t, as, "business.salesInfo.create", request("USD", false)).sub())
	require.Equal(t, made.body["data"].(harness.Object)["sales_info_id"], data(t, as, "business.get", harness.Object{"business_id": business})["sales_info"].(harness.Object)["sales_info_id"])
}

func TestRecords_KeepAndRefuseValues(t *testing.T) {
	as := second()
	business, _ := bare(t)
	data(t, as, "business.update", harness.Object{"business_id": business, "business": harness.Object{"industry_category_code": []string{"7995", "0742", "7995", "0742"}}})
	require.Equal(t, []any{"7995", "0742"}, data(t, as, "business.get", harness.Object{"business_id": business})["industry_category_code"], "each code once, in the order of the request")

	create := func(share float64) answer {
		return call(t, as, "person.create", harness.Object{"business_id": business, "person": harness.Object{"first_name": "A", "last_name": "B", "ownership_percentage": share}})
	}
	half := create(50)
	require.Empty(t, half.warnings())
	require.Empty(t, create(50).warnings(), "exactly 100 percent")
	require.Equal(t, []string{"OWNERSHIP_EXCEEDS_100"}, create(0.01).warnings())
	update := func(share any) answer {
		return call(t, as, "person.update", harness.Object{"person_id": half.body["data"].(harness.Object)["person_id"], "person": harness.Object{"ownership_percentage": share}})
	}
	require.Equal(t, []string{"OWNERSHIP_EXCEEDS_100"}, update(60).warnings())
	require.Empty(t, update(49.99).warnings())
	require.Empty(t, update(nil).warnings())

	for code, fits := range map[string]bool{"XK": true, "XXA": true, "XXB": true, "XXC": true, "FR": true, "XXD": false, "XX": false, "EU": false, "USA": false, "xk": false} {
		got := call(t, as, "person.update", harness.Object{"person_id": half.body["data"].(harness.Object)["person_id"], "person": harness.Object{"citizenship": code}})
		require.Equal(t, fits, got.status == 200, code)
	}
}
