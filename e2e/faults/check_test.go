package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
)

const (
	tenant   = "sb_tenant"
	shop     = "b_shop"
	onboard  = "w_onboard"
	receiver = "whc_receiver"
	tomorrow = 1000 * time.Second

	yesterday, today, tomorrowDay, farDay = "2026-11-25", "2026-11-26", "2026-11-27", "2026-12-26"

	firstKey  = "whk_20261101_01"
	secondKey = "whk_20261101_02"
)

func asked(operation, subject, value string, from, to time.Duration) Op {
	return Op{Span: Span{from * time.Second, to * time.Second}, Operation: operation, Account: tenant, Subject: subject, Value: value, Tries: 1}
}

func endpointOp(o Op, field string) Op {
	o.Field = field
	return o
}

// whole returns a history that breaks no promise and contains everything once. Each test
// changes one thing in it.
func whole() *History {
	h := &History{
		Ended: tomorrow,
		Ops: []Op{
			asked("account.documentRules.publish", tenant, "rul_1", 0, 1),
			asked("webhook.key.create", tenant, firstKey, 0, 1),
			asked("webhook.key.activate", firstKey, firstKey, 2, 3),
			endpointOp(asked("webhook.config.create", receiver, "sink", 4, 5), allTypes),
			asked("business.create", shop, "0", 10, 11),
			asked("workflow.create", onboard, shop, 12, 13),
			asked("workflow.requiredDocument.calculate", onboard, "", 14, 15),
			endpointOp(asked("workflow.requiredDocument.list", onboard, day(0), 16, 17), "rul_1"),
			asked("business.update", shop, "1", 20, 21),
			asked("business.get", shop, "1", 22, 23),
			asked("workflow.requiredDocument.calculate", onboard, "", 24, 25),
			asked("workflow.pricing.calculate", onboard, "", 26, 27),
			endpointOp(asked("workflow.requiredDocument.calculate", onboard, farDay, 26, 27), named),
			asked("account.recalculation.get", "rec_1", "CANCELED", 26, 27),
			asked("workflow.requiredDocument.update", "rd_base", "NEEDS_REVIEW", 28, 29),
			asked("webhook.key.create", tenant, secondKey, 30, 31),
			asked("webhook.key.activate", secondKey, secondKey, 32, 33),
			asked("webhook.config.test", receiver, "wh_test", 34, 35),
			asked("workflow.complete", onboard, "", 36, 37),
			{Span: Span{38 * time.Second, 39 * time.Second}, Operation: "workflow.requiredDocument.calculate", Account: tenant, Subject: onboard, Refusal: "SYSTEM_RULE_VIOLATION/WORKFLOW_ENDED"},
			{Span: Span{40 * time.Second, 41 * time.Second}, Operation: "replay", Once: true, Refusal: "AUTH_NONCE_REUSED"},
		},
		Shown: []Shown{{tenant, firstKey}, {tenant, secondKey}},
	}
	h.Businesses = []Business{{shop, tenant, "U/1", day(1), []string{class(1)}}}
	h.Decisions = []Decision{
		{ID: "dec_1", Number: 1, Version: "rul_1", Facts: "of 0", AsOf: yesterday, Changes: json.RawMessage(`{"added":[{},{},{},{}]}`)},
		{ID: "dec_2", Number: 2, Version: "rul_1", Facts: "of 1", AsOf: yesterday, Changes: json.RawMessage(`{"added":[{}],"removed":[{}],"kept":[{}]}`)},
		{ID: "dec_3", Number: 3, Version: "rul_1", Facts: "of 1", AsOf: yesterday, Changes: json.RawMessage(`{"kept":[{},{},{},{}]}`)},
		{ID: "dec_4", Number: 4, Version: "rul_1", Facts: "of 1", AsOf: farDay, SandboxToday: true, Changes: json.RawMessage(`{"kept":[{},{},{},{}]}`)},
	}
	for i := range h.Decisions {
		h.Decisions[i].WorkflowID, h.Decisions[i].Kind, h.Decisions[i].Outcome = onboard, "CALCULATION", "CALCULATED"
	}
	h.Repeats = []Repeat{{WorkflowID: onboard, Before: "the documents", After: "the documents"}}
	priced := score(1)
	h.Workflows = []Workflow{{onboard, shop, tenant, "ENDED", &priced}}
	h.Documents = []Document{
		{ID: "rd_base", WorkflowID: onboard, Code: alwaysRequired, Status: "NEEDS_REVIEW", Version: "rul_1", Established: day(1)},
		{ID: "rd_0", WorkflowID: onboard, Code: "CLASS_0", Status: "INACTIVE", Version: "rul_1", Established: day(0)},
		{ID: "rd_1", WorkflowID: onboard, Code: "CLASS_1", Status: "PENDING", Version: "rul_1", Established: day(1)},
		{ID: "rd_due", WorkflowID: onboard, Code: due, Status: "PENDING", Version: "rul_1", Established: day(1), DueOn: day(2)},
		{ID: "rd_expiring", WorkflowID: onboard, Code: expiring, Status: "COMPLETED", Version: "rul_1", Established: day(1), ValidUntil: today},
	}
	h.Documents = append(h.Documents, Document{
		ID: "rd_person", WorkflowID: onboard, Code: ofPerson, EntityID: "p_1", Status: "PENDING", Version: "rul_1", Established: day(1),
	})
	h.Persons = []Person{{"p_1", shop}}
	h.Today = map[string]string{tenant: tomorrowDay}
	h.Keys = []Key{{tenant, firstKey, "2026-11-01", "DELETED", true}, {tenant, secondKey, "2026-11-01", "ACTIVE", true}}
	sequence := int64(0)
	event := func(id, kind, workflow string, fields harness.Object) {
		content, err := json.Marshal(fields)
		if err != nil {
			panic(err)
		}
		h.Events = append(h.Events, Event{ID: id, Account: tenant, Type: kind, WorkflowID: workflow, Fields: content})
		if workflow != "" {
			sequence++
			h.Events[len(h.Events)-1].Sequence = sequence
		}
	}
	document := func(status string, ids ...string) (list []harness.Object) {
		for _, id := range ids {
			list = append(list, harness.Object{"required_document_id": id, "status": status})
		}
		return list
	}
	event("wh_key1", "WEBHOOK_KEY_ACTIVATED", "", harness.Object{"key_id": firstKey})
	event("wh_created", "WORKFLOW_CREATED", onboard, harness.Object{"state": "CREATED"})
	event("wh_started", "WORKFLOW_STARTED", onboard, harness.Object{"state": "STARTED"})
	event("wh_calc1", "REQUIRED_DOCUMENTS_CALCULATED", onboard, harness.Object{
		"decision_id": "dec_1", "added": document("PENDING", "rd_base", "rd_0", "rd_due", "rd_expiring", "rd_person"),
	})
	event("wh_calc2", "REQUIRED_DOCUMENTS_CALCULATED", onboard, harness.Object{
		"decision_id": "dec_2", "added": document("PENDING", "rd_1"), "removed": document("INACTIVE", "rd_0"), "kept": document("PENDING", "rd_base"),
	})
	event("wh_priced", "WORKFLOW_PRICING_CALCULATED", onboard, nil)
	event("wh_moved", "REQUIRED_DOCUMENT_UPDATED", onboard, harness.Object{"required_document_id": "rd_base", "status": "NEEDS_REVIEW"})
	event("wh_overdue", "REQUIRED_DOCUMENT_OVERDUE", onboard, harness.Object{"required_document_id": "rd_due", "due_on": day(2)})
	event("wh_lapses", "REQUIRED_DOCUMENT_EXPIRED", onboard, harness.Object{"required_document_id": "rd_expiring", "status": "PENDING", "valid_until": yesterday})
	event("wh_renewed", "REQUIRED_DOCUMENT_UPDATED", onboard, harness.Object{"required_document_id": "rd_expiring", "status": "COMPLETED"})
	event("wh_key2", "WEBHOOK_KEY_ACTIVATED", "", harness.Object{"key_id": secondKey})
	event("wh_test", "WEBHOOK_TEST", "", nil)
	event("wh_done", "WORKFLOW_COMPLETED", onboard, harness.Object{"state": "ENDED"})
	event("wh_expired", "REQUIRED_DOCUMENT_EXPIRED", onboard, harness.Object{"required_document_id": "rd_expiring", "status": "COMPLETED", "valid_until": today})
	at := map[string]int{"wh_created": 13, "wh_started": 13, "wh_calc1": 15, "wh_calc2": 25, "wh_priced": 27, "wh_moved": 29, "wh_key2": 40, "wh_test": 41, "wh_done": 42, "wh_overdue": 29, "wh_lapses": 29, "wh_renewed": 29, "wh_expired": 42}
	for _, e := range h.Events {
		when, sent := at[e.ID]
		if !sent { // the first key was activated before the endpoint existed
			continue
		}
		key := firstKey
		if when > 33 {
			key = secondKey
		}
		start := time.Duration(when) * time.Second
		h.Deliveries = append(h.Deliveries, Delivery{"whd_" + e.ID, e.ID, receiver, "DELIVERED"})
		h.Attempts = append(h.Attempts, Attempt{"whd_" + e.ID, 1, "SUCCEEDED", start})
		h.Arrivals = append(h.Arrivals, Arrival{Span: Span{start + time.Millisecond, start + 2*time.Millisecond}, Sink: "sink", Account: tenant, EventID: e.ID, EventType: e.Type, Sequence: e.Sequence, KeyID: key, Status: 204})
	}
	return h
}

func TestCheck_AcceptsACorrectHistory(t *testing.T) {
	require.Empty(t, Check(whole()))
}

func (h *History) op(operation string, n int) *Op {
	for i := range h.Ops {
		if h.Ops[i].Operation == operation {
			if n--; n < 0 {
				return &h.Ops[i]
			}
		}
	}
	panic("no such operation: " + operation)
}

func (h *History) arrival(event string) *Arrival {
	return &h.Arrivals[slices.IndexFunc(h.Arrivals, func(a Arrival) bool { return a.EventID == event })]
}

func (h *History) event(id string) *Event {
	return &h.Events[slices.IndexFunc(h.Events, func(e Event) bool { return e.ID == id })]
}

func (h *History) decision(id string) *Decision {
	return &h.Decisions[slices.IndexFunc(h.Decisions, func(d Decision) bool { return d.ID == id })]
}

func (h *History) attempt(event string) *Attempt {
	return &h.Attempts[slices.IndexFunc(h.Attempts, func(a Attempt) bool { return a.DeliveryID == "whd_"+event })]
}

func (h *History) delivery(event string) *Delivery {
	return &h.Deliveries[slices.IndexFunc(h.Deliveries, func(d Delivery) bool { return d.EventID == event })]
}

func without[T any](list []T, drop func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), drop)
}

// TestCheck_FindsEachPlantedViolation plants one violation at a time in a correct history.
// Check must report it under its promise.
func TestCheck_FindsEachPlantedViolation(t *testing.T) {
	for name, c := range map[string]struct {
		promise string
		plant   func(*History)
	}{
		"a request is never answered": {Answered, func(h *History) {
			h.Ops = append(h.Ops, Op{Span: Span{50 * time.Second, Forever}, Operation: "business.update", Account: tenant, Subject: shop, Value: "7", Tries: 90})
		}},
		"something that exists is not found": {Answered, func(h *History) {
			h.Ops = append(h.Ops, Op{Span: Span{50 * time.Second, 51 * time.Second}, Operation: "business.update", Account: tenant, Subject: shop, Value: "7", Refusal: "ENTITY_NOT_FOUND"})
		}},
		"an answer blames the service": {Unblamed, func(h *History) { h.Faulty = []Faulty{{At: 50 * time.Second}} }},
		"a program panics":             {NoPanic, func(h *History) { h.Panics = []string{"api: panic: x"} }},
		"a copy of a request is accepted": {Replays, func(h *History) {
			h.op("replay", 0).Refusal = ""
		}},

		"an update is lost":                {Facts, func(h *History) { h.Businesses[0] = Business{shop, tenant, "U/0", day(0), []string{class(0)}} }},
		"half an update is there":          {Facts, func(h *History) { h.Businesses[0].Established = day(0) }},
		"the class is of another revision": {Facts, func(h *History) { h.Businesses[0].Codes = []string{class(0), class(1)} }},
		"a value that nobody wrote":        {Facts, func(h *History) { h.Businesses[0] = Business{shop, tenant, "U/9", day(9), []string{class(9)}} }},
		"a business is gone":               {Facts, func(h *History) { h.Businesses = nil }},
		"an old value is read":             {Facts, func(h *History) { h.op("business.get", 0).Value = "0" }},
		"a value is read before it is":     {Facts, func(h *History) { h.op("business.get", 0).Span = Span{11 * time.Second, 12 * time.Second} }},
		"a refused update is there": {Facts, func(h *History) {
			o := h.op("business.update", 0)
			o.Refusal = "BAD_REQUEST"
			h.Ops = without(h.Ops, func(o Op) bool { return o.Operation == "business.get" })
		}},
		"a workflow is gone": {Facts, func(h *History) { h.Ops = append(h.Ops, asked("workflow.create", "w_gone", "b_other", 50, 51)) }},
		"the end of a workflow is lost": {Facts, func(h *History) {
			h.Workflows[0].State = "STARTED"
			h.Events = without(h.Events, func(e Event) bool { return e.Type == "WORKFLOW_COMPLETED" })
			h.Arrivals = without(h.Arrivals, func(a Arrival) bool { return a.EventID == "wh_done" })
		}},
		"a move of a document is lost": {Facts, func(h *History) { h.Documents[0].Status = "PENDING" }},
		"a move is refused by a state that should not be": {Facts, func(h *History) {
			h.Ops = append(h.Ops, Op{Span: Span{50 * time.Second, 51 * time.Second}, Operation: "workflow.requiredDocument.update", Account: tenant, Subject: "rd_base", Value: "COMPLETED", Refusal: "SYSTEM_RULE_VIOLATION/INVALID_STATUS_CHANGE"})
		}},
		"a key is gone": {Facts, func(h *History) {
			h.Ops = append(h.Ops, asked("webhook.key.create", tenant, "whk_20261101_03", 50, 51))
		}},
		"an activation is lost": {Facts, func(h *History) {
			h.Keys = append(h.Keys, Key{tenant, "whk_20261101_03", "2026-11-01", "INACTIVE", false})
			create, activate := asked("webhook.key.create", tenant, "whk_20261101_03", 6, 7), asked("webhook.key.activate", "whk_20261101_03", "whk_20261101_03", 8, 9)
			h.Ops = append(h.Ops, create, activate)
		}},

		"a business is made twice": {Once, func(h *History) {
			h.Businesses = append(h.Businesses, Business{"b_copy", tenant, "U/1", day(1), []string{class(1)}})
		}},
		"two requests get one business": {Once, func(h *History) { h.Ops = append(h.Ops, asked("business.create", shop, "0", 10, 11)) }},
		"a workflow is made twice":      {Once, func(h *History) { h.op("workflow.create", 0).Value = "b_other" }},
		"a price is made twice": {Once, func(h *History) {
			h.Events = append(h.Events, Event{ID: "wh_again", Account: tenant, Type: "WORKFLOW_PRICING_CALCULATED", WorkflowID: onboard, Sequence: 13})
		}},
		"a document is moved twice": {Once, func(h *History) {
			h.Events = append(h.Events, Event{ID: "wh_again", Account: tenant, Type: "REQUIRED_DOCUMENT_UPDATED", WorkflowID: onboard, Sequence: 9, Fields: json.RawMessage(`{"required_document_id":"rd_base","status":"NEEDS_REVIEW"}`)})
		}},
		"a key that nobody asked for": {Once, func(h *History) {
			h.Keys = append(h.Keys, Key{tenant, "whk_20261101_03", "2026-11-01", "INACTIVE", false})
		}},
		"two requests get one key": {Once, func(h *History) { h.Ops = append(h.Ops, asked("webhook.key.create", tenant, firstKey, 50, 51)) }},

		"documents for facts that are no longer": {Documents, func(h *History) {
			for i := range h.Documents {
				h.Documents[i].Established = day(0)
			}
			h.Documents[1].Status, h.Documents[2].Status = "PENDING", "INACTIVE"
		}},
		"documents for facts that never were": {Documents, func(h *History) {
			h.Documents[0].Established, h.Documents[2].Established = day(5), day(5)
		}},
		"documents under rules that never were": {Documents, func(h *History) {
			h.Documents[0].Version, h.Documents[2].Version = "rul_9", "rul_9"
		}},
		"documents of two calculations": {Documents, func(h *History) { h.Documents[2].Established = day(5) }},
		"the class of the facts before": {Documents, func(h *History) { h.Documents[1].Status, h.Documents[1].Established = "PENDING", day(1) }},
		"a calculation is lost":         {Documents, func(h *History) { h.Documents, h.Events = nil, without(h.Events, isCalculation) }},
		"old documents are read": {Documents, func(h *History) {
			h.op("workflow.requiredDocument.list", 0).Span = Span{50 * time.Second, 51 * time.Second}
		}},
		"no documents are read": {Documents, func(h *History) { h.op("workflow.requiredDocument.list", 0).Value = "" }},

		"an ended workflow is calculated": {EndedStays, func(h *History) { h.op("workflow.requiredDocument.calculate", 3).Refusal = "" }},
		"a workflow ends by itself": {EndedStays, func(h *History) {
			h.Ops = without(h.Ops, func(o Op) bool { return o.Operation == "workflow.complete" })
		}},
		"the score is of other facts": {Prices, func(h *History) { *h.Workflows[0].Score = score(2) }},
		"the score is lost":           {Prices, func(h *History) { h.Workflows[0].Score = nil }},

		"a hundred and one keys": {Keys, func(h *History) {
			for n := 3; n <= keysADay+1; n++ {
				id := fmt.Sprintf("whk_20261101_%03d", n)
				h.Keys = append(h.Keys, Key{tenant, id, "2026-11-01", "INACTIVE", false})
				h.Ops = append(h.Ops, asked("webhook.key.create", tenant, id, 50, 51))
			}
		}},
		"a refusal before the hundredth": {Keys, func(h *History) {
			h.Ops = append(h.Ops, Op{Span: Span{50 * time.Second, 51 * time.Second}, Operation: "webhook.key.create", Account: tenant, Refusal: "SYSTEM_RULE_VIOLATION/DAILY_LIMIT_EXCEEDED"})
		}},
		"a secret is shown twice": {Keys, func(h *History) { h.Shown = append(h.Shown, Shown{tenant, firstKey}) }},
		"two keys are active":     {Keys, func(h *History) { h.Keys[0].Status = "ACTIVE" }},
		"no key is active":        {Keys, func(h *History) { h.Keys[1].Status = "DELETED" }},
		"the key before is active": {Keys, func(h *History) {
			h.Keys[0].Status, h.Keys[1].Status = "ACTIVE", "DELETED"
		}},

		"an event is missing": {Events, func(h *History) { h.drop("wh_started") }},
		"an event comes twice": {Events, func(h *History) {
			h.Events = append(h.Events, Event{ID: "wh_again", Account: tenant, Type: "WORKFLOW_CREATED", WorkflowID: onboard, Sequence: 13})
		}},
		"a test's event is missing": {Events, func(h *History) { h.drop("wh_test") }},
		"a change of documents goes untold": {Events, func(h *History) {
			e := &h.Events[slices.IndexFunc(h.Events, func(e Event) bool { return e.ID == "wh_calc2" })]
			e.Fields = json.RawMessage(`{"added":[{"required_document_id":"rd_1"}]}`)
		}},
		"an event tells of no document": {Events, func(h *History) {
			e := &h.Events[slices.IndexFunc(h.Events, func(e Event) bool { return e.ID == "wh_calc1" })]
			e.Fields = json.RawMessage(`{"added":[{"required_document_id":"rd_base"},{"required_document_id":"rd_0"},{"required_document_id":"rd_none"}]}`)
		}},
		"an activation goes untold": {Events, func(h *History) { h.drop("wh_key2") }},
		"an event arrives that never happened": {Events, func(h *History) {
			a := *h.arrival("wh_test")
			a.EventID = "wh_never"
			a.Start += time.Second
			a.End += time.Second
			h.Arrivals = append(h.Arrivals, a)
		}},

		"a document is told to be overdue twice": {Days, func(h *History) {
			h.Events = append(h.Events, Event{ID: "wh_again", Account: tenant, Type: "REQUIRED_DOCUMENT_OVERDUE", WorkflowID: onboard, Sequence: 14, Fields: h.event("wh_overdue").Fields})
		}},
		"a document is told to be expired twice": {Days, func(h *History) {
			h.Events = append(h.Events, Event{ID: "wh_again", Account: tenant, Type: "REQUIRED_DOCUMENT_EXPIRED", WorkflowID: onboard, Sequence: 14, Fields: h.event("wh_expired").Fields})
		}},
		"a document is overdue before its day": {Days, func(h *History) {
			h.event("wh_overdue").Fields = json.RawMessage(`{"required_document_id":"rd_due","due_on":"` + tomorrowDay + `"}`)
		}},
		"nobody is told of an overdue document": {Days, func(h *History) { h.Workflows[0].State = "STARTED"; h.drop("wh_overdue") }},
		"an approval outlives its day":          {Days, func(h *History) { h.Workflows[0].State = "STARTED" }},
		"nobody is told of a lapsed approval":   {Days, func(h *History) { h.drop("wh_expired") }},
		"a day brings something to no document": {Days, func(h *History) {
			h.event("wh_lapses").Fields = json.RawMessage(`{"required_document_id":"rd_none","valid_until":"` + yesterday + `"}`)
		}},

		"a repeated calculation removes a document": {Repeated, func(h *History) { h.decision("dec_3").Changes = json.RawMessage(`{"removed":[{}]}`) }},
		"a repeated calculation lets an approval lapse": {Repeated, func(h *History) {
			h.decision("dec_3").Changes = json.RawMessage(`{"kept":[{}],"reopened":[{}]}`)
		}},
		"a repeated calculation has another finding": {Repeated, func(h *History) { h.decision("dec_3").Changes = json.RawMessage(`{"kept":[{}],"findings":[{}]}`) }},
		"a repeated calculation has an event": {Repeated, func(h *History) {
			h.event("wh_calc2").Fields = bytes.Replace(h.event("wh_calc2").Fields, []byte("dec_2"), []byte("dec_3"), 1)
		}},
		"a calculation changes documents at rest":       {Repeated, func(h *History) { h.Repeats[0].After = "others" }},
		"an event follows a second calculation at rest": {Repeated, func(h *History) { h.Repeats[0].Events = 1 }},

		"a named day decides another request": {Named, func(h *History) { h.decision("dec_3").AsOf = farDay }},
		"a named day is forgotten":            {Named, func(h *History) { h.decision("dec_4").SandboxToday, h.decision("dec_4").AsOf = false, today }},
		"a request of a named day decides twice": {Named, func(h *History) {
			again := *h.decision("dec_4")
			again.ID, again.Number = "dec_5", 5
			h.Decisions = append(h.Decisions, again)
		}},

		"a deleted person needs a document": {Documents, func(h *History) { h.Workflows[0].State = "STARTED"; h.Persons = nil }},
		"a person needs no document": {Documents, func(h *History) {
			h.Workflows[0].State, h.Persons = "STARTED", append(h.Persons, Person{"p_2", shop})
		}},

		"a sequence has a gap":       {Ordered, func(h *History) { h.event("wh_done").Sequence++ }},
		"two events have one number": {Ordered, func(h *History) { h.event("wh_done").Sequence-- }},
		"changes are numbered in another order": {Ordered, func(h *History) {
			a, b := h.event("wh_calc2"), h.event("wh_moved")
			a.Sequence, b.Sequence = b.Sequence, a.Sequence
		}},
		"an end is numbered before the start": {Ordered, func(h *History) {
			a, b := h.event("wh_started"), h.event("wh_done")
			a.Sequence, b.Sequence = b.Sequence, a.Sequence
		}},
		"it arrives with another sequence": {Whole, func(h *History) { h.arrival("wh_done").Sequence++ }},

		"an event has no delivery": {Deliveries, func(h *History) {
			h.Deliveries = without(h.Deliveries, func(d Delivery) bool { return d.EventID == "wh_done" })
			h.Arrivals = without(h.Arrivals, func(a Arrival) bool { return a.EventID == "wh_done" })
		}},
		"a test goes to another": {Deliveries, func(h *History) {
			h.Ops = append(h.Ops, endpointOp(asked("webhook.config.create", "whc_other", "other", 33, 34), "WEBHOOK_TEST"))
			h.Deliveries = append(h.Deliveries, Delivery{"whd_other", "wh_test", "whc_other", "DELIVERED"})
			h.Attempts = append(h.Attempts, Attempt{"whd_other", 1, "SUCCEEDED", 41 * time.Second})
			a := *h.arrival("wh_test")
			a.Sink = "other"
			h.Arrivals = append(h.Arrivals, a)
		}},
		"a type that the endpoint does not take": {Deliveries, func(h *History) {
			h.Ops = append(h.Ops, endpointOp(asked("webhook.config.update", receiver, "WORKFLOW_CREATED", 35, 36), "event_types"))
			h.op("workflow.complete", 0).Start = 36500 * time.Millisecond
		}},
		"an event is not delivered": {Deliveries, func(h *History) { h.delivery("wh_done").State = "RETRYING" }},
		"an event is given up":      {Deliveries, func(h *History) { h.delivery("wh_done").State = "FAILED" }},
		"an event is held":          {Deliveries, func(h *History) { h.delivery("wh_done").State = "HELD" }},
		"delivered without a success": {Deliveries, func(h *History) {
			h.attempt("wh_done").Outcome = "FAILED"
		}},
		"a deleted endpoint has an open delivery": {Deliveries, func(h *History) {
			h.Ops = append(h.Ops, asked("webhook.config.delete", receiver, "", 45, 46))
			h.delivery("wh_done").State = "RETRYING"
		}},
		"an attempt at a deleted endpoint": {Deliveries, func(h *History) {
			h.Ops = append(h.Ops, asked("webhook.config.delete", receiver, "", 38, 41))
		}},
		"an attempt at a disabled endpoint": {Deliveries, func(h *History) {
			h.Ops = append(h.Ops, endpointOp(asked("webhook.config.update", receiver, "DISABLED", 38, 39), "status"), endpointOp(asked("webhook.config.update", receiver, "ACTIVE", 40, 43), "status"))
			h.attempt("wh_key2").StartedAt = 39500 * time.Millisecond
			h.arrival("wh_key2").Span = Span{39600 * time.Millisecond, 39700 * time.Millisecond}
		}},
		"an event arrives without a delivery": {Deliveries, func(h *History) { a := *h.arrival("wh_test"); a.Sink = "nobody's"; h.Arrivals = append(h.Arrivals, a) }},
		"a delivery to nobody": {Deliveries, func(h *History) {
			h.Deliveries = append(h.Deliveries, Delivery{"whd_nobody", "wh_done", "whc_nobody", "DELIVERED"})
		}},

		"an attempt arrives three times": {Log, func(h *History) { a := *h.arrival("wh_done"); h.Arrivals = append(h.Arrivals, a, a) }},
		"the repeat of an attempt is refused": {Log, func(h *History) {
			a := *h.arrival("wh_done")
			a.Start, a.End, a.Status = a.Start+1, a.End+1, 500
			h.Arrivals = append(h.Arrivals, a)
		}},
		"an attempt is not logged": {Log, func(h *History) { h.another("wh_done"); h.Attempts = h.Attempts[:len(h.Attempts)-1] }},
		"an attempt has no end":    {Log, func(h *History) { h.another("wh_done"); h.attempt("wh_done").Outcome = "SENDING" }},
		"an attempt to a deleted endpoint has no end": {Log, func(h *History) {
			h.Ops = append(h.Ops, asked("webhook.config.delete", receiver, "", 45, 46))
			h.delivery("wh_done").State, h.attempt("wh_done").Outcome = "CANCELED", "SENDING"
		}},
		"a failure logged as a success": {Log, func(h *History) { h.arrival("wh_done").Status = 500 }},
		"a logged success that never arrived": {Log, func(h *History) {
			h.Arrivals = without(h.Arrivals, func(a Arrival) bool { return a.EventID == "wh_done" })
		}},
		"a gap in the log": {Log, func(h *History) {
			h.Attempts = append(h.Attempts, Attempt{"whd_wh_done", 3, "UNKNOWN", 43 * time.Second})
		}},

		"a webhook does not decrypt": {Whole, func(h *History) { h.Arrivals = append(h.Arrivals, Arrival{Sink: "sink", Wrong: "it does not open"}) }},
		"a stale webhook with a right clock": {Whole, func(h *History) {
			h.Arrivals = append(h.Arrivals, Arrival{Span: Span{50 * time.Second, 50 * time.Second}, Sink: "sink", Wrong: Stale})
		}},
		"the key before seals it":      {Whole, func(h *History) { h.arrival("wh_done").KeyID = firstKey }},
		"a key of the future seals it": {Whole, func(h *History) { h.arrival("wh_calc1").KeyID = secondKey }},

		"a canceled recalculation runs on": {Runs, func(h *History) { h.op("account.recalculation.get", 0).Value = "RUNNING" }},
		"eleven at once":                   {Room, func(h *History) { h.eleven() }},
		"a run is open without a reason":   {Runs, func(h *History) { h.Runs = []OpenRun{{ID: "calculate/1", Type: "Calculate", Age: time.Hour}} }},
	} {
		t.Run(name, func(t *testing.T) {
			h := whole()
			c.plant(h)
			found := Check(h)
			require.NotEmpty(t, found)
			require.True(t, slices.ContainsFunc(found, func(v Violation) bool { return v.Promise == c.promise }), "found instead: %v", found)
		})
	}
}

// TestCheck_AcceptsUnusualButAllowedHistories, which look wrong and are not.
func TestCheck_AcceptsUnusualButAllowedHistories(t *testing.T) {
	for name, plant := range map[string]func(*History){
		"a calculation of other facts changes documents": func(h *History) {
			h.decision("dec_3").Facts, h.decision("dec_3").Changes = "of 2", json.RawMessage(`{"removed":[{}]}`)
		},
		"a calculation of another day reopens a document": func(h *History) {
			h.decision("dec_3").AsOf, h.decision("dec_3").Changes = today, json.RawMessage(`{"reopened":[{}]}`)
		},
		"a calculation after another decision restores a document": func(h *History) {
			h.decision("dec_3").Number, h.decision("dec_4").Number = 4, 5
			h.decision("dec_3").Changes = json.RawMessage(`{"restored":[{}]}`)
		},
		"a request of a named day without an answer": func(h *History) {
			unanswered := endpointOp(asked("workflow.requiredDocument.calculate", onboard, farDay, 50, 50), named)
			unanswered.End, unanswered.Once = Forever, true
			h.Ops = append(h.Ops, unanswered)
		},
		"an update without an answer, and done": func(h *History) {
			h.Ops = append(h.Ops, Op{Span: Span{50 * time.Second, Forever}, Operation: "business.update", Account: tenant, Subject: shop, Value: "4", Once: true})
			h.Businesses[0] = Business{shop, tenant, "U/4", day(4), []string{class(4)}}
		},
		"an update without an answer, and not done": func(h *History) {
			h.Ops = append(h.Ops, Op{Span: Span{50 * time.Second, Forever}, Operation: "business.update", Account: tenant, Subject: shop, Value: "4", Once: true})
		},
		"either of two updates at once": func(h *History) {
			h.Ops = append(h.Ops, asked("business.update", shop, "5", 50, 60), asked("business.update", shop, "6", 55, 57))
			h.Businesses[0] = Business{shop, tenant, "U/5", day(5), []string{class(5)}}
		},
		"an event twice, by an attempt with an unknown end": func(h *History) {
			h.attempt("wh_done").Outcome = "UNKNOWN"
			h.another("wh_done")
			h.Attempts[len(h.Attempts)-1].Outcome = "SUCCEEDED"
		},
		"a stale webhook while the clock is wrong": func(h *History) {
			h.Stepped = []Span{{49 * time.Second, 51 * time.Second}}
			h.Arrivals = append(h.Arrivals, Arrival{Span: Span{50 * time.Second, 50 * time.Second}, Sink: "sink", Wrong: Stale})
		},
		"a run that says what it waits for": func(h *History) { h.Runs = []OpenRun{{ID: "calculate/1", Reason: "a database"}} },
		"an answer that blames the service while Temporal's data goes": func(h *History) {
			h.Lost, h.Faulty = []Span{{49 * time.Second, 51 * time.Second}}, []Faulty{{At: 50 * time.Second}}
		},
		"a renewal with the date of the approval that a named day let lapse": func(h *History) {
			h.event("wh_lapses").Fields = json.RawMessage(`{"required_document_id":"rd_expiring","status":"PENDING","valid_until":"` + today + `"}`)
		},
		"a deleted endpoint without its last events": func(h *History) {
			h.Ops = append(h.Ops, asked("webhook.config.delete", receiver, "", 45, 46))
			h.delivery("wh_done").State = "CANCELED"
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := whole()
			plant(h)
			require.Empty(t, Check(h))
		})
	}
}

// eleven adds eleven events that arrive at the sink at once. All succeed.
func (h *History) eleven() {
	for n := range roomOfAnEndpoint + 1 {
		event, start := fmt.Sprint("wh_full", n), time.Duration(50+n)*time.Second
		o := asked("webhook.config.test", receiver, event, 48, 49)
		h.Ops = append(h.Ops, o)
		h.Events = append(h.Events, Event{ID: event, Account: tenant, Type: "WEBHOOK_TEST"})
		h.Deliveries = append(h.Deliveries, Delivery{"whd_" + event, event, receiver, "DELIVERED"})
		h.Attempts = append(h.Attempts, Attempt{"whd_" + event, 1, "SUCCEEDED", start})
		h.Arrivals = append(h.Arrivals, Arrival{Span: Span{start, 70 * time.Second}, Sink: "sink", Account: tenant, EventID: event, EventType: "WEBHOOK_TEST", KeyID: secondKey, Status: 204})
	}
}

// TestCheck_CountsUnknownAttemptsAsInFlight: ten attempts beside an UNKNOWN one are eleven.
func TestCheck_CountsUnknownAttemptsAsInFlight(t *testing.T) {
	h := whole()
	h.eleven()
	h.attempt("wh_full0").Outcome = "UNKNOWN"
	h.Attempts = append(h.Attempts, Attempt{"whd_wh_full0", 2, "SUCCEEDED", 71 * time.Second})
	again := *h.arrival("wh_full0")
	again.Retry, again.Span = 1, Span{71 * time.Second, 72 * time.Second}
	h.Arrivals = append(h.Arrivals, again)
	found := Check(h)
	require.Len(t, found, 1)
	require.Equal(t, Room, found[0].Promise)
}

func isCalculation(e Event) bool { return e.Type == "REQUIRED_DOCUMENTS_CALCULATED" }

// drop removes an event with its deliveries and attempts.
func (h *History) drop(event string) {
	h.Events = without(h.Events, func(e Event) bool { return e.ID == event })
	h.Arrivals = without(h.Arrivals, func(a Arrival) bool { return a.EventID == event })
	h.Deliveries = without(h.Deliveries, func(d Delivery) bool { return d.EventID == event })
	h.Attempts = without(h.Attempts, func(a Attempt) bool { return a.DeliveryID == "whd_"+event })
}

// another adds a second attempt, which succeeds.
func (h *History) another(event string) {
	a := *h.arrival(event)
	a.Sink, a.Retry, a.Start, a.End = "sink", 1, a.Start+time.Second, a.End+time.Second
	h.Arrivals = append(h.Arrivals, a)
	h.Attempts = append(h.Attempts, Attempt{"whd_" + event, 2, "SUCCEEDED", a.Start - time.Millisecond})
}
