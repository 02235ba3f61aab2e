package delivery

import (
	"strings"
	"time"
)

// Cause is why an open delivery has not been sent yet.
type Cause string

// The causes. Several may hold at once.
const (
	CauseInFlight    Cause = "ATTEMPT_IN_FLIGHT"
	CauseNoWorker    Cause = "NO_WORKER"
	CauseDisabled    Cause = "ENDPOINT_DISABLED"
	CauseNoKey       Cause = "NO_ACTIVE_KEY"
	CauseSchedule    Cause = "RETRY_LATER"
	CauseFailing     Cause = "ENDPOINT_FAILING"
	CauseRetryAfter  Cause = "RETRY_AFTER"
	CauseRate        Cause = "ENDPOINT_RATE"
	CauseConcurrency Cause = "ENDPOINT_CONCURRENCY"
	CauseEarlier     Cause = "EARLIER_DELIVERIES"
	CauseDue         Cause = "DUE"
)

// Causes lists all of them.
func Causes() []Cause {
	return []Cause{
		CauseInFlight, CauseNoWorker, CauseDisabled, CauseNoKey, CauseSchedule, CauseFailing,
		CauseRetryAfter, CauseRate, CauseConcurrency, CauseEarlier, CauseDue,
	}
}

// Text says what a cause means, and what ends it.
func (c Cause) Text() string {
	switch c {
	case CauseInFlight:
		return "An attempt is being made."
	case CauseNoWorker:
		return "The service is not sending: no worker has done its regular work for minutes."
	case CauseDisabled:
		return "The endpoint is disabled: enable it with webhook.config.update."
	case CauseNoKey:
		return "The account has no active key: activate one with webhook.key.activate."
	case CauseSchedule:
		return "The last attempt failed: the next one follows its schedule."
	case CauseFailing:
		return "The endpoint is failing: until an attempt succeeds, the service tries one delivery at a time."
	case CauseRetryAfter:
		return "The endpoint answered with Retry-After: the service sends nothing to it until then."
	case CauseRate:
		return "The endpoint's rate_per_second is used up."
	case CauseConcurrency:
		return "As many attempts are in flight to the endpoint as it may have."
	case CauseEarlier:
		return "Earlier deliveries to the endpoint go first."
	default:
		return "Nothing is in the way: the service sends it within seconds."
	}
}

// Wait is one cause, and when it ends; zero when that is not known.
type Wait struct {
	Cause Cause
	Until time.Time
}

// EndsAt is when the cause ends; nil when that is not known.
func (w Wait) EndsAt() *time.Time {
	if w.Until.IsZero() {
		return nil
	}
	return &w.Until
}

// CausesOf names the causes of waits, on one line.
func CausesOf(waits []Wait) string {
	causes := make([]string, len(waits))
	for i, w := range waits {
		causes[i] = string(w.Cause)
	}
	return strings.Join(causes, ", ")
}

// WorkerMissedAfter is how long after its last report a worker counts as missing. A worker reports
// every half minute.
const WorkerMissedAfter = 3 * time.Minute

// Situation is what an open delivery depends on.
type Situation struct {
	Enabled  bool // its endpoint
	Keyed    bool // its account has an active key
	Health   Health
	Limits   Limits
	InFlight int  // attempts at its endpoint
	Sending  bool // one of them is its own
	Earlier  bool // another delivery that waits for the endpoint has been due for longer
	// WorkerSeen is when a worker last reported.
	WorkerSeen time.Time
}

// Waits returns the causes for which an open delivery waits; nil for one that has ended. It must
// agree with the statements that claim deliveries.
func Waits(d Delivery, s Situation, now time.Time) (waits []Wait) {
	if !d.State.Open() {
		return nil
	}
	add := func(holds bool, c Cause, until time.Time) {
		if holds {
			if !until.After(now) {
				until = time.Time{}
			}
			waits = append(waits, Wait{c, until})
		}
	}
	never := time.Time{}
	add(s.Sending, CauseInFlight, never)
	add(now.Sub(s.WorkerSeen) > WorkerMissedAfter, CauseNoWorker, never)
	add(!s.Enabled, CauseDisabled, never)
	add(!s.Keyed, CauseNoKey, never)
	if s.Enabled && s.Keyed && !s.Sending {
		unasked := d.RetryRequestedAt.IsZero()
		later := d.DueAt.After(now)
		earlier := unasked && s.Earlier && !later
		add(unasked && later, CauseSchedule, d.DueAt)
		add(unasked && s.Health.Failing() && (earlier || s.InFlight > 0 || s.Health.ProbeAt.After(now)), CauseFailing, s.Health.ProbeAt)
		add(unasked && s.Health.retryAfter(now).After(now), CauseRetryAfter, s.Health.RetryAfter)
		opens := s.Limits.Opens(now)
		add(s.Limits.PerSecond > 0 && (earlier || opens.After(now)), CauseRate, opens)
		add(s.InFlight >= s.Limits.MostInFlight(), CauseConcurrency, never)
		add(earlier, CauseEarlier, never)
	}
	add(len(waits) == 0, CauseDue, never)
	return waits
}
