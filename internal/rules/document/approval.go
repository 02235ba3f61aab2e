package document

import (
	"maps"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// This file has approvals: what they depend on, how long they are valid, and what becomes of them
// when the document is required again.

// StatusReason says why a calculation or a day gave a document its status. A person's change has
// none.
type StatusReason string

// The reasons of a status.
const (
	TextChanged     StatusReason = "TEXT_CHANGED"
	IdentityChanged StatusReason = "IDENTITY_CHANGED"
	FactsChanged    StatusReason = "FACTS_CHANGED"
	Expired         StatusReason = "EXPIRED"
	RenewalDue      StatusReason = "RENEWAL_DUE"
)

// StatusReasons lists all of them.
func StatusReasons() []StatusReason {
	return []StatusReason{TextChanged, IdentityChanged, FactsChanged, Expired, RenewalDue}
}

// StatusCause is why a calculation, or the end of an approval, gave a document its status. It is
// empty if a reviewer did. It has no values.
type StatusCause struct {
	StatusReason StatusReason `json:"status_reason,omitempty" doc:"Why a calculation, or the end of its approval, gave it this status; absent where a reviewer did."`
	ChangedFacts []string     `json:"changed_facts,omitempty" nullable:"false" doc:"Of FACTS_CHANGED: the names in bound_to whose values differ from those that were approved. Absent where the evidence meets no option that is offered now."`
}

// Approval is what was approved or waived: the text, the identity and the values to which it is
// bound, at the last calculation. It stays until somebody changes the status or the evidence, or
// until it lapses. So a reopened document can be reinstated.
type Approval struct {
	Status   Status                   `json:"status"` // Completed or Waived
	Text     requirement.DocumentText `json:"text"`
	Identity requirement.Identity     `json:"identity"`
	// Bound has the digests of the values to which the approval is bound: see Document.Bound.
	Bound map[string]string `json:"bound,omitempty"`
	// On is the day of the approval, in the account's time zone.
	On fact.Date `json:"on"`
	// Until is the last day on which the evidence suffices. It is nil if the evidence always
	// suffices.
	Until *fact.Date `json:"until,omitempty"`
	// FirstUntil is Until on the day of the approval, if the approved options have conditions. Then a
	// calculation sets Until: see evidenceUntil.
	FirstUntil *fact.Date `json:"first_until,omitempty"`
	// Version is the number of the version of the rules whose text was approved. It is zero for a
	// document with its own text.
	Version int `json:"version,omitempty"`
	// DecisionID is the decision that approved the document.
	DecisionID string `json:"decision_id,omitempty"`
}

// approve makes an approval of the document's text, identity and bound values.
func (d Document) approve(status Status, today, until fact.Date) *Approval {
	approval := Approval{Status: status, Text: d.Text(), Identity: d.Identity, Bound: d.Bound, On: today, Version: d.Version, Until: untilOrNil(until)}
	if d.Published != nil {
		approval.FirstUntil = approval.Until
	}
	return &approval
}

func untilOrNil(until fact.Date) *fact.Date {
	if until.IsZero() {
		return nil
	}
	return &until
}

// ValidUntil is the last day on which the document's approval is valid. It is zero if there is no
// approval, or if only a person can end it.
func (d Document) ValidUntil() fact.Date {
	until, _ := d.ends()
	if d.Status != Completed {
		return fact.Date{}
	}
	return until
}

// ends returns the last valid day of the approval, and why it is the last.
func (d Document) ends() (until fact.Date, why StatusReason) {
	if d.Approval == nil || d.Approval.Status != Completed {
		return fact.Date{}, ""
	}
	if d.RenewAfter != nil {
		until, why = d.RenewAfter.After(d.Approval.On), RenewalDue
	}
	if e := d.Approval.Until; e != nil && (until.IsZero() || !until.Before(*e)) {
		until, why = *e, Expired
	}
	return until, why
}

// Lapsed says why the approval is no longer valid. It is empty while it is valid.
func (d Document) Lapsed(today fact.Date) StatusReason {
	if until, why := d.ends(); why != "" && until.Before(today) {
		return why
	}
	return ""
}

// recheckApproval gives the document the status that its approval has for the current requirement:
// the approved one while the approval is valid, or the one of reopened. A calculation does not end
// an approval that has lapsed with time. But a lapsed approval does not become valid again.
func (d Document) recheckApproval(restored bool, seen Seen) Document {
	approval, changed := d.checkApproval(seen)
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

// checkApproval returns why the document's approval is not valid for the current requirement. The
// reason is empty if it is valid. Then the returned approval also has the parts of the identity that
// became known after it. In any case it has the bound values that did, and its last day.
func (d Document) checkApproval(seen Seen) (approval Approval, changed StatusReason) {
	approval = *d.Approval
	approval.Until = d.evidenceUntil(approval)
	bound, sameBound := boundBy(approval.Bound, d.Bound)
	approval.Bound = bound
	sameText := approval.Text.Same(d.Text())
	if !sameText && !seen.KeptTexts.hold(d, approval) {
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
		sameDemands := sameText || approval.Text.SameDemands(d.Text())
		if !d.suffices(approval.On) && (sameDemands || d.withAllOptions().suffices(approval.On)) {
			return approval, FactsChanged
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

// evidenceUntil returns the last day on which the evidence of an approval suffices, or nil: for the
// options that are offered now, if the document demands what was approved and the evidence suffices
// for them; else for those that were offered on the day of the approval. So the calculations in
// between do not matter.
func (d Document) evidenceUntil(a Approval) *fact.Date {
	if a.Status != Completed || !a.Text.Terms().Conditional() {
		return a.Until
	}
	if a.Text.SameDemands(d.Text()) {
		if until, err := d.sufficient(a.On); err == nil {
			return untilOrNil(until)
		}
	}
	return a.FirstUntil
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
	if earlier.effectiveStatus() != Completed || earlier.Approval == nil {
		return d, false
	}
	for name := range d.Bound {
		if _, bound := earlier.Approval.Bound[name]; !bound {
			return d, false // the values of the approval are not known
		}
	}
	d.Evidence, d.Approval, d.Status = earlier.Evidence, earlier.Approval, Completed
	d = d.recheckApproval(true, seen)
	return d, d.Status == Completed
}
