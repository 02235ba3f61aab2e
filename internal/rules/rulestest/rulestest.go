// Package rulestest makes facts and conditions for the tests of the rules: complete ones that are
// easy to read, and random ones.
package rulestest

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"pgregory.net/rapid"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
)

// Ptr returns a pointer to a copy of v.
func Ptr[T any](v T) *T { return &v }

// Day is Date, for a field that may be absent.
func Day(text string) *fact.Date { return new(Date(text)) }

// Period parses a period such as 30 days.
func Period(text string) *fact.Period {
	p, err := fact.ParsePeriod(text)
	if err != nil {
		panic(err)
	}
	return &p
}

// Decimal is the decimal number that is written as v.
func Decimal(v float64) *fact.Number { return ParsedDecimal(strconv.FormatFloat(v, 'f', -1, 64)) }

// ParsedDecimal parses a number. Like Date, it panics for anything else.
func ParsedDecimal(text string) *fact.Number {
	n, err := rational.Parse(text)
	if err != nil {
		panic(err)
	}
	return &n
}

// Date parses a date such as 2026-03-15.
func Date(text string) fact.Date {
	d, err := fact.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

// CompleteFacts has a value for every fact.
func CompleteFacts() fact.Facts {
	return fact.Facts{
		AsOf: Date("2026-03-15"), WorkflowID: "w_1", BusinessID: "b_1", SalesInfoID: "bsi_1",
		EvaluationScore:           Decimal(620.0),
		AverageMonthlyCreditSales: Decimal(62000.5),
		AverageYearlyCreditSales:  Decimal(744006.0),
		AverageIndividualSale:     Decimal(40.0),
		HighestTicketSale:         Decimal(900.0),
		EstablishedDate:           Ptr(Date("2025-01-31")),
		IndustryCategoryCode:      []string{"0742", "7995"},
		Country:                   Ptr("US"),
		Persons: []fact.PersonFacts{
			{PersonID: "p_1", Citizenship: Ptr("US"), OwnershipPercentage: Decimal(70.0), DateOfBirth: Ptr(Date("1980-02-29")), CountryOfResidence: Ptr("US")},
			{PersonID: "p_2", Citizenship: Ptr("CA"), OwnershipPercentage: Decimal(25.0), DateOfBirth: Ptr(Date("2008-03-16")), CountryOfResidence: Ptr("GB")},
		},
	}
}

// Drawn records what a random condition refers to.
type Drawn struct {
	t          *rapid.T
	WithPerson bool
	Facts      map[string]bool // names of the fact table
	Fields     map[string]bool // fields of persons
	Declared   []fact.Declaration
	// Definitions are the definitions of the rule set, by name. It is nil if conditions use none.
	Definitions map[string]string
	Loops       int
}

// DrawCondition draws a condition, of a Person rule if withPerson.
func DrawCondition(t *rapid.T, withPerson bool) (string, *Drawn) {
	return DrawDeclared(t, withPerson, nil, nil)
}

// DrawDeclared is DrawCondition for a set with declared facts. Unless definitions is nil, it adds
// definitions to it.
func DrawDeclared(t *rapid.T, withPerson bool, declared []fact.Declaration, definitions map[string]string) (string, *Drawn) {
	d := &Drawn{t: t, WithPerson: withPerson, Declared: declared, Definitions: definitions, Facts: map[string]bool{}, Fields: map[string]bool{}}
	depth := 3
	if len(declared) > 0 { // in a short condition each fact matters
		depth = d.pick("depth", 4)
	}
	return d.boolean(depth, ""), d
}

func (d *Drawn) pick(label string, n int) int { return rapid.IntRange(0, n-1).Draw(d.t, label) }

// boolean draws a condition. person is the variable for a person, if there is one.
func (d *Drawn) boolean(depth int, person string) string {
	if depth == 0 {
		return d.comparison(person)
	}
	if d.Definitions != nil && d.pick("definition", 6) == 0 {
		return d.defined(depth - 1)
	}
	part := func() string { return d.boolean(depth-1, person) }
	switch d.pick("boolean", 8) {
	case 0:
		return "(" + part() + " && " + part() + ")"
	case 1:
		return "(" + part() + " || " + part() + ")"
	case 2:
		return "!(" + part() + ")"
	case 3:
		return "(" + d.comparison(person) + " ? " + part() + " : " + part() + ")"
	case 4:
		if d.Loops >= 2 {
			return d.comparison(person)
		}
		d.Loops++
		variable := fmt.Sprintf("p%d", d.Loops)
		loop := []string{"exists", "all", "exists_one"}[d.pick("loop", 3)]
		return "persons." + loop + "(" + variable + ", " + d.boolean(depth-1, variable) + ")"
	case 5:
		d.Facts["industry_category_code"] = true
		return []string{
			`industry_category_code.exists(c, c in lists.high_risk)`,
			`industry_category_code.all(c, c.startsWith("79"))`,
			`"0742" in industry_category_code`,
			`industry_category_code.filter(c, c != "5967").size() > 1`,
		}[d.pick("codes", 4)]
	case 6:
		if d.Loops >= 2 {
			return d.comparison(person)
		}
		d.Fields["citizenship"], d.Fields["ownership_percentage"] = true, true
		return `"CA" in persons.filter(q, q.ownership_percentage >= 25).map(q, q.citizenship)`
	}
	return d.comparison(person)
}

func (d *Drawn) comparison(person string) string {
	if d.WithPerson && person == "" {
		person = "person"
	}
	if len(d.Declared) > 0 && d.pick("of its own", 2) == 0 {
		if condition, ok := d.declaredComparison(person); ok {
			return condition
		}
	}
	if person != "" && d.pick("of a person", 2) == 0 {
		d.Fields["citizenship"] = true
		return person + []string{`.citizenship != "US"`, `.citizenship in ["CA", "MX"]`}[d.pick("citizenship", 2)]
	}
	switch d.pick("comparison", 7) {
	case 5:
		d.Facts["country"] = true
		return []string{`country == "DE"`, `country in ["US", "GB"]`}[d.pick("country", 2)]
	case 6:
		if person == "" {
			break
		}
		return d.ofPerson(person)
	case 0:
		d.Facts["established_date"] = true
		return `established_date < date("2025-02-01")`
	case 1:
		return "(" + d.number(1, person) + " in [" + d.literal() + ", " + d.literal() + "])"
	}
	operator := []string{" == ", " != ", " < ", " <= ", " > ", " >= "}[d.pick("operator", 6)]
	return d.number(2, person) + operator + d.number(1, person)
}

// ofPerson compares newer facts of a person.
func (d *Drawn) ofPerson(person string) string {
	field := []string{"country_of_residence", "date_of_birth"}[d.pick("field", 2)]
	d.Fields[field] = true
	if field == "date_of_birth" {
		return []string{"years_since(" + person + ".date_of_birth) < 18", person + `.date_of_birth >= date("2008-03-15")`}[d.pick("born", 2)]
	}
	return person + `.country_of_residence != "GB"`
}

func (d *Drawn) literal() string {
	return []string{"0", "1", "2.0", "12", "14", "25", "40.0", "70", "600", "620.0", "62000"}[d.pick("literal", 11)]
}

func (d *Drawn) number(depth int, person string) string {
	choice := d.pick("number", 9)
	switch {
	case choice == 0:
		return d.literal()
	case choice == 1 && depth > 0:
		operator := []string{" + ", " - ", " * "}[d.pick("arithmetic", 3)]
		return "(" + d.number(depth-1, person) + operator + d.number(depth-1, person) + ")"
	case choice == 2 && depth > 0:
		return "-(" + d.number(depth-1, person) + ")"
	case choice == 3:
		d.Facts["average_yearly_credit_sales"] = true
		return "average_yearly_credit_sales / 12"
	case choice == 4:
		name := []string{"business_age_months", "business_age_years"}[d.pick("age", 2)]
		d.Facts[name] = true
		return name
	case choice == 5 && person != "":
		d.Fields["ownership_percentage"] = true
		return person + ".ownership_percentage"
	case choice == 8:
		d.Facts["established_date"] = true
		return []string{"days_since(established_date)", "months_since(established_date)", "years_since(established_date)",
			`days_between(established_date, date("2025-02-01"))`, `months_between(established_date, date("2025-02-01"))`,
			`years_between(date("2025-02-01"), established_date)`}[d.pick("time", 6)]
	}
	name := []string{"evaluation_score", "average_monthly_credit_sales", "average_individual_sale", "highest_ticket_sale"}[d.pick("fact", 4)]
	d.Facts[name] = true
	return name
}

// DrawFacts draws facts. Unless complete, some are missing.
func DrawFacts(t *rapid.T, complete bool) fact.Facts {
	f := CompleteFacts()
	hole := func(label string) bool { return !complete && rapid.Bool().Draw(t, "no "+label) }
	least := 0
	if complete {
		least = 1
	}
	amount := func(label string, values ...float64) *fact.Number {
		if hole(label) {
			return nil
		}
		return Decimal(rapid.SampledFrom(values).Draw(t, label))
	}
	f.EvaluationScore = amount("score", 0, 599.99, 600, 620)
	f.AverageMonthlyCreditSales = amount("monthly", 0, 12, 62000, 62000.01)
	f.AverageYearlyCreditSales = amount("yearly", 0, 144, 12000, 12000.01)
	f.AverageIndividualSale = amount("individual", 0, 40)
	f.HighestTicketSale = amount("ticket", 0, 25, 70)
	if hole("sales info") {
		f.SalesInfoID = ""
		f.AverageMonthlyCreditSales, f.AverageYearlyCreditSales, f.AverageIndividualSale, f.HighestTicketSale = nil, nil, nil, nil
	}
	if hole("date") {
		f.EstablishedDate = nil
	}
	if f.Country = Ptr(rapid.SampledFrom([]string{"US", "DE"}).Draw(t, "country")); hole("country") {
		f.Country = nil
	}
	f.IndustryCategoryCode = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"0742", "742", "5967", "7995"}), least, 3, rapid.ID).Draw(t, "codes")
	f.Persons = nil
	for i := range rapid.IntRange(least, 3).Draw(t, "persons") {
		person := fact.PersonFacts{PersonID: fmt.Sprintf("p_%d", i)}
		if !hole("citizenship") {
			person.Citizenship = Ptr(rapid.SampledFrom([]string{"US", "CA", "DE"}).Draw(t, "citizenship"))
		}
		person.OwnershipPercentage = amount("ownership", 0, 24.99, 25, 70)
		if !hole("birth") {
			person.DateOfBirth = Ptr(Date(rapid.SampledFrom([]string{"1980-02-29", "2008-03-15", "2008-03-16"}).Draw(t, "birth")))
		}
		if !hole("residence") {
			person.CountryOfResidence = Ptr(rapid.SampledFrom([]string{"US", "GB"}).Draw(t, "residence"))
		}
		f.Persons = append(f.Persons, person)
	}
	return f
}

func Numbered(prefix string, n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprint(prefix, i)
	}
	return texts
}

func NumberedLists(n, entries int) map[string][]string {
	lists := map[string][]string{}
	for i := range n {
		lists[fmt.Sprint("l", i)] = Numbered(fmt.Sprintf("t%d_", i), entries)
	}
	return lists
}

// CodeLists returns lists of codes that records can contain, so that no warning about them ends the
// search for others.
func CodeLists(n, entries int) map[string][]string {
	lists := map[string][]string{}
	for i := range n {
		for j := range entries {
			lists[fmt.Sprint("l", i)] = append(lists[fmt.Sprint("l", i)], fmt.Sprintf("%04d%02d", j, i))
		}
	}
	return lists
}

// ManyPersons returns n persons with all facts.
func ManyPersons(n int) []fact.PersonFacts {
	persons := make([]fact.PersonFacts, n)
	for i := range persons {
		persons[i] = fact.PersonFacts{
			PersonID:            fmt.Sprintf("p_%03d", i),
			Citizenship:         Ptr("CA"),
			OwnershipPercentage: Decimal(50.0),
			DateOfBirth:         Ptr(Date("1980-02-29")),
			CountryOfResidence:  Ptr("US"),
		}
	}
	return persons
}

// EndsAfter is a context that ends after it was checked a number of times.
type EndsAfter struct {
	context.Context
	Left *int
}

var ErrEnded = errors.New("nobody waits any more")

func (c EndsAfter) Err() error {
	if *c.Left--; *c.Left < 0 {
		return ErrEnded
	}
	return nil
}
