package webhook

import (
	"errors"
	"net/http"
	"strconv"
	"time"
)

// The schedule: exponential from FirstDelay, doubled, capped at MaxDelay, with
// jitter. MaxAttempts of it take three and a half days.
const (
	MaxAttempts    = 95
	FirstDelay     = 5 * time.Second
	MaxDelay       = time.Hour
	Jitter         = 0.2 // of the delay, either way
	MaxRetryAfter  = time.Hour
	AttemptTimeout = 30 * time.Second // the whole attempt, the answer's body included
	AnswerLimit    = 4 << 10          // bytes of an answer that are read and kept
)

// What an endpoint's health means.
const (
	// FailingAfter attempts without a success in between, an endpoint is probed
	// and its other deliveries wait.
	FailingAfter = 5
	// DisabledAfter such a time without a success, it is disabled.
	DisabledAfter = 5 * 24 * time.Hour
	// OnTheWire bounds the attempts at one endpoint at once.
	OnTheWire = 10
)

// Delay is how long to wait after the nth attempt failed, n from 1; less is as
// the first. random is in [0, 1).
func Delay(n int, random float64) time.Duration {
	delay := MaxDelay
	if n < 20 { // the doublings beyond are far over the cap
		delay = min(FirstDelay<<max(n-1, 0), MaxDelay)
	}
	return time.Duration(float64(delay) * (1 - Jitter + 2*Jitter*random))
}

// Verdict is what an attempt's answer means.
type Verdict int

// The verdicts.
const (
	Delivered Verdict = iota + 1
	TryAgain
	EndpointGone // and so to be disabled
)

// Classify is the table of answers. Redirects are failures: what was meant for
// one address never goes to another.
func Classify(status int) Verdict {
	switch {
	case status >= 200 && status <= 299:
		return Delivered
	case status == http.StatusGone:
		return EndpointGone
	default:
		return TryAgain
	}
}

// RetryAfter reads how long an answer asks to wait: seconds or a date, on 429
// and 503 only, at most MaxRetryAfter; zero when it asks for nothing.
func RetryAfter(status int, header string, now time.Time) time.Duration {
	if status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
		return 0
	}
	var wait time.Duration
	if seconds, err := strconv.ParseUint(header, 10, 31); err == nil || errors.Is(err, strconv.ErrRange) {
		wait = time.Duration(seconds) * time.Second // the most that 31 bits hold, when there are more
	} else if at, err := http.ParseTime(header); err == nil {
		wait = at.Sub(now)
	}
	return max(0, min(wait, MaxRetryAfter))
}
