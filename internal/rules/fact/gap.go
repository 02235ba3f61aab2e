package fact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// This file has missing facts, and the calls that supply them.

// The codes of a gap.
const (
	CodeCalculatedPricingRequired = "CALCULATED_PRICING_REQUIRED"
	CodeFieldsRequired            = "FIELDS_REQUIRED"
)

// The operations that supply missing facts.
const (
	operationPricing     = "workflow.pricing.calculate"
	operationDeleteSales = "business.salesInfo.delete"
	operationCreateSales = "business.salesInfo.create"
	operationBusiness    = "business.update"
	operationWorkflow    = "workflow.update"
	operationPerson      = "person.update"
	operationNewPerson   = "person.create"
)

// Gap is one missing fact, with how to supply it. Present has stored amounts. All else is ids and
// names of fields. Therefore a gap may go to the caller, into encrypted histories, into the outcome
// of its run, which is pruned after days, and into the part of a decision that an erasure removes.
// It must not go into logs, messages or texts for the Temporal UI.
type Gap struct {
	Code       string `json:"code"`
	EntityType string `json:"entity_type"`
	EntityID   string `json:"entity_id"`
	// EntityName is personal, so it is only set in an answer.
	EntityName string `json:"entity_name,omitempty"`
	// Message tells the reader what to do.
	Message          string   `json:"message"`
	RelatedEndpoints []string `json:"related_endpoints" nullable:"false"`
	// Fields are request parameters of those operations. For CALCULATED_PRICING_REQUIRED it is
	// empty.
	Fields []string `json:"fields,omitempty" nullable:"false"`
	// Missing tells a program what to ask for, one entry for each field. Gaps with the same
	// EntityID and RelatedEndpoints belong to one record.
	Missing []MissingField `json:"missing" nullable:"false" doc:"What to ask for, for a program: one entry a field, with all that the operation requires. Gaps with the same entity_id and related_endpoints are one record: supply it in one call; person.create takes several persons. Where there is none, business.update with no_persons_attested closes the gap."`
	// BusinessID is needed in the request of an operation that creates a record.
	BusinessID string `json:"business_id,omitempty" doc:"Where the last of related_endpoints creates a record: the business_id of its request."`
	// DeleteFirst and Present are about a record that cannot be edited.
	DeleteFirst string         `json:"delete_first,omitempty" doc:"The id of the record that the new one stands in for: send it as replaces, or delete it before."`
	Present     []MissingField `json:"present,omitempty" nullable:"false" doc:"What that record holds. The new record needs it too."`
	// PricingMissing has the gaps that keep pricing from calculating a score. It is only set for
	// CALCULATED_PRICING_REQUIRED. These gaps are not separate entries, because the rules do not
	// need these facts.
	PricingMissing []Gap `json:"pricing_missing,omitempty" nullable:"false" doc:"Of CALCULATED_PRICING_REQUIRED: what workflow.pricing.calculate itself lacks."`

	// Fact names what is missing: a name of the fact table, with established_date also for the
	// ages, person.FIELD, or persons if the business has none.
	Fact string `json:"-"`
}

// IsOfNewRecord reports that the record with the gap must still be created. EntityID is then the id
// of its business.
func (g Gap) IsOfNewRecord() bool { return g.BusinessID != "" && g.BusinessID == g.EntityID }

// MissingField is one field to supply.
type MissingField struct {
	Field string `json:"field" doc:"The field of the request. What follows a point is a name within it: custom.legal_form is legal_form of custom."`
	// ValueType is the type of the value.
	ValueType DeclaredType `json:"value_type" doc:"The type of the value: BOOLEAN, NUMBER, AMOUNT, DATE (YYYY-MM-DD), TEXT or TEXT_LIST."`
	// Label, Ask and Choices are set in the first gap of a fact. Choices belong to a declared one.
	Label   string   `json:"label,omitempty" doc:"What the fact is, in a few words. With ask and choices only in the first gap of each fact."`
	Ask     string   `json:"ask,omitempty" doc:"What to ask the applicant for. Absent for the evaluation score, which nobody is asked for."`
	Choices []string `json:"choices,omitempty" nullable:"false" doc:"Of a fact that the account declares: all values that count."`
	// Type and Currency belong to a sales amount.
	Type     string `json:"type,omitempty" doc:"Of sales_amount: the SALES_AMOUNT_TYPE."`
	Currency string `json:"currency,omitempty" doc:"Of sales_amount: the account's currency, which the amount must be in."`
	// Value is nil in Gap.Missing.
	Value *Number `json:"value,omitempty" doc:"Only in present: what is on file. Absent for a credential without the permission read: ask for it again."`
}

// Lacks names the missing fact. For a gap that was recorded, it uses the missing fields.
func (g Gap) Lacks() string {
	if g.Fact != "" {
		return g.Fact
	}
	var names []string
	for _, m := range g.Missing {
		names = append(names, strings.ToLower(cmp.Or(m.Type, m.Field)))
	}
	return cmp.Or(strings.Join(names, ", "), g.Code)
}

// WithoutValues returns the gaps without the stored values that they contain.
func WithoutValues(gaps []Gap) []Gap {
	without := slices.Clone(gaps)
	for i := range without {
		without[i].Present = slices.Clone(without[i].Present)
		for j := range without[i].Present {
			without[i].Present[j].Value = nil
		}
		without[i].PricingMissing = WithoutValues(without[i].PricingMissing)
	}
	return without
}

// missingField is the entry of a fact in a gap. first says that it is the first entry about the
// fact.
func (row *Row) missingField(first bool) MissingField {
	m := MissingField{Field: row.requestName(), ValueType: row.Wire, Type: row.missing.amount}
	switch d := row.Declared; {
	case first && d != nil:
		m.Label, m.Ask, m.Choices = d.Label, d.Ask, d.Choices
	case first:
		m.Label, m.Ask = Words(row.Name), row.ask
	}
	return m
}

// entityType is the type of the record that has the fact.
func (row *Row) entityType() string {
	switch {
	case row.OfPerson():
		return EntityPerson
	case row.missing.by == operationCreateSales:
		return EntitySalesInfo
	case row.missing.by == operationPricing, row.missing.by == operationWorkflow:
		return EntityWorkflow
	}
	return EntityBusiness
}

// FormField is a built-in fact that a form can ask for.
type FormField struct {
	MissingField
	EntityType string
	// Operation supplies the fact.
	Operation string
}

// FormFields returns the built-in facts that a form can ask for, in the order of their gaps.
func FormFields() (fields []FormField) {
	for _, row := range slices.Concat(builtIn, builtInFields) {
		if row.ask != "" {
			fields = append(fields, FormField{row.missingField(true), row.entityType(), cmp.Or(row.missing.by, operationPerson)})
		}
	}
	return fields
}

// nameField is the entry of a part of a person's name, which is no fact, in a gap.
func nameField(name string) MissingField {
	return MissingField{Field: name, ValueType: DeclaredText, Label: Words(name), Ask: "The " + Words(name) + " of this person."}
}

// requestName is the name of the fact in the request, with dots.
func (row *Row) requestName() string { return cmp.Or(row.missing.within, row.Name) }

// noun names the fact within a sentence.
func (row *Row) noun() string {
	if row.Declared != nil {
		return row.Declared.noun()
	}
	return Words(row.Name)
}

// supply asks for the fact in a gap. phrase names it. A fact that is true or false does not name a
// thing.
func (row *Row) supply(phrase, ofWhom string, values Values) string {
	again := row.again(values)
	if row.Declared == nil || row.Declared.Type != DeclaredBoolean {
		return "Supply " + phrase + ofWhom + again
	}
	if again != "" {
		again += ","
	}
	return "State" + again + " whether " + row.Declared.noun() + " is true" + ofWhom
}

// Gap is the gap of a missing fact that does not belong to a person.
func (row *Row) Gap(f *Facts) Gap {
	switch row.missing.by {
	case operationPricing:
		return Gap{
			Code: CodeCalculatedPricingRequired, EntityType: EntityWorkflow, EntityID: f.WorkflowID, Fact: row.Name,
			Message: "The evaluation score of this workflow has not been calculated: call workflow.pricing.calculate, " +
				"then calculate the required documents again.",
			RelatedEndpoints: []string{operationPricing},
			Missing:          []MissingField{row.missingField(true)},
		}
	case operationCreateSales:
		return row.salesGap(f)
	}
	field, within := cmp.Or(row.missing.field, row.Name), row.requestName()
	gap := Gap{
		Code: CodeFieldsRequired, EntityType: row.entityType(), EntityID: f.BusinessID, Fact: row.Name,
		Message:          fmt.Sprintf("%s: call %s with %s.", row.supply(row.missing.phrase, "", f.Custom), row.missing.by, within),
		RelatedEndpoints: []string{row.missing.by},
		Fields:           []string{field},
		Missing:          []MissingField{row.missingField(true)},
	}
	if gap.EntityType == EntityWorkflow {
		gap.EntityID = f.WorkflowID
	}
	return gap
}

// salesAmount is the entry of one type of sales amount in a gap.
func (row *Row) salesAmount(f *Facts) MissingField {
	m := row.missingField(true)
	m.Currency, m.Value = f.Currency, *row.stored(f).(**Number)
	return m
}

// salesGap is about the sales info record, or about the business if it has none.
func (row *Row) salesGap(f *Facts) Gap {
	amount := row.salesAmount(f)
	gap := Gap{
		Code: CodeFieldsRequired, EntityType: EntitySalesInfo, EntityID: f.SalesInfoID, Fact: row.Name,
		RelatedEndpoints: []string{operationDeleteSales, operationCreateSales},
		Fields:           []string{amount.Field},
		Missing:          []MissingField{amount},
		BusinessID:       f.BusinessID,
		DeleteFirst:      f.SalesInfoID,
	}
	wanted := amount.Type
	if amount.Currency != "" {
		wanted += " in " + amount.Currency
	}
	if f.SalesInfoID == "" {
		gap.EntityID = f.BusinessID
		gap.Message = fmt.Sprintf(
			"The business has no sales info: call business.salesInfo.create once, with a sales_amount of each type that is missing; "+
				"this one is of type %s.",
			wanted)
		return gap
	}
	for _, other := range builtIn {
		if other.missing.amount != "" && other.Value(f) != nil {
			gap.Present = append(gap.Present, other.salesAmount(f))
		}
	}
	gap.Message = fmt.Sprintf(
		"The sales info lacks the type %s, and it cannot be edited: "+
			"call business.salesInfo.create with all its amounts and one of type %s in sales_amount, "+
			"and with its id as replaces, "+
			"or remove it with business.salesInfo.delete before. To check the new amounts first, add validate_only: true.",
		amount.Type, wanted)
	return gap
}

// GapOf is the gap of a fact that a stored person lacks. first says that it is the first gap of the
// fact.
func (row *Row) GapOf(p *PersonFacts, first bool) Gap {
	return Gap{
		Code: CodeFieldsRequired, EntityType: EntityPerson, EntityID: p.PersonID, Fact: NamePerson + "." + row.Name,
		Message:          fmt.Sprintf("%s: call person.update with %s.", row.supply("the "+row.noun(), " of this person", p.Custom), row.Name),
		RelatedEndpoints: []string{operationPerson},
		Fields:           []string{row.Name},
		Missing:          []MissingField{row.missingField(first)},
	}
}

// NobodyGaps returns the gaps of a business without persons: an empty list must not count as
// "nobody is foreign". Each field that rules refer to is a gap. If a rule about persons refers to
// no field, the persons themselves are a gap. A rule that only counts persons has a result, and
// leads to no gap.
func (n Needs) NobodyGaps(f *Facts) []Gap {
	required := []string{"first_name", "last_name"}
	nobody := func(fact, with string, fields []string, more ...MissingField) Gap {
		return Gap{
			Code: CodeFieldsRequired, EntityType: EntityPerson, EntityID: f.BusinessID, Fact: fact,
			Message: fmt.Sprintf("No person is on record for this business: call person.create for each of its persons, with %s. "+
				"If it has none, call business.update with no_persons_attested: true.", with),
			RelatedEndpoints: []string{operationNewPerson},
			Fields:           fields,
			Missing:          append([]MissingField{nameField(required[0]), nameField(required[1])}, more...),
			BusinessID:       f.BusinessID,
		}
	}
	var gaps []Gap
	if n.somebody {
		gaps = append(gaps, nobody(NamePersons, "first_name, last_name or both", required))
	}
	for _, field := range n.alwaysRecorded() {
		gaps = append(gaps, nobody(NamePerson+"."+field.Name, field.Name, []string{field.Name}, field.missingField(true)))
	}
	return gaps
}

// GapNames returns the names that a gap can have; see Gap.Fact.
func (t *Table) GapNames() []string {
	var names []string
	for _, row := range t.Facts {
		if row.Follows == "" && row.MayBeGap() {
			names = append(names, row.Name)
		}
	}
	names = append(names, NamePersons)
	for _, field := range t.Fields {
		if field.CanLack() {
			names = append(names, NamePerson+"."+field.Name)
		}
	}
	return names
}

// ScoreGap returns the gap that pricing closes. It is nil if there is none.
func ScoreGap(gaps []Gap) *Gap {
	for i := range gaps {
		if gaps[i].Code == CodeCalculatedPricingRequired {
			return &gaps[i]
		}
	}
	return nil
}

// LackingWords lists what the gaps are about, with the number of persons.
func (t *Table) LackingWords(gaps []Gap, f Facts) string {
	persons := map[string]int{}
	for _, gap := range gaps {
		persons[gap.Fact]++
	}
	var texts []string
	for _, gap := range gaps {
		name, ofPerson := strings.CutPrefix(gap.Fact, NamePerson+".")
		noun := NamePersons
		if gap.Fact != NamePersons {
			noun = t.Lookup(name).noun()
		}
		text := "the " + noun
		switch n := persons[gap.Fact]; {
		case ofPerson && gap.EntityID == f.BusinessID:
			text = "persons with their " + noun
		case ofPerson && n == 1:
			text = "the " + noun + " of one person"
		case ofPerson:
			text = fmt.Sprintf("the %s of %d persons", noun, n)
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}
