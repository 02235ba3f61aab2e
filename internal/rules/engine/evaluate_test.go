package engine

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// It names the rule and the cause, and is not a fault of the service.
func TestEvaluation_RuleWithoutAResultIsARefusal(t *testing.T) {
	rules, problems, err := requirement.LoadRuleSet(t.Context(), requirement.RuleSet{Documents: []requirement.DocumentRule{{
		DocumentTypeCode: "LICENSE", Name: "n", Category: "c", RequirementText: "r", EntityType: fact.EntityBusiness,
		When: "highest_ticket_sale / average_individual_sale > 10",
	}}}.CanonicalJSON(), requirement.Options{})
	require.NoError(t, err)
	require.Empty(t, problems)
	ten, nothing := rational.Int(10), rational.Int(0)
	facts := fact.Facts{WorkflowID: "w_1", BusinessID: "b_1", HighestTicketSale: &ten, AverageIndividualSale: &nothing}

	_, err = New(nil, 0).Preview(t.Context(), time.Hour, rules, "rul_1", calculation.Snapshot{Facts: facts})
	refused, ok := refusal.FromError(err)
	require.True(t, ok, "%v", err)
	require.Equal(t, refusal.Rule(refusal.EntityDocumentRules, "rul_1", refusal.RuleNotEvaluable,
		"The account's rules cannot be evaluated for the facts on record, and nothing was changed: rule documents[0] (LICENSE): the condition has no result for these facts: highest_ticket_sale / average_individual_sale divides by zero."), refused)

	for _, cause := range []error{requirement.ErrCostLimit, requirement.ErrTooManyFacts, requirement.ErrTooMuchRequired, requirement.ErrUndecided} {
		refused, ok := refusal.FromError(notEvaluable(fmt.Errorf("rule rules[0] (x): %w", cause), refusal.EntityAccount, "sb_1", "pricing model"))
		require.True(t, ok)
		require.Equal(t, refusal.SystemRuleViolation, refused.Code)
		require.Equal(t, []string{refusal.EntityAccount, "sb_1", string(refusal.RuleNotEvaluable)}, []string{refused.EntityType, refused.EntityID, string(refused.SubCode)})
		require.Contains(t, refused.Message, "The account's pricing model cannot be evaluated for the facts on record, and nothing was changed: rule rules[0] (x): "+cause.Error())
	}
	require.Equal(t, context.Canceled, notEvaluable(context.Canceled, refusal.EntityAccount, "sb_1", "rules"))
	require.NoError(t, notEvaluable(nil, refusal.EntityAccount, "sb_1", "rules"))
}

func TestWithin_ReturnsAPanicAsAnError(t *testing.T) {
	e := New(nil, 0)
	err := within(t.Context(), e.evaluations, "", 0, func() error { panic("the rules are broken") })
	require.ErrorContains(t, err, "panic: the rules are broken")
	require.Zero(t, e.evaluations.Stat().InUse)
}

// Otherwise a tenant that checks without end would keep a processor busy.
func TestChecking_RestsForAsLongAsItTook(t *testing.T) {
	e := New(nil, 0)
	var began time.Time
	var took time.Duration
	require.NoError(t, checking(t.Context(), e.checks, domain.Scope{}, 0, func() error {
		began = time.Now()
		for took < time.Millisecond {
			took = time.Since(began)
		}
		return nil
	}))
	require.GreaterOrEqual(t, time.Since(began), 2*took)
	require.Zero(t, e.checks.Stat().InUse)
}
