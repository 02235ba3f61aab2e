package calculation

import (
	"fmt"
	"slices"

	"requisite/internal/domain"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/requirement"
)

// NewPersonWarnings are about persons who were added to a business, of whom all are known. A path is where in the request
// a person is.
func NewPersonWarnings(all, added []domain.Person, path func(int) string) (warnings []refusal.Warning) {
	known := map[string]string{} // what to call each person, by names and date of birth
	for _, p := range all {
		if key := personKey(p); key != "" && !slices.ContainsFunc(added, func(a domain.Person) bool { return a.ID == p.ID }) {
			known[key] = p.WireID().String() + ", who is on record"
		}
	}
	for i, p := range added {
		key := personKey(p)
		if other := known[key]; key != "" && other != "" {
			warnings = append(warnings, refusal.Warning{
				Code:    refusal.PersonMayBeOnRecord,
				Message: fmt.Sprintf("%s has the names and the date of birth of %s. If the two are one person, delete one with person.delete.", path(i), other),
			})
		} else if key != "" {
			known[key] = path(i)
		}
	}
	var together rational.Decimal
	for _, p := range all {
		if p.OwnershipHundredths != nil {
			together += *p.OwnershipHundredths
		}
	}
	return append(warnings, OwnershipWarnings(together)...)
}

// personKey is empty for a person without a date of birth, because many people have the same names.
func personKey(p domain.Person) string {
	if p.DateOfBirth == nil {
		return ""
	}
	identity := requirement.Identity{DateOfBirth: *p.DateOfBirth}
	if p.FirstName != nil {
		identity.FirstName = *p.FirstName
	}
	if p.LastName != nil {
		identity.LastName = *p.LastName
	}
	return identity.PersonKey()
}

// OwnershipWarnings are about persons who own so many hundredths of a percent together.
func OwnershipWarnings(together rational.Decimal) []refusal.Warning {
	if together <= 100*100 {
		return nil
	}
	return []refusal.Warning{{
		Code: refusal.OwnershipExceeds100,
		Message: fmt.Sprintf(
			"The persons of this business own more than 100 percent together; correct ownership_percentage with person.update: they own %s.",
			together),
	}}
}
