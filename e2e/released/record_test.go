//go:build deep

package released_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/workflowservice/v1"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
	"requisite/internal/testkit/released"
	"requisite/workflows"
)

const about = "Made by TestRecordRelease, of invented businesses and persons. The keys and secrets of this directory were made for it and open nothing else."

const earlierRules = `{"documents": [{"document_type_code": "REGISTRATION", "name": "Registration", "category": "LEGAL", "requirement_text": "An extract of the register.", "entity_type": "Business"}]}`

// rules use every fact. Ages grow, so rules compare them only in ways that stay true.
const rules = `{
 "facts": [
  {"name": "legal_form", "entity_type": "Business", "type": "TEXT", "choices": ["GMBH", "AG"], "default": "GMBH", "label": "legal form", "ask": "The legal form."},
  {"name": "first_sale_date", "entity_type": "Workflow", "type": "DATE", "default": "2026-01-01", "label": "date of the first sale", "ask": "The day of the first sale."},
  {"name": "roles", "entity_type": "Person", "type": "TEXT_LIST", "default": [], "label": "roles", "ask": "The roles of this person."}
 ],
 "lists": {"high_risk": ["7995", "5967"]},
 "documents": [
  {"document_type_code": "REGISTRATION", "name": "Registration", "category": "LEGAL", "requirement_text": "An extract of the register.", "entity_type": "Business"},
  {"document_type_code": "BANK_STATEMENTS", "name": "Bank statements", "category": "FINANCIAL", "requirement_text": "Three most recent statements.", "entity_type": "Business", "renew_after": "900 years",
   "when": "average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)"},
  {"document_type_code": "YEARLY_ACCOUNTS", "name": "Yearly accounts", "category": "FINANCIAL", "requirement_text": "The last yearly accounts.", "entity_type": "Business",
   "when": "average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\"2010-01-01\")"},
  {"document_type_code": "PRICE_LIST", "name": "Price list", "category": "TRADE", "requirement_text": "What is sold, at which price.", "entity_type": "Business", "due_within": "900 years",
   "any_of": [{"document_type_code": "CATALOG", "name": "Catalog", "when": "highest_ticket_sale >= 1"},
    {"all_of": [{"document_type_code": "MENU", "name": "Menu"}, {"document_type_code": "TARIFF", "name": "Tariff", "valid_for": "1 month"}]}],
   "when": "average_individual_sale < 20 || highest_ticket_sale >= 5000"},
  {"document_type_code": "BUSINESS_PLAN", "name": "Business plan", "category": "TRADE", "requirement_text": "A plan of the first year.", "entity_type": "Business", "due_within": "900 years",
   "when": "business_age_months < 6 || business_age_years == 0"},
  {"document_type_code": "REVIEW", "name": "Review", "category": "RISK", "requirement_text": "A review by two persons.", "entity_type": "Workflow", "due_within": "900 years",
   "when": "evaluation_score <= 640"},
  {"document_type_code": "OWNERSHIP_CHART", "name": "Ownership", "category": "IDENTITY", "requirement_text": "Who owns what.", "entity_type": "Business", "due_within": "900 years", "bound_to": ["persons"],
   "when": "size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)"},
  {"document_type_code": "PASSPORT", "name": "Passport", "category": "IDENTITY", "requirement_text": "The photo page.", "entity_type": "Person",
   "when": "person.citizenship != \"US\" && person.ownership_percentage >= 25"}
 ],
 "findings": [
  {"finding_code": "HIGH_VOLUME", "kind": "REVIEW", "name": "High volume", "message": "Look at the volume.", "entity_type": "Business", "when": "average_monthly_credit_sales > 50000"}
 ],
 "examples": [{"name": "nobody abroad", "facts": {
   "average_monthly_credit_sales": 1, "average_yearly_credit_sales": 12, "average_individual_sale": 50, "highest_ticket_sale": 60, "evaluation_score": 700,
   "established_date": "2001-01-01", "industry_category_code": ["5411"], "as_of": "2026-01-01", "persons": [{"person_id": "p1", "citizenship": "US", "ownership_percentage": 100}]},
  "expect": {"documents": ["REGISTRATION"]}}]
}`

const pricing = `{"base": 500.25, "facts": [
 {"name": "legal_form", "entity_type": "Business", "type": "TEXT", "default": "GMBH", "label": "legal form", "ask": "The legal form."}
], "rules": [
 {"name": "five years", "when": "business_age_years >= 5", "points": 100.125},
 {"name": "high volume", "when": "average_yearly_credit_sales > 1000000", "points": -40},
 {"name": "known trade", "when": "industry_category_code.exists(c, c == \"5411\")", "points": 30}]}`

// recording uses a service through its API and its commands.
type recording struct {
	*harness.Stack
	caller   caller
	receiver *receiver
}

// TestRecordRelease records a release for TestUpgrade_GoesOnWithTheDataOfEveryRelease: the
// data of a service that has used every table and column.
//
//	go test -tags deep ./e2e/released -run '^TestRecordRelease$' -record 1.0.0
func TestRecordRelease(t *testing.T) {
	release := released.Recording(t)
	r := &recording{receiver: newReceiver(t)}
	r.caller = caller{About: about, Others: map[string]harness.Credential{}, Secrets: map[string]string{}, Rules: json.RawMessage(rules), Pricing: json.RawMessage(pricing)}
	r.Stack = harness.NewStopped(t, harness.Options{Fill: r.found})
	r.StartPrograms(t)
	answers := r.live(t)
	requireFilled(t, r.Stack)

	dir := in(release)
	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for _, file := range []string{r.KEKFile(), r.PayloadKeyFile} {
		keys, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(file)), keys, 0o644))
	}
	data := dump(t, r.Stack)
	require.Less(t, len(data), 208<<10)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "database.sql"), data, 0o644))
	c := r.Temporal(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "history.json"), r.History(t, c, r.calculation(t), false), 0o644))
	writeJSON(t, filepath.Join(dir, "vectors.json"), vectors(t))
	writeJSON(t, filepath.Join(dir, "answers.json"), answers)
	writeJSON(t, filepath.Join(dir, "caller.json"), r.caller)
}

// found creates the schema, an organization with an account and pricing, and credentials.
func (r *recording) found(t testing.TB, s *harness.Stack) {
	s.CreateLogins(t)
	migrate(t, s)
	organization := strings.TrimSpace(output(t, s, "organization", "create", "Fictional Acquirer"))
	r.caller.AccountID = strings.TrimSpace(output(t, s, "account", "create", organization, "Fictional Shops", "--time-zone", "America/New_York"))
	s.AccountID = r.caller.AccountID
	credential := func(name string, options ...string) (c harness.Credential) {
		require.NoError(t, json.Unmarshal([]byte(output(t, s, append([]string{"credential", "create", organization, name}, options...)...)), &c))
		return c
	}
	r.caller.Main = credential("back office")
	r.caller.Others["reader"] = credential("reporting", "--permissions", "read", "--expires", "2200-01-01")
	r.caller.Others["minimal"] = credential("trials", "--minimal")
	r.caller.Others["revoked"] = credential("former")
	output(t, s, "credential", "revoke", r.caller.Others["revoked"].APIKey)
	file := filepath.Join(t.TempDir(), "pricing.json")
	require.NoError(t, os.WriteFile(file, []byte(pricing), 0o600))
	output(t, s, "pricing", "publish", file, "--account", r.caller.AccountID, "--as", "Priya")
	var err error
	s.Client, err = r.caller.Main.Client("")
	require.NoError(t, err)
}

func (r *recording) calculation(t testing.TB) (run *commonpb.WorkflowExecution) {
	c := r.Temporal(t)
	r.Poll(t, "Temporal does not list the calculation", func(ctx context.Context) (bool, error) {
		list, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
			PageSize: 1, Query: fmt.Sprintf("WorkflowType = '%s' AND ApplicationWorkflowId = '%s' AND ExecutionStatus = 'Completed'", workflows.CalculateRequiredDocumentsName, r.caller.WorkflowID)})
		if err != nil || len(list.Executions) == 0 {
			return false, err
		}
		run = list.Executions[0].Execution
		return true, nil
	})
	return run
}

// ids are the ids in responses.
type ids struct {
	Business string   `json:"business_id"`
	Persons  []string `json:"person_ids"`
	Workflow string   `json:"workflow_id"`
	Config   string   `json:"config_id"`
	Event    string   `json:"event_id"`
	Run      string   `json:"run_id"`
	Key      string   `json:"key_id"`
	Secret   string   `json:"shared_secret"`
}

func (r *recording) do(t testing.TB, operation string, in harness.Object, options ...requisite.Option) (made ids) {
	t.Helper()
	r.Must(t, operation, in, &made, options...)
	return made
}

func (r *recording) key(t testing.TB, options ...requisite.Option) string {
	made := r.do(t, "webhook.key.create", harness.Object{"account_id": r.AccountID}, options...)
	r.caller.Secrets[made.Key] = made.Secret
	r.receiver.knows(made.Key, made.Secret)
	return made.Key
}

func (r *recording) endpoint(t testing.TB, path string, more harness.Object) string {
	config := harness.Object{"url": r.receiver.URL + path}
	for name, value := range more {
		config[name] = value
	}
	return r.do(t, "webhook.config.create", harness.Object{"account_id": r.AccountID, "config": config}).Config
}

// test sends an event to an endpoint, and waits until its delivery is in a state. An empty
// until does not wait for a state.
func (r *recording) test(t testing.TB, config, until string) openDelivery {
	o := openDelivery{ConfigID: config, EventID: r.do(t, "webhook.config.test", harness.Object{"config_id": config}).Event, Status: until}
	r.await(t, &o)
	return o
}

func (r *recording) await(t testing.TB, o *openDelivery) {
	r.Poll(t, "the delivery is not "+o.Status, func(ctx context.Context) (bool, error) {
		deliveries, err := r.Deliveries(ctx, requisite.DeliveryListRequestFilters{ConfigID: &o.ConfigID, EventID: &o.EventID})
		if err != nil || len(deliveries) == 0 {
			return false, err
		}
		o.DeliveryID = deliveries[0].DeliveryID
		return o.Status == "" || deliveries[0].Status == o.Status, nil
	})
}
