package faults

import "encoding/json"

// The fields of requests that the checks of documents leave out: a list whose documents nobody looks at, and the
// renewal of an approval, which the end of an application or a clock may refuse.
const (
	unread  = "unread"
	renewal = "renewal"
)

// days checks what days bring to documents: one event for each date, and a lapsed approval that is PENDING again
// unless its workflow has ended before.
func (c *checker) days() {
	type told struct{ kind, document, date string }
	times := map[told]int{}
	documents := map[string]Document{}
	for _, d := range c.h.Documents {
		documents[d.ID] = d
	}
	for _, e := range c.h.Events {
		var fields struct {
			ID         string `json:"required_document_id"`
			DueOn      string `json:"due_on"`
			ValidUntil string `json:"valid_until"`
			Status     string `json:"status"`
		}
		date := &fields.ValidUntil
		switch e.Type {
		case "REQUIRED_DOCUMENT_OVERDUE":
			date = &fields.DueOn
		case "REQUIRED_DOCUMENT_EXPIRING", "REQUIRED_DOCUMENT_EXPIRED":
		default:
			continue
		}
		if err := json.Unmarshal(e.Fields, &fields); err != nil || *date == "" {
			c.violated(Days, "%s cannot be read: %s", e.ID, e.Fields)
			continue
		}
		if _, there := documents[fields.ID]; !there {
			c.violated(Days, "%s is about %s, which does not exist", e.ID, fields.ID)
		}
		if last := c.h.Today[e.Account]; e.Type != "REQUIRED_DOCUMENT_EXPIRING" && *date >= last {
			c.violated(Days, "%s %s is about %s, and the last day was %s", e.Type, e.ID, *date, last)
		}
		t := told{e.Type, fields.ID, *date}
		if times[t]++; times[t] > 1 {
			c.violated(Days, "%s was told for %s of %s more than once", e.Type, *date, fields.ID)
		}
	}
	for _, d := range c.h.Documents {
		w := c.workflowBy[d.WorkflowID]
		today, open := c.h.Today[w.Account], w.State != "ENDED"
		switch {
		case d.Status == "PENDING" && d.DueOn != "" && d.DueOn < today && open:
			if times[told{"REQUIRED_DOCUMENT_OVERDUE", d.ID, d.DueOn}] == 0 {
				c.violated(Days, "%s was due on %s, and nothing was told by %s", d.ID, d.DueOn, today)
			}
		case d.Status == "COMPLETED" && d.ValidUntil != "" && d.ValidUntil < today && open:
			c.violated(Days, "%s was valid until %s, and is COMPLETED on %s", d.ID, d.ValidUntil, today)
		case d.Status == "COMPLETED" && d.ValidUntil != "" && d.ValidUntil < today:
			if times[told{"REQUIRED_DOCUMENT_EXPIRED", d.ID, d.ValidUntil}] == 0 {
				c.violated(Days, "%s of an ended workflow was valid until %s, and nothing was told by %s", d.ID, d.ValidUntil, today)
			}
		}
	}
}
