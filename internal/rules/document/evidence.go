package document

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"requisite/internal/requests/refusal"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// This file decides whether evidence suffices for a document, and until when.

// Evidence is what a reviewer states about one piece of evidence. The service stores no files:
// Reference is the caller's name of the file.
type Evidence struct {
	DocumentTypeCode string     `json:"document_type_code,omitempty" pattern:"^[A-Z0-9_]{1,64}$" patternDescription:"1 to 64 of A-Z, 0-9 and _" doc:"With any_of, the code of the option; else the document's own, or absent."`
	Reference        string     `json:"reference,omitempty" maxLength:"200" pattern:"\\S" patternDescription:"a text that is not blank" doc:"Your own name of the file: the service keeps no files. No event carries it."`
	IssuedOn         *fact.Date `json:"issued_on,omitempty" format:"date" doc:"Not after today in the account's time zone."`
	ExpiresOn        *fact.Date `json:"expires_on,omitempty" format:"date" doc:"The last day on which it is valid; not before issued_on."`
	NeverExpires     bool       `json:"never_expires,omitzero" doc:"In place of expires_on, for evidence that is valid for ever."`
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
		EvidenceExpired:  "the evidence has expired, or expires too soon",
	}[e.Code]
}

// proof is what evidence must prove: some of several options. A document without options is proved
// by the only option that has its own code.
type proof struct {
	options []requirement.DocumentOption
	needed  int // how many of the options
	terms   requirement.Terms
}

func (d Document) proof() proof {
	options := d.AnyOf
	if len(options) == 0 {
		options = []requirement.DocumentOption{{OptionPart: requirement.OptionPart{DocumentTypeCode: d.DocumentTypeCode}}}
	}
	return proof{options, min(max(d.AtLeast, 1), len(options)), d.Terms}
}

// codes returns the document type codes that evidence may have.
func (p proof) codes() (codes []string) {
	for _, o := range p.options {
		for _, part := range o.Parts() {
			if !slices.Contains(codes, part.DocumentTypeCode) {
				codes = append(codes, part.DocumentTypeCode)
			}
		}
	}
	return codes
}

// Misstated returns problems of evidence that no review may have: a code that is not an option, a
// date of issue after today, and two statements about when it expires.
func (d Document) Misstated(evidence []Evidence, today fact.Date) []refusal.Field {
	var problems []refusal.Field
	codes := d.proof().codes()
	for i, e := range evidence {
		if e.NeverExpires && e.ExpiresOn != nil {
			problems = append(problems, refusal.At(evidenceField(i, "never_expires"), refusal.NotAllowed,
				"This says that the evidence never expires, and expires_on says when: leave one out."))
		}
		if e.DocumentTypeCode != "" && !slices.Contains(codes, e.DocumentTypeCode) {
			problems = append(problems, refusal.NotOneOf(codes, "", "This must be %s.", oneOf(codes)).At(evidenceField(i, "document_type_code")))
		}
		if e.IssuedOn != nil && today.Before(*e.IssuedOn) {
			problems = append(problems, refusal.At(evidenceField(i, "issued_on"), refusal.NotAllowed,
				"This may not be after today, %s in the account's time zone.", today))
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
	return len(d.AnyOf) > 0 || d.Terms.Evidence() != (requirement.EvidenceTerms{})
}

// lasting is the last day of something. The zero value lasts forever.
type lasting struct{ fact.Date }

func (l lasting) compare(other lasting) int {
	switch {
	case l == other:
		return 0
	case l.IsZero() || !other.IsZero() && other.Before(l.Date):
		return 1
	}
	return -1
}

// sufficient checks the evidence against the document's terms. It returns the last day on which the
// evidence suffices, or zero if it always does. If it does not suffice, the error is an
// *EvidenceError.
func (d Document) sufficient(today fact.Date) (until fact.Date, err error) {
	if !d.needsEvidence() {
		return fact.Date{}, nil
	}
	p := d.proof()
	if len(d.Evidence) == 0 {
		return fact.Date{}, &EvidenceError{EvidenceRequired, []EvidenceProblem{p.lacking()}}
	}
	refused := &EvidenceError{Code: EvidenceRequired}
	lasts := map[string]lasting{} // by code, of the entry that lasts longest
	for i, e := range d.Evidence {
		if len(d.AnyOf) == 0 {
			e.DocumentTypeCode = cmp.Or(e.DocumentTypeCode, d.DocumentTypeCode)
		}
		end, why, problems := p.judge(i, e, today)
		if len(problems) > 0 {
			if refused.Code == EvidenceRequired {
				refused.Code = why
			}
			refused.Details = append(refused.Details, problems...)
			continue
		}
		if known, seen := lasts[e.DocumentTypeCode]; !seen || end.compare(known) > 0 {
			lasts[e.DocumentTypeCode] = end
		}
	}
	if end, enough := p.chosen(lasts); enough {
		return end.Date, nil
	}
	if p.several() {
		refused.Details = append(refused.Details, p.lacking(slices.Sorted(maps.Keys(lasts))...))
	}
	return fact.Date{}, refused
}

// judge returns until when an entry of evidence suffices for its code, or why it does not.
func (p proof) judge(i int, e Evidence, today fact.Date) (end lasting, why EvidenceCode, problems []EvidenceProblem) {
	all := p.termsOf(e.DocumentTypeCode)
	if len(all) == 0 {
		return end, EvidenceRequired, []EvidenceProblem{{evidenceField(i, "document_type_code"), fmt.Sprintf("This must be %s.", oneOf(p.codes()))}}
	}
	for _, terms := range all {
		if why, problems = unmet(i, e, terms, today); len(problems) == 0 {
			return lasting{lastDay(e, terms)}, "", nil
		}
	}
	return end, why, problems
}

// termsOf returns the terms that evidence with a code must meet. It has none if no option has the
// code. Options that are offered together have the same terms for a code.
func (p proof) termsOf(code string) (all []requirement.EvidenceTerms) {
	for _, o := range p.options {
		for _, part := range o.Parts() {
			if part.DocumentTypeCode == code {
				all = append(all, p.terms.For(part))
			}
		}
	}
	return all
}

// lastDay is the last day on which an entry meets the terms that it met when it was approved. It is
// zero if it always does.
func lastDay(e Evidence, terms requirement.EvidenceTerms) fact.Date {
	switch {
	case !terms.Expire() || e.NeverExpires:
		return fact.Date{}
	case terms.ExpiredAtMost != nil:
		return terms.ExpiredAtMost.After(*e.ExpiresOn)
	}
	return *e.ExpiresOn
}

// chosen returns until when the evidence suffices, of which lasts has the last day by code. It
// returns false if the evidence does not suffice. An option lasts as long as all its parts do. Of
// the options, those that last longest are chosen.
func (p proof) chosen(lasts map[string]lasting) (lasting, bool) {
	var ends []lasting
	for _, o := range p.options {
		end, there := lasting{}, true
		for _, part := range o.Parts() {
			last, found := lasts[part.DocumentTypeCode]
			if there = there && found; last.compare(end) < 0 {
				end = last
			}
		}
		if there {
			ends = append(ends, end)
		}
	}
	if len(ends) < p.needed {
		return lasting{}, false
	}
	slices.SortFunc(ends, func(a, b lasting) int { return b.compare(a) })
	return ends[p.needed-1], true
}

// several reports whether more than one entry of evidence may be needed.
func (p proof) several() bool {
	return p.needed > 1 || slices.ContainsFunc(p.options, func(o requirement.DocumentOption) bool { return len(o.AllOf) > 0 })
}

// unmet returns why an entry does not meet terms.
func unmet(i int, e Evidence, terms requirement.EvidenceTerms, today fact.Date) (EvidenceCode, []EvidenceProblem) {
	var missing, tooOld, expired []EvidenceProblem
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
	if terms.Expire() && !e.NeverExpires {
		problem := func(format string, args ...any) EvidenceProblem {
			return EvidenceProblem{evidenceField(i, "expires_on"), fmt.Sprintf(format, args...)}
		}
		switch {
		case e.ExpiresOn == nil:
			missing = append(missing, problem("This, or never_expires, is required, because the evidence %s.", validity(terms)))
		case terms.ExpiredAtMost != nil && lastDay(e, terms).Before(today):
			expired = append(expired, problem("The evidence may have expired %s ago at most: that of %s sufficed until %s.",
				terms.ExpiredAtMost, e.ExpiresOn, lastDay(e, terms)))
		case terms.ExpiredAtMost != nil:
		case e.ExpiresOn.Before(today):
			expired = append(expired, problem("The evidence has expired: its last day was %s.", e.ExpiresOn))
		case terms.ValidFor != nil && e.ExpiresOn.Before(terms.ValidFor.After(today)):
			expired = append(expired, problem("The evidence must be valid for %s, until %s, and its last day is %s.",
				terms.ValidFor, terms.ValidFor.After(today), e.ExpiresOn))
		}
	}
	code := EvidenceExpired
	switch {
	case len(missing) > 0:
		code = EvidenceRequired
	case len(tooOld) > 0:
		code = EvidenceTooOld
	}
	return code, slices.Concat(missing, tooOld, expired)
}

// validity says what the terms ask about the last day of evidence.
func validity(terms requirement.EvidenceTerms) string {
	switch {
	case terms.ExpiredAtMost != nil:
		return "may have expired " + terms.ExpiredAtMost.String() + " ago at most"
	case terms.ValidFor != nil:
		return "must be valid for " + terms.ValidFor.String()
	}
	return "must be valid"
}

// lacking says which entries the evidence must have. enough are the codes for which it has one.
func (p proof) lacking(enough ...string) EvidenceProblem {
	entries, already := "an entry", ""
	if p.several() {
		entries = "entries"
	}
	if len(enough) > 0 {
		already = " What is stated suffices for " + strings.Join(enough, ", ") + "."
	}
	return EvidenceProblem{"evidence", "This must have " + entries + " for " + p.wanted() + "." + already}
}

// wanted describes the evidence, with the fields that it must state.
func (p proof) wanted() string {
	options := make([]string, len(p.options))
	for i, o := range p.options {
		parts := make([]string, 0, len(o.AllOf)+1)
		for _, part := range o.Parts() {
			parts = append(parts, part.DocumentTypeCode+stated(p.terms.For(part)))
		}
		options[i] = strings.Join(parts, " and ")
	}
	switch {
	case !p.several():
		return oneOf(options)
	case p.needed == len(options):
		return "all of: " + strings.Join(options, "; ")
	case p.needed > 1:
		return fmt.Sprintf("%d of: %s", p.needed, strings.Join(options, "; "))
	}
	return "one of: " + strings.Join(options, "; ")
}

func stated(terms requirement.EvidenceTerms) string {
	var fields []string
	if terms.NotOlderThan != nil {
		fields = append(fields, "issued_on")
	}
	if terms.Expire() {
		fields = append(fields, "expires_on")
	}
	if len(fields) == 0 {
		return ""
	}
	return " with " + strings.Join(fields, " and ")
}
