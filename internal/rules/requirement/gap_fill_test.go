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

// pricingRules refer to every fact that pricing may know.
var pricingRules = []string{
	"average_monthly_credit_sales > 1", "average_yearly_credit_sales > 1", "average_individual_sale > 1 || highest_ticket_sale > 1", "highest_ticket_sale > 1",
	"business_age_years > 1", `"7995" in industry_category_code`, `persons.exists(p, p.citizenship != "US")`, "persons.all(p, p.ownership_percentage < 25)",
	"persons.exists(p, average_monthly_credit_sales > 1)", "size(persons) > 1",
}

// TestGaps_AProgramFillsThemInOneRoundAndLosesNothing: the program knows what the gaps say in
// JSON, and how many persons there are.
func TestGaps_AProgramFillsThemInOneRoundAndLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rules := RuleSet{Facts: rulestest.DrawDeclarations(t), Definitions: map[string]string{}}
		for i := range rapid.IntRange(1, 3).Draw(t, "rules") {
			entityType := rapid.SampledFrom(fact.EntityTypes()).Draw(t, "entity type")
			condition, _ := rulestest.DrawDeclared(t, entityType == fact.EntityPerson, rules.Facts, rules.Definitions)
			one := oneRule(entityType, condition)
			one.Documents[0].DocumentTypeCode = fmt.Sprintf("DOC_%d", i)
			rules.Lists, rules.Documents = one.Lists, append(rules.Documents, one.Documents...)
		}
		var model PricingModel
		for i, when := range rapid.SliceOfNDistinct(rapid.SampledFrom(pricingRules), 0, 4, rapid.ID).Draw(t, "pricing") {
			model.Rules = append(model.Rules, PricingRule{Name: fmt.Sprint("rule ", i), When: when, Points: *rulestest.Decimal(1)})
		}
		for i, when := range rapid.SliceOfN(rapid.Just(0), 0, 2).Draw(t, "pricing by declared facts") {
			condition, refers := rulestest.DrawDeclared(t, false, rules.Facts, nil)
			if !refers.Facts["evaluation_score"] {
				model.Rules = append(model.Rules, PricingRule{Name: fmt.Sprint("declared ", i), When: strings.ReplaceAll(condition, "lists.high_risk", `["5967"]`), Points: *rulestest.Decimal(float64(when))})
			}
		}
		model.Facts = rules.Facts
		program := mustCompileUnsized(t, rules)
		pricing, problems := CompilePricing(model, Options{CostLimit: 1 << 40})
		require.Empty(t, problems)

		before := rulestest.DrawFacts(t, false)
		rulestest.DrawValues(t, &before, rules.Facts, false)
		before.Currency = "USD"
		records := &rulestest.Records{Facts: before, Declared: rules.Facts, Price: func(f fact.Facts) (*fact.Number, []fact.Gap, error) {
			priced, err := pricing.Score(background(t), f)
			return &priced.Score, priced.Gaps, err
		}}
		records.FillGaps(t, rapid.IntRange(0, 3).Draw(t, "persons of the business"), func(f fact.Facts) []fact.Gap {
			result, err := program.Evaluate(background(t), f)
			require.NoError(t, err)
			if score := fact.ScoreGap(result.Gaps); score != nil {
				require.NoError(t, ExplainScoreGap(background(t), score, pricing, f))
			}
			return result.Gaps
		})
	})
}

// TestGap_OfASalesRecordTellsTheWholeNewRecord, in the names of the API.
func TestGap_OfASalesRecordTellsTheWholeNewRecord(t *testing.T) {
	t.Parallel()
	f := rulestest.CompleteFacts()
	f.Currency = "USD"
	f.AverageIndividualSale, f.HighestTicketSale = nil, nil
	gaps := evaluate(t, oneRule(fact.EntityBusiness, "average_individual_sale > 1 && highest_ticket_sale > 1"), f).Gaps
	require.Len(t, gaps, 2)
	amount := func(amountType, ask, value string) string {
		label := strings.ToLower(strings.ReplaceAll(amountType, "_", " "))
		return `{"field":"sales_amount","value_type":"AMOUNT","label":"` + label + `","ask":"` + ask + `","type":"` + amountType + `","currency":"USD"` + value + `}`
	}
	present := `[` + amount("AVERAGE_MONTHLY_CREDIT_SALES", "The average sales by card in a month.", `,"value":62000.5`) + `,` +
		amount("AVERAGE_YEARLY_CREDIT_SALES", "The average sales by card in a year.", `,"value":744006`) + `]`
	for i, missing := range []string{
		amount("AVERAGE_INDIVIDUAL_SALE", "The average of a single sale.", ""), amount("HIGHEST_TICKET_SALE", "The largest single sale.", ""),
	} {
		text, err := json.Marshal(gaps[i])
		require.NoError(t, err)
		require.NotContains(t, gaps[i].Message, "62000")
		message, err := json.Marshal(gaps[i].Message)
		require.NoError(t, err)
		require.JSONEq(t, `{"code":"FIELDS_REQUIRED","entity_type":"BusinessSalesInfo","entity_id":"bsi_1","message":`+string(message)+`,
			"related_endpoints":["business.salesInfo.delete","business.salesInfo.create"],"fields":["sales_amount"],
			"missing":[`+missing+`],"business_id":"b_1","delete_first":"bsi_1","present":`+present+`}`, string(text))
	}

	f.SalesInfoID, f.AverageMonthlyCreditSales, f.AverageYearlyCreditSales = "", nil, nil
	for _, gap := range evaluate(t, oneRule(fact.EntityBusiness, "highest_ticket_sale > 1"), f).Gaps {
		require.Equal(t, []string{"b_1", "b_1", ""}, []string{gap.EntityID, gap.BusinessID, gap.DeleteFirst})
		require.Empty(t, gap.Present)
	}
}
