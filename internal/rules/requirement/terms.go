package requirement

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
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
	MaxExplanationLength = 500
	MaxLegalBasisLength  = 1000
)

// Terms say when evidence suffices for a document, how long an approval is valid, and by when the
// document is due.
type Terms struct {
	// AnyOf has options. Evidence for any one of them suffices.
	AnyOf []DocumentOption `json:"any_of,omitempty"`
	// NotOlderThan limits the age of evidence. The last acceptable day is the one that completes
	// the period after the day of issue.
	NotOlderThan *fact.Period `json:"not_older_than,omitempty"`
	// MustBeValid requires that evidence has not expired.
	MustBeValid bool `json:"must_be_valid,omitzero"`
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

// DocumentOption is one kind of evidence that suffices. An option with NotOlderThan or MustBeValid
// has these terms in place of the rule's.
type DocumentOption struct {
	DocumentTypeCode string       `json:"document_type_code"`
	Name             string       `json:"name"`
	RequirementText  string       `json:"requirement_text,omitempty" minLength:"1" doc:"write what the evidence must show, or leave it out"`
	NotOlderThan     *fact.Period `json:"not_older_than,omitempty"`
	MustBeValid      *bool        `json:"must_be_valid,omitempty"`
}

// Hold says when a document holds up its application.
type Hold string

// The values of hold.
const (
	HoldWhenOpen    Hold = "WHEN_OPEN"
	HoldWhenOverdue Hold = "WHEN_OVERDUE"
)

// EvidenceTerms are the terms that evidence must meet.
type EvidenceTerms struct {
	NotOlderThan *fact.Period
	MustBeValid  bool
}

// For returns the terms that evidence for an option must meet.
func (t Terms) For(o DocumentOption) EvidenceTerms {
	if o.NotOlderThan == nil && o.MustBeValid == nil {
		return EvidenceTerms{t.NotOlderThan, t.MustBeValid}
	}
	return EvidenceTerms{o.NotOlderThan, o.MustBeValid != nil && *o.MustBeValid}
}

// Empty reports whether a rule states no terms.
func (t Terms) Empty() bool {
	return t.AnyOf == nil && t.NotOlderThan == nil && !t.MustBeValid && t.RenewAfter == nil && t.RemindBefore == nil &&
		t.DueWithin == nil && t.DueFrom == "" && t.Hold == "" && t.Explanation == ""
}

// endsByItself reports whether an approval is valid for a limited time.
func (t Terms) endsByItself() bool {
	return t.RenewAfter != nil || t.MustBeValid || slices.ContainsFunc(t.AnyOf, func(o DocumentOption) bool { return t.For(o).MustBeValid })
}

// validate returns what is wrong with the terms of a rule in a set with these declared facts.
func (t Terms) validate(path string, declared []fact.Declaration) []Problem {
	var problems []Problem
	add := func(field, format string, args ...any) {
		problems = append(problems, Problem{Path: path + "." + field, Message: fmt.Sprintf(format, args...)})
	}
	if n := len(t.AnyOf); t.AnyOf != nil && (n < MinOptions || n > MaxOptions) {
		add("any_of", "holds %d options; write %d to %d, or leave any_of out", n, MinOptions, MaxOptions)
	}
	first := map[string]int{}
	for i, o := range t.AnyOf[:min(len(t.AnyOf), MaxOptions)] {
		at := fmt.Sprintf("any_of[%d].", i)
		if message := codeProblem(o.DocumentTypeCode); message != "" {
			add(at+"document_type_code", "%s", message)
		} else if earlier, seen := first[o.DocumentTypeCode]; seen {
			add(at+"document_type_code", "%s is already any_of[%d]: write each option once", o.DocumentTypeCode, earlier)
		} else {
			first[o.DocumentTypeCode] = i
		}
		if message := textProblem(o.Name, MaxTextLength); message != "" {
			add(at+"name", "%s", message)
		}
		if message := textProblem(o.RequirementText, MaxTextLength); o.RequirementText != "" && message != "" {
			add(at+"requirement_text", "%s", message)
		}
	}
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

// DocumentText is the part of a document on which an approval depends.
type DocumentText struct {
	Name            string           `json:"name"`
	RequirementText string           `json:"requirement_text"`
	AnyOf           []DocumentOption `json:"any_of,omitempty" nullable:"false"`
	NotOlderThan    *fact.Period     `json:"not_older_than,omitempty"`
	MustBeValid     bool             `json:"must_be_valid,omitzero"`
}

// DocumentText is the text of the rule's documents.
func (doc DocumentRule) DocumentText() DocumentText {
	return DocumentText{doc.Name, doc.RequirementText, doc.AnyOf, doc.NotOlderThan, doc.MustBeValid}
}

// OptionTerms returns the terms with which evidence for an option is compared.
func (t DocumentText) OptionTerms(o DocumentOption) (notOlderThan *fact.Period, mustBeValid bool) {
	terms := Terms{NotOlderThan: t.NotOlderThan, MustBeValid: t.MustBeValid}.For(o)
	return terms.NotOlderThan, terms.MustBeValid
}

// Same reports whether two texts have the same requirements. Options may have any order, and a year
// equals 12 months.
func (t DocumentText) Same(other DocumentText) bool {
	return t.Name == other.Name && t.RequirementText == other.RequirementText && t.MustBeValid == other.MustBeValid &&
		samePeriod(t.NotOlderThan, other.NotOlderThan) && slices.EqualFunc(byCode(t.AnyOf), byCode(other.AnyOf), DocumentOption.same)
}

func (o DocumentOption) same(other DocumentOption) bool {
	return o.DocumentTypeCode == other.DocumentTypeCode && o.Name == other.Name && o.RequirementText == other.RequirementText &&
		samePeriod(o.NotOlderThan, other.NotOlderThan) && sameValue(o.MustBeValid, other.MustBeValid)
}

// Digest is equal for texts that are the Same, and different for others.
func (t DocumentText) Digest() string {
	t.NotOlderThan, t.AnyOf = canonical(t.NotOlderThan), byCode(t.AnyOf)
	for i := range t.AnyOf {
		t.AnyOf[i].NotOlderThan = canonical(t.AnyOf[i].NotOlderThan)
	}
	sum := sha256.Sum256(fact.CanonicalJSON(t))
	return base64.RawStdEncoding.EncodeToString(sum[:16])
}

func canonical(p *fact.Period) *fact.Period {
	if p == nil {
		return nil
	}
	return new(p.Canonical())
}

func byCode(options []DocumentOption) []DocumentOption {
	return slices.SortedFunc(slices.Values(options), func(a, b DocumentOption) int { return cmp.Compare(a.DocumentTypeCode, b.DocumentTypeCode) })
}

// Same compares all terms, including the order of the options, because they are shown.
func (t Terms) Same(other Terms) bool {
	return slices.EqualFunc(t.AnyOf, other.AnyOf, DocumentOption.same) && samePeriod(t.NotOlderThan, other.NotOlderThan) && t.MustBeValid == other.MustBeValid &&
		samePeriod(t.RenewAfter, other.RenewAfter) && samePeriod(t.RemindBefore, other.RemindBefore) && samePeriod(t.DueWithin, other.DueWithin) &&
		t.DueFrom == other.DueFrom && t.Hold == other.Hold && t.Explanation == other.Explanation
}

func samePeriod(a, b *fact.Period) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Canonical() == b.Canonical()
}

func sameValue[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
