package requirement

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReasons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ entityType, when, message, facts string }{
		{EntityBusiness, ``, "A document: always required, for the rule has no condition.", `{}`},
		{EntityBusiness, `average_monthly_credit_sales > 50000 || evaluation_score < 700`, "A document: required because average monthly credit sales are 62000.5, more than 50000.", `{"average_monthly_credit_sales":62000.5}`},
		{EntityBusiness, `average_monthly_credit_sales > 70000 || evaluation_score < 700`, "A document: required because the evaluation score is 620, less than 700.", `{"evaluation_score":620}`},
		{EntityBusiness, `!(evaluation_score >= 700) && evaluation_score != 5`, "A document: required because the evaluation score is 620, less than 700; and the evaluation score is 620, not 5.", `{"evaluation_score":620}`},
		{EntityBusiness, `700 > evaluation_score`, "A document: required because the evaluation score is 620, less than 700.", `{"evaluation_score":620}`},
		{EntityBusiness, `evaluation_score == 620`, "A document: required because the evaluation score is 620.", `{"evaluation_score":620}`},
		{EntityBusiness, `average_yearly_credit_sales / 12 > 1000`, "A document: required because average yearly credit sales divided by 12 is 62000.5, more than 1000.", `{"average_yearly_credit_sales":744006}`},
		{EntityBusiness, `highest_ticket_sale > average_individual_sale * 5`, "A document: required because the highest ticket sale is 900, more than the average individual sale times 5 (200).", `{"average_individual_sale":40,"highest_ticket_sale":900}`},
		{EntityBusiness, `established_date >= date("2025-01-01")`, "A document: required because the business's established date is 2025-01-31, on or after 2025-01-01.", `{"established_date":"2025-01-31"}`},
		{EntityBusiness, `business_age_months < 24`, "A document: required because the business's age in months is 13, less than 24.", `{"business_age_months":13}`},
		{EntityBusiness, `industry_category_code.exists(c, c in lists.high_risk)`, "A document: required because an industry category code is 7995, which is in the list high_risk.", `{"industry_category_code":["7995"]}`},
		{EntityBusiness, `"7995" in industry_category_code`, "A document: required because the industry category codes include 7995.", `{"industry_category_code":["7995"]}`},
		{EntityBusiness, `!("1111" in industry_category_code)`, "A document: required because the industry category codes do not include 1111.", `{"industry_category_code":["0742","7995"]}`},
		{EntityBusiness, `industry_category_code.exists(c, c.startsWith("79"))`, "A document: required because an industry category code is 7995, which starts with 79.", `{"industry_category_code":["7995"]}`},
		{EntityBusiness, `persons.exists(p, p.citizenship != "US" && p.ownership_percentage >= 25)`, "A document: required because the citizenship of person p_2 is CA, not US; and the ownership percentage of person p_2 is 25, at least 25.", `{"persons":{"p_2":{"citizenship":"CA","ownership_percentage":25}}}`},
		{EntityBusiness, `persons.all(p, p.ownership_percentage >= 25)`, "A document: required because every person's ownership percentage is at least 25.", `{"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		{EntityBusiness, `persons.size() > 1`, "A document: required because the number of persons is 2, more than 1.", `{"persons":{"p_1":{},"p_2":{}}}`},
		{EntityBusiness, `persons.filter(p, p.citizenship == "DE").size() == 0`, "A document: required because the number of persons for whom their citizenship is DE is 0.", `{"persons":{"p_1":{"citizenship":"US"},"p_2":{"citizenship":"CA"}}}`},
		{EntityBusiness, `persons.filter(p, p.ownership_percentage > 50).all(p, p.citizenship == "US")`, "A document: required because the citizenship of every person for whom their ownership percentage is more than 50 is US.", `{"persons":{"p_1":{"citizenship":"US","ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		// Who was counted, and who was not where that decides as well.
		{EntityBusiness, `persons.filter(p, p.ownership_percentage >= 25).size() >= 2`, "A document: required because the number of persons for whom their ownership percentage is at least 25 is 2, at least 2; the ownership percentage of person p_1 is 70, at least 25; and the ownership percentage of person p_2 is 25, at least 25.", `{"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		{EntityBusiness, `size(persons.filter(p, p.ownership_percentage > 25)) >= 1`, "A document: required because the number of persons for whom their ownership percentage is more than 25 is 1, at least 1; and the ownership percentage of person p_1 is 70, more than 25.", `{"persons":{"p_1":{"ownership_percentage":70}}}`},
		{EntityBusiness, `0 < size(persons.filter(p, p.ownership_percentage > 25))`, "A document: required because the number of persons for whom their ownership percentage is more than 25 is 1, more than 0; and the ownership percentage of person p_1 is 70, more than 25.", `{"persons":{"p_1":{"ownership_percentage":70}}}`},
		{EntityBusiness, `size(persons.filter(p, p.ownership_percentage > 25)) < 2`, "A document: required because the number of persons for whom their ownership percentage is more than 25 is 1, less than 2; and the ownership percentage of person p_1 is 70, more than 25.", `{"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		{EntityBusiness, `!(size(persons.filter(p, p.ownership_percentage > 25)) >= 2)`, "A document: required because the number of persons for whom their ownership percentage is more than 25 is 1, less than 2; and the ownership percentage of person p_1 is 70, more than 25.", `{"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		{EntityBusiness, `size(persons.filter(p, p.ownership_percentage > 25)) + 1 >= 2`, "A document: required because the number of persons for whom their ownership percentage is more than 25 plus 1 is 2, at least 2; and the ownership percentage of person p_1 is 70, more than 25.", `{"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		{EntityBusiness, `industry_category_code.filter(c, c.startsWith("79")).size() == 1`, `A document: required because the number of industry category codes of which the code starts with 79 is 1; and an industry category code is 7995, which starts with 79.`, `{"industry_category_code":["0742","7995"]}`},
		{EntityBusiness, `persons.exists(p, p.ownership_percentage / 2 > 20)`, "A document: required because the ownership percentage of person p_1 divided by 2 is 35, more than 20.", `{"persons":{"p_1":{"ownership_percentage":70}}}`},
		{EntityBusiness, `persons.exists(p, persons.exists(q, p.ownership_percentage > q.ownership_percentage))`, "A document: required because the ownership percentage of person p_1 is 70, more than the ownership percentage of person p_2 (25).", `{"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		{EntityBusiness, `persons.map(p, p.ownership_percentage).exists(o, o > 50)`, "A document: required because the ownership percentage of person p_1 is 70, more than 50.", `{"persons":{"p_1":{"ownership_percentage":70}}}`},
		{EntityBusiness, `!("DE" in persons.map(p, p.citizenship))`, "A document: required because no person's citizenship is DE.", `{"persons":{"p_1":{"citizenship":"US"},"p_2":{"citizenship":"CA"}}}`},
		{EntityBusiness, `persons.exists_one(p, p.ownership_percentage > 50)`, "A document: required because the ownership percentage of person p_1 is 70, more than 50; and the ownership percentage of person p_2 is 25, at most 50.", `{"persons":{"p_1":{"ownership_percentage":70},"p_2":{"ownership_percentage":25}}}`},
		{EntityBusiness, `"CA" in persons.map(p, p.citizenship)`, "A document: required because the citizenship of person p_2 is CA.", `{"persons":{"p_2":{"citizenship":"CA"}}}`},
		{EntityBusiness, `evaluation_score > 600 ? persons.size() == 2 : persons.size() == 9`, "A document: required because the evaluation score is 620, more than 600; and the number of persons is 2.", `{"evaluation_score":620,"persons":{"p_1":{},"p_2":{}}}`},
		{EntityBusiness, `true`, "A document: required because its condition always holds.", `{}`},
		{EntityBusiness, `persons.all(p, p.citizenship in ["US", "CA"])`, "A document: required because every person's citizenship is US or CA.", `{"persons":{"p_1":{"citizenship":"US"},"p_2":{"citizenship":"CA"}}}`},
		{EntityBusiness, `persons.all(p, p.citizenship != "DE" && p.ownership_percentage > 5)`, "A document: required because for every person their citizenship is not DE and their ownership percentage is more than 5.", `{"persons":{"p_1":{"citizenship":"US","ownership_percentage":70},"p_2":{"citizenship":"CA","ownership_percentage":25}}}`},
		{EntityBusiness, `!persons.exists(p, p.citizenship == "DE")`, "A document: required because no person's citizenship is DE.", `{"persons":{"p_1":{"citizenship":"US"},"p_2":{"citizenship":"CA"}}}`},
		{EntityBusiness, `industry_category_code.all(c, c in lists.high_risk || c.startsWith("07"))`, "A document: required because for every industry category code the code is in the list high_risk or the code starts with 07.", `{"industry_category_code":["0742","7995"]}`},
		{EntityBusiness, `persons.exists(p, p.citizenship in ["DE", "CA"])`, "A document: required because the citizenship of person p_2 is CA, one of DE or CA.", `{"persons":{"p_2":{"citizenship":"CA"}}}`},
		{EntityBusiness, `persons.exists(p, !(p.citizenship in ["DE", "CA"]))`, "A document: required because the citizenship of person p_1 is US, not DE or CA.", `{"persons":{"p_1":{"citizenship":"US"}}}`},
		{EntityBusiness, `(average_monthly_credit_sales + average_individual_sale) * 12 > 1`, "A document: required because (average monthly credit sales plus the average individual sale) times 12 is 744486, more than 1.", `{"average_individual_sale":40,"average_monthly_credit_sales":62000.5}`},
		{EntityBusiness, `size(persons.filter(p, p.citizenship == "DE")) < 2`, "A document: required because the number of persons for whom their citizenship is DE is 0, less than 2.", `{"persons":{"p_1":{"citizenship":"US"},"p_2":{"citizenship":"CA"}}}`},
		{EntityPerson, `person.citizenship != "US"`, "A document: required because the citizenship of person p_2 is CA, not US.", `{"persons":{"p_2":{"citizenship":"CA"}}}`},
	} {
		result := evaluate(t, oneRule(c.entityType, c.when), completeFacts())
		require.Len(t, result.Required, 1, c.when)
		reason := result.Required[0].Reason
		require.Equal(t, c.message, reason.Message, c.when)
		facts, err := json.Marshal(reason.Facts)
		require.NoError(t, err)
		require.JSONEq(t, c.facts, string(facts), c.when)
		if c.when != "" {
			require.Equal(t, c.when, reason.Rule)
		}
	}
}

func TestALongReasonIsCutAndItsFactsAreNot(t *testing.T) {
	t.Parallel()
	f := completeFacts()
	f.Persons = nil
	for i := range 20 {
		f.Persons = append(f.Persons, PersonFacts{PersonID: fmt.Sprintf("p_%02d", i), Citizenship: ptr("CA")})
	}
	reason := evaluate(t, oneRule(EntityBusiness, `persons.exists(p, p.citizenship == "CA")`), f).Required[0].Reason
	require.True(t, strings.HasSuffix(reason.Message, "; and 12 more such values."), reason.Message)
	require.Len(t, reason.Facts["persons"], 20)
}

func TestExplain(t *testing.T) {
	t.Parallel()
	program := mustCompile(t, oneRule(EntityBusiness, `evaluation_score < 600 || (persons.exists(p, p.ownership_percentage > 70) && business_age_years > 1.5)`))
	explanation, err := program.Explain(t.Context(), completeFacts())
	require.NoError(t, err)
	want := []RuleExplanation{{
		Path: "documents[0]", DocumentTypeCode: "DOC", EntityType: EntityBusiness, EntityID: "b_1",
		Rule: `evaluation_score < 600 || (persons.exists(p, p.ownership_percentage > 70) && business_age_years > 1.5)`,
		Steps: &Step{
			Expression: `evaluation_score < 600 || persons.exists(p, p.ownership_percentage > 70) && business_age_years > 1.5`,
			Value:      false,
			Steps: []Step{
				{Expression: "evaluation_score < 600", Value: false, Steps: []Step{{Expression: "evaluation_score", Value: *decimal(620)}}},
				{Expression: `persons.exists(p, p.ownership_percentage > 70) && business_age_years > 1.5`, Value: false, Steps: []Step{
					{Expression: "persons.exists(p, p.ownership_percentage > 70)", Value: false, Steps: []Step{
						{Expression: "persons", Value: []any{"p_1", "p_2"}},
						{Expression: "p.ownership_percentage > 70", Element: "p = p_1", Value: false, Steps: []Step{{Expression: "p.ownership_percentage", Value: *decimal(70)}}},
						{Expression: "p.ownership_percentage > 70", Element: "p = p_2", Value: false, Steps: []Step{{Expression: "p.ownership_percentage", Value: *decimal(25)}}},
					}},
					{Expression: "business_age_years > 1.5", Skipped: true},
				}},
			},
		},
	}}
	require.Equal(t, want, explanation.Rules)

	f := completeFacts()
	f.EvaluationScore = nil
	explanation, err = program.Explain(t.Context(), f)
	require.NoError(t, err)
	require.Nil(t, explanation.Rules)
	require.Len(t, explanation.Gaps, 1)
}
