package released_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/workflowservice/v1"

	requisite "requisite/clients/go"
	"requisite/e2e/parts"
	"requisite/internal/released"
	"requisite/workflows"
)

const about = "Made by TestRecordRelease, of invented businesses and persons. The keys and secrets of this directory were made for it and open nothing else."

const earlierRules = `{"documents": [{"document_type_code": "REGISTRATION", "name": "Registration", "category": "LEGAL", "requirement_text": "An extract of the register.", "entity_type": "Business"}]}`

// The rules refer to every fact. Ages only decide what never changes: they grow.
const rules = `{
 "lists": {"high_risk": ["7995", "5967"]},
 "documents": [
  {"document_type_code": "REGISTRATION", "name": "Registration", "category": "LEGAL", "requirement_text": "An extract of the register.", "entity_type": "Business"},
  {"document_type_code": "BANK_STATEMENTS", "name": "Bank statements", "category": "FINANCIAL", "requirement_text": "Three most recent statements.", "entity_type": "Business",
   "when": "average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)"},
  {"document_type_code": "YEARLY_ACCOUNTS", "name": "Yearly accounts", "category": "FINANCIAL", "requirement_text": "The last yearly accounts.", "entity_type": "Business",
   "when": "average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\"2010-01-01\")"},
  {"document_type_code": "PRICE_LIST", "name": "Price list", "category": "TRADE", "requirement_text": "What is sold, at which price.", "entity_type": "Business",
   "when": "average_individual_sale < 20 || highest_ticket_sale >= 5000"},
  {"document_type_code": "BUSINESS_PLAN", "name": "Business plan", "category": "TRADE", "requirement_text": "A plan of the first year.", "entity_type": "Business",
   "when": "business_age_months < 6 || business_age_years == 0"},
  {"document_type_code": "REVIEW", "name": "Review", "category": "RISK", "requirement_text": "A review by two persons.", "entity_type": "Workflow",
   "when": "evaluation_score <= 640"},
  {"document_type_code": "OWNERSHIP_CHART", "name": "Ownership", "category": "IDENTITY", "requirement_text": "Who owns what.", "entity_type": "Business",
   "when": "size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)"},
  {"document_type_code": "PASSPORT", "name": "Passport", "category": "IDENTITY", "requirement_text": "The photo page.", "entity_type": "Person",
   "when": "person.citizenship != \"US\" && person.ownership_percentage >= 25"}
 ],
 "examples": [{"name": "nobody abroad", "facts": {
   "average_monthly_credit_sales": 1, "average_yearly_credit_sales": 12, "average_individual_sale": 50, "highest_ticket_sale": 60, "evaluation_score": 700,
   "established_date": "2001-01-01", "industry_category_code": ["5411"], "as_of": "2026-01-01", "persons": [{"person_id": "p1", "citizenship": "US", "ownership_percentage": 100}]},
  "expect": {"documents": ["REGISTRATION"]}}]
}`

const pricing = `{"base": 500.25, "rules": [
 {"name": "five years", "when": "business_age_years >= 5", "points": 100.125},
 {"name": "high volume", "when": "average_yearly_credit_sales > 1000000", "points": -40},
 {"name": "known trade", "when": "industry_category_code.exists(c, c == \"5411\")", "points": 30}]}`

// recording drives a service through its API and its commands.
type recording struct {
	*parts.Stack
	caller   caller
	receiver *receiver
}

// TestRecordRelease writes what TestWhatReleasesLeftBehind holds: the data of a service
// of the release under way, which has used everything that it can store.
//
//	go test ./e2e/released -run '^TestRecordRelease$' -record 1.0.0
func TestRecordRelease(t *testing.T) {
	release := released.Recording(t)
	r := &recording{receiver: newReceiver(t)}
	r.caller = caller{About: about, Others: map[string]parts.Credential{}, Secrets: map[string]string{}, Rules: json.RawMessage(rules), Pricing: json.RawMessage(pricing)}
	r.Stack = parts.NewStopped(t, parts.Options{Fill: r.found})
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
	require.Less(t, len(data), 150<<10)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "database.sql"), data, 0o644))
	c := r.Temporal(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "history.json"), r.History(t, c, r.calculation(t), false), 0o644))
	writeJSON(t, filepath.Join(dir, "vectors.json"), vectors(t))
	writeJSON(t, filepath.Join(dir, "answers.json"), answers)
	writeJSON(t, filepath.Join(dir, "caller.json"), r.caller)
}

// found makes the schema, an organization with an account and pricing, and credentials.
func (r *recording) found(t testing.TB, s *parts.Stack) {
	s.CreateLogins(t)
	migrate(t, s)
	organization := strings.TrimSpace(output(t, s, "organization", "create", "Fictional Acquirer"))
	r.caller.AccountID = strings.TrimSpace(output(t, s, "account", "create", organization, "Fictional Shops", "--time-zone", "America/New_York"))
	s.AccountID = r.caller.AccountID
	credential := func(name string, options ...string) (c parts.Credential) {
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
	output(t, s, "pricing", "publish", file, "--account", r.caller.AccountID, "--by", "Priya")
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

// ids are what operations answer.
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

func (r *recording) do(t testing.TB, operation string, in parts.Object, options ...requisite.Option) (made ids) {
	t.Helper()
	r.Must(t, operation, in, &made, options...)
	return made
}

func (r *recording) key(t testing.TB, options ...requisite.Option) string {
	made := r.do(t, "webhook.key.create", parts.Object{"account_id": r.AccountID}, options...)
	r.caller.Secrets[made.Key] = made.Secret
	r.receiver.knows(made.Key, made.Secret)
	return made.Key
}

func (r *recording) endpoint(t testing.TB, path string, more parts.Object) string {
	config := parts.Object{"url": r.receiver.URL + path}
	for name, value := range more {
		config[name] = value
	}
	return r.do(t, "webhook.config.create", parts.Object{"account_id": r.AccountID, "config": config}).Config
}

// test sends an event to an endpoint, and waits until its delivery is in a state; any
// when that is empty.
func (r *recording) test(t testing.TB, config, until string) owed {
	o := owed{ConfigID: config, EventID: r.do(t, "webhook.config.test", parts.Object{"config_id": config}).Event, Status: until}
	r.await(t, &o)
	return o
}

func (r *recording) await(t testing.TB, o *owed) {
	r.Poll(t, "the delivery is not "+o.Status, func(ctx context.Context) (bool, error) {
		var list struct {
			Deliveries []struct {
				ID     string `json:"delivery_id"`
				Status string `json:"status"`
			} `json:"deliveries"`
		}
		_, err := r.Client.Call(ctx, "webhook.delivery.list", parts.Object{"account_id": r.AccountID, "filters": parts.Object{"config_id": o.ConfigID, "event_id": o.EventID}}, &list)
		if err != nil || len(list.Deliveries) == 0 {
			return false, err
		}
		o.DeliveryID = list.Deliveries[0].ID
		return o.Status == "" || list.Deliveries[0].Status == o.Status, nil
	})
}

// live uses all that the service can do, stops the worker, and asks for everything that
// can be read.
func (r *recording) live(t testing.TB) []answered {
	account := parts.Object{"account_id": r.AccountID}
	var answers []answered
	add := func(a answered) (got answered) {
		t.Helper()
		got = r.caller.ask(t, r.Stack, a)
		got.Data, got.Errors = without(got.Data, a.Moves), without(got.Errors, a.Moves)
		answers = append(answers, got)
		return got
	}

	// Keys, of which one is active, and endpoints.
	first := r.key(t)
	r.do(t, "webhook.key.activate", parts.Object{"account_id": r.AccountID, "key_id": first})
	broken := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "15")
		http.Error(w, "down for maintenance", http.StatusServiceUnavailable)
	}
	r.receiver.refuse("/recovered", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }) // ends the connection without an answer
	r.receiver.refuse("/broken", broken)
	r.receiver.refuse("/given-up", broken)
	well := r.endpoint(t, "/well", parts.Object{"description": "all events", "rate_per_second": 500, "concurrency": 5})
	failing := r.endpoint(t, "/broken", parts.Object{"event_types": []string{"WORKFLOW_COMPLETED"}})
	recovered := r.endpoint(t, "/recovered", parts.Object{"event_types": []string{"WORKFLOW_COMPLETED", "WORKFLOW_STARTED"}})
	deleted := r.endpoint(t, "/given-up", parts.Object{"event_types": []string{"WORKFLOW_CREATED"}})
	r.endpoint(t, "/notices", parts.Object{"event_types": []string{"WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"}})
	disabled := r.endpoint(t, "/disabled", parts.Object{"event_types": []string{"WORKFLOW_COMPLETED"}})
	r.do(t, "webhook.config.update", parts.Object{"config_id": disabled, "config": parts.Object{"status": "DISABLED"}})

	// Rules, and a business with everything on record.
	r.do(t, "account.documentRules.publish", parts.Object{"account_id": r.AccountID, "rules": json.RawMessage(earlierRules)})
	r.do(t, "account.documentRules.publish", parts.Object{"account_id": r.AccountID, "rules": json.RawMessage(rules), "comment": "all facts"})
	create := parts.Object{"account_id": r.AccountID,
		"business": parts.Object{
			"legal_name": "Invented Orchards Ltd", "operating_name": "Orchards", "established_date": "2001-02-28", "industry_category_code": []string{"0742", "5967"},
			"website": "https://orchards.example", "phone_number": "+1 555 0100", "email": "office@orchards.example",
			"address": parts.Object{"line1": "1 Nowhere Road", "line2": "Unit 2", "city": "Portland", "region": "OR", "postal_code": "97205", "country": "US"}},
		"persons": []parts.Object{
			{"first_name": "Ada", "last_name": "Unreal", "citizenship": "DE", "ownership_percentage": 33.33, "date_of_birth": "1980-02-29", "email": "ada@orchards.example"},
			{"first_name": "Bo", "last_name": "Imagined", "citizenship": "NO", "ownership_percentage": 66.67}},
		"sales_info": parts.Object{"sales_amount": []parts.Object{
			{"type": "AVERAGE_INDIVIDUAL_SALE", "value": 19.99, "currency": "USD"}, {"type": "AVERAGE_MONTHLY_CREDIT_SALES", "value": 60000, "currency": "USD"},
			{"type": "AVERAGE_YEARLY_CREDIT_SALES", "value": 720000.5, "currency": "USD"}, {"type": "HIGHEST_TICKET_SALE", "value": 9999999999999.99, "currency": "USD"}}},
	}
	orchards := r.do(t, "business.create", create, requisite.IdempotencyKey("orchards"))
	r.caller.PersonID = orchards.Persons[1]
	bare := r.do(t, "business.create", parts.Object{"account_id": r.AccountID, "business": parts.Object{"legal_name": "Bare Ltd"}})
	alone := r.do(t, "business.create", parts.Object{"account_id": r.AccountID, "business": parts.Object{"legal_name": "Nobody Ltd", "no_persons_attested": true}})
	open := func(business, state string) string {
		return r.do(t, "workflow.create", parts.Object{"account_id": r.AccountID, "workflow": parts.Object{"business_id": business, "state": state}}).Workflow
	}
	r.caller.WorkflowID = open(orchards.Business, "STARTED")
	of := func(workflow string) parts.Object { return parts.Object{"workflow_id": workflow} }
	const calculate, price = "workflow.requiredDocument.calculate", "workflow.pricing.calculate"
	r.do(t, price, of(r.caller.WorkflowID), requisite.IdempotencyKey("price"))
	r.do(t, calculate, of(r.caller.WorkflowID))
	var list struct {
		Documents []struct {
			ID       string `json:"required_document_id"`
			Code     string `json:"document_type_code"`
			EntityID string `json:"entity_id"`
		} `json:"required_documents"`
	}
	r.Must(t, "workflow.requiredDocument.list", of(r.caller.WorkflowID), &list)
	for _, d := range list.Documents {
		moves := map[string][]string{"REGISTRATION": {"NEEDS_REVIEW"}, "BANK_STATEMENTS": {"NEEDS_REVIEW", "COMPLETED"}}[d.Code]
		if d.Code == "PASSPORT" && d.EntityID == r.caller.PersonID {
			r.caller.DocumentID, moves = d.ID, []string{"NEEDS_REVIEW"}
		}
		for _, status := range moves {
			r.do(t, "workflow.requiredDocument.update", parts.Object{"required_document_id": d.ID, "required_document": parts.Object{"status": status}})
		}
	}
	require.NotEmpty(t, r.caller.DocumentID)
	r.do(t, "person.update", parts.Object{"person_id": r.caller.PersonID, "person": parts.Object{"citizenship": "US"}})
	r.do(t, price, of(r.caller.WorkflowID))
	r.do(t, calculate, of(r.caller.WorkflowID), requisite.IdempotencyKey("calculate"))

	// Workflows that are not started, have ended, lack facts, or are of an erased business.
	created, gaps, ended := open(orchards.Business, "CREATED"), open(bare.Business, "STARTED"), open(orchards.Business, "STARTED")
	r.do(t, price, of(ended))
	r.do(t, calculate, of(ended))
	r.do(t, "workflow.complete", of(ended))
	refused, err := r.Client.Call(t.Context(), calculate, of(ended), nil, requisite.IdempotencyKey("ended"))
	require.Error(t, err)
	require.Equal(t, http.StatusBadRequest, refused.HTTPStatus)
	erased := r.do(t, "business.create", parts.Object{"account_id": r.AccountID, "business": parts.Object{"legal_name": "Forgotten Ltd"}})
	open(erased.Business, "STARTED")
	output(t, r.Stack, "erase", erased.Business, "--account", r.AccountID, "--yes")

	// One endpoint fails and recovers, one goes on failing, one is deleted.
	for _, config := range []string{recovered, failing} {
		for range 5 {
			r.do(t, "webhook.config.test", parts.Object{"config_id": config})
		}
		r.Poll(t, "the endpoint is not FAILING", func(ctx context.Context) (bool, error) {
			var c struct{ Health struct{ Status string } }
			_, err := r.Client.Call(ctx, "webhook.config.get", parts.Object{"config_id": config}, &c)
			return c.Health.Status == "FAILING", err
		})
	}
	r.receiver.refuse("/recovered", nil)
	r.do(t, "webhook.config.flush", parts.Object{"config_id": recovered})
	r.test(t, recovered, "DELIVERED")
	r.do(t, "webhook.config.delete", parts.Object{"config_id": deleted})
	failed := r.test(t, failing, "")
	r.do(t, "webhook.delivery.cancel", parts.Object{"delivery_id": failed.DeliveryID})
	second := r.key(t, requisite.IdempotencyKey("key"))
	r.do(t, "webhook.key.activate", parts.Object{"account_id": r.AccountID, "key_id": second}, requisite.IdempotencyKey("activate"))
	r.key(t)
	run := r.do(t, "webhook.event.replay", parts.Object{"config_id": well, "since": "2026-01-01T00:00:00.000Z", "event_types": []string{"WORKFLOW_COMPLETED"}}).Run
	r.Poll(t, "the replay does not end", func(ctx context.Context) (bool, error) {
		var replayed struct{ State string }
		_, err := r.Client.Call(ctx, "webhook.event.replayed", parts.Object{"run_id": run}, &replayed)
		return replayed.State == "COMPLETED", err
	})
	r.Poll(t, "not everything is delivered that can be", func(ctx context.Context) (bool, error) {
		var open int
		err := r.Query(ctx, `SELECT (SELECT count(*) FROM webhook_attempt WHERE outcome = 'SENDING')
			+ (SELECT count(*) FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id WHERE d.state IN ('PENDING', 'RETRYING') AND e.url NOT LIKE '%/broken')`, &open)
		return open == 0, err
	})

	// From here on nothing is sent. What is owed waits in every way that it can.
	r.Worker.Stop(t)
	var waiting struct {
		Deliveries []struct {
			ID    string `json:"delivery_id"`
			Event string `json:"event_id"`
		} `json:"deliveries"`
	}
	r.Must(t, "webhook.delivery.list", parts.Object{"account_id": r.AccountID, "filters": parts.Object{"config_id": failing, "status": "RETRYING"}}, &waiting)
	require.NotEmpty(t, waiting.Deliveries)
	for _, d := range waiting.Deliveries {
		r.caller.Owed = append(r.caller.Owed, owed{failing, d.ID, d.Event, "RETRYING"})
	}
	r.do(t, "webhook.delivery.retry", parts.Object{"delivery_id": waiting.Deliveries[0].ID})
	last := open(alone.Business, "STARTED")
	r.do(t, "workflow.complete", of(last))
	var completed struct {
		Events []struct {
			ID string `json:"event_id"`
		} `json:"events"`
	}
	r.Must(t, "webhook.event.list", parts.Object{"account_id": r.AccountID, "filters": parts.Object{"workflow_id": last, "event_type": "WORKFLOW_COMPLETED"}}, &completed)
	require.Len(t, completed.Events, 1)
	for config, status := range map[string]string{well: "PENDING", disabled: "HELD"} {
		o := owed{ConfigID: config, EventID: completed.Events[0].ID, Status: status}
		r.await(t, &o)
		r.caller.Owed = append(r.caller.Owed, o)
	}

	// What was asked with an Idempotency-Key is asked again.
	withKey := func(operation string, request any, key string) {
		add(answered{Operation: operation, Request: request, IdempotencyKey: key})
	}
	withKey("business.create", create, "orchards")
	withKey(price, of(r.caller.WorkflowID), "price")
	withKey(calculate, of(r.caller.WorkflowID), "calculate")
	withKey(calculate, of(ended), "ended")
	withKey("webhook.key.create", account, "key")
	withKey("webhook.key.activate", parts.Object{"account_id": r.AccountID, "key_id": second}, "activate")
	withKey("business.create", account, "orchards") // with another body

	read := func(operation string, request any) answered {
		return add(answered{Operation: operation, Request: request})
	}
	waits := map[string]string{"next_attempt_at": "it is absent once it is due, which it has been since soon after the recording"}
	wording := map[string]string{"message": "it was not stored: it is made for each answer, in words that may be better later"}
	end := map[string]string{"next": "the place after the last event is not that of an event: it grows with every transaction"}
	add(answered{Operation: "account.get", Request: account, By: "reader"})
	add(answered{Operation: "account.get", Request: account, By: "minimal"})
	add(answered{Operation: "account.get", Request: account, By: "revoked", Moves: wording})
	add(answered{Operation: "workflow.start", Request: of(created), By: "reader", Moves: wording})
	read("account.get", account)
	var versions struct {
		Versions []struct {
			ID string `json:"version_id"`
		} `json:"versions"`
	}
	r.Must(t, "account.documentRules.list", account, &versions)
	read("account.documentRules.list", account)
	read("account.documentRules.get", account)
	for _, v := range versions.Versions {
		read("account.documentRules.get", parts.Object{"account_id": r.AccountID, "version_id": v.ID})
	}
	for _, b := range []ids{orchards, bare, alone, erased} {
		read("business.get", parts.Object{"business_id": b.Business})
		read("workflow.list", parts.Object{"account_id": r.AccountID, "filters": parts.Object{"business_id": b.Business}})
	}
	for _, p := range orchards.Persons {
		read("person.get", parts.Object{"person_id": p})
	}
	for _, w := range []string{r.caller.WorkflowID, created, gaps, ended, last} {
		read("workflow.get", of(w))
		read("workflow.requiredDocument.list", of(w))
		add(answered{Operation: "account.documentRules.preview", Request: of(w), Moves: wording})
	}
	add(answered{Operation: calculate, Request: of(gaps), Moves: wording})
	add(answered{Operation: price, Request: of(gaps), Moves: wording})
	read("workflow.requiredDocument.list", parts.Object{"workflow_id": r.caller.WorkflowID, "filters": parts.Object{"required_document_status": "INACTIVE"}})
	read("webhook.key.list", account)
	read("webhook.key.get", parts.Object{"account_id": r.AccountID, "key_id": second})
	add(answered{Operation: "webhook.config.list", Request: account, Moves: waits})
	for _, c := range []string{well, failing, recovered, disabled} {
		add(answered{Operation: "webhook.config.get", Request: parts.Object{"config_id": c}, Moves: waits})
	}
	read("webhook.event.replayed", parts.Object{"run_id": run})

	// Lists, from the cursors of earlier pages.
	const pageSize = 7
	pages := func(operation, items string, request parts.Object, moves map[string]string) (last string) {
		page := parts.Object{"limit": pageSize}
		for range 100 {
			request := maps.Clone(request)
			request["account_id"], request["page"] = r.AccountID, maps.Clone(page)
			a := answered{Operation: operation, Request: request, Moves: moves}
			now := r.caller.ask(t, r.Stack, a).Data.(map[string]any)
			if request["order"] == "OLDEST_FIRST" && len(now[items].([]any)) < pageSize {
				a.Moves = end
				add(a)
				return now["next"].(string)
			}
			add(a)
			if now["next"] == nil {
				return ""
			}
			page["after"] = now["next"]
		}
		t.Fatal("the pages of " + operation + " do not end")
		return ""
	}
	pages("workflow.list", "workflows", parts.Object{}, nil)
	pages("webhook.event.list", "events", parts.Object{"include_payload": true}, nil)
	r.caller.EventsUntil = pages("webhook.event.list", "events", parts.Object{"order": "OLDEST_FIRST"}, nil)
	pages("webhook.delivery.list", "deliveries", parts.Object{}, waits)
	var deliveries struct {
		Deliveries []struct {
			ID     string `json:"delivery_id"`
			Event  string `json:"event_id"`
			Status string `json:"status"`
		} `json:"deliveries"`
	}
	r.Must(t, "webhook.delivery.list", parts.Object{"account_id": r.AccountID, "page": parts.Object{"limit": 200}}, &deliveries)
	seen := map[string]bool{}
	for _, d := range deliveries.Deliveries {
		if seen[d.Status] {
			continue
		}
		seen[d.Status] = true
		add(answered{Operation: "webhook.delivery.get", Request: parts.Object{"delivery_id": d.ID}, Moves: waits})
		read("webhook.event.get", parts.Object{"event_id": d.Event})
	}
	for _, status := range []string{"PENDING", "RETRYING", "HELD", "DELIVERED", "FAILED", "CANCELED"} {
		require.True(t, seen[status], "no delivery is %s", status)
	}
	return answers
}
