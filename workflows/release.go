package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/temporalclient"
	"requisite/internal/visible"
)

// ReleaseRequest names the endpoint whose deliveries are to be recovered or flushed.
type ReleaseRequest struct {
	Call      domain.Call        `json:"call"`
	AccountID id.AccountID       `json:"account_id"`
	ConfigID  id.WebhookConfigID `json:"config_id"`
	Since     string             `json:"since,omitempty"` // RFC 3339; of a recovery
	// Continued is set when the run continues another.
	Continued *Released `json:"continued,omitempty"`
}

// Released is how far a recovery or flush is when it continues as new.
type Released struct {
	domain.Released
	StartedAt time.Time `json:"started_at"` // deliveries that fail after it are left
}

// Recovery is the kind of RecoverDeliveries, and Flush that of FlushDeliveries.
var (
	Recovery = Kind{Workflow: RecoverDeliveriesName, Prefix: "recover", Queue: temporalclient.Upkeep}
	Flush    = Kind{Workflow: FlushDeliveriesName, Prefix: "flush", Queue: temporalclient.Upkeep}
)

// StartRecovery describes a run that sends an endpoint its FAILED deliveries again.
func StartRecovery(in ReleaseRequest) Start {
	return in.start(Recovery, fmt.Sprintf("Send again what %s did not get since %s", in.ConfigID, visible.Markdown(in.Since)))
}

// StartFlush describes a run that sends all open deliveries of an endpoint now.
func StartFlush(in ReleaseRequest) Start {
	return in.start(Flush, fmt.Sprintf("Send everything that %s is owed now", in.ConfigID))
}

func (in ReleaseRequest) start(kind Kind, summary string) Start {
	return Start{Kind: kind, Subject: in.ConfigID.String(), AccountID: in.AccountID.String(), Summary: summary, Input: in}
}

// RecoverDeliveries reopens an endpoint's FAILED deliveries, a thousand at a
// time, and counts them. A delivery that fails again meanwhile is not recovered
// twice.
func RecoverDeliveries(ctx workflow.Context, in ReleaseRequest) (Answer[domain.Released], error) {
	total, err := release(ctx, in, steps.RecoverSome, false)
	return answer(ctx, newRun(ctx, in.Call), total, err, "RECOVERED", func(total domain.Released) string {
		return fmt.Sprintf("**%d** deliveries of endpoint %s, of events since %s, go out again.", total.Count, in.ConfigID, visible.Markdown(in.Since))
	})
}

// FlushDeliveries resets an endpoint's health, and makes all of its open
// deliveries due now.
func FlushDeliveries(ctx workflow.Context, in ReleaseRequest) (Answer[domain.Released], error) {
	total, err := release(ctx, in, steps.FlushSome, true)
	return answer(ctx, newRun(ctx, in.Call), total, err, "FLUSHED", func(total domain.Released) string {
		return fmt.Sprintf("**%d** deliveries of endpoint %s are attempted now.", total.Count, in.ConfigID)
	})
}

func release(ctx workflow.Context, in ReleaseRequest, some stepFunc[activities.ReleaseStep, domain.Released], flush bool) (domain.Released, error) {
	run := newRun(ctx, in.Call)
	var total domain.Released
	switch {
	case in.Continued != nil:
		total, run.StartedAt = in.Continued.Released, in.Continued.StartedAt
	case flush:
		begun, err := step(ctx, "Begin afresh with the endpoint", steps.BeginFlush, activities.ReleaseStep{Run: run, ConfigID: in.ConfigID})
		if err != nil {
			return total, err
		}
		total, run.StartedAt = begun.Released, begun.At
	}
	for n := 1; ; n++ {
		if n > 1 && shouldContinueAsNew(ctx) {
			in.Continued = &Released{total, run.StartedAt}
			return total, continueAsNew(ctx, in)
		}
		next, err := step(ctx, fmt.Sprintf("Let the next deliveries go (%d so far)", total.Count), some,
			activities.ReleaseStep{Run: run, Part: n, ConfigID: in.ConfigID, Since: in.Since})
		if err != nil {
			return total, err
		}
		if next.Count == 0 {
			break
		}
		total.Count += next.Count
		workflow.SetCurrentDetails(ctx, fmt.Sprintf("%d deliveries so far.", total.Count))
	}
	return step(ctx, "Keep the count", steps.KeepReleased, activities.KeepReleased{Run: run, Released: total})
}
