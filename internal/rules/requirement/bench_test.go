package requirement

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/rational"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

// handWritten are the benchmark's rules as Go would say them.
func handWritten() []struct {
	when  string
	holds func(f *fact.Facts, highRisk []string) bool
} {
	limit, least, share, months := rational.Int(100000), rational.Int(500), rational.Int(25), rational.Int(12)
	rules := []struct {
		when  string
		holds func(f *fact.Facts, highRisk []string) bool
	}{
		{`average_monthly_credit_sales > 100000 || evaluation_score < 500`, func(f *fact.Facts, _ []string) bool {
			return f.AverageMonthlyCreditSales.Cmp(limit) > 0 || f.EvaluationScore.Cmp(least) < 0
		}},
		{`industry_category_code.exists(c, c in lists.high_risk)`, func(f *fact.Facts, highRisk []string) bool {
			return slices.ContainsFunc(f.IndustryCategoryCode, func(c string) bool { return slices.Contains(highRisk, c) })
		}},
		{`persons.exists(p, p.citizenship != "US" && p.ownership_percentage > 25)`, func(f *fact.Facts, _ []string) bool {
			return slices.ContainsFunc(f.Persons, func(p fact.PersonFacts) bool { return *p.Citizenship != "US" && p.OwnershipPercentage.Cmp(share) > 0 })
		}},
		{`average_yearly_credit_sales / 12 > 100000`, func(f *fact.Facts, _ []string) bool {
			monthly, err := f.AverageYearlyCreditSales.Quo(months)
			return err == nil && monthly.Cmp(limit) > 0
		}},
		{`business_age_years < 1`, func(f *fact.Facts, _ []string) bool {
			return f.AsOf.UTC().Before(f.EstablishedDate.UTC().AddDate(1, 0, 0))
		}},
	}
	return slices.Repeat(rules, 4)
}

func benchmarkRules() RuleSet {
	rs := RuleSet{Lists: map[string][]string{"high_risk": {"5967", "7995"}}}
	for i, rule := range handWritten() {
		doc := documentRule(fact.EntityBusiness, rule.when)
		doc.DocumentTypeCode = fmt.Sprintf("DOC_%d", i)
		rs.Documents = append(rs.Documents, doc)
	}
	return rs
}

// BenchmarkTwentyRules evaluates twenty rules beside the same conditions
// written in Go, and reports how many times longer the rules take. Four of the
// twenty hold, and the time includes their reasons.
func BenchmarkTwentyRules(b *testing.B) {
	f := rulestest.CompleteFacts()
	program := mustCompile(b, benchmarkRules())
	rules, highRisk := handWritten(), []string{"5967", "7995"}
	held := 0
	begun, rounds := time.Now(), 200_000
	for range rounds {
		for _, rule := range rules {
			if rule.holds(&f, highRisk) {
				held++
			}
		}
	}
	byHand := float64(time.Since(begun).Nanoseconds()) / float64(rounds)
	require.Equal(b, 4*rounds, held)

	b.ReportAllocs()
	for b.Loop() {
		result, err := program.Evaluate(b.Context(), f)
		if err != nil || len(result.Required) != 4 {
			b.Fatal(err, len(result.Required))
		}
	}
	b.ReportMetric(byHand, "ns/by-hand")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/byHand, "times-by-hand")
}

func BenchmarkCompileTwentyRules(b *testing.B) {
	rs := benchmarkRules()
	b.ReportAllocs()
	for b.Loop() {
		if program, problems := Compile(rs, Options{}); program == nil {
			b.Fatal(problems)
		}
	}
}

// BenchmarkDeclaredFacts evaluates rules over 50 declared facts, 20 of them of persons, for 200
// persons, beside rules that read built-in facts as often.
func BenchmarkDeclaredFacts(b *testing.B) {
	var declared RuleSet
	builtIn := RuleSet{}
	add := func(rs *RuleSet, i int, when string) {
		doc := documentRule(fact.EntityBusiness, when)
		doc.DocumentTypeCode = fmt.Sprintf("DOC_%d", i)
		rs.Documents = append(rs.Documents, doc)
	}
	f := fact.Facts{AsOf: rulestest.Date("2026-01-01"), BusinessID: "b", Persons: rulestest.ManyPersons(fact.MaxPersons), Custom: fact.Values{}}
	f.HighestTicketSale, f.EstablishedDate, f.Country, f.IndustryCategoryCode = rulestest.Decimal(5), rulestest.Ptr(rulestest.Date("2020-01-01")), rulestest.Ptr("US"), []string{"0742"}
	for i := range f.Persons {
		f.Persons[i].Custom = fact.Values{}
	}
	kinds := []struct {
		of                        fact.DeclaredType
		choices                   []string
		value                     string
		when, business, ofPersons string // of the declared fact, and of the built-in ones
	}{
		{fact.DeclaredNumber, nil, "5", "%s > 7", "highest_ticket_sale > 7", "p.ownership_percentage > 70"},
		{fact.DeclaredText, []string{"A", "B", "C"}, `"B"`, `%s == "C"`, `country == "CA"`, `p.citizenship == "US"`},
		{fact.DeclaredDate, nil, `"2020-01-01"`, `%s > date("2021-01-01")`, `established_date > date("2021-01-01")`, `p.date_of_birth > date("2021-01-01")`},
		{fact.DeclaredTextList, []string{"A", "B"}, `["A"]`, `"B" in %s`, `"5967" in industry_category_code`, `p.country_of_residence in ["GB"]`},
	}
	for i := range fact.MaxDeclared {
		kind := kinds[i%len(kinds)]
		d := fact.Declaration{Name: fmt.Sprint("f", i), EntityType: fact.EntityBusiness, Type: kind.of, Choices: kind.choices, Label: "l", Ask: "a"}
		value := rulestest.Values(`{"v":` + kind.value + `}`)["v"]
		if i >= fact.MaxDeclaredPersons {
			f.Custom[d.Name] = value
			add(&declared, i, fmt.Sprintf(kind.when, "custom."+d.Name))
			add(&builtIn, i, kind.business)
		} else {
			d.EntityType = fact.EntityPerson
			for j := range f.Persons {
				f.Persons[j].Custom[d.Name] = value
			}
			add(&declared, i, "persons.exists(p, "+fmt.Sprintf(kind.when, "p.custom."+d.Name)+")")
			add(&builtIn, i, "persons.exists(p, "+kind.ofPersons+")")
		}
		declared.Facts = append(declared.Facts, d)
	}
	for name, rs := range map[string]RuleSet{"declared": declared, "built in": builtIn} {
		program := mustCompile(b, rs)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				result, err := program.Evaluate(b.Context(), f)
				if err != nil || result.Required == nil {
					b.Fatal(err, result.Gaps)
				}
			}
		})
	}
}
