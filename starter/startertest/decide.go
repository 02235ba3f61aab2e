package startertest

import (
	"maps"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/decision/replay"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
)

// DecideByRules calculates the documents of a workflow by the rules in force, as a run does.
func (b *Bundle) DecideByRules(workflow string) refusal.DecisionRef {
	b.Helper()
	return b.Decide(workflow, func(snapshot calculation.Snapshot) store.Found {
		p, err := b.Store.Versions.RuleSetByID(b.Context(), snapshot.Scope, snapshot.RuleSet.ID)
		require.NoError(b, err)
		rules, err := replay.LoadRuleSet(b.Context(), p)
		require.NoError(b, err)
		found, err := rules.RuleSet.Evaluate(b.Context(), snapshot.Facts)
		switch {
		case requirement.Unanswerable(err):
			return store.Refused{Kind: decision.Calculation, Refusal: refusal.Rule(refusal.EntityDocumentRules, "", refusal.RuleNotEvaluable, "%v", err)}
		case len(found.Gaps) > 0:
			return store.Refused{Kind: decision.Calculation, Refusal: refusal.Missing(found.Gaps)}
		}
		require.NoError(b, err)
		return store.Required(found)
	})
}

// DecideScore calculates a workflow's score by the pricing model in force.
func (b *Bundle) DecideScore(workflow string) refusal.DecisionRef {
	b.Helper()
	return b.Decide(workflow, func(snapshot calculation.Snapshot) store.Found {
		p, err := b.Store.Versions.PricingModelByID(b.Context(), snapshot.Scope, snapshot.PricingModel.ID)
		require.NoError(b, err)
		rules, err := replay.LoadPricing(b.Context(), p)
		require.NoError(b, err)
		found, err := rules.Pricing.Score(b.Context(), snapshot.Facts)
		require.NoError(b, err)
		if len(found.Gaps) > 0 {
			return store.Refused{Kind: decision.Pricing, Refusal: refusal.Missing(found.Gaps)}
		}
		return store.Score(found)
	})
}

// Decide saves the result of find for the facts of a workflow, and returns the decision.
func (b *Bundle) Decide(workflow string, find func(calculation.Snapshot) store.Found) refusal.DecisionRef {
	b.Helper()
	run := domain.Run{ID: id.New().String(), Call: b.Call, WorkflowID: id.Must[id.WorkflowID](workflow), StartedAt: time.Now()}
	snapshot, err := b.Store.LoadFacts(b.Context(), run.Call, run.WorkflowID, run.StartedAt)
	require.NoError(b, err)
	result, err := b.Store.Save(b.Context(), run, snapshot, find(snapshot))
	if refused, ok := refusal.FromError(err); ok && refused.Decision != nil {
		return *refused.Decision
	}
	require.NoError(b, err)
	return *result.Decision
}

// SupplyFacts adds an industry code and all amounts. The monthly amount is 50,000.
func (b *Bundle) SupplyFacts() {
	b.Helper()
	hundredths := map[string]rational.Decimal{
		"AVERAGE_MONTHLY_CREDIT_SALES": 5000000, "AVERAGE_YEARLY_CREDIT_SALES": 60000000, "AVERAGE_INDIVIDUAL_SALE": 4500, "HIGHEST_TICKET_SALE": 120000,
	}
	var amounts []domain.SalesAmount
	for _, of := range slices.Sorted(maps.Keys(hundredths)) {
		amounts = append(amounts, domain.SalesAmount{Type: of, Hundredths: hundredths[of], Currency: "USD"})
	}
	business := id.Must[id.BusinessID](b.Business)
	b.Write(func(r *store.Records) error {
		if _, err := r.Businesses.CreateSalesInfo(b.Context(), business, id.SalesInfoID{}, amounts); err != nil {
			return err
		}
		return r.Businesses.Update(b.Context(), business, domain.CustomChange{}, func(b *domain.Business) { b.IndustryCategoryCode = []string{"5462"} })
	})
}
