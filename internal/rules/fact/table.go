package fact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"requisite/internal/rational"
)

// The table of facts has the type of each fact, its words, where its value is stored, and how to
// supply it.

// Row is one row of the table of facts. The row and its type have everything that the rules'
// language, gaps, reasons, lints, limits, examples, the schema and the guide need to know about a
// fact. CONTRIBUTING says what else a new fact needs.
type Row struct {
	// Name is the name of the fact in conditions. For a person's fact it follows the person.
	Name string
	// Position is the index of its value among the facts of its kind: facts of persons, or all
	// others.
	Position int
	// Since is the first version of the language that has the fact.
	Since int
	*Type
	// Label begins a sentence about the value, with the verb. For a person's fact it is only the
	// noun.
	Label string
	// synonyms are other words that authors of rules use for the name.
	synonyms []string
	// ask says what to ask an applicant for. It is empty for a fact that nobody states.
	ask string
	// about describes the fact in the schema of rule files.
	about string
	// missing says how a missing fact is supplied. A person's fact is supplied with person.update.
	missing supply
	// Follows is the fact from which this fact is counted at Facts.AsOf. The applicant is asked for
	// that fact.
	Follows string
	// Priced reports that pricing calculates the fact, so that a pricing rule cannot refer to it.
	Priced bool
	// Declared is the declaration of the fact. It is nil for a built-in fact.
	Declared *Declaration
	// Default is the value of an absent fact. If it is nil, the absence is a gap. See MayBeGap for a
	// fact with an asked_when.
	Default any

	// stored and example return where the fact is stored: a **Number, **Date, **string or
	// *[]string. A fact that follows from another fact has counted instead. A person's fact has
	// ofPerson, which may also return a *string. A declared fact has none of them.
	stored   func(*Facts) any
	example  func(*ExampleFacts) any
	counted  func(*Facts) any
	ofPerson func(*PersonFacts) any
}

// OfPerson reports whether the fact belongs to a person.
func (row *Row) OfPerson() bool { return row.missing.by == operationPerson || row.ofPerson != nil }

// Table has the facts that the rules of one set can refer to: the built-in ones, and those that the
// set declares.
type Table struct {
	Facts  []*Row // not of persons, in the order of their gaps
	Fields []*Row // of persons, in the order of their gaps
	rows   map[string]*Row
}

// BuiltIn is the table of the built-in facts.
var BuiltIn = newTable(nil)

// NewTable is the table of a set with these declarations. If two have the same name, the first
// counts.
func NewTable(declarations []Declaration) *Table {
	if len(declarations) == 0 {
		return BuiltIn
	}
	return newTable(declarations)
}

func newTable(declarations []Declaration) *Table {
	t := &Table{Facts: slices.Clone(builtIn), Fields: slices.Clone(builtInFields), rows: map[string]*Row{}}
	for _, rows := range [][]*Row{t.Facts, t.Fields} {
		for _, row := range rows {
			t.rows[row.Name] = row
		}
	}
	for _, row := range declaredRows(declarations) {
		of := &t.Facts
		if row.OfPerson() {
			of = &t.Fields
		}
		if t.rows[row.Name] == nil {
			row.Position, t.rows[row.Name] = len(*of), row
			*of = append(*of, row)
		}
	}
	slices.SortStableFunc(t.Facts, func(a, b *Row) int { return cmp.Compare(a.missing.order(), b.missing.order()) })
	return t
}

// builtIn has the built-in facts that do not belong to persons, in the order of their gaps.
var builtIn = numbered([]*Row{
	{
		Name: "evaluation_score", Since: 1, Type: scoreFact, Label: "the evaluation score is", Priced: true,
		about:   "The score that the pricing model gave the application. At most 6 decimals.",
		missing: supply{by: operationPricing},
		stored:  func(f *Facts) any { return &f.EvaluationScore }, example: func(e *ExampleFacts) any { return &e.EvaluationScore },
	},
	{
		Name: "average_monthly_credit_sales", Since: 1, Type: AmountFact, Label: "average monthly credit sales are",
		ask:     "The average sales by card in a month.",
		about:   "Average sales by card in a month, in the currency of the account.",
		missing: salesAmount("AVERAGE_MONTHLY_CREDIT_SALES"),
		stored:  func(f *Facts) any { return &f.AverageMonthlyCreditSales }, example: func(e *ExampleFacts) any { return &e.AverageMonthlyCreditSales },
	},
	{
		Name: "average_yearly_credit_sales", Since: 1, Type: AmountFact, Label: "average yearly credit sales are",
		ask:     "The average sales by card in a year.",
		about:   "Average sales by card in a year, in the currency of the account.",
		missing: salesAmount("AVERAGE_YEARLY_CREDIT_SALES"),
		stored:  func(f *Facts) any { return &f.AverageYearlyCreditSales }, example: func(e *ExampleFacts) any { return &e.AverageYearlyCreditSales },
	},
	{
		Name: "average_individual_sale", Since: 1, Type: AmountFact, Label: "the average individual sale is",
		ask:     "The average of a single sale.",
		about:   "The average of a single sale, in the currency of the account.",
		missing: salesAmount("AVERAGE_INDIVIDUAL_SALE"),
		stored:  func(f *Facts) any { return &f.AverageIndividualSale }, example: func(e *ExampleFacts) any { return &e.AverageIndividualSale },
	},
	{
		Name: "highest_ticket_sale", Since: 1, Type: AmountFact, Label: "the highest ticket sale is",
		ask:     "The largest single sale.",
		about:   "The largest single sale, in the currency of the account.",
		missing: salesAmount("HIGHEST_TICKET_SALE"),
		stored:  func(f *Facts) any { return &f.HighestTicketSale }, example: func(e *ExampleFacts) any { return &e.HighestTicketSale },
	},
	{
		Name: "established_date", Since: 1, Type: establishedFact, Label: "the business's established date is",
		synonyms: []string{"founded", "incorporated"},
		ask:      "The day on which the business was established.",
		about:    "The day on which the business was established, as YYYY-MM-DD. Its age in months and years follows from this and from as_of.",
		missing:  ofBusiness("the date on which the business was established"),
		stored:   func(f *Facts) any { return &f.EstablishedDate }, example: func(e *ExampleFacts) any { return &e.EstablishedDate },
	},
	{
		Name: "business_age_months", Since: 1, Type: ageFact, Label: "the business's age in months is",
		Follows: "established_date", counted: age(monthsBetween),
	},
	{
		Name: "business_age_years", Since: 1, Type: ageFact, Label: "the business's age in years is",
		Follows: "established_date", counted: age(yearsBetween),
	},
	{
		Name: NameIndustryCodes, Since: 1, Type: industryCodesFact, Label: "the industry category codes are",
		synonyms: []string{"industry", "mcc", "naics", "sic"},
		ask:      "The industry category codes of the business, with the zeros at their beginning.",
		about: `The industry category codes of the business, each in quotes, so that zeros at the beginning are kept: ["0742"]. ` +
			`An empty list counts as not on record.`,
		missing: ofBusiness("at least one industry category code of the business"),
		stored:  func(f *Facts) any { return &f.IndustryCategoryCode }, example: func(e *ExampleFacts) any { return &e.IndustryCategoryCode },
	},
	{
		Name: nameCountry, Since: 2, Type: countryFact, Label: "the country of the business is",
		ask: "The country of the business's address.",
		about: `The country of the business's address: two capital letters after ISO 3166-1, such as "US", or XK. ` +
			`In quotes, for YAML may read NO as something else.`,
		missing: supply{by: operationBusiness, phrase: "the country of the business's address", field: "address", within: "address.country"},
		stored:  func(f *Facts) any { return &f.Country }, example: func(e *ExampleFacts) any { return &e.Country },
	},
})

// builtInFields has the built-in facts of a person, in the order of their gaps.
var builtInFields = numbered([]*Row{
	{Name: namePersonID, Since: 1, Type: idFact, Label: "id", ofPerson: func(p *PersonFacts) any { return &p.PersonID }},
	{
		Name: NameCitizenship, Since: 1, Type: citizenshipFact, Label: "citizenship",
		synonyms: []string{nameCountry, "nationality"},
		ask:      "The country of citizenship, or that this person is stateless or a refugee.",
		about: `The country of citizenship: two capital letters after ISO 3166-1, such as "US", or XK, ` +
			`or XXA, XXB or XXC for a stateless person, a refugee or another refugee. ` +
			`In quotes, for YAML may read NO as something else.`,
		ofPerson: func(p *PersonFacts) any { return &p.Citizenship },
	},
	{
		Name: "ownership_percentage", Since: 1, Type: percentFact("ownership"), Label: "ownership percentage",
		synonyms: []string{"percentage", "share", "shares", "stake"},
		ask:      "The share of the business that this person owns, in percent.",
		about:    "The share of the business that this person owns, in percent from 0 to 100.",
		ofPerson: func(p *PersonFacts) any { return &p.OwnershipPercentage },
	},
	{
		Name: "date_of_birth", Since: 2, Type: birthFact, Label: "date of birth",
		synonyms: []string{"birth_date", "birthdate", "birthday", "born", "dob"},
		ask:      "The day on which this person was born.",
		about:    "The day on which this person was born, as YYYY-MM-DD. An age in years is years_since of it, on the day as_of.",
		ofPerson: func(p *PersonFacts) any { return &p.DateOfBirth },
	},
	{
		Name: "country_of_residence", Since: 2, Type: countryFact, Label: "country of residence",
		synonyms: []string{nameCountry, "residency"},
		ask:      "The country in which this person lives.",
		about: `The country in which this person lives: two capital letters after ISO 3166-1, such as "US", or XK. ` +
			`In quotes, for YAML may read NO as something else.`,
		ofPerson: func(p *PersonFacts) any { return &p.CountryOfResidence },
	},
})

func numbered(rows []*Row) []*Row {
	for i, row := range rows {
		row.Position = i
	}
	return rows
}

// The names of the facts in conditions.
const (
	NamePerson  = "person"
	NameCustom  = "custom" // before the name of a declared fact
	NamePersons = "persons"

	namePersonID  = "person_id"
	nameCountry   = "country"
	NameNoPersons = "no_persons_attested"

	// Facts that a lint or a limit treats specially.
	NameCitizenship   = "citizenship"
	NameIndustryCodes = "industry_category_code"
	NameLists         = "lists"
)

// age is the age of the business in completed units.
func age(between func(from, to Date) int64) func(*Facts) any {
	return func(f *Facts) any {
		if f.EstablishedDate == nil {
			return nil
		}
		return rational.Int(between(*f.EstablishedDate, f.AsOf))
	}
}

// supply says how a missing fact is supplied.
type supply struct {
	by     string // the operation that supplies it
	amount string // the type of sales amount
	phrase string // the fact of the business, after "Supply"
	// field is the parameter of the operation. within is the parameter with what it lacks, with dots.
	// Both are empty for a parameter with the name of the fact.
	field, within string
}

func salesAmount(amountType string) supply {
	return supply{by: operationCreateSales, amount: amountType, within: "sales_amount"}
}

// SalesAmountTypes returns the types of sales amounts. Each type is a fact.
func SalesAmountTypes() (types []string) {
	for _, row := range builtIn {
		if row.missing.amount != "" {
			types = append(types, row.missing.amount)
		}
	}
	slices.Sort(types)
	return types
}

func ofBusiness(phrase string) supply { return supply{by: operationBusiness, phrase: phrase} }

// order is the order of the record among the gaps.
func (s supply) order() int {
	switch s.by {
	case operationPricing, operationWorkflow:
		return 0
	case operationCreateSales:
		return 1
	}
	return 2
}

// Value is the value of the fact that rules see: a Number, Date, string, bool or []string. It is
// nil if the fact is not stored.
func (row *Row) Value(f *Facts) any {
	switch {
	case row.Declared != nil:
		return row.declared(f.Custom)
	case row.counted != nil:
		return row.counted(f)
	}
	return kept(row.stored(f))
}

// ValueOf is Value for a fact of a person.
func (row *Row) ValueOf(p *PersonFacts) any {
	if row.Declared != nil {
		return row.declared(p.Custom)
	}
	return kept(row.ofPerson(p))
}

// Stated returns where an example has a built-in fact: a **Number, **Date, **string, *string or
// *[]string. It is nil for a fact that an example cannot state.
func (row *Row) Stated(e *ExampleFacts) any {
	if row.example == nil {
		return nil
	}
	return row.example(e)
}

// StatedOf is Stated for a fact of a person.
func (row *Row) StatedOf(p *PersonFacts) any {
	if row.ofPerson == nil {
		return nil
	}
	return row.ofPerson(p)
}

func kept(pointer any) any {
	switch pointer := pointer.(type) {
	case **Number:
		if *pointer != nil {
			return **pointer
		}
	case **Date:
		if *pointer != nil {
			return **pointer
		}
	case **string:
		if *pointer != nil {
			return **pointer
		}
	case *string:
		return *pointer
	case *[]string:
		if len(*pointer) > 0 {
			return *pointer
		}
	}
	return nil
}

// copyInto copies the value behind one pointer into another pointer of the same type.
func copyInto(to, from any) {
	switch to := to.(type) {
	case **Number:
		*to = *from.(**Number)
	case **Date:
		*to = *from.(**Date)
	case **string:
		*to = *from.(**string)
	case *[]string:
		*to = *from.(*[]string)
	}
}

// GapName is the name of the fact's gap.
func (row *Row) GapName() string {
	if row.Follows != "" {
		return row.Follows
	}
	return row.Name
}

// Synonyms has other words for what is stored. A word may mean several names.
var Synonyms = func() map[string][]string {
	names := map[string][]string{"directors": {NamePersons}, "owners": {NamePersons}, "people": {NamePersons}, "shareholders": {NamePersons}}
	for _, row := range slices.Concat(builtIn, builtInFields) {
		for _, word := range row.synonyms {
			names[word] = append(names[word], row.Name)
		}
	}
	return names
}()

// NoFact is a row for expressions that are not a fact.
var NoFact = &Row{Type: &Type{}}

// Persons is the row of the list of persons, which is not a fact itself.
var Persons = &Row{Name: NamePersons, Type: &Type{Shape: ListOf(PersonShape)}}

// Lookup finds a fact, of a person or not, by its name.
func (t *Table) Lookup(name string) *Row {
	if row := t.rows[name]; row != nil {
		return row
	}
	return NoFact
}

// Find finds a fact that does not belong to a person.
func (t *Table) Find(name string) (*Row, bool) {
	row := t.Lookup(name)
	return row, row != NoFact && !row.OfPerson()
}

// FindField finds a fact of a person.
func (t *Table) FindField(name string) (*Row, bool) {
	row := t.Lookup(name)
	return row, row.OfPerson()
}

// DeclaredNames returns the sorted names of the declared facts, of persons or of others.
func (t *Table) DeclaredNames(ofPerson bool) (names []string) {
	rows := t.Facts
	if ofPerson {
		rows = t.Fields
	}
	for _, row := range rows {
		if row.Declared != nil {
			names = append(names, row.Name)
		}
	}
	slices.Sort(names)
	return names
}

// MostOnFile describes the size of the facts for which the cost of conditions is estimated.
func MostOnFile() string {
	text := fmt.Sprintf("%d persons", MaxPersons)
	for _, row := range builtIn {
		if row.List != nil {
			text += fmt.Sprintf(" and %d %s", row.List.Most, row.List.Many)
		}
	}
	return text
}

// SalesAmount returns where the facts have a sales amount of the given type, by its name in the
// API. It is nil if no fact has that type.
func (f *Facts) SalesAmount(amountType string) **Number {
	for _, row := range builtIn {
		if row.missing.amount != "" && row.missing.amount == amountType {
			return row.stored(f).(**Number)
		}
	}
	return nil
}

// Words turns a name such as ownership_percentage into words.
func Words(name string) string { return strings.ReplaceAll(name, "_", " ") }
