package requirement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatAReasonIsCountedAs: what a reason may take decides which rule sets are
// refused, so it changes on purpose alone. With everything on file that may be, and
// everything of it looked at, a reason takes no more.
func TestWhatAReasonIsCountedAs(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 4*textAStep)
	for _, c := range []struct {
		entityType, when string
		steps            int
	}{
		{EntityBusiness, `true`, 1},
		{EntityBusiness, `evaluation_score > 5`, 12},
		{EntityBusiness, `5 < evaluation_score`, 12},
		{EntityBusiness, `highest_ticket_sale > average_individual_sale`, 16},
		{EntityBusiness, `highest_ticket_sale + average_individual_sale > 1`, 31},
		{EntityBusiness, `highest_ticket_sale + average_individual_sale * 12 > 1`, 42},
		{EntityBusiness, `evaluation_score > 5 && highest_ticket_sale > 1`, 25},
		{EntityBusiness, `evaluation_score > 5 || highest_ticket_sale > 1`, 25},
		{EntityBusiness, `!(evaluation_score < 5)`, 13},
		{EntityBusiness, `evaluation_score > 5 ? highest_ticket_sale > 1 : true`, 26},
		{EntityBusiness, `(evaluation_score > 5 ? highest_ticket_sale : 1) > 1`, 32},
		{EntityBusiness, `(evaluation_score > 5) == (highest_ticket_sale > 1)`, 34},
		{EntityBusiness, `evaluation_score in [620, 6]`, 14},
		{EntityBusiness, `evaluation_score in [highest_ticket_sale, evaluation_score]`, 24},
		{EntityBusiness, `!(evaluation_score in [highest_ticket_sale, average_individual_sale])`, 25},
		{EntityBusiness, `size(persons) > 1`, 1213},
		{EntityBusiness, `size(industry_category_code) > 1`, 613},
		{EntityBusiness, `!("x" in industry_category_code)`, 410},
		{EntityBusiness, `size("abc") == 3`, 13},
		{EntityBusiness, `size("` + long + `") > 3`, 20},
		// A named list, looked through at once or entry by entry.
		{EntityBusiness, `size(lists.high_risk) == 450`, 463},
		{EntityBusiness, `lists.high_risk.exists(x, x != "")`, 5402},
		{EntityBusiness, `industry_category_code.exists(x, !(x in lists.high_risk))`, 2102},
		{EntityBusiness, `[1, 2].exists(x, x < 7)`, 26},
		{EntityBusiness, `[evaluation_score, 2].exists(x, x < 700)`, 44},
		{EntityBusiness, `[evaluation_score, 2, highest_ticket_sale].exists(x, x < 700)`, 65},
		{EntityBusiness, `[evaluation_score > 5 ? 1 : 2, 3].exists(x, x < 7)`, 80},
		// Loops over persons, and over what other loops have made of them.
		{EntityBusiness, `persons.exists(p, p.ownership_percentage > 1)`, 5402},
		{EntityBusiness, `persons.all(p, p.ownership_percentage > 1)`, 5402},
		{EntityBusiness, `persons.exists_one(p, p.ownership_percentage > 1) == false`, 7005},
		{EntityBusiness, `size(persons.filter(p, p.ownership_percentage > 1)) > 1`, 14214},
		{EntityBusiness, `size(persons.map(p, p.ownership_percentage)) > 1`, 5814},
		{EntityBusiness, `size(persons.map(p, p.ownership_percentage > 1, p.citizenship)) > 1`, 17015},
		{EntityBusiness, `"CA" in persons.map(p, p.citizenship)`, 4209},
		{EntityBusiness, `persons.map(p, p.ownership_percentage).exists(o, o > 1)`, 8803},
		{EntityBusiness, `size(industry_category_code.filter(c, c != "x")) > 1`, 5314},
		{EntityBusiness, `size(industry_category_code.map(c, c != "x" ? 1 : 2)) > 1`, 4014},
		{EntityBusiness, `(evaluation_score > 5 ? industry_category_code : industry_category_code).exists(c, c != "x")`, 2316},
		{EntityBusiness, `persons.filter(p, p.ownership_percentage > 1).exists(p, p.citizenship == "CA")`, MaxReasonSteps},
		{EntityPerson, `person.citizenship == "CA"`, 17},
		{EntityPerson, `person.citizenship.startsWith("C")`, 17},
		{EntityPerson, `!(person.citizenship in lists.high_risk)`, 18},
		{EntityPerson, `person.citizenship in lists.high_risk || true`, 19},
		{EntityPerson, `-person.ownership_percentage < 0`, 26},
		{EntityPerson, `size(person.citizenship) == 2`, 26},
	} {
		rs := oneRule(c.entityType, c.when)
		rs.Lists["high_risk"] = numbered("t", 450)
		program := mustCompile(t, rs)
		rule := program.rules[0]
		steps := rule.condition.reasonSteps
		require.Equal(t, c.steps, steps, c.when)
		b, err := program.prepare(largeFacts())
		require.NoError(t, err)
		subject := rule.subjects(b)[0]
		holds, err := rule.holds(t.Context(), subject.values)
		require.NoError(t, err)
		require.True(t, holds, c.when)
		before := *b.spent
		match{&rule, subject}.require()
		took := (*b.spent - before) / explainingCost
		require.LessOrEqual(t, took, uint64(steps), c.when)
		require.Greater(t, 9*took, uint64(steps), "%s: the count is of some use", c.when)
	}
}

// TestOnlyTheReasonsThatFitIntoAResultAreCounted: of documents that do not fit
// together, those that take most for their size.
func TestOnlyTheReasonsThatFitIntoAResultAreCounted(t *testing.T) {
	t.Parallel()
	cheap, costly := documentRule(EntityPerson, `person.citizenship == "CA"`), documentRule(EntityPerson, `person.citizenship == "CA" && person.ownership_percentage > 1`)
	wordy := documentRule(EntityPerson, costly.When)
	wordy.RequirementText = strings.Repeat("A copy. ", 40)
	once, always := documentRule(EntityWorkflow, `size(persons) > 1`), documentRule(EntityPerson, "")
	for _, c := range []struct {
		name  string
		rules []DocumentRule
		times int
	}{
		{"none", nil, 0}, {"without a condition", []DocumentRule{always}, 3}, {"once", []DocumentRule{once}, 3}, {"one for each person", []DocumentRule{cheap, once}, 1},
		{"more than fit", []DocumentRule{cheap, once, wordy, always, costly}, 15}, {"far more", []DocumentRule{wordy, cheap}, 60}, {"one kind", []DocumentRule{costly}, 50},
	} {
		var rs RuleSet
		for range c.times {
			rs.Documents = append(rs.Documents, c.rules...)
		}
		for i := range rs.Documents {
			rs.Documents[i].DocumentTypeCode = fmt.Sprintf("D%03d", i)
		}
		program, problems := compileUnsized(t.Context(), rs, Options{CostLimit: 1 << 60})
		require.Empty(t, problems, c.name)
		type document struct{ steps, bytes int }
		var documents []document
		for _, r := range program.rules {
			if r.condition == nil {
				continue
			}
			least := Requirement{DocumentTypeCode: r.DocumentTypeCode, Name: r.Name, Category: r.Category, RequirementText: r.RequirementText, EntityType: r.EntityType, Reason: Reason{Rule: r.When, Facts: map[string]any{}}}
			for range map[string]int{EntityPerson: MaxPersons, EntityWorkflow: 1}[r.EntityType] {
				documents = append(documents, document{r.condition.reasonSteps, len(canonicalJSON(least))})
			}
		}
		slices.SortStableFunc(documents, func(a, b document) int {
			return cmp.Compare(float64(b.steps)/float64(b.bytes), float64(a.steps)/float64(a.bytes))
		})
		var steps, bytes int
		for _, d := range documents {
			if bytes > MaxResultBytes {
				break
			}
			steps, bytes = steps+d.steps, bytes+d.bytes
		}
		require.EqualValues(t, steps, program.explainingSteps(), c.name)
	}
}
