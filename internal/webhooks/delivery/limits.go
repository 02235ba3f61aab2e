package delivery

import "time"

// Limits are an endpoint's own limits, and when its rate allows the next attempt. A zero
// limit is none.
type Limits struct {
	PerSecond   int // attempts that begin in any second, requested ones and probes included
	Concurrency int // attempts in flight
	// OpensAt is the earliest time at which the rate allows an attempt. From then on, the
	// endpoint accumulates attempts for a burst.
	OpensAt time.Time
}

// The bounds of an endpoint's own limits.
const (
	MaxPerSecond   = 1000
	MaxConcurrency = MaxInFlight
)

// burst is how many attempts may begin at once after a pause, and spacing is the time
// between later ones. Together they never exceed PerSecond in any second.
func (l Limits) burst() (burst int, spacing time.Duration) {
	burst = (l.PerSecond + 9) / 10
	spacing = time.Second / time.Duration(l.PerSecond-burst+1)
	// The database keeps microseconds.
	return burst, (spacing + time.Microsecond).Truncate(time.Microsecond)
}

// MostInFlight is how many attempts may be in flight.
func (l Limits) MostInFlight() int {
	if l.Concurrency == 0 {
		return MaxInFlight
	}
	return min(l.Concurrency, MaxInFlight)
}

// Room is how many attempts may begin now, beside those in flight.
func (l Limits) Room(inFlight int, now time.Time) int {
	room := max(0, l.MostInFlight()-inFlight)
	if l.PerSecond == 0 {
		return room
	}
	if l.Opens(now).After(now) {
		return 0
	}
	burst, spacing := l.burst()
	saved := now.Sub(l.opensAt(now)) / spacing // years, if no attempt has begun yet
	if saved < time.Duration(burst) {
		burst = 1 + int(saved)
	}
	return min(room, burst)
}

// Begun is the limits after n attempts have begun.
func (l Limits) Begun(n int, now time.Time) Limits {
	if l.PerSecond == 0 || n == 0 {
		return l
	}
	burst, spacing := l.burst()
	l.OpensAt = later(l.opensAt(now), now.Add(-time.Duration(burst-1)*spacing)).Add(time.Duration(n) * spacing)
	return l
}

// Opens is the earliest time from now on at which the rate lets an attempt begin.
func (l Limits) Opens(now time.Time) time.Time {
	if l.PerSecond == 0 {
		return now
	}
	return later(l.opensAt(now), now)
}

// PacedAtMost is longer than a rate can delay the next attempt.
const PacedAtMost = 2 * time.Second

// opensAt is OpensAt, unless the clock was set back since.
func (l Limits) opensAt(now time.Time) time.Time {
	if l.OpensAt.After(now.Add(PacedAtMost)) {
		return time.Time{}
	}
	return l.OpensAt
}
