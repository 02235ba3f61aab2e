package delivery

import (
	"slices"
	"time"
)

// State is the state of the delivery of one event to one endpoint.
type State string

// PENDING and RETRYING deliveries are open: they are sent without being asked
// for. HELD is never stored: an open delivery is HELD while its endpoint is disabled or
// its account has no active key. DELIVERED, FAILED and CANCELED are final, though a
// DELIVERED or FAILED one can be retried on request.
const (
	Pending   State = "PENDING" // never attempted, or its first attempt is in flight
	Retrying  State = "RETRYING"
	Held      State = "HELD"
	Delivered State = "DELIVERED"
	Failed    State = "FAILED"
	Canceled  State = "CANCELED" // the endpoint was deleted
)

// States lists all of them.
func States() []State { return []State{Pending, Retrying, Held, Delivered, Failed, Canceled} }

// Undelivered lists the states of deliveries that wait, and of those that were given up.
func Undelivered() []State { return []State{Pending, Retrying, Held, Failed} }

// Open reports whether a delivery is sent without being asked for.
func (s State) Open() bool { return s == Pending || s == Retrying }

// Final reports whether a delivery has ended.
func (s State) Final() bool { return s == Delivered || s == Failed || s == Canceled }

// Delivery is the delivery of one event to one endpoint.
type Delivery struct {
	State State
	// Attempts counts all that have ended, and Round those since the delivery
	// was created or last retried on request: a round has MaxAttempts.
	Attempts, Round int
	// DueAt is when an open delivery is to be attempted next; zero for others.
	DueAt time.Time
	// RetryRequestedAt is when an immediate attempt was requested. Such an attempt ignores the
	// endpoint's health. It is zero when none was requested, or once it has been made.
	RetryRequestedAt time.Time
	LastError        string
	// OfNotice reports that the event is a notice.
	OfNotice bool
}

// Change is a transition of deliveries that no attempt causes. It is data: Apply changes
// one delivery, and the store turns the fields into one statement for many.
type Change struct {
	Name string
	From []State
	// To is the new state. Empty reopens the delivery: PENDING if it was never attempted,
	// else RETRYING.
	To State
	// NewRound restarts the schedule.
	NewRound bool
	// RequestRetry requests an attempt at once, regardless of the endpoint's health.
	RequestRetry bool
	// Why becomes the last error, unless it is empty.
	Why string
}

// Apply makes the change; a delivery whose state is not in From stays as it is.
func (c Change) Apply(d Delivery, now time.Time) Delivery {
	if !slices.Contains(c.From, d.State) {
		return d
	}
	d.State, d.DueAt, d.RetryRequestedAt = c.To, time.Time{}, time.Time{}
	if c.To == "" {
		d.State, d.DueAt = Retrying, now
		if d.Attempts == 0 {
			d.State = Pending
		}
	}
	if c.NewRound {
		d.Round = 0
	}
	if c.RequestRetry {
		d.RetryRequestedAt = now
	}
	if c.Why != "" {
		d.LastError = c.Why
	}
	return d
}

// Cancel ends the deliveries of a deleted endpoint.
func Cancel() Change {
	return Change{Name: "cancel", From: []State{Pending, Retrying}, To: Canceled}
}

// Retry requests an immediate attempt of one delivery.
func Retry() Change {
	return Change{Name: "retry", From: []State{Pending, Retrying, Delivered, Failed}, NewRound: true, RequestRetry: true}
}

// RetryRetrying is Retry for RETRYING deliveries only, without restarting their schedule.
func RetryRetrying() Change {
	return Change{Name: "retry retrying", From: []State{Retrying}, RequestRetry: true}
}

// Recover reopens failed deliveries; the endpoint's health decides when they are sent.
func Recover() Change { return Change{Name: "recover", From: []State{Failed}, NewRound: true} }

// Replay reopens deliveries that have ended, except those to a deleted endpoint.
func Replay() Change {
	return Change{Name: "replay", From: []State{Delivered, Failed}, NewRound: true}
}

// GiveUp fails a delivery on request.
func GiveUp(why string) Change {
	return Change{Name: "give up", From: []State{Pending, Retrying}, To: Failed, Why: why}
}

// GiveUpRetrying is GiveUp for RETRYING deliveries only.
func GiveUpRetrying(why string) Change {
	return Change{Name: "give up retrying", From: []State{Retrying}, To: Failed, Why: why}
}
