package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/decision"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/text/visible"
)

// Pricing is the kind of CalculatePricing.
var Pricing = Kind{Workflow: CalculatePricingName, Prefix: "price", CommittingActivities: []string{"SaveScore"}}

// StartPricing describes a run that calculates the evaluation score of a workflow.
func StartPricing(in Request) Start {
	return in.start(Pricing, "Calculate the evaluation score of ")
}

// CalculatePricing sets a workflow's evaluation score from the account's
// pricing model. It answers and retries as CalculateRequiredDocuments does.
func CalculatePricing(ctx workflow.Context, in Request) (Answer[activities.Saved], error) {
	calculation := in.calculation(ctx)
	var why string
	saved, err := untilUnchanged(ctx, in.WorkflowID, func() (activities.Saved, error) {
		read, err := step(ctx, readFacts, steps.LoadFacts, calculation)
		if err != nil {
			return activities.Saved{}, err
		}
		evaluation := activities.Evaluation{Calculation: calculation, Snapshot: read.Snapshot}
		found, err := step(ctx, "Evaluate the pricing model", steps.EvaluatePricing, evaluation)
		evaluation.Snapshot = read.Snapshot.WithoutFacts()
		if err != nil {
			return activities.Saved{}, recordRefusal(ctx, decision.Pricing, evaluation, err)
		}
		saved, err := step(ctx, "Save the score", steps.SaveScore, activities.SavingScore{Evaluation: evaluation, Priced: found.Priced})
		if err != nil {
			return activities.Saved{}, err
		}
		why = describeApplied(found.Applied) + describeTimes(read.Took, found.Took, saved.Took)
		return saved, nil
	})
	return endRun(ctx, calculation.Run, saved, err, "PRICED", func(saved activities.Saved) string {
		if saved.Repeated {
			why = earlierAttempt
		}
		if saved.Score == nil {
			return why
		}
		return fmt.Sprintf("evaluation_score is **%v**.\n\n%s", *saved.Score, why) + named(saved.Decision)
	})
}

func describeApplied(applied []requirement.AppliedRule) string {
	var b strings.Builder
	for _, a := range applied {
		b.WriteString(fmt.Sprintf("- **%s** %s. %s\n", signed(a.Points), visible.Markdown(a.Name), visible.Markdown(a.Reason.Message)))
	}
	return b.String()
}

// signed is a number with its sign, also when it is positive.
func signed(n fact.Number) string {
	if n.Sign() < 0 {
		return n.String()
	}
	return "+" + n.String()
}
