package evaluation

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/background"
	"requisite/internal/rational"
	"requisite/internal/requirement"
)

func TestMain(m *testing.M) {
	background.Serve()
	os.Exit(m.Run())
}

func number(t *testing.T, text string) *requirement.Number {
	t.Helper()
	var n requirement.Number
	require.NoError(t, json.Unmarshal([]byte(text), &n))
	return &n
}

func ruleSet(entityType string, conditions ...string) []byte {
	var set requirement.RuleSet
	for i, when := range conditions {
		set.Documents = append(set.Documents, requirement.DocumentRule{DocumentTypeCode: fmt.Sprint("D", i), Name: "n", Category: "c", RequirementText: "t", EntityType: entityType, When: when})
	}
	return set.CanonicalJSON()
}

func load(t *testing.T, content []byte) *Rules {
	t.Helper()
	rules, problems, err := Load(t.Context(), content, requirement.Newest())
	require.NoError(t, err)
	require.Empty(t, problems)
	return rules
}

// there are the same rules for a process that has only their content.
func (r *Rules) there() *Rules { return &Rules{published: r.published} }

func facts(t *testing.T) requirement.Facts {
	f := requirement.Facts{WorkflowID: "w_1", BusinessID: "b_1", SalesInfoID: "s_1", Currency: "EUR", EvaluationScore: number(t, "599.99"),
		AverageMonthlyCreditSales: number(t, "123456789012345678.01"), AverageIndividualSale: number(t, "0"), HighestTicketSale: number(t, "0.1"),
		IndustryCategoryCode: []string{"0742", "5967"}}
	require.NoError(t, json.Unmarshal([]byte(`"2026-11-23"`), &f.AsOf))
	f.EstablishedDate = new(requirement.Date)
	require.NoError(t, json.Unmarshal([]byte(`"2001-02-28"`), f.EstablishedDate))
	for i, share := range []string{"33.33", "66.67"} {
		us := "US"
		f.Persons = append(f.Persons, requirement.PersonFacts{PersonID: fmt.Sprint("p_", i), Citizenship: &us, OwnershipPercentage: number(t, share)})
	}
	return f
}

func requireSameJSON(t *testing.T, want, got any) {
	t.Helper()
	a, err := json.Marshal(want)
	require.NoError(t, err)
	b, err := json.Marshal(got)
	require.NoError(t, err)
	require.Equal(t, string(a), string(b))
}

// TestAnotherProcessAnswersTheSame, byte for byte, reasons and gaps too.
func TestAnotherProcessAnswersTheSame(t *testing.T) {
	t.Parallel()
	lacking := facts(t)
	lacking.Persons[1].OwnershipPercentage, lacking.EvaluationScore = nil, nil
	nobody := facts(t)
	nobody.Persons, nobody.NoPersonsAttested = nil, true
	for _, content := range [][]byte{
		ruleSet(requirement.EntityBusiness, "", "evaluation_score < 600", "average_monthly_credit_sales > 123456789012345678", "highest_ticket_sale / 3 < 1",
			`"5967" in industry_category_code`, "business_age_years >= 25", "persons.exists(p, p.ownership_percentage / 3 > 11)", "evaluation_score > 1000"),
		ruleSet(requirement.EntityPerson, "person.ownership_percentage >= 25", `person.citizenship == "US"`),
		ruleSet(requirement.EntityBusiness),
	} {
		rules := load(t, content)
		for _, f := range []requirement.Facts{facts(t), lacking, nobody} {
			here, err := rules.Evaluate(t.Context(), time.Minute, f)
			require.NoError(t, err)
			there, err := rules.there().Evaluate(t.Context(), time.Minute, f)
			require.NoError(t, err)
			requireSameJSON(t, here, there)
		}
	}
}

// TestErrorsOfRulesAreTheSame: whether they are final decides whether a run is
// refused or tried again.
func TestErrorsOfRulesAreTheSame(t *testing.T) {
	t.Parallel()
	rules := load(t, ruleSet(requirement.EntityBusiness, "highest_ticket_sale / average_individual_sale > 10"))
	_, here := rules.Evaluate(t.Context(), time.Minute, facts(t))
	require.ErrorIs(t, here, requirement.ErrUndecided)
	_, there := rules.there().Evaluate(t.Context(), time.Minute, facts(t))
	require.ErrorIs(t, there, requirement.ErrUndecided)
	require.EqualError(t, there, here.Error())

	_, err := (&Rules{published: published{content: ruleSet(requirement.EntityBusiness, "nobody > 1")}}).Evaluate(t.Context(), time.Minute, facts(t))
	require.ErrorContains(t, err, "documents[0]")
	require.False(t, requirement.Unanswerable(err))
}

// slow is a rule set that evaluates for more than a moment.
func slow() []byte {
	return ruleSet(requirement.EntityBusiness, strings.Split(strings.Repeat("persons.all(p, persons.all(q, p.ownership_percentage == q.ownership_percentage))\n", 5), "\n")[:5]...)
}

func manyPersons(t *testing.T) requirement.Facts {
	f := facts(t)
	for i := range requirement.MaxPersons {
		f.Persons = append(f.Persons[:i], requirement.PersonFacts{PersonID: fmt.Sprintf("p_%03d", i), OwnershipPercentage: number(t, "0.5")})
	}
	return f
}

func TestSlowRulesEvaluateInTheBackground(t *testing.T) {
	t.Parallel()
	rules, f := load(t, slow()), manyPersons(t)
	result, err := rules.Evaluate(t.Context(), time.Hour, f)
	require.NoError(t, err)
	require.Len(t, result.Required, 5)

	_, err = rules.Evaluate(t.Context(), 5*time.Millisecond, f)
	require.ErrorIs(t, err, requirement.ErrTimeLimit)
	require.True(t, requirement.Unanswerable(err))

	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err = rules.Evaluate(ctx, time.Hour, f)
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, requirement.Unanswerable(err), "that the process stops is no answer")
}

func TestScoresOfAnotherProcess(t *testing.T) {
	t.Parallel()
	model, problems := LoadPricing([]byte(`{"base":1.25,"rules":[{"name":"large","when":"average_monthly_credit_sales > 1","points":0.005}]}`), requirement.Newest())
	require.Empty(t, problems)
	here, err := model.Score(t.Context(), time.Minute, facts(t))
	require.NoError(t, err)
	there, err := scoring.Run(t.Context(), evaluation{model.content, model.options, facts(t), time.Minute})
	require.NoError(t, err)
	requireSameJSON(t, here, there)
	require.Equal(t, "1.255", there.Score.String())
}

// TestWhatWasCompiledLastIsThatOfItsContent and options, whoever asked before.
func TestWhatWasCompiledLastIsThatOfItsContent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		when     string
		required int
	}{{"evaluation_score < 600", 1}, {"evaluation_score > 600", 0}, {"evaluation_score < 600", 1}} {
		found, err := evaluateRules(t.Context(), evaluation{ruleSet(requirement.EntityBusiness, c.when), requirement.Newest(), facts(t), time.Minute})
		require.NoError(t, err)
		require.Len(t, found.Required, c.required)
	}
	content := ruleSet(requirement.EntityBusiness, "evaluation_score < 600")
	_, err := evaluateRules(t.Context(), evaluation{content, requirement.Options{CostLimit: 1}, facts(t), time.Minute})
	require.Error(t, err, "these options allow nothing")
}

// large is a rule set that takes long to compile, and no time where there is no person.
func large() []byte {
	lists := map[string][]string{"l": nil}
	for i := range 1000 {
		lists["l"] = append(lists["l"], fmt.Sprint("t", i))
	}
	set := requirement.RuleSet{Lists: lists}
	for i := range 200 {
		set.Documents = append(set.Documents, requirement.DocumentRule{DocumentTypeCode: fmt.Sprint("D", i), Name: "n", Category: "c", RequirementText: "t", EntityType: requirement.EntityPerson, When: "person.citizenship in lists.l"})
	}
	return set.CanonicalJSON()
}

// TestCompilingIsNoEvaluating: whether a process has compiled the rules before must not
// decide whether they exceed the limit, which refuses a calculation for good.
func TestCompilingIsNoEvaluating(t *testing.T) {
	t.Parallel()
	nobody := facts(t)
	nobody.Persons, nobody.NoPersonsAttested = nil, true
	_, err := (&Rules{published: published{content: large(), options: requirement.Newest()}}).Evaluate(t.Context(), 10*time.Millisecond, nobody)
	require.NoError(t, err)
}

// TestHereNoProcessIsAsked: it would need the content.
func TestHereNoProcessIsAsked(t *testing.T) {
	t.Parallel()
	rules, f := load(t, slow()), manyPersons(t)
	rules.content = nil
	_, err := rules.Evaluate(t.Context(), time.Hour, f)
	require.Error(t, err)
	result, err := rules.Here().Evaluate(t.Context(), time.Hour, f)
	require.NoError(t, err)
	require.Len(t, result.Required, 5)
	_, err = rules.Here().Evaluate(t.Context(), 5*time.Millisecond, f)
	require.ErrorIs(t, err, requirement.ErrTimeLimit)

	slowPricing := requirement.PricingModel{Base: rational.Int(500), Rules: []requirement.PricingRule{
		{Name: "n", Points: rational.Int(1), When: "persons.all(p, persons.all(q, p.ownership_percentage == q.ownership_percentage))"}}}
	pricing, problems := LoadPricing(slowPricing.CanonicalJSON(), requirement.Newest())
	require.Empty(t, problems)
	pricing.content = nil
	_, err = pricing.Score(t.Context(), time.Hour, f)
	require.Error(t, err)
	priced, err := pricing.Here().Score(t.Context(), time.Hour, f)
	require.NoError(t, err)
	require.Equal(t, "501", priced.Score.String())
}

// TestWhatWasCheckedIsNotCompiledAgain when a preview evaluates it.
func TestWhatWasCheckedIsNotCompiledAgain(t *testing.T) {
	found, err := check(t.Context(), toCheck{Content: ruleSet(requirement.EntityBusiness, "evaluation_score < 600")})
	require.NoError(t, err)
	rules := found.Rules()
	_, err = latestRules.get(rules.evaluation(facts(t), 0), func() (*requirement.Program, []requirement.Problem, error) {
		t.Error("compiled again")
		return nil, nil, nil
	})
	require.NoError(t, err)
}

func TestCheck(t *testing.T) {
	t.Parallel()
	content := ruleSet(requirement.EntityBusiness, "evaluation_score < 600", "size(persons) >= 0")
	found, err := Check(t.Context(), time.Minute, content)
	require.NoError(t, err)
	require.Empty(t, found.Unread)
	require.Empty(t, found.Problems)
	require.Equal(t, string(content), string(found.Content))
	require.Equal(t, []string{"evaluation_score", "persons"}, found.FactNames)
	require.NotEmpty(t, found.Warnings)
	result, err := found.Rules().Evaluate(t.Context(), time.Minute, facts(t))
	require.NoError(t, err)
	require.Len(t, result.Required, 2)

	found, err = Check(t.Context(), time.Minute, []byte(`{"documents":[{"document_type_code":"A","name":"n","category":"c","requirement_text":"t","entity_type":"Business","when":"x > 1","unknown":1}]}`))
	require.NoError(t, err)
	require.Len(t, found.Unread, 1)
	require.Len(t, found.Problems, 1)
	require.Equal(t, "documents[0].when", found.Problems[0].Path)
	require.Equal(t, 1, found.Problems[0].Line)
	require.Empty(t, found.Content)

	_, err = Check(t.Context(), time.Millisecond, large())
	require.ErrorIs(t, err, ErrTooLong)
}
