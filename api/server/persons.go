package server

import (
	"context"
	"fmt"
	"slices"

	"requisite/api/spec"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/view"
	"requisite/internal/requests/wire"
	"requisite/internal/store"
)

// PersonFields are the optional fields of a person. An update changes only the fields
// that the request contains.
type PersonFields struct {
	ExternalIDField
	FirstName           wire.Optional[string]           `json:"first_name,omitempty" minLength:"1" maxLength:"100" doc:"A person has a first name, a last name or both."`
	LastName            wire.Optional[string]           `json:"last_name,omitempty" minLength:"1" maxLength:"100" doc:"A person has a first name, a last name or both."`
	Citizenship         wire.Optional[spec.Citizenship] `json:"citizenship,omitempty"`
	OwnershipPercentage wire.Optional[wire.Decimal]     `json:"ownership_percentage,omitempty" minimum:"0" maximum:"100"`
	DateOfBirth         wire.Optional[string]           `json:"date_of_birth,omitempty" format:"date"`
	CountryOfResidence  wire.Optional[spec.Country]     `json:"country_of_residence,omitempty"`
	CustomField
	Email wire.Optional[string] `json:"email,omitempty" maxLength:"254" pattern:"^[^\\s@]+@[^\\s@]+$" patternDescription:"an e-mail address"`
}

func (f PersonFields) apply(p *domain.Person) {
	f.ExternalIDField.apply(&p.ExternalID)
	f.FirstName.Apply(&p.FirstName)
	f.LastName.Apply(&p.LastName)
	if f.Citizenship.Sent {
		p.Citizenship = (*string)(f.Citizenship.Value)
	}
	if f.OwnershipPercentage.Sent {
		p.OwnershipHundredths = nil
		if f.OwnershipPercentage.Value != nil {
			p.OwnershipHundredths = &f.OwnershipPercentage.Value.Decimal
		}
	}
	f.DateOfBirth.Apply(&p.DateOfBirth)
	if f.CountryOfResidence.Sent {
		p.CountryOfResidence = (*string)(f.CountryOfResidence.Value)
	}
	f.Email.Apply(&p.Email)
}

// checkDates finds problems below a path, such as person and a dot.
func (f PersonFields) checkDates(path string) []refusal.Field {
	return tooEarly(path+"date_of_birth", f.DateOfBirth, earliestBirth)
}

func (f PersonFields) warnings(path string) []refusal.Warning {
	return slices.Concat(
		invisible(path+"first_name", f.FirstName.Value),
		invisible(path+"last_name", f.LastName.Value),
		looksLikeDefault(path+"date_of_birth", f.DateOfBirth),
	)
}

type newPerson struct{ PersonFields }

func (n newPerson) person() domain.Person {
	p := domain.Person{Custom: n.values()}
	n.apply(&p)
	return p
}

// check finds problems below a path, such as person and a dot.
func (n newPerson) check(path string) []refusal.Field {
	problems := n.checkDates(path)
	if n.FirstName.Value != nil || n.LastName.Value != nil {
		return problems
	}
	field := "first_name"
	if n.LastName.Sent && !n.FirstName.Sent {
		field = "last_name"
	}
	return append(problems, refusal.Field{Field: path + field, Message: store.Nameless})
}

// newPersons are the persons of a request, and the path of each.
type newPersons struct {
	stated []newPerson
	path   func(int) string
}

func (n newPersons) persons() (persons []domain.Person) {
	for _, p := range n.stated {
		persons = append(persons, p.person())
	}
	return persons
}

// check finds what the schema cannot express.
func (n newPersons) check() (problems []refusal.Field) {
	seen := map[externalID]int{}
	for i, p := range n.stated {
		problems = append(problems, p.check(n.path(i)+".")...)
		if p.ExternalID.Value == nil {
			continue
		}
		if first, twice := seen[*p.ExternalID.Value]; twice {
			problems = append(problems, refusal.Field{
				Field: n.path(i) + ".external_id", Message: fmt.Sprintf("This is the external_id of %s too. Each person needs another one.", n.path(first)),
			})
			continue
		}
		seen[*p.ExternalID.Value] = i
	}
	return problems
}

func (n newPersons) warnings() (warnings []refusal.Warning) {
	for i, p := range n.stated {
		warnings = append(warnings, p.warnings(n.path(i)+".")...)
	}
	return warnings
}

type personCreateRequest struct {
	BusinessRequest
	Person  *newPerson  `json:"person,omitempty" doc:"The fields of the person. Send either person or persons."`
	Persons []newPerson `json:"persons,omitempty" nullable:"false" minItems:"1" maxItems:"200" doc:"Several persons: all are put on record, or none."`
}

func (in *personCreateRequest) persons() newPersons {
	if in.Person != nil {
		return newPersons{[]newPerson{*in.Person}, func(int) string { return "person" }}
	}
	return newPersons{in.Persons, store.PersonPath}
}

func (in *personCreateRequest) check() []refusal.Field {
	switch {
	case in.Person != nil && in.Persons != nil:
		return []refusal.Field{{Field: "persons", Message: "Send person or persons, not both."}}
	case in.Person == nil && in.Persons == nil:
		return []refusal.Field{{Field: "person", Message: "This is missing. Send person or persons."}}
	}
	return in.persons().check()
}

type personCreateData struct {
	PersonID  id.PersonID   `json:"person_id,omitzero" doc:"Absent when persons are stated."`
	PersonIDs []id.PersonID `json:"person_ids,omitempty" nullable:"false" doc:"In the order of persons. Absent when person is stated."`
}

func (in *personCreateRequest) warn() []refusal.Warning { return in.persons().warnings() }

func personCreate(ctx context.Context, r *store.Records, in *personCreateRequest) (personCreateData, []refusal.Warning, error) {
	stated := in.persons()
	made, err := r.Persons.Create(ctx, in.BusinessID, stated.path, stated.persons()...)
	if err != nil {
		return personCreateData{}, nil, err
	}
	data := personCreateData{PersonIDs: personIDs(made)}
	if in.Person != nil {
		data = personCreateData{PersonID: made[0].WireID()}
	}
	more, err := r.Persons.NewWarnings(ctx, made, stated.path)
	return data, more, err
}

func personIDs(persons []domain.Person) (ids []id.PersonID) {
	for _, p := range persons {
		ids = append(ids, p.WireID())
	}
	return ids
}

type PersonRequest struct {
	PersonID id.PersonID `json:"person_id"`
}

type personUpdateRequest struct {
	PersonRequest
	Person struct{ PersonFields } `json:"person"`
}

func (in *personUpdateRequest) check() []refusal.Field { return in.Person.checkDates("person.") }

func (in *personUpdateRequest) warn() []refusal.Warning {
	return append(nothingToUpdate("person", in.Person), in.Person.warnings("person.")...)
}

func personUpdate(ctx context.Context, r *store.Records, in *personUpdateRequest) (wire.Empty, []refusal.Warning, error) {
	var business id.UUID
	err := r.Persons.Update(ctx, in.PersonID, in.Person.change(), func(p *domain.Person) {
		business = p.BusinessID
		in.Person.apply(p)
	})
	if err != nil {
		return wire.Empty{}, nil, err
	}
	warnings, err := r.Persons.OwnershipWarnings(ctx, business)
	return wire.Empty{}, warnings, err
}

// personOnRecord is a person with the fields that are not facts.
type personOnRecord struct {
	view.PersonData
	ExternalIDOnRecord
}

func personGet(ctx context.Context, r *store.Records, in *PersonRequest) (personOnRecord, error) {
	p, err := r.Persons.Get(ctx, in.PersonID)
	return personOnRecord{view.Person(p), ExternalIDOnRecord{p.ExternalID}}, err
}

type personListRequest struct {
	BusinessRequest
	Filters externalIDFilter `json:"filters,omitempty"`
	Page    page             `json:"page,omitempty"`
}

func (in *personListRequest) check() []refusal.Field { return checkAfter[id.PersonID](in.Page) }

type personListData struct {
	Persons []personOnRecord `json:"persons" nullable:"false" doc:"The newest first."`
	Next    *string          `json:"next" doc:"Pass it as page.after for the next page; null on the last one."`
}

func personList(ctx context.Context, r *store.Records, in *personListRequest) (personListData, error) {
	found, next, err := r.Persons.List(ctx, in.BusinessID, string(in.Filters.ExternalID), in.Page.page())
	data := personListData{Persons: []personOnRecord{}, Next: orNull(next)}
	for _, p := range found {
		data.Persons = append(data.Persons, personOnRecord{view.Person(p), ExternalIDOnRecord{p.ExternalID}})
	}
	return data, err
}

func personDelete(ctx context.Context, r *store.Records, in *PersonRequest) (wire.Empty, error) {
	return wire.Empty{}, r.Persons.Delete(ctx, in.PersonID)
}
