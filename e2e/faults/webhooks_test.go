package faults

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// endpoint is an endpoint as its client knows it.
type endpoint struct {
	id, account, sink string
	made              Span
	deleted           Span // begins at Forever if it was not deleted
	types, status     register
}

// allTypes stands for an endpoint that takes every type of event.
const allTypes = "*"

// takes reports whether an endpoint takes a type during a span: always, never, or neither.
func (e endpoint) takes(kind string, in Span) (always, never bool) {
	always, never = true, true
	for _, types := range e.types.possible(in.Start, in.End) {
		if types == allTypes || slices.Contains(strings.Split(types, " "), kind) {
			never = false
		} else {
			always = false
		}
	}
	return always, never
}

// endpoints returns the endpoints that clients have created. Value of the request is the
// sink, Field the types.
func (c *checker) endpoints() map[string]*endpoint {
	found := map[string]*endpoint{}
	for id, o := range c.made("webhook.config.create") {
		types, status := o, o
		types.Value, status.Value = o.Field, "ACTIVE"
		found[id] = &endpoint{
			id: id, account: o.Account, sink: o.Value, made: o.Span, deleted: Span{Forever, Forever},
			types: register{types}, status: register{status},
		}
	}
	for _, o := range c.h.Ops {
		e := found[o.Subject]
		switch {
		case e == nil || !o.may():
		case o.Operation == "webhook.config.delete":
			e.deleted = o.Span
		case o.Operation == "webhook.config.update" && o.Field == "event_types":
			e.types = append(e.types, o)
		case o.Operation == "webhook.config.update" && o.Field == "status":
			e.status = append(e.status, o)
		}
	}
	return found
}

// webhooks checks the deliveries, arrivals and attempts of every event.
func (c *checker) webhooks() {
	endpoints := c.endpoints()
	deliveries := map[[2]string]Delivery{} // by event and endpoint
	for _, d := range c.h.Deliveries {
		deliveries[[2]string{d.EventID, d.EndpointID}] = d
	}
	events, tests := map[string]Event{}, map[string]string{}
	for _, o := range c.h.Ops {
		if o.Operation == "webhook.config.test" && o.done() {
			tests[o.Value] = o.Subject
		}
	}
	for _, e := range c.h.Events {
		events[e.ID] = e
		at := c.causeOf(e)
		for _, to := range endpoints {
			if to.account == e.Account {
				_, is := deliveries[[2]string{e.ID, to.id}]
				c.hasDelivery(e, at, to, tests[e.ID], is)
			}
		}
	}
	arrivals := c.arrivals(endpoints, events, deliveries)
	attempts := map[string][]Attempt{}
	for _, a := range c.h.Attempts {
		attempts[a.DeliveryID] = append(attempts[a.DeliveryID], a)
	}
	for _, d := range c.h.Deliveries {
		to := endpoints[d.EndpointID]
		if to == nil {
			c.violated(Deliveries, "%s is for %s, which no client created", d.ID, d.EndpointID)
			continue
		}
		c.delivery(d, to, arrivals[d.ID], attempts[d.ID])
	}
}

// causeOf returns the span of the request that caused an event. It is as wide as necessary
// if the request is unknown.
func (c *checker) causeOf(e Event) Span {
	var asked register
	switch e.Type {
	case "WORKFLOW_CREATED", "WORKFLOW_STARTED":
		asked = c.about("workflow.create", e.WorkflowID)
	case "WORKFLOW_COMPLETED":
		asked = c.about("workflow.complete", e.WorkflowID)
	case "WORKFLOW_PRICING_CALCULATED":
		asked = c.about("workflow.pricing.calculate", e.WorkflowID)
	case "REQUIRED_DOCUMENTS_CALCULATED", "WORKFLOW_FINDINGS_CHANGED":
		asked = slices.Concat(c.about("workflow.requiredDocument.calculate", e.WorkflowID), c.byAccount[[2]string{recalculated, e.Account}])
	case "REQUIRED_DOCUMENT_UPDATED":
		asked = c.about("workflow.requiredDocument.update", e.about())
	case "WEBHOOK_KEY_ACTIVATED":
		_, key, _ := strings.Cut(e.about(), "/")
		for _, o := range c.about("webhook.key.activate", key) { // accounts have keys with the same ids
			if o.Account == e.Account {
				asked = append(asked, o)
			}
		}
	}
	if len(asked) == 0 {
		return Span{0, Forever}
	}
	cause := asked[0].Span
	for _, o := range asked {
		cause = Span{min(cause.Start, o.Start), max(cause.End, o.End)}
	}
	return cause
}

// hasDelivery checks that an event has a delivery to an endpoint if and only if it should.
func (c *checker) hasDelivery(e Event, at Span, to *endpoint, tested string, is bool) {
	if e.Type == "WEBHOOK_TEST" {
		if tested != "" && is != (tested == to.id) {
			c.violated(Deliveries, "the test %s of %s: whether it has a delivery to %s is %t", e.ID, tested, to.id, is)
		}
		return
	}
	always, never := to.takes(e.Type, at)
	switch {
	case !is && always && to.made.End < at.Start && at.End < to.deleted.Start:
		c.violated(Deliveries, "%s (%s) has no delivery to %s, which existed and takes it", e.ID, e.Type, to.id)
	case is && (never || to.deleted.End < at.Start):
		c.violated(Deliveries, "%s (%s) has a delivery to %s, which does not take it or was deleted", e.ID, e.Type, to.id)
	}
}

// arrivals groups arrivals by delivery, and checks each of them.
func (c *checker) arrivals(endpoints map[string]*endpoint, events map[string]Event, deliveries map[[2]string]Delivery) map[string][]Arrival {
	bySink := map[string]string{}
	for id, e := range endpoints {
		bySink[e.sink] = id
	}
	found := map[string][]Arrival{}
	for _, a := range c.h.Arrivals {
		if a.Wrong != "" {
			if a.Wrong != Stale || !within(c.h.Stepped, a.Span) {
				c.violated(Whole, "at %s, %s got an invalid webhook: %s", a.Start, a.Sink, a.Wrong)
			}
			if a.EventID == "" {
				continue
			}
		}
		e, known := events[a.EventID]
		d, is := deliveries[[2]string{a.EventID, bySink[a.Sink]}]
		if known && e.Sequence != a.Sequence {
			c.violated(Whole, "%s got %s with the sequence %d, not %d", a.Sink, a.EventID, a.Sequence, e.Sequence)
		}
		switch {
		case !known || e.Type != a.EventType || e.Account != a.Account:
			c.violated(Events, "%s got %s (%s), which never happened", a.Sink, a.EventID, a.EventType)
		case !is:
			c.violated(Deliveries, "%s got %s (%s), for which it has no delivery", a.Sink, a.EventID, a.EventType)
		default:
			found[d.ID] = append(found[d.ID], a)
		}
	}
	return found
}

// delivery compares the state of a delivery with its attempts, and the attempts with the
// arrivals.
func (c *checker) delivery(d Delivery, to *endpoint, arrived []Arrival, log []Attempt) {
	slices.SortFunc(log, func(a, b Attempt) int { return a.Number - b.Number })
	for i, a := range log {
		if a.Number != i+1 {
			c.violated(Log, "%s has no attempt %d", d.ID, i+1)
			break
		}
	}
	byNumber, times := map[int]Arrival{}, map[int]int{}
	for _, a := range arrived {
		if a.Retry < 0 || a.Retry >= len(log) {
			c.violated(Log, "%s arrived at %s as attempt %d, and %d are in the log", d.ID, a.Start, a.Retry+1, len(log))
		}
		// A reused connection that ends without an answer is repeated once, and the repeat decides.
		if times[a.Retry+1]++; times[a.Retry+1] > 2 {
			c.violated(Log, "attempt %d of %s arrived more than twice", a.Retry+1, d.ID)
		}
		if first, twice := byNumber[a.Retry+1]; !twice || a.Start > first.Start {
			byNumber[a.Retry+1] = a
		}
	}
	succeeded := false
	for _, a := range log {
		in, is := byNumber[a.Number]
		switch {
		case a.Outcome == "SENDING":
			c.violated(Log, "attempt %d of %s has no end", a.Number, d.ID)
		case a.Outcome == "SUCCEEDED" && (!is || in.Status/100 != 2):
			c.violated(Log, "attempt %d of %s is logged as a success, and the receiver answered %d", a.Number, d.ID, in.Status)
		}
		succeeded = succeeded || a.Outcome == "SUCCEEDED"
		c.started(d, a, to, in, is)
	}
	deleted := to.deleted.Start != Forever
	switch {
	case d.State == "DELIVERED" && !succeeded:
		c.violated(Deliveries, "%s is %s without a success in its log", d.ID, d.State)
	case d.State == "DELIVERED":
	case !deleted:
		c.violated(Deliveries, "%s of %s to %s is %s, and the endpoint is healthy", d.ID, d.EventID, d.EndpointID, d.State)
	case to.deleted.Answered() && d.State != "CANCELED" && d.State != "FAILED":
		c.violated(Deliveries, "%s is %s, and its endpoint is deleted", d.ID, d.State)
	}
}

// started checks whether an attempt was allowed, and its key. It ignores attempts with the
// time of a wrong clock.
func (c *checker) started(d Delivery, a Attempt, to *endpoint, in Arrival, arrived bool) {
	if a.StartedAt < 0 || a.StartedAt > c.h.Ended || arrived && in.Start < a.StartedAt {
		return
	}
	if a.StartedAt > to.deleted.End {
		c.violated(Deliveries, "attempt %d of %s was made at %s, after its endpoint was deleted", a.Number, d.ID, a.StartedAt)
	}
	until := a.StartedAt + attemptLife
	if arrived {
		until = in.Start
	}
	if !slices.Contains(to.status.possible(a.StartedAt, until), "ACTIVE") {
		c.violated(Deliveries, "attempt %d of %s was made at %s, while its endpoint was disabled", a.Number, d.ID, a.StartedAt)
	}
	if !arrived || in.KeyID == "" {
		return
	}
	if allowed := c.activations(to.account).possible(a.StartedAt, until); !slices.Contains(allowed, in.KeyID) {
		c.violated(Whole, "attempt %d of %s at %s is sealed with %s; the keys in force were %v", a.Number, d.ID, a.StartedAt, in.KeyID, allowed)
	}
}

// attemptLife is longer than any attempt takes.
const attemptLife = time.Minute

const roomOfAnEndpoint = 10

// crowds checks the number of concurrent attempts at each sink.
func (c *checker) crowds() {
	bySink := map[string][]Arrival{}
	for _, a := range c.h.Arrivals {
		bySink[a.Sink] = append(bySink[a.Sink], a)
	}
	for _, sink := range slices.Sorted(maps.Keys(bySink)) {
		if most, when := crowd(bySink[sink]); most > roomOfAnEndpoint {
			c.violated(Room, "%d attempts were at %s at once, at %s", most, sink, when)
		}
	}
}

// crowd returns the largest number of concurrent arrivals, and its time.
func crowd(arrivals []Arrival) (most int, when time.Duration) {
	type edge struct {
		at   time.Duration
		step int
	}
	var edges []edge
	for _, a := range arrivals {
		edges = append(edges, edge{a.Start, 1}, edge{a.End, -1})
	}
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.at, b.at), a.step-b.step) // an end comes before a start at the same time
	})
	now := 0
	for _, e := range edges {
		if now += e.step; now > most {
			most, when = now, e.at
		}
	}
	return most, when
}
