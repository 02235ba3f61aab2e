package faults

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

// changed is what a decision changed. Documents that were kept are no change.
type changed struct {
	Added, Restored, Removed, Reopened, Reinstated, Carried []json.RawMessage
	Findings                                                json.RawMessage
}

func (c changed) documents() int {
	return len(c.Added) + len(c.Restored) + len(c.Removed) + len(c.Reopened) + len(c.Reinstated) + len(c.Carried)
}

// repeats tells whether a decision is a calculation with the facts, rules and day of the one directly before it.
func (d Decision) repeats(before Decision) bool {
	calculated := func(d Decision) bool { return d.Kind == "CALCULATION" && d.Outcome == "CALCULATED" }
	return calculated(before) && calculated(d) && d.WorkflowID == before.WorkflowID && d.Number == before.Number+1 &&
		d.Facts != "" && d.Facts == before.Facts && d.Version == before.Version && d.AsOf == before.AsOf
}

// eachRepeat passes each decision that repeats the one before it.
func (h *History) eachRepeat(see func(before, again Decision)) {
	decisions := slices.SortedFunc(slices.Values(h.Decisions), func(a, b Decision) int {
		return cmp.Or(cmp.Compare(a.WorkflowID, b.WorkflowID), cmp.Compare(a.Number, b.Number))
	})
	for i := 1; i < len(decisions); i++ {
		if decisions[i].repeats(decisions[i-1]) {
			see(decisions[i-1], decisions[i])
		}
	}
}

// repeated checks that a calculation with the same facts, rules and day as the one before it changes nothing.
func (c *checker) repeated() {
	events := map[string]string{} // by decision
	for _, e := range c.h.Events {
		var fields struct {
			DecisionID string `json:"decision_id"`
		}
		_ = json.Unmarshal(e.Fields, &fields) // malformed fields have no id
		if fields.DecisionID != "" {
			events[fields.DecisionID] = e.ID
		}
	}
	read := func(d Decision) (now changed) {
		if err := json.Unmarshal(d.Changes, &now); err != nil {
			c.violated(Repeated, "the changes of %s cannot be read: %s", d.ID, err)
		}
		return now
	}
	c.h.eachRepeat(func(before, again Decision) {
		was, is := read(before), read(again)
		if is.documents() > 0 || !bytes.Equal(was.Findings, is.Findings) {
			c.violated(Repeated, "%s repeats %s of %s, and changes %s", again.ID, before.ID, again.WorkflowID, again.Changes)
		}
		if event := events[again.ID]; event != "" {
			c.violated(Repeated, "%s repeats %s of %s, and has the event %s", again.ID, before.ID, again.WorkflowID, event)
		}
	})
	for _, r := range c.h.Repeats {
		if r.Before != r.After {
			c.violated(Repeated, "%s was calculated twice at rest, and had the documents %s, then %s", r.WorkflowID, r.Before, r.After)
		}
		if r.Events != 0 {
			c.violated(Repeated, "%s was calculated twice at rest, and %d events followed the second time", r.WorkflowID, r.Events)
		}
	}
}

// recalculated is the operation of the time in which a recalculation may calculate workflows of an account.
const recalculated = "recalculation"

// named is the field of a calculation whose request names its day, which is the value.
const named = "X-Sandbox-Today"

// namedDays checks that a day that a request names decides what that request does, and nothing else.
func (c *checker) namedDays() {
	decided := map[string][]string{} // the days that requests named, by workflow
	for _, d := range c.h.Decisions {
		account := c.workflowBy[d.WorkflowID].Account
		switch {
		case d.SandboxToday && d.Kind == "CALCULATION":
			decided[d.WorkflowID] = append(decided[d.WorkflowID], d.AsOf)
		case !d.SandboxToday && d.AsOf > c.h.Today[account]:
			c.violated(Named, "%s of %s is as of %s, which no request named, and the last day was %s", d.ID, d.WorkflowID, d.AsOf, c.h.Today[account])
		}
	}
	for _, w := range c.h.Workflows {
		may, done := map[string]int{}, map[string]int{}
		for _, o := range c.about("workflow.requiredDocument.calculate", w.ID) {
			if o.Field == named {
				may[o.Value]++
				if o.done() {
					done[o.Value]++
				}
			}
		}
		days := map[string]int{}
		for _, day := range decided[w.ID] {
			days[day]++
		}
		for day, n := range days {
			if n > may[day] {
				c.violated(Named, "%s was calculated %d times as of %s, which %d requests named", w.ID, n, day, may[day])
			}
		}
		for day, n := range done {
			if days[day] < n {
				c.violated(Named, "%s was calculated %d times as of %s, and %d requests that named it were acknowledged", w.ID, days[day], day, n)
			}
		}
	}
}

// persons checks that a document is required of each person on record, and of nobody else.
func (c *checker) persons(w Workflow, documents []Document) {
	var want, of []string
	for _, p := range c.h.Persons {
		if p.BusinessID == w.BusinessID {
			want = append(want, p.ID)
		}
	}
	for _, d := range documents {
		if d.Code == ofPerson && d.Status != "INACTIVE" {
			of = append(of, d.EntityID)
		}
	}
	slices.Sort(want)
	slices.Sort(of)
	if w.State != "ENDED" && !slices.Equal(want, of) {
		c.violated(Documents, "%s needs %s of %v, and the persons on record are %v", w.ID, ofPerson, of, want)
	}
}
