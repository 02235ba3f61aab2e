package delivery

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// aDelivery draws a delivery that can be on record at a time.
func aDelivery(t *rapid.T, now time.Time) Delivery {
	d := Delivery{State: rapid.SampledFrom(States()).Draw(t, "state")}
	if d.State != Pending {
		d.Attempts = rapid.IntRange(0, 2*MaxAttempts).Draw(t, "attempts")
		d.Round = rapid.IntRange(0, min(d.Attempts, MaxAttempts)).Draw(t, "round")
	}
	if d.State == Retrying {
		d.Attempts = max(d.Attempts, 1)
	}
	if d.State.Open() {
		d.DueAt = aTime(t, now, "due")
		if rapid.Bool().Draw(t, "asked") {
			d.AskedAt = aTime(t, now, "asked_at")
		}
	}
	return d
}

func aTime(t *rapid.T, now time.Time, name string) time.Time {
	return now.Add(time.Duration(rapid.IntRange(-7200, 7200).Draw(t, name)) * time.Second)
}

func aHealth(t *rapid.T, now time.Time) Health {
	h := Health{Epoch: rapid.IntRange(0, 2).Draw(t, "epoch"), Slow: rapid.Bool().Draw(t, "slow")}
	if h.Failures = rapid.IntRange(0, 8).Draw(t, "failures"); h.Failures > 0 {
		h.FailingSince = now.Add(-time.Duration(rapid.IntRange(0, 6*24).Draw(t, "since")) * time.Hour)
	}
	if h.Failing() {
		h.ProbeAt = aTime(t, now, "probe_at")
		h.Probes = rapid.IntRange(0, 20).Draw(t, "probes")
	}
	if rapid.Bool().Draw(t, "asked to wait") {
		h.RetryAfter = aTime(t, now, "retry_after")
	}
	return h
}

func anEndpoint(t *rapid.T) Endpoint {
	return Endpoint{Enabled: rapid.Bool().Draw(t, "enabled"), Deleted: rapid.Bool().Draw(t, "deleted"), Keyed: rapid.Bool().Draw(t, "keyed")}
}

func anAnswer(t *rapid.T) Answer {
	a := Answer{Duration: time.Duration(rapid.IntRange(0, 30_000).Draw(t, "ms")) * time.Millisecond}
	if rapid.Bool().Draw(t, "answered") {
		a.StatusCode = rapid.SampledFrom([]int{200, 204, 302, 404, 410, 429, 500, 503}).Draw(t, "status")
	} else {
		a.Error = "connection refused"
	}
	if rapid.Bool().Draw(t, "retry-after") {
		a.RetryAfter = time.Duration(rapid.IntRange(0, 3600).Draw(t, "seconds")) * time.Second
	}
	return a
}

// valid is what the schema demands of every delivery.
func valid(t require.TestingT, d Delivery) {
	require.Contains(t, States(), d.State)
	require.Equal(t, d.State.Open(), !d.DueAt.IsZero(), "an open delivery is due at a time, and no other: %+v", d)
	require.True(t, d.State.Open() || d.AskedAt.IsZero())
	require.True(t, d.State != Pending || d.Attempts == 0)
	require.True(t, 0 <= d.Round && d.Round <= d.Attempts)
}

func TestEveryTransitionLeadsToAValidDelivery(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := aDelivery(t, start)
		valid(t, d)
		for _, c := range changes() {
			changed := c.Apply(d, start)
			valid(t, changed)
			if !slices.Contains(c.From, d.State) {
				require.Equal(t, d, changed)
			}
			require.GreaterOrEqual(t, changed.Attempts, d.Attempts, "what is in the log stays counted")
		}
		valid(t, Settle(d, anEndpoint(t), start))
		h := aHealth(t, start)
		a := Attempt{Number: d.Attempts + 1, StartedAt: start.Add(-time.Second), Epoch: h.Epoch, Outcome: Sending, Probe: rapid.Bool().Draw(t, "probe")}
		valid(t, End(d, h, a, anAnswer(t), start, 0.5).Delivery)
		valid(t, Lose(d, h, a, start, 0.5).Delivery)
	})
}

// changes lists every Change that there is.
func changes() []Change {
	return []Change{Cancel(), Hold(), Release(), Retry(), RetryRetrying(), Recover(), RecoverLater(), Flush(), GiveUp("x"), GiveUpRetrying("x")}
}

func TestWhatADecisionMeans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, e := aDelivery(t, start), anEndpoint(t)
		settled := Settle(d, e, start)
		switch {
		case d.State.Final():
			require.Equal(t, d, settled, "what has ended stays as it is")
		case e.Deleted:
			require.Equal(t, Canceled, settled.State)
		case !e.Sendable():
			require.Equal(t, Held, settled.State)
		default:
			require.True(t, settled.State.Open())
		}
		require.Equal(t, settled, Settle(settled, e, start), "twice is once")
		applying := 0
		for _, c := range Settlements() {
			if c.Settles(e) {
				applying++
			}
		}
		require.LessOrEqual(t, applying, 1)
	})
}

func TestWhatAnEndMeans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, h, answer := aDelivery(t, start), aHealth(t, start), anAnswer(t)
		a := Attempt{StartedAt: start.Add(-answer.Duration), Epoch: h.Epoch, Outcome: rapid.SampledFrom([]Outcome{Sending, Unknown}).Draw(t, "outcome")}
		if rapid.Bool().Draw(t, "of an earlier epoch") {
			a.Epoch--
		}
		after := End(d, h, a, answer, start, rapid.Float64Range(0, 0.999).Draw(t, "random"))
		success := answer.Verdict() == Success
		switch {
		case success && d.State != Canceled:
			require.Equal(t, Delivered, after.Delivery.State)
		case success:
			require.Equal(t, Canceled, after.Delivery.State)
		case d.State.Open() && a.Outcome == Sending:
			require.Contains(t, []State{Retrying, Failed}, after.Delivery.State)
			require.Equal(t, answer.Why(), after.Delivery.LastError)
		default:
			require.Equal(t, d.State, after.Delivery.State, "what was decided meanwhile stands")
		}
		if after.Delivery.State == Retrying && d.State.Open() && a.Outcome == Sending && !d.AskedAt.After(a.StartedAt) {
			require.False(t, after.Delivery.DueAt.Before(start.Add(answer.RetryAfter)), "a receiver that asks to wait is heeded")
			require.True(t, after.Delivery.AskedAt.IsZero())
		}
		if after.Delivery.Round >= MaxAttempts && after.Delivery.State == Retrying && a.Outcome == Sending {
			require.True(t, d.AskedAt.After(a.StartedAt), "only what somebody asked for goes on beyond the schedule")
		}
		if a.Epoch != h.Epoch {
			require.Equal(t, h, after.Health, "it says nothing about the endpoint any more")
			require.Empty(t, after.Disable)
			return
		}
		require.Equal(t, success, after.Health.Failures == 0)
		if !success {
			require.Equal(t, h.Failures+1, after.Health.Failures)
			require.False(t, after.Health.FailingSince.IsZero())
		}
		if after.Health.Failing() {
			require.False(t, after.Health.ProbeAt.IsZero())
		}
		require.Equal(t, !success && (answer.Verdict() == Gone || start.Sub(after.Health.FailingSince) >= DisabledAfter), after.Disable != "")
	})
}

func TestALostAttemptSaysNothingOfTheEndpoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, h := aDelivery(t, start), aHealth(t, start)
		a := Attempt{StartedAt: start.Add(-time.Minute), Epoch: h.Epoch, Outcome: Sending, Probe: rapid.Bool().Draw(t, "probe")}
		after := Lose(d, h, a, start, 0.5)
		require.Equal(t, Unknown, after.Outcome)
		require.Equal(t, d.Attempts+1, after.Delivery.Attempts, "it may have arrived")
		require.Equal(t, h.Failures, after.Health.Failures)
		if !a.Probe {
			require.Equal(t, h, after.Health)
		}
	})
}

// TestWhoMayBegin: no delivery is anybody's but one's, and everything that is owed
// and due is somebody's as soon as there is room and the endpoint's time has come.
func TestWhoMayBegin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, e, h := aDelivery(t, start), anEndpoint(t), aHealth(t, start)
		inFlight, sending := rapid.IntRange(0, MaxInFlight+2).Draw(t, "in flight"), rapid.Bool().Draw(t, "sending")
		session := MayBegin(Session, d, e, h, inFlight, sending, start)
		run := MayBegin(EndpointRun, d, e, h, inFlight, sending, start)
		require.False(t, session && run)
		if !d.State.Open() || !e.Sendable() || sending || inFlight >= MaxInFlight {
			require.False(t, session || run)
			return
		}
		late := start.Add(3 * time.Hour)
		require.True(t, MayBegin(Session, d, e, h, 0, false, late) || MayBegin(EndpointRun, d, e, h, 0, false, late), "nothing is forgotten")
		if h.Failing() && d.AskedAt.IsZero() {
			require.False(t, session)
			require.True(t, !run || inFlight == 0 && !h.ProbeDue().After(start), "one at a time, at the endpoint's own pace")
		}
	})
}

// TestTheNextLookIsWhenSomethingMayBegin: never later than what may begin, and
// never in the past.
func TestTheNextLookIsWhenSomethingMayBegin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := aHealth(t, start)
		var all []Delivery
		owed := Owed{InFlight: rapid.IntRange(0, MaxInFlight).Draw(t, "in flight")}
		for range rapid.IntRange(0, 6).Draw(t, "deliveries") {
			d := aDelivery(t, start)
			all = append(all, d)
			owed.Asked = owed.Asked || d.State.Open() && !d.AskedAt.IsZero()
			switch d.State {
			case Pending:
				owed.Pending = true
			case Retrying:
				owed.Retrying = earlier(owed.Retrying, d.DueAt)
			}
		}
		next, any := NextLook(h, owed, start)
		e := Endpoint{Enabled: true, Keyed: true}
		concerns := slices.ContainsFunc(all, func(d Delivery) bool { return MayBegin(EndpointRun, d, e, h, 0, false, start.Add(24*time.Hour)) })
		require.Equal(t, concerns, any)
		if !any {
			return
		}
		require.False(t, next.Before(start))
		now := slices.ContainsFunc(all, func(d Delivery) bool { return MayBegin(EndpointRun, d, e, h, owed.InFlight, false, start) })
		if now {
			require.Equal(t, start, next)
		}
		room := owed
		room.InFlight = 0
		at, _ := NextLook(h, room, start)
		require.True(t, slices.ContainsFunc(all, func(d Delivery) bool { return MayBegin(EndpointRun, d, e, h, 0, false, at) }), "there is something to begin at %s", at)
	})
}

func TestShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var endpoints []Ready
		bounds, wanted := map[string]int{"one": rapid.IntRange(0, 60).Draw(t, "room of one")}, map[string]int{}
		organizations := map[string]string{"a": "one", "b": "one", "c": "two"}
		for range rapid.IntRange(0, 30).Draw(t, "endpoints") {
			e := Ready{Account: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "account"), InFlight: rapid.IntRange(0, MaxInFlight).Draw(t, "in flight")}
			e.Organization = organizations[e.Account]
			endpoints = append(endpoints, e)
			wanted[e.Organization] += MaxInFlight - e.InFlight
		}
		room := min(wanted["one"], bounds["one"]) + wanted["two"]
		batch := rapid.IntRange(0, 300).Draw(t, "batch")
		given := Share(endpoints, batch, bounds)
		total, per, left, one := 0, map[string]int{}, map[string]bool{}, 0
		for i, n := range given {
			require.True(t, 0 <= n && n <= MaxInFlight-endpoints[i].InFlight)
			total += n
			per[endpoints[i].Account] += n
			if endpoints[i].Organization == "one" {
				one += n
			}
			if n < MaxInFlight-endpoints[i].InFlight {
				left[endpoints[i].Account] = true
			}
		}
		require.Equal(t, min(batch, room), total, "nothing is left while there is room")
		require.LessOrEqual(t, one, bounds["one"])
		if one == bounds["one"] { // what its accounts have left is not for want of a turn
			delete(left, "a")
			delete(left, "b")
		}
		for account := range left {
			for other, n := range per {
				require.LessOrEqual(t, n, per[account]+1, "%s gets no more than %s while that has room", other, account)
			}
		}
	})
}

func TestAnEndpointThatFailsOftenIsProbedMoreSlowly(t *testing.T) {
	h, d := Health{}, Delivery{State: Pending, DueAt: start}
	now := start
	var last time.Duration
	for n := range 20 {
		a := Attempt{StartedAt: now, Probe: h.Failing()}
		after := End(d, h, a, Answer{StatusCode: 500}, now, 0.5)
		h = after.Health
		if n < FailingAfter-1 {
			require.False(t, h.Failing())
			continue
		}
		require.True(t, h.Failing())
		wait := h.ProbeDue().Sub(now)
		require.GreaterOrEqual(t, wait, last)
		require.LessOrEqual(t, wait, MaxDelay)
		last, now = wait, h.ProbeDue()
	}
	require.Equal(t, MaxDelay, last)
	h = End(d, h, Attempt{StartedAt: now, Probe: true}, Answer{StatusCode: 200}, now, 0.5).Health
	require.Equal(t, Health{RecoveredAt: now}, h)
}
