package faults

import (
	"cmp"
	"encoding/json"
	"slices"
)

// The fields of requests that the checks of documents leave out: a list whose documents nobody looks at, and the
// renewal of an approval, which the end of an application or a clock may refuse.
const (
	unread  = "unread"
	renewal = "renewal"
)

// days checks what days bring to documents: one event for each date of each approval, and a lapsed approval that is
// PENDING again unless its workflow has ended before. A request that names a day can let an approval lapse early, and its
// renewal can have the same date.
func (c *checker) days() {
	type told struct{ kind, document, date string }
	type once struct {
		told
		approval int
	}
	happened, before, approvals := map[told]bool{}, map[once]bool{}, map[string]int{}
	documents := map[string]Document{}
	for _, d := range c.h.Documents {
		documents[d.ID] = d
	}
	inOrder := slices.SortedStableFunc(slices.Values(c.h.Events), func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.WorkflowID, b.WorkflowID), cmp.Compare(a.Sequence, b.Sequence))
	})
	for _, e := range inOrder {
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
		case "REQUIRED_DOCUMENT_UPDATED":
			if err := json.Unmarshal(e.Fields, &fields); err == nil && fields.Status == "COMPLETED" {
				approvals[fields.ID]++
			}
			continue
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
		of := once{told: t}
		if e.Type != "REQUIRED_DOCUMENT_OVERDUE" {
			of.approval = approvals[fields.ID]
		}
		if before[of] {
			c.violated(Days, "%s was told for %s of %s more than once", e.Type, *date, fields.ID)
		}
		happened[t], before[of] = true, true
	}
	for _, d := range c.h.Documents {
		w := c.workflowBy[d.WorkflowID]
		today, open := c.h.Today[w.Account], w.State != "ENDED"
		switch {
		case d.Status == "PENDING" && d.DueOn != "" && d.DueOn < today && open:
			if !happened[told{"REQUIRED_DOCUMENT_OVERDUE", d.ID, d.DueOn}] {
				c.violated(Days, "%s was due on %s, and nothing was told by %s", d.ID, d.DueOn, today)
			}
		case d.Status == "COMPLETED" && d.ValidUntil != "" && d.ValidUntil < today && open:
			c.violated(Days, "%s was valid until %s, and is COMPLETED on %s", d.ID, d.ValidUntil, today)
		case d.Status == "COMPLETED" && d.ValidUntil != "" && d.ValidUntil < today:
			if !happened[told{"REQUIRED_DOCUMENT_EXPIRED", d.ID, d.ValidUntil}] {
				c.violated(Days, "%s of an ended workflow was valid until %s, and nothing was told by %s", d.ID, d.ValidUntil, today)
			}
		}
	}
}
