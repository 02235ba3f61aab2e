package faults

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Violation is a broken promise.
type Violation struct {
	Promise, What string
}

func (v Violation) String() string { return v.Promise + ": " + v.What }

// The promises of the service, which a report names. docs/reliability.md explains the checks.
const (
	Answered   = "every request gets a response in the end"
	Unblamed   = "no response has the status 500"
	NoPanic    = "no program panics"
	Facts      = "no acknowledged write is lost"
	Once       = "one request takes effect once"
	Documents  = "documents come from facts that were on record"
	EndedStays = "an ended workflow does not change"
	Prices     = "scores come from facts that were on record"
	Keys       = "an account has at most a hundred keys a day, each shown once, and one active"
	Events     = "every change has an event, and every event a change"
	Days       = "what a day brings happens and is told once for each date"
	Ordered    = "sequences of a workflow have no gaps and follow its changes"
	Deliveries = "every event arrives at each of its endpoints"
	Log        = "the log has every attempt"
	Whole      = "webhooks are complete, and encrypted with the active key"
	Room       = "an endpoint gets at most ten attempts at once"
	Runs       = "every run ends, or shows what it waits for"
	Repeated   = "a calculation that is repeated changes nothing"
	Named      = "a day that a request names is the day of that request only"
	Replays    = "a signed request is accepted only once"
	Neighbors  = "failing endpoints delay and repeat no webhooks of other organizations"
)

// Check finds every promise that a history breaks.
func Check(h *History) []Violation {
	c := newChecker(h)
	c.answers()
	c.businesses()
	c.workflows()
	c.documents()
	c.reviews()
	c.keys()
	c.events()
	c.days()
	c.repeated()
	c.namedDays()
	c.ordered()
	c.webhooks()
	c.crowds()
	c.runs()
	return c.found
}

type checker struct {
	h     *History
	found []Violation

	// Requests that were or may have been executed, by operation and subject, and by
	// operation and account.
	bySubject, byAccount map[[2]string]register
	eventsOf             map[string][]Event // by workflow
	eventsAbout          map[[2]string]int  // by type and subject
	workflowBy           map[string]Workflow
}

func newChecker(h *History) *checker {
	c := &checker{
		h: h, bySubject: map[[2]string]register{}, byAccount: map[[2]string]register{},
		eventsOf: map[string][]Event{}, eventsAbout: map[[2]string]int{}, workflowBy: map[string]Workflow{},
	}
	for _, o := range h.Ops {
		if o.may() {
			subject, account := [2]string{o.Operation, o.Subject}, [2]string{o.Operation, o.Account}
			c.bySubject[subject] = append(c.bySubject[subject], o)
			c.byAccount[account] = append(c.byAccount[account], o)
		}
	}
	for _, e := range h.Events {
		c.eventsOf[e.WorkflowID] = append(c.eventsOf[e.WorkflowID], e)
		c.eventsAbout[[2]string{e.Type, e.about()}]++
	}
	for _, w := range h.Workflows {
		c.workflowBy[w.ID] = w
	}
	return c
}

// about returns the id of the key or document in an event.
func (e Event) about() string {
	var fields struct {
		KeyID      string `json:"key_id"`
		DocumentID string `json:"required_document_id"`
	}
	_ = json.Unmarshal(e.Fields, &fields) // malformed fields have no id
	if fields.KeyID != "" {
		return e.Account + "/" + fields.KeyID
	}
	return fields.DocumentID
}

func (c *checker) violated(promise, format string, args ...any) {
	c.found = append(c.found, Violation{Promise: promise, What: fmt.Sprintf(format, args...)})
}

// answers checks the responses that clients got.
func (c *checker) answers() {
	for _, o := range c.h.Ops {
		if !o.Answered() && !o.Once {
			c.violated(Answered, "%s of %s, sent at %s, got no response in %d attempts", o.Operation, o.Subject, o.Start, o.Tries)
		}
		if o.Answered() && !expected(o) {
			c.violated(Answered, "%s of %s, sent at %s, was refused with %s", o.Operation, o.Subject, o.Start, o.Refusal)
		}
		if o.Operation == "replay" && o.done() {
			c.violated(Replays, "a copy of a request for %s was accepted at %s: %s", o.Subject, o.End, o.Value)
		}
	}
	for _, f := range c.h.Faulty {
		if !within(c.h.Lost, Span{f.At, f.At}) { // outcomes of open runs are lost with Temporal's data
			c.violated(Unblamed, "%s at %s: %s", f.Operation, f.At, f.Body)
		}
	}
	for _, line := range c.h.Panics {
		c.violated(NoPanic, "%s", line)
	}
}

// refusals are those that the load may get, by operation.
var refusals = map[string]string{
	"workflow.requiredDocument.calculate": "SYSTEM_RULE_VIOLATION/WORKFLOW_ENDED",
	"workflow.pricing.calculate":          "SYSTEM_RULE_VIOLATION/WORKFLOW_ENDED",
	"workflow.requiredDocument.update":    "SYSTEM_RULE_VIOLATION/INVALID_STATUS_CHANGE", // reviews checks it
	"account.recalculation.start":         "SYSTEM_RULE_VIOLATION/RECALCULATION_IN_PROGRESS",
	"webhook.key.create":                  "SYSTEM_RULE_VIOLATION/DAILY_LIMIT_EXCEEDED",
}

func expected(o Op) bool {
	return o.Refusal == "" || o.Field == renewal || o.Operation == "replay" && strings.HasPrefix(o.Refusal, "AUTH_") || o.Refusal == refusals[o.Operation]
}

func within(spans []Span, s Span) bool { return slices.ContainsFunc(spans, s.overlaps) }

// runs checks the runs that are still open, and the recalculations that were canceled.
func (c *checker) runs() {
	for _, o := range c.h.Ops {
		if o.Operation == "account.recalculation.get" && o.done() && o.Value == "RUNNING" {
			c.violated(Runs, "%s of %s was canceled, and is %s", o.Subject, o.Account, o.Value)
		}
	}
	for _, r := range c.h.Runs {
		if r.Reason == "" {
			c.violated(Runs, "%s (%s) is open since %s without a reason", r.ID, r.Type, r.Age)
		}
	}
}
