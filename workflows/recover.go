package workflows

import (
	"fmt"

	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/temporalclient"
	"requisite/internal/text/visible"
)

// RecoverRequest names the endpoint whose deliveries are to be recovered.
type RecoverRequest struct {
	Call      domain.Call        `json:"call"`
	AccountID id.AccountID       `json:"account_id"`
	ConfigID  id.WebhookConfigID `json:"config_id"`
	Since     string             `json:"since,omitempty"` // RFC 3339
	// Continued is set when the run continues another.
	Continued *RecoveryProgress `json:"continued,omitempty"`
}

// RecoveryProgress is what a recovery has done before it continues as new.
type RecoveryProgress struct {
	domain.Recovered
	Parts int `json:"parts"` // how many are done
}

// Recovery is the kind of RecoverDeliveries.
var Recovery = Kind{Workflow: RecoverDeliveriesName, Prefix: "recover", Queue: temporalclient.Upkeep}

// StartRecovery describes a run that sends an endpoint its FAILED deliveries again.
func StartRecovery(in RecoverRequest) Start {
	summary := fmt.Sprintf("Send FAILED deliveries of endpoint %s since %s again", in.ConfigID, visible.Markdown(in.Since))
	return Start{Kind: Recovery, Subject: in.ConfigID.String(), AccountID: in.AccountID.String(), Summary: summary, Input: in}
}

// RecoverDeliveries reopens an endpoint's FAILED deliveries in batches of a thousand, and
// counts them. It does not recover a delivery that fails again meanwhile.
func RecoverDeliveries(ctx workflow.Context, in RecoverRequest) (Answer[domain.Recovered], error) {
	total, err := recoverAll(ctx, in)
	return endRun(ctx, in.run(ctx), total, err, "RECOVERED", func(total domain.Recovered) string {
		return fmt.Sprintf("**%d** FAILED deliveries of endpoint %s are open again. Their events are from %s or later.",
			total.Count, in.ConfigID, visible.Markdown(in.Since))
	})
}

// run has an id of the request, not of the Temporal run. If the request is repeated, each
// part finds the result of its first execution.
func (in RecoverRequest) run(ctx workflow.Context) domain.Run {
	run := newRun(ctx, in.Call)
	run.ID = fmt.Sprintf("%s/%x", workflow.GetInfo(ctx).WorkflowExecution.ID, in.Call.BodySHA256)
	return run
}

func recoverAll(ctx workflow.Context, in RecoverRequest) (total domain.Recovered, err error) {
	run, parts := in.run(ctx), 0
	total.StartedAt = run.StartedAt
	if in.Continued != nil {
		total, parts = in.Continued.Recovered, in.Continued.Parts
	}
	for begun := parts; ; {
		if parts > begun && shouldContinueAsNew(ctx) {
			in.Continued = &RecoveryProgress{total, parts}
			return total, continueAsNew(ctx, in)
		}
		parts++
		run.StartedAt = total.StartedAt
		next, err := step(ctx, fmt.Sprintf("Make the next deliveries due (%d so far)", total.Count), steps.RecoverSome,
			activities.RecoverStep{Run: run, Part: parts, ConfigID: in.ConfigID, Since: in.Since})
		if err != nil {
			return total, err
		}
		if next.Count == 0 {
			break
		}
		total.Count += next.Count
		if next.StartedAt.Before(total.StartedAt) && parts == begun+1 {
			total.StartedAt = next.StartedAt // a repeat keeps the time of the first run
		}
		tellOperators(ctx, fmt.Sprintf("%d deliveries so far.", total.Count))
	}
	return step(ctx, "Save the count", steps.KeepRecovered, activities.KeepRecovered{Run: run, ConfigID: in.ConfigID, Recovered: total})
}
