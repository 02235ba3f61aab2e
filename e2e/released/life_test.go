//go:build deep

package released_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
)

// life uses every operation, and then reads everything.
type life struct {
	*recording
	well, failing, recovered, deleted, disabled string         // endpoints
	creation                                    harness.Object // request that created the business orchards
	orchards, bare, alone, erased               ids
	created, gaps, ended, last                  string // workflows
	opened                                      int    // workflows
	secondKey, replay, proposal, recalculation  string
	answers                                     []answered
}

const calculate, price = "workflow.requiredDocument.calculate", "workflow.pricing.calculate"

// The reasons why fields may differ from the recorded ones.
var (
	waits = map[string]string{
		"next_attempt_at": "it is absent while the delivery is due, as it is soon after the recording",
		"waits_for":       "it says what holds now: no worker runs, and time has passed",
	}
	wording = map[string]string{"message": "it is not stored, and a later release may improve its words"}
)

// live returns the recorded responses. It stops the worker in between, so that deliveries
// wait.
func (r *recording) live(t testing.TB) []answered {
	l := &life{recording: r}
	l.receive(t)
	l.apply(t)
	l.openOthers(t)
	l.failToDeliver(t)
	l.leaveOpen(t)
	l.repeat(t)
	l.readAll(t)
	l.listAll(t)
	l.readDeliveries(t)
	return l.answers
}

func (l *life) account() harness.Object { return harness.Object{"account_id": l.AccountID} }

func of(workflow string) harness.Object { return harness.Object{"workflow_id": workflow} }

func (l *life) open(t testing.TB, business, state string) string {
	t.Helper()
	l.opened++
	return l.do(t, "workflow.create", harness.Object{"account_id": l.AccountID, "workflow": harness.Object{"business_id": business, "state": state, "external_id": fmt.Sprint("application-", l.opened)}}).Workflow
}

// receive creates keys, one of which is active, and endpoints.
func (l *life) receive(t testing.TB) {
	first := l.key(t)
	l.do(t, "webhook.key.activate", harness.Object{"account_id": l.AccountID, "key_id": first})
	broken := func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "down for maintenance", http.StatusServiceUnavailable)
	}
	asking := func(w http.ResponseWriter, r *http.Request) { // for time, in which it gets nothing else
		w.Header().Set("Retry-After", "15")
		broken(w, r)
	}
	l.receiver.refuse("/recovered", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }) // closes the connection without a response
	l.receiver.refuse("/broken", broken)
	l.receiver.refuse("/given-up", asking)
	l.well = l.endpoint(t, "/well", harness.Object{"description": "all events", "rate_per_second": 500, "concurrency": 5})
	l.failing = l.endpoint(t, "/broken", harness.Object{"event_types": []string{"WORKFLOW_COMPLETED"}})
	l.recovered = l.endpoint(t, "/recovered", harness.Object{"event_types": []string{"WORKFLOW_COMPLETED", "WORKFLOW_STARTED"}})
	l.deleted = l.endpoint(t, "/given-up", harness.Object{"event_types": []string{"WORKFLOW_CREATED"}})
	l.endpoint(t, "/notices", harness.Object{"event_types": []string{"WEBHOOK_ENDPOINT_FAILING", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_RECOVERED", "WEBHOOK_DELIVERY_FAILED"}})
	l.disabled = l.endpoint(t, "/disabled", harness.Object{"event_types": []string{"WORKFLOW_COMPLETED"}})
	l.do(t, "webhook.config.update", harness.Object{"config_id": l.disabled, "config": harness.Object{"status": "DISABLED"}})
}

// agree lets two persons put rules in force from a day on that never comes.
func (l *life) agree(t testing.TB) {
	var proposed struct {
		ID string `json:"proposal_id"`
	}
	l.Must(t, "account.documentRules.proposal.create", harness.Object{
		"account_id": l.AccountID, "rules": json.RawMessage(rules), "effective_from": "9999-12-31", "comment": "from then on",
	}, &proposed)
	l.proposal = proposed.ID
	output(t, l.Stack, "rules", "approve", l.proposal, "--as-operator", l.AccountID, "--as", "Bob", "--comment", "agreed")
}

// recalculate recalculates the account before it has applications.
func (l *life) recalculate(t testing.TB) {
	var run struct {
		ID string `json:"run_id"`
	}
	var at harness.Object
	l.Must(t, "account.recalculation.start", harness.Object{"account_id": l.AccountID}, &run)
	l.recalculation = run.ID
	l.Await(t, "the end of the recalculation", func(ctx context.Context) error {
		_, err := l.Client.Call(ctx, "account.recalculation.get", harness.Object{"run_id": run.ID}, &at)
		if err == nil && at["state"] != "DONE" {
			err = fmt.Errorf("it is %s", at["state"])
		}
		return err
	})
	l.do(t, "account.recalculation.cancel", harness.Object{"run_id": run.ID})
}

// apply publishes rules, and creates a business with all fields.
func (l *life) apply(t testing.TB) {
	l.do(t, "account.documentRules.publish", harness.Object{"account_id": l.AccountID, "rules": json.RawMessage(earlierRules)})
	l.agree(t)
	l.do(t, "account.documentRules.publish", harness.Object{"account_id": l.AccountID, "rules": json.RawMessage(rules), "comment": "all facts"})
	l.recalculate(t)
	l.creation = harness.Object{"account_id": l.AccountID,
		"business": harness.Object{
			"legal_name": "Invented Orchards Ltd", "custom": harness.Object{"legal_form": "AG"}, "external_id": "orchards-1", "operating_name": "Orchards", "established_date": "2001-02-28", "industry_category_code": []string{"0742", "5967"},
			"website": "https://orchards.example", "phone_number": "+1 555 0100", "email": "office@orchards.example",
			"address": harness.Object{"line1": "1 Nowhere Road", "line2": "Unit 2", "city": "Portland", "region": "OR", "postal_code": "97205", "country": "US"}},
		"persons": []harness.Object{
			{"first_name": "Ada", "last_name": "Unreal", "external_id": "ada", "citizenship": "DE", "ownership_percentage": 33.33, "date_of_birth": "1980-02-29", "country_of_residence": "DE", "custom": harness.Object{"roles": []string{"DIRECTOR"}}, "email": "ada@orchards.example"},
			{"first_name": "Bo", "last_name": "Imagined", "citizenship": "NO", "ownership_percentage": 66.67}},
		"sales_info": harness.Object{"sales_amount": []harness.Object{
			{"type": "AVERAGE_INDIVIDUAL_SALE", "value": 19.99, "currency": "USD"}, {"type": "AVERAGE_MONTHLY_CREDIT_SALES", "value": 60000, "currency": "USD"},
			{"type": "AVERAGE_YEARLY_CREDIT_SALES", "value": 720000.5, "currency": "USD"}, {"type": "HIGHEST_TICKET_SALE", "value": 9999999999999.99, "currency": "USD"}}},
	}
	l.orchards = l.do(t, "business.create", l.creation, requisite.IdempotencyKey("orchards"))
	l.caller.PersonID = l.orchards.Persons[1]
	l.bare = l.do(t, "business.create", harness.Object{"account_id": l.AccountID, "business": harness.Object{"legal_name": "Bare Ltd"}})
	l.alone = l.do(t, "business.create", harness.Object{"account_id": l.AccountID, "business": harness.Object{"legal_name": "Nobody Ltd", "no_persons_attested": true}})
	l.caller.WorkflowID = l.open(t, l.orchards.Business, "STARTED")
	l.do(t, "workflow.update", harness.Object{"workflow_id": l.caller.WorkflowID, "workflow": harness.Object{"custom": harness.Object{"first_sale_date": "2026-12-01"}}})
	l.do(t, price, of(l.caller.WorkflowID), requisite.IdempotencyKey("price"))
	l.do(t, calculate, of(l.caller.WorkflowID))
	var list struct {
		Documents []struct {
			ID       string `json:"required_document_id"`
			Code     string `json:"document_type_code"`
			EntityID string `json:"entity_id"`
		} `json:"required_documents"`
	}
	l.Must(t, "workflow.requiredDocument.list", of(l.caller.WorkflowID), &list)
	for _, d := range list.Documents {
		moves := map[string][]string{"REGISTRATION": {"NEEDS_REVIEW"}, "BANK_STATEMENTS": {"NEEDS_REVIEW", "COMPLETED"}}[d.Code]
		if d.Code == "PASSPORT" && d.EntityID == l.caller.PersonID {
			l.caller.DocumentID, moves = d.ID, []string{"NEEDS_REVIEW"}
		}
		for _, status := range moves {
			l.do(t, "workflow.requiredDocument.update", harness.Object{"required_document_id": d.ID, "required_document": harness.Object{"status": status}})
		}
	}
	require.NotEmpty(t, l.caller.DocumentID)
	var byHand struct {
		ID string `json:"required_document_id"`
	}
	l.Must(t, "workflow.requiredDocument.create", harness.Object{"workflow_id": l.caller.WorkflowID, "reason": "a large deposit", "document": harness.Object{
		"document_type_code": "SOURCE_OF_FUNDS", "name": "Source of funds", "category": "FINANCIAL", "requirement_text": "Where the money comes from.",
		"entity_type": "Person", "entity_id": l.caller.PersonID, "explanation": "The deposit is large.", "due_within": "30 days",
	}}, &byHand)
	l.do(t, "workflow.requiredDocument.update", harness.Object{"required_document_id": byHand.ID, "required_document": harness.Object{
		"status": "COMPLETED", "evidence": []harness.Object{{"reference": "upload-1", "issued_on": "2026-01-31"}}, "reviewed_by": "a.martin", "note": "All is there.",
	}})
	// The approval of that document is of somebody of another citizenship.
	l.do(t, "person.update", harness.Object{"person_id": l.caller.PersonID, "person": harness.Object{"citizenship": "US"}})
	l.do(t, price, of(l.caller.WorkflowID))
	l.do(t, calculate, of(l.caller.WorkflowID), requisite.IdempotencyKey("calculate"))
}

// openOthers opens workflows that are not started, have ended, lack facts, or belong to an
// erased business.
func (l *life) openOthers(t testing.TB) {
	l.created, l.gaps, l.ended = l.open(t, l.orchards.Business, "CREATED"), l.open(t, l.bare.Business, "STARTED"), l.open(t, l.orchards.Business, "STARTED")
	l.do(t, price, of(l.ended))
	l.do(t, calculate, of(l.ended))
	l.do(t, "workflow.complete", of(l.ended))
	l.do(t, "workflow.create", harness.Object{"account_id": l.AccountID, "workflow": harness.Object{"business_id": l.orchards.Business, "state": "CREATED", "previous_workflow_id": l.ended}})
	refused, err := l.Client.Call(t.Context(), calculate, of(l.ended), nil, requisite.IdempotencyKey("ended"))
	require.Error(t, err)
	require.Equal(t, http.StatusBadRequest, refused.HTTPStatus)
	l.erased = l.do(t, "business.create", harness.Object{"account_id": l.AccountID, "business": harness.Object{"legal_name": "Forgotten Ltd"}})
	l.open(t, l.erased.Business, "STARTED")
	output(t, l.Stack, "erase", l.erased.Business, "--account", l.AccountID, "--yes")
}

// failToDeliver makes one endpoint fail and recover and another one fail, and deletes one.
func (l *life) failToDeliver(t testing.TB) {
	for _, config := range []string{l.recovered, l.failing} {
		for range 5 {
			l.do(t, "webhook.config.test", harness.Object{"config_id": config})
		}
		l.Poll(t, "the endpoint is not FAILING", func(ctx context.Context) (bool, error) {
			var c struct{ Health struct{ Status string } }
			_, err := l.Client.Call(ctx, "webhook.config.get", harness.Object{"config_id": config}, &c)
			return c.Health.Status == "FAILING", err
		})
	}
	l.receiver.refuse("/recovered", nil)
	l.do(t, "webhook.config.flush", harness.Object{"config_id": l.recovered})
	l.test(t, l.recovered, "DELIVERED")
	l.do(t, "webhook.config.delete", harness.Object{"config_id": l.deleted})
	failed := l.test(t, l.failing, "")
	l.do(t, "webhook.delivery.cancel", harness.Object{"delivery_id": failed.DeliveryID})
	l.secondKey = l.key(t, requisite.IdempotencyKey("key"))
	l.do(t, "webhook.key.activate", harness.Object{"account_id": l.AccountID, "key_id": l.secondKey}, requisite.IdempotencyKey("activate"))
	l.key(t)
	l.replay = l.do(t, "webhook.event.replay", harness.Object{"config_id": l.well, "since": "2026-01-01T00:00:00.000Z", "event_types": []string{"WORKFLOW_COMPLETED"}}).Run
	l.Poll(t, "the replay does not end", func(ctx context.Context) (bool, error) {
		var replayed struct{ State string }
		_, err := l.Client.Call(ctx, "webhook.event.replayed", harness.Object{"run_id": l.replay}, &replayed)
		return replayed.State == "COMPLETED", err
	})
	l.Poll(t, "not everything is delivered that can be", func(ctx context.Context) (bool, error) {
		var open int
		err := l.Query(ctx, `SELECT (SELECT count(*) FROM webhook_attempt WHERE outcome = 'SENDING')
			+ (SELECT count(*) FROM webhook_delivery_shown d JOIN webhook_endpoint e ON e.id = d.endpoint_id WHERE d.state IN ('PENDING', 'RETRYING') AND e.url NOT LIKE '%/broken')`, &open)
		return open == 0, err
	})
}

// leaveOpen stops the worker, so that nothing is sent any more. It creates an open delivery in
// each possible state.
func (l *life) leaveOpen(t testing.TB) {
	l.Worker.Stop(t)
	waiting, err := l.Deliveries(t.Context(), requisite.DeliveryListRequestFilters{ConfigID: &l.failing, Status: new("RETRYING")})
	require.NoError(t, err)
	require.NotEmpty(t, waiting)
	for _, d := range waiting {
		l.caller.Open = append(l.caller.Open, openDelivery{l.failing, d.DeliveryID, d.EventID, "RETRYING"})
	}
	l.do(t, "webhook.delivery.retry", harness.Object{"delivery_id": waiting[0].DeliveryID})
	l.last = l.open(t, l.alone.Business, "STARTED")
	l.do(t, "workflow.complete", of(l.last))
	var completed struct {
		Events []struct {
			ID string `json:"id"`
		} `json:"events"`
	}
	l.Must(t, "webhook.event.list", harness.Object{"account_id": l.AccountID, "filters": harness.Object{"workflow_id": l.last, "event_type": "WORKFLOW_COMPLETED"}}, &completed)
	require.Len(t, completed.Events, 1)
	for config, status := range map[string]string{l.well: "PENDING", l.disabled: "HELD"} {
		o := openDelivery{ConfigID: config, EventID: completed.Events[0].ID, Status: status}
		l.await(t, &o)
		l.caller.Open = append(l.caller.Open, o)
	}
}

// add sends a request, and records the response.
func (l *life) add(t testing.TB, a answered) {
	t.Helper()
	got := l.caller.ask(t, l.Stack, a)
	got.Data, got.Errors = without(got.Data, a.Moves), without(got.Errors, a.Moves)
	l.answers = append(l.answers, got)
}

func (l *life) again(t testing.TB, operation string, request any, key string) {
	t.Helper()
	l.add(t, answered{Operation: operation, Request: request, IdempotencyKey: key})
}

func (l *life) read(t testing.TB, operation string, request any) {
	t.Helper()
	l.add(t, answered{Operation: operation, Request: request})
}

// repeat repeats the requests with an Idempotency-Key.
func (l *life) repeat(t testing.TB) {
	l.again(t, "business.create", l.creation, "orchards")
	l.again(t, price, of(l.caller.WorkflowID), "price")
	l.again(t, calculate, of(l.caller.WorkflowID), "calculate")
	l.again(t, calculate, of(l.ended), "ended")
	l.again(t, "webhook.key.create", l.account(), "key")
	l.again(t, "webhook.key.activate", harness.Object{"account_id": l.AccountID, "key_id": l.secondKey}, "activate")
	l.again(t, "business.create", l.account(), "orchards") // with another body
}

func (l *life) readAll(t testing.TB) {
	l.add(t, answered{Operation: "account.get", Request: l.account(), By: "reader"})
	l.add(t, answered{Operation: "account.get", Request: l.account(), By: "minimal"})
	l.add(t, answered{Operation: "account.get", Request: l.account(), By: "revoked", Moves: wording})
	l.add(t, answered{Operation: "workflow.start", Request: of(l.created), By: "reader", Moves: wording})
	l.read(t, "account.get", l.account())
	var versions struct {
		Versions []struct {
			ID string `json:"version_id"`
		} `json:"versions"`
	}
	l.Must(t, "account.documentRules.list", l.account(), &versions)
	l.read(t, "account.documentRules.list", l.account())
	l.read(t, "account.documentRules.proposal.get", harness.Object{"proposal_id": l.proposal})
	l.read(t, "account.documentRules.proposal.list", l.account())
	l.read(t, "account.documentRules.get", l.account())
	for _, v := range versions.Versions {
		l.read(t, "account.documentRules.get", harness.Object{"account_id": l.AccountID, "version_id": v.ID})
	}
	for _, b := range []ids{l.orchards, l.bare, l.alone, l.erased} {
		l.read(t, "business.get", harness.Object{"business_id": b.Business})
		l.read(t, "workflow.list", harness.Object{"account_id": l.AccountID, "filters": harness.Object{"business_id": b.Business}})
	}
	for _, p := range l.orchards.Persons {
		l.read(t, "person.get", harness.Object{"person_id": p})
	}
	for _, w := range []string{l.caller.WorkflowID, l.created, l.gaps, l.ended, l.last} {
		l.read(t, "workflow.get", of(w))
		l.read(t, "workflow.requiredDocument.list", of(w))
		l.add(t, answered{Operation: "account.documentRules.preview", Request: of(w), Moves: wording})
	}
	l.add(t, answered{Operation: calculate, Request: of(l.gaps), Moves: wording})
	l.add(t, answered{Operation: price, Request: of(l.gaps), Moves: wording})
	l.read(t, "workflow.requiredDocument.list", harness.Object{"workflow_id": l.caller.WorkflowID, "filters": harness.Object{"required_document_status": "INACTIVE"}})
	l.read(t, "webhook.key.list", l.account())
	l.read(t, "webhook.key.get", harness.Object{"account_id": l.AccountID, "key_id": l.secondKey})
	l.add(t, answered{Operation: "webhook.config.list", Request: l.account(), Moves: waits})
	for _, c := range []string{l.well, l.failing, l.recovered, l.disabled} {
		l.add(t, answered{Operation: "webhook.config.get", Request: harness.Object{"config_id": c}, Moves: waits})
	}
	l.read(t, "webhook.event.replayed", harness.Object{"run_id": l.replay})
	l.read(t, "account.recalculation.get", harness.Object{"run_id": l.recalculation})
}

// listAll reads every page of the long lists.
func (l *life) listAll(t testing.TB) {
	l.pages(t, "workflow.list", "workflows", harness.Object{}, nil)
	l.pages(t, "webhook.event.list", "events", harness.Object{"include_data": true}, nil)
	l.caller.EventsUntil = l.pages(t, "webhook.event.list", "events", harness.Object{"order": "OLDEST_FIRST"}, nil)
	l.pages(t, "webhook.delivery.list", "deliveries", harness.Object{}, waits)
}

// pages reads a list to its end, and returns the last cursor if there is one.
func (l *life) pages(t testing.TB, operation, items string, request harness.Object, moves map[string]string) (next string) {
	const size = 7
	page := harness.Object{"limit": size}
	for range 100 {
		request := maps.Clone(request)
		request["account_id"], request["page"] = l.AccountID, maps.Clone(page)
		a := answered{Operation: operation, Request: request, Moves: moves}
		now := l.caller.ask(t, l.Stack, a).Data.(map[string]any)
		l.add(t, a)
		if now["caught_up"] == true && now["next"] != nil { // the end of a feed
			return now["next"].(string)
		}
		if now["next"] == nil {
			return ""
		}
		page["after"] = now["next"]
	}
	t.Fatal("the list " + operation + " has no last page")
	return ""
}

// readDeliveries reads a delivery in each state, and its event.
func (l *life) readDeliveries(t testing.TB) {
	deliveries, err := l.Deliveries(t.Context(), requisite.DeliveryListRequestFilters{})
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, d := range deliveries {
		if seen[d.Status] {
			continue
		}
		seen[d.Status] = true
		l.add(t, answered{Operation: "webhook.delivery.get", Request: harness.Object{"delivery_id": d.DeliveryID}, Moves: waits})
		l.read(t, "webhook.event.get", harness.Object{"event_id": d.EventID})
	}
	for _, status := range []string{"PENDING", "RETRYING", "HELD", "DELIVERED", "FAILED", "CANCELED"} {
		require.True(t, seen[status], "no delivery is %s", status)
	}
}
