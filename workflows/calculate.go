package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/temporalclient"
	"requisite/internal/visible"
)

// Request is the input of a calculation.
type Request struct {
	Call       domain.Call   `json:"call"`
	AccountID  id.AccountID  `json:"account_id"`
	WorkflowID id.WorkflowID `json:"workflow_id"`
}

// Calculation is the kind of CalculateRequiredDocuments.
var Calculation = Kind{Workflow: CalculateRequiredDocumentsName, Prefix: "calculate", OneStep: true}

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

// CalculateRequiredDocuments decides which documents one workflow requires and
// writes them, or answers what is missing. Faults are retried until it
// succeeds.
func CalculateRequiredDocuments(ctx workflow.Context, in Request) (Answer[activities.Calculated], error) {
	found, err := step(ctx, "Read the facts, evaluate the rules, write the required documents", steps.CalculateRequiredDocuments, in.calculation(ctx))
	return answer(ctx, found, err, "CALCULATED", describeCalculated)
}

// calculation reads the clock once: all ages in the run are as of this date.
func (in Request) calculation(ctx workflow.Context) activities.Calculation {
	run := newRun(ctx, in.Call)
	run.WorkflowID = in.WorkflowID
	return activities.Calculation{Run: run, AccountID: in.AccountID}
}

func describeCalculated(c activities.Calculated) string {
	var b strings.Builder
	if c.Facts != nil {
		b.WriteString(fmt.Sprintf("By %s, for %s:\n\n", ruleSetName(c.RuleSet), c.Facts.AsOf))
		if len(c.Required) == 0 {
			b.WriteString("No documents are required.\n")
		}
		for _, r := range c.Required {
			b.WriteString(fmt.Sprintf("- **%s** for %s %s. %s\n", r.DocumentTypeCode, r.EntityType, r.EntityID, visible.Markdown(r.Reason.Message)))
		}
	} else {
		b.WriteString("An earlier try had written already.\n")
	}
	b.WriteString(fmt.Sprintf("\nAdded %d, kept %d, restored %d, removed %d.\n", len(c.Added), len(c.Kept), len(c.Restored), len(c.Removed)))
	return b.String()
}

func ruleSetName(v *domain.VersionRef) string {
	if v == nil {
		return "no rules: the account has published none"
	}
	return fmt.Sprintf("rule set version %d (%s)", v.Version, v.WireID)
}
