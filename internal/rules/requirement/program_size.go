package requirement

import (
	"fmt"
	"slices"

	"requisite/internal/rules/fact"
)

// This file limits the size of the documents and findings of one result, in bytes of JSON.

// SizedPersons is how many persons a business may have so that every calculation of a published
// rule set certainly fits into a run. For more, up to MaxPersons, publishing only warns.
const SizedPersons = 50

const (
	// referenceBytes is the size of a document's references, besides its code twice more: the
	// decision and the event name each document, with its status.
	referenceBytes = 210
	// sentenceBytes is the size of a reason besides what it says about the comparisons.
	sentenceBytes = 80
)

func (r Requirement) size() int {
	return referenceBytes + 2*len(r.RuleKey().Code()) + jsonBytes(r)
}

// toldBytes is what a finding adds to the answer of workflow.get, which has all findings.
func (r Rule) toldBytes() int {
	if r.Finding == nil {
		return 0
	}
	return jsonBytes(r.Finding.Message) + jsonBytes(r.Text())
}

// SizeProblem returns a problem if a business with this many persons may have more requirements
// than a calculation can contain. consequence says what happens then. It is empty for rules that
// fit.
func (p *Program) SizeProblem(persons int, consequence string) []Problem {
	if most := p.mostRequired(persons); most.bytes > MaxResultBytes {
		return []Problem{most.problem(consequence)}
	}
	return nil
}

// mostRequired is the most that is required from a business with this many persons, if all rules
// hold at once: the sum over the rules of their documents times the size of one.
func (p *Program) mostRequired(persons int) requiredBytes {
	most := requiredBytes{persons: persons}
	bytesOf := make([]int, len(p.rules))
	for i := range p.rules {
		documents := 1
		if p.rules[i].EntityType == fact.EntityPerson {
			documents = persons
		}
		if p.rules[i].Finding != nil {
			most.findings += documents
		}
		bytesOf[i] = documents * p.rules[i].largest(persons)
		most.documents, most.bytes = most.documents+documents, most.bytes+bytesOf[i]
	}
	if len(bytesOf) > 0 {
		most.largest = &p.rules[slices.Index(bytesOf, slices.Max(bytesOf))]
	}
	return most
}

type requiredBytes struct {
	persons, documents, bytes int           // findings count as documents
	findings                  int           // of them
	largest                   *CompiledRule // the rule whose documents take most
}

func (m requiredBytes) problem(consequence string) Problem {
	mend := "require fewer documents of each person, or look at fewer facts in the conditions"
	what, path := "documents", "documents"
	if m.findings > 0 {
		what = "documents and findings"
	}
	if m.largest.Finding != nil {
		path, mend = "findings", "shorten its message and its condition, or look at fewer facts in it"
	}
	if m.largest.readsPeople() {
		mend = "it is evaluated for each person, and each of its reasons names all persons: " +
			"use only person in it, or move the part about persons into a rule of the business"
	}
	return Problem{Path: path, Message: fmt.Sprintf(
		"may require %d %s at once of a business with %d persons, which take up to %d bytes with their reasons, and a calculation holds %d%s; "+
			"%s takes most: %s",
		m.documents, what, m.persons, m.bytes, MaxResultBytes, consequence, m.largest.Code(), mend)}
}

// largest is the most bytes of one document of the rule.
func (r *CompiledRule) largest(persons int) int {
	required := Requirement{r.DocumentTypeCode, r.FindingCode, r.EntityType, fact.LongestEntityID, Reason{Message: r.Name, Facts: ReasonFacts{}}, r.allOffered()}
	c := r.Condition
	if c == nil {
		return required.size() + r.toldBytes() + sentenceBytes
	}
	person := map[string]any{}
	declared, most := map[string]map[string]any{}, 0
	of := func(row *fact.Row, facts map[string]any) {
		if row.Declared != nil { // declared values have one limit together
			entityType := row.Declared.EntityType
			if facts = declared[entityType]; facts == nil {
				facts = map[string]any{}
				declared[entityType] = facts
			}
		}
		facts[row.Name] = row.Longest
		most += defaultBytes(row)
	}
	for row := range c.needs.Fields {
		of(row, person)
	}
	for row := range c.needs.Facts {
		of(row, required.Reason.Facts)
	}
	ofPerson := jsonBytes(map[string]any{fact.LongestEntityID: person}) + min(jsonBytes(declared[fact.EntityPerson]), fact.MaxPersonCustomBytes)
	size := required.size() + r.toldBytes() + sentenceBytes + c.mostSaid + most + ofPerson
	for _, entityType := range []string{fact.EntityBusiness, fact.EntityWorkflow} {
		size += min(jsonBytes(declared[entityType]), fact.MaxCustomBytes)
	}
	if c.needs.People {
		size += persons * ofPerson
	}
	return size
}

// defaultBytes is the most bytes that a reason says about a fact that counts as its default. Some
// persons may have stated nothing, and others a value that does not count.
func defaultBytes(row *fact.Row) (most int) {
	if row.Default == nil {
		return 0
	}
	for _, because := range fact.DefaultReasons() {
		said := len("; the  of person ") + jsonBytes(fact.LongestEntityID+row.Label+defaultWords(because, row))
		if row.OfPerson() {
			most += said
		} else {
			most = max(most, said)
		}
	}
	return most
}

// gapsProblem returns a problem if a business with the most persons may have more gaps than an
// answer can contain. It is empty for facts that fit.
func gapsProblem(table *fact.Table, n fact.Needs) []Problem {
	bytes, gaps := 0, 0
	f := fact.Facts{WorkflowID: fact.LongestEntityID, BusinessID: fact.LongestEntityID, SalesInfoID: fact.LongestEntityID, Currency: "USD"}
	for _, row := range table.Facts {
		if n.Facts[row] && row.MayBeGap() {
			bytes, gaps = bytes+jsonBytes(row.Gap(&f))+row.LongestAgain(), gaps+1
		}
	}
	person := fact.PersonFacts{PersonID: fact.LongestEntityID}
	for _, field := range n.RecordedFields() {
		bytes += jsonBytes(field.GapOf(&person, true)) + (fact.MaxPersons-1)*jsonBytes(field.GapOf(&person, false)) + fact.MaxPersons*field.LongestAgain()
		gaps += fact.MaxPersons
	}
	if bytes <= MaxResultBytes {
		return nil
	}
	return []Problem{{Path: "facts", Message: fmt.Sprintf(
		"may lead to %d gaps at once for a business with %d persons, which take up to %d bytes, and an answer holds %d: "+
			"read fewer facts of persons in the rules, give some a default, or shorten their names and labels",
		gaps, fact.MaxPersons, bytes, MaxResultBytes)}}
}

// MaxResultBytes limits the documents and findings of one evaluation with their reasons, and its
// gaps, as JSON. Temporal accepts no payload above 2 MiB. A rule set that may exceed the limit for
// SizedPersons persons does not compile. For more persons, Evaluate checks it.
const MaxResultBytes = 1_500_000
