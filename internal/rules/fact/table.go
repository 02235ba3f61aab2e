package fact

import (
	"fmt"
	"slices"
	"strings"

	"requisite/internal/rational"
)

// The table of facts: the type of each, its words, its value on file, and how to supply it.

// Row is one row of the table of facts. Everything that the rules' language,
// gaps, reasons, lints, bounds, examples, the schema and the guide need to know
// of a fact is in its row and in the row's type. CONTRIBUTING says what a new
// fact needs besides.
type Row struct {
	Name string
	// Position is the row's index in its table.
	Position int
	// Since is the first version of the language that has the fact.
	Since int
	*Type
	// Label begins a sentence about the value, verb included. That of a person's
	// fact is the noun alone.
	Label string
	// synonyms are other words that authors of rules write for the name.
	synonyms []string
	// about describes the fact in the schema of rule files, in sentences.
	about string
	// missing says how a missing fact is supplied. A person's fact is supplied with
	// person.update.
	missing supply
	// Follows is the fact from which this one is counted at Facts.AsOf. The applicant
	// is asked for that one.
	Follows string
	// Priced tells that pricing calculates the fact, so that a pricing rule cannot
	// refer to it.
	Priced bool

	// stored and example say where the fact is kept: they return a **Number, **Date,
	// **string or *[]string. A fact that follows from another has counted instead,
	// and a person's fact has ofPerson, which may also return a *string.
	stored   func(*Facts) any
	Example  func(*ExampleFacts) any
	counted  func(*Facts) any
	OfPerson func(*PersonFacts) any
}

// Table holds the facts other than persons, in the order in which their
// gaps are reported.
var Table = []*Row{
	{
		Name: "evaluation_score", Since: 1, Type: scoreFact, Label: "the evaluation score is", Priced: true,
		about:   "The score that the pricing model gave the application. At most 6 decimals.",
		missing: supply{by: operationPricing},
		stored:  func(f *Facts) any { return &f.EvaluationScore }, Example: func(e *ExampleFacts) any { return &e.EvaluationScore },
	},
	{
		Name: "average_monthly_credit_sales", Since: 1, Type: AmountFact, Label: "average monthly credit sales are",
		about:   "Average sales by card in a month, in the currency of the account.",
		missing: salesAmount("AVERAGE_MONTHLY_CREDIT_SALES"),
		stored:  func(f *Facts) any { return &f.AverageMonthlyCreditSales }, Example: func(e *ExampleFacts) any { return &e.AverageMonthlyCreditSales },
	},
	{
		Name: "average_yearly_credit_sales", Since: 1, Type: AmountFact, Label: "average yearly credit sales are",
		about:   "Average sales by card in a year, in the currency of the account.",
		missing: salesAmount("AVERAGE_YEARLY_CREDIT_SALES"),
		stored:  func(f *Facts) any { return &f.AverageYearlyCreditSales }, Example: func(e *ExampleFacts) any { return &e.AverageYearlyCreditSales },
	},
	{
		Name: "average_individual_sale", Since: 1, Type: AmountFact, Label: "the average individual sale is",
		about:   "The average of a single sale, in the currency of the account.",
		missing: salesAmount("AVERAGE_INDIVIDUAL_SALE"),
		stored:  func(f *Facts) any { return &f.AverageIndividualSale }, Example: func(e *ExampleFacts) any { return &e.AverageIndividualSale },
	},
	{
		Name: "highest_ticket_sale", Since: 1, Type: AmountFact, Label: "the highest ticket sale is",
		about:   "The largest single sale, in the currency of the account.",
		missing: salesAmount("HIGHEST_TICKET_SALE"),
		stored:  func(f *Facts) any { return &f.HighestTicketSale }, Example: func(e *ExampleFacts) any { return &e.HighestTicketSale },
	},
	{
		Name: "established_date", Since: 1, Type: establishedFact, Label: "the business's established date is",
		synonyms: []string{"founded", "incorporated"},
		about:    "The day on which the business was established, as YYYY-MM-DD. Its age in months and years follows from this and from as_of.",
		missing:  ofBusiness("the date on which the business was established"),
		stored:   func(f *Facts) any { return &f.EstablishedDate }, Example: func(e *ExampleFacts) any { return &e.EstablishedDate },
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
		about:    `The industry category codes of the business, each in quotes, so that zeros at the beginning are kept: ["0742"]. An empty list counts as not on record.`,
		missing:  ofBusiness("at least one industry category code of the business"),
		stored:   func(f *Facts) any { return &f.IndustryCategoryCode }, Example: func(e *ExampleFacts) any { return &e.IndustryCategoryCode },
	},
	{
		Name: nameCountry, Since: 2, Type: countryFact, Label: "the country of the business is",
		about:   `The country of the business's address: two capital letters after ISO 3166-1, such as "US", or XK. In quotes, for YAML may read NO as something else.`,
		missing: supply{by: operationBusiness, phrase: "the country of the business's address", field: "address", within: "address.country"},
		stored:  func(f *Facts) any { return &f.Country }, Example: func(e *ExampleFacts) any { return &e.Country },
	},
}

// PersonFields are the facts of a person, in the order in which their gaps are
// reported.
var PersonFields = []*Row{
	{Name: namePersonID, Since: 1, Type: idFact, Label: "id", OfPerson: func(p *PersonFacts) any { return &p.PersonID }},
	{
		Name: NameCitizenship, Since: 1, Type: citizenshipFact, Label: "citizenship",
		synonyms: []string{nameCountry, "nationality"},
		about:    `The country of citizenship: two capital letters after ISO 3166-1, such as "US", or XK, or XXA, XXB or XXC for a stateless person, a refugee or another refugee. In quotes, for YAML may read NO as something else.`,
		OfPerson: func(p *PersonFacts) any { return &p.Citizenship },
	},
	{
		Name: "ownership_percentage", Since: 1, Type: percentFact("ownership"), Label: "ownership percentage",
		synonyms: []string{"percentage", "share", "shares", "stake"},
		about:    "The share of the business that this person owns, in percent from 0 to 100.",
		OfPerson: func(p *PersonFacts) any { return &p.OwnershipPercentage },
	},
	{
		Name: "date_of_birth", Since: 2, Type: birthFact, Label: "date of birth",
		synonyms: []string{"birth_date", "birthdate", "birthday", "born", "dob"},
		about:    "The day on which this person was born, as YYYY-MM-DD. An age in years is years_since of it, on the day as_of.",
		OfPerson: func(p *PersonFacts) any { return &p.DateOfBirth },
	},
	{
		Name: "country_of_residence", Since: 2, Type: countryFact, Label: "country of residence",
		synonyms: []string{nameCountry, "residency"},
		about:    `The country in which this person lives: two capital letters after ISO 3166-1, such as "US", or XK. In quotes, for YAML may read NO as something else.`,
		OfPerson: func(p *PersonFacts) any { return &p.CountryOfResidence },
	},
}

// The names under which conditions see the facts.
const (
	NamePerson  = "person"
	NamePersons = "persons"

	namePersonID  = "person_id"
	nameCountry   = "country"
	NameNoPersons = "no_persons_attested"

	// Facts about which a lint or a bound knows more than their rows say.
	NameCitizenship   = "citizenship"
	NameIndustryCodes = "industry_category_code"
	NameLists         = "lists"
)

// age is how old the business is, in completed units.
func age(between func(from, to Date) int64) func(*Facts) any {
	return func(f *Facts) any {
		if f.EstablishedDate == nil {
			return nil
		}
		return rational.Int(between(*f.EstablishedDate, f.AsOf))
	}
}

// supply is how a missing fact is supplied.
type supply struct {
	by     string // the operation
	amount string // the type of sales amount
	phrase string // what a fact of the business is, after "Supply"
	// field is the parameter of the operation, and within what it lacks of it, in dots;
	// empty where the fact is the parameter.
	field, within string
}

func salesAmount(amountType string) supply {
	return supply{by: operationCreateSales, amount: amountType}
}

// SalesAmountTypes are the types of sales amounts, of which each is a fact.
func SalesAmountTypes() (types []string) {
	for _, row := range Table {
		if row.missing.amount != "" {
			types = append(types, row.missing.amount)
		}
	}
	slices.Sort(types)
	return types
}

func ofBusiness(phrase string) supply { return supply{by: operationBusiness, phrase: phrase} }

// Value is nil when the fact is not on file.
func (row *Row) Value(f *Facts) any {
	if row.counted != nil {
		return row.counted(f)
	}
	return kept(row.stored(f))
}

// ValueOf is value for a fact of a person.
func (row *Row) ValueOf(p *PersonFacts) any { return kept(row.OfPerson(p)) }

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

// copyInto copies what one pointer leads to, into another of the same type.
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

// Texts are where a fact that is a list of texts is kept; nil for other facts.
func (row *Row) Texts(f *Facts) *[]string {
	if row.List == nil {
		return nil
	}
	return row.stored(f).(*[]string)
}

// GapName is the name of the gap that a missing fact leads to.
func (row *Row) GapName() string {
	if row.Follows != "" {
		return row.Follows
	}
	return row.Name
}

// rows are all facts by name.
var rows = func() map[string]*Row {
	all := map[string]*Row{}
	for _, table := range [][]*Row{Table, PersonFields} {
		for i, row := range table {
			row.Position = i
			all[row.Name] = row
		}
	}
	return all
}()

// Synonyms are other words for what is on record. One may stand for several names.
var Synonyms = func() map[string][]string {
	names := map[string][]string{"directors": {NamePersons}, "owners": {NamePersons}, "people": {NamePersons}, "shareholders": {NamePersons}}
	for _, row := range slices.Concat(Table, PersonFields) {
		for _, word := range row.synonyms {
			names[word] = append(names[word], row.Name)
		}
	}
	return names
}()

// noFact is the row of names that are no fact's.
var noFact = &Row{Type: &Type{}}

// Lookup finds a fact, of a person or not, by its name.
func Lookup(name string) *Row {
	if row := rows[name]; row != nil {
		return row
	}
	return noFact
}

// Find finds a fact that is not a person's.
func Find(name string) (*Row, bool) {
	row := Lookup(name)
	return row, row != noFact && row.OfPerson == nil
}

// FindPersonField finds a fact of a person.
func FindPersonField(name string) (*Row, bool) {
	row := Lookup(name)
	return row, row.OfPerson != nil
}

// ListFacts are the facts that are lists of texts.
var ListFacts = func() (found []*Row) {
	for _, row := range Table {
		if row.List != nil {
			found = append(found, row)
		}
	}
	return found
}()

// MostOnFile says for how much on file the cost of conditions is estimated.
func MostOnFile() string {
	text := fmt.Sprintf("%d persons", MaxPersons)
	for _, row := range ListFacts {
		text += fmt.Sprintf(" and %d %s", row.List.Most, row.List.Many)
	}
	return text
}

// SalesAmount is where the facts keep a sales amount of the given type, as it is
// named on the wire; nil when no fact is of that type.
func (f *Facts) SalesAmount(amountType string) **Number {
	for _, row := range Table {
		if row.missing.amount != "" && row.missing.amount == amountType {
			return row.stored(f).(**Number)
		}
	}
	return nil
}

// Words turns a name such as ownership_percentage into words.
func Words(name string) string { return strings.ReplaceAll(name, "_", " ") }

// PersonFieldNames are the names of PersonFields, in their order.
func PersonFieldNames() []string {
	names := make([]string, len(PersonFields))
	for i, field := range PersonFields {
		names[i] = field.Name
	}
	return names
}
