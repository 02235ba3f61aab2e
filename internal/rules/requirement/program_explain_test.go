package requirement

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

// explainedSteps is the explanation of a rule for the first of its entities.
func explainedSteps(t *testing.T, entityType, when string, f fact.Facts) Step {
	t.Helper()
	explanation, err := mustCompile(t, oneRule(entityType, when)).Explain(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, when, explanation.Rules[0].Rule)
	return *explanation.Rules[0].Steps
}

func TestExplain_ShowsEachKindOfValue(t *testing.T) {
	f := rulestest.CompleteFacts()
	require.Equal(t, Step{Expression: `person.citizenship == "US"`, Value: true, Steps: []Step{
		{Expression: "person.citizenship", Value: "US", Steps: []Step{{Expression: "person", Value: "p_1"}}},
	}}, explainedSteps(t, fact.EntityPerson, `person.citizenship == "US"`, f))
	require.Equal(t, Step{Expression: `established_date < date("2025-02-01")`, Value: true, Steps: []Step{{Expression: "established_date", Value: "2025-01-31"}}},
		explainedSteps(t, fact.EntityBusiness, `established_date < date("2025-02-01")`, f))
	require.Equal(t, Step{Expression: `"0742" in industry_category_code`, Value: true, Steps: []Step{{Expression: "industry_category_code", Value: []any{"0742", "7995"}}}},
		explainedSteps(t, fact.EntityBusiness, `"0742" in industry_category_code`, f))

	require.Equal(t, Step{Expression: `industry_category_code.exists(c, c in lists.high_risk)`, Value: true, Steps: []Step{
		{Expression: "industry_category_code", Value: []any{"0742", "7995"}},
		{Expression: "c in lists.high_risk", Element: `c = "0742"`, Value: false}, {Expression: "c in lists.high_risk", Element: `c = "7995"`, Value: true},
	}}, explainedSteps(t, fact.EntityBusiness, `industry_category_code.exists(c, c in lists.high_risk)`, f), "a list of the rule set is known to who reads it")
	const owners = `persons.exists(p, p.ownership_percentage > 70)`
	require.Equal(t, Step{Expression: owners, Value: false, Steps: []Step{
		{Expression: "persons", Value: []any{"p_1", "p_2"}},
		{Expression: "p.ownership_percentage > 70", Element: "p = p_1", Value: false, Steps: []Step{{Expression: "p.ownership_percentage", Value: *rulestest.Decimal(70)}}},
		{Expression: "p.ownership_percentage > 70", Element: "p = p_2", Value: false, Steps: []Step{{Expression: "p.ownership_percentage", Value: *rulestest.Decimal(25)}}},
	}}, explainedSteps(t, fact.EntityBusiness, owners, f))
	require.Equal(t, Step{Expression: "business_age_years < 1 && evaluation_score > 5", Value: false, Steps: []Step{
		{Expression: "business_age_years < 1", Value: false, Steps: []Step{{Expression: "business_age_years", Value: *rulestest.Decimal(1)}}},
		{Expression: "evaluation_score > 5", Skipped: true},
	}}, explainedSteps(t, fact.EntityBusiness, "business_age_years < 1 && evaluation_score > 5", f))
	f.AverageIndividualSale = rulestest.Decimal(0)
	const divided = "highest_ticket_sale / average_individual_sale"
	require.Equal(t, Step{Expression: divided + " > 10 || evaluation_score > 600", Value: true, Steps: []Step{
		{Expression: divided + " > 10", Steps: []Step{{Expression: divided, Steps: []Step{
			{Expression: "highest_ticket_sale", Value: *rulestest.Decimal(900)}, {Expression: "average_individual_sale", Value: *rulestest.Decimal(0)},
		}}}},
		{Expression: "evaluation_score > 600", Value: true, Steps: []Step{{Expression: "evaluation_score", Value: *rulestest.Decimal(620)}}},
	}}, explainedSteps(t, fact.EntityBusiness, divided+" > 10 || evaluation_score > 600", f))
}

func TestExplain_RuleWithoutConditionHasNoSteps(t *testing.T) {
	explanation, err := mustCompile(t, RuleSet{}).Explain(t.Context(), rulestest.CompleteFacts())
	require.NoError(t, err)
	require.Equal(t, Explanation{Rules: []RuleExplanation{}}, explanation, "no rules")
	explanation, err = mustCompile(t, oneRule(fact.EntityPerson, "")).Explain(t.Context(), rulestest.CompleteFacts())
	require.NoError(t, err)
	require.Equal(t, Explanation{Rules: []RuleExplanation{
		{Path: "documents[0]", DocumentTypeCode: "DOC", EntityType: fact.EntityPerson, EntityID: "p_1", Rule: alwaysRequired, Required: true},
		{Path: "documents[0]", DocumentTypeCode: "DOC", EntityType: fact.EntityPerson, EntityID: "p_2", Rule: alwaysRequired, Required: true},
	}}, explanation)
}

// An explanation that fails hands over no part of itself.
func TestExplain_FailsWhereEvaluateFails(t *testing.T) {
	rs := RuleSet{Documents: []DocumentRule{documentRule(fact.EntityBusiness, "evaluation_score > 1"), documentRule(fact.EntityWorkflow, "highest_ticket_sale / average_individual_sale > 1")}}
	program := mustCompile(t, rs)
	f := rulestest.CompleteFacts()
	f.AverageIndividualSale = rulestest.Decimal(0)
	explanation, err := program.Explain(t.Context(), f)
	require.ErrorIs(t, err, ErrUndecided)
	require.ErrorContains(t, err, "explain documents[1] (DOC)")
	require.Equal(t, Explanation{}, explanation)

	many := rulestest.CompleteFacts()
	many.Persons = rulestest.ManyPersons(fact.MaxPersons + 1)
	_, evaluated := program.Evaluate(t.Context(), many)
	require.Error(t, evaluated)
	explanation, err = program.Explain(t.Context(), many)
	require.EqualError(t, err, evaluated.Error())
	require.Equal(t, Explanation{}, explanation)

	enough, seen := errors.New("enough"), 0
	gaps, err := program.ExplainEach(t.Context(), rulestest.CompleteFacts(), func(r RuleExplanation, steps func() *Step) error {
		seen++
		require.Nil(t, r.Steps, "made when they are asked for")
		require.Equal(t, true, steps().Value)
		return enough
	})
	require.Equal(t, enough, err)
	require.Empty(t, gaps)
	require.Equal(t, 1, seen, "an error of whoever sees it ends it")

	f = rulestest.CompleteFacts()
	f.HighestTicketSale = nil
	gaps, err = program.ExplainEach(t.Context(), f, func(RuleExplanation, func() *Step) error { return enough })
	require.NoError(t, err, "with a gap, nothing is handed over")
	require.Len(t, gaps, 1)
	explanation, err = program.Explain(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, Explanation{Gaps: gaps}, explanation)
}

// Each step says how many are missing below it.
func TestExplain_CountsTheStepsThatItOmits(t *testing.T) {
	t.Parallel()
	f := rulestest.CompleteFacts()
	f.Persons = rulestest.ManyPersons(fact.MaxPersons)
	f.IndustryCategoryCode = nil
	const codes = 50
	for i := range codes {
		f.IndustryCategoryCode = append(f.IndustryCategoryCode, fmt.Sprint(1000+i))
	}
	// A person takes the inner loop, its list and two steps for each code.
	const each = 2 + 2*codes
	s := explainedSteps(t, fact.EntityBusiness, `persons.exists(p, industry_category_code.exists(c, c == p.citizenship))`, f)
	shown := (MaxExplainedSteps-2)/each + 1
	require.Len(t, s.Steps, 1+shown)
	require.Equal(t, fact.MaxPersons-shown, s.Omitted)
	for _, whole := range s.Steps[:shown] {
		require.Zero(t, whole.Omitted)
	}
	last := s.Steps[shown]
	left := (MaxExplainedSteps - 2) % each
	require.Len(t, last.Steps, 1+(left-2)/2)
	require.Equal(t, codes-(left-2)/2, last.Omitted)
	require.Zero(t, last.Steps[len(last.Steps)-1].Omitted)

	// What fits just so is shown whole.
	f.Persons = rulestest.ManyPersons((MaxExplainedSteps - 2) / 2)[:fact.MaxPersons]
	s = explainedSteps(t, fact.EntityBusiness, `persons.exists(p, p.citizenship == "US")`, f)
	require.Len(t, s.Steps, 1+fact.MaxPersons)
	require.Zero(t, s.Omitted)
}

// TestFactValues: the facts that rules refer to and no others, in the order of the
// table, then how many persons there are, then what is on record of each.
func TestFactValues(t *testing.T) {
	f := rulestest.CompleteFacts()
	f.Persons[0], f.Persons[1] = f.Persons[1], f.Persons[0]
	f.Persons[0].Citizenship = nil
	f.HighestTicketSale = nil
	values := func(entityType, when string) []FactValue {
		return factValues(t, mustCompile(t, oneRule(entityType, when)), f)
	}
	require.Equal(t, []FactValue{
		{Name: "evaluation_score", Value: *rulestest.Decimal(620)}, {Name: "highest_ticket_sale"}, {Name: "established_date", Value: "2025-01-31"},
		{Name: "industry_category_code", Value: []string{"0742", "7995"}},
	}, values(fact.EntityBusiness, `"0742" in industry_category_code && established_date < date("2030-01-01") && highest_ticket_sale > 1 && evaluation_score > 2`))
	require.Equal(t, []FactValue{{Name: "persons", Value: 2}}, values(fact.EntityBusiness, "size(persons) > 1"))
	require.Equal(t, []FactValue{
		{Name: "persons", Value: 2}, {Name: "citizenship", PersonID: "p_1", Value: "US"}, {Name: "ownership_percentage", PersonID: "p_1", Value: *rulestest.Decimal(70)}, {Name: "citizenship", PersonID: "p_2", Value: nil}, {Name: "ownership_percentage", PersonID: "p_2", Value: *rulestest.Decimal(25)},
	}, values(fact.EntityBusiness, `persons.exists(p, p.citizenship == "US" && p.ownership_percentage > 2 && p.person_id != "")`), "an id is no fact on record")
	require.Equal(t, []FactValue{{Name: "persons", Value: 2}, {Name: "citizenship", PersonID: "p_1", Value: "US"}, {Name: "citizenship", PersonID: "p_2", Value: nil}}, values(fact.EntityPerson, `person.citizenship == "US"`))
	require.Empty(t, values(fact.EntityBusiness, "true"))
}

func TestReasonFacts_KeepExactNumbersInJSON(t *testing.T) {
	const stored = `{"message":"m","facts":{"evaluation_score":12345678901234567.89,"established_date":"2025-01-31","persons":{"p_1":{"ownership_percentage":33.333333,"citizenship":"US"}}}}`
	var reason Reason
	require.NoError(t, json.Unmarshal([]byte(stored), &reason))
	require.Equal(t, ReasonFacts{
		"evaluation_score": *rulestest.ParsedDecimal("12345678901234567.89"), "established_date": "2025-01-31",
		"persons": map[string]any{"p_1": map[string]any{"ownership_percentage": *rulestest.ParsedDecimal("33.333333"), "citizenship": "US"}},
	}, reason.Facts)
	again, err := json.Marshal(reason)
	require.NoError(t, err)
	require.JSONEq(t, stored, string(again))
	for _, c := range []struct{ facts, want string }{
		{`{"evaluation_score": 1e99999999}`, "evaluation_score"}, {`{"persons":{"p_1":{"ownership_percentage": 1e99999999}}}`, "ownership_percentage"}, {`[]`, "array"},
	} {
		var facts ReasonFacts
		require.ErrorContains(t, json.Unmarshal([]byte(c.facts), &facts), c.want)
	}
}

// Explanation shows how every rule came to its result, also those that require
// nothing. If Gaps is not empty nothing was evaluated and Rules is nil.
type Explanation struct {
	Rules []RuleExplanation `json:"rules"`
	Gaps  []fact.Gap        `json:"gaps"`
}

// Explain evaluates every rule and shows each step. It agrees with Evaluate on
// the same facts, and fails where Evaluate fails.
func (p *Program) Explain(ctx context.Context, f fact.Facts) (Explanation, error) {
	explanation := Explanation{Rules: []RuleExplanation{}}
	gaps, err := p.ExplainEach(ctx, f, func(r RuleExplanation, steps func() *Step) error {
		r.Steps = steps()
		explanation.Rules = append(explanation.Rules, r)
		return nil
	})
	if err != nil {
		return Explanation{}, err
	}
	if len(gaps) > 0 {
		return Explanation{Gaps: gaps}, nil
	}
	return explanation, nil
}

func factValues(t fataler, p *Program, f fact.Facts) []FactValue {
	t.Helper()
	found, err := p.FactValues(background(t), f)
	require.NoError(t, err)
	return found
}
