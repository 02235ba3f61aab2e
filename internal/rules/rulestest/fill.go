package rulestest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
)

// Fill closes gaps as a program does that knows only what gaps say and how many persons the
// business has. docs/calling.md has the same in other languages.
func Fill(
	gaps []fact.Gap, persons int,
	ask func(missing fact.MissingField, gap fact.Gap, person int) any,
	call func(operation string, request map[string]any) error,
) error {
	score := fact.ScoreGap(gaps)
	if score != nil {
		gaps = append(slices.Clone(gaps), score.PricingMissing...)
	}
	words := map[string]fact.MissingField{} // of declared facts; the first gap of each fact has them
	for _, gap := range gaps {
		for _, m := range gap.Missing {
			if m.Label != "" {
				words[m.Field] = m
			}
		}
	}
	asked := func(m fact.MissingField, gap fact.Gap, person int) any {
		if with, known := words[m.Field]; known {
			m = with
		}
		return ask(m, gap, person)
	}
	var keys []string
	records := map[string][]fact.Gap{}
	for _, gap := range gaps {
		key := gap.EntityID + strings.Join(gap.RelatedEndpoints, ",")
		if gap.Code != fact.CodeCalculatedPricingRequired && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
		records[key] = append(records[key], gap)
	}
	for _, key := range keys {
		if err := fillRecord(records[key], persons, asked, call); err != nil {
			return err
		}
	}
	if score != nil {
		return call(score.RelatedEndpoints[0], map[string]any{"workflow_id": score.EntityID})
	}
	return nil
}

var capital = regexp.MustCompile(`[A-Z]`)

// fillRecord writes one record, or each person of a business without stored persons.
func fillRecord(gaps []fact.Gap, persons int, ask func(fact.MissingField, fact.Gap, int) any, call func(string, map[string]any) error) error {
	gap := gaps[0]
	save := gap.RelatedEndpoints[len(gap.RelatedEndpoints)-1]
	words := strings.Split(save, ".")
	name := capital.ReplaceAllStringFunc(words[len(words)-2], func(c string) string { return "_" + strings.ToLower(c) })
	records := 1
	if save == "person.create" {
		records = persons
	}
	for i := range records {
		fields := recordFields(gaps, func(m fact.MissingField) any { return ask(m, gap, i) })
		request := map[string]any{name: fields}
		if gap.BusinessID != "" {
			request["business_id"] = gap.BusinessID
		} else {
			request[name+"_id"] = gap.EntityID
		}
		if gap.DeleteFirst != "" {
			if err := call(gap.RelatedEndpoints[0], map[string]any{name + "_id": gap.DeleteFirst}); err != nil {
				return err
			}
		}
		if err := call(save, request); err != nil {
			return err
		}
	}
	if records == 0 {
		return call("business.update", map[string]any{"business_id": gap.BusinessID, "business": map[string]any{"no_persons_attested": true}})
	}
	return nil
}

// recordFields returns the fields of one record: those that are stored already, and then each missing
// field once.
func recordFields(gaps []fact.Gap, ask func(fact.MissingField) any) map[string]any {
	fields := map[string]any{}
	supply := func(m fact.MissingField) {
		value := any(m.Value)
		if m.Value == nil {
			value = ask(m)
		}
		setField(fields, m, value)
	}
	for _, m := range gaps[0].Present {
		supply(m)
	}
	asked := map[string]bool{}
	for _, one := range gaps {
		for _, m := range one.Missing {
			if key := m.Field + " " + m.Type; !asked[key] {
				asked[key] = true
				supply(m)
			}
		}
	}
	return fields
}

// setField sets a field, which may be nested in another, or adds a sales amount to its list.
func setField(fields map[string]any, m fact.MissingField, value any) {
	if m.Type != "" {
		list, _ := fields[m.Field].([]any)
		fields[m.Field] = append(list, map[string]any{"type": m.Type, "value": value, "currency": m.Currency})
		return
	}
	name, part, nested := strings.Cut(m.Field, ".")
	if nested {
		within, _ := fields[name].(map[string]any)
		if within == nil {
			within = map[string]any{}
		}
		fields[name] = within
		fields, name = within, part
	}
	fields[name] = value
}

// Records are the records of one business as the API stores them. Fill writes to them.
type Records struct {
	fact.Facts
	Declared []fact.Declaration
	// Price returns the score, or what pricing lacks.
	Price func(fact.Facts) (*fact.Number, []fact.Gap, error)

	writes map[string]int // how often each record was written, by operation and record
}

// FillGaps lets Fill close all gaps that calculate finds. It requires that one round is enough,
// that Fill writes each record once, and that it neither loses nor asks for anything that is
// stored.
func (r *Records) FillGaps(t require.TestingT, persons int, calculate func(fact.Facts) []fact.Gap) {
	before := r.Facts
	r.writes = map[string]int{}
	text, err := json.Marshal(calculate(r.Facts))
	require.NoError(t, err)
	var told []fact.Gap // as a caller reads them
	require.NoError(t, json.Unmarshal(text, &told))
	ask := func(m fact.MissingField, gap fact.Gap, _ int) any {
		switch m.Field {
		case "first_name", "last_name":
			return "Ida"
		case "citizenship":
			return "US"
		case "country_of_residence":
			return "GB"
		case "date_of_birth":
			return "1999-12-31"
		case "address.country":
			require.Nil(t, before.Country)
			return "DE"
		case "ownership_percentage":
			return 5
		case "established_date":
			require.Nil(t, before.EstablishedDate)
			return "2001-02-03"
		case "industry_category_code":
			require.Empty(t, before.IndustryCategoryCode)
			return []string{"5462"}
		}
		if m.Field != "sales_amount" {
			require.True(t, strings.HasPrefix(m.Field, "custom."), m.Field)
			require.NotEmpty(t, m.Ask)
			return answer(m)
		}
		require.Nil(t, *before.SalesAmount(m.Type), m.Type)
		return 17.25
	}
	require.NoError(t, Fill(told, persons, ask, r.call))
	require.Empty(t, calculate(r.Facts), "one round is enough")
	for write, times := range r.writes {
		require.Equal(t, 1, times, write)
	}
	require.Empty(t, lost(before, r.Facts, r.Declared))
}

// answer returns a value for a declared fact, from what a gap says about the fact.
func answer(m fact.MissingField) any {
	text := append(slices.Clone(m.Choices), "any text")[0]
	return map[fact.DeclaredType]any{
		fact.DeclaredBoolean: true, fact.DeclaredNumber: -5.25, fact.DeclaredAmount: 17.25, fact.DeclaredDate: "2001-02-03",
		fact.DeclaredText: text, fact.DeclaredTextList: []string{text},
	}[m.ValueType]
}

// merged returns the stored values with the written ones over them.
func merged(onFile, written fact.Values) fact.Values {
	all := maps.Clone(onFile)
	if all == nil {
		all = fact.Values{}
	}
	maps.Copy(all, written)
	return all
}

// apiRequest has the fields of all requests that Fill makes.
type apiRequest struct {
	BusinessID  string `json:"business_id"`
	PersonID    string `json:"person_id"`
	SalesInfoID string `json:"sales_info_id"`
	WorkflowID  string `json:"workflow_id"`
	Business    *struct {
		EstablishedDate      *fact.Date `json:"established_date"`
		IndustryCategoryCode []string   `json:"industry_category_code"`
		NoPersonsAttested    *bool      `json:"no_persons_attested"`
		Address              struct {
			Country *string `json:"country"`
		} `json:"address"`
		Custom fact.Values `json:"custom"`
	} `json:"business"`
	Person *struct {
		FirstName           string       `json:"first_name"`
		LastName            string       `json:"last_name"`
		Citizenship         *string      `json:"citizenship"`
		OwnershipPercentage *fact.Number `json:"ownership_percentage"`
		DateOfBirth         *fact.Date   `json:"date_of_birth"`
		CountryOfResidence  *string      `json:"country_of_residence"`
		Custom              fact.Values  `json:"custom"`
	} `json:"person"`
	Workflow *struct {
		Custom fact.Values `json:"custom"`
	} `json:"workflow"`
	SalesInfo *struct {
		SalesAmount []struct {
			Type     string       `json:"type"`
			Value    *fact.Number `json:"value"`
			Currency string       `json:"currency"`
		} `json:"sales_amount"`
	} `json:"sales_info"`
}

// call runs an operation as the API does, and refuses what the API refuses.
func (r *Records) call(operation string, request map[string]any) error {
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	var in apiRequest
	if err := json.Unmarshal(text, &in, json.RejectUnknownMembers(true)); err != nil {
		return fmt.Errorf("%s %s: %w", operation, text, err)
	}
	refused := fmt.Errorf("%s refuses %s", operation, text)
	record, ok := in.BusinessID+in.PersonID+in.SalesInfoID+in.WorkflowID, false
	switch operation {
	case "business.update":
		if ok = r.updateBusiness(in); ok && in.Business.NoPersonsAttested != nil {
			record += " of its persons"
		}
	case "person.create":
		record, ok = r.createPerson(in)
	case "person.update":
		ok = r.updatePerson(in)
	case "business.salesInfo.delete":
		ok = r.deleteSalesInfo(in)
	case "business.salesInfo.create":
		ok = r.createSalesInfo(in)
	case "workflow.update":
		if ok = in.WorkflowID == r.WorkflowID && in.Workflow != nil; ok {
			r.Custom = merged(r.Custom, in.Workflow.Custom)
		}
	case "workflow.pricing.calculate":
		if in.WorkflowID != r.WorkflowID {
			return refused
		}
		score, gaps, err := r.Price(r.Facts)
		if err != nil || len(gaps) > 0 {
			return fmt.Errorf("%w: %w, %v", refused, err, gaps)
		}
		r.EvaluationScore, ok = score, true
	}
	if !ok {
		return refused
	}
	r.writes[operation+" "+record]++
	return nil
}

func (r *Records) updateBusiness(in apiRequest) bool {
	if in.BusinessID != r.BusinessID || in.Business == nil {
		return false
	}
	if date := in.Business.EstablishedDate; date != nil {
		r.EstablishedDate = date
	}
	if codes := in.Business.IndustryCategoryCode; codes != nil {
		r.IndustryCategoryCode = codes
	}
	if country := in.Business.Address.Country; country != nil {
		r.Country = country
	}
	r.Custom = merged(r.Custom, in.Business.Custom)
	if attested := in.Business.NoPersonsAttested; attested != nil {
		if len(r.Persons) > 0 {
			return false
		}
		r.NoPersonsAttested = *attested
	}
	return true
}

func (r *Records) createPerson(in apiRequest) (personID string, ok bool) {
	if in.BusinessID != r.BusinessID || in.Person == nil || in.Person.FirstName == "" || in.Person.LastName == "" {
		return "", false
	}
	personID = fmt.Sprintf("p_new%d", len(r.Persons))
	r.Persons = append(slices.Clone(r.Persons), fact.PersonFacts{
		PersonID:            personID,
		Citizenship:         in.Person.Citizenship,
		OwnershipPercentage: in.Person.OwnershipPercentage,
		DateOfBirth:         in.Person.DateOfBirth,
		CountryOfResidence:  in.Person.CountryOfResidence,
		Custom:              in.Person.Custom,
	})
	return personID, true
}

func (r *Records) updatePerson(in apiRequest) bool {
	i := slices.IndexFunc(r.Persons, func(p fact.PersonFacts) bool { return p.PersonID == in.PersonID })
	if i < 0 || in.Person == nil {
		return false
	}
	r.Persons = slices.Clone(r.Persons)
	person := &r.Persons[i]
	person.Custom = merged(person.Custom, in.Person.Custom)
	if in.Person.Citizenship != nil {
		person.Citizenship = in.Person.Citizenship
	}
	if in.Person.OwnershipPercentage != nil {
		person.OwnershipPercentage = in.Person.OwnershipPercentage
	}
	if in.Person.DateOfBirth != nil {
		person.DateOfBirth = in.Person.DateOfBirth
	}
	if in.Person.CountryOfResidence != nil {
		person.CountryOfResidence = in.Person.CountryOfResidence
	}
	return true
}

func (r *Records) deleteSalesInfo(in apiRequest) bool {
	if in.SalesInfoID == "" || in.SalesInfoID != r.SalesInfoID {
		return false
	}
	r.SalesInfoID = ""
	for _, amountType := range fact.SalesAmountTypes() {
		*r.SalesAmount(amountType) = nil
	}
	return true
}

func (r *Records) createSalesInfo(in apiRequest) bool {
	if in.BusinessID != r.BusinessID || r.SalesInfoID != "" || in.SalesInfo == nil {
		return false
	}
	r.SalesInfoID = "bsi_new"
	for _, amount := range in.SalesInfo.SalesAmount {
		stored := r.SalesAmount(amount.Type)
		if stored == nil || *stored != nil || amount.Value == nil || amount.Currency != r.Currency {
			return false
		}
		*stored = amount.Value
	}
	return true
}

// lost names the stored facts that are missing afterwards, or have another value.
func lost(before, after fact.Facts, declared []fact.Declaration) (names []string) {
	table := fact.NewTable(declared)
	for _, row := range table.Facts {
		if value := row.Value(&before); value != nil && !same(value, row.Value(&after)) {
			names = append(names, row.Name)
		}
	}
	for _, person := range before.Persons {
		i := slices.IndexFunc(after.Persons, func(p fact.PersonFacts) bool { return p.PersonID == person.PersonID })
		for _, field := range table.Fields {
			if value := field.ValueOf(&person); value != nil && (i < 0 || !same(value, field.ValueOf(&after.Persons[i]))) {
				names = append(names, person.PersonID+" "+field.Name)
			}
		}
	}
	return names
}

func same(a, b any) bool { return string(fact.CanonicalJSON(a)) == string(fact.CanonicalJSON(b)) }
