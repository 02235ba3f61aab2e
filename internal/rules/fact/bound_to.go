package fact

import (
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// This file has the values to which bound_to can bind an approval, and their digests. A digest shows
// whether a value has changed. It is personal data as the value is: whoever has it can try values.
// It differs between businesses, so that no table of digests helps.

// The names of values that are no single facts.
const (
	BoundAddress = "address"
	BoundPersons = NamePersons
)

// Bindable returns the sorted names to which approvals of a rule's documents can be bound: the
// address, the persons, and facts as they are stored.
func (t *Table) Bindable(entityType string) []string {
	names := []string{BoundAddress, BoundPersons}
	for _, row := range t.Facts {
		if row.Follows == "" && !row.Priced {
			names = append(names, row.Name)
		}
	}
	if entityType == EntityPerson {
		for _, field := range t.Fields {
			if !field.IsID() {
				names = append(names, field.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// Bare is a name without the "person." that conditions have before a person's fact.
func Bare(name string) string { return strings.TrimPrefix(name, NamePerson+".") }

// BoundDigest returns the digest of the value with a name that Bindable returns. It is empty if
// there is no value: a default does not count, nor does a stored value that does not fit the fact.
// personID is the person of the document, for a rule of persons. address is what BoundAddress
// means: see FoldedAddress.
func (t *Table) BoundDigest(name, personID, address string, f *Facts) string {
	text := t.boundText(Bare(name), personID, address, f)
	if text == "" {
		return ""
	}
	return Digest([]byte(f.BusinessID + "\n" + Bare(name) + "\n" + text))
}

// boundText is the value as a text. It is empty if there is none.
func (t *Table) boundText(name, personID, address string, f *Facts) string {
	switch name {
	case BoundAddress:
		return address
	case BoundPersons:
		return shares(f.Persons)
	}
	row := t.Lookup(name)
	switch {
	case row == NoFact:
		return ""
	case !row.OfPerson():
		return valueText(row.onFile(f))
	}
	at := slices.IndexFunc(f.Persons, func(p PersonFacts) bool { return p.PersonID == personID })
	if at < 0 {
		return ""
	}
	return valueText(row.onFileOf(&f.Persons[at]))
}

// FoldedAddress joins the parts of an address for BoundDigest. Each part is trimmed, and case and
// the form of accents do not matter. An empty part counts as absent. It is empty for no address.
func FoldedAddress(parts ...*string) string {
	folded, filled := make([]string, len(parts)), false
	for i, part := range parts {
		if part != nil {
			folded[i] = norm.NFC.String(cases.Fold().String(norm.NFC.String(strings.TrimSpace(*part))))
		}
		filled = filled || folded[i] != ""
	}
	if !filled {
		return ""
	}
	return string(CanonicalJSON(folded))
}

// onFile is Value without the default.
func (row *Row) onFile(f *Facts) any {
	if row.Declared != nil && row.DefaultBecause(f.Custom) != "" {
		return nil
	}
	return row.Value(f)
}

// onFileOf is ValueOf without the default.
func (row *Row) onFileOf(p *PersonFacts) any {
	if row.Declared != nil && row.DefaultBecause(p.Custom) != "" {
		return nil
	}
	return row.ValueOf(p)
}

// shares says who the persons are, and which shares they have.
func shares(persons []PersonFacts) string {
	if len(persons) == 0 {
		return ""
	}
	type holder struct {
		PersonID string  `json:"person_id"`
		Share    *Number `json:"share,omitempty"`
	}
	var holders []holder
	for _, p := range SortedPersons(persons) {
		holders = append(holders, holder{p.PersonID, p.OwnershipPercentage})
	}
	return string(CanonicalJSON(holders))
}

// valueText is a value that rules see. Lists are sets.
func valueText(value any) string {
	if texts, list := value.([]string); list {
		value = distinctCodes(texts)
	}
	if value == nil {
		return ""
	}
	return string(CanonicalJSON(value))
}
