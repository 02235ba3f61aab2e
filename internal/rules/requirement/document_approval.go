package requirement

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"requisite/internal/rules/fact"
	"requisite/internal/text/names"
)

// Approvals: what they are bound to, and how long they are valid.

// Entity is what a document is required of.
type Entity struct{ Type, ID string }

// Identity says who the person or the business of a document is. A workflow has none.
type Identity struct {
	FirstName   string `json:"first_name,omitempty"`
	LastName    string `json:"last_name,omitempty"`
	DateOfBirth string `json:"date_of_birth,omitempty"`
	Citizenship string `json:"citizenship,omitempty"`
	LegalName   string `json:"legal_name,omitempty"`
}

// fields are what is compared. The two names of a person are one.
func (i Identity) fields() []string {
	return []string{i.FirstName + " " + i.LastName, i.DateOfBirth, i.Citizenship, i.LegalName}
}

// sameName compares names as people do: see folded.
func sameName(a, b string) bool { return a == b || folded(a) == folded(b) }

// folded is a name without what nobody reads in it: case, needless blanks, the form of accents, and
// invisible characters, which may stand between a letter and its accent.
func folded(name string) string {
	seen := strings.Map(func(r rune) rune {
		if names.Ignorable(r) {
			return -1
		}
		return r
	}, name)
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(strings.Join(strings.Fields(seen), " "))))
}

// PersonKey is the same for persons whose names and date of birth are the same.
func (i Identity) PersonKey() string {
	return folded(i.FirstName+" "+i.LastName) + "\n" + i.DateOfBirth
}

// Same reports whether two identities are the same in all fields.
func (i Identity) Same(other Identity) bool {
	return slices.EqualFunc(i.fields(), other.fields(), sameName)
}

// HoldsFor reports whether an approval of this identity is one of another: what was absent may have
// been filled.
func (i Identity) HoldsFor(now Identity) bool {
	_, same := i.filledBy(now)
	return same
}

// filledBy gives an identity that was approved the fields that were absent; false where
// another one is not the same. A person who had one name and has two is another one.
func (i Identity) filledBy(now Identity) (Identity, bool) {
	others := now.fields()
	for n, field := range i.fields() {
		if strings.TrimSpace(field) != "" && !sameName(field, others[n]) {
			return i, false
		}
	}
	if i.FirstName == "" && i.LastName == "" {
		i.FirstName, i.LastName = now.FirstName, now.LastName
	}
	i.DateOfBirth, i.Citizenship, i.LegalName = cmp.Or(i.DateOfBirth, now.DateOfBirth), cmp.Or(i.Citizenship, now.Citizenship), cmp.Or(i.LegalName, now.LegalName)
	return i, true
}

// StatusReason says why a calculation or a day, and no hand, gave a document its status.
type StatusReason string

// The reasons of a status.
const (
	TextChanged     StatusReason = "TEXT_CHANGED"
	IdentityChanged StatusReason = "IDENTITY_CHANGED"
	Expired         StatusReason = "EXPIRED"
	RenewalDue      StatusReason = "RENEWAL_DUE"
)

// StatusReasons lists all of them.
func StatusReasons() []StatusReason {
	return []StatusReason{TextChanged, IdentityChanged, Expired, RenewalDue}
}

// Approval is what was approved or waived: the text and the identity that the last
// calculation had seen. It is there until somebody changes the status or the evidence, or until it
// lapses. So one that was reopened can be reinstated.
type Approval struct {
	Status   Status       `json:"status"` // Completed or Waived
	Text     DocumentText `json:"text"`
	Identity Identity     `json:"identity"`
	// On is the day of the approval, in the account's time zone.
	On fact.Date `json:"on"`
	// Until is the last day on which the evidence suffices; nil where it always does.
	Until *fact.Date `json:"until,omitempty"`
	// Version is the number of the version of the rules whose text was approved; zero for a document's own text.
	Version int `json:"version,omitempty"`
	// DecisionID is the decision that approved.
	DecisionID string `json:"decision_id,omitempty"`
}

// approve binds an approval to what the document says now.
func (d Document) approve(status Status, today, until fact.Date) *Approval {
	approval := &Approval{Status: status, Text: d.Text(), Identity: d.Identity, On: today, Version: d.Version}
	if !until.IsZero() {
		approval.Until = &until
	}
	return approval
}

// ValidUntil is the last day on which the document's approval is valid; zero where it ends
// only by hand, and where there is none.
func (d Document) ValidUntil() fact.Date {
	until, _ := d.ends()
	if d.Status != Completed {
		return fact.Date{}
	}
	return until
}

// ends is the last valid day of the approval, and why it is the last.
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

// Lapsed says why the approval is no longer valid; empty while it is.
func (d Document) Lapsed(today fact.Date) StatusReason {
	if until, why := d.ends(); why != "" && until.Before(today) {
		return why
	}
	return ""
}
