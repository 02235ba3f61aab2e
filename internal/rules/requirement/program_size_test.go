package requirement

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

// largestFacts are facts of the largest size that records can have.
func largestFacts(persons int) fact.Facts {
	f := rulestest.CompleteFacts()
	f.WorkflowID, f.BusinessID = "w_"+fact.LongestEntityID[2:], "b_"+fact.LongestEntityID[2:]
	for _, amount := range []**fact.Number{&f.AverageMonthlyCreditSales, &f.AverageYearlyCreditSales, &f.AverageIndividualSale, &f.HighestTicketSale} {
		*amount = rulestest.Ptr(fact.BuiltIn.Lookup("highest_ticket_sale").Longest.(fact.Number))
	}
	f.EvaluationScore = rulestest.ParsedDecimal(fact.BuiltIn.Lookup("evaluation_score").Longest.(string))
	f.IndustryCategoryCode = nil
	for i := range fact.MaxIndustryCategoryCodes {
		f.IndustryCategoryCode = append(f.IndustryCategoryCode, fmt.Sprintf("79%08d", i))
	}
	f.Persons = nil
	for i := range persons {
		f.Persons = append(f.Persons, fact.PersonFacts{PersonID: fmt.Sprintf("p_%022d", i), Citizenship: rulestest.Ptr("CA"), OwnershipPercentage: rulestest.Ptr(fact.BuiltIn.Lookup("ownership_percentage").Longest.(fact.Number)),
			DateOfBirth: rulestest.Ptr(rulestest.Date("1980-02-29")), CountryOfResidence: rulestest.Ptr("GB")})
	}
	return f
}

// requireSized evaluates a rule set, and holds what it requires, and why not the rest, against what it is
// counted as, and that against the bound of publication.
func requireSized(t fataler, program *Program, f fact.Facts) (bytes, most int) {
	t.Helper()
	b, err := program.prepare(background(t), f)
	require.NoError(t, err)
	found, err := program.matches(background(t), b)
	require.NoError(t, err)
	counted := 0
	for _, m := range found {
		required := m.require()
		written, err := json.Marshal(required)
		require.NoError(t, err)
		bytes += len(written) + m.toldBytes()
		counted += required.size() + m.toldBytes()
	}
	require.LessOrEqual(t, bytes, counted)
	others, err := program.notRequired(background(t), b, found)
	require.NoError(t, err)
	for _, other := range others { // is counted as if it were required
		counted += other.size()
	}
	require.LessOrEqual(t, counted, program.mostRequired(len(f.Persons)).bytes)
	return bytes, program.mostRequired(len(f.Persons)).bytes
}

func TestMostRequired_BoundsEveryEvaluation(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		entityType, when string
		loose            bool // the bound is far from what these facts give
	}{
		{fact.EntityPerson, ``, false},
		{fact.EntityBusiness, ``, false},
		{fact.EntityBusiness, `average_monthly_credit_sales > 50000`, false},
		{fact.EntityPerson, `person.citizenship != "US" && person.ownership_percentage >= 25`, false},
		{fact.EntityPerson, `person.citizenship in ["CA", "MX"] || evaluation_score > 500`, false},
		{fact.EntityPerson, `person.ownership_percentage >= 25 && persons.exists(p, p.citizenship == "CA")`, false},
		{fact.EntityBusiness, `persons.exists(p, p.citizenship != "US" && p.ownership_percentage >= 25)`, false},
		{fact.EntityBusiness, `persons.filter(p, p.ownership_percentage >= 25 && p.citizenship != "US").size() >= 2`, false},
		{fact.EntityBusiness, `"CA" in persons.map(p, p.citizenship)`, false},
		{fact.EntityBusiness, `persons.size() > 1`, false},
		{fact.EntityBusiness, `industry_category_code.exists(c, c.startsWith("79"))`, false},
		{fact.EntityPerson, `industry_category_code.all(c, c.startsWith("79")) && person.person_id != ""`, false},
		{fact.EntityWorkflow, `average_yearly_credit_sales / 12 > 1000`, false},
		{fact.EntityWorkflow, `established_date < date("2030-01-31") && business_age_months >= 0 && business_age_years < 99`, false},
		{fact.EntityPerson, `years_since(person.date_of_birth) >= 0 && person.country_of_residence != country`, false},
		{fact.EntityBusiness, `persons.exists(p, days_since(p.date_of_birth) > 1 && p.country_of_residence in ["GB"])`, false},
		{fact.EntityWorkflow, `lists.high_risk.exists(x, x.contains("5967") || x == "é\"\\\n<&>")`, true},
		{fact.EntityPerson, `persons.all(p, p.citizenship == person.citizenship ? p.ownership_percentage * 1.5 > 3 : false)`, true},
		{fact.EntityBusiness, `[true, evaluation_score < 5].exists(x, x)`, true},
		{fact.EntityBusiness, `["` + strings.Repeat("<", 300) + `"].exists(x, industry_category_code.exists(c, c < "9" && x != c))`, true},
	} {
		program := mustCompile(t, oneRule(c.entityType, c.when))
		for _, persons := range []int{1, SizedPersons} {
			bytes, most := requireSized(t, program, largestFacts(persons))
			if persons == SizedPersons && !c.loose {
				require.Less(t, most, 4*bytes, c.when)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		entityType := rapid.SampledFrom([]string{fact.EntityBusiness, fact.EntityPerson}).Draw(t, "type")
		condition, _ := rulestest.DrawCondition(t, entityType == fact.EntityPerson)
		rs := oneRule(entityType, condition)
		if rapid.Bool().Draw(t, "finding") {
			rs.Documents, rs.Findings = nil, []FindingRule{findingRule(entityType, condition)}
		}
		requireSized(t, mustCompile(t, rs), largestFacts(rapid.IntRange(1, 20).Draw(t, "persons")))
	})
	attested := rulestest.CompleteFacts()
	attested.Persons, attested.NoPersonsAttested = nil, true
	program := mustCompile(t, oneRule(fact.EntityBusiness, `!persons.exists(p, p.citizenship == "US")`))
	bytes, _ := requireSized(t, program, attested)
	require.Positive(t, bytes)
}

func TestReason_LongSentencesAreCutAndFactsAreNot(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 400)
	reason := evaluate(t, oneRule(fact.EntityBusiness, `size(persons.filter(p, p.citizenship != "`+long+`")) > 1`), largestFacts(SizedPersons)).Required[0].Reason
	require.Less(t, jsonBytes(reason.Message), sentenceBytes+500+8*clauseBytes)
	require.Contains(t, reason.Message, "more such values")
	require.Len(t, reason.Facts[fact.NamePersons], SizedPersons)

	require.Equal(t, "a<é", clipBytes("a<é", 11))
	require.Equal(t, "<<<<<<<…", clipBytes(strings.Repeat("<", 10), 50))
	require.Equal(t, "…", clipBytes("éé", 5))
}

func TestCompile_RefusesRulesThatMayRequireTooMuch(t *testing.T) {
	const foreign = `person.citizenship != "US" && person.ownership_percentage >= 25`
	const naming = "it is evaluated for each person, and each of its reasons names all persons: use only person in it"
	for name, c := range map[string]struct {
		rs              RuleSet
		refused, warned string
	}{
		"a few rules of persons":           {manyRules(8, fact.EntityPerson, foreign), "", ""},
		"more than fit for two hundred":    {manyRules(30, fact.EntityPerson, foreign), "", "may require 6000 documents at once of a business with 200 persons, which take up to"},
		"more than fit for fifty":          {manyRules(60, fact.EntityPerson, foreign), "may require 3000 documents at once of a business with 50 persons, which take up to", ""},
		"a thousand rules of persons":      {manyRules(1000, fact.EntityPerson, foreign), "require fewer documents of each person", ""},
		"a thousand rules of the business": {manyRules(1000, fact.EntityBusiness, `average_monthly_credit_sales > 50000`), "", ""},
		"without conditions":               {manyRules(200, fact.EntityPerson, ""), "require fewer documents of each person", ""},
		"reasons that name all persons":    {manyRules(6, fact.EntityPerson, `persons.all(p, p.citizenship in ["FR", "DE"])`), "", naming},
		"more of them":                     {manyRules(8, fact.EntityPerson, `person.ownership_percentage > 1 && persons.all(p, p.citizenship in ["FR", "DE"])`), "DOC_0 takes most: " + naming, ""},
		"long texts": {func() RuleSet {
			rs := manyRules(8, fact.EntityPerson, "")
			for i := range rs.Documents {
				rs.Documents[i].RequirementText = strings.Repeat("é", MaxTextLength)
			}
			return rs
		}(), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			many := Options{CostLimit: 2 * DefaultCostLimit} // so that the steps refuse none
			program, problems := Compile(c.rs, many)
			_, _, tests := RunExamples(t.Context(), c.rs, many)
			require.Equal(t, problems, tests)
			if c.refused != "" {
				require.Len(t, problems, 1)
				require.Equal(t, "documents", problems[0].Path)
				require.Contains(t, problems[0].Message, c.refused)
				return
			}
			require.Empty(t, problems)
			said := ""
			for _, warning := range program.SizeProblem(fact.MaxPersons, "") {
				said += warning.Message
			}
			require.Equal(t, c.warned == "", said == "", said)
			require.Contains(t, said, c.warned)
			_, err := program.Evaluate(t.Context(), largestFacts(SizedPersons))
			require.NoError(t, err, "what was published can be calculated")
		})
	}
}
