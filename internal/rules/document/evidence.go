package document

import (
	"fmt"
	"slices"
	"strings"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// This file decides whether evidence suffices for a document, and until when.

// MaxEvidence is how many entries of evidence a document may have.
const MaxEvidence = 20

// Evidence is what a reviewer states about one piece of evidence. The service stores no files:
// Reference is the caller's name of the file.
type Evidence struct {
	DocumentTypeCode string     `json:"document_type_code,omitempty" pattern:"^[A-Z0-9_]{1,64}$" patternDescription:"1 to 64 of A-Z, 0-9 and _" doc:"With any_of, the code of the option; else the document's own, or absent."`
	Reference        string     `json:"reference,omitempty" maxLength:"200" pattern:"\\S" patternDescription:"a text that is not blank" doc:"Your own name of the file: the service keeps no files. No event carries it."`
	IssuedOn         *fact.Date `json:"issued_on,omitempty" format:"date" doc:"Not after today in the account's time zone."`
	ExpiresOn        *fact.Date `json:"expires_on,omitempty" format:"date" doc:"The last day on which it is valid; not before issued_on."`
}

// EvidenceCode says why evidence does not suffice.
type EvidenceCode string

// The reasons why evidence does not suffice.
const (
	EvidenceRequired EvidenceCode = "EVIDENCE_REQUIRED"
	EvidenceTooOld   EvidenceCode = "EVIDENCE_TOO_OLD"
	EvidenceExpired  EvidenceCode = "EVIDENCE_EXPIRED"
)

// EvidenceProblem is about one field of the evidence, such as evidence[0].issued_on.
type EvidenceProblem struct{ Field, Message string }

// EvidenceError refuses to complete a document, because no entry of its evidence suffices.
type EvidenceError struct {
	Code    EvidenceCode
	Details []EvidenceProblem
}

func (e *EvidenceError) Error() string {
	return map[EvidenceCode]string{
		EvidenceRequired: "the document cannot be completed without evidence that states what its requirement asks for",
		EvidenceTooOld:   "the evidence is older than the requirement allows",
		EvidenceExpired:  "the evidence has expired",
	}[e.Code]
}

// codes returns the document type codes that evidence may have.
func (d Document) codes() []string {
	if len(d.AnyOf) == 0 {
		return []string{d.DocumentTypeCode}
	}
	codes := make([]string, len(d.AnyOf))
	for i, o := range d.AnyOf {
		codes[i] = o.DocumentTypeCode
	}
	return codes
}

// Misstated returns problems of evidence that no review may have: a code that is not an option, and
// a date of issue after today.
func (d Document) Misstated(evidence []Evidence, today fact.Date) []EvidenceProblem {
	var problems []EvidenceProblem
	codes := d.codes()
	for i, e := range evidence {
		if e.DocumentTypeCode != "" && !slices.Contains(codes, e.DocumentTypeCode) {
			problems = append(problems, EvidenceProblem{evidenceField(i, "document_type_code"), fmt.Sprintf("This must be %s.", oneOf(codes))})
		}
		if e.IssuedOn != nil && today.Before(*e.IssuedOn) {
			problems = append(problems, EvidenceProblem{evidenceField(i, "issued_on"), fmt.Sprintf(
				"This may not be after today, %s in the account's time zone.",
				today)})
		}
	}
	return problems
}

func evidenceField(i int, field string) string { return fmt.Sprintf("evidence[%d].%s", i, field) }

func oneOf(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return "one of " + strings.Join(names, ", ")
}

// needsEvidence reports whether the document cannot be completed without evidence.
func (d Document) needsEvidence() bool {
	return len(d.AnyOf) > 0 || d.NotOlderThan != nil || d.MustBeValid
}

// sufficient checks the evidence against the document's terms. It returns the last day on which the
// evidence suffices, or zero if it always does. If it does not suffice, the error is an
// *EvidenceError.
func (d Document) sufficient(today fact.Date) (until fact.Date, err error) {
	if !d.needsEvidence() {
		return fact.Date{}, nil
	}
	if len(d.Evidence) == 0 {
		return fact.Date{}, &EvidenceError{EvidenceRequired, []EvidenceProblem{{"evidence", "This must have an entry for " + d.wanted() + "."}}}
	}
	refused := &EvidenceError{Code: EvidenceRequired}
	found := false
	for i, e := range d.Evidence {
		terms, code, problems := d.judge(i, e, today)
		switch {
		case len(problems) > 0:
			if refused.Code == EvidenceRequired {
				refused.Code = code
			}
			refused.Details = append(refused.Details, problems...)
		case !terms.MustBeValid:
			return fact.Date{}, nil
		case !found || until.Before(*e.ExpiresOn):
			found, until = true, *e.ExpiresOn
		}
	}
	if !found {
		return fact.Date{}, refused
	}
	return until, nil
}

// judge returns why an entry does not suffice.
func (d Document) judge(i int, e Evidence, today fact.Date) (requirement.EvidenceTerms, EvidenceCode, []EvidenceProblem) {
	terms := requirement.EvidenceTerms{NotOlderThan: d.NotOlderThan, MustBeValid: d.MustBeValid}
	var missing, tooOld, expired []EvidenceProblem
	if len(d.AnyOf) > 0 {
		option := slices.IndexFunc(d.AnyOf, func(o requirement.DocumentOption) bool { return o.DocumentTypeCode == e.DocumentTypeCode })
		if option < 0 {
			return terms, EvidenceRequired, []EvidenceProblem{{evidenceField(i, "document_type_code"), fmt.Sprintf("This must be %s.", oneOf(d.codes()))}}
		}
		terms = d.For(d.AnyOf[option])
	}
	if terms.NotOlderThan != nil {
		switch {
		case e.IssuedOn == nil:
			missing = append(missing, EvidenceProblem{evidenceField(i, "issued_on"), fmt.Sprintf(
				"This is required, because the evidence may not be older than %s.",
				terms.NotOlderThan)})
		case terms.NotOlderThan.After(*e.IssuedOn).Before(today):
			tooOld = append(tooOld, EvidenceProblem{evidenceField(i, "issued_on"), fmt.Sprintf(
				"The evidence may not be older than %s: that of %s sufficed until %s.",
				terms.NotOlderThan, e.IssuedOn, terms.NotOlderThan.After(*e.IssuedOn))})
		}
	}
	if terms.MustBeValid {
		switch {
		case e.ExpiresOn == nil:
			missing = append(missing, EvidenceProblem{evidenceField(i, "expires_on"), "This is required, because the evidence must be valid."})
		case e.ExpiresOn.Before(today):
			expired = append(expired, EvidenceProblem{evidenceField(i, "expires_on"), fmt.Sprintf("The evidence has expired: its last day was %s.", e.ExpiresOn)})
		}
	}
	code := EvidenceExpired
	switch {
	case len(missing) > 0:
		code = EvidenceRequired
	case len(tooOld) > 0:
		code = EvidenceTooOld
	}
	return terms, code, slices.Concat(missing, tooOld, expired)
}

// wanted describes the evidence that the document needs, with the fields that it must state.
func (d Document) wanted() string {
	if len(d.AnyOf) == 0 {
		return d.DocumentTypeCode + stated(requirement.EvidenceTerms{NotOlderThan: d.NotOlderThan, MustBeValid: d.MustBeValid})
	}
	options := make([]string, len(d.AnyOf))
	for i, o := range d.AnyOf {
		options[i] = o.DocumentTypeCode + stated(d.For(o))
	}
	return oneOf(options)
}

func stated(terms requirement.EvidenceTerms) string {
	var fields []string
	if terms.NotOlderThan != nil {
		fields = append(fields, "issued_on")
	}
	if terms.MustBeValid {
		fields = append(fields, "expires_on")
	}
	if len(fields) == 0 {
		return ""
	}
	return " with " + strings.Join(fields, " and ")
}
