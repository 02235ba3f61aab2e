package ruleset

import (
	"context"
	"fmt"
	"io"
	"strings"

	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/starter/cli"
)

// explainMissingScore adds the gaps of pricing to the gap of a missing score.
func explainMissingScore(ctx context.Context, versions store.Versions, snapshot calculation.Snapshot, gaps []fact.Gap) error {
	gap := fact.ScoreGap(gaps)
	if gap == nil {
		return nil
	}
	var model *requirement.Pricing
	if snapshot.PricingModel != nil {
		found, err := versions.PricingModelByID(ctx, snapshot.Scope, snapshot.PricingModel.ID)
		if err != nil {
			return err
		}
		if model, err = publishedPricing(ctx, found); err != nil {
			return err
		}
	}
	return requirement.ExplainScoreGap(ctx, gap, model, snapshot.Facts)
}

// printGaps prints the missing facts, the documents that need them, and how to supply them.
func printGaps(out io.Writer, program *requirement.Program, gaps []fact.Gap) {
	if len(gaps) == 0 {
		return
	}
	fmt.Fprintf(out, "\nNothing is decided while facts are missing (%d):\n", len(gaps))
	for _, gap := range gaps {
		fmt.Fprintf(out, "  %s of %s, needed by %s\n", gap.Fact, gap.EntityID, strings.Join(program.NeededBy(gap.Fact), ", "))
		for line := range cli.Wrapped(gap.Message, 90) {
			fmt.Fprintf(out, "      %s\n", line)
		}
		printPricingMissing(out, gap.PricingMissing)
	}
}

// shownPricingMissing limits the printed gaps of pricing. The message has listed their kinds.
const shownPricingMissing = 10

func printPricingMissing(out io.Writer, gaps []fact.Gap) {
	for _, gap := range gaps[:min(len(gaps), shownPricingMissing)] {
		fmt.Fprintf(out, "      pricing_missing: %s of %s\n", gap.Lacks(), gap.EntityID)
		for line := range cli.Wrapped(gap.Message, 86) {
			fmt.Fprintf(out, "          %s\n", line)
		}
	}
	if more := len(gaps) - shownPricingMissing; more > 0 {
		fmt.Fprintf(out, "      pricing_missing: … and %d more\n", more)
	}
}
