package requirement

import (
	"fmt"
	"slices"
	"strings"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file has the terms of documents: what is enough, for how long, and by when.

// Limits of the terms of a rule. Lengths are in characters.
const (
	MinOptions           = 2
	MaxOptions           = 20
	MaxParts             = 5 // of an option with all_of
	MaxBound             = 10
	MaxExplanationLength = 500
	MaxLegalBasisLength  = 1000
)

// MaxEvidence is how many entries of evidence a document may have.
const MaxEvidence = 20

// Terms say when evidence suffices for a document, how long an approval is valid, and by when the
// document is due.
type Terms struct {
	// AnyOf has options. Evidence for AtLeast of them suffices.
	AnyOf []DocumentOption `json:"any_of,omitempty"`
	// AtLeast is how many options are needed. Zero means one. If fewer options are offered, all of
	// them are needed.
	AtLeast int `json:"at_least,omitzero"`
	// NotOlderThan limits the age of evidence. The last acceptable day is the one that completes
	// the period after the day of issue.
	NotOlderThan *fact.Period `json:"not_older_than,omitempty"`
	// MustBeValid requires that evidence has not expired.
	MustBeValid bool `json:"must_be_valid,omitzero"`
	// ValidFor is for how long evidence must still be valid on the day of its approval.
	ValidFor *fact.Period `json:"valid_for,omitempty"`
	// ExpiredAtMost is how long ago evidence may have expired. The last acceptable day is the one
	// that completes the period after the last day of the evidence.
	ExpiredAtMost *fact.Period `json:"expired_at_most,omitempty"`
	// BoundTo has the names of what an approval depends on besides the text and the identity: see
	// fact.Table.Bindable. An approval of other values is no longer valid.
	BoundTo []string `json:"bound_to,omitempty"`
	// RenewAfter is how long an approval is valid.
	RenewAfter *fact.Period `json:"renew_after,omitempty"`
	// RemindBefore is how long before the end of an approval's validity a reminder is due.
	RemindBefore *fact.Period `json:"remind_before,omitempty"`
	// DueWithin is the time until the document is due. It counts from the day on which the document
	// was required, or from the date that DueFrom names.
	DueWithin *fact.Period `json:"due_within,omitempty"`
	DueFrom   string       `json:"due_from,omitempty" minLength:"1" doc:"write established_date or custom.NAME, or leave it out"`
	// Hold says when the open document holds up the application.
	Hold Hold `json:"hold,omitempty" minLength:"1" doc:"write WHEN_OPEN or WHEN_OVERDUE, or leave it out"`
	// Explanation is a text for the applicant.
	Explanation string `json:"explanation,omitempty" minLength:"1" doc:"write a text for the applicant, or leave it out"`
}

// Hold says when a document holds up its application.
type Hold string

// The values of hold.
const (
	HoldWhenOpen    Hold = "WHEN_OPEN"
	HoldWhenOverdue Hold = "WHEN_OVERDUE"
)

// Empty reports whether a rule states no terms.
func (t Terms) Empty() bool {
	return t.AnyOf == nil && t.AtLeast == 0 && t.Evidence() == (EvidenceTerms{}) && t.BoundTo == nil && t.RenewAfter == nil && t.RemindBefore == nil &&
		t.DueWithin == nil && t.DueFrom == "" && t.Hold == "" && t.Explanation == ""
}

// endsByItself reports whether an approval is valid for a limited time.
func (t Terms) endsByItself() bool {
	if t.RenewAfter != nil || t.Evidence().Expire() {
		return true
	}
	for _, o := range t.AnyOf {
		if slices.ContainsFunc(o.Parts(), func(p OptionPart) bool { return t.For(p).Expire() }) {
			return true
		}
	}
	return false
}

// validate returns what is wrong with the terms of a rule in a set with these declared facts.
func (t Terms) validate(path, entityType string, declared []fact.Declaration) []Problem {
	var problems []Problem
	add := func(field, format string, args ...any) {
		problems = append(problems, Problem{Path: path + "." + field, Message: fmt.Sprintf(format, args...)})
	}
	t.validateOptions(add)
	t.Evidence().validate("", add)
	t.validateBound(entityType, declared, add)
	if t.RemindBefore != nil && !t.endsByItself() {
		add("remind_before", "reminds of nothing, because an approval stays valid: add renew_after or must_be_valid, or leave remind_before out")
	}
	if t.DueFrom != "" {
		if t.DueWithin == nil {
			add("due_from", "says from when to count and not how long: add due_within")
		}
		if message := dueFromProblem(t.DueFrom, declared); message != "" {
			add("due_from", "%s", message)
		}
	}
	switch t.Hold {
	case "", HoldWhenOpen:
	case HoldWhenOverdue:
		if t.DueWithin == nil {
			add("hold", "a document without due_within is never overdue: add due_within, or write WHEN_OPEN")
		}
	default:
		add("hold",
			"%q is not WHEN_OPEN or WHEN_OVERDUE%s",
			rulefile.Clip(string(t.Hold)),
			rulefile.DidYouMean(string(t.Hold), []string{string(HoldWhenOpen), string(HoldWhenOverdue)}))
	}
	if message := textProblem(t.Explanation, MaxExplanationLength); t.Explanation != "" && message != "" {
		add("explanation", "%s", message)
	}
	return problems
}

// dueFromProblem returns why a name is not the name of a date of the business or the workflow.
func dueFromProblem(name string, declared []fact.Declaration) string {
	names := []string{establishedDate}
	for _, d := range declared {
		switch full := customPrefix + d.Name; {
		case full == name && d.Type != fact.DeclaredDate:
			return fmt.Sprintf("%s is of the type %s: name a DATE", name, d.Type)
		case full == name && d.EntityType == fact.EntityPerson:
			return name + " is a fact of persons: name a date of the Business or the Workflow"
		case d.Type == fact.DeclaredDate && d.EntityType != fact.EntityPerson:
			names = append(names, full)
		}
	}
	if slices.Contains(names, name) {
		return ""
	}
	return fmt.Sprintf(
		"%s is no date of the Business or the Workflow%s; those are %s",
		rulefile.Clip(name), rulefile.DidYouMean(name, names), strings.Join(names, ", "))
}

const (
	customPrefix    = "custom."
	establishedDate = "established_date"
)

// dueFrom is the date from which a document is due. It is zero if that date is not stored.
func (t Terms) dueFrom(f fact.Facts, since fact.Date) fact.Date {
	if t.DueFrom == "" {
		return since
	}
	if name, custom := strings.CutPrefix(t.DueFrom, customPrefix); custom {
		text, _ := f.Custom[name].Stated().(string)
		date, err := fact.ParseDate(text)
		if err != nil {
			return fact.Date{}
		}
		return date
	}
	if f.EstablishedDate == nil {
		return fact.Date{}
	}
	return *f.EstablishedDate
}

// DueDate is the last day on which a document is due. It is zero if there is none.
func (t Terms) DueDate(f fact.Facts, since fact.Date) fact.Date {
	if t.DueWithin == nil {
		return fact.Date{}
	}
	from := t.dueFrom(f, since)
	if from.IsZero() {
		return fact.Date{}
	}
	return t.DueWithin.After(from)
}

// Same compares all terms, including the order of the options, because they are shown.
func (t Terms) Same(other Terms) bool {
	return slices.EqualFunc(t.AnyOf, other.AnyOf, DocumentOption.same) && t.AtLeast == other.AtLeast && t.Evidence().same(other.Evidence()) &&
		slices.Equal(t.BoundTo, other.BoundTo) && samePeriod(t.RenewAfter, other.RenewAfter) && samePeriod(t.RemindBefore, other.RemindBefore) && samePeriod(t.DueWithin, other.DueWithin) &&
		t.DueFrom == other.DueFrom && t.Hold == other.Hold && t.Explanation == other.Explanation
}

func samePeriod(a, b *fact.Period) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Canonical() == b.Canonical()
}
