package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/postgres"
	"requisite/internal/refusal"
	"requisite/internal/requirement"
	"requisite/internal/temporalclient"
	"requisite/internal/visible"
)

// Request is what a run is asked to do. BodySHA256 of the call is also in the
// run's memo, where a repeat of the request compares it.
type Request struct {
	Call       postgres.Call `json:"call"`
	AccountID  string        `json:"account_id"`
	WorkflowID string        `json:"workflow_id"`
}

// Calculated is what a calculation of required documents found and wrote: the
// answer to an operator who asks why.
type Calculated struct {
	CalculatedFor requirement.Date          `json:"calculated_for"`
	RuleSet       *postgres.VersionRef      `json:"rule_set,omitempty"`
	Required      []requirement.Requirement `json:"required,omitempty"`
	postgres.RunResult
}

// rounds is how often a calculation reads the facts again when they changed
// before it could write; then it holds them still.
const rounds = 3

// CalculateRequiredDocuments decides which documents one workflow must bring
// and writes them. It fails with a refusal that says what is missing, or why
// it may not; everything else is retried until it succeeds.
func CalculateRequiredDocuments(ctx workflow.Context, in Request) (Calculated, error) {
	c := calculation{run: newRun(ctx, in)}
	result, err := c.calculate(ctx)
	return result, conclude(ctx, err, "CALCULATED", result.describe())
}

type calculation struct{ run postgres.Run }

func (c *calculation) calculate(ctx workflow.Context) (Calculated, error) {
	for range rounds {
		result, err := c.once(ctx)
		if !factsChanged(err) {
			return result, err
		}
	}
	saved, err := step[activities.UnderLocks](ctx, "CalculateUnderLocks", "Read, evaluate and write under locks: the facts keep changing", c.run)
	return Calculated{
		CalculatedFor: saved.Snapshot.Facts.AsOf, RuleSet: saved.Snapshot.RuleSet, Required: saved.Required, RunResult: saved.RunResult,
	}, err
}

func (c *calculation) once(ctx workflow.Context) (Calculated, error) {
	snapshot, err := step[postgres.Snapshot](ctx, "LoadFacts", "Read the facts on file", c.run)
	if err != nil {
		return Calculated{}, err
	}
	found, err := step[requirement.Result](ctx, "EvaluateRules", "Evaluate "+ruleSetName(snapshot.RuleSet), snapshot)
	if err != nil {
		return Calculated{}, err
	}
	if len(found.Gaps) > 0 {
		return Calculated{}, refusal.Missing(found.Gaps).Failure()
	}
	saved, err := step[postgres.RunResult](ctx, "SaveRequiredDocuments", fmt.Sprintf("Write %d required documents", len(found.Required)),
		activities.SaveDocuments{Run: c.run, Snapshot: snapshot, Required: found.Required})
	return Calculated{CalculatedFor: snapshot.Facts.AsOf, RuleSet: snapshot.RuleSet, Required: found.Required, RunResult: saved}, err
}

// newRun reads the clock once: every age of the run is counted on this date.
func newRun(ctx workflow.Context, in Request) postgres.Run {
	return postgres.Run{
		ID:         workflow.GetInfo(ctx).WorkflowExecution.RunID,
		Call:       in.Call,
		WorkflowID: in.WorkflowID,
		StartedAt:  workflow.Now(ctx),
	}
}

func factsChanged(err error) bool { return activities.IsFactsChanged(err) }

// conclude leaves for the operator what came out, findable by its outcome, and
// readable as the run's current details.
func conclude(ctx workflow.Context, err error, outcome, details string) error {
	if refused, ok := refusal.FromError(err); ok {
		outcome, details = refused.Outcome(), "**Refused:** "+visible.Markdown(refused.Message)
		details += gapList(refused)
		// The run ends with the refusal itself, not with the step that met it.
		err = refused.Failure()
	} else if err != nil {
		return err
	}
	workflow.SetCurrentDetails(ctx, details)
	if upsert := workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(outcome)); upsert != nil {
		return upsert
	}
	return err
}

func ruleSetName(v *postgres.VersionRef) string {
	if v == nil {
		return "no rules: the account has published none"
	}
	return fmt.Sprintf("rule set version %d (%s)", v.Version, v.WireID)
}

func (c Calculated) describe() string {
	var b strings.Builder
	b.WriteString(fmt.Sprintf("By %s, for %s:\n\n", ruleSetName(c.RuleSet), c.CalculatedFor))
	if len(c.Required) == 0 {
		b.WriteString("No documents are required.\n")
	}
	for _, r := range c.Required {
		b.WriteString(fmt.Sprintf("- **%s** for %s %s. %s\n", r.DocumentTypeCode, r.EntityType, r.EntityID, visible.Markdown(r.Reason.Message)))
	}
	b.WriteString(fmt.Sprintf("\nAdded %d, kept %d, restored %d, removed %d.\n", len(c.Added), len(c.Kept), len(c.Restored), len(c.Removed)))
	return b.String()
}
