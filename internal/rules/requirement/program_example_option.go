package requirement

import (
	"fmt"
	"slices"
	"strings"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file compares the options that an example expects of a document with those that the rules
// offer.

// offering returns the options that the document offers.
func (m match) offering() []DocumentOption {
	return m.Document.Offer(func(option int) bool { return slices.Contains(m.offered, option) })
}

// offeredOptions are the options that the document offers, as an example names them: with terms
// only where they distinguish options.
func (m match) offeredOptions() []ExpectedOption {
	options := []ExpectedOption{}
	for _, o := range m.offering() {
		named := ExpectedOption{DocumentTypeCode: o.DocumentTypeCode}
		for _, part := range o.AllOf {
			named.AllOf = append(named.AllOf, part.DocumentTypeCode)
		}
		if m.Document.shares(o) {
			named.NotOlderThan, named.MustBeValid, named.ValidFor, named.ExpiredAtMost = o.NotOlderThan, o.MustBeValid, o.ValidFor, o.ExpiredAtMost
		}
		options = append(options, named)
	}
	return options
}

// shares reports whether another option has the same codes.
func (t Terms) shares(option DocumentOption) bool {
	alike := 0
	for _, o := range t.AnyOf {
		if o.codes() == option.codes() {
			alike++
		}
	}
	return alike > 1
}

// offers reports whether the options are exactly those that the document offers.
func (m match) offers(expected []ExpectedOption) bool {
	left := m.offering()
	for _, e := range expected {
		at := slices.IndexFunc(left, func(o DocumentOption) bool { return e.names(o, m.Document.shares(o)) })
		if at < 0 {
			return false
		}
		left = slices.Delete(left, at, at+1)
	}
	return len(left) == 0
}

// givenOptions are the options that the document offers, if an example expects any of it: as the example names them if they are
// those, or as offeredOptions does. stated are those that it expects of this very document.
func (m match) givenOptions(stated []ExpectedOption, includes []ExpectedDocument) []ExpectedOption {
	expected := [][]ExpectedOption{stated}
	for _, d := range includes {
		if d.is(m) {
			expected = append(expected, d.AnyOf)
		}
	}
	expected = slices.DeleteFunc(expected, func(options []ExpectedOption) bool { return options == nil })
	if len(expected) == 0 {
		return nil
	}
	if same := slices.IndexFunc(expected, m.offers); same >= 0 {
		return expected[same]
	}
	return m.offeredOptions()
}

// names reports whether the expected option is the offered one. Terms may be left out where no
// other option shares the code. Parts have only codes.
func (o ExpectedOption) names(offered DocumentOption, shared bool) bool {
	if o.option().codes() != offered.codes() {
		return false
	}
	stated := o.option().OptionPart
	if offered.AllOf != nil || !shared && !stated.StatesTerms() {
		return true
	}
	offered.Name, offered.RequirementText = "", ""
	return stated.same(offered.OptionPart)
}

func (o ExpectedOption) option() DocumentOption {
	option := DocumentOption{OptionPart: OptionPart{
		DocumentTypeCode: o.DocumentTypeCode, NotOlderThan: o.NotOlderThan, MustBeValid: o.MustBeValid, ValidFor: o.ValidFor, ExpiredAtMost: o.ExpiredAtMost,
	}}
	for _, code := range o.AllOf {
		option.AllOf = append(option.AllOf, OptionPart{DocumentTypeCode: code})
	}
	return option
}

// text names the option in a message.
func (o ExpectedOption) text() string {
	var terms []string
	for _, term := range []struct {
		name string
		of   *fact.Period
	}{{"not_older_than", o.NotOlderThan}, {"valid_for", o.ValidFor}, {"expired_at_most", o.ExpiredAtMost}} {
		if term.of != nil {
			terms = append(terms, term.name+": "+term.of.String())
		}
	}
	if o.MustBeValid != nil {
		terms = append(terms, fmt.Sprintf("must_be_valid: %t", *o.MustBeValid))
	}
	text := strings.ReplaceAll(o.option().codes(), " ", " and ")
	if len(terms) > 0 {
		text += " (" + strings.Join(terms, ", ") + ")"
	}
	return text
}

// optionsText ends the name of a document whose options an example expects.
func optionsText(options []ExpectedOption) string {
	texts := make([]string, len(options))
	for i, o := range options {
		texts[i] = o.text()
	}
	slices.Sort(texts)
	return withAnyOf + strings.Join(texts, ", ") + "]"
}

const withAnyOf = " with any_of ["

// withoutOptions is the name of a document without the options that it ends with.
func withoutOptions(name string) string {
	if at := strings.LastIndex(name, withAnyOf); at >= 0 {
		return name[:at]
	}
	return name
}

// invalidOptions refuses options that no document can have.
func (e Expectation) invalidOptions(quoted string) string {
	if slices.ContainsFunc(e.Excludes, func(d ExpectedDocument) bool { return d.AnyOf != nil }) {
		return quoted + " excludes a document with any_of, and what is not required offers nothing: leave any_of out"
	}
	for _, d := range slices.Concat(e.Documents, e.Includes) {
		if d.AnyOf != nil && (len(d.AnyOf) == 0 || len(d.AnyOf) > MaxOptions) {
			return fmt.Sprintf("%s expects %d options of %s: write 1 to %d, or leave any_of out", quoted, len(d.AnyOf), rulefile.Clip(d.DocumentTypeCode), MaxOptions)
		}
		for _, o := range d.AnyOf {
			if problem := o.invalid(); problem != "" {
				return quoted + " expects an option that " + problem
			}
		}
	}
	return ""
}

func (o ExpectedOption) invalid() string {
	codes := o.AllOf
	switch n := len(o.AllOf); {
	case o.AllOf == nil:
		codes = []string{o.DocumentTypeCode}
	case o.option().OptionPart != (OptionPart{}):
		return "has more than all_of: write the codes of its parts alone"
	case n < MinOptions || n > MaxParts:
		return fmt.Sprintf("has %d parts in all_of: write %d to %d codes, or the one code alone", n, MinOptions, MaxParts)
	}
	for _, code := range codes {
		if !documentTypeCodePattern.MatchString(code) {
			return fmt.Sprintf("has the code %q, and a document_type_code is 1 to 64 of the characters A-Z, 0-9 and _", rulefile.Clip(code))
		}
	}
	return ""
}
