package sending

import (
	"context"
	"fmt"
	"time"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store/deliveries"
	"requisite/internal/text/visible"
	"requisite/internal/webhooks/delivery"
)

// Retried is the progress or the result of an endpoint's run.
type Retried struct {
	Sent
	Claim deliveries.RunClaim `json:"-"`
	// GaveUp counts deliveries whose last attempt has failed.
	GaveUp int `json:"gave_up,omitempty"`
	// Ended is the outcome of the run, when it has ended.
	Ended string `json:"ended,omitempty"`
}

// Done reports whether nothing is left for the run.
func (r Retried) Done() bool { return r.Claim.Next.IsZero() }

// The outcomes of an endpoint's run.
const (
	Recovered = "RECOVERED"
	GaveUp    = "GAVE_UP"
	Disabled  = "DISABLED" // or deleted
)

// Outcome is the outcome of an endpoint's run that has nothing left to do.
func (r Retried) Outcome() string {
	switch {
	case !r.Claim.Sendable:
		return Disabled
	case r.Claim.LastError != "" || r.GaveUp > 0: // the last attempt failed, and no other delivery is open
		return GaveUp
	default:
		return Recovered
	}
}

// Describe tells an operator how many deliveries wait, and until when.
func (r Retried) Describe() string {
	l := r.Claim
	waiting := fmt.Sprint(l.Waiting)
	if l.Waiting >= deliveries.WaitingCounted {
		waiting += " or more"
	}
	text := fmt.Sprintf("%s deliveries wait for %s", waiting, visible.Markdown(l.Host))
	if l.Waiting == 1 {
		text = "1 delivery waits for " + visible.Markdown(l.Host)
	}
	if !l.FailingSince.IsZero() {
		text += " since " + l.FailingSince.UTC().Format(time.RFC3339)
	}
	if l.LastError != "" {
		text += ": " + visible.Markdown(l.LastError)
	}
	return text + "; next attempt " + l.Next.UTC().Format(time.RFC3339)
}

// DescribeEnd tells an operator how an endpoint's run ended.
func (r Retried) DescribeEnd(host string) string {
	host = visible.Markdown(host)
	var why string
	switch r.Ended {
	case Disabled:
		why = host + " is disabled or deleted, so nothing is sent to it."
	case GaveUp:
		why = fmt.Sprintf("the last attempt at %s failed, and no delivery has an attempt left. `webhook.delivery.recover` sends FAILED deliveries again.", host)
	default:
		why = host + " accepts deliveries again, and none is left to retry."
	}
	return fmt.Sprintf("**%s**: %s", r.Ended, why)
}

// claimEvery is how often a run with attempts in flight looks for requested attempts.
const claimEvery = time.Second

// Retry makes the attempts that an endpoint's own run may make, until nothing may
// begin now and all have ended. After ctx ends it begins no more.
func (d *Deliverer) Retry(ctx context.Context, by domain.CreatedBy, endpoint id.UUID, again bool) (Retried, error) {
	var r Retried
	if again {
		lost, err := d.deliveries.Ends.MarkLost(ctx, by)
		r.Unknown += lost
		if err != nil {
			return r, err
		}
	}
	organization, err := d.deliveries.Runs.OrganizationOf(ctx, endpoint)
	if err != nil {
		return r, err
	}
	flight := d.newFlight(ctx, false, delivery.MaxInFlight)
	defer flight.close()
	var failed error
	stopped := ctx.Done()
	for {
		if failed == nil && ctx.Err() == nil {
			if r.Claim, failed = d.claimForRun(ctx, by, endpoint, organization, flight); failed == nil && flight.count == 0 && (r.Done() || r.Claim.In >= claimEvery) {
				return r, nil
			}
		}
		if flight.count == 0 && failed != nil {
			return r, failed
		}
		if flight.count == 0 && ctx.Err() != nil {
			return r, context.Cause(ctx)
		}
		pause := claimEvery
		switch {
		case !r.Done() && r.Claim.In > 0 && r.Claim.In < claimEvery: // as the endpoint's own rate asks
			pause = r.Claim.In
		case flight.count == 0: // another transaction has locked what is due
			pause = claimEvery / 10
		}
		timer := time.NewTimer(pause)
		select {
		case group := <-flight.written:
			flight.take(group)
			for _, w := range group {
				r.add(w)
				if w.next.GaveUp {
					r.GaveUp++
				}
			}
		case <-timer.C:
		case <-stopped:
			stopped = nil
		}
		timer.Stop()
	}
}

// noRoom is how soon a run looks again after it found no slot for an attempt.
const noRoom = time.Second

func (d *Deliverer) claimForRun(ctx context.Context, by domain.CreatedBy, endpoint id.UUID, organization string, f *flight) (deliveries.RunClaim, error) {
	slots := d.slots.take(organization, delivery.MaxInFlight, false)
	claim, err := d.deliveries.Claims.ForRun(ctx, by, endpoint, slots, f.count)
	d.release(map[string]int{organization: slots - len(claim.Attempts)}, false)
	f.begin(claim.Attempts)
	if slots == 0 && err == nil && !claim.Next.IsZero() && claim.In < noRoom {
		claim.Next, claim.In = claim.Next.Add(noRoom-claim.In), noRoom
	}
	return claim, err
}

// RetryEndpointNow requests an attempt at all of an endpoint's RETRYING deliveries.
func (d *Deliverer) RetryEndpointNow(ctx context.Context, endpoint id.UUID) error {
	return d.deliveries.Runs.RetryEndpointNow(ctx, endpoint)
}

// GiveUp fails an endpoint's RETRYING deliveries, and counts them.
func (d *Deliverer) GiveUp(ctx context.Context, endpoint id.UUID) (int64, error) {
	return d.deliveries.Runs.GiveUp(ctx, endpoint)
}

// ReplaySome sends the next events of a replay to its endpoint.
func (d *Deliverer) ReplaySome(ctx context.Context, run id.RunID) (domain.ReplayStep, error) {
	return d.deliveries.Replays.ReplaySome(ctx, run)
}

// CancelReplay ends a replay.
func (d *Deliverer) CancelReplay(ctx context.Context, run id.RunID) (domain.ReplayStep, error) {
	return d.deliveries.Replays.CancelReplay(ctx, run)
}
