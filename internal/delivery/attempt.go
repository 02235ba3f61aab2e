package delivery

import (
	"fmt"
	"time"
)

// Outcome is how an attempt stands in the log.
type Outcome string

// An attempt is SENDING from before it begins until its end is written. UNKNOWN
// is one whose end was lost: it may have arrived.
const (
	Sending   Outcome = "SENDING"
	Succeeded Outcome = "SUCCEEDED"
	Fail      Outcome = "FAILED"
	Unknown   Outcome = "UNKNOWN"
)

// Attempt is one attempt, as it was logged before it began.
type Attempt struct {
	Number    int // from 1; one less is the retry_count
	StartedAt time.Time
	Probe     bool    // the one attempt that a failing endpoint is given
	Epoch     int     // of the endpoint's health when it began
	Outcome   Outcome // Sending, or Unknown when its end comes after it was taken for lost
}

// Answer is how an attempt went.
type Answer struct {
	StatusCode int    // zero without an answer
	Error      string // empty with a whole answer
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

// Why says why it is no success.
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
	Outcome  Outcome
	// Disable says why the endpoint is to be disabled; empty when it is not.
	Disable string
}

// End is what follows from an answer. random is in [0, 1).
func End(d Delivery, h Health, a Attempt, answer Answer, now time.Time, random float64) After {
	if a.Outcome != Unknown { // which was counted when it was taken for lost
		d.Attempts++
		d.Round++
	}
	ofThisEpoch := h.Epoch == a.Epoch
	if ofThisEpoch {
		h.Slow = answer.Duration >= SlowAfter
	}
	if answer.Verdict() == Success {
		if ofThisEpoch {
			h = h.recovered(now)
		}
		return After{Delivery: succeeded(d), Health: h, Outcome: Succeeded}
	}
	after := After{Delivery: failed(d, a, answer, now, random), Health: h, Outcome: Fail}
	if ofThisEpoch {
		after.Health = h.failed(a, answer, now, random)
		switch {
		case answer.Verdict() == Gone:
			after.Disable = "The endpoint answered 410 Gone."
		case now.Sub(after.Health.FailingSince) >= DisabledAfter:
			after.Disable = fmt.Sprintf("Every attempt since %s has failed.", after.Health.FailingSince.UTC().Format(time.RFC3339))
		}
	}
	return after
}

// Lose is what follows when the end of an attempt is lost. It may have arrived,
// and what broke it off may last: the delivery backs off as after a failure, and
// so does a probe. Nothing is known of the endpoint.
func Lose(d Delivery, h Health, a Attempt, now time.Time, random float64) After {
	d.Attempts++
	d.Round++
	if d.State.Open() {
		d = again(d, a, "the attempt broke off", later(now, a.StartedAt.Add(Delay(d.Round, random))))
	}
	if a.Probe && h.Epoch == a.Epoch && h.Failing() {
		h.ProbeAt = later(h.ProbeAt, now.Add(Delay(h.Probes+1, random)))
	}
	return After{Delivery: d, Health: h, Outcome: Unknown}
}

// succeeded: an endpoint that was deleted meanwhile is owed nothing.
func succeeded(d Delivery) Delivery {
	if d.State == Canceled {
		return d
	}
	d.State, d.DueAt, d.AskedAt, d.LastError = Delivered, time.Time{}, time.Time{}, ""
	return d
}

func failed(d Delivery, a Attempt, answer Answer, now time.Time, random float64) Delivery {
	switch {
	case a.Outcome == Unknown, d.State == Delivered, d.State == Failed:
		return d
	case !d.State.Open(): // held or canceled while it was in flight
		d.LastError = answer.Why()
		return d
	}
	return again(d, a, answer.Why(), now.Add(max(Delay(d.Round, random), answer.RetryAfter)))
}

// again puts an open delivery off until a time, or gives it up. An attempt that
// was asked for while this one was in flight is made at once.
func again(d Delivery, a Attempt, why string, until time.Time) Delivery {
	d.LastError = why
	asked := d.AskedAt.After(a.StartedAt)
	switch {
	case asked:
		d.State = Retrying
		d.DueAt = d.AskedAt
	case d.Round >= MaxAttempts:
		d.State, d.DueAt, d.AskedAt = Failed, time.Time{}, time.Time{}
	default:
		d.State, d.DueAt, d.AskedAt = Retrying, until, time.Time{}
	}
	return d
}
