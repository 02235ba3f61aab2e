//go:build unix

package requirement

import (
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

// costly are conditions that look at as much as a condition can, by what they do
// with it. Each operator has operands as large as they can be.
func costly() map[string]struct{ entityType, when string } {
	long := strings.Repeat("x", 1500)
	large := "p.ownership_percentage" + strings.Repeat(" / 7919", 18)
	pairsOf := func(test string) string {
		return "persons.all(p, persons.all(q, " + test + "))"
	}
	type condition = struct{ entityType, when string }
	return map[string]condition{
		"pairs":              {fact.EntityBusiness, pairs},
		"pairs of codes":     {fact.EntityBusiness, `industry_category_code.all(a, industry_category_code.all(b, a == b || a != b))`},
		"nothing":            {fact.EntityBusiness, pairsOf(`true`)},
		"three conditions":   {fact.EntityBusiness, `persons.exists(p, persons.exists(q, q.person_id != p.person_id && q.citizenship == p.citizenship && q.ownership_percentage + p.ownership_percentage > 500))`},
		"sums":               {fact.EntityBusiness, `persons.all(p, industry_category_code.all(c, p.ownership_percentage + p.ownership_percentage * 2.0 > 1.0))`},
		"sums of amounts":    {fact.EntityBusiness, pairsOf(`average_yearly_credit_sales + highest_ticket_sale > 1`)},
		"products":           {fact.EntityBusiness, pairsOf(`average_yearly_credit_sales * highest_ticket_sale > 1`)},
		"quotients":          {fact.EntityBusiness, pairsOf(`p.ownership_percentage / 3 / (q.ownership_percentage / 7) < 0 || true`)},
		"large numbers":      {fact.EntityBusiness, "persons.all(p, " + large + " + " + large + " > 0)"},
		"larger numbers":     {fact.EntityBusiness, "persons.all(p, " + large + large[len("p.ownership_percentage"):] + " * 1.0001 != 0)"},
		"remainders":         {fact.EntityBusiness, pairsOf(`business_age_months % 7 % 5 < 9`)},
		"signs":              {fact.EntityBusiness, pairsOf(`-(-p.ownership_percentage) > 0`)},
		"comparisons":        {fact.EntityBusiness, pairsOf(`average_yearly_credit_sales > average_individual_sale || p.ownership_percentage >= 33.33`)},
		"dates":              {fact.EntityBusiness, pairsOf(`established_date < date("2030-01-01")`)},
		"texts in order":     {fact.EntityBusiness, "persons.all(p, \"" + long + "\" <= \"" + long + "\")"},
		"parts of texts":     {fact.EntityBusiness, "persons.all(p, !(\"" + long + "\".contains(\"" + long[:700] + "y\")))"},
		"short parts":        {fact.EntityBusiness, "persons.all(p, !(\"" + long + "\".contains(\"xxy\")))"},
		"beginnings":         {fact.EntityBusiness, "persons.all(p, \"" + long + "\".startsWith(\"" + long + "\"))"},
		"characters":         {fact.EntityBusiness, "persons.all(p, size(\"" + strings.Repeat("é", 3000) + "\") > 1)"},
		"rules of persons":   {fact.EntityPerson, `person.citizenship == "US" || person.ownership_percentage >= 50`},
		"rules for nobody":   {fact.EntityPerson, `person.citizenship == "US"`},
		"codes":              {fact.EntityBusiness, `lists.high_risk.all(c, !(c in industry_category_code))`},
		"a list":             {fact.EntityBusiness, `lists.high_risk.all(c, c in lists.high_risk)`},
		"entries":            {fact.EntityBusiness, `lists.high_risk.all(a, persons.all(p, a != p.citizenship))`},
		"values in brackets": {fact.EntityBusiness, `persons.all(p, !(p.ownership_percentage in [` + strings.Repeat("1.23,", 700) + `1]))`},
		"texts in brackets":  {fact.EntityBusiness, `persons.all(p, !(p.person_id in [` + strings.Repeat(`"p_xxx",`, 480) + `"x"]))`},
		"lists made":         {fact.EntityBusiness, `persons.all(p, size(persons.filter(q, q.citizenship == "CA")) > 0)`},
		"values made":        {fact.EntityBusiness, `persons.all(p, 1.23 in persons.map(q, q.ownership_percentage) || true)`},
		"brackets":           {fact.EntityBusiness, pairsOf(`q.ownership_percentage in [p.ownership_percentage, p.ownership_percentage, 50]`)},
		"one of":             {fact.EntityBusiness, `persons.all(p, !persons.exists_one(q, q.citizenship == "CA"))`},
		"denials":            {fact.EntityBusiness, pairsOf(strings.Repeat("!", 40) + `true`)},
		"choices":            {fact.EntityBusiness, pairsOf(`p.ownership_percentage > 200 ? false : q.citizenship == "CA" ? true : false`)},
		"definitions":        {fact.EntityPerson, `persons.exists(p, p.definitions.foreign || definitions.somebody)`},
		"reasons":            {fact.EntityPerson, `persons.exists(p, p.ownership_percentage > 1)`},
		"reasons with sizes": {fact.EntityPerson, `size(persons.filter(p, p.ownership_percentage > 1)) > 1`},
		"reasons of lists":   {fact.EntityPerson, `person.citizenship in persons.map(p, p.citizenship)`},
		"reasons of codes":   {fact.EntityPerson, `industry_category_code.exists(c, c != "x")`},
		"reasons of sums":    {fact.EntityPerson, strings.Repeat("highest_ticket_sale * average_yearly_credit_sales + ", 30) + `1 > 0`},
		"reasons given up":   {fact.EntityPerson, pairs},
	}
}

// BenchmarkTheCostliestRules evaluates rule sets of the most steps that can be
// published, with everything on file that may be: how long the costliest
// calculation of a tenant takes. It is what DefaultCostLimit was chosen by.
func BenchmarkTheCostliestRules(b *testing.B) {
	all := costly()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.Run(name, func(b *testing.B) {
			var program *Program
			for few, many := 0, MaxDocuments+1; many-few > 1; {
				n := (few + many) / 2
				rs := manyRules(n, all[name].entityType, all[name].when)
				rs.Lists["high_risk"] = rulestest.Numbered("t", MaxListEntries)
				rs.Definitions = map[string]string{"foreign": `person.citizenship == "US"`, "somebody": pairs}
				larger, problems := compileUnsized(b.Context(), rs, Options{})
				if len(problems) > 0 {
					many = n
					continue
				}
				few, program = n, larger
			}
			if program == nil {
				b.Skip("no such rule can be published")
			}
			f := largeFacts()
			rounds, before := 0, processorTime(b)
			for b.Loop() {
				_, err := program.Evaluate(b.Context(), f)
				if err != nil {
					require.ErrorIs(b, err, ErrTooMuchRequired)
				}
				rounds++
			}
			took := float64(processorTime(b)-before) / float64(rounds)
			values, err := program.prepare(b.Context(), f)
			require.NoError(b, err)
			matches, err := program.matches(b.Context(), values)
			require.NoError(b, err)
			size := 0
			for _, m := range matches {
				if size += m.require().size(); size > 2*MaxResultBytes {
					break
				}
			}
			b.ReportMetric(float64(len(program.rules)), "rules")
			b.ReportMetric(float64(*values.spent), "steps")
			b.ReportMetric(took/1e6, "processor-ms")
			b.ReportMetric(took/float64(*values.spent), "ns/step")
		})
	}
}

// processorTime is what this process has used, garbage collection included. It says
// more than the time that passes on a machine that has other work.
func processorTime(t fataler) time.Duration {
	var usage syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
