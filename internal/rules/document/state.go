package document

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"requisite/internal/rules/fact"
)

// The states of a required document, and the changes between them. See docs/states.md.

// Status is the status of a required document.
type Status string

// The statuses of a required document. Inactive is set only by a recalculation
// that no longer requires the document.
const (
	Pending     Status = "PENDING"
	NeedsReview Status = "NEEDS_REVIEW"
	Completed   Status = "COMPLETED"
	Waived      Status = "WAIVED"
	Inactive    Status = "INACTIVE"
)

// Statuses lists all of them.
func Statuses() []Status { return []Status{Pending, NeedsReview, Completed, Waived, Inactive} }

// statusMoves are the changes of status that an update may make.
var statusMoves = map[Status][]Status{
	Pending:     {NeedsReview, Completed},
	NeedsReview: {Completed, Pending},
	Completed:   {Pending},
	Waived:      {Pending},
}

// Settable returns the statuses that an update may give to some document.
func Settable() []Status {
	return slices.DeleteFunc(Statuses(), func(to Status) bool {
		for _, moves := range statusMoves {
			if slices.Contains(moves, to) {
				return false
			}
		}
		return true
	})
}

// Moves returns the statuses to which an update may move a document.
func Moves(from Status) []Status { return slices.Clone(statusMoves[from]) }

// mayStay are the statuses that an update may keep, if it states something else.
var mayStay = []Status{Pending, NeedsReview}

// StatusError refuses a change between two statuses.
type StatusError struct{ From, To Status }

func (e *StatusError) Error() string {
	if e.From == Inactive {
		return fmt.Sprintf("a document that is %s cannot be moved to %s: only a calculation that requires it again restores it", e.From, e.To)
	}
	if e.From == e.To && e.From == Completed {
		return "a document that is COMPLETED is so already: state the evidence of a new approval, or another status"
	}
	if e.From == e.To && slices.Contains(mayStay, e.From) {
		return fmt.Sprintf("a document that is %s is so already: state evidence, reviewed_by or note, or another status", e.From)
	}
	if e.To == Waived && slices.Contains(mayStay, e.From) { // Waive would have been possible
		return "an update does not waive a document: call workflow.requiredDocument.waive, which states a reason"
	}
	if e.To == Waived {
		return fmt.Sprintf("a document that is %s cannot be waived; only one that is PENDING or NEEDS_REVIEW can", e.From)
	}
	names := make([]string, len(statusMoves[e.From]))
	for i, status := range statusMoves[e.From] {
		names[i] = string(status)
	}
	return fmt.Sprintf("a document that is %s cannot be moved to %s; it can be moved to %s", e.From, e.To, strings.Join(names, ", "))
}

// Review is what a reviewer states about a document.
type Review struct {
	Status Status
	// Evidence replaces the earlier evidence. Nil keeps it.
	Evidence         []Evidence
	ReviewedBy, Note string
}

// Update applies a reviewer's change on a day. Its error is a *StatusError or an *EvidenceError.
func (d Document) Update(r Review, today fact.Date) (Document, error) {
	if !d.mayBecome(r, today) {
		return d, &StatusError{From: d.Status, To: r.Status}
	}
	if r.Evidence != nil {
		d.Evidence, d.Approval = r.Evidence, nil // nobody has approved this evidence
	}
	d.ReviewedBy, d.ReviewNote = r.ReviewedBy, r.Note
	if r.Status == d.Status && r.Status != Completed {
		return d, nil
	}
	d.StatusReason, d.Approval = "", nil
	if r.Status == Completed {
		until, err := d.sufficient(today)
		if err != nil {
			return d, err
		}
		d.Approval = d.approve(Completed, today, until)
	}
	d.Status = r.Status
	return d, nil
}

// mayBecome reports whether an update may give the document a status. It may keep one if it states
// something. It renews an approval with new evidence, or one that has lapsed.
func (d Document) mayBecome(r Review, today fact.Date) bool {
	switch {
	case r.Status != d.Status:
		return slices.Contains(statusMoves[d.Status], r.Status)
	case d.Status == Completed:
		return r.Evidence != nil || d.Lapsed(today) != ""
	}
	says := r.Evidence != nil || r.ReviewedBy != "" || r.Note != ""
	return says && slices.Contains(mayStay, d.Status)
}

// Waive waives the document. Its error is a *StatusError.
func (d Document) Waive(today fact.Date) (Document, error) {
	if !d.Open() {
		return d, &StatusError{From: d.Status, To: Waived}
	}
	d.Status, d.StatusReason, d.Approval = Waived, "", d.approve(Waived, today, fact.Date{})
	return d, nil
}

// effectiveStatus is the status that counts: for an inactive document, the previous one.
func (d Document) effectiveStatus() Status {
	if d.Status == Inactive {
		return cmp.Or(d.PreviousStatus, Pending)
	}
	return d.Status
}

// requiredAgain is the document after a calculation that requires it, with the content of wanted.
// If it has an approval, the status depends on the approved text. Otherwise the status stays.
func (d Document) requiredAgain(wanted Document, seen Seen) Document {
	wanted.ID, wanted.Origin, wanted.Own, wanted.Notified = d.ID, d.Origin, d.Own, d.Notified
	wanted.Evidence, wanted.ReviewedBy, wanted.ReviewNote = d.Evidence, d.ReviewedBy, d.ReviewNote
	wanted.Status, wanted.StatusReason, wanted.Approval, wanted.DueSince = d.effectiveStatus(), d.StatusReason, d.Approval, d.DueSince
	if d.Origin == OriginManual {
		wanted.Bound = nil
	}
	restored := d.Status == Inactive
	if restored {
		wanted.DueSince = seen.AsOf
	}
	if wanted.Approval != nil {
		wanted = wanted.recheckApproval(restored, seen)
	}
	wanted.DueOn = wanted.DueDate(seen.Facts, wanted.DueSince)
	return wanted
}

// retired is the document after a calculation that does not require it.
func (d Document) retired() Document {
	d.PreviousStatus, d.Status = d.Status, Inactive
	return d
}
