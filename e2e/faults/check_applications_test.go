package faults

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// factWrites returns the writes of a business's revisions.
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
		c.violated(Facts, "%s was acknowledged and does not exist", id)
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

// made returns the records that clients have created, with their requests.
func (c *checker) made(operation string) map[string]Op {
	made := map[string]Op{}
	for _, o := range c.h.Ops {
		if o.Operation == operation && o.done() {
			if _, twice := made[o.Subject]; twice {
				c.violated(Once, "two requests of %s returned %s", operation, o.Subject)
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
			c.violated(EndedStays, "%s has ended without a request", w.ID)
		case w.State != "ENDED" && slices.ContainsFunc(ends, Op.done):
			c.violated(Facts, "%s was acknowledged to have ended and is %s", w.ID, w.State)
		}
		c.ended(w, ends)
		c.priced(w)
	}
	for id := range made {
		c.violated(Facts, "%s was acknowledged and does not exist", id)
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

// ended finds calculations that succeeded after the acknowledged end of their workflow.
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

// lastDone returns when the last request began that was done before a time; false if there
// is none.
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
		c.violated(Once, "%s was priced by %d requests, of which %d were acknowledged, and there are %d events", w.ID, len(prices), doneOf(prices), n)
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

// documents checks the result of each calculation.
func (c *checker) documents() {
	byWorkflow := map[string][]Document{}
	for _, d := range c.h.Documents {
		byWorkflow[d.WorkflowID] = append(byWorkflow[d.WorkflowID], d)
	}
	for _, w := range c.h.Workflows {
		c.documentsOf(w, byWorkflow[w.ID])
	}
	for _, o := range c.h.Ops { // the documents that clients read
		if o.Operation == "workflow.requiredDocument.list" && o.Field != unread && o.done() {
			c.decided(o.Subject, o.Field, o.Value, o.Start, o.End)
		}
	}
}

// The documents of every application: one that reviewers move, one that is overdue at once, and one whose
// approval expires. Each person has one, too.
const (
	alwaysRequired = "BASE"
	due            = "DUE"
	expiring       = "EXPIRING"
	ofPerson       = "PERSON"
)

func (c *checker) documentsOf(w Workflow, documents []Document) {
	var base *Document
	for i, d := range documents {
		if d.Code == alwaysRequired {
			base = &documents[i]
		}
	}
	if base == nil {
		if len(documents) > 0 || slices.ContainsFunc(c.about("workflow.requiredDocument.calculate", w.ID), Op.done) {
			c.violated(Documents, "%s was calculated and lacks the document that is always required", w.ID)
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
		if d.Code != ofPerson {
			required[d.Code] = true
		}
		if d.Established != base.Established || d.Version != base.Version {
			c.violated(Documents, "%s of %s was decided by %s under %s, and %s by %s under %s", d.Code, w.ID, d.Established, d.Version, base.Code, base.Established, base.Version)
		}
	}
	want := map[string]bool{alwaysRequired: true, due: true, expiring: true, "CLASS_" + class(revision): true}
	if !maps.Equal(required, want) {
		c.violated(Documents, "%s needs %v for revision %d, and has %v", w.ID, keysOf(want), revision, keysOf(required))
	}
	c.persons(w, documents)
	c.tally(w, documents)
}

func keysOf(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }

// decided checks documents that a client read. Their facts and rules must have been in
// force since the last calculation that was acknowledged before the read.
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

// tally compares documents with the number of their events.
func (c *checker) tally(w Workflow, documents []Document) {
	type change struct {
		ID string `json:"required_document_id"`
	}
	added, active := map[string]int{}, map[string]int{}
	for _, e := range c.eventsOf[w.ID] {
		if e.Type != "REQUIRED_DOCUMENTS_CALCULATED" {
			continue
		}
		var changes struct{ Added, Restored, Removed []change }
		if err := json.Unmarshal(e.Fields, &changes); err != nil {
			c.violated(Events, "%s cannot be read: %s", e.ID, err)
		}
		for _, d := range changes.Added {
			added[d.ID]++
			active[d.ID]++
		}
		for _, d := range changes.Restored {
			active[d.ID]++
		}
		for _, d := range changes.Removed {
			active[d.ID]--
		}
	}
	for _, d := range documents {
		want := 1
		if d.Status == "INACTIVE" {
			want = 0
		}
		if added[d.ID] != 1 || active[d.ID] != want {
			c.violated(Events, "%s (%s of %s) is %s; by its events it was added %d times, and is required %d times", d.ID, d.Code, w.ID, d.Status, added[d.ID], active[d.ID])
		}
		delete(added, d.ID)
	}
	for id := range added {
		c.violated(Events, "an event of %s names %s, which does not exist", w.ID, id)
	}
}

// reviews checks the documents whose status a client changes.
func (c *checker) reviews() {
	status := map[string]string{}
	for _, d := range c.h.Documents {
		status[d.ID] = d.Status
	}
	moves := map[string]register{}
	for _, o := range c.h.Ops {
		if o.Operation != "workflow.requiredDocument.update" || o.Field == renewal {
			continue
		}
		if o.Refusal != "" {
			c.violated(Facts, "the change of %s to %s was refused with %s: the change before it is lost", o.Subject, o.Value, o.Refusal)
		} else if o.Refusal == "" {
			moves[o.Subject] = append(moves[o.Subject], o)
		}
	}
	for id, made := range moves {
		allowed := made.possible(c.h.Ended, c.h.Ended)
		if slices.Contains(allowed, "COMPLETED") { // a calculation has seen another text or name since
			allowed = append(allowed, "NEEDS_REVIEW")
		}
		if !slices.Contains(allowed, status[id]) {
			c.violated(Facts, "%s was acknowledged to be %v and is %s", id, allowed, status[id])
		}
		events := c.eventsAbout[[2]string{"REQUIRED_DOCUMENT_UPDATED", id}]
		if events < doneOf(made) || events > len(made) {
			c.violated(Once, "%s was changed by %d requests, of which %d were acknowledged, and there are %d events", id, len(made), doneOf(made), events)
		}
	}
}
