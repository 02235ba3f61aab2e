package requirement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file has the options of a document, the terms that evidence must meet, and the text on which
// an approval depends.

// DocumentOption is one way to prove what a document proves: one kind of evidence, or all of
// several kinds.
type DocumentOption struct {
	// OptionPart is the kind of evidence. It is empty if AllOf is set.
	OptionPart
	// AllOf has kinds of evidence that are needed together.
	AllOf []OptionPart `json:"all_of,omitempty" nullable:"false"`
	// When is the condition under which the option is offered. Without a condition it always is.
	When string `json:"when,omitempty" minLength:"1" doc:"leave it out when the option is always offered"`
}

// OptionPart is one kind of evidence. If it states a term for evidence, its terms replace those of
// the rule.
type OptionPart struct {
	DocumentTypeCode string       `json:"document_type_code,omitempty"`
	Name             string       `json:"name,omitempty"`
	RequirementText  string       `json:"requirement_text,omitempty" minLength:"1" doc:"write what the evidence must show, or leave it out"`
	NotOlderThan     *fact.Period `json:"not_older_than,omitempty"`
	MustBeValid      *bool        `json:"must_be_valid,omitempty"`
	ValidFor         *fact.Period `json:"valid_for,omitempty"`
	ExpiredAtMost    *fact.Period `json:"expired_at_most,omitempty"`
}

// Parts returns the kinds of evidence that the option needs.
func (o DocumentOption) Parts() []OptionPart {
	if o.AllOf != nil {
		return o.AllOf
	}
	return []OptionPart{o.OptionPart}
}

// codes returns the codes of the parts, sorted, as one text.
func (o DocumentOption) codes() string {
	codes := make([]string, 0, len(o.AllOf)+1)
	for _, part := range o.Parts() {
		codes = append(codes, part.DocumentTypeCode)
	}
	slices.Sort(codes)
	return strings.Join(codes, " ")
}

// EvidenceTerms are the terms that one kind of evidence must meet.
type EvidenceTerms struct {
	NotOlderThan  *fact.Period
	MustBeValid   bool
	ValidFor      *fact.Period
	ExpiredAtMost *fact.Period
}

// Evidence returns the rule's own terms, which are those of a document without options.
func (t Terms) Evidence() EvidenceTerms {
	return EvidenceTerms{t.NotOlderThan, t.MustBeValid, t.ValidFor, t.ExpiredAtMost}
}

// StatesTerms reports whether the part has terms of its own.
func (p OptionPart) StatesTerms() bool {
	return p.NotOlderThan != nil || p.MustBeValid != nil || p.ValidFor != nil || p.ExpiredAtMost != nil
}

// For returns the terms that evidence for a part of an option must meet.
func (t Terms) For(p OptionPart) EvidenceTerms {
	if !p.StatesTerms() {
		return t.Evidence()
	}
	return EvidenceTerms{p.NotOlderThan, p.MustBeValid != nil && *p.MustBeValid, p.ValidFor, p.ExpiredAtMost}
}

// Expire reports whether evidence must state when it expires, and suffices only until a day.
func (t EvidenceTerms) Expire() bool {
	return t.MustBeValid || t.ValidFor != nil || t.ExpiredAtMost != nil
}

func (t EvidenceTerms) same(other EvidenceTerms) bool {
	return samePeriod(t.NotOlderThan, other.NotOlderThan) && t.MustBeValid == other.MustBeValid &&
		samePeriod(t.ValidFor, other.ValidFor) && samePeriod(t.ExpiredAtMost, other.ExpiredAtMost)
}

// validate reports terms that contradict each other. at is the path of the part, with a dot.
func (t EvidenceTerms) validate(at string, add func(field, format string, args ...any)) {
	switch {
	case t.ExpiredAtMost == nil:
	case t.MustBeValid:
		add(at+"expired_at_most", "accepts expired evidence, and must_be_valid does not: leave one of the two out")
	case t.ValidFor != nil:
		add(at+"expired_at_most", "accepts expired evidence, and valid_for does not: leave one of the two out")
	}
}

// validateOptions returns what is wrong with the options of a rule.
func (t Terms) validateOptions(add func(field, format string, args ...any)) {
	n := len(t.AnyOf)
	if t.AnyOf != nil && (n < MinOptions || n > MaxOptions) {
		add("any_of", "holds %d options; write %d to %d, or leave any_of out", n, MinOptions, MaxOptions)
	}
	switch {
	case t.AtLeast == 0:
	case t.AnyOf == nil:
		add("at_least", "counts options: add any_of, or leave at_least out")
	case t.AtLeast < 2 || t.AtLeast > n:
		add("at_least", "is %d of %d options: write 2 or more, at most the number of options, or leave it out where one option suffices", t.AtLeast, n)
	}
	options := t.AnyOf[:min(n, MaxOptions)]
	for i, o := range options {
		at := fmt.Sprintf("any_of[%d].", i)
		if o.AllOf != nil {
			o.validateParts(at, add)
		} else {
			o.OptionPart.validate(at, add)
		}
		t.validateShared(options[:i], o, at, add)
	}
	if most := t.mostEvidence(); most > MaxEvidence {
		add("any_of", "may need %d entries of evidence, and a document has at most %d: ask for fewer options or parts at once", most, MaxEvidence)
	}
}

// validateParts returns what is wrong with an option with all_of.
func (o DocumentOption) validateParts(at string, add func(field, format string, args ...any)) {
	if n := len(o.AllOf); n < MinOptions || n > MaxParts {
		add(at+"all_of", "holds %d; write %d to %d parts, or write the one as the option itself", n, MinOptions, MaxParts)
	}
	if o.OptionPart != (OptionPart{}) {
		add(at+"all_of", "has the parts of the option: write code, name and terms in each part, and not beside all_of")
	}
	first := map[string]int{}
	for i, part := range o.AllOf[:min(len(o.AllOf), MaxParts)] {
		below := fmt.Sprintf("%sall_of[%d].", at, i)
		part.validate(below, add)
		if earlier, seen := first[part.DocumentTypeCode]; seen && part.DocumentTypeCode != "" {
			add(below+"document_type_code", "%s is already all_of[%d]: write each part once", part.DocumentTypeCode, earlier)
		} else {
			first[part.DocumentTypeCode] = i
		}
	}
}

func (p OptionPart) validate(at string, add func(field, format string, args ...any)) {
	if message := codeProblem(p.DocumentTypeCode); message != "" {
		add(at+"document_type_code", "%s", message)
	}
	if message := textProblem(p.Name, MaxTextLength); message != "" {
		add(at+"name", "%s", message)
	}
	if message := textProblem(p.RequirementText, MaxTextLength); p.RequirementText != "" && message != "" {
		add(at+"requirement_text", "%s", message)
	}
	EvidenceTerms{p.NotOlderThan, p.MustBeValid != nil && *p.MustBeValid, p.ValidFor, p.ExpiredAtMost}.validate(at, add)
}

// validateShared compares an option with those before it. Evidence with a code counts for each
// option that has the code, so its terms must be the same, unless only one of the options can be
// offered.
func (t Terms) validateShared(before []DocumentOption, o DocumentOption, at string, add func(field, format string, args ...any)) {
	for j, earlier := range before {
		if o.When != "" && earlier.When != "" {
			continue // the first that is offered counts
		}
		if o.codes() == earlier.codes() && strings.Trim(o.codes(), " ") != "" {
			add(at+rulefile.Pick(o.AllOf == nil, "document_type_code", "all_of"),
				"%s is already any_of[%d]: write each option once, or give each of the two a when", strings.ReplaceAll(o.codes(), " ", ", "), j)
			return
		}
		for _, part := range o.Parts() {
			if of, shared := earlier.part(part.DocumentTypeCode); shared && part.DocumentTypeCode != "" && !t.For(of).same(t.For(part)) {
				add(at+rulefile.Pick(o.AllOf == nil, "document_type_code", "all_of"),
					"%s has other terms in any_of[%d]: write the same, or give each of the two options a when", part.DocumentTypeCode, j)
				return
			}
		}
	}
}

func (o DocumentOption) part(code string) (OptionPart, bool) {
	for _, part := range o.Parts() {
		if part.DocumentTypeCode == code {
			return part, true
		}
	}
	return OptionPart{}, false
}

// mostEvidence is how many entries of evidence the document may need at once.
func (t Terms) mostEvidence() int {
	sizes, codes := make([]int, len(t.AnyOf)), map[string]bool{}
	for i, o := range t.AnyOf {
		for _, part := range o.Parts() {
			codes[part.DocumentTypeCode] = true
		}
		sizes[i] = -len(o.Parts())
	}
	slices.Sort(sizes)
	most := 0
	for _, size := range sizes[:min(max(t.AtLeast, 1), len(sizes))] {
		most -= size
	}
	return min(most, len(codes))
}

// Conditional reports whether an option has a condition.
func (t Terms) Conditional() bool {
	return slices.ContainsFunc(t.AnyOf, func(o DocumentOption) bool { return o.When != "" })
}

// Offer returns the options that are offered, without their conditions. holds says whether the
// condition of an option holds. Of options that share a code with other terms, or that are the same
// but for their conditions, only the first is offered.
func (t Terms) Offer(holds func(option int) bool) []DocumentOption {
	var offered []DocumentOption
	for i, o := range t.AnyOf {
		if o.When != "" && !holds(i) {
			continue
		}
		hidden := slices.ContainsFunc(offered, func(earlier DocumentOption) bool {
			return earlier.codes() == o.codes() || slices.ContainsFunc(o.Parts(), func(part OptionPart) bool {
				of, shared := earlier.part(part.DocumentTypeCode)
				return shared && !t.For(of).same(t.For(part))
			})
		})
		if !hidden {
			o.When = ""
			offered = append(offered, o)
		}
	}
	return offered
}

// validateBound returns what is wrong with the names in bound_to.
func (t Terms) validateBound(entityType string, declared []fact.Declaration, add func(field, format string, args ...any)) {
	if n := len(t.BoundTo); t.BoundTo != nil && (n == 0 || n > MaxBound) {
		add("bound_to", "holds %d names; write 1 to %d, or leave bound_to out", n, MaxBound)
	}
	table := fact.NewTable(declared)
	for i, name := range t.BoundTo[:min(len(t.BoundTo), MaxBound)] {
		at := fmt.Sprintf("bound_to[%d]", i)
		switch names := table.Bindable(entityType); {
		case slices.ContainsFunc(t.BoundTo[:i], func(earlier string) bool { return fact.Bare(earlier) == fact.Bare(name) }):
			add(at, "%s is written twice: leave one out", rulefile.Clip(name))
		case slices.Contains(names, bare(table, name, entityType)):
		case entityType != fact.EntityPerson && isOfPerson(table, name):
			add(at, "%s is a fact of persons: bind a rule of persons to it, or this rule to persons", rulefile.Clip(name))
		case strings.HasPrefix(fact.Bare(name), customPrefix):
			add(at, "%s is not a declared fact%s", rulefile.Clip(name), declareIt(table, fact.Bare(name), entityType == fact.EntityPerson))
		default:
			add(at, "%s is nothing that an approval can be bound to%s; those are %s",
				rulefile.Clip(name), rulefile.DidYouMean(name, names), strings.Join(names, ", "))
		}
	}
}

// bare is a name of bound_to as Bindable has it. In a rule of persons, a person's fact may also be
// written as in conditions.
func bare(table *fact.Table, name, entityType string) string {
	if entityType == fact.EntityPerson && isOfPerson(table, name) {
		return fact.Bare(name)
	}
	return name
}

func isOfPerson(table *fact.Table, name string) bool {
	_, found := table.FindField(fact.Bare(name))
	return found
}

// DocumentText is the part of a document on which an approval depends.
type DocumentText struct {
	Name            string           `json:"name"`
	RequirementText string           `json:"requirement_text"`
	AnyOf           []DocumentOption `json:"any_of,omitempty" nullable:"false"`
	AtLeast         int              `json:"at_least,omitzero"`
	NotOlderThan    *fact.Period     `json:"not_older_than,omitempty"`
	MustBeValid     bool             `json:"must_be_valid,omitzero"`
	ValidFor        *fact.Period     `json:"valid_for,omitempty"`
	ExpiredAtMost   *fact.Period     `json:"expired_at_most,omitempty"`
}

// DocumentText is the text of the rule's documents.
func (doc DocumentRule) DocumentText() DocumentText {
	return doc.Terms.TextOf(doc.Name, doc.RequirementText)
}

// TextOf is the text of a document with these terms.
func (t Terms) TextOf(name, requirementText string) DocumentText {
	return DocumentText{name, requirementText, t.AnyOf, t.AtLeast, t.NotOlderThan, t.MustBeValid, t.ValidFor, t.ExpiredAtMost}
}

// Terms returns the terms that the text has.
func (t DocumentText) Terms() Terms {
	return Terms{
		AnyOf: t.AnyOf, AtLeast: t.AtLeast,
		NotOlderThan: t.NotOlderThan, MustBeValid: t.MustBeValid, ValidFor: t.ValidFor, ExpiredAtMost: t.ExpiredAtMost,
	}
}

// Same reports whether two texts have the same requirements. Options and parts may have any order,
// and a year equals 12 months.
func (t DocumentText) Same(other DocumentText) bool {
	return t.Name == other.Name && t.RequirementText == other.RequirementText && t.AtLeast == other.AtLeast &&
		t.Terms().Evidence().same(other.Terms().Evidence()) && slices.EqualFunc(byCode(t.AnyOf), byCode(other.AnyOf), DocumentOption.same)
}

// SameDemands reports whether two texts demand the same evidence, even if in other words.
func (t DocumentText) SameDemands(other DocumentText) bool {
	return t.unworded().Same(other.unworded())
}

func (t DocumentText) unworded() DocumentText {
	t.Name, t.RequirementText, t.AnyOf = "", "", slices.Clone(t.AnyOf)
	for i := range t.AnyOf {
		o := &t.AnyOf[i]
		o.Name, o.RequirementText, o.AllOf = "", "", slices.Clone(o.AllOf)
		for j := range o.AllOf {
			o.AllOf[j].Name, o.AllOf[j].RequirementText = "", ""
		}
	}
	return t
}

func (o DocumentOption) same(other DocumentOption) bool {
	return o.When == other.When && o.OptionPart.same(other.OptionPart) && slices.EqualFunc(partsByCode(o.AllOf), partsByCode(other.AllOf), OptionPart.same)
}

func (p OptionPart) same(other OptionPart) bool {
	return p.DocumentTypeCode == other.DocumentTypeCode && p.Name == other.Name && p.RequirementText == other.RequirementText &&
		samePeriod(p.NotOlderThan, other.NotOlderThan) && sameValue(p.MustBeValid, other.MustBeValid) &&
		samePeriod(p.ValidFor, other.ValidFor) && samePeriod(p.ExpiredAtMost, other.ExpiredAtMost)
}

// Digest is equal for texts that are the Same, and different for others.
func (t DocumentText) Digest() string {
	t.NotOlderThan, t.ValidFor, t.ExpiredAtMost = canonical(t.NotOlderThan), canonical(t.ValidFor), canonical(t.ExpiredAtMost)
	t.AnyOf = byCode(t.AnyOf)
	for i := range t.AnyOf {
		o := &t.AnyOf[i]
		o.OptionPart, o.AllOf = o.OptionPart.canonical(), partsByCode(o.AllOf)
		for j := range o.AllOf {
			o.AllOf[j] = o.AllOf[j].canonical()
		}
	}
	return fact.Digest(fact.CanonicalJSON(t))
}

func (p OptionPart) canonical() OptionPart {
	p.NotOlderThan, p.ValidFor, p.ExpiredAtMost = canonical(p.NotOlderThan), canonical(p.ValidFor), canonical(p.ExpiredAtMost)
	return p
}

func canonical(p *fact.Period) *fact.Period {
	if p == nil {
		return nil
	}
	return new(p.Canonical())
}

// byCode sorts options. Options with the same codes keep their order, which decides which of them
// is offered.
func byCode(options []DocumentOption) []DocumentOption {
	return slices.SortedStableFunc(slices.Values(options), func(a, b DocumentOption) int { return cmp.Compare(a.codes(), b.codes()) })
}

func partsByCode(parts []OptionPart) []OptionPart {
	return slices.SortedFunc(slices.Values(parts), func(a, b OptionPart) int { return cmp.Compare(a.DocumentTypeCode, b.DocumentTypeCode) })
}

func sameValue[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
