package decisions

import (
	"maps"
	"slices"
	"strings"

	"requisite/internal/domain"
	"requisite/internal/requests/view"
	"requisite/internal/rules/fact"
)

// facts adds the values on file, with the labels of the rules that were used.
func (b *builder) facts() error {
	if b.OnFile == nil {
		return nil
	}
	f := b.OnFile.Facts
	a := &b.shown.Application
	if score := f.Workflow.EvaluationScore; score != nil {
		a.Values = append(a.Values, shownValue{Label: "evaluation score", Value: *score})
	}
	custom, err := b.custom(fact.EntityWorkflow, f.Workflow.Custom.Custom, f.Workflow.Currency)
	if err != nil {
		return err
	}
	a.Values = append(a.Values, custom...)
	if custom, err = b.custom(fact.EntityBusiness, f.Business.Custom.Custom, f.Workflow.Currency); err != nil {
		return err
	}
	b.shown.Business = &shownEntity{f.Business.BusinessID.String(), f.Business.LegalName, append(businessValues(f.Business), custom...)}
	for _, p := range f.Persons {
		if custom, err = b.custom(fact.EntityPerson, p.Custom.Custom, f.Workflow.Currency); err != nil {
			return err
		}
		personID := p.PersonID.String()
		name := b.ref(fact.EntityPerson, personID).EntityName
		b.shown.Persons = append(b.shown.Persons, shownEntity{personID, name, append(personValues(p), custom...)})
	}
	return nil
}

func businessValues(b view.BusinessData) []shownValue {
	values := []shownValue{
		{Label: "legal name", Value: b.LegalName},
		{Label: "operating name", Value: orNil(b.OperatingName)},
		{Label: "established date", Value: orNil(b.EstablishedDate)},
		{Label: "industry category codes", Value: listOrNil(b.IndustryCategoryCode)},
		{Label: "website", Value: orNil(b.Website)},
		{Label: "phone number", Value: orNil(b.PhoneNumber)},
		{Label: "email", Value: orNil(b.Email)},
	}
	if a := b.Address.Value; a == nil {
		values = append(values, shownValue{Label: "address", Value: nil})
	} else {
		for _, part := range []struct {
			label string
			value *string
		}{
			{"first line", a.Line1}, {"second line", a.Line2}, {"city", a.City}, {"region", a.Region}, {"postal code", a.PostalCode}, {"country", a.Country},
		} {
			if part.value != nil {
				values = append(values, shownValue{Label: "address: " + part.label, Value: *part.value})
			}
		}
	}
	if b.SalesInfo == nil {
		values = append(values, shownValue{Label: "sales amounts"})
	} else {
		for _, s := range b.SalesInfo.SalesAmount {
			values = append(values, shownValue{Label: strings.ReplaceAll(strings.ToLower(s.Type), "_", " "), Value: s.Value.Exact(), Unit: s.Currency})
		}
	}
	if b.NoPersonsAttested {
		values = append(values, shownValue{Label: "stated to have no persons", Value: true})
	}
	return values
}

func personValues(p view.PersonData) []shownValue {
	share := shownValue{Label: "ownership percentage"}
	if v := p.OwnershipPercentage.Value; v != nil {
		share.Value, share.Unit = v.Exact(), "%"
	}
	return []shownValue{
		share,
		{Label: "citizenship", Value: orNil(p.Citizenship)},
		{Label: "date of birth", Value: orNil(p.DateOfBirth)},
		{Label: "country of residence", Value: orNil(p.CountryOfResidence)},
		{Label: "email", Value: orNil(p.Email)},
	}
}

func orNil(text *string) any {
	if text == nil {
		return nil
	}
	return *text
}

func listOrNil(texts []string) any {
	if len(texts) == 0 {
		return nil
	}
	return texts
}

// custom returns the facts that the rules declare for an entity, and other values on file. A note says
// which value the rules use if a value is absent or not accepted. While facts were missing, nobody knew
// whether those with an asked_when count as their default.
func (b *builder) custom(entityType string, stored domain.Custom, currency string) (values []shownValue, err error) {
	onFile, err := fact.ParseValues(stored)
	if err != nil {
		return nil, err
	}
	left := maps.Clone(onFile)
	for _, d := range b.declared {
		if d.EntityType != entityType {
			continue
		}
		v := shownValue{Label: d.Label, Value: onFile[d.Name].Stated()}
		delete(left, d.Name)
		if d.Type == fact.DeclaredAmount && v.Value != nil {
			v.Unit = currency
		}
		if v.Value != nil && d.Refuse(onFile[d.Name]) != "" {
			v.Note = "not a value of these rules: counts as absent"
		}
		undecided := d.AskedWhen != "" && len(b.OnFile.Gaps) > 0
		if d.Default != nil && !undecided && (v.Value == nil || v.Note != "") {
			v.Note = "counted as " + valueWords(d.Default.Stated())
		}
		values = append(values, v)
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		values = append(values, shownValue{Label: strings.ReplaceAll(name, "_", " "), Value: left[name].Stated()})
	}
	return values, nil
}
