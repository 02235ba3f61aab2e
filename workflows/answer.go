package workflows

import (
	"encoding/json"
	"fmt"
	"strings"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/fact"
	"requisite/internal/temporalclient"
	"requisite/internal/text/visible"
)

// Answer is the result of a run that a caller waits for, or its refusal. The run is COMPLETED
// in both cases. Operators must look at FAILED runs only.
type Answer[T any] struct {
	Result  *T               `json:"result,omitempty"`
	Refusal *refusal.Refusal `json:"refusal,omitempty"`
}

// Get returns the result of the run, or the refusal as an error.
func (a Answer[T]) Get() (T, error) {
	if a.Refusal != nil || a.Result == nil {
		var none T
		if a.Refusal == nil {
			return none, fmt.Errorf("a run ended without an answer")
		}
		return none, a.Refusal
	}
	return *a.Result, nil
}

const earlierAttempt = "An earlier attempt had already saved this.\n\n"

// endRun ends a run. Instead of a refusal it returns the result that this run, or an earlier
// run of the same Idempotency-Key, has committed before. For operators, it sets the outcome
// as a search attribute, and describes the result in the run's current details.
func endRun[T any](ctx workflow.Context, run domain.Run, result T, err error, outcome string, describe func(T) string) (Answer[T], error) {
	refused, isRefusal := refusal.FromError(err)
	var earlier string
	if isRefusal && refused.Decision == nil { // with a decision, recordRefusal has looked it up already
		found, err := step(ctx, "Refused: look up the outcome of an earlier attempt", steps.FindOutcome, run)
		switch {
		case err != nil:
			return Answer[T]{}, withoutAnswer(ctx, err)
		case found.Refusal != nil:
			refused = found.Refusal
		case found.Result != nil:
			if result, err = read[T](found.Result); err != nil {
				return Answer[T]{}, err
			}
			isRefusal, earlier = false, earlierAttempt
		}
	} else if !isRefusal && err != nil {
		return Answer[T]{}, withoutAnswer(ctx, err)
	}
	var ended Answer[T]
	var details string
	if isRefusal {
		ended.Refusal, outcome = refused, refused.SpecificCode()
		details = gapList(refused)
		if details == "" {
			details = "**" + visible.Markdown(refused.Message) + "**"
		}
		details += named(refused.Decision)
	} else {
		ended.Result, details = &result, earlier+describe(result)
	}
	tellOperators(ctx, details)
	return ended, workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(outcome))
}

// withoutAnswer ends a run with an error. The list of runs shows CANCELED as the outcome of a run that
// somebody canceled.
func withoutAnswer(ctx workflow.Context, err error) error {
	if !temporal.IsCanceledError(err) {
		return err
	}
	tellOperators(ctx, "**CANCELED**: somebody canceled this run. If it had saved anything before, that stays.")
	if failed := workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet("CANCELED")); failed != nil {
		return failed
	}
	return err
}

// named names the recorded decision of a run.
func named(d *refusal.DecisionRef) string {
	if d == nil {
		return ""
	}
	return "\n\nDecision " + d.DecisionID.String() + ".\n"
}

// tellOperators sets the run's current details: what it has done so far. The Temporal UI
// shows them in the tab User Metadata.
func tellOperators(ctx workflow.Context, markdown string) {
	workflow.SetCurrentDetails(ctx, "### What happened\n\n"+markdown)
}

// read decodes the committed result of an earlier try. It is deterministic.
//
//workflowcheck:ignore
func read[T any](committed json.RawMessage) (value T, err error) {
	if err := json.Unmarshal(committed, &value); err != nil {
		return value, fmt.Errorf("read the committed result of an earlier try: %w", err)
	}
	return value, nil
}

// mostGapsShown bounds the list of gaps in a run's current details. The answer holds all.
const mostGapsShown = 20

// gapList lists the first missing facts and the operations that supply them; empty for other
// refusals. It is deterministic.
//
//workflowcheck:ignore
func gapList(r *refusal.Refusal) string {
	var gaps []fact.Gap
	if r.Code != refusal.MissingRequirements || json.Unmarshal(r.Details, &gaps) != nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(fmt.Sprintf("**Missing facts: %d.** The caller supplies each with the operation beside it:\n\n", len(gaps)))
	writeGaps(&b, "", gaps, func(g fact.Gap) {
		b.WriteString(fmt.Sprintf("- **%s** of %s: %s\n", missingText(g), recordText(g), strings.Join(g.RelatedEndpoints, ", ")))
		writeGaps(&b, "  ", g.PricingMissing, func(lacking fact.Gap) {
			b.WriteString(fmt.Sprintf("  - for pricing: **%s** of %s\n", missingText(lacking), recordText(lacking)))
		})
	})
	return b.String()
}

// writeGaps writes the first gaps, and how many more there are.
func writeGaps(b *strings.Builder, indent string, gaps []fact.Gap, write func(fact.Gap)) {
	for _, g := range gaps[:min(len(gaps), mostGapsShown)] {
		write(g)
	}
	if more := len(gaps) - mostGapsShown; more > 0 {
		b.WriteString(fmt.Sprintf("%s- and %d more\n", indent, more))
	}
}

// recordText names the record that lacks a fact. If the record does not exist yet, the text names the
// business that it belongs to.
func recordText(g fact.Gap) string {
	if g.IsOfNewRecord() {
		return fmt.Sprintf("a new %s of Business %s", g.EntityType, g.BusinessID)
	}
	return g.EntityType + " " + g.EntityID
}

func missingText(g fact.Gap) string {
	var texts []string
	for _, m := range g.Missing {
		texts = append(texts, strings.TrimSpace(m.Field+" "+m.Type))
	}
	return strings.Join(texts, ", ")
}
