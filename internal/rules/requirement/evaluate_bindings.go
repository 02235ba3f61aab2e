package requirement

import (
	"context"
	"math"
	"slices"

	"requisite/internal/rules/fact"
)

// This file has what conditions read: the stored facts and the lists of the rule set, in the form
// that the evaluator reads, and the gaps among them.

// Bindings has the values that conditions see: the stored facts, the lists of the rule set, and,
// for a Person rule, the current person. Only the count of spent steps and the values of
// definitions change after they are created.
type Bindings struct {
	table     *fact.Table
	facts     *fact.Facts
	persons   []fact.PersonFacts                      // by id
	people    []datum                                 // the same persons
	values    []any                                   // by position of the row; nil if nothing is stored, *TextList for a list
	lists     map[string]*TextList                    // of the rule set
	person    *datum                                  // one of people for a Person rule; nil for others
	undecided map[whose]bool                          // absent facts of which it is not known whether they are asked for
	each      []subject                               // the persons; nil until a Person rule needs them
	read      map[*CompiledDefinition]definitionValue // those that read no person and were read
	limit     int                                     // of the cost of all evaluations of these values together
	spent     *uint64                                 // the cost so far, including reasons
	yield     func()                                  // nil if nobody waits
	yieldAt   *uint64                                 // the number of steps at which it is called next
}

// yieldEvery is how many steps an evaluation takes before it yields: about two milliseconds.
const yieldEvery = 50_000

// giveWay yields if it is time. taken are steps that spent does not include yet. It returns the
// cause if the context has ended.
func (b *Bindings) giveWay(ctx context.Context, taken int) error {
	if now := *b.spent + uint64(taken); b.yield != nil && now >= *b.yieldAt {
		b.yield()
		*b.yieldAt = now + yieldEvery
	}
	return context.Cause(ctx)
}

// ListsOf converts the lists of a rule set for conditions.
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

// textItems returns the elements of a list. They depend on the fact that they come from.
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

// Bind sorts persons and codes, so that nothing depends on their original order.
func Bind(table *fact.Table, facts fact.Facts, lists map[string]*TextList, limit uint64) *Bindings {
	f := &facts
	f.SortLists()
	b := &Bindings{
		table: table, facts: f,
		persons: fact.SortedPersons(f.Persons), lists: lists,
		spent: new(uint64), yieldAt: new(uint64(yieldEvery)), limit: int(min(limit, math.MaxInt)),
		values: make([]any, len(table.Facts)), read: map[*CompiledDefinition]definitionValue{},
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

// bound converts a value for the evaluator.
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

// unbound converts it back. The texts of a list are sorted.
func unbound(value any) any {
	if list, ok := value.(*TextList); ok {
		return list.sorted
	}
	return value
}

// attested reports whether there are no persons because the business has stated that it has none.
func (b *Bindings) attested() bool { return len(b.persons) == 0 && b.facts.NoPersonsAttested }

// withPerson returns the same values for a rule about the person with index i.
func (b *Bindings) withPerson(i int) *Bindings {
	with := *b
	with.person = &b.people[i]
	return &with
}

// onePerson is the person for whom a Person rule is evaluated. It is nil for other rules.
func (b *Bindings) onePerson() *fact.PersonFacts {
	if b.person == nil {
		return nil
	}
	return b.person.value.(*personValues).PersonFacts
}

// remaining is how many steps are left.
func (b *Bindings) remaining() int {
	if *b.spent > uint64(b.limit) {
		return -1
	}
	return b.limit - int(*b.spent)
}

// atoms returns all stored values that a condition needs.
func (b *Bindings) atoms(n fact.Needs) []atom {
	var found []atom
	for _, row := range b.table.Facts {
		if n.Facts[row] {
			found = append(found, atomsOf(row, "", unbound(b.values[row.Position]))...)
		}
	}
	people := b.people
	if !n.People && b.person != nil {
		people = []datum{*b.person}
	}
	for i := range people {
		of := people[i].value.(*personValues)
		for _, field := range b.table.Fields {
			if n.Fields[field] {
				found = append(found, atomsOf(field, of.PersonID, unbound(of.fields[field.Position]))...)
			}
		}
	}
	return found
}

// atomsOf returns a value, or the elements of a list, as atoms.
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

// gaps returns a gap for each needed fact that is absent and asked for, in the order of the fact
// table and then of the persons' ids.
func (b *Bindings) gaps(n fact.Needs) []fact.Gap {
	var gaps []fact.Gap
	reported := map[string]bool{}
	for _, row := range b.table.Facts {
		if n.Facts[row] && b.values[row.Position] == nil && !reported[row.GapName()] && !b.undecided[whose{row: row}] {
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
			if of[field.Position] == nil && !b.undecided[whose{field, b.persons[i].PersonID}] {
				gaps = append(gaps, field.GapOf(&b.persons[i], !reported[field.Name]))
				reported[field.Name] = true
			}
		}
	}
	return gaps
}

// subject is an entity to which a document can belong.
type subject struct {
	entityID string
	values   *Bindings
}
