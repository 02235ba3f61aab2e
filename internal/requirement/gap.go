package requirement

import "fmt"

// The codes of a gap.
const (
	CodeCalculatedPricingRequired = "CALCULATED_PRICING_REQUIRED"
	CodeFieldsRequired            = "FIELDS_REQUIRED"
)

// The operations that supply what is missing.
const (
	operationPricing     = "workflow.pricing.calculate"
	operationDeleteSales = "business.salesInfo.delete"
	operationCreateSales = "business.salesInfo.create"
	operationBusiness    = "business.update"
	operationPerson      = "person.update"
	operationNewPerson   = "person.create"
)

// Gap is one missing fact and how to supply it. It holds ids, and never what is
// on record.
type Gap struct {
	Code       string `json:"code"`
	EntityType string `json:"entity_type"`
	EntityID   string `json:"entity_id"`
	// Message instructs whoever reads it.
	Message          string   `json:"message"`
	RelatedEndpoints []string `json:"related_endpoints"`
	// Fields are request parameters of those operations; empty for
	// CALCULATED_PRICING_REQUIRED.
	Fields []string `json:"fields,omitempty"`

	// Fact is what is missing: a name of the fact table, with established_date
	// for the ages as well, person.FIELD, or persons where nobody is on record.
	Fact string `json:"-"`
}

// gaps are the needed facts that are absent, one gap for each, in the order of
// the fact table and then of the persons' ids.
func (n needs) gaps(b *bindings) []Gap {
	var gaps []Gap
	reported := map[string]bool{}
	for _, fact := range factTable {
		if n.facts[fact.name] && b.values[fact.name] == nil && !reported[fact.gap] {
			reported[fact.gap] = true
			gaps = append(gaps, factGap(fact.gap, b.facts))
		}
	}
	switch {
	case b.attested():
		return gaps
	case len(b.persons) == 0:
		return append(gaps, n.nobodyGaps(b.facts)...)
	}
	fields := n.recordedFields()
	for i := range b.persons {
		for _, field := range fields {
			if field.value(&b.persons[i]) == nil {
				gaps = append(gaps, personGap(field, b.persons[i].PersonID))
			}
		}
	}
	return gaps
}

func factGap(name string, f *Facts) Gap {
	switch name {
	case "evaluation_score":
		return Gap{
			Code: CodeCalculatedPricingRequired, EntityType: EntityWorkflow, EntityID: f.WorkflowID, Fact: name,
			Message:          "The evaluation score of this workflow has not been calculated: call workflow.pricing.calculate, then calculate the required documents again.",
			RelatedEndpoints: []string{operationPricing},
		}
	case "established_date", "industry_category_code":
		return Gap{
			Code: CodeFieldsRequired, EntityType: EntityBusiness, EntityID: f.BusinessID, Fact: name,
			Message:          businessMessage(name),
			RelatedEndpoints: []string{operationBusiness},
			Fields:           []string{name},
		}
	}
	return salesGap(name, f)
}

func businessMessage(field string) string {
	if field == "established_date" {
		return "Supply the date on which the business was established: call business.update with established_date."
	}
	return "Supply at least one industry category code of the business: call business.update with industry_category_code."
}

// salesAmountTypes are the sales amount types by the fact that they supply.
var salesAmountTypes = map[string]string{
	"average_individual_sale":      "AVERAGE_INDIVIDUAL_SALE",
	"average_monthly_credit_sales": "AVERAGE_MONTHLY_CREDIT_SALES",
	"average_yearly_credit_sales":  "AVERAGE_YEARLY_CREDIT_SALES",
	"highest_ticket_sale":          "HIGHEST_TICKET_SALE",
}

// salesGap concerns the sales info record, or the business while it has none.
func salesGap(name string, f *Facts) Gap {
	gap := Gap{
		Code: CodeFieldsRequired, EntityType: EntitySalesInfo, EntityID: f.SalesInfoID, Fact: name,
		RelatedEndpoints: []string{operationDeleteSales, operationCreateSales},
		Fields:           []string{"sales_amount"},
	}
	amount := salesAmountTypes[name]
	if f.SalesInfoID == "" {
		gap.EntityID = f.BusinessID
		gap.Message = fmt.Sprintf("The business has no sales info: call business.salesInfo.create with a sales_amount of type %s.", amount)
		return gap
	}
	gap.Message = fmt.Sprintf("The sales info lacks the type %s, and it cannot be edited in place: remove it with business.salesInfo.delete, then call business.salesInfo.create with all its amounts and one of type %s in sales_amount.", amount, amount)
	return gap
}

func personGap(field personField, personID string) Gap {
	return Gap{
		Code: CodeFieldsRequired, EntityType: EntityPerson, EntityID: personID, Fact: namePerson + "." + field.name,
		Message:          fmt.Sprintf("Supply the %s of this person: call person.update with %s.", words(field.name), field.name),
		RelatedEndpoints: []string{operationPerson},
		Fields:           []string{field.name},
	}
}

// nobodyGaps are those of a business with nobody on record: an empty list must not
// read as "nobody is foreign". Each field that rules refer to is one, and the
// persons themselves are one where a rule about persons refers to no field of
// theirs. A rule that only counts persons has its answer and leads to no gap.
func (n needs) nobodyGaps(f *Facts) []Gap {
	nobody := func(fact, with string, fields ...string) Gap {
		return Gap{
			Code: CodeFieldsRequired, EntityType: EntityPerson, EntityID: f.BusinessID, Fact: fact,
			Message: fmt.Sprintf("No person is on record for this business: call person.create for each of its persons, with %s. "+
				"If it has none, call business.update with no_persons_attested: true.", with),
			RelatedEndpoints: []string{operationNewPerson},
			Fields:           fields,
		}
	}
	var gaps []Gap
	if n.somebody {
		gaps = append(gaps, nobody(namePersons, "first_name and last_name", "first_name", "last_name"))
	}
	for _, field := range n.recordedFields() {
		gaps = append(gaps, nobody(namePerson+"."+field.name, field.name, field.name))
	}
	return gaps
}
