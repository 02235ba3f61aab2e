package workflows

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
	"requisite/internal/temporalclient"
	"requisite/internal/text/visible"
)

// Request is the input of a calculation.
type Request struct {
	Call       domain.Call   `json:"call"`
	AccountID  id.AccountID  `json:"account_id"`
	WorkflowID id.WorkflowID `json:"workflow_id"`
}

// Calculation is the kind of CalculateRequiredDocuments. The result of its committing activity answers the caller: see
// temporalclient.Completions.
var Calculation = Kind{Workflow: CalculateRequiredDocumentsName, Prefix: "calculate", CommittingActivities: []string{"SaveRequiredDocuments"}}

// StartCalculation describes a run that calculates the required documents of a workflow.
func StartCalculation(in Request) Start {
	return in.start(Calculation, "Calculate the required documents of ")
}

func (in Request) start(kind Kind, what string) Start {
	return Start{
		Kind: kind, Subject: in.WorkflowID.String(), AccountID: in.AccountID.String(), Summary: what + visible.Markdown(in.WorkflowID.String()), Input: in,
		Attributes: []temporal.SearchAttributeUpdate{temporalclient.ApplicationWorkflowID.ValueSet(in.WorkflowID.String())},
	}
}

const (
	readFacts = "Read the facts and the versions of the rules"

	// MaxRounds bounds how often a run reads facts that change before it can save. A round
	// adds up to 3 MB to the run's history, and Temporal ends a run at 50 MB.
	MaxRounds = 12
	// firstPause is the pause after the first round. Each later one is twice as long, so that
	// a run gives up after about a minute.
	firstPause = 20 * time.Millisecond
)

// CalculateRequiredDocuments saves the documents that a workflow requires, or refuses with
// the missing facts. It retries faults until it succeeds.
func CalculateRequiredDocuments(ctx workflow.Context, in Request) (Answer[activities.Saved], error) {
	input := in.calculation(ctx)
	var why string
	saved, err := untilUnchanged(ctx, in.WorkflowID, func() (activities.Saved, error) {
		read, err := step(ctx, readFacts, steps.LoadFacts, input)
		if err != nil {
			return activities.Saved{}, err
		}
		evaluation := activities.Evaluation{Calculation: input, Snapshot: read.Snapshot}
		found, err := step(ctx, "Evaluate the rules", steps.EvaluateRules, evaluation)
		evaluation.Snapshot = read.Snapshot.WithoutFacts()
		if err != nil {
			return activities.Saved{}, recordRefusal(ctx, decision.Calculation, evaluation, err)
		}
		saving := activities.SavingDocuments{Evaluation: evaluation, ByRules: found.ByRules}
		saved, err := step(ctx, "Save the required documents", steps.SaveRequiredDocuments, saving)
		if err != nil {
			return activities.Saved{}, err
		}
		why = describeRequired(read.Snapshot, found.Required) + describeTimes(read.Took, found.Took, saved.Took)
		return saved, nil
	})
	return endRun(ctx, input.Run, saved, err, "CALCULATED", func(saved activities.Saved) string {
		if saved.Repeated {
			why = earlierAttempt
		}
		return describeChanged(saved.Documents) + why + named(saved.Decision)
	})
}

// recordRefusal records a refusal that is a decision, and returns it with the decision. If an
// outcome was committed before, the refusal has no decision, and endRun looks for that outcome.
// Another error is returned unchanged.
func recordRefusal(ctx workflow.Context, kind decision.Kind, of activities.Evaluation, err error) error {
	refused, is := refusal.FromError(err)
	if !is || !refused.Decided() {
		return err
	}
	recorded, err := step(ctx, "Refused: record the decision", steps.RecordRefusal, activities.Refusing{Evaluation: of, Kind: kind, Refusal: refused})
	if err != nil {
		return err
	}
	if recorded.Decision == nil { // the earlier outcome may need the space of a new workflow task
		if err := workflow.Sleep(ctx, firstPause); err != nil {
			return err
		}
	}
	refused.Decision = recorded.Decision
	return refused
}

// calculation reads the clock once, so that all ages in the run are as of the same date.
func (in Request) calculation(ctx workflow.Context) activities.Calculation {
	run := newRun(ctx, in.Call)
	run.WorkflowID = in.WorkflowID
	return activities.Calculation{Run: run, AccountID: in.AccountID}
}

// untilUnchanged repeats a round of reading, evaluating and saving while facts or rules
// change meanwhile. After MaxRounds it refuses: nothing was written.
//
// The timer after each round also begins a new workflow task: the results of a round may
// exceed a megabyte, and Temporal accepts 4 MiB from a task.
func untilUnchanged(ctx workflow.Context, workflowID id.WorkflowID, round func() (activities.Saved, error)) (activities.Saved, error) {
	pause := firstPause
	for n := 1; ; n++ {
		saved, err := round()
		switch {
		case !factsChanged(err):
			return saved, err
		case n == MaxRounds:
			return saved, refusal.KeepChanging(workflowID.String())
		}
		if err := workflow.Sleep(ctx, pause); err != nil {
			return saved, err
		}
		pause *= 2
	}
}

func factsChanged(err error) bool {
	var failure *temporal.ApplicationError
	return errors.As(err, &failure) && failure.Type() == activities.FactsChanged
}

// describeChanged describes the counts of documents; it is empty without them.
func describeChanged(c *calculation.DocumentCounts) string {
	if c == nil {
		return ""
	}
	text := fmt.Sprintf("Added %d, kept %d, restored %d, removed %d.", c.Added, c.Kept, c.Restored, c.Removed)
	if c.Reopened+c.Reinstated+c.Carried > 0 {
		text += fmt.Sprintf(" Approvals: reopened %d, reinstated %d, carried over %d.", c.Reopened, c.Reinstated, c.Carried)
	}
	return text + "\n\n"
}

func describeRequired(from calculation.Snapshot, required []requirement.Requirement) string {
	var b strings.Builder
	b.WriteString(fmt.Sprintf("By %s, for %s:\n\n", ruleSetName(from.RuleSet), from.Facts.AsOf))
	if len(required) == 0 {
		b.WriteString("No documents are required.\n")
	}
	for _, r := range required {
		what := ""
		if r.FindingCode != "" {
			what = "finding "
		}
		b.WriteString(fmt.Sprintf("- %s**%s** for %s %s. %s\n", what, r.RuleKey().Code(), r.EntityType, r.EntityID, visible.Markdown(r.Reason.Message)))
	}
	return b.String()
}

func describeTimes(read, evaluated, saved activities.Took) string {
	return fmt.Sprintf("\nRead in %.1f ms, evaluated in %.1f ms, saved in %.1f ms.\n", read.MS, evaluated.MS, saved.MS)
}

func ruleSetName(v *calculation.VersionRef) string {
	if v == nil {
		return "no rules: the account has published none"
	}
	return fmt.Sprintf("rule set version %d (%s)", v.Version, v.WireID)
}
