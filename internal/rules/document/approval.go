package document

import (
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// This file has approvals: what they depend on, and how long they are valid.

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

// Approval is what was approved or waived: the text, the identity and the values to which it is
// bound, at the last calculation. It stays until somebody changes the status or the evidence, or until it lapses. So a reopened
// document can be reinstated.
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
	// Version is the number of the version of the rules whose text was approved. It is zero for a
	// document with its own text.
	Version int `json:"version,omitempty"`
	// DecisionID is the decision that approved the document.
	DecisionID string `json:"decision_id,omitempty"`
}

// approve makes an approval of the document's text, identity and bound values.
func (d Document) approve(status Status, today, until fact.Date) *Approval {
	return &Approval{Status: status, Text: d.Text(), Identity: d.Identity, Bound: d.Bound, On: today, Version: d.Version, Until: untilOrNil(until)}
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
