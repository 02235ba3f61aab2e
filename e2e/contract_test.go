package e2e_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
)

// first is an account with the rules of the acquirer. second is an account of another
// organization, for which the tests publish rules.
func first() account  { return running.Accounts[0] }
func second() account { return running.Accounts[1] }

// application is a business of the second account with an open workflow.
type application struct {
	*testing.T
	business, person, salesInfo, workflow string
}

func apply(t *testing.T) application {
	a := application{T: t}
	as := second()
	a.business = data(t, as, "business.create", harness.Object{"account_id": as.AccountID, "business": harness.Object{
		"legal_name": "Alder Works Ltd", "established_date": "2010-06-15", "industry_category_code": []string{"0742"}}})["business_id"].(string)
	a.sales(50000)
	a.person = data(t, as, "person.create", harness.Object{"business_id": a.business, "person": harness.Object{
		"first_name": "Ida", "last_name": "Berg", "citizenship": "NO", "ownership_percentage": 25}})["person_id"].(string)
	a.workflow = data(t, as, "workflow.create", harness.Object{"account_id": as.AccountID, "workflow": harness.Object{"business_id": a.business}})["workflow_id"].(string)
	return a
}

// sales replaces the monthly sales.
func (a *application) sales(monthly float64) {
	if a.salesInfo != "" {
		data(a, second(), "business.salesInfo.delete", harness.Object{"sales_info_id": a.salesInfo})
	}
	a.salesInfo = data(a, second(), "business.salesInfo.create", harness.Object{"business_id": a.business, "sales_info": harness.Object{"sales_amount": []harness.Object{
		{"type": "AVERAGE_MONTHLY_CREDIT_SALES", "value": monthly, "currency": "USD"}}}})["sales_info_id"].(string)
}

func (a application) calculate() answer {
	return call(a, second(), "workflow.requiredDocument.calculate", harness.Object{"workflow_id": a.workflow})
}

func (a application) documents(filter ...string) map[string]harness.Object {
	request := harness.Object{"workflow_id": a.workflow}
	if len(filter) > 0 {
		request["filters"] = harness.Object{"required_document_status": filter[0]}
	}
	found := map[string]harness.Object{}
	for _, d := range data(a, second(), "workflow.requiredDocument.list", request)["required_documents"].([]any) {
		document := d.(harness.Object)
		require.NotEmpty(a, document["reasons"], "every document has a reason")
		found[document["document_type_code"].(string)] = document
	}
	return found
}

func document(code, entity, when string) harness.Object {
	d := harness.Object{"document_type_code": code, "name": code, "category": "C", "requirement_text": "T", "entity_type": entity}
	if when != "" {
		d["when"] = when
	}
	return d
}

// published serializes the tests that publish rules for the second account.
var published sync.Mutex

func publish(t *testing.T, documents ...harness.Object) harness.Object {
	return publishRules(t, harness.Object{"documents": documents})
}

func publishRules(t *testing.T, rules harness.Object) harness.Object {
	published.Lock()
	t.Cleanup(published.Unlock)
	return data(t, second(), "account.documentRules.publish", harness.Object{"account_id": second().AccountID, "rules": rules})
}

// TestRuleThatDividesByZero_IsARefusal of a calculation and of a preview, with the rule and
// the reason.
func TestRuleThatDividesByZero_IsARefusal(t *testing.T) {
	version := publish(t, document("RATIO", "Business", "1000 / average_monthly_credit_sales > 10"))["version_id"]
	a := apply(t)
	require.Equal(t, "SUCCESS", a.calculate().body["meta"].(harness.Object)["status"])
	a.sales(0)
	for _, got := range []answer{a.calculate(), call(t, second(), "account.documentRules.preview", harness.Object{"workflow_id": a.workflow})} {
		require.Equal(t, 400, got.status)
		entry := got.body["errors"].([]any)[0].(harness.Object)
		require.Equal(t, []any{"SYSTEM_RULE_VIOLATION", "DocumentRules", version, "RULE_NOT_EVALUABLE"},
			[]any{entry["code"], entry["entity_type"], entry["entity_id"], entry["sub_code"]})
		require.Contains(t, entry["message"], "documents[0] (RATIO)")
		require.Contains(t, entry["message"], "1000 / average_monthly_credit_sales divides by zero")
	}
}

func TestRequestBodies_AreCheckedForSizeAndForm(t *testing.T) {
	require.Equal(t, 200, call(t, first(), "meta.checkVersion", append([]byte(`{}`), bytes.Repeat([]byte(" "), 65534)...)).status, "64 KiB are accepted")
	require.Equal(t, 413, call(t, first(), "meta.checkVersion", append([]byte(`{}`), bytes.Repeat([]byte(" "), 65535)...)).status)
	rules := fmt.Sprintf(`{"account_id":%q,"rules":{"documents":[]}}`, first().AccountID)
	require.Equal(t, 200, call(t, first(), "account.documentRules.validate", append([]byte(rules), bytes.Repeat([]byte(" "), 1<<20-len(rules))...)).status)
	require.Equal(t, 413, call(t, first(), "account.documentRules.validate", append([]byte(rules), bytes.Repeat([]byte(" "), 1<<20-len(rules)+1)...)).status)
	for _, body := range []string{``, `{`, `[]`, `null`, `"x"`, `{} {}`, `{"a":1,}`, "{\"\xff\":1}", strings.Repeat(`{"a":`, 1000)} {
		require.NotEmpty(t, call(t, first(), "meta.checkVersion", []byte(body)).fields(t), body)
	}
	require.Equal(t, []string{"Account_id", "account_id"}, sorted(call(t, first(), "account.get", harness.Object{"Account_id": first().AccountID}).fields(t)))
	require.Equal(t, []string{"account_id"}, call(t, first(), "account.get", []byte(fmt.Sprintf(`{"account_id":%q,"account_id":%q}`, first().AccountID, first().AccountID))).fields(t))
	require.ElementsMatch(t, []string{"account_id", "business.legal_name", "business.established_date", "business.industry_category_code[1]", "business.web"},
		call(t, first(), "business.create", harness.Object{"account_id": "lv_x", "business": harness.Object{
			"established_date": "2020-02-30", "industry_category_code": []string{"0742", "no!"}, "web": 1}}).fields(t), "the response has all problems")
}

func sorted(s []string) []string {
	if len(s) == 2 && s[0] > s[1] {
		s[0], s[1] = s[1], s[0]
	}
	return s
}

func TestIDs_OfOtherAccountsAreNotFound(t *testing.T) {
	for id, want := range map[string]string{
		"b_" + strings.Repeat("7", 21):       "BAD_REQUEST",
		"w_" + strings.Repeat("7", 19):       "BAD_REQUEST",
		"w_" + strings.Repeat("7", 23):       "BAD_REQUEST",
		"w_" + strings.Repeat("7", 20) + "-": "BAD_REQUEST",
		"w_" + strings.Repeat("7", 20):       "ENTITY_NOT_FOUND",
		"w_" + strings.Repeat("z", 22):       "ENTITY_NOT_FOUND",
	} {
		require.Equal(t, want, call(t, first(), "workflow.get", harness.Object{"workflow_id": id}).code(), id)
	}
	mine, theirs := first(), second()
	for _, id := range []string{theirs.AccountID, strings.Replace(mine.AccountID, "sb_", "lv_", 1)} {
		got := call(t, mine, "account.get", harness.Object{"account_id": id})
		require.Equal(t, "ENTITY_NOT_FOUND", got.code(), "an account of another organization is not found")
		require.Equal(t, "Account", got.error()["entity_type"])
		require.Equal(t, id, got.error()["entity_id"])
	}
	business, _ := bare(t) // of the second account
	for operation, request := range map[string]harness.Object{
		"business.list":   {"account_id": theirs.AccountID},
		"person.list":     {"business_id": business},
		"business.update": {"business_id": business, "business": harness.Object{"external_id": "mine"}},
		"workflow.list":   {"account_id": theirs.AccountID, "filters": harness.Object{"external_id": "mine"}},
	} {
		require.Equal(t, "ENTITY_NOT_FOUND", call(t, mine, operation, request).code(), operation)
	}
}

func TestSignature_IsCheckedInEveryPart(t *testing.T) {
	x := newExchange(t, first(), "meta.checkVersion", harness.Object{}).sign(t)
	require.Equal(t, 200, x.send(t).status)
	require.Equal(t, "AUTH_NONCE_REUSED", x.send(t).code(), "the same request a second time")

	for want, change := range map[string]func(*exchange){
		"AUTH_MISSING_HEADER":     func(x *exchange) { x.header.Del("X-API-Auth-Token") },
		"AUTH_INVALID_HEADER":     func(x *exchange) { x.header.Set("Authorization", "Bearer x") },
		"AUTH_INVALID_API_KEY":    func(x *exchange) { x.header.Set("X-API-Key", "sb_"+strings.Repeat("7", 21)) },
		"AUTH_INVALID_AUTH_TOKEN": func(x *exchange) { x.header.Set("X-API-Auth-Token", second().AuthToken) },
		"AUTH_SIGNATURE_MISMATCH": func(x *exchange) { x.body = []byte(`{ }`) },
		"AUTH_ELEMENT_REQUIRED":   func(x *exchange) { x.header.Set("Idempotency-Key", "unsigned") },
	} {
		x := newExchange(t, first(), "meta.checkVersion", harness.Object{}).sign(t)
		change(x)
		got := x.send(t)
		require.Equal(t, want, got.code())
		require.Equal(t, http.StatusUnauthorized, got.status)
	}
	alone := newExchange(t, first(), "meta.checkVersion", harness.Object{})
	alone.elements = []string{"API-Key"}
	require.Equal(t, "AUTH_ELEMENT_REQUIRED", alone.sign(t).send(t).code())
	late := newExchange(t, first(), "meta.checkVersion", harness.Object{})
	late.header.Set("X-API-Timestamp", fmt.Sprint(time.Now().Add(-6*time.Minute).Unix()))
	require.Equal(t, "AUTH_TIMESTAMP_EXPIRED", late.sign(t).send(t).code())

	traced := newExchange(t, first(), "meta.checkVersion", harness.Object{})
	traced.header.Set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	got := traced.sign(t).send(t)
	require.Equal(t, "trc_Kgywt6S99MKiCkM5FLT48", got.body["meta"].(harness.Object)["trace_id"])
	require.Contains(t, got.header.Get("traceparent"), "0af7651916cd43dd8448eb211c80319c")
}

func TestGaps_AreReportedTogetherAndInOrder(t *testing.T) {
	publish(t,
		document("A", "Business", `evaluation_score > 1 && business_age_months > 3 && established_date > date("2000-01-01")`),
		document("B", "Business", `average_monthly_credit_sales > 1 || average_yearly_credit_sales > 1 || "0742" in industry_category_code`),
		document("C", "Person", `person.citizenship != "US"`))
	as := second()
	business := data(t, as, "business.create", harness.Object{"account_id": as.AccountID, "business": harness.Object{"legal_name": "Bare"}})["business_id"].(string)
	workflow := data(t, as, "workflow.create", harness.Object{"account_id": as.AccountID, "workflow": harness.Object{"business_id": business}})["workflow_id"].(string)
	gaps := func() (list []string) {
		a := call(t, as, "workflow.requiredDocument.calculate", harness.Object{"workflow_id": workflow})
		if a.status == 200 {
			return nil
		}
		require.Equal(t, "MISSING_REQUIREMENTS", a.code(), "%v", a.body)
		for _, d := range a.error()["details"].([]any) {
			gap := d.(harness.Object)
			require.NotEmpty(t, gap["message"])
			list = append(list, fmt.Sprint(gap["code"], " ", gap["entity_type"], " ", gap["entity_id"], " ", gap["related_endpoints"], " ", gap["fields"]))
		}
		return list
	}
	score := "CALCULATED_PRICING_REQUIRED Workflow " + workflow + " [workflow.pricing.calculate] <nil>"
	sales := "FIELDS_REQUIRED BusinessSalesInfo %s [business.salesInfo.delete business.salesInfo.create] [sales_amount]"
	date := "FIELDS_REQUIRED Business " + business + " [business.update] [established_date]"
	codes := "FIELDS_REQUIRED Business " + business + " [business.update] [industry_category_code]"
	nobody := "FIELDS_REQUIRED Person " + business + " [person.create] [citizenship]"
	missing := fmt.Sprintf(sales, business)
	require.Equal(t, []string{score, missing, missing, date, codes, nobody}, gaps())

	info := data(t, as, "business.salesInfo.create", harness.Object{"business_id": business, "sales_info": harness.Object{"sales_amount": []harness.Object{
		{"type": "AVERAGE_MONTHLY_CREDIT_SALES", "value": 1.01, "currency": "USD"}}}})["sales_info_id"].(string)
	var persons []string
	for range 2 {
		persons = append(persons, data(t, as, "person.create", harness.Object{"business_id": business, "person": harness.Object{"first_name": "A", "last_name": "B"}})["person_id"].(string))
	}
	person := "FIELDS_REQUIRED Person %s [person.update] [citizenship]"
	require.Equal(t, []string{score, fmt.Sprintf(sales, info), date, codes, fmt.Sprintf(person, persons[0]), fmt.Sprintf(person, persons[1])}, gaps())
	data(t, as, "business.update", harness.Object{"business_id": business, "business": harness.Object{"established_date": "2020-01-01", "industry_category_code": []string{"0742"}}})
	data(t, as, "person.update", harness.Object{"person_id": persons[0], "person": harness.Object{"citizenship": "US"}})
	require.Equal(t, []string{score, fmt.Sprintf(sales, info), fmt.Sprintf(person, persons[1])}, gaps())
	require.Empty(t, data(t, as, "workflow.requiredDocument.list", harness.Object{"workflow_id": workflow})["required_documents"], "a gap writes nothing")
}

func TestRecalculation_KeepsTheStatusOfDocuments(t *testing.T) {
	version := publish(t,
		document("BANK", "Business", "average_monthly_credit_sales > 50000"),
		document("PASSPORT", "Person", `person.citizenship != "US" && person.ownership_percentage >= 25`),
		document("FORM", "Workflow", ""))
	a := apply(t)
	require.Equal(t, harness.Object{}, a.calculate().body["data"])
	before := a.documents()
	require.Len(t, before, 2, "50000 is not more than 50000, and 25 percent are at least 25")
	reason := before["PASSPORT"]["reasons"].([]any)[0].(harness.Object)
	require.Equal(t, version["version_id"], reason["version_id"])
	require.Equal(t, harness.Object{"persons": harness.Object{a.person: harness.Object{"citizenship": "NO", "ownership_percentage": 25.0}}}, reason["facts"])

	a.sales(50000.01)
	passport := before["PASSPORT"]["required_document_id"].(string)
	move := func(status string) answer {
		return call(t, second(), "workflow.requiredDocument.update", harness.Object{"required_document_id": passport, "required_document": harness.Object{"status": status}})
	}
	require.Equal(t, "INVALID_STATUS_CHANGE", move("INACTIVE").sub())
	require.Equal(t, 200, move("NEEDS_REVIEW").status)
	data(t, second(), "person.update", harness.Object{"person_id": a.person, "person": harness.Object{"ownership_percentage": 24.99}})
	require.Equal(t, 200, a.calculate().status)
	after := a.documents()
	require.Contains(t, after, "BANK", "50000.01 is more than 50000")
	require.Equal(t, "INACTIVE", after["PASSPORT"]["status"])
	require.Len(t, a.documents("INACTIVE"), 1)
	data(t, second(), "person.update", harness.Object{"person_id": a.person, "person": harness.Object{"ownership_percentage": 25}})
	require.Equal(t, 200, a.calculate().status)
	again := a.documents()["PASSPORT"]
	require.Equal(t, passport, again["required_document_id"])
	require.Equal(t, "NEEDS_REVIEW", again["status"])
	require.Equal(t, before["FORM"]["updated_at"], a.documents()["FORM"]["updated_at"], "the calculation does not write unchanged documents")
}

func TestConcurrentCalculations_WriteEachDocumentOnce(t *testing.T) {
	publish(t, document("FORM", "Workflow", ""))
	a := apply(t)
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() {
			if got := a.calculate(); got.status != 200 {
				t.Errorf("%v", got.body)
			}
		})
	}
	all.Wait()
	require.Len(t, a.documents(), 1)
}

func TestIdempotencyKey_RepeatsGetTheFirstOutcome(t *testing.T) {
	publish(t, document("BANK", "Business", "average_yearly_credit_sales > 1"))
	a := apply(t)
	keyed := func(operation, key string, body any) answer {
		return heard(t, func() answer {
			return newExchange(t, second(), operation, body).with("Idempotency-Key", "Idempotency-Key", key).sign(t).send(t)
		})
	}
	request := harness.Object{"workflow_id": a.workflow}
	require.Equal(t, "MISSING_REQUIREMENTS", keyed("workflow.requiredDocument.calculate", "gap-"+a.workflow, request).code())
	data(t, second(), "business.salesInfo.delete", harness.Object{"sales_info_id": a.salesInfo})
	data(t, second(), "business.salesInfo.create", harness.Object{"business_id": a.business, "sales_info": harness.Object{"sales_amount": []harness.Object{
		{"type": "AVERAGE_YEARLY_CREDIT_SALES", "value": 2, "currency": "USD"}}}})
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			if got := keyed("workflow.requiredDocument.calculate", "gap-"+a.workflow, request); got.status != 200 {
				t.Errorf("a caller may use the same key after filling the gaps: %v", got.body)
			}
		})
	}
	all.Wait()
	require.Equal(t, "IDEMPOTENCY_KEY_REUSED", keyed("workflow.requiredDocument.calculate", "gap-"+a.workflow, harness.Object{"workflow_id": "w_" + strings.Repeat("7", 21)}).code())

	create := harness.Object{"account_id": second().AccountID, "business": harness.Object{"legal_name": "Twice"}}
	one, two := keyed("business.create", "create-"+a.workflow, create), keyed("business.create", "create-"+a.workflow, create)
	require.Equal(t, one.body["data"], two.body["data"])
	require.NotEqual(t, one.body["meta"], two.body["meta"], "a repeat has its own trace")
	require.Equal(t, 422, keyed("business.create", "create-"+a.workflow, harness.Object{"account_id": second().AccountID, "business": harness.Object{"legal_name": "Other"}}).status)
}

func TestWorkflow_RefusesChangesOnceEnded(t *testing.T) {
	publish(t, document("FORM", "Workflow", ""))
	a := apply(t)
	require.Equal(t, 200, a.calculate().status)
	form := a.documents()["FORM"]["required_document_id"]
	as, request := second(), harness.Object{"workflow_id": a.workflow}
	require.Equal(t, "WORKFLOW_ALREADY_STARTED", call(t, as, "workflow.start", request).sub())
	created := data(t, as, "workflow.create", harness.Object{"account_id": as.AccountID, "workflow": harness.Object{"business_id": a.business, "state": "CREATED"}})
	require.Equal(t, "WORKFLOW_NOT_STARTED", call(t, as, "workflow.complete", created).sub())
	require.Equal(t, 200, call(t, as, "workflow.requiredDocument.calculate", created).status, "a CREATED workflow can be calculated")
	data(t, as, "workflow.complete", request)
	for operation, body := range map[string]harness.Object{
		"workflow.start": request, "workflow.complete": request, "workflow.pricing.calculate": request,
		"workflow.requiredDocument.calculate": request, "account.documentRules.preview": request,
		"workflow.requiredDocument.update": {"required_document_id": form, "required_document": harness.Object{"status": "NEEDS_REVIEW"}},
	} {
		got := call(t, as, operation, body)
		require.Equal(t, "WORKFLOW_ENDED", got.sub(), operation)
		require.Equal(t, "Workflow", got.error()["entity_type"], operation)
	}
	ended := data(t, as, "workflow.get", request)
	require.Equal(t, "ENDED", ended["state"])
	require.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`, ended["ended_at"])
	require.NotContains(t, ended, "evaluation_score")
}

func TestRules_AreCheckedAndVersioned(t *testing.T) {
	rules := []harness.Object{document("A", "Business", "evaluation_score > 600")}
	v1 := publish(t, rules...)
	as := second()
	again := data(t, as, "account.documentRules.publish", harness.Object{"account_id": as.AccountID, "rules": harness.Object{"documents": rules}})
	require.Equal(t, v1["version_id"], again["version_id"])
	require.Equal(t, false, again["changed"])
	bad := call(t, as, "account.documentRules.publish", harness.Object{"account_id": as.AccountID, "rules": harness.Object{
		"documents": []harness.Object{document("A", "Business", ""), document("B", "Business", "evaluaton_score > 600")}, "list": harness.Object{}}})
	require.ElementsMatch(t, []string{"rules.documents[1].when", "rules.list"}, bad.fields(t))
	require.Contains(t, fmt.Sprint(bad.error()["details"]), "Line 1, column 1: evaluaton_score is not the name of a fact; did you mean evaluation_score?")
	require.Equal(t, []any{"evaluation_score"}, data(t, as, "account.documentRules.validate", harness.Object{"account_id": as.AccountID, "rules": harness.Object{"documents": rules}})["facts"])
	got := data(t, as, "account.documentRules.get", harness.Object{"account_id": as.AccountID})
	require.Equal(t, v1["version_id"], got["version_id"])
	require.Equal(t, "demonstration", got["published_by"])
	versions := data(t, as, "account.documentRules.list", harness.Object{"account_id": as.AccountID})["versions"].([]any)
	require.NotContains(t, versions[0], "rules")

	a := apply(t)
	preview := data(t, as, "account.documentRules.preview", harness.Object{"workflow_id": a.workflow})
	require.Len(t, preview["missing"], 1)
	preview = data(t, as, "account.documentRules.preview", harness.Object{"workflow_id": a.workflow, "rules": harness.Object{"documents": []harness.Object{document("Z", "Business", "")}}})
	require.Len(t, preview["added"], 1)
	require.Empty(t, a.documents(), "a preview writes nothing")
}

func TestRequests_MustBePOSTOfPlainJSON(t *testing.T) {
	for name, bend := range map[string]func(*exchange){
		"another charset":    func(x *exchange) { x.header.Set("Content-Type", "application/json; charset=latin1") },
		"stated twice":       func(x *exchange) { x.header.Add("Content-Type", "text/plain") },
		"a content encoding": func(x *exchange) { x.header.Set("Content-Encoding", "gzip") },
	} {
		x := newExchange(t, first(), "meta.checkVersion", harness.Object{})
		bend(x)
		require.Equal(t, 415, x.sign(t).send(t).status, name)
	}
	deleting := newExchange(t, first(), "meta.checkVersion", harness.Object{})
	deleting.method = "DELETE"
	refused := deleting.sign(t).send(t)
	require.Equal(t, "METHOD_NOT_ALLOWED", refused.code())
	require.Equal(t, "POST", refused.header.Get("Allow"))
	x := newExchange(t, first(), "meta.checkVersion", harness.Object{})
	x.header.Set("Content-Type", "application/json; charset=UTF-8")
	require.Equal(t, 200, x.sign(t).send(t).status)
	require.Equal(t, 200, call(t, first(), "workflow.list", []byte(fmt.Sprintf(`{"account_id":%q,"page":{"limit":2.0}}`, first().AccountID))).status)
	require.Equal(t, []string{"page.after"}, call(t, first(), "workflow.list", harness.Object{"account_id": first().AccountID, "page": harness.Object{"after": ""}}).fields(t))
}
