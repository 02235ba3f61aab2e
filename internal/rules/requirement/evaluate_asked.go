package requirement

import (
	"context"
	"fmt"

	"requisite/internal/rules/fact"
)

// This file decides whether the absence of a fact with an asked_when is a gap.

// whose is a fact of one record. person is empty for a fact of the business or the workflow.
type whose struct {
	row    *fact.Row
	person string
}

// ask gives each needed fact that is absent and not asked for its default. If a fact is missing
// that its asked_when reads, that fact is a gap, and this one is not.
func (b *Bindings) ask(ctx context.Context, asked []AskedFact, needs fact.Needs) error {
	for _, a := range asked {
		if needs.Facts[a.Row] {
			if err := b.askFor(ctx, a, b, &b.values[a.Row.Position]); err != nil {
				return err
			}
		}
		if !needs.Fields[a.Row] {
			continue
		}
		for i := range b.people {
			of := b.people[i].value.(*personValues)
			if err := b.askFor(ctx, a, b.withPerson(i), &of.fields[a.Row.Position]); err != nil {
				return err
			}
		}
	}
	return nil
}

// askFor decides about one record. of has the values that the condition sees.
func (b *Bindings) askFor(ctx context.Context, a AskedFact, of *Bindings, value *any) error {
	if *value != nil {
		return nil
	}
	record := whose{row: a.Row}
	if a.Row.OfPerson() {
		record.person = of.onePerson().PersonID
	}
	if of.lacks(a.Condition.needs) {
		if b.undecided == nil {
			b.undecided = map[whose]bool{}
		}
		b.undecided[record] = true
		return nil
	}
	asked, err := a.Condition.Holds(ctx, of)
	if err != nil {
		return fmt.Errorf("%s (%s): %w", a.Path, a.Row.Name, err)
	}
	if !asked {
		*value = bound(a.Row, record.person, a.Row.Default)
	}
	return nil
}

// lacks reports whether a needed fact is absent: of the current person, if it belongs to persons.
func (b *Bindings) lacks(n fact.Needs) bool {
	for row := range n.Facts {
		if b.values[row.Position] == nil {
			return true
		}
	}
	for field := range n.Fields {
		if b.person.value.(*personValues).fields[field.Position] == nil {
			return true
		}
	}
	return false
}
