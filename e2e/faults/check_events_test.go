package faults

import (
	"cmp"
	"encoding/json"
	"slices"
)

func (c *checker) countEvents(kind, workflow string) (n int) {
	for _, e := range c.eventsOf[workflow] {
		if e.Type == kind {
			n++
		}
	}
	return n
}

// events checks that each change has exactly one event.
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
			c.violated(Events, "%s was acknowledged and does not exist", o.Value)
		}
	}
}

// ordered checks that the events of a workflow are numbered 1, 2, 3, and that the event
// with the highest number has the current state of its record.
func (c *checker) ordered() {
	status := map[string]map[string]string{} // of documents, by workflow and id
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
		last := map[string]string{}
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
				if d.ID != "" && d.Status != "" { // an event that tells of a date leaves the status as it is
					last[d.ID] = d.Status
				}
			}
		}
		if state != w.State {
			c.violated(Ordered, "%s is %s, and %s by its events", w.ID, w.State, state)
		}
		for id, is := range status[w.ID] {
			if last[id] != is {
				c.violated(Ordered, "%s of %s is %s, and %q by its events", id, w.ID, is, last[id])
			}
		}
	}
}
