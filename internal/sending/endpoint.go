package sending

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"requisite/internal/delivery"
	"requisite/internal/domain"
	"requisite/internal/postgres"
	"requisite/internal/visible"
)

// Retried is how the work of an endpoint's run stands, or how it ended.
type Retried struct {
	Sent
	Look postgres.Look `json:"-"`
	// GaveUp counts deliveries that have had their last attempt.
	GaveUp int `json:"gave_up,omitempty"`
	// Ended is the outcome of the run, when it has ended.
	Ended string `json:"ended,omitempty"`
}

// Done reports whether nothing is owed that concerns the run.
func (r Retried) Done() bool { return r.Look.Next.IsZero() }

// The outcomes of an endpoint's run.
const (
	Recovered = "RECOVERED"
	GaveUp    = "GAVE_UP"
	Disabled  = "DISABLED" // or deleted
)

// Outcome is how the run of an endpoint ends that is owed nothing more.
func (r Retried) Outcome() string {
	switch {
	case !r.Look.Sendable:
		return Disabled
	case r.Look.LastError != "" || r.GaveUp > 0: // its last attempt failed, and no other is owed
		return GaveUp
	default:
		return Recovered
	}
}

// Describe says to an operator what waits, and until when.
func (r Retried) Describe() string {
	l := r.Look
	waiting := fmt.Sprint(l.Waiting)
	if l.Waiting >= postgres.WaitingCounted {
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

// lookEvery is how often a run looks while attempts of it are in flight: somebody
// may ask for another one.
const lookEvery = time.Second

// Retry makes the attempts that an endpoint's own run may make, until nothing may
// begin now and all have ended. When ctx ends it begins no more.
func (e *Engine) Retry(ctx context.Context, by domain.Maker, endpoint uuid.UUID, again bool) (Retried, error) {
	var r Retried
	if again {
		lost, err := e.store.LoseOf(ctx, by)
		r.Unknown += lost
		if err != nil {
			return r, err
		}
	}
	organization, err := e.store.OrganizationOf(ctx, endpoint)
	if err != nil {
		return r, err
	}
	flight := e.newFlight(ctx, false, delivery.MaxInFlight)
	defer flight.close()
	var failed error
	stopped := ctx.Done()
	for {
		if failed == nil && ctx.Err() == nil {
			if r.Look, failed = e.lookAt(ctx, by, endpoint, organization, flight); failed == nil && flight.count == 0 && (r.Done() || r.Look.In > 0) {
				return r, nil
			}
		}
		if flight.count == 0 && (failed != nil || ctx.Err() != nil) {
			return r, errorOr(failed, context.Cause(ctx))
		}
		pause := lookEvery
		if flight.count == 0 { // somebody else has locked what is due
			pause = lookEvery / 10
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

// noRoom is when a run looks again that found no place for an attempt.
const noRoom = time.Second

func (e *Engine) lookAt(ctx context.Context, by domain.Maker, endpoint uuid.UUID, organization string, f *flight) (postgres.Look, error) {
	places := e.places.take(organization, delivery.MaxInFlight)
	look, err := e.store.LookAt(ctx, by, endpoint, places, f.count)
	e.release(map[string]int{organization: places - len(look.Attempts)}, false)
	f.begin(look.Attempts)
	if places == 0 && err == nil && !look.Next.IsZero() && look.In < noRoom {
		look.Next, look.In = look.Next.Add(noRoom-look.In), noRoom
	}
	return look, err
}

// Ask asks for an attempt at everything that an endpoint has RETRYING.
func (e *Engine) Ask(ctx context.Context, endpoint uuid.UUID) error {
	return e.store.AskForRetrying(ctx, endpoint)
}

// GiveUp fails what an endpoint has RETRYING, and counts it.
func (e *Engine) GiveUp(ctx context.Context, endpoint uuid.UUID) (int64, error) {
	return e.store.GiveUp(ctx, endpoint)
}

func errorOr(err, other error) error {
	if err != nil {
		return err
	}
	return other
}
