package requirement

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// largestFacts is a business of which everything takes as much room as it can.
func largestFacts(persons int) Facts {
	f := completeFacts()
	f.WorkflowID, f.BusinessID = "w_"+longestEntityID[2:], "b_"+longestEntityID[2:]
	for _, amount := range []**Number{&f.AverageMonthlyCreditSales, &f.AverageYearlyCreditSales, &f.AverageIndividualSale, &f.HighestTicketSale} {
		*amount = ptr(longestAmount)
	}
	f.EvaluationScore = parsedDecimal(longestScore)
	f.IndustryCategoryCode = nil
	for i := range MaxIndustryCategoryCodes {
		f.IndustryCategoryCode = append(f.IndustryCategoryCode, fmt.Sprintf("79%08d", i))
	}
	f.Persons = nil
	for i := range persons {
		f.Persons = append(f.Persons, PersonFacts{PersonID: fmt.Sprintf("p_%022d", i), Citizenship: ptr("CA"), OwnershipPercentage: ptr(longestShare)})
	}
	return f
}

// requireSized evaluates a rule set, and holds what it requires against what it is
// counted as, and that against the bound of publication.
func requireSized(t fataler, program *Program, f Facts) (bytes, most int) {
	t.Helper()
	b, err := program.prepare(f)
	require.NoError(t, err)
	found, err := program.matches(background(t), b)
	require.NoError(t, err)
	counted := 0
	for _, m := range found {
		required := m.require()
		written, err := json.Marshal(required)
		require.NoError(t, err)
		bytes += len(written)
		counted += required.size()
	}
	require.LessOrEqual(t, bytes, counted)
	require.LessOrEqual(t, counted, program.mostRequired(len(f.Persons)).bytes)
	return bytes, program.mostRequired(len(f.Persons)).bytes
}

func TestMostRequired_BoundsEveryEvaluation(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		entityType, when string
		loose            bool // the bound is far from what these facts give
	}{
		{EntityPerson, ``, false},
		{EntityBusiness, ``, false},
		{EntityBusiness, `average_monthly_credit_sales > 50000`, false},
		{EntityPerson, `person.citizenship != "US" && person.ownership_percentage >= 25`, false},
		{EntityPerson, `person.citizenship in ["CA", "MX"] || evaluation_score > 500`, false},
		{EntityPerson, `person.ownership_percentage >= 25 && persons.exists(p, p.citizenship == "CA")`, false},
		{EntityBusiness, `persons.exists(p, p.citizenship != "US" && p.ownership_percentage >= 25)`, false},
		{EntityBusiness, `persons.filter(p, p.ownership_percentage >= 25 && p.citizenship != "US").size() >= 2`, false},
		{EntityBusiness, `"CA" in persons.map(p, p.citizenship)`, false},
		{EntityBusiness, `persons.size() > 1`, false},
		{EntityBusiness, `industry_category_code.exists(c, c.startsWith("79"))`, false},
		{EntityPerson, `industry_category_code.all(c, c.startsWith("79")) && person.person_id != ""`, false},
		{EntityWorkflow, `average_yearly_credit_sales / 12 > 1000`, false},
		{EntityWorkflow, `established_date < date("2030-01-31") && business_age_months >= 0 && business_age_years < 99`, false},
		{EntityWorkflow, `lists.high_risk.exists(x, x.contains("5967") || x == "é\"\\\n<&>")`, true},
		{EntityPerson, `persons.all(p, p.citizenship == person.citizenship ? p.ownership_percentage * 1.5 > 3 : false)`, true},
		{EntityBusiness, `[true, evaluation_score < 5].exists(x, x)`, true},
		{EntityBusiness, `["` + strings.Repeat("<", 300) + `"].exists(x, industry_category_code.exists(c, c < "9" && x != c))`, true},
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
		entityType := rapid.SampledFrom([]string{EntityBusiness, EntityPerson}).Draw(t, "type")
		condition, _ := drawCondition(t, entityType == EntityPerson)
		requireSized(t, mustCompile(t, oneRule(entityType, condition)), largestFacts(rapid.IntRange(1, 20).Draw(t, "persons")))
	})
	attested := completeFacts()
	attested.Persons, attested.NoPersonsAttested = nil, true
	program := mustCompile(t, oneRule(EntityBusiness, `!persons.exists(p, p.citizenship == "US")`))
	bytes, _ := requireSized(t, program, attested)
	require.Positive(t, bytes)
}

func TestReason_LongSentencesAreCutAndFactsAreNot(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 400)
	reason := evaluate(t, oneRule(EntityBusiness, `size(persons.filter(p, p.citizenship != "`+long+`")) > 1`), largestFacts(SizedPersons)).Required[0].Reason
	require.Less(t, jsonBytes(reason.Message), sentenceBytes+500+8*clauseBytes)
	require.Contains(t, reason.Message, "more such values")
	require.Len(t, reason.Facts[namePersons], SizedPersons)

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
		"a few rules of persons":           {manyRules(8, EntityPerson, foreign), "", ""},
		"more than fit for two hundred":    {manyRules(30, EntityPerson, foreign), "", "may require 6000 documents at once of a business with 200 persons, which take up to"},
		"more than fit for fifty":          {manyRules(60, EntityPerson, foreign), "may require 3000 documents at once of a business with 50 persons, which take up to", ""},
		"a thousand rules of persons":      {manyRules(1000, EntityPerson, foreign), "require fewer documents of each person", ""},
		"a thousand rules of the business": {manyRules(1000, EntityBusiness, `average_monthly_credit_sales > 50000`), "", ""},
		"without conditions":               {manyRules(200, EntityPerson, ""), "require fewer documents of each person", ""},
		"reasons that name all persons":    {manyRules(6, EntityPerson, `persons.all(p, p.citizenship in ["FR", "DE"])`), "", naming},
		"more of them":                     {manyRules(8, EntityPerson, `person.ownership_percentage > 1 && persons.all(p, p.citizenship in ["FR", "DE"])`), "DOC_0 takes most: " + naming, ""},
		"long texts": {func() RuleSet {
			rs := manyRules(8, EntityPerson, "")
			for i := range rs.Documents {
				rs.Documents[i].RequirementText = strings.Repeat("é", MaxTextLength)
			}
			return rs
		}(), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program, problems := Compile(c.rs, Options{})
			_, tests := RunExamples(t.Context(), c.rs, Options{})
			require.Equal(t, problems, tests)
			if c.refused != "" {
				require.Len(t, problems, 1)
				require.Equal(t, "documents", problems[0].Path)
				require.Contains(t, problems[0].Message, c.refused)
				return
			}
			require.Empty(t, problems)
			said := ""
			for _, warning := range program.Warnings() {
				if warning.Path == "documents" {
					said += warning.Message
				}
			}
			require.Equal(t, c.warned == "", said == "", said)
			require.Contains(t, said, c.warned)
			_, err := program.Evaluate(t.Context(), largestFacts(SizedPersons))
			require.NoError(t, err, "what was published can be calculated")
		})
	}
}
