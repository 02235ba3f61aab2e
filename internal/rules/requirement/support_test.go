package requirement

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rational"
)

func ptr[T any](v T) *T { return &v }

// decimal is the decimal number that is written as v.
func decimal(v float64) *Number { return parsedDecimal(strconv.FormatFloat(v, 'f', -1, 64)) }

func parsedDecimal(text string) *Number {
	n, err := rational.Parse(text)
	if err != nil {
		panic(err)
	}
	return &n
}

func date(text string) Date {
	d, err := ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

// completeFacts has every fact on file.
func completeFacts() Facts {
	return Facts{
		AsOf: date("2026-03-15"), WorkflowID: "w_1", BusinessID: "b_1", SalesInfoID: "bsi_1",
		EvaluationScore:           decimal(620.0),
		AverageMonthlyCreditSales: decimal(62000.5),
		AverageYearlyCreditSales:  decimal(744006.0),
		AverageIndividualSale:     decimal(40.0),
		HighestTicketSale:         decimal(900.0),
		EstablishedDate:           ptr(date("2025-01-31")),
		IndustryCategoryCode:      []string{"0742", "7995"},
		Persons: []PersonFacts{
			{PersonID: "p_1", Citizenship: ptr("US"), OwnershipPercentage: decimal(70.0)},
			{PersonID: "p_2", Citizenship: ptr("CA"), OwnershipPercentage: decimal(25.0)},
		},
	}
}

func documentRule(entityType, when string) DocumentRule {
	return DocumentRule{DocumentTypeCode: "DOC", Name: "A document", Category: "TEST", RequirementText: "A copy.", EntityType: entityType, When: when}
}

// oneRule is a rule set with one document and the list high_risk.
func oneRule(entityType, when string) RuleSet {
	return RuleSet{
		Lists:     map[string][]string{"high_risk": {"5967", "7995"}},
		Documents: []DocumentRule{documentRule(entityType, when)},
	}
}

type fataler interface {
	require.TestingT
	Helper()
}

// mustCompile compiles with a cost limit that drawn conditions do not reach.
func mustCompile(t fataler, rs RuleSet) *Program {
	t.Helper()
	program, problems := Compile(rs, Options{CostLimit: 100_000_000_000})
	require.Empty(t, problems)
	return program
}

// likelyMistakes are the warnings of a program without its hints.
func likelyMistakes(p *Program) []Problem {
	return slices.DeleteFunc(slices.Clone(p.Warnings()), func(w Problem) bool { return w.Severity == SeverityHint })
}

func evaluate(t fataler, rs RuleSet, f Facts) Result {
	t.Helper()
	result, err := mustCompile(t, rs).Evaluate(background(t), f)
	require.NoError(t, err)
	return result
}

func entityIDs(result Result) []string {
	ids := []string{}
	for _, r := range result.Required {
		ids = append(ids, r.EntityID)
	}
	return ids
}

// drawn remembers what a random condition refers to.
type drawn struct {
	t          *rapid.T
	withPerson bool
	facts      map[string]bool // names of the fact table
	fields     map[string]bool // fields of persons
	loops      int
}

func drawCondition(t *rapid.T, withPerson bool) (string, *drawn) {
	d := &drawn{t: t, withPerson: withPerson, facts: map[string]bool{}, fields: map[string]bool{}}
	return d.boolean(3, ""), d
}

func (d *drawn) pick(label string, n int) int { return rapid.IntRange(0, n-1).Draw(d.t, label) }

// boolean draws a condition; person is the variable that stands for one, if any.
func (d *drawn) boolean(depth int, person string) string {
	if depth == 0 {
		return d.comparison(person)
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
		if d.loops >= 2 {
			return d.comparison(person)
		}
		d.loops++
		variable := fmt.Sprintf("p%d", d.loops)
		loop := []string{"exists", "all", "exists_one"}[d.pick("loop", 3)]
		return "persons." + loop + "(" + variable + ", " + d.boolean(depth-1, variable) + ")"
	case 5:
		d.facts["industry_category_code"] = true
		return []string{
			`industry_category_code.exists(c, c in lists.high_risk)`,
			`industry_category_code.all(c, c.startsWith("79"))`,
			`"0742" in industry_category_code`,
			`industry_category_code.filter(c, c != "5967").size() > 1`,
		}[d.pick("codes", 4)]
	case 6:
		if d.loops >= 2 {
			return d.comparison(person)
		}
		d.fields["citizenship"], d.fields["ownership_percentage"] = true, true
		return `"CA" in persons.filter(q, q.ownership_percentage >= 25).map(q, q.citizenship)`
	}
	return d.comparison(person)
}

func (d *drawn) comparison(person string) string {
	if d.withPerson && person == "" {
		person = "person"
	}
	if person != "" && d.pick("of a person", 2) == 0 {
		d.fields["citizenship"] = true
		return person + []string{`.citizenship != "US"`, `.citizenship in ["CA", "MX"]`}[d.pick("citizenship", 2)]
	}
	switch d.pick("comparison", 5) {
	case 0:
		d.facts["established_date"] = true
		return `established_date < date("2025-02-01")`
	case 1:
		return "(" + d.number(1, person) + " in [" + d.literal() + ", " + d.literal() + "])"
	}
	operator := []string{" == ", " != ", " < ", " <= ", " > ", " >= "}[d.pick("operator", 6)]
	return d.number(2, person) + operator + d.number(1, person)
}

func (d *drawn) literal() string {
	return []string{"0", "1", "2.0", "12", "14", "25", "40.0", "70", "600", "620.0", "62000"}[d.pick("literal", 11)]
}

func (d *drawn) number(depth int, person string) string {
	choice := d.pick("number", 8)
	switch {
	case choice == 0:
		return d.literal()
	case choice == 1 && depth > 0:
		operator := []string{" + ", " - ", " * "}[d.pick("arithmetic", 3)]
		return "(" + d.number(depth-1, person) + operator + d.number(depth-1, person) + ")"
	case choice == 2 && depth > 0:
		return "-(" + d.number(depth-1, person) + ")"
	case choice == 3:
		d.facts["average_yearly_credit_sales"] = true
		return "average_yearly_credit_sales / 12"
	case choice == 4:
		name := []string{"business_age_months", "business_age_years"}[d.pick("age", 2)]
		d.facts[name] = true
		return name
	case choice == 5 && person != "":
		d.fields["ownership_percentage"] = true
		return person + ".ownership_percentage"
	}
	name := []string{"evaluation_score", "average_monthly_credit_sales", "average_individual_sale", "highest_ticket_sale"}[d.pick("fact", 4)]
	d.facts[name] = true
	return name
}

// drawFacts draws facts, with holes unless they are to be complete.
func drawFacts(t *rapid.T, complete bool) Facts {
	f := completeFacts()
	hole := func(label string) bool { return !complete && rapid.Bool().Draw(t, "no "+label) }
	least := 0
	if complete {
		least = 1
	}
	amount := func(label string, values ...float64) *Number {
		if hole(label) {
			return nil
		}
		return decimal(rapid.SampledFrom(values).Draw(t, label))
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
	f.IndustryCategoryCode = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"0742", "742", "5967", "7995"}), least, 3, rapid.ID).Draw(t, "codes")
	f.Persons = nil
	for i := range rapid.IntRange(least, 3).Draw(t, "persons") {
		person := PersonFacts{PersonID: fmt.Sprintf("p_%d", i)}
		if !hole("citizenship") {
			person.Citizenship = ptr(rapid.SampledFrom([]string{"US", "CA", "DE"}).Draw(t, "citizenship"))
		}
		person.OwnershipPercentage = amount("ownership", 0, 24.99, 25, 70)
		f.Persons = append(f.Persons, person)
	}
	return f
}

func background(t fataler) context.Context {
	if tb, ok := t.(testing.TB); ok {
		return tb.Context()
	}
	return context.Background()
}
