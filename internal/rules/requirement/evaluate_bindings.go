package requirement

import (
	"context"
	"math"
	"slices"

	"requisite/internal/rules/fact"
)

// What conditions read: the facts on file and the lists of the rule set, in the form that
// the evaluator reads, and the gaps among them.

// Bindings are the values that conditions see: the facts on file, the lists of
// the rule set, and, while a Person rule is evaluated, the person at hand.
// They are not changed once made, but for what has been spent.
type Bindings struct {
	table   *fact.Table
	facts   *fact.Facts
	persons []fact.PersonFacts   // by id
	people  []datum              // the same persons
	values  []any                // by position of the row; nil where nothing is on file, *TextList of a list
	lists   map[string]*TextList // of the rule set
	person  *datum               // of people; nil but for a Person rule
	each    []subject            // of persons; nil until a Person rule asks for them
	limit   int                  // on what evaluations over these values may cost together
	spent   *uint64              // what they have cost so far, reasons included
	yield   func()               // nil when nobody waits
	yieldAt *uint64              // after how many steps it is called next
}

// yieldEvery is how many steps an evaluation takes before others may compute: about two
// milliseconds.
const yieldEvery = 50_000

// giveWay lets others compute when it is time. taken are steps that are not yet in spent.
// It returns the cause for which the context has ended.
func (b *Bindings) giveWay(ctx context.Context, taken int) error {
	if now := *b.spent + uint64(taken); b.yield != nil && now >= *b.yieldAt {
		b.yield()
		*b.yieldAt = now + yieldEvery
	}
	return context.Cause(ctx)
}

// ListsOf are the lists of a rule set.
func ListsOf(lists map[string][]string) map[string]*TextList {
	read := make(map[string]*TextList, len(lists))
	for name, entries := range lists {
		sorted := slices.Sorted(slices.Values(entries))
		list := &TextList{sorted: sorted, items: textItems(sorted, nil, "")}
		for _, entry := range entries {
			list.longest = max(list.longest, len(entry))
		}
		read[name] = list
	}
	return read
}

// textItems are the elements of a list, resting on the fact that it comes from.
func textItems(texts []string, row *fact.Row, person string) []datum {
	items := make([]datum, len(texts))
	for i, text := range texts {
		items[i].value = text
	}
	if row != nil {
		reasons, atoms := make([]why, len(texts)), make([]atom, len(texts))
		for i := range items {
			atoms[i] = atom{row, person, items[i].value}
			reasons[i].atoms = atoms[i : i+1 : i+1]
			items[i].why = &reasons[i]
		}
	}
	return items
}

// Bind sorts persons and codes, so that nothing depends on the order in which
// they came.
func Bind(table *fact.Table, facts fact.Facts, lists map[string]*TextList, limit uint64) *Bindings {
	f := &facts
	f.SortLists()
	b := &Bindings{
		table: table, facts: f,
		persons: fact.SortedPersons(f.Persons), lists: lists,
		spent: new(uint64), yieldAt: new(uint64(yieldEvery)), limit: int(min(limit, math.MaxInt)),
		values: make([]any, len(table.Facts)),
	}
	for _, row := range table.Facts {
		b.values[row.Position] = bound(row, "", row.Value(f))
	}
	b.people = make([]datum, len(b.persons))
	people, reasons, atoms := make([]personValues, len(b.persons)), make([]why, len(b.persons)), make([]atom, len(b.persons))
	fields := make([]any, len(b.persons)*len(table.Fields))
	for i := range b.persons {
		of := fields[i*len(table.Fields):][:len(table.Fields)]
		for _, field := range table.Fields {
			of[field.Position] = bound(field, b.persons[i].PersonID, field.ValueOf(&b.persons[i]))
		}
		people[i] = personValues{&b.persons[i], of}
		atoms[i] = atom{person: b.persons[i].PersonID}
		reasons[i].atoms = atoms[i : i+1 : i+1]
		b.people[i] = datum{value: &people[i], why: &reasons[i]}
	}
	return b
}

// bound is a value as the evaluator reads it.
func bound(row *fact.Row, person string, value any) any {
	texts, ok := value.([]string)
	if !ok {
		return value
	}
	if !slices.IsSorted(texts) {
		texts = slices.Sorted(slices.Values(texts))
	}
	return &TextList{sorted: texts, row: row, person: person}
}

// attested reports whether nobody is on record because the business has stated to
// have no persons.
func (b *Bindings) attested() bool { return len(b.persons) == 0 && b.facts.NoPersonsAttested }

// withPerson are the same values for a rule about one of persons.
func (b *Bindings) withPerson(i int) *Bindings {
	with := *b
	with.person = &b.people[i]
	return &with
}

// onePerson is the person that a Person rule is evaluated for; nil for other rules.
func (b *Bindings) onePerson() *fact.PersonFacts {
	if b.person == nil {
		return nil
	}
	return b.person.value.(*personValues).PersonFacts
}

// remaining is how many steps may still be taken.
func (b *Bindings) remaining() int {
	if *b.spent > uint64(b.limit) {
		return -1
	}
	return b.limit - int(*b.spent)
}

// atoms are all values on file that a condition needs.
func (b *Bindings) atoms(n fact.Needs) []atom {
	var found []atom
	for _, row := range b.table.Facts {
		if n.Facts[row] {
			found = append(found, atomsOf(row, "", row.Value(b.facts))...)
		}
	}
	persons := b.persons
	if !n.People && b.person != nil {
		persons = []fact.PersonFacts{*b.onePerson()}
	}
	for i := range persons {
		for _, field := range b.table.Fields {
			if n.Fields[field] {
				found = append(found, atomsOf(field, persons[i].PersonID, field.ValueOf(&persons[i]))...)
			}
		}
	}
	return found
}

// atomsOf are a value, or the elements of a list.
func atomsOf(row *fact.Row, person string, value any) []atom {
	texts, ok := value.([]string)
	switch {
	case !ok:
		return []atom{{row, person, value}}
	case len(texts) == 0:
		return []atom{{row, person, nil}}
	}
	atoms := make([]atom, len(texts))
	for i, text := range texts {
		atoms[i] = atom{row, person, text}
	}
	return atoms
}

// gaps are the needed facts that are absent, one gap for each, in the order of
// the fact table and then of the persons' ids.
func (b *Bindings) gaps(n fact.Needs) []fact.Gap {
	var gaps []fact.Gap
	reported := map[string]bool{}
	for _, row := range b.table.Facts {
		if n.Facts[row] && b.values[row.Position] == nil && !reported[row.GapName()] {
			reported[row.GapName()] = true
			gaps = append(gaps, b.table.Lookup(row.GapName()).Gap(b.facts))
		}
	}
	switch {
	case b.attested():
		return gaps
	case len(b.persons) == 0:
		return append(gaps, n.NobodyGaps(b.facts)...)
	}
	fields := n.RecordedFields()
	for i := range b.persons {
		of := b.people[i].value.(*personValues).fields
		for _, field := range fields {
			if of[field.Position] == nil {
				gaps = append(gaps, field.GapOf(&b.persons[i], !reported[field.Name]))
				reported[field.Name] = true
			}
		}
	}
	return gaps
}

// subject is the entity that a document would belong to.
type subject struct {
	entityID string
	values   *Bindings
}
