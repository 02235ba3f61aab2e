package delivery

import "time"

// Health is how an endpoint does. It says when a failing endpoint may be probed,
// and nothing of when a delivery is due.
type Health struct {
	Failures     int       // in a row
	LastError    string    // of the last of them
	FailingSince time.Time // when the first of them began; zero without any
	ProbeAt      time.Time // while it fails, one attempt at a time may begin, from then on
	Probes       int       // made since it fails
	RetryAfter   time.Time // until then it has asked to be left alone; heeded while it fails
	RecoveredAt  time.Time // when it last ceased to fail
	// Epoch grows when the endpoint gets another URL, is enabled or flushed:
	// attempts that began before say nothing about it any more.
	Epoch int
	// Slow tells that the last answer took SlowAfter or longer.
	Slow bool
}

// Failing reports whether the endpoint is probed instead of sent to.
func (h Health) Failing() bool { return h.Failures >= FailingAfter }

// ProbeDue is when a failing endpoint may be probed next: at its own pace, and
// not while it has asked to be left alone.
func (h Health) ProbeDue() time.Time { return later(h.ProbeAt, h.RetryAfter) }

// Renewed is the health of an endpoint that begins afresh.
func (h Health) Renewed(now time.Time) Health {
	fresh := h.recovered(now)
	fresh.Epoch++
	return fresh
}

// recovered is the health after a success.
func (h Health) recovered(now time.Time) Health {
	fresh := Health{Epoch: h.Epoch, RecoveredAt: h.RecoveredAt, Slow: h.Slow}
	if h.Failing() {
		fresh.RecoveredAt = now
	}
	return fresh
}

// failed is the health after a failure.
func (h Health) failed(a Attempt, answer Answer, now time.Time, random float64) Health {
	h.Failures++
	h.LastError = answer.Why()
	if h.FailingSince.IsZero() {
		h.FailingSince = a.StartedAt
	}
	if a.Probe && h.Failing() {
		h.Probes++
	}
	if answer.RetryAfter > 0 {
		h.RetryAfter = later(h.RetryAfter, now.Add(answer.RetryAfter))
	}
	// Attempts that were in flight when the endpoint began to fail do not put its
	// probes off.
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

// earlier takes a zero a for no time at all.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}
