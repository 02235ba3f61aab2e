package delivery

import "time"

// Health is the health of an endpoint. It decides when a failing endpoint may be
// probed. It does not decide when a delivery is due.
type Health struct {
	Failures     int       // in a row
	LastError    string    // of the last of them
	FailingSince time.Time // when the first of them began; zero without any
	ProbeAt      time.Time // while it fails, one attempt at a time may begin, from then on
	Probes       int       // made since it fails
	RetryAfter   time.Time // the latest Retry-After of the endpoint
	RecoveredAt  time.Time // when it last stopped failing
	// Epoch grows when the endpoint gets another URL, or is enabled, disabled or flushed.
	// Failures of attempts from an earlier epoch do not count toward its health.
	Epoch int
	// SuccessesFrom is the first epoch whose successes count. A flush does not change it:
	// an attempt that was in flight still shows that the endpoint answers.
	SuccessesFrom int
	// Slow reports that the last answer took SlowAfter or longer.
	Slow bool
	// Notified is the last notice about the endpoint, FAILING or DISABLED; empty once it
	// has recovered. NotifiedSince is when that trouble began.
	Notified      NoticeType
	NotifiedSince time.Time
}

// Failing reports whether the endpoint is probed instead of sent to.
func (h Health) Failing() bool { return h.Failures >= FailingAfter }

// AttemptDue is when the endpoint may get its next attempt, unless somebody requests one: not
// before its Retry-After, and if it is failing, not before its next probe.
func (h Health) AttemptDue(now time.Time) time.Time {
	if h.Failing() {
		return later(h.ProbeAt, h.retryAfter(now))
	}
	return h.retryAfter(now)
}

// RetryAfterAtMost is longer than any Retry-After from now, even after a failover to a database server with another
// clock.
const RetryAfterAtMost = MaxRetryAfter + time.Minute

// retryAfter is RetryAfter, unless the clock was set back since.
func (h Health) retryAfter(now time.Time) time.Time {
	if h.RetryAfter.After(now.Add(RetryAfterAtMost)) {
		return time.Time{}
	}
	return h.RetryAfter
}

// Renewed is the health of an endpoint that was enabled, or got another URL.
func (h Health) Renewed(now time.Time) Health {
	h = h.afterSuccess(now).Detached()
	h.RetryAfter = time.Time{}
	return h
}

// Flushed is the health of an endpoint after a flush.
func (h Health) Flushed(now time.Time) Health {
	h = h.afterSuccess(now)
	h.RetryAfter = time.Time{}
	h.Epoch++
	return h
}

// Detached is the health of an endpoint after a change: attempts in flight no longer
// count toward it.
func (h Health) Detached() Health {
	h.Epoch++
	h.SuccessesFrom = h.Epoch
	return h
}

// afterSuccess is the health after a success. It keeps a Retry-After: the successful attempt
// may have begun before the endpoint sent it.
func (h Health) afterSuccess(now time.Time) Health {
	fresh := Health{
		Epoch:         h.Epoch,
		SuccessesFrom: h.SuccessesFrom,
		RetryAfter:    h.RetryAfter,
		RecoveredAt:   h.RecoveredAt,
		Slow:          h.Slow,
		Notified:      h.Notified,
		NotifiedSince: h.NotifiedSince,
	}
	if h.Failing() {
		fresh.RecoveredAt = now
	}
	return fresh
}

// afterFailure is the health after a failed attempt.
func (h Health) afterFailure(a Attempt, answer Answer, now time.Time, random float64) Health {
	h.Failures++
	h.LastError = answer.Why()
	if h.FailingSince.IsZero() {
		h.FailingSince = a.StartedAt
	}
	if a.Probe && h.Failing() {
		h.Probes++
	}
	if answer.RetryAfter > 0 {
		h.RetryAfter = later(h.retryAfter(now), now.Add(answer.RetryAfter))
	}
	// Attempts that were in flight when the endpoint began to fail do not
	// postpone its probes.
	if h.Failing() && (a.Probe || h.ProbeAt.IsZero()) {
		h.ProbeAt = now.Add(Delay(h.Probes+1, random))
	}
	return h
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// earlier returns the earlier time; b if a is zero.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}
