package requirement

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
)

// This file has a rule set as a value: its canonical JSON, and problems with its names, texts and
// sizes.

// Limits of one rule set. With them, publishing, storing and evaluating it take a known time.
// Lengths are in characters.
const (
	MaxSourceBytes     = rulefile.MaxBytes
	MaxDocuments       = 1000
	MaxLists           = 100
	MaxListEntries     = 1000
	MaxListEntryLength = 64
	MaxExamples        = 200
	MaxConditionLength = 4096
	// MaxConditionsLength limits all conditions of a set together, in bytes. Parsing them takes
	// most of the time of checking the set.
	MaxConditionsLength = 256 << 10
	MaxTextLength       = 4000
)

// RuleSet is the source form of an account's document rules. It is published as a whole and never
// changes afterwards.
type RuleSet struct {
	// Facts has the facts that the account declares. Conditions name them custom.NAME and
	// person.custom.NAME.
	Facts []fact.Declaration `json:"facts,omitempty"`
	// Lists has sets of texts that conditions name lists.NAME.
	Lists map[string][]string `json:"lists,omitempty" maxProperties:"1000"`
	// Definitions has conditions that others name definitions.NAME.
	Definitions map[string]string `json:"definitions,omitempty" maxProperties:"1000"`
	Documents   []DocumentRule    `json:"documents" maxItems:"2000"`
	// Findings has the rules of findings. They are evaluated with the documents.
	Findings []FindingRule `json:"findings,omitempty" maxItems:"200"`
	// Examples are tests that are part of the rules. Compile runs them.
	Examples []Example `json:"examples,omitempty" maxItems:"400"`
}

// DocumentRule says when one kind of document is required.
type DocumentRule struct {
	DocumentTypeCode string `json:"document_type_code"`
	Name             string `json:"name"`
	Category         string `json:"category"`
	RequirementText  string `json:"requirement_text"`
	// EntityType is Workflow, Business or Person. A Person rule is evaluated for each stored
	// person. It requires one document for each person for which it holds.
	EntityType string `json:"entity_type"`
	// When is the condition in CEL. Without a condition the document is always required.
	When string `json:"when,omitempty" minLength:"1" doc:"leave it out when the document is always required"`
	Terms
	// LegalBasis is a text for colleagues and examiners.
	LegalBasis string `json:"legal_basis,omitempty" minLength:"1" doc:"write the law or the policy, or leave it out"`
}

// Example is a test in a rule set: for these facts, these documents are required or these facts are
// missing. A rule set with a failing example does not compile.
type Example struct {
	Name   string            `json:"name"`
	Facts  fact.ExampleFacts `json:"facts"`
	Expect Expectation       `json:"expect"`
}

// Expectation is what an example expects: exactly these documents, or exactly these gaps, in any
// order; or that some documents are required, and others are not. In Includes and Excludes, a code
// alone means a document of any entity. Except with gaps, it may also expect exactly these
// findings. Lists of other expectations are nil.
type Expectation struct {
	Documents []ExpectedDocument `json:"documents,omitzero"`
	Findings  []ExpectedFinding  `json:"findings,omitzero"`
	Gaps      []ExpectedGap      `json:"gaps,omitzero"`
	Includes  []ExpectedDocument `json:"includes,omitzero"`
	Excludes  []ExpectedDocument `json:"excludes,omitzero"`
}

// partly reports whether the expectation is only about some documents.
func (e Expectation) partly() bool { return e.Includes != nil || e.Excludes != nil }

// is reports whether a document is the expected one, or one of them.
func (d ExpectedDocument) is(m match) bool {
	return m.Document != nil && d.DocumentTypeCode == m.DocumentTypeCode && (d.EntityType == "" || d.EntityType == m.EntityType) &&
		(d.PersonID == "" || m.EntityType == fact.EntityPerson && d.PersonID == m.subject.entityID)
}

// ExpectedDocument names one required document. In a file it may be only the document type code.
// PersonID is set only for the document of a person. EntityType distinguishes two documents with
// one code. AnyOf has exactly the options that are offered, in any order. If it is nil, the example
// expects nothing of them.
type ExpectedDocument struct {
	DocumentTypeCode string `json:"document_type_code"`
	EntityType       string `json:"entity_type,omitzero" minLength:"1" doc:"write Workflow, Business or Person, or leave it out"`
	PersonID         string `json:"person_id,omitzero" minLength:"1" doc:"write a person_id of the facts, or leave it out"`

	AnyOf []ExpectedOption `json:"any_of,omitzero" nullable:"false"`
}

// ExpectedOption names one option that is offered: by its code, or by the codes of its parts. Terms
// distinguish it from another option with its code. In a file it may be only the code.
type ExpectedOption struct {
	DocumentTypeCode string       `json:"document_type_code,omitempty"`
	AllOf            []string     `json:"all_of,omitzero" nullable:"false"`
	NotOlderThan     *fact.Period `json:"not_older_than,omitempty"`
	MustBeValid      *bool        `json:"must_be_valid,omitempty"`
	ValidFor         *fact.Period `json:"valid_for,omitempty"`
	ExpiredAtMost    *fact.Period `json:"expired_at_most,omitempty"`
}

// ExpectedFinding names one finding as ExpectedDocument names a document.
type ExpectedFinding struct {
	FindingCode string `json:"finding_code"`
	EntityType  string `json:"entity_type,omitzero" minLength:"1" doc:"write Workflow, Business or Person, or leave it out"`
	PersonID    string `json:"person_id,omitzero" minLength:"1" doc:"write a person_id of the facts, or leave it out"`
}

// ExpectedGap names one missing fact: a name of the fact table, with established_date also for the
// ages, or person.FIELD with the person's id. persons, and person.FIELD without an id, expect that
// there are no persons. In a file it may be only the name.
type ExpectedGap struct {
	Fact     string `json:"fact"`
	PersonID string `json:"person_id,omitzero" minLength:"1" doc:"write a person_id of the facts, or leave it out"`
}

// Problem is one thing wrong with a rule set or a pricing model.
type Problem = rulefile.Problem

// Severity distinguishes a likely mistake from advice.
type Severity = rulefile.Severity

// The severities of warnings.
const (
	SeverityWarning = rulefile.SeverityWarning
	SeverityHint    = rulefile.SeverityHint
)

// CanonicalJSON is the form in which a rule set is stored, hashed and compared. The same content
// gives the same bytes, in JSON and in YAML, for any order of the names within an object.
// ParseRuleSetJSON parses it back.
func (rs RuleSet) CanonicalJSON() []byte {
	if rs.Documents == nil {
		rs.Documents = []DocumentRule{}
	}
	return fact.CanonicalJSON(rs)
}

var (
	documentTypeCodePattern = regexp.MustCompile(`^[A-Z0-9_]{1,64}$`)
	listNamePattern         = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)
)

// validate returns what is wrong with the rule set apart from its conditions and examples.
func (rs RuleSet) validate() []Problem {
	var problems []Problem
	add := func(path, format string, args ...any) {
		problems = append(problems, Problem{Path: path, Message: fmt.Sprintf(format, args...)})
	}
	if n := len(rs.Documents); n > MaxDocuments {
		add("documents", "holds %d rules; at most %d are allowed", n, MaxDocuments)
	}
	switch n := len(rs.Findings); {
	case n > MaxFindings:
		add("findings", "holds %d rules; at most %d are allowed", n, MaxFindings)
	case n == 0 && rs.Findings != nil:
		add("findings", "holds none: write a finding, or leave findings out")
	}
	if n := len(rs.Examples); n > MaxExamples {
		add("examples", "holds %d examples; at most %d are allowed", n, MaxExamples)
	}
	problems = append(problems, validateFacts(rs.Facts)...)
	problems = append(problems, validateLists(rs.Lists)...)
	if n := len(rs.Definitions); n > MaxDefinitions {
		add(nameDefinitions, "holds %d definitions; at most %d are allowed", n, MaxDefinitions)
	}
	for _, name := range slices.Sorted(maps.Keys(rs.Definitions)) {
		if why := badName(name); why != "" {
			add(nameDefinitions+"."+name, "%s", why)
		}
	}
	first := map[RuleKey]string{}
	for _, rule := range rs.Rules() {
		problems = append(problems, rule.validate()...)
		if rule.Document != nil {
			problems = append(problems, rule.Document.Terms.validate(rule.Path, rule.EntityType, rs.Facts)...)
		}
		if earlier, seen := first[rule.RuleKey]; seen {
			add(rule.Path+"."+rule.codeField(), "%s for entity type %s is already %s: join the two conditions with ||", rule.Code(), rule.EntityType, earlier)
			continue
		}
		first[rule.RuleKey] = rule.Path
	}
	return problems
}

// codeProblem returns what is wrong with the code of a document or a finding.
func codeProblem(code string) string {
	switch {
	case code == "":
		return "is missing"
	case documentTypeCodePattern.MatchString(code):
		return ""
	}
	hint := ""
	if meant := strings.ToUpper(strings.NewReplacer(" ", "_", "-", "_").Replace(strings.TrimSpace(code))); documentTypeCodePattern.MatchString(meant) {
		hint = ": write " + meant
	}
	return "must be 1 to 64 of the characters A-Z, 0-9 and _" + hint
}

// textProblem returns what is wrong with a required text.
func textProblem(text string, longest int) string {
	switch {
	case strings.TrimSpace(text) == "":
		return "is missing"
	case rulefile.TooLong(text, longest):
		return fmt.Sprintf("is longer than %d characters", longest)
	}
	return rulefile.Unprintable(text)
}

func validateLists(lists map[string][]string) []Problem {
	var problems []Problem
	add := func(path, format string, args ...any) {
		problems = append(problems, Problem{Path: path, Message: fmt.Sprintf(format, args...)})
	}
	if n := len(lists); n > MaxLists {
		add("lists", "holds %d lists; at most %d are allowed", n, MaxLists)
	}
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		path := "lists." + name
		if why := badName(name); why != "" {
			add(path, "%s", why)
		}
		if n := len(lists[name]); n > MaxListEntries {
			add(path, "holds %d entries; at most %d are allowed", n, MaxListEntries)
		}
		for i, entry := range lists[name] {
			switch {
			case rulefile.TooLong(entry, MaxListEntryLength):
				add(fmt.Sprintf("%s[%d]", path, i), "is longer than %d characters", MaxListEntryLength)
			case rulefile.Unprintable(entry) != "":
				add(fmt.Sprintf("%s[%d]", path, i), "%s", rulefile.Unprintable(entry))
			}
		}
	}
	return problems
}

// badName returns why a list or a definition cannot have a name.
func badName(name string) string {
	if listNamePattern.MatchString(name) && !celReserved(name) {
		return ""
	}
	return "is not a name that a condition can use: start with a-z, go on with a-z, 0-9 and _, at most 64 characters, " +
		"and avoid the words of the language such as in and for"
}

// celReserved reports whether CEL reserves a word.
func celReserved(word string) bool {
	return slices.Contains(strings.Fields(`as break const continue else false for function if import in let loop
		namespace null package return true var void while`), word)
}
