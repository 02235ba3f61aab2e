package requirement

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"requisite/internal/text/names"
)

// Entity is what a document is required from.
type Entity struct{ Type, ID string }

// Identity identifies the person or the business of a document. A workflow has none.
type Identity struct {
	FirstName   string `json:"first_name,omitempty"`
	LastName    string `json:"last_name,omitempty"`
	DateOfBirth string `json:"date_of_birth,omitempty"`
	Citizenship string `json:"citizenship,omitempty"`
	LegalName   string `json:"legal_name,omitempty"`
}

// fields returns the fields to compare. The two names of a person count as one.
func (i Identity) fields() []string {
	return []string{i.FirstName + " " + i.LastName, i.DateOfBirth, i.Citizenship, i.LegalName}
}

// sameName compares names as people do: see folded.
func sameName(a, b string) bool { return a == b || folded(a) == folded(b) }

// folded is a name without differences that nobody reads: case, extra blanks, the form of accents,
// and invisible characters, which may stand between a letter and its accent.
func folded(name string) string {
	seen := strings.Map(func(r rune) rune {
		if names.Ignorable(r) {
			return -1
		}
		return r
	}, name)
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(strings.Join(strings.Fields(seen), " "))))
}

// PersonKey is equal for persons with the same names and date of birth.
func (i Identity) PersonKey() string {
	return folded(i.FirstName+" "+i.LastName) + "\n" + i.DateOfBirth
}

// Same reports whether all fields of two identities are the same.
func (i Identity) Same(other Identity) bool {
	return slices.EqualFunc(i.fields(), other.fields(), sameName)
}

// HoldsFor reports whether an approval of this identity is valid for another one. Fields that were
// absent may have been filled.
func (i Identity) HoldsFor(now Identity) bool {
	_, same := i.FilledBy(now)
	return same
}

// FilledBy adds fields that were absent to an approved identity. It returns false if another field
// differs. A person who had one name and now has two is a different person.
func (i Identity) FilledBy(now Identity) (Identity, bool) {
	others := now.fields()
	for n, field := range i.fields() {
		if strings.TrimSpace(field) != "" && !sameName(field, others[n]) {
			return i, false
		}
	}
	if i.FirstName == "" && i.LastName == "" {
		i.FirstName, i.LastName = now.FirstName, now.LastName
	}
	i.DateOfBirth, i.Citizenship, i.LegalName = cmp.Or(i.DateOfBirth, now.DateOfBirth), cmp.Or(i.Citizenship, now.Citizenship), cmp.Or(i.LegalName, now.LegalName)
	return i, true
}
