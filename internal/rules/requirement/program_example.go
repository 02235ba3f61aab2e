package requirement

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file runs examples: it compares what each example expects with the result of the rules.

// ExampleResult is the outcome of one example.
type ExampleResult struct {
	Name string
	// Failure says in one sentence what was expected and what the result was, or what is wrong with
	// the example itself. It is empty if the example passes.
	Failure string
	// Missing has what the example expects and the rules do not give. Unexpected has what the rules
	// give in addition. Both contain documents, findings and missing facts. Both are nil if the
	// example could not be evaluated.
	Missing, Unexpected []Difference
	// Given is the expectation that would pass: the documents that the rules require, with the
	// findings if the example expects any, or the missing facts. It is empty if the example could
	// not be evaluated.
	Given Expectation
	// Rules shows how the documents and findings that differ were decided, or some of them if there
	// are many. It is empty if facts are missing, because then nothing is decided.
	Rules []RuleExplanation
	// Line and Column are the example's position in its file, from 1. They are 0 without a file.
	Line, Column int
}

// Difference is one document, finding or missing fact that an example expects and the rules do not
// give, or the other way round.
type Difference struct {
	// Text names it, such as "document PASSPORT of person p2" or "missing evaluation_score".
	Text string
	// NeededBy has the codes whose rules refer to a missing fact.
	NeededBy []string
}

// RunExamples compiles a rule set and runs each of its examples, also after one has failed.
// Problems are about the rule set without its examples. If there are any, there are no results. The
// cost of all examples has the same limit as in a publication. The example that exceeds it fails
// and is the last.
func RunExamples(ctx context.Context, rs RuleSet, opts Options) (*Program, []ExampleResult, []Problem) {
	p, problems := compile(ctx, rs, opts)
	if len(problems) > 0 || ctx.Err() != nil {
		return nil, nil, problems
	}
	results := make([]ExampleResult, 0, len(rs.Examples))
	limit := opts.withDefaults().CostLimit
	var spent uint64
	p.tried = p.noCoverage()
	for _, example := range rs.Examples {
		result, came := p.exampleResult(ctx, example, &spent)
		if spent > limit {
			results = append(results, ExampleResult{Name: example.Name, Failure: tooCostly(limit)})
			break
		}
		p.tried.add(p, came)
		results = append(results, result)
	}
	return p, results, nil
}

// runExamples returns the examples with unexpected results. It stops when their cost exceeds the
// limit.
func (p *Program) runExamples(ctx context.Context, examples []Example, limit uint64) []FailingExample {
	var failing []FailingExample
	var spent uint64
	p.tried = p.noCoverage()
	for i, example := range examples {
		if ctx.Err() != nil || len(failing) > rulefile.MaxProblems {
			return failing
		}
		came := p.runExample(ctx, example, &spent)
		if came.failure != "" {
			failing = append(failing, FailingExample{example.Name, came.failure, i})
		}
		if spent > limit {
			return append(failing, FailingExample{example.Name, tooCostly(limit), i})
		}
		p.tried.add(p, came)
	}
	return failing
}

// InvalidExamples returns the examples that cannot run with any rules.
func InvalidExamples(examples []Example) []Problem {
	if len(examples) > MaxExamples {
		return nil
	}
	var problems []Problem
	for i, example := range examples {
		if failure := example.invalid(fact.Needs{}); failure != "" {
			problems = append(problems, Problem{Path: fmt.Sprintf("examples[%d]", i), Message: failure})
		}
	}
	return problems
}

func tooCostly(limit uint64) string {
	return fmt.Sprintf("the examples up to this one take more than %d steps: keep fewer, with fewer persons", limit)
}

// exampleResult evaluates one example and compares the result with the expectation.
func (p *Program) exampleResult(ctx context.Context, example Example, spent *uint64) (ExampleResult, outcome) {
	came := p.runExample(ctx, example, spent)
	result := ExampleResult{Name: example.Name, Failure: came.failure}
	if came.failure == "" {
		return result, came
	}
	missing, unexpected := came.missing, came.unexpected
	result.Missing, result.Unexpected, result.Given = p.differences(missing), p.differences(unexpected), came.given
	if came.decided == nil {
		return result, came
	}
	required := map[string]bool{}
	for _, name := range missing {
		required[withoutOptions(name)] = false
	}
	for _, name := range unexpected {
		required[withoutOptions(name)] = true
	}
	for _, r := range p.rules {
		for _, subject := range r.subjects(came.decided) {
			holds, differs := required[r.nameFor(subject)]
			if differs && len(result.Rules) < maxExplainedDifferences {
				result.Rules = append(result.Rules, r.explain(subject, holds))
			}
		}
	}
	return result, came
}

// maxExplainedDifferences and maxNamed limit the message about one example. The first differences
// are enough.
const (
	maxExplainedDifferences = 20
	maxNamed                = 20
)

func (p *Program) runExample(ctx context.Context, example Example, spent *uint64) outcome {
	if problem := example.invalid(p.needs); problem != "" {
		return outcome{failure: problem}
	}
	f := example.Facts.Facts()
	b, err := p.prepare(ctx, f)
	if err != nil {
		return outcome{failure: fmt.Sprintf("%q cannot be evaluated: %v", rulefile.Clip(example.Name), err)}
	}
	came := outcome{expects: example.Expect}
	expected := example.Expect.gapNames()
	if example.Expect.Gaps == nil {
		expected = p.expectedNames(expectedDocuments(example.Expect.Documents), expectedFindings(example.Expect.Findings))
	}
	gaps := b.gaps(p.needs)
	actual := gapNames(gaps, f)
	came.given = givenGaps(gaps, f)
	if len(actual) == 0 {
		found, err := p.matches(ctx, b)
		*spent += *b.spent
		if err != nil {
			return outcome{failure: fmt.Sprintf("%q cannot be evaluated: %v", rulefile.Clip(example.Name), err)}
		}
		actual, came.decided, came.found = example.Expect.names(p, found), b, found
		came.given = p.given(found, example.Expect)
	}
	if example.Expect.partly() {
		came.partly(p, example, expected, actual)
	} else if !slices.Equal(expected, actual) {
		came.missing, came.unexpected = without(expected, actual), without(actual, expected)
		came.failure = fmt.Sprintf("%q expects %s; the rules give %s", rulefile.Clip(example.Name), enumerate(firstNamed(expected)), enumerate(firstNamed(actual)))
	}
	return came
}

// partly compares the result with an expectation of some documents. findings and actual are the
// expected and the given findings, if any are expected.
func (o *outcome) partly(p *Program, example Example, findings, actual []string) {
	if o.decided == nil {
		o.missing, o.unexpected = append(p.expectedNames(expectedDocuments(example.Expect.Includes)), findings...), actual
		o.failure = fmt.Sprintf("%q expects documents; the rules give %s", rulefile.Clip(example.Name), enumerate(firstNamed(actual)))
		return
	}
	o.missing, o.unexpected = without(findings, actual), without(actual, findings)
	var others []string // included documents that offer other options
	for _, document := range example.Expect.Includes {
		if slices.ContainsFunc(o.found, func(m match) bool { return document.is(m) && (document.AnyOf == nil || m.offers(document.AnyOf)) }) {
			continue
		}
		o.missing = append(o.missing, p.expectedNames(expectedDocuments([]ExpectedDocument{document}))...)
		for _, m := range o.found {
			if document.is(m) {
				others = append(others, m.nameFor(m.subject)+optionsText(m.offeredOptions()))
			}
		}
	}
	for _, m := range o.found {
		if slices.ContainsFunc(example.Expect.Excludes, func(d ExpectedDocument) bool { return d.is(m) }) {
			o.unexpected = append(o.unexpected, m.nameFor(m.subject))
		}
	}
	var wrong []string
	if len(o.missing) > 0 {
		wrong = append(wrong, "includes "+enumerate(firstNamed(o.missing))+", which the rules do not give")
	}
	if len(others) > 0 {
		wrong = append(wrong, "the rules give "+enumerate(firstNamed(others)))
	}
	if len(o.unexpected) > 0 {
		wrong = append(wrong, "excludes "+enumerate(firstNamed(o.unexpected))+", which the rules give")
	}
	o.unexpected = append(o.unexpected, others...)
	if len(wrong) > 0 {
		o.failure = fmt.Sprintf("%q %s", rulefile.Clip(example.Name), strings.Join(wrong, "; and "))
	}
}

// given lists documents as an example does, and findings if it expects any.
func (p *Program) given(found []match, expects Expectation) Expectation {
	types := map[RuleKey][]string{} // by code, of documents that belong to no person
	ofCode := func(r RuleKey) RuleKey { return RuleKey{r.DocumentTypeCode, r.FindingCode, ""} }
	for _, r := range p.rules {
		if r.EntityType != fact.EntityPerson {
			types[ofCode(r.RuleKey)] = append(types[ofCode(r.RuleKey)], r.EntityType)
		}
	}
	given := Expectation{Documents: []ExpectedDocument{}}
	withOptions := p.expectedOptions(expects.Documents)
	if expects.Findings != nil {
		given.Findings = []ExpectedFinding{}
	}
	for _, m := range found {
		entityType, person := "", ""
		switch {
		case m.EntityType == fact.EntityPerson:
			person = m.subject.entityID
		case len(types[ofCode(m.RuleKey)]) > 1:
			entityType = m.EntityType
		}
		switch {
		case m.Document != nil:
			document := ExpectedDocument{DocumentTypeCode: m.DocumentTypeCode, EntityType: entityType, PersonID: person}
			document.AnyOf = m.givenOptions(withOptions[m.nameFor(m.subject)], expects.Includes)
			given.Documents = append(given.Documents, document)
		case expects.Findings != nil:
			given.Findings = append(given.Findings, ExpectedFinding{m.FindingCode, entityType, person})
		}
	}
	return given
}

func givenGaps(gaps []fact.Gap, f fact.Facts) Expectation {
	var expected []ExpectedGap
	for _, gap := range gaps {
		g := ExpectedGap{Fact: gap.Fact}
		if gap.EntityType == fact.EntityPerson && gap.EntityID != f.BusinessID {
			g.PersonID = gap.EntityID
		}
		expected = append(expected, g)
	}
	return Expectation{Gaps: expected}
}

// without returns the names of a that b has less often.
func without(a, b []string) []string {
	held := map[string]int{}
	for _, name := range b {
		held[name]++
	}
	var left []string
	for _, name := range a {
		if held[name]--; held[name] < 0 {
			left = append(left, name)
		}
	}
	return left
}

func (p *Program) differences(names []string) []Difference {
	var found []Difference
	for _, name := range names {
		difference := Difference{Text: name}
		if fact, ok := strings.CutPrefix(name, missingPrefix); ok {
			fact, _, _ = strings.Cut(fact, " ")
			difference.NeededBy = p.NeededBy(fact)
		}
		found = append(found, difference)
	}
	return found
}

func (example Example) invalid(n fact.Needs) string {
	quoted := fmt.Sprintf("%q", rulefile.Clip(example.Name))
	for _, check := range []func(quoted string) string{
		example.invalidName,
		example.Expect.invalid,
		func(quoted string) string { return example.invalidFacts(n, quoted) },
		example.Expect.invalidCodes,
		example.Expect.invalidOptions,
		example.invalidPersons,
	} {
		if problem := check(quoted); problem != "" {
			return problem
		}
	}
	return ""
}

func (example Example) invalidName(quoted string) string {
	switch {
	case strings.TrimSpace(example.Name) == "":
		return "has no name: say what the example shows"
	case rulefile.TooLong(example.Name, MaxTextLength):
		return fmt.Sprintf("%s has a name longer than %d characters", quoted, MaxTextLength)
	case rulefile.Unprintable(example.Name) != "":
		return quoted + " has a name that " + rulefile.Unprintable(example.Name)
	}
	return ""
}

// invalid refuses an expectation of several kinds, or of nothing.
func (e Expectation) invalid(quoted string) string {
	switch {
	case !e.one():
		return quoted + " must expect either documents, or gaps, or includes and excludes; findings go with all but gaps"
	case e.Includes != nil && len(e.Includes) == 0, e.Excludes != nil && len(e.Excludes) == 0:
		return quoted + " includes or excludes no document: name one, or leave the list out"
	case e.Gaps != nil && len(e.Gaps) == 0:
		return quoted + " expects no gaps: list the documents that it expects instead"
	}
	return ""
}

// invalidFacts refuses facts that no business can have on one day, or that lack the day that the
// rules need.
func (example Example) invalidFacts(n fact.Needs, quoted string) string {
	f := example.Facts
	switch {
	case n.Counts && f.AsOf == nil:
		return quoted + " needs as_of, the day on which the rules count from dates"
	case n.Counted() && f.EstablishedDate != nil && f.AsOf == nil:
		return quoted + " needs as_of, the day on which the age of the business is counted"
	case f.EstablishedDate != nil && f.AsOf != nil && f.AsOf.Before(*f.EstablishedDate):
		return fmt.Sprintf(
			"%s has established_date %s after as_of %s, and a business cannot be on record before that day",
			quoted, f.EstablishedDate, f.AsOf)
	case f.NoPersonsAttested && len(f.Persons) > 0:
		return quoted + " has persons and no_persons_attested: true, which says that there are none: leave one of the two out"
	case len(f.Persons) > fact.MaxPersons:
		return fmt.Sprintf("%s has %d persons, and a business has at most %d on record", quoted, len(f.Persons), fact.MaxPersons)
	}
	facts := f.Facts()
	if many, most := facts.TooMany(); many != "" {
		return fmt.Sprintf("%s has %s, and a business has at most %d on record", quoted, many, most)
	}
	return ""
}

// invalidCodes refuses codes that no document and no finding can have.
func (e Expectation) invalidCodes(quoted string) string {
	for _, list := range []expectedRules{
		expectedDocuments(e.Documents),
		expectedDocuments(e.Includes),
		expectedDocuments(e.Excludes),
		expectedFindings(e.Findings),
	} {
		for _, expected := range list {
			if code := expected.Code(); !documentTypeCodePattern.MatchString(code) {
				return fmt.Sprintf("%s expects %q, and a %s is 1 to 64 of the characters A-Z, 0-9 and _", quoted, rulefile.Clip(code), expected.codeField())
			}
		}
	}
	return ""
}

func (example Example) invalidPersons(quoted string) string {
	seen := map[string]bool{}
	for _, person := range example.Facts.Persons {
		if person.PersonID == "" {
			return quoted + " has a person without person_id: give each a short name such as p1"
		}
		if found := rulefile.Unprintable(person.PersonID); found != "" {
			return quoted + " has a person_id that " + found
		}
		if seen[person.PersonID] {
			return quoted + " has two persons with one person_id: give each its own"
		}
		seen[person.PersonID] = true
		if born, asOf := person.DateOfBirth, example.Facts.AsOf; born != nil && asOf != nil && asOf.Before(*born) {
			return fmt.Sprintf("%s has date_of_birth %s after as_of %s, and a person cannot be on record before that day", quoted, born, asOf)
		}
	}
	return ""
}

// expectedRule is an expected document or finding, of a person if there is one.
type expectedRule struct {
	RuleKey
	person  string
	options []ExpectedOption // nil if the example expects nothing of them
}

// expectedRules has the entries of one list. There may be very many.
type expectedRules = iter.Seq2[int, expectedRule]

func expectedDocuments(documents []ExpectedDocument) expectedRules {
	return func(yield func(int, expectedRule) bool) {
		for i, d := range documents {
			if !yield(i, expectedRule{RuleKey{d.DocumentTypeCode, "", d.EntityType}, d.PersonID, d.AnyOf}) {
				return
			}
		}
	}
}

func expectedFindings(findings []ExpectedFinding) expectedRules {
	return func(yield func(int, expectedRule) bool) {
		for i, f := range findings {
			if !yield(i, expectedRule{RuleKey{"", f.FindingCode, f.EntityType}, f.PersonID, nil}) {
				return
			}
		}
	}
}

// expectedNames returns the names of expectations, as Expectation.names writes them.
func (p *Program) expectedNames(expected ...expectedRules) []string {
	names := []string{}
	for e, name := range p.withNames(expected...) {
		if e.options != nil {
			name += optionsText(e.options)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// expectedOptions are the options that documents are expected to offer, by the name of the document.
func (p *Program) expectedOptions(documents []ExpectedDocument) map[string][]ExpectedOption {
	options := map[string][]ExpectedOption{}
	for e, name := range p.withNames(expectedDocuments(documents)) {
		if e.options != nil {
			options[name] = e.options
		}
	}
	return options
}

// withNames names expectations. A code without an entity type gets the type from the rules.
func (p *Program) withNames(expected ...expectedRules) iter.Seq2[expectedRule, string] {
	type known struct {
		RuleKey // without the entity type
		person  bool
	}
	types := make(map[known]string, len(p.rules))
	for _, r := range slices.Backward(p.rules) { // the first rule of a code counts
		types[known{RuleKey{r.DocumentTypeCode, r.FindingCode, ""}, r.EntityType == fact.EntityPerson}] = r.EntityType
	}
	return func(yield func(expectedRule, string) bool) {
		for _, list := range expected {
			for _, e := range list {
				if e.EntityType == "" {
					e.EntityType = types[known{e.RuleKey, e.person != ""}]
				}
				if !yield(e, e.name()) {
					return
				}
			}
		}
	}
}

// names returns the names of the results that the example compares: findings if it expects any, and
// documents unless it expects only some. A document whose options it expects is named with those
// that it offers.
func (e Expectation) names(p *Program, found []match) []string {
	names := []string{}
	withOptions := p.expectedOptions(e.Documents)
	for _, m := range found {
		if compared := m.Document != nil && (e.Documents != nil || e.Gaps != nil) || m.Finding != nil && e.Findings != nil; compared {
			name := m.nameFor(m.subject)
			if given := m.givenOptions(withOptions[name], nil); given != nil {
				name += optionsText(given)
			}
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// nameFor names the document or the finding of an entity.
func (r CompiledRule) nameFor(s subject) string {
	e := expectedRule{RuleKey: r.RuleKey}
	if r.EntityType == fact.EntityPerson {
		e.person = s.entityID
	}
	return e.name()
}

func (e expectedRule) name() string {
	name := rulefile.Pick(e.FindingCode != "", "finding ", "document ") + e.Code()
	switch {
	case e.person != "":
		return name + " of person " + e.person
	case e.EntityType == "":
		return name
	}
	return name + " of the " + strings.ToLower(e.EntityType)
}

// one reports whether the expectation is of one kind. Findings may be combined with documents, or
// stand alone.
func (e Expectation) one() bool {
	kinds := 0
	for _, stated := range []bool{e.Documents != nil, e.Gaps != nil, e.partly()} {
		if stated {
			kinds++
		}
	}
	if e.Findings != nil {
		return kinds <= 1 && e.Gaps == nil
	}
	return kinds == 1
}

func (e Expectation) gapNames() []string {
	names := []string{}
	for _, gap := range e.Gaps {
		names = append(names, gapName(gap.Fact, gap.PersonID))
	}
	slices.Sort(names)
	return names
}

func gapNames(gaps []fact.Gap, f fact.Facts) []string {
	names := []string{}
	for _, gap := range gaps {
		person := ""
		if gap.EntityType == fact.EntityPerson && gap.EntityID != f.BusinessID {
			person = gap.EntityID
		}
		names = append(names, gapName(gap.Fact, person))
	}
	slices.Sort(names)
	return names
}

const missingPrefix = "missing "

func gapName(fact, person string) string {
	if person != "" {
		return missingPrefix + fact + " of person " + person
	}
	return missingPrefix + fact
}

// firstNamed shortens a long list of names.
func firstNamed(names []string) []string {
	if more := len(names) - maxNamed; more > 0 {
		return append(slices.Clone(names[:maxNamed]), fmt.Sprintf("and %d more", more))
	}
	return names
}

// Coverage is what the examples of a rule set try.
type Coverage struct {
	// Required and Spared report for each rule whether an example required its document or had its
	// finding, and whether an example did not. For findings, only examples with an expectation of
	// findings count.
	Required, Spared []bool
	Tried            []fact.Facts // the facts of the examples
	// Offered has the paths of the options with a condition that an example offered.
	Offered map[string]bool
}

// outcome is the result of an example.
type outcome struct {
	expects             Expectation
	failure             string
	missing, unexpected []string
	given               Expectation
	decided             *Bindings // the facts, when documents were decided
	found               []match   // the rules that held, when they were
}

func (p *Program) noCoverage() *Coverage {
	return &Coverage{Required: make([]bool, len(p.rules)), Spared: make([]bool, len(p.rules)), Offered: map[string]bool{}}
}

// add counts an example if its documents were decided.
func (c *Coverage) add(p *Program, came outcome) {
	if came.decided == nil {
		return
	}
	holds := map[string]int{}
	for _, m := range came.found {
		holds[m.Path]++
		for _, option := range m.offered {
			c.Offered[m.OptionPath(option)] = true
		}
	}
	for i, r := range p.rules {
		if r.Finding != nil && came.expects.Findings == nil {
			continue
		}
		subjects := 1
		if r.EntityType == fact.EntityPerson {
			subjects = len(came.decided.persons)
		}
		c.Required[i] = c.Required[i] || holds[r.Path] > 0
		c.Spared[i] = c.Spared[i] || holds[r.Path] < subjects
	}
	c.Tried = append(c.Tried, *came.decided.facts)
}
