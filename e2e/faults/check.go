package faults

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Violation is a promise that was broken.
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

	// What was or may have been done, by operation and subject, and by operation
	// and account.
	bySubject, byAccount map[[2]string]register
	eventsOf             map[string][]Event // by workflow
	eventsAbout          map[[2]string]int  // by type and what their fields name
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

// about is the key or the document that an event names.
func (e Event) about() string {
	var fields struct {
		KeyID      string `json:"key_id"`
		DocumentID string `json:"required_document_id"`
	}
	_ = json.Unmarshal(e.Fields, &fields) // what cannot be read names nothing
	if fields.KeyID != "" {
		return e.Account + "/" + fields.KeyID
	}
	return fields.DocumentID
}

func (c *checker) violated(promise, format string, args ...any) {
	c.found = append(c.found, Violation{Promise: promise, What: fmt.Sprintf(format, args...)})
}

// answers checks what clients were told.
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
		if !within(c.h.Lost, Span{f.At, f.At}) { // the outcome of a run is lost with Temporal's data
			c.violated(Unblamed, "%s at %s: %s", f.Operation, f.At, f.Body)
		}
	}
	for _, line := range c.h.Panics {
		c.violated(NoPanic, "%s", line)
	}
}

// refusals are those that the load may meet, by operation.
var refusals = map[string]string{
	"workflow.requiredDocument.calculate": "SYSTEM_RULE_VIOLATION/WORKFLOW_ENDED",
	"workflow.pricing.calculate":          "SYSTEM_RULE_VIOLATION/WORKFLOW_ENDED",
	"workflow.requiredDocument.update":    "SYSTEM_RULE_VIOLATION/INVALID_STATUS_CHANGE", // which reviews looks at
	"webhook.key.create":                  "SYSTEM_RULE_VIOLATION/DAILY_LIMIT_EXCEEDED",
}

func expected(o Op) bool {
	return o.Refusal == "" || o.Operation == "replay" && strings.HasPrefix(o.Refusal, "AUTH_") || o.Refusal == refusals[o.Operation]
}

func within(spans []Span, s Span) bool { return slices.ContainsFunc(spans, s.overlaps) }

// factWrites are the revisions of a business.
func (c *checker) factWrites(business string) register {
	return slices.Concat(c.about("business.create", business), c.about("business.update", business))
}

func (c *checker) businesses() {
	made := c.made("business.create")
	tokens := map[string]string{}
	for _, b := range c.h.Businesses {
		delete(made, b.ID)
		token, number, _ := strings.Cut(b.Name, "/")
		if other, twice := tokens[token]; twice {
			c.violated(Once, "%s and %s were made by one request", other, b.ID)
		}
		tokens[token] = b.ID
		revision, err := strconv.Atoi(number)
		if err != nil || b.Established != day(revision) || len(b.Codes) != 1 || b.Codes[0] != class(revision) {
			c.violated(Facts, "%s is a mixture of revisions: %+v", b.ID, b)
			continue
		}
		if allowed := c.factWrites(b.ID).possible(c.h.Ended, c.h.Ended); !slices.Contains(allowed, number) {
			c.violated(Facts, "%s has revision %s; the last ones that were acknowledged are %v", b.ID, number, allowed)
		}
	}
	for id := range made {
		c.violated(Facts, "%s was acknowledged and is not there", id)
	}
	for _, o := range c.h.Ops {
		if o.Operation != "business.get" || !o.done() {
			continue
		}
		if allowed := c.factWrites(o.Subject).possible(o.Start, o.End); !slices.Contains(allowed, o.Value) {
			c.violated(Facts, "%s was read at %s with revision %s; it may have been %v", o.Subject, o.Start, o.Value, allowed)
		}
	}
}

// made is what clients were told that they have made, with the request.
func (c *checker) made(operation string) map[string]Op {
	made := map[string]Op{}
	for _, o := range c.h.Ops {
		if o.Operation == operation && o.done() {
			if _, twice := made[o.Subject]; twice {
				c.violated(Once, "two requests for %s were answered with %s", operation, o.Subject)
			}
			made[o.Subject] = o
		}
	}
	return made
}

func (c *checker) workflows() {
	made := c.made("workflow.create")
	perBusiness := map[string]int{}
	for _, w := range c.h.Workflows {
		delete(made, w.ID)
		perBusiness[w.BusinessID]++
		ends := c.about("workflow.complete", w.ID)
		switch {
		case w.State == "ENDED" && len(ends) == 0:
			c.violated(EndedStays, "%s has ended, and nobody asked for it", w.ID)
		case w.State != "ENDED" && slices.ContainsFunc(ends, Op.done):
			c.violated(Facts, "%s was acknowledged to have ended and is %s", w.ID, w.State)
		}
		c.ended(w, ends)
		c.priced(w)
	}
	for id := range made {
		c.violated(Facts, "%s was acknowledged and is not there", id)
	}
	asked := map[string]int{}
	for _, o := range c.h.Ops {
		if o.Operation == "workflow.create" && o.may() {
			asked[o.Value]++
		}
	}
	for business, n := range perBusiness {
		if n > asked[business] {
			c.violated(Once, "%d workflows of %s were made by %d requests", n, business, asked[business])
		}
	}
}

// ended looks for calculations that succeeded after the end was acknowledged.
func (c *checker) ended(w Workflow, ends []Op) {
	for _, end := range ends {
		if !end.done() {
			continue
		}
		for _, o := range slices.Concat(c.about("workflow.requiredDocument.calculate", w.ID), c.about("workflow.pricing.calculate", w.ID)) {
			if o.done() && o.Start > end.End {
				c.violated(EndedStays, "%s was ended at %s, and %s succeeded at %s", w.ID, end.End, o.Operation, o.End)
			}
		}
	}
}

func (c *checker) about(operation, subject string) register {
	return c.bySubject[[2]string{operation, subject}]
}

// lastDone is when the last of these began that was done before a moment; false
// when there is none.
func lastDone(ops []Op, before time.Duration) (began time.Duration, any bool) {
	for _, o := range ops {
		if o.done() && o.End < before {
			began, any = max(began, o.Start), true
		}
	}
	return began, any
}

func (c *checker) priced(w Workflow) {
	prices := c.about("workflow.pricing.calculate", w.ID)
	began, priced := lastDone(prices, c.h.Ended)
	switch {
	case w.Score == nil && priced:
		c.violated(Prices, "%s was acknowledged to be priced and has no score", w.ID)
	case w.Score != nil:
		allowed := c.factWrites(w.BusinessID).possible(began, c.h.Ended)
		if !slices.ContainsFunc(allowed, func(v string) bool { return score(number(v)) == *w.Score }) {
			c.violated(Prices, "%s has the score %v; the facts may have been of revisions %v", w.ID, *w.Score, allowed)
		}
	}
	if n := c.countEvents("WORKFLOW_PRICING_CALCULATED", w.ID); n < doneOf(prices) || n > len(prices) {
		c.violated(Once, "%s was priced by %d requests, of which %d were acknowledged, and %d events tell of it", w.ID, len(prices), doneOf(prices), n)
	}
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

func doneOf(ops []Op) (n int) {
	for _, o := range ops {
		if o.done() {
			n++
		}
	}
	return n
}

// documents checks what each calculation wrote.
func (c *checker) documents() {
	byWorkflow := map[string][]Document{}
	for _, d := range c.h.Documents {
		byWorkflow[d.WorkflowID] = append(byWorkflow[d.WorkflowID], d)
	}
	for _, w := range c.h.Workflows {
		c.documentsOf(w, byWorkflow[w.ID])
	}
	for _, o := range c.h.Ops { // what was read of them on the way
		if o.Operation == "workflow.requiredDocument.list" && o.done() {
			c.decided(o.Subject, o.Field, o.Value, o.Start, o.End)
		}
	}
}

const alwaysRequired = "BASE"

func (c *checker) documentsOf(w Workflow, documents []Document) {
	var base *Document
	for i, d := range documents {
		if d.Code == alwaysRequired {
			base = &documents[i]
		}
	}
	if base == nil {
		if len(documents) > 0 || slices.ContainsFunc(c.about("workflow.requiredDocument.calculate", w.ID), Op.done) {
			c.violated(Documents, "%s was calculated and lacks what is always required", w.ID)
		}
		return
	}
	c.decided(w.ID, base.Version, base.Established, c.h.Ended, c.h.Ended)
	revision := revisionOf(base.Established)
	required := map[string]bool{}
	for _, d := range documents {
		if d.Status == "INACTIVE" {
			continue
		}
		required[d.Code] = true
		if d.Established != base.Established || d.Version != base.Version {
			c.violated(Documents, "%s of %s was decided by %s under %s, and %s by %s under %s", d.Code, w.ID, d.Established, d.Version, base.Code, base.Established, base.Version)
		}
	}
	want := map[string]bool{alwaysRequired: true, "CLASS_" + class(revision): true}
	if !maps.Equal(required, want) {
		c.violated(Documents, "%s needs %v for revision %d, and has %v", w.ID, keysOf(want), revision, keysOf(required))
	}
	c.tally(w, documents)
}

func keysOf(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }

// decided compares the facts and the rules behind a workflow's documents, as
// they were seen in a look, with those that were in force since the last
// calculation that was acknowledged before.
func (c *checker) decided(workflow, version, established string, from, to time.Duration) {
	calculations := c.about("workflow.requiredDocument.calculate", workflow)
	began, calculated := lastDone(calculations, from)
	if established == "" {
		if calculated {
			c.violated(Documents, "%s was calculated before %s and had no documents", workflow, from)
		}
		return
	}
	w := c.workflowBy[workflow]
	revision := strconv.Itoa(revisionOf(established))
	if allowed := c.factWrites(w.BusinessID).possible(began, to); !slices.Contains(allowed, revision) {
		c.violated(Documents, "%s had documents for revision %s at %s; the facts may have been of %v since the last calculation", workflow, revision, from, allowed)
	}
	rules := c.byAccount[[2]string{"account.documentRules.publish", w.Account}]
	if allowed := rules.possible(began, to); !slices.Contains(allowed, version) {
		c.violated(Documents, "%s had documents under rules %s at %s; those in force may have been %v since the last calculation", workflow, version, from, allowed)
	}
}

// tally compares documents with their events, in whatever order those happened.
func (c *checker) tally(w Workflow, documents []Document) {
	type change struct {
		ID string `json:"required_document_id"`
	}
	added, active := map[string]int{}, map[string]int{}
	for _, e := range c.eventsOf[w.ID] {
		if e.Type != "REQUIRED_DOCUMENTS_CALCULATED" {
			continue
		}
		var told struct{ Added, Restored, Removed []change }
		if err := json.Unmarshal(e.Fields, &told); err != nil {
			c.violated(Events, "%s cannot be read: %s", e.ID, err)
		}
		for _, d := range told.Added {
			added[d.ID]++
			active[d.ID]++
		}
		for _, d := range told.Restored {
			active[d.ID]++
		}
		for _, d := range told.Removed {
			active[d.ID]--
		}
	}
	for _, d := range documents {
		want := 1
		if d.Status == "INACTIVE" {
			want = 0
		}
		if added[d.ID] != 1 || active[d.ID] != want {
			c.violated(Events, "%s (%s of %s) is %s; events tell that it was added %d times and leave it required %d times", d.ID, d.Code, w.ID, d.Status, added[d.ID], active[d.ID])
		}
		delete(added, d.ID)
	}
	for id := range added {
		c.violated(Events, "an event of %s tells of %s, which is not there", w.ID, id)
	}
}

// reviews looks at the documents whose status one client moves.
func (c *checker) reviews() {
	status := map[string]string{}
	for _, d := range c.h.Documents {
		status[d.ID] = d.Status
	}
	moves := map[string]register{}
	for _, o := range c.h.Ops {
		if o.Operation != "workflow.requiredDocument.update" {
			continue
		}
		if o.Refusal != "" {
			c.violated(Facts, "the move of %s to %s was refused with %s: the one before it is not there", o.Subject, o.Value, o.Refusal)
		} else if o.Refusal == "" {
			moves[o.Subject] = append(moves[o.Subject], o)
		}
	}
	for id, made := range moves {
		if allowed := made.possible(c.h.Ended, c.h.Ended); !slices.Contains(allowed, status[id]) {
			c.violated(Facts, "%s was acknowledged to be %v and is %s", id, allowed, status[id])
		}
		told := c.eventsAbout[[2]string{"REQUIRED_DOCUMENT_UPDATED", id}]
		if told < doneOf(made) || told > len(made) {
			c.violated(Once, "%s was moved by %d requests, of which %d were acknowledged, and %d events tell of it", id, len(made), doneOf(made), told)
		}
	}
}

const keysADay = 100

func (c *checker) keys() {
	type named struct{ account, id string }
	type daily struct{ account, day string }
	rows, active, perDay := map[named]Key{}, map[string]string{}, map[daily]int{}
	for _, k := range c.h.Keys {
		rows[named{k.Account, k.KeyID}] = k
		if perDay[daily{k.Account, k.Day}]++; perDay[daily{k.Account, k.Day}] == keysADay+1 {
			c.violated(Keys, "%s has more than %d keys of %s", k.Account, keysADay, k.Day)
		}
		if k.Status != "ACTIVE" {
			continue
		}
		if other, twice := active[k.Account]; twice {
			c.violated(Keys, "%s and %s of %s are both active", other, k.KeyID, k.Account)
		}
		active[k.Account] = k.KeyID
	}
	shown := map[Shown]bool{}
	for _, s := range c.h.Shown {
		if shown[s] {
			c.violated(Keys, "the secret of %s of %s was shown twice", s.KeyID, s.Account)
		}
		shown[s] = true
	}
	open, made := map[string]int{}, map[named]bool{}
	for _, o := range c.h.Ops {
		if o.Operation != "webhook.key.create" {
			continue
		}
		key := named{o.Account, o.Value}
		switch {
		case strings.HasSuffix(o.Refusal, "DAILY_LIMIT_EXCEEDED"):
			full := false
			for d, n := range perDay {
				full = full || d.account == o.Account && n >= keysADay
			}
			if !full {
				c.violated(Keys, "%s was refused a key at %s and had no %d of one day", o.Account, o.End, keysADay)
			}
		case o.Refusal != "":
		case !o.Answered():
			open[o.Account]++
		case made[key]:
			c.violated(Once, "two requests were answered with %s of %s", o.Value, o.Account)
		case rows[key].KeyID == "":
			c.violated(Facts, "%s of %s was acknowledged and is not there", o.Value, o.Account)
		default:
			made[key] = true
		}
	}
	for key := range rows {
		if !made[key] {
			if open[key.account]--; open[key.account] < 0 {
				c.violated(Once, "no request made %s of %s", key.id, key.account)
			}
		}
	}
	for account, current := range active {
		if allowed := c.activations(account).possible(c.h.Ended, c.h.Ended); !slices.Contains(allowed, current) {
			c.violated(Keys, "%s of %s is active; the last that were activated are %v", current, account, allowed)
		}
	}
	for _, o := range c.h.Ops {
		if o.Operation != "webhook.key.activate" || !o.done() {
			continue
		}
		if active[o.Account] == "" {
			c.violated(Keys, "%s was activated for %s, which has no active key", o.Subject, o.Account)
		}
		if !rows[named{o.Account, o.Subject}].Activated {
			c.violated(Facts, "%s of %s was acknowledged to be activated and never was", o.Subject, o.Account)
		}
	}
	for key, row := range rows {
		told := c.eventsAbout[[2]string{"WEBHOOK_KEY_ACTIVATED", key.account + "/" + key.id}]
		if row.Activated && told != 1 || !row.Activated && told != 0 {
			c.violated(Events, "%s of %s: activated is %t, and %d events tell of it", key.id, key.account, row.Activated, told)
		}
	}
}

func (c *checker) activations(account string) register {
	return c.byAccount[[2]string{"webhook.key.activate", account}]
}

func (c *checker) countEvents(kind, workflow string) (n int) {
	for _, e := range c.eventsOf[workflow] {
		if e.Type == kind {
			n++
		}
	}
	return n
}

// events checks that each change of state has one event.
func (c *checker) events() {
	known := map[string]bool{}
	for _, e := range c.h.Events {
		known[e.ID] = true
	}
	for _, w := range c.h.Workflows {
		want := map[string]int{"WORKFLOW_CREATED": 1, "WORKFLOW_STARTED": 1, "WORKFLOW_COMPLETED": 0}
		if w.State == "ENDED" {
			want["WORKFLOW_COMPLETED"] = 1
		}
		for kind, n := range want {
			if got := c.countEvents(kind, w.ID); got != n {
				c.violated(Events, "%s is %s and has %d events %s", w.ID, w.State, got, kind)
			}
		}
	}
	for _, o := range c.h.Ops {
		if o.Operation == "webhook.config.test" && o.done() && !known[o.Value] {
			c.violated(Events, "%s was acknowledged and is not there", o.Value)
		}
	}
}

// ordered checks that the events of a workflow are numbered 1, 2, 3, and that who
// takes the highest number for each record has the states on record.
func (c *checker) ordered() {
	status := map[string]map[string]string{} // of documents, by workflow
	for _, d := range c.h.Documents {
		if status[d.WorkflowID] == nil {
			status[d.WorkflowID] = map[string]string{}
		}
		status[d.WorkflowID][d.ID] = d.Status
	}
	type stated struct {
		ID     string `json:"required_document_id"`
		Status string `json:"status"`
	}
	for _, w := range c.h.Workflows {
		events := slices.SortedFunc(slices.Values(c.eventsOf[w.ID]), func(a, b Event) int { return cmp.Compare(a.Sequence, b.Sequence) })
		var state string
		told := map[string]string{}
		for i, e := range events {
			if e.Sequence != int64(i+1) {
				c.violated(Ordered, "%s of %s has the sequence %d, after %d others", e.ID, w.ID, e.Sequence, i)
			}
			var fields struct {
				stated
				State                          string
				Added, Kept, Restored, Removed []stated
			}
			if err := json.Unmarshal(e.Fields, &fields); err != nil {
				c.violated(Events, "%s cannot be read: %s", e.ID, err)
			}
			if fields.State != "" {
				state = fields.State
			}
			for _, d := range slices.Concat(fields.Added, fields.Kept, fields.Restored, fields.Removed, []stated{fields.stated}) {
				if d.ID != "" {
					told[d.ID] = d.Status
				}
			}
		}
		if state != w.State {
			c.violated(Ordered, "%s is %s, and its events leave it %s", w.ID, w.State, state)
		}
		for id, is := range status[w.ID] {
			if told[id] != is {
				c.violated(Ordered, "%s of %s is %s, and the events leave it %q", id, w.ID, is, told[id])
			}
		}
	}
}

// runs checks which runs Temporal still has open.
func (c *checker) runs() {
	for _, r := range c.h.Runs {
		if r.Reason == "" {
			c.violated(Runs, "%s (%s) is open since %s, and nothing says why", r.ID, r.Type, r.Age)
		}
	}
}
