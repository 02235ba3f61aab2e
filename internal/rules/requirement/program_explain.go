package requirement

import (
	"cmp"
	"context"
	"fmt"

	"requisite/internal/rules/fact"
)

// This file explains step by step how each rule comes to its result.

// RuleExplanation is the evaluation of one rule for one entity.
type RuleExplanation struct {
	// Path is the path of the rule in its rule set, such as documents[1].
	Path             string
	DocumentTypeCode string
	FindingCode      string
	EntityType       string
	EntityID         string
	Rule             string
	// Required reports that the rule holds.
	Required bool
	// Explanation is the rule's text for the applicant.
	Explanation string
	// Steps is the evaluation as a tree. It is nil for a rule without a condition.
	Steps *Step
}

// ExplainEach calls see with the explanation of every rule for each entity. It has the same results
// as Evaluate for the same facts, and fails when Evaluate fails. steps adds the steps, which take
// far longer than the result. If there are gaps, it explains nothing. An error of see ends it and
// is returned.
func (p *Program) ExplainEach(ctx context.Context, f fact.Facts, see func(r RuleExplanation, steps func() *Step) error) ([]fact.Gap, error) {
	b, err := p.prepare(ctx, f)
	if err != nil {
		return nil, err
	}
	if gaps := b.gaps(p.needs); len(gaps) > 0 {
		return gaps, nil
	}
	for i := range p.rules {
		r := &p.rules[i]
		for _, subject := range r.subjects(b) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			_, holds, err := r.match(ctx, subject)
			if err != nil {
				return nil, fmt.Errorf("explain %s (%s): %w", r.Path, r.Code(), err)
			}
			if err := see(r.outcome(subject, holds), func() *Step { return r.steps(subject, holds) }); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

func (r *CompiledRule) explain(s subject, holds bool) RuleExplanation {
	explained := r.outcome(s, holds)
	explained.Steps = r.steps(s, holds)
	return explained
}

// Code is the code of the document or the finding.
func (r RuleExplanation) Code() string { return cmp.Or(r.DocumentTypeCode, r.FindingCode) }

// outcome is an explanation without steps.
func (r *CompiledRule) outcome(s subject, holds bool) RuleExplanation {
	outcome := RuleExplanation{
		Path: r.Path, DocumentTypeCode: r.DocumentTypeCode, FindingCode: r.FindingCode, EntityType: r.EntityType, EntityID: s.entityID,
		Rule: r.withoutCondition(), Required: holds,
	}
	if r.Document != nil {
		outcome.Explanation = r.Document.Explanation
	}
	if r.Condition != nil {
		outcome.Rule = r.Condition.source
	}
	return outcome
}

func (r *CompiledRule) steps(s subject, required bool) *Step {
	var own *Step
	if r.Condition != nil {
		own = r.Condition.explain(s.values)
	}
	return r.withOptions(own, s, required)
}

// FactValue is one fact in the form that rules see.
type FactValue struct {
	// Name is the name of the fact, or persons for the number of stored persons.
	Name string
	// PersonID is the person to whom the field belongs. It is empty for other facts.
	PersonID string
	// Value is a number, a text, a date as YYYY-MM-DD or a list of texts. It is nil if there is
	// none.
	Value any
	// DefaultBecause says why a declared fact counts as its default, in the words of
	// fact.DefaultReasons. It is empty if the fact does not.
	DefaultBecause string
}

// FactValues returns the facts to which the rules refer: first the facts of the fact table, then
// the number of persons, then their fields by person id. An absent fact is without a value while it
// is not known whether it is asked for.
func (p *Program) FactValues(ctx context.Context, f fact.Facts) ([]FactValue, error) {
	b := Bind(p.table, f, p.read, p.limit)
	if err := b.ask(ctx, p.asked, p.needs); err != nil && !Unanswerable(err) {
		return nil, err
	}
	var values []FactValue
	add := func(row *fact.Row, person string, bound any, custom fact.Values) {
		value := FactValue{Name: row.Name, PersonID: person, Value: plainValue(unbound(bound))}
		if bound != nil {
			value.DefaultBecause = row.DefaultBecause(custom)
		}
		values = append(values, value)
	}
	for _, row := range p.table.Facts {
		if p.needs.Facts[row] {
			add(row, "", b.values[row.Position], b.facts.Custom)
		}
	}
	if !p.needs.People && len(p.needs.Fields) == 0 {
		return values, nil
	}
	values = append(values, FactValue{Name: fact.NamePersons, Value: len(f.Persons)})
	for i := range b.people {
		of := b.people[i].value.(*personValues)
		for _, field := range p.table.Fields {
			if p.needs.Fields[field] && !field.IsID() {
				add(field, of.PersonID, of.fields[field.Position], of.Custom)
			}
		}
	}
	return values, nil
}
