package delivery

import (
	"net/http"
	"time"
)

// The schedule of one delivery: exponential from FirstDelay, doubled, capped at
// MaxDelay, with jitter. MaxAttempts of it take three and a half days.
const (
	MaxAttempts    = 95
	FirstDelay     = 5 * time.Second
	MaxDelay       = time.Hour
	Jitter         = 0.2 // of the delay, either way
	MaxRetryAfter  = time.Hour
	AttemptTimeout = 30 * time.Second // of the whole attempt, the answer's body included
)

// The thresholds of an endpoint's health.
const (
	// FailingAfter is the number of failures in a row after which an endpoint is
	// failing: it is probed, and its other deliveries wait.
	FailingAfter = 5
	// DisabledAfter is how long a failing endpoint may go without a success before it is disabled.
	DisabledAfter = 5 * 24 * time.Hour
	// MaxInFlight bounds the attempts in flight at one endpoint.
	MaxInFlight = 10
	// SlowAfter is the duration of an answer from which an endpoint is slow:
	// the first round of a session leaves it to the rest of the session.
	SlowAfter = time.Second
)

// Limits of an attempt whose outcome is not known.
const (
	// BeginWithin is how soon after its claim a request must begin. A worker that
	// was suspended in between drops it: nothing has been sent.
	BeginWithin = 5 * time.Second
	// SlotHeld is how long after its start an UNKNOWN attempt still counts as in
	// flight: its request may have begun late, and have taken all its time.
	SlotHeld = BeginWithin + AttemptTimeout
	// LostAfter is the age at which an attempt that is still SENDING is lost:
	// nobody can still be making it, and it becomes UNKNOWN.
	LostAfter = SlotHeld + 10*time.Second
)

// Delay is how long to wait after the nth failed attempt, n from 1; less is as
// the first. random is in [0, 1).
func Delay(n int, random float64) time.Duration {
	delay := MaxDelay
	if n < 20 { // later delays are far over the cap, and the shift could overflow
		delay = min(FirstDelay<<max(n-1, 0), MaxDelay)
	}
	return time.Duration(float64(delay) * (1 - Jitter + 2*Jitter*random))
}

// Verdict is what an answer means.
type Verdict int

// The verdicts.
const (
	Success Verdict = iota + 1
	Failure
	Gone // a failure after which the endpoint is disabled
)

// Classify is the table of status codes. Redirects are failures: a webhook is
// never sent to another address than the one configured.
func Classify(status int) Verdict {
	switch {
	case status >= 200 && status <= 299:
		return Success
	case status == http.StatusGone:
		return Gone
	default:
		return Failure
	}
}
