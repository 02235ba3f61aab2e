package delivery

import (
	"fmt"
	"time"
)

// AttemptOutcome is the outcome of an attempt, as it is logged.
type AttemptOutcome string

// An attempt is SENDING from before it begins until its outcome is written.
// UNKNOWN is one whose outcome was lost: it may have arrived.
const (
	AttemptSending   AttemptOutcome = "SENDING"
	AttemptSucceeded AttemptOutcome = "SUCCEEDED"
	AttemptFailed    AttemptOutcome = "FAILED"
	AttemptUnknown   AttemptOutcome = "UNKNOWN"
)

// AttemptOutcomes lists all of them.
func AttemptOutcomes() []AttemptOutcome {
	return []AttemptOutcome{AttemptSending, AttemptSucceeded, AttemptFailed, AttemptUnknown}
}

// Attempt is one attempt, as it was logged before it began.
type Attempt struct {
	Number    int // from 1; retry_count is one less
	StartedAt time.Time
	Probe     bool           // the one attempt at a time that a failing endpoint gets
	Epoch     int            // of the endpoint's health when it began
	Outcome   AttemptOutcome // AttemptSending, or AttemptUnknown when it ends after it was declared lost
	// AsAsked makes the attempt fail without sending anything, because a caller of the sandbox has
	// asked for it. The failure says nothing about the endpoint.
	AsAsked bool
}

// Answer is the result of an attempt.
type Answer struct {
	StatusCode int    // zero without an answer
	Error      string // empty when the answer is complete
	RetryAfter time.Duration
	Duration   time.Duration
}

// Verdict is what the answer means.
func (a Answer) Verdict() Verdict {
	if a.Error != "" {
		return Failure
	}
	return Classify(a.StatusCode)
}

// Why says why the attempt did not succeed.
func (a Answer) Why() string {
	if a.Error != "" {
		return a.Error
	}
	return fmt.Sprintf("HTTP %d", a.StatusCode)
}

// After is what follows from the end of an attempt.
type After struct {
	Delivery Delivery
	Health   Health
	Outcome  AttemptOutcome
	// Disable says why the endpoint must be disabled; empty if it must not.
	Disable string
	// Notices must be written with the rest.
	Notices []Notice
}

// End is what follows from an answer. random is in [0, 1).
func End(d Delivery, h Health, a Attempt, answer Answer, now time.Time, random float64) After {
	if a.Outcome != AttemptUnknown { // a lost attempt was counted when it was declared lost
		d.Attempts++
		d.Round++
	}
	ofThisEpoch := h.Epoch == a.Epoch && !a.AsAsked
	if ofThisEpoch {
		h.Slow = answer.Duration >= SlowAfter
	}
	if answer.Verdict() == Success {
		var notices []Notice
		if a.Epoch >= h.SuccessesFrom {
			h, notices = h.afterSuccess(now).recovered(h)
		}
		return After{Delivery: succeeded(d), Health: h, Outcome: AttemptSucceeded, Notices: notices}
	}
	after := After{Delivery: afterFailure(d, a, answer, now, random), Health: h, Outcome: AttemptFailed}
	after.Notices = FailedNotice(d, after.Delivery)
	if ofThisEpoch {
		after.Health = h.afterFailure(a, answer, now, random)
		switch {
		case answer.Verdict() == Gone:
			after.Disable = "The endpoint answered 410 Gone."
		case now.Sub(after.Health.FailingSince) >= DisabledAfter:
			after.Disable = fmt.Sprintf("Every attempt since %s has failed.", after.Health.FailingSince.UTC().Format(time.RFC3339))
		}
		if after.Disable == "" { // disabling it has a notice of its own
			var failing []Notice
			after.Health, failing = after.Health.failing()
			after.Notices = append(after.Notices, failing...)
		}
	}
	return after
}

// Lose is what follows from a lost outcome. The receiver may have got the webhook. The
// delivery backs off as after a failure, and so does a probe. The endpoint's health does
// not count it.
func Lose(d Delivery, h Health, a Attempt, now time.Time, random float64) After {
	before := d
	d.Attempts++
	d.Round++
	if d.State.Open() {
		d = scheduleNext(d, a, "the attempt broke off", later(now, a.StartedAt.Add(Delay(d.Round, random))))
	}
	if a.Probe && h.Epoch == a.Epoch && h.Failing() {
		h.ProbeAt = later(h.ProbeAt, now.Add(Delay(h.Probes+1, random)))
	}
	return After{Delivery: d, Health: h, Outcome: AttemptUnknown, Notices: FailedNotice(before, d)}
}

// succeeded leaves the deliveries of an endpoint that was deleted meanwhile canceled.
func succeeded(d Delivery) Delivery {
	if d.State == Canceled {
		return d
	}
	d.State, d.DueAt, d.RetryRequestedAt, d.LastError = Delivered, time.Time{}, time.Time{}, ""
	return d
}

func afterFailure(d Delivery, a Attempt, answer Answer, now time.Time, random float64) Delivery {
	switch {
	case a.Outcome == AttemptUnknown, d.State == Delivered, d.State == Failed:
		return d
	case !d.State.Open(): // canceled while it was in flight
		d.LastError = answer.Why()
		return d
	}
	return scheduleNext(d, a, answer.Why(), now.Add(max(Delay(d.Round, random), answer.RetryAfter)))
}

// scheduleNext schedules the next attempt of an open delivery, or gives up. If an attempt
// was requested while this one was in flight, the next one is due at once.
func scheduleNext(d Delivery, a Attempt, why string, until time.Time) Delivery {
	d.LastError = why
	asked := d.RetryRequestedAt.After(a.StartedAt)
	switch {
	case asked:
		d.State = Retrying
		d.DueAt = d.RetryRequestedAt
	case d.Round >= MaxAttempts:
		d.State, d.DueAt, d.RetryRequestedAt = Failed, time.Time{}, time.Time{}
	default:
		d.State, d.DueAt, d.RetryRequestedAt = Retrying, until, time.Time{}
	}
	return d
}
