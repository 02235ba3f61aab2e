package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/requirement"
	"requisite/internal/visible"
)

// Pricing is the kind of CalculatePricing.
var Pricing = Kind{Workflow: CalculatePricingName, Prefix: "price", OneStep: true}

// StartPricing describes a run that calculates the evaluation score of a workflow.
func StartPricing(in Request) Start {
	return in.start(Pricing, "Calculate the evaluation score of ")
}

// CalculatePricing sets a workflow's evaluation score from the account's
// pricing model. It answers and retries as CalculateRequiredDocuments does.
func CalculatePricing(ctx workflow.Context, in Request) (Answer[activities.Priced], error) {
	found, err := step(ctx, "Read the facts, evaluate the pricing model, write the score", steps.CalculatePricing, in.calculation(ctx))
	return answer(ctx, found, err, "PRICED", describePriced)
}

func describePriced(p activities.Priced) string {
	var b strings.Builder
	if p.Score != nil {
		b.WriteString(fmt.Sprintf("evaluation_score is **%v**.\n\n", *p.Score))
	}
	for _, a := range p.Applied {
		b.WriteString(fmt.Sprintf("- **%s** %s. %s\n", signed(a.Points), visible.Markdown(a.Name), visible.Markdown(a.Reason.Message)))
	}
	return b.String()
}

// signed is a number with its sign, also when it is positive.
func signed(n requirement.Number) string {
	if n.Sign() < 0 {
		return n.String()
	}
	return "+" + n.String()
}
