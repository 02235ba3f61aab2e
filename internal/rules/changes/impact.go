package changes

import (
	"cmp"
	"slices"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// Impact: counts by document, gap and failure.

// Impact sums up what one rule set makes of many workflows. It grows with the
// kinds of documents, gaps and failures, and not with the workflows.
type Impact struct {
	// Workflows is how many were looked at. Each is among Changed, Unchanged,
	// Blocked or Failed.
	Workflows int `json:"workflows"`
	// Changed have documents added, restored or removed, or whose text changes, or findings that begin or
	// end.
	Changed   Tally `json:"changed"`
	Unchanged Tally `json:"unchanged"`
	// Blocked have gaps, so that nothing is decided.
	Blocked Tally `json:"blocked"`
	// Failed are those that the rules cannot be evaluated for.
	Failed Tally `json:"failed"`

	// Documents are sorted by document type code and entity type.
	Documents []DocumentImpact `json:"documents"`
	// Findings are sorted by finding code, kind and entity type.
	Findings []FindingImpact `json:"findings,omitempty"`
	// Missing are sorted by Fact, Failures by message.
	Missing  []GapImpact     `json:"missing"`
	Failures []FailureImpact `json:"failures"`

	examples  int
	documents map[[2]string]*DocumentImpact
	findings  map[findingKind]*FindingImpact
	missing   map[string]*GapImpact
	failures  map[string]*FailureImpact
}

// Tally counts things, and the workflows that they belong to.
type Tally struct {
	Count     int `json:"count"`
	Workflows int `json:"workflows"`
	// Examples name the first of those workflows: by their external_id, or their id without one.
	Examples []string `json:"examples,omitempty"`
}

// DocumentImpact is what becomes of the documents of one kind.
type DocumentImpact struct {
	DocumentTypeCode string `json:"document_type_code"`
	EntityType       string `json:"entity_type"`
	Added            Tally  `json:"added"`
	Kept             Tally  `json:"kept"`
	Restored         Tally  `json:"restored"`
	Removed          Tally  `json:"removed"`
	// TextChanged are some of those kept.
	TextChanged Tally `json:"text_changed"`
	// Reopened lose their approval or waiver, IdentityChanged of them for another identity: not for
	// what the rules say.
	Reopened        Tally `json:"reopened"`
	IdentityChanged Tally `json:"identity_changed"`
	// Reinstated have their approval or waiver again.
	Reinstated Tally `json:"reinstated"`
}

// FindingImpact is what becomes of one finding.
type FindingImpact struct {
	FindingCode string                  `json:"finding_code"`
	Kind        requirement.FindingKind `json:"kind"`
	EntityType  string                  `json:"entity_type"`
	Added       Tally                   `json:"added"`
	Removed     Tally                   `json:"removed"`
}

type findingKind struct {
	code       string
	kind       requirement.FindingKind
	entityType string
}

// GapImpact counts the gaps of one fact: see Gap.Fact.
type GapImpact struct {
	Fact string `json:"fact"`
	Tally
}

// FailureImpact counts the workflows that one failure concerns.
type FailureImpact struct {
	Message string `json:"message"`
	Tally
}

// NewImpact keeps at most so many workflow ids of each kind.
func NewImpact(examples int) *Impact {
	return &Impact{
		examples:  max(0, examples),
		documents: map[[2]string]*DocumentImpact{}, findings: map[findingKind]*FindingImpact{}, missing: map[string]*GapImpact{}, failures: map[string]*FailureImpact{},
	}
}

// AddChanges counts a workflow whose documents were decided, under its name.
func (i *Impact) AddChanges(name string, c requirement.Changes) {
	i.Workflows++
	total := &i.Unchanged
	if len(c.Added)+len(c.Restored)+len(c.Removed)+len(c.TextChanged)+len(c.Reopened)+len(c.Reinstated)+len(c.Findings.Added)+len(c.Findings.Removed) > 0 {
		total = &i.Changed
	}
	i.count(total, name, 1)
	i.addFindings(name, c.Findings.Added, func(f *FindingImpact) *Tally { return &f.Added })
	i.addFindings(name, c.Findings.Removed, func(f *FindingImpact) *Tally { return &f.Removed })
	for _, part := range []struct {
		documents []requirement.Document
		tally     func(*DocumentImpact) *Tally
	}{
		{c.Added, func(d *DocumentImpact) *Tally { return &d.Added }},
		{c.Kept, func(d *DocumentImpact) *Tally { return &d.Kept }},
		{c.Restored, func(d *DocumentImpact) *Tally { return &d.Restored }},
		{c.Removed, func(d *DocumentImpact) *Tally { return &d.Removed }},
		{c.TextChanged, func(d *DocumentImpact) *Tally { return &d.TextChanged }},
		{c.Reopened, func(d *DocumentImpact) *Tally { return &d.Reopened }},
		{identityChanged(c.Reopened), func(d *DocumentImpact) *Tally { return &d.IdentityChanged }},
		{c.Reinstated, func(d *DocumentImpact) *Tally { return &d.Reinstated }},
	} {
		counts := map[[2]string]int{}
		for _, document := range part.documents {
			counts[[2]string{document.DocumentTypeCode, document.EntityType}]++
		}
		for kind, n := range counts {
			of, known := i.documents[kind]
			if !known {
				of = &DocumentImpact{DocumentTypeCode: kind[0], EntityType: kind[1]}
				i.documents[kind] = of
			}
			i.count(part.tally(of), name, n)
		}
	}
}

func (i *Impact) addFindings(name string, findings []requirement.Finding, tally func(*FindingImpact) *Tally) {
	counts := map[findingKind]int{}
	for _, f := range findings {
		counts[findingKind{f.FindingCode, f.Kind, f.EntityType}]++
	}
	for of, n := range counts {
		found, known := i.findings[of]
		if !known {
			found = &FindingImpact{FindingCode: of.code, Kind: of.kind, EntityType: of.entityType}
			i.findings[of] = found
		}
		i.count(tally(found), name, n)
	}
}

func identityChanged(documents []requirement.Document) []requirement.Document {
	return slices.DeleteFunc(slices.Clone(documents), func(d requirement.Document) bool { return d.StatusReason != requirement.IdentityChanged })
}

// AddGaps counts a workflow whose facts are incomplete.
func (i *Impact) AddGaps(name string, gaps []fact.Gap) {
	i.Workflows++
	i.count(&i.Blocked, name, 1)
	counts := map[string]int{}
	for _, gap := range gaps {
		counts[gap.Fact]++
	}
	for fact, n := range counts {
		of, known := i.missing[fact]
		if !known {
			of = &GapImpact{Fact: fact}
			i.missing[fact] = of
		}
		i.count(&of.Tally, name, n)
	}
}

// maxFailures bounds how many kinds of failures are counted separately: their messages
// may hold numbers.
const (
	maxFailures   = 50
	otherFailures = "they failed in yet other ways"
)

// AddFailure counts a workflow that the rules cannot be evaluated for.
func (i *Impact) AddFailure(name, message string) {
	i.Workflows++
	i.count(&i.Failed, name, 1)
	of, known := i.failures[message]
	if !known && len(i.failures) >= maxFailures {
		message = otherFailures
		of, known = i.failures[message]
	}
	if !known {
		of = &FailureImpact{Message: message}
		i.failures[message] = of
	}
	i.count(&of.Tally, name, 1)
}

func (i *Impact) count(t *Tally, name string, n int) {
	t.Count += n
	t.Workflows++
	if len(t.Examples) < i.examples {
		t.Examples = append(t.Examples, name)
	}
}

// Sum fills in the lists. Counting may go on afterwards.
func (i *Impact) Sum() *Impact {
	i.Documents = Sorted(i.documents, func(a, b DocumentImpact) int {
		return cmp.Or(cmp.Compare(a.DocumentTypeCode, b.DocumentTypeCode), cmp.Compare(a.EntityType, b.EntityType))
	})
	i.Findings = Sorted(i.findings, func(a, b FindingImpact) int {
		return cmp.Or(cmp.Compare(a.FindingCode, b.FindingCode), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.EntityType, b.EntityType))
	})
	i.Missing = Sorted(i.missing, func(a, b GapImpact) int { return cmp.Compare(a.Fact, b.Fact) })
	i.Failures = Sorted(i.failures, func(a, b FailureImpact) int { return cmp.Compare(a.Message, b.Message) })
	return i
}

// Sorted are the values of counts, in an order.
func Sorted[K comparable, V any](of map[K]*V, compare func(a, b V) int) []V {
	values := make([]V, 0, len(of))
	for _, value := range of {
		values = append(values, *value)
	}
	slices.SortFunc(values, compare)
	return values
}
