package requirement

import (
	"fmt"
	"slices"
	"strings"

	"requisite/internal/rational"
)

// The table of facts. Input: the name of a fact. Output: its row: type, words, value
// on file, and how to supply it.

// fact is one row of the table of facts. Everything that the rules' language,
// gaps, reasons, lints, bounds, examples, the schema and the guide need to know
// of a fact is in its row and in the row's type. CONTRIBUTING says what a new
// fact needs besides.
type fact struct {
	name string
	// position is the row's index in its table.
	position int
	// since is the first version of the language that has the fact.
	since int
	*factType
	// label begins a sentence about the value, verb included. That of a person's
	// fact is the noun alone.
	label string
	// synonyms are other words that authors of rules write for the name.
	synonyms []string
	// about describes the fact in the schema of rule files, in sentences.
	about string
	// missing says how a missing fact is supplied. A person's fact is supplied with
	// person.update.
	missing supply
	// follows is the fact from which this one is counted at Facts.AsOf. The applicant
	// is asked for that one.
	follows string
	// priced tells that pricing calculates the fact, so that a pricing rule cannot
	// refer to it.
	priced bool

	// stored and example say where the fact is kept: they return a **Number, **Date,
	// **string or *[]string. A fact that follows from another has counted instead,
	// and a person's fact has ofPerson, which may also return a *string.
	stored   func(*Facts) any
	example  func(*ExampleFacts) any
	counted  func(*Facts) any
	ofPerson func(*PersonFacts) any
}

// factTable holds the facts other than persons, in the order in which their
// gaps are reported.
var factTable = []*fact{
	{
		name: "evaluation_score", since: 1, factType: scoreFact, label: "the evaluation score is", priced: true,
		about:   "The score that the pricing model gave the application. At most 6 decimals.",
		missing: supply{by: operationPricing},
		stored:  func(f *Facts) any { return &f.EvaluationScore }, example: func(e *ExampleFacts) any { return &e.EvaluationScore },
	},
	{
		name: "average_monthly_credit_sales", since: 1, factType: amountFact, label: "average monthly credit sales are",
		about:   "Average sales by card in a month, in the currency of the account.",
		missing: salesAmount("AVERAGE_MONTHLY_CREDIT_SALES"),
		stored:  func(f *Facts) any { return &f.AverageMonthlyCreditSales }, example: func(e *ExampleFacts) any { return &e.AverageMonthlyCreditSales },
	},
	{
		name: "average_yearly_credit_sales", since: 1, factType: amountFact, label: "average yearly credit sales are",
		about:   "Average sales by card in a year, in the currency of the account.",
		missing: salesAmount("AVERAGE_YEARLY_CREDIT_SALES"),
		stored:  func(f *Facts) any { return &f.AverageYearlyCreditSales }, example: func(e *ExampleFacts) any { return &e.AverageYearlyCreditSales },
	},
	{
		name: "average_individual_sale", since: 1, factType: amountFact, label: "the average individual sale is",
		about:   "The average of a single sale, in the currency of the account.",
		missing: salesAmount("AVERAGE_INDIVIDUAL_SALE"),
		stored:  func(f *Facts) any { return &f.AverageIndividualSale }, example: func(e *ExampleFacts) any { return &e.AverageIndividualSale },
	},
	{
		name: "highest_ticket_sale", since: 1, factType: amountFact, label: "the highest ticket sale is",
		about:   "The largest single sale, in the currency of the account.",
		missing: salesAmount("HIGHEST_TICKET_SALE"),
		stored:  func(f *Facts) any { return &f.HighestTicketSale }, example: func(e *ExampleFacts) any { return &e.HighestTicketSale },
	},
	{
		name: "established_date", since: 1, factType: dateFact, label: "the business's established date is",
		synonyms: []string{"founded", "incorporated"},
		about:    "The day on which the business was established, as YYYY-MM-DD. Its age in months and years follows from this and from as_of.",
		missing:  ofBusiness("the date on which the business was established"),
		stored:   func(f *Facts) any { return &f.EstablishedDate }, example: func(e *ExampleFacts) any { return &e.EstablishedDate },
	},
	{
		name: "business_age_months", since: 1, factType: ageFact, label: "the business's age in months is",
		follows: "established_date", counted: age(monthsBetween),
	},
	{
		name: "business_age_years", since: 1, factType: ageFact, label: "the business's age in years is",
		follows: "established_date", counted: age(yearsBetween),
	},
	{
		name: nameIndustryCodes, since: 1, factType: industryCodesFact, label: "the industry category codes are",
		synonyms: []string{"industry", "mcc", "naics", "sic"},
		about:    `The industry category codes of the business, each in quotes, so that zeros at the beginning are kept: ["0742"]. An empty list counts as not on record.`,
		missing:  ofBusiness("at least one industry category code of the business"),
		stored:   func(f *Facts) any { return &f.IndustryCategoryCode }, example: func(e *ExampleFacts) any { return &e.IndustryCategoryCode },
	},
}

// personFields are the facts of a person, in the order in which their gaps are
// reported.
var personFields = []*fact{
	{name: namePersonID, since: 1, factType: idFact, label: "id", ofPerson: func(p *PersonFacts) any { return &p.PersonID }},
	{
		name: nameCitizenship, since: 1, factType: citizenshipFact, label: "citizenship",
		synonyms: []string{"country", "nationality"},
		about:    `The country of citizenship: two capital letters after ISO 3166-1, such as "US", or XK, or XXA, XXB or XXC for a stateless person, a refugee or another refugee. In quotes, for YAML may read NO as something else.`,
		ofPerson: func(p *PersonFacts) any { return &p.Citizenship },
	},
	{
		name: "ownership_percentage", since: 1, factType: percentFact("ownership"), label: "ownership percentage",
		synonyms: []string{"percentage", "share", "shares", "stake"},
		about:    "The share of the business that this person owns, in percent from 0 to 100.",
		ofPerson: func(p *PersonFacts) any { return &p.OwnershipPercentage },
	},
}

// The names under which conditions see the facts.
const (
	namePerson  = "person"
	namePersons = "persons"

	namePersonID  = "person_id"
	nameNoPersons = "no_persons_attested"

	// Facts of which a lint or a bound knows more than their rows say.
	nameCitizenship   = "citizenship"
	nameIndustryCodes = "industry_category_code"
	nameLists         = "lists"
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
	ask    string // what a fact of the business is, after "Supply"
}

func salesAmount(amountType string) supply {
	return supply{by: operationCreateSales, amount: amountType}
}

// SalesAmountTypes are the types of sales amounts, of which each is a fact.
func SalesAmountTypes() (types []string) {
	for _, row := range factTable {
		if row.missing.amount != "" {
			types = append(types, row.missing.amount)
		}
	}
	slices.Sort(types)
	return types
}

func ofBusiness(ask string) supply { return supply{by: operationBusiness, ask: ask} }

// value is nil when the fact is not on file.
func (row *fact) value(f *Facts) any {
	if row.counted != nil {
		return row.counted(f)
	}
	return kept(row.stored(f))
}

// valueOf is value for a fact of a person.
func (row *fact) valueOf(p *PersonFacts) any { return kept(row.ofPerson(p)) }

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

// texts are where a fact that is a list of texts is kept; nil for other facts.
func (row *fact) texts(f *Facts) *[]string {
	if row.list == nil {
		return nil
	}
	return row.stored(f).(*[]string)
}

// gapName is the name of the gap that a missing fact leads to.
func (row *fact) gapName() string {
	if row.follows != "" {
		return row.follows
	}
	return row.name
}

// rows are all facts by name.
var rows = func() map[string]*fact {
	all := map[string]*fact{}
	for _, table := range [][]*fact{factTable, personFields} {
		for i, row := range table {
			row.position = i
			all[row.name] = row
		}
	}
	return all
}()

// noFact is the row of names that are no fact's.
var noFact = &fact{factType: &factType{}}

// lookup finds a fact, of a person or not, by its name.
func lookup(name string) *fact {
	if row := rows[name]; row != nil {
		return row
	}
	return noFact
}

// findFact finds a fact that is not a person's.
func findFact(name string) (*fact, bool) {
	row := lookup(name)
	return row, row != noFact && row.ofPerson == nil
}

func findPersonField(name string) (*fact, bool) {
	row := lookup(name)
	return row, row.ofPerson != nil
}

// listFacts are the facts that are lists of texts.
var listFacts = func() (found []*fact) {
	for _, row := range factTable {
		if row.list != nil {
			found = append(found, row)
		}
	}
	return found
}()

// mostOnFile says for how much on file the cost of conditions is estimated.
func mostOnFile() string {
	text := fmt.Sprintf("%d persons", MaxPersons)
	for _, row := range listFacts {
		text += fmt.Sprintf(" and %d %s", row.list.most, row.list.many)
	}
	return text
}

// SalesAmount is where the facts keep a sales amount of the given type, as it is
// named on the wire; nil when no fact is of that type.
func (f *Facts) SalesAmount(amountType string) **Number {
	for _, row := range factTable {
		if row.missing.amount != "" && row.missing.amount == amountType {
			return row.stored(f).(**Number)
		}
	}
	return nil
}

// words turns a name such as ownership_percentage into words.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }

func personFieldNames() []string {
	names := make([]string, len(personFields))
	for i, field := range personFields {
		names[i] = field.name
	}
	return names
}
