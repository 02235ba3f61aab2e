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

// The promises, by the names under which docs/reliability.md explains them.
const (
	Answered   = "every request is answered in the end"
	Unblamed   = "an outage is told as an outage"
	NoPanic    = "no program panics"
	Facts      = "every acknowledged write is there"
	Once       = "what is asked for once is done once"
	Documents  = "no document for facts that were not"
	EndedStays = "what has ended stays so"
	Prices     = "a score is of facts that were"
	Keys       = "a hundred keys a day, each shown once, one active"
	Events     = "an event with every change, and none without"
	Ordered    = "the events of a workflow are numbered without gaps, in the order of its changes"
	Deliveries = "every event at each endpoint at least once"
	Log        = "every attempt is in the log"
	Whole      = "what arrives is whole, and sealed with the key in force"
	Room       = "ten at once at an endpoint"
	Runs       = "every run ends, or is pending with a reason"
	Replays    = "a signed request is accepted once"
	Neighbors  = "trouble of some organizations' endpoints delays and repeats no other one's webhooks"
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
			c.violated(Answered, "%s of %s, asked for at %s, was tried %d times", o.Operation, o.Subject, o.Start, o.Tries)
		}
		if o.Answered() && !expected(o) {
			c.violated(Answered, "%s of %s, asked for at %s, was refused with %s", o.Operation, o.Subject, o.Start, o.Refusal)
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
	"webhook.key.create":                  "SYSTEM_RULE_VIOLATION/DAILY_LIMIT_EXCEEDED",
}

func expected(o Op) bool {
	return o.Refusal == "" || o.Operation == "replay" && strings.HasPrefix(o.Refusal, "AUTH_") || o.Refusal == refusals[o.Operation]
}

func within(spans []Span, s Span) bool { return slices.ContainsFunc(spans, s.overlaps) }

// runs checks the runs that are still open.
func (c *checker) runs() {
	for _, r := range c.h.Runs {
		if r.Reason == "" {
			c.violated(Runs, "%s (%s) is open since %s, and nothing says why", r.ID, r.Type, r.Age)
		}
	}
}
