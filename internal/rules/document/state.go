package document

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
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

// Origin says what requires a document.
type Origin string

// The origins of documents. A MANUAL document was required by a person, and no rule retires it.
const (
	OriginRule   Origin = "RULE"
	OriginManual Origin = "MANUAL"
)

// Origins lists both.
func Origins() []Origin { return []Origin{OriginRule, OriginManual} }

// Document is a stored required document. Document type code, entity type and entity identify it
// within a workflow.
type Document struct {
	ID               string
	DocumentTypeCode string
	Name             string
	Category         string
	RequirementText  string
	EntityType       string
	EntityID         string
	// Terms has the options that are offered, without their conditions.
	requirement.Terms
	// Published has the options as the rule states them. It is nil if no option has a condition.
	Published []requirement.DocumentOption
	Status    Status
	// PreviousStatus is the status that an inactive document had; empty otherwise.
	PreviousStatus Status
	// StatusReason says why a calculation or a day gave the document its status, or its previous
	// status. It is empty if a person set the status.
	StatusReason StatusReason
	Reasons      []DocumentReason
	// Version is the number of the version of the rules whose text it has. It is zero for a text of
	// its own.
	Version int
	Origin  Origin
	// Own is the text of an OriginManual document while no rule requires it.
	Own *ManualText
	// Identity is the identity of its entity at the last calculation.
	Identity requirement.Identity
	// Bound has the digests of the values that BoundTo names, at the last calculation. The digest of
	// an absent value is empty.
	Bound    map[string]string
	Approval *Approval
	// Evidence, ReviewedBy and ReviewNote come from the last update that stated them.
	Evidence               []Evidence
	ReviewedBy, ReviewNote string
	// DueSince is the day from which DueWithin counts, unless DueFrom names another day.
	DueSince fact.Date
	// DueOn is the last day on which an open document is due. It is zero if there is none.
	DueOn    fact.Date
	Notified Notified
}

// DocumentReason is a reason with the rule set version that gave it.
type DocumentReason struct {
	Rule      string                  `json:"rule"`
	VersionID string                  `json:"version_id,omitempty"` // empty for rules that are not published
	Message   string                  `json:"message"`
	Facts     requirement.ReasonFacts `json:"facts"`
}

// Open reports that somebody has to act.
func (d Document) Open() bool { return d.Status == Pending || d.Status == NeedsReview }

// Deadline is the last day on which the document is due. It is zero if the document is not open.
func (d Document) Deadline() fact.Date {
	if !d.Open() {
		return fact.Date{}
	}
	return d.DueOn
}

// ShownReason says why a calculation gave the document its status. It is empty for an inactive
// document, whose reason belongs to the remembered status.
func (d Document) ShownReason() StatusReason {
	if d.Status == Inactive {
		return ""
	}
	return d.StatusReason
}

// Overdue reports whether the deadline of a pending document has passed.
func (d Document) Overdue(today fact.Date) bool {
	return d.Status == Pending && !d.DueOn.IsZero() && d.DueOn.Before(today)
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

// ManualText is the text of a manual document.
type ManualText struct {
	Name            string       `json:"name"`
	Category        string       `json:"category"`
	RequirementText string       `json:"requirement_text"`
	Explanation     string       `json:"explanation,omitempty"`
	DueWithin       *fact.Period `json:"due_within,omitempty"`
	// Reason is why the document was required.
	Reason string `json:"reason"`
}

// manualRule takes the place of a rule in the reason of an OriginManual document.
const manualRule = "MANUAL"

// document makes a document with the text.
func (m ManualText) document(of key) Document {
	return Document{
		DocumentTypeCode: of.code, EntityType: of.entityType, EntityID: of.entityID,
		Name: m.Name, Category: m.Category, RequirementText: m.RequirementText, Terms: requirement.Terms{Explanation: m.Explanation, DueWithin: m.DueWithin},
		Reasons: []DocumentReason{{Rule: manualRule, Message: m.Reason, Facts: requirement.ReasonFacts{}}},
	}
}

// RequireManually makes an OriginManual document. d is a new document with only the id, the code
// and the entity set, or an inactive one, which keeps its evidence.
func (d Document) RequireManually(text ManualText, identity requirement.Identity, today fact.Date) Document {
	required := text.document(d.key())
	required.ID, required.Origin, required.Own, required.Status = d.ID, OriginManual, &text, Pending
	required.Identity, required.Evidence, required.ReviewedBy, required.ReviewNote = identity, d.Evidence, d.ReviewedBy, d.ReviewNote
	required.DueSince, required.Notified = today, d.Notified
	required.DueOn = required.DueDate(fact.Facts{}, today)
	return required
}

// VersionID is the version of the rules whose text the document has. It is empty for a text of its
// own.
func (d Document) VersionID() string {
	if len(d.Reasons) == 0 {
		return ""
	}
	return d.Reasons[0].VersionID
}

// standing is the status that counts: for an inactive document, the previous one.
func (d Document) standing() Status {
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
	wanted.Status, wanted.StatusReason, wanted.Approval, wanted.DueSince = d.standing(), d.StatusReason, d.Approval, d.DueSince
	if d.Origin == OriginManual {
		wanted.Bound = nil
	}
	restored := d.Status == Inactive
	if restored {
		wanted.DueSince = seen.AsOf
	}
	if wanted.Approval != nil {
		wanted = wanted.held(restored, seen)
	}
	wanted.DueOn = wanted.DueDate(seen.Facts, wanted.DueSince)
	return wanted
}

// held compares the document's approval with what it is required for now. A calculation does not end
// an approval that has lapsed with time. But a lapsed approval does not become valid again.
func (d Document) held(restored bool, seen Seen) Document {
	approval, changed := d.approvalNow(seen)
	now := d
	now.Approval = &approval
	lapsed := now.Lapsed(seen.AsOf)
	switch {
	case lapsed != "" && (restored || changed == "" && d.Status != approval.Status):
		d = d.withoutApproval(lapsed, seen.AsOf)
	case changed != "":
		d.Status, d.StatusReason, d.Approval = reopened[approval.Status], changed, &approval
	default:
		d.Status, d.StatusReason, d.Approval = approval.Status, "", &approval
	}
	return d
}

// approvalNow returns the document's approval with what it had not known before, and why it is not
// valid for what is required now. The reason is empty if it is valid.
func (d Document) approvalNow(seen Seen) (approval Approval, changed StatusReason) {
	approval = *d.Approval
	bound, sameBound := boundBy(approval.Bound, d.Bound)
	approval.Bound = bound
	sameText := approval.Text.Same(d.Text())
	if !sameText && !seen.Kept.hold(d, approval) {
		return approval, TextChanged
	}
	identity, same := approval.Identity.FilledBy(d.Identity)
	if !same {
		return approval, IdentityChanged
	}
	if !sameBound {
		return approval, FactsChanged
	}
	if d.Published != nil && approval.Status == Completed {
		until, err := d.sufficient(approval.On)
		if err != nil && (sameText || d.withAllOptions().suffices(approval.On)) {
			return approval, FactsChanged
		}
		if err == nil && sameText {
			approval.Until = untilOrNil(until)
		}
	}
	approval.Identity = identity
	return approval, ""
}

// withAllOptions is the document with all options, whatever their conditions. Evidence for an
// earlier text, whose approval is kept, may suffice for none of them.
func (d Document) withAllOptions() Document {
	d.AnyOf = d.Published
	return d
}

func (d Document) suffices(today fact.Date) bool {
	_, err := d.sufficient(today)
	return err == nil
}

// boundBy adds the digests of names that the approval has none of. It returns false if another
// digest differs.
func boundBy(approved, now map[string]string) (bound map[string]string, same bool) {
	bound, same = approved, true
	for name, digest := range now {
		then, known := approved[name]
		if known {
			same = same && then == digest
			continue
		}
		if len(bound) == len(approved) {
			bound = make(map[string]string, len(approved)+len(now))
			maps.Copy(bound, approved)
		}
		bound[name] = digest
	}
	return bound, same
}

// withoutApproval is the document after its approval has lapsed. Its time to complete starts again.
func (d Document) withoutApproval(lapsed StatusReason, today fact.Date) Document {
	d.Status, d.StatusReason, d.Approval, d.DueSince = Pending, lapsed, nil, today
	return d
}

// reopened has the new status of a document whose approval is no longer valid.
var reopened = map[Status]Status{Completed: NeedsReview, Waived: Pending}

// carriedFrom takes over the approval of a document of an earlier workflow. It returns false if the
// approval is not valid for the current requirement. A waiver is never taken over.
func (d Document) carriedFrom(earlier Document, seen Seen) (Document, bool) {
	if earlier.standing() != Completed || earlier.Approval == nil {
		return d, false
	}
	for name := range d.Bound {
		if _, bound := earlier.Approval.Bound[name]; !bound {
			return d, false // the values of the approval are not known
		}
	}
	d.Evidence, d.Approval, d.Status = earlier.Evidence, earlier.Approval, Completed
	d = d.held(true, seen)
	return d, d.Status == Completed
}

// retired is the document after a calculation that does not require it.
func (d Document) retired() Document {
	d.PreviousStatus, d.Status = d.Status, Inactive
	return d
}

// StatedTerms returns the terms of the document. It is nil if the document has none.
func (d Document) StatedTerms() *requirement.Terms {
	if d.Terms.Empty() {
		return nil
	}
	return &d.Terms
}

// Text is the text of the document.
func (d Document) Text() requirement.DocumentText {
	text := d.TextOf(d.Name, d.RequirementText)
	if d.Published != nil {
		text.AnyOf = d.Published
	}
	return text
}
