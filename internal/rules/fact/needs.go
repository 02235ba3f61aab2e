package fact

import (
	"cmp"
	"maps"
	"slices"
)

// This file has what rules refer to: the needs of a rule or a rule set, and the names of facts and
// gaps.

// Needs is what a condition refers to, whatever the facts.
type Needs struct {
	Facts  map[*Row]bool // that do not belong to a person
	Fields map[*Row]bool // of any person
	People bool          // the list of persons itself
	Looped bool          // persons one by one, in a loop of this condition
	Counts bool          // a number that is counted from a date to Facts.AsOf
	// somebody reports that a rule is about persons and reads no stored field of them, so that only
	// the persons themselves can be missing.
	somebody bool
}

// Add adds the needs of other to n.
func (n *Needs) Add(other Needs) {
	if n.Facts == nil {
		n.Facts, n.Fields = map[*Row]bool{}, map[*Row]bool{}
	}
	maps.Copy(n.Facts, other.Facts)
	maps.Copy(n.Fields, other.Fields)
	n.People = n.People || other.People
	n.Counts = n.Counts || other.Counts
	n.somebody = n.somebody || other.somebody
}

// OfRule returns the needs of a rule whose condition has these needs. A rule is about persons if it
// is evaluated for each of them or loops over them. A rule that only counts persons has a result
// for an empty list, too.
func (n Needs) OfRule(entityType string) Needs {
	n.somebody = (n.Looped || entityType == EntityPerson) && len(n.alwaysRecorded()) == 0
	return n
}

// alwaysRecorded is RecordedFields without those that are only asked for of some persons. Of nobody
// on record, it is not known whether they are.
func (n Needs) alwaysRecorded() []*Row {
	return slices.DeleteFunc(n.RecordedFields(), (*Row).Conditional)
}

// RecordedFields returns the fields that a stored person can lack, in the order in which their gaps
// are reported. The service itself assigns ids, so they are never missing.
func (n Needs) RecordedFields() []*Row {
	var fields []*Row
	for field := range n.Fields {
		if field.CanLack() {
			fields = append(fields, field)
		}
	}
	slices.SortFunc(fields, func(a, b *Row) int { return cmp.Compare(a.Position, b.Position) })
	return fields
}

// Counted reports whether n needs a number that is counted at Facts.AsOf.
func (n Needs) Counted() bool {
	if n.Counts {
		return true
	}
	for row := range n.Facts {
		if row.Follows != "" {
			return true
		}
	}
	return false
}

// Names returns sorted names. A field is named person.FIELD.
func (n Needs) Names() []string { return n.names(func(*Row) bool { return true }) }

// NamesWithoutDefault is Names without facts that always count as their default if they are absent,
// which nobody must supply.
func (n Needs) NamesWithoutDefault() []string { return n.names((*Row).MayBeGap) }

func (n Needs) names(of func(*Row) bool) []string {
	var names []string
	for row := range n.Facts {
		if of(row) {
			names = append(names, row.Name)
		}
	}
	for field := range n.Fields {
		if of(field) {
			names = append(names, NamePerson+"."+field.Name)
		}
	}
	if n.People || n.somebody {
		names = append(names, NamePersons)
	}
	slices.Sort(names)
	return names
}

// GapNames returns sorted names; see Gap.Fact.
func (n Needs) GapNames() []string {
	var names []string
	for row := range n.Facts {
		if row.MayBeGap() {
			names = append(names, row.GapName())
		}
	}
	for _, field := range n.RecordedFields() {
		names = append(names, NamePerson+"."+field.Name)
	}
	if n.somebody {
		names = append(names, NamePersons)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
