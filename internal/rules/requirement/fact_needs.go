package requirement

import (
	"slices"
)

// What rules refer to. Input: the needs of conditions. Output: the needs of a rule or
// a rule set, and the names of facts and gaps.

// needs is what a condition refers to, whatever the facts are.
type needs struct {
	facts  map[string]bool // names in factTable
	fields map[string]bool // names in personFields, of any person
	people bool            // the list of persons itself
	looped bool            // persons one by one, in a loop of this condition
	// somebody tells that a rule is about persons and reads no field that is
	// recorded of them, so that only the persons themselves can be missing.
	somebody bool
}

func (n *needs) add(other needs) {
	if n.facts == nil {
		n.facts, n.fields = map[string]bool{}, map[string]bool{}
	}
	for name := range other.facts {
		n.facts[name] = true
	}
	for name := range other.fields {
		n.fields[name] = true
	}
	n.people = n.people || other.people
	n.somebody = n.somebody || other.somebody
}

// ofRule are the needs of a rule whose condition has these. A rule is about
// persons when it is evaluated for each of them or looks at them one by one. One
// that only counts them has its answer from an empty list too.
func (n needs) ofRule(entityType string) needs {
	n.somebody = (n.looped || entityType == EntityPerson) && len(n.recordedFields()) == 0
	return n
}

// recordedFields are the fields that a person on record can lack, in the order in
// which their gaps are reported. The service itself gives the ids.
func (n needs) recordedFields() []*fact {
	var fields []*fact
	for _, field := range personFields {
		if n.fields[field.name] && field.canLack() {
			fields = append(fields, field)
		}
	}
	return fields
}

// counted reports whether a fact is needed that is counted at Facts.AsOf.
func (n needs) counted() bool {
	for name := range n.facts {
		if lookup(name).follows != "" {
			return true
		}
	}
	return false
}

// names are sorted; a field is named person.FIELD.
func (n needs) names() []string {
	names := sortedKeys(n.facts)
	for field := range n.fields {
		names = append(names, namePerson+"."+field)
	}
	if n.people || n.somebody {
		names = append(names, namePersons)
	}
	slices.Sort(names)
	return names
}

// gapNames are sorted; see Gap.Fact.
func (n needs) gapNames() []string {
	var names []string
	for _, row := range factTable {
		if n.facts[row.name] {
			names = append(names, row.gapName())
		}
	}
	for _, field := range n.recordedFields() {
		names = append(names, namePerson+"."+field.name)
	}
	if n.somebody {
		names = append(names, namePersons)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
