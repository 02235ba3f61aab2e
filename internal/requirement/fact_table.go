package requirement

import (
	"strings"

	"cel.dev/cel-go/common/types"

	"requisite/internal/rational"
)

// base is the type of one value in a condition.
type base uint8

const (
	unknownBase base = iota // not known, because of a problem already reported
	boolBase
	numberBase
	textBase
	dateBase
	personBase
)

// shape is the type of an expression: one value, or a list of them.
type shape struct {
	base base
	list bool
}

var (
	unknownShape = shape{}
	boolShape    = shape{base: boolBase}
	numberShape  = shape{base: numberBase}
	textShape    = shape{base: textBase}
	dateShape    = shape{base: dateBase}
	personShape  = shape{base: personBase}
)

func listOf(s shape) shape     { return shape{base: s.base, list: true} }
func (s shape) element() shape { return shape{base: s.base} }
func (s shape) known() bool    { return s.base != unknownBase }
func (s shape) number() bool   { return s == numberShape }

func (s shape) celType() *types.Type {
	var t *types.Type
	switch s.base {
	case boolBase:
		t = types.BoolType
	case numberBase:
		t = numberType
	case textBase:
		t = types.StringType
	case dateBase:
		t = types.TimestampType
	case personBase:
		t = personType()
	default:
		t = types.DynType
	}
	if s.list {
		return types.NewListType(t)
	}
	return t
}

// String names a shape in the words of a message.
func (s shape) String() string {
	one, many := "a value", "values"
	switch s.base {
	case boolBase:
		one, many = "true or false", "yes-or-no values"
	case numberBase:
		one, many = "a number", "numbers"
	case textBase:
		one, many = "text", "texts"
	case dateBase:
		one, many = "a date", "dates"
	case personBase:
		one, many = "a person", "persons"
	}
	if s.list {
		return "a list of " + many
	}
	return one
}

// factEntry is one row of the fact table: how conditions see one fact, and how
// it is found among the facts on file.
type factEntry struct {
	name  string
	shape shape
	// label begins a sentence about the value, verb included.
	label string
	gap   string // the name in gapTable of what is missing when value is nil
	value func(f *Facts) any
}

// wholeFacts are those whose numbers have no fraction.
var wholeFacts = []string{"business_age_months", "business_age_years"}

// factTable holds the facts other than persons, in the order in which their
// gaps are reported.
var factTable = []factEntry{
	{"evaluation_score", numberShape, "the evaluation score is", "evaluation_score", func(f *Facts) any { return number(f.EvaluationScore) }},
	{"average_monthly_credit_sales", numberShape, "average monthly credit sales are", "average_monthly_credit_sales", func(f *Facts) any { return number(f.AverageMonthlyCreditSales) }},
	{"average_yearly_credit_sales", numberShape, "average yearly credit sales are", "average_yearly_credit_sales", func(f *Facts) any { return number(f.AverageYearlyCreditSales) }},
	{"average_individual_sale", numberShape, "the average individual sale is", "average_individual_sale", func(f *Facts) any { return number(f.AverageIndividualSale) }},
	{"highest_ticket_sale", numberShape, "the highest ticket sale is", "highest_ticket_sale", func(f *Facts) any { return number(f.HighestTicketSale) }},
	{"established_date", dateShape, "the business's established date is", "established_date", func(f *Facts) any {
		if f.EstablishedDate == nil {
			return nil
		}
		return *f.EstablishedDate
	}},
	{"business_age_months", numberShape, "the business's age in months is", "established_date", func(f *Facts) any {
		if f.EstablishedDate == nil {
			return nil
		}
		return rational.Int(monthsBetween(*f.EstablishedDate, f.AsOf))
	}},
	{"business_age_years", numberShape, "the business's age in years is", "established_date", func(f *Facts) any {
		if f.EstablishedDate == nil {
			return nil
		}
		return rational.Int(yearsBetween(*f.EstablishedDate, f.AsOf))
	}},
	{"industry_category_code", listOf(textShape), "the industry category codes are", "industry_category_code", func(f *Facts) any {
		if len(f.IndustryCategoryCode) == 0 {
			return nil
		}
		return f.IndustryCategoryCode
	}},
}

// personField is one field of a person as conditions see it. value is nil when
// it is not on record.
type personField struct {
	name  string
	shape shape
	label string
	value func(p *PersonFacts) any
}

// personFields are in the order in which their gaps are reported.
var personFields = []personField{
	{namePersonID, textShape, "id", func(p *PersonFacts) any { return p.PersonID }},
	{"citizenship", textShape, "citizenship", func(p *PersonFacts) any {
		if p.Citizenship == nil {
			return nil
		}
		return *p.Citizenship
	}},
	{"ownership_percentage", numberShape, "ownership percentage", func(p *PersonFacts) any { return number(p.OwnershipPercentage) }},
}

func number(v *Number) any {
	if v == nil {
		return nil
	}
	return *v
}

func findFact(name string) (factEntry, bool) {
	for _, fact := range factTable {
		if fact.name == name {
			return fact, true
		}
	}
	return factEntry{}, false
}

func findPersonField(name string) (personField, bool) {
	for _, field := range personFields {
		if field.name == name {
			return field, true
		}
	}
	return personField{}, false
}

func personFieldNames() []string {
	names := make([]string, len(personFields))
	for i, field := range personFields {
		names[i] = field.name
	}
	return names
}

// factNames are the names that a condition can use at its top level.
func factNames(withPerson, withScore bool) []string {
	names := []string{namePersons}
	for _, fact := range factTable {
		if fact.name != "evaluation_score" || withScore {
			names = append(names, fact.name)
		}
	}
	if withPerson {
		names = append(names, namePerson)
	}
	return names
}

// words turns a name such as ownership_percentage into words.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }
