package workflows

import (
	"encoding/json"
	"fmt"
	"strings"

	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/postgres"
	"requisite/internal/refusal"
	"requisite/internal/requirement"
	"requisite/internal/visible"
)

// Priced is what a run of pricing found and wrote.
type Priced struct {
	PricingModel *postgres.VersionRef      `json:"pricing_model,omitempty"`
	Applied      []requirement.AppliedRule `json:"applied,omitempty"`
	postgres.RunResult
}

// CalculatePricing sets a workflow's evaluation score from the account's
// pricing model. It fails and retries as CalculateRequiredDocuments does.
func CalculatePricing(ctx workflow.Context, in Request) (Priced, error) {
	p := pricing{run: newRun(ctx, in), accountID: in.AccountID}
	result, err := p.calculate(ctx)
	return result, conclude(ctx, err, "PRICED", result.describe())
}

type pricing struct {
	run       postgres.Run
	accountID string
}

func (p *pricing) calculate(ctx workflow.Context) (Priced, error) {
	for range rounds {
		result, err := p.once(ctx)
		if !factsChanged(err) {
			return result, err
		}
	}
	saved, err := step[activities.ScoredUnderLocks](ctx, "ScoreUnderLocks", "Read, score and write under locks: the facts keep changing",
		activities.ScoreRun{Run: p.run, AccountID: p.accountID})
	return Priced{PricingModel: saved.Snapshot.PricingModel, Applied: saved.Applied, RunResult: saved.RunResult}, err
}

func (p *pricing) once(ctx workflow.Context) (Priced, error) {
	snapshot, err := step[postgres.Snapshot](ctx, "LoadFacts", "Read the facts on file", p.run)
	if err != nil {
		return Priced{}, err
	}
	found, err := step[requirement.PricingResult](ctx, "EvaluatePricing", "Evaluate the pricing model",
		activities.PricingInput{AccountID: p.accountID, Snapshot: snapshot})
	if err != nil {
		return Priced{}, err
	}
	if len(found.Gaps) > 0 {
		return Priced{}, refusal.MissingForPrice(found.Gaps).Failure()
	}
	saved, err := step[postgres.RunResult](ctx, "SaveScore", fmt.Sprintf("Write evaluation_score %v", found.Score),
		activities.SaveScore{Run: p.run, Snapshot: snapshot, Score: found.Score})
	return Priced{PricingModel: snapshot.PricingModel, Applied: found.Applied, RunResult: saved}, err
}

func (p Priced) describe() string {
	var b strings.Builder
	if p.Score != nil {
		b.WriteString(fmt.Sprintf("evaluation_score is **%v**.\n\n", *p.Score))
	}
	for _, a := range p.Applied {
		b.WriteString(fmt.Sprintf("- **%s** %s. %s\n", signed(a.Points), visible.Markdown(a.Name), visible.Markdown(a.Reason.Message)))
	}
	return b.String()
}

// signed is a number with its sign, also when it is added.
func signed(n requirement.Number) string {
	if n.Sign() < 0 {
		return n.String()
	}
	return "+" + n.String()
}

// gapList lists what is missing and which operations supply it. Reading the same
// bytes gives the same list in every replay.
//
//workflowcheck:ignore
func gapList(r *refusal.Refusal) string {
	var gaps []requirement.Gap
	if r.Code != refusal.MissingRequirements || json.Unmarshal(r.Details, &gaps) != nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n\n")
	for _, g := range gaps {
		b.WriteString(fmt.Sprintf("- **%s** of %s %s: supplied by %s\n", missingText(g), g.EntityType, g.EntityID, strings.Join(g.RelatedEndpoints, ", ")))
		for _, lacking := range g.PricingMissing {
			b.WriteString(fmt.Sprintf("  - for pricing: **%s** of %s %s\n", missingText(lacking), lacking.EntityType, lacking.EntityID))
		}
	}
	return b.String()
}

func missingText(g requirement.Gap) string {
	var texts []string
	for _, m := range g.Missing {
		texts = append(texts, strings.TrimSpace(m.Field+" "+m.Type))
	}
	return strings.Join(texts, ", ")
}
