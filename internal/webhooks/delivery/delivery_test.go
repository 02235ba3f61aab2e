package delivery

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// aDelivery draws a delivery that can be on record at a time, in one of the given
// states or in any.
func aDelivery(t *rapid.T, now time.Time, states ...State) Delivery {
	if states == nil {
		states = stored()
	}
	d := Delivery{State: rapid.SampledFrom(states).Draw(t, "state")}
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
			d.RetryRequestedAt = aTime(t, now, "retry_requested_at")
		}
	}
	return d
}

// stored are the states that a delivery can have on record.
func stored() []State {
	return slices.DeleteFunc(States(), func(s State) bool { return s == Held })
}

func aTime(t *rapid.T, now time.Time, name string) time.Time {
	return now.Add(time.Duration(rapid.IntRange(-7200, 7200).Draw(t, name)) * time.Second)
}

func aHealth(t *rapid.T, now time.Time) Health {
	h := Health{Epoch: rapid.IntRange(0, 2).Draw(t, "epoch"), Slow: rapid.Bool().Draw(t, "slow")}
	h.SuccessesFrom = rapid.IntRange(0, h.Epoch).Draw(t, "successes from")
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
	switch {
	case h.Failing():
		h.Notified, h.NotifiedSince = EndpointFailing, h.FailingSince
	case rapid.Bool().Draw(t, "was disabled"):
		h.Notified, h.NotifiedSince = EndpointDisabled, now.Add(-time.Hour)
	}
	return h
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
	require.Contains(t, stored(), d.State)
	require.Equal(t, d.State.Open(), !d.DueAt.IsZero(), "an open delivery is due at a time, and no other: %+v", d)
	require.True(t, d.State.Open() || d.RetryRequestedAt.IsZero())
	require.True(t, d.State != Pending || d.Attempts == 0)
	require.True(t, 0 <= d.Round && d.Round <= d.Attempts)
}

func TestTransitions_LeadToValidDeliveries(t *testing.T) {
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
		h := aHealth(t, start)
		a := Attempt{Number: d.Attempts + 1, StartedAt: start.Add(-time.Second), Epoch: h.Epoch, Outcome: AttemptSending, Probe: rapid.Bool().Draw(t, "probe")}
		valid(t, End(d, h, a, anAnswer(t), start, 0.5).Delivery)
		valid(t, Lose(d, h, a, start, 0.5).Delivery)
	})
}

// changes lists every Change that there is.
func changes() []Change {
	return []Change{Cancel(), Retry(), RetryRetrying(), Recover(), Replay(), GiveUp("x"), GiveUpRetrying("x")}
}

func TestEnd_FollowsTheAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, h, answer := aDelivery(t, start), aHealth(t, start), anAnswer(t)
		a := Attempt{StartedAt: start.Add(-answer.Duration), Epoch: h.Epoch, Outcome: rapid.SampledFrom([]AttemptOutcome{AttemptSending, AttemptUnknown}).Draw(t, "outcome")}
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
		case d.State.Open() && a.Outcome == AttemptSending:
			require.Contains(t, []State{Retrying, Failed}, after.Delivery.State)
			require.Equal(t, answer.Why(), after.Delivery.LastError)
		default:
			require.Equal(t, d.State, after.Delivery.State, "what was decided meanwhile stands")
		}
		if after.Delivery.State == Retrying && d.State.Open() && a.Outcome == AttemptSending && !d.RetryRequestedAt.After(a.StartedAt) {
			require.False(t, after.Delivery.DueAt.Before(start.Add(answer.RetryAfter)), "a receiver that asks to wait is heeded")
			require.True(t, after.Delivery.RetryRequestedAt.IsZero())
		}
		if after.Delivery.Round >= MaxAttempts && after.Delivery.State == Retrying && a.Outcome == AttemptSending {
			require.True(t, d.RetryRequestedAt.After(a.StartedAt), "only what somebody asked for goes on beyond the schedule")
		}
		if a.Epoch != h.Epoch && !(success && a.Epoch >= h.SuccessesFrom) {
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

func TestLose_LeavesTheHealthOfTheEndpoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, h := aDelivery(t, start), aHealth(t, start)
		a := Attempt{StartedAt: start.Add(-time.Minute), Epoch: h.Epoch, Outcome: AttemptSending, Probe: rapid.Bool().Draw(t, "probe")}
		after := Lose(d, h, a, start, 0.5)
		require.Equal(t, AttemptUnknown, after.Outcome)
		require.Equal(t, d.Attempts+1, after.Delivery.Attempts, "it may have arrived")
		require.Equal(t, h.Failures, after.Health.Failures)
		if !a.Probe {
			require.Equal(t, h, after.Health)
		}
	})
}

// TestEnd_OfAnAttemptThatFailsAsAsked leaves the health of the endpoint.
func TestEnd_OfAnAttemptThatFailsAsAsked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := aHealth(t, start)
		d := aDelivery(t, start, Pending, Retrying)
		end := End(d, h, Attempt{Number: d.Attempts + 1, StartedAt: start, Epoch: h.Epoch, Outcome: AttemptSending, AsAsked: true}, Answer{Error: "as asked"}, start, 0.5)
		require.Equal(t, h, end.Health)
		require.Equal(t, AttemptFailed, end.Outcome)
		require.Empty(t, end.Disable)
		require.Equal(t, d.Attempts+1, end.Delivery.Attempts)
	})
}

func TestNewOffer_HasRoomRetriesAndProbes(t *testing.T) {
	failing := Health{Failures: FailingAfter, ProbeAt: start}
	for _, c := range []struct {
		h        Health
		inFlight int
		want     Offer
	}{
		{Health{}, 0, Offer{Room: MaxInFlight, Retry: true}},
		{Health{Failures: FailingAfter - 1}, 3, Offer{Room: MaxInFlight - 3, Retry: true}},
		{Health{}, MaxInFlight + 2, Offer{Retry: true}},
		{failing, 0, Offer{Room: MaxInFlight, Probe: true}},
		{failing, 1, Offer{Room: MaxInFlight - 1}},
		{Health{Failures: FailingAfter, ProbeAt: start.Add(1)}, 0, Offer{Room: MaxInFlight}},
	} {
		require.Equal(t, c.want, NewOffer(c.h, Limits{}, c.inFlight, start), "%+v", c)
	}
}

func TestNextLook_FollowsHealthLimitsAndBacklog(t *testing.T) {
	failing := Health{Failures: FailingAfter, ProbeAt: start.Add(time.Minute)}
	probed := Health{Failures: FailingAfter, ProbeAt: start}
	at := func(d time.Duration) *time.Time { when := start.Add(d); return &when }
	for _, c := range []struct {
		name    string
		h       Health
		backlog Backlog
		want    *time.Time
	}{
		{"no backlog", Health{}, Backlog{InFlight: 1}, nil},
		{"first attempts of a well endpoint are the session's", Health{}, Backlog{Pending: true}, nil},
		{"what was asked for", failing, Backlog{RetryRequested: true, Retrying: start.Add(time.Hour)}, at(0)},
		{"what was asked for, beside another", failing, Backlog{RetryRequested: true, InFlight: MaxInFlight - 1}, at(0)},
		{"what was asked for, without a slot", Health{}, Backlog{RetryRequested: true, InFlight: MaxInFlight}, at(slotPollInterval)},
		{"a retry that is due", Health{}, Backlog{Retrying: start.Add(-time.Hour), InFlight: MaxInFlight - 1}, at(0)},
		{"a retry without a slot", Health{}, Backlog{Retrying: start, InFlight: MaxInFlight}, at(slotPollInterval)},
		{"a retry to come", Health{}, Backlog{Retrying: start.Add(time.Hour), Pending: true, InFlight: MaxInFlight}, at(time.Hour)},
		{"a failing endpoint, at its own pace", failing, Backlog{Pending: true, Retrying: start.Add(time.Hour)}, at(time.Minute)},
		{"a failing endpoint whose only retry comes later", failing, Backlog{Retrying: start.Add(time.Hour)}, at(time.Hour)},
		{"a failing endpoint that asked to be left alone", Health{Failures: FailingAfter, ProbeAt: start, RetryAfter: start.Add(2 * time.Minute)}, Backlog{Pending: true}, at(2 * time.Minute)},
		{"an endpoint that asked to be left alone", Health{RetryAfter: start.Add(2 * time.Minute)}, Backlog{Retrying: start}, at(2 * time.Minute)},
		{"what was asked for, of an endpoint that asked to be left alone", Health{RetryAfter: start.Add(2 * time.Minute)}, Backlog{RetryRequested: true}, at(0)},
		{"a failing endpoint may be probed", probed, Backlog{Pending: true}, at(0)},
		{"its probe is in flight", probed, Backlog{Pending: true, InFlight: 1}, at(slotPollInterval)},
	} {
		t.Run(c.name, func(t *testing.T) {
			next, any := NextLook(c.h, Limits{}, c.backlog, start)
			require.Equal(t, c.want != nil, any)
			if any {
				require.Equal(t, *c.want, next)
			}
		})
	}
}

func TestChange_Apply(t *testing.T) {
	before := start.Add(-time.Hour)
	retrying := Delivery{State: Retrying, Attempts: 7, Round: 3, DueAt: start.Add(time.Hour), LastError: "HTTP 500"}
	failed := Delivery{State: Failed, Attempts: 200, Round: MaxAttempts, LastError: "HTTP 500"}
	asked := retrying
	asked.RetryRequestedAt = before
	for _, c := range []struct {
		change Change
		from   Delivery
		want   Delivery
	}{
		{Cancel(), asked, Delivery{State: Canceled, Attempts: 7, Round: 3, LastError: "HTTP 500"}},
		{Retry(), failed, Delivery{State: Retrying, Attempts: 200, DueAt: start, RetryRequestedAt: start, LastError: "HTTP 500"}},
		{RetryRetrying(), asked, Delivery{State: Retrying, Attempts: 7, Round: 3, DueAt: start, RetryRequestedAt: start, LastError: "HTTP 500"}},
		{Recover(), failed, Delivery{State: Retrying, Attempts: 200, DueAt: start, LastError: "HTTP 500"}},
		{GiveUp("stopped"), Delivery{State: Pending, DueAt: start, LastError: "HTTP 500"}, Delivery{State: Failed, LastError: "stopped"}},
		{GiveUpRetrying("stopped"), retrying, Delivery{State: Failed, Attempts: 7, Round: 3, LastError: "stopped"}},
	} {
		require.Equal(t, c.want, c.change.Apply(c.from, start), c.change.Name)
	}
}

// The next look is not later than the next attempt that may begin, and not in the past.
func TestNextLook_IsWhenADeliveryMayBegin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := aHealth(t, start)
		if atMost := start.Add(RetryAfterAtMost); h.RetryAfter.After(atMost) { // does not count before the clock has come nearer
			h.RetryAfter = atMost
		}
		var all []Delivery
		backlog := Backlog{InFlight: rapid.IntRange(0, MaxInFlight).Draw(t, "in flight")}
		for range rapid.IntRange(0, 6).Draw(t, "deliveries") {
			d := aDelivery(t, start)
			all = append(all, d)
			backlog.RetryRequested = backlog.RetryRequested || d.State.Open() && !d.RetryRequestedAt.IsZero()
			switch d.State {
			case Pending:
				backlog.Pending = true
			case Retrying:
				backlog.Retrying = earlier(backlog.Retrying, d.DueAt)
			}
		}
		limits := someLimits(t, start)
		begins := func(inFlight int, at time.Time) bool {
			offer := NewOffer(h, limits, inFlight, at)
			return offer.Room > 0 && slices.ContainsFunc(all, func(d Delivery) bool {
				due := d.State == Retrying && !d.DueAt.After(at)
				return d.State.Open() && (!d.RetryRequestedAt.IsZero() || offer.Probe && (d.State == Pending || due) || offer.Retry && due)
			})
		}
		next, any := NextLook(h, limits, backlog, start)
		require.Equal(t, begins(0, start.Add(24*time.Hour)), any)
		if !any {
			return
		}
		require.False(t, next.Before(start))
		if begins(backlog.InFlight, start) {
			require.Equal(t, start, next)
		}
		room := backlog
		room.InFlight = 0
		at, _ := NextLook(h, limits, room, start)
		require.True(t, begins(0, at), "there is something to begin at %s", at)
	})
}

func TestShare_DividesABatchWithinAllLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var endpoints []Ready
		bounds, wanted := map[string]int{"one": rapid.IntRange(0, 60).Draw(t, "room of one")}, map[string]int{}
		organizations := map[string]string{"a": "one", "b": "one", "c": "two"}
		for range rapid.IntRange(0, 30).Draw(t, "endpoints") {
			e := Ready{Account: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "account"), Room: rapid.IntRange(0, MaxInFlight).Draw(t, "room")}
			e.Organization = organizations[e.Account]
			endpoints = append(endpoints, e)
			wanted[e.Organization] += e.Room
		}
		room := min(wanted["one"], bounds["one"]) + wanted["two"]
		batch := rapid.IntRange(0, 300).Draw(t, "batch")
		given := Share(endpoints, batch, bounds)
		total, per, left, one := 0, map[string]int{}, map[string]bool{}, 0
		for i, n := range given {
			require.True(t, 0 <= n && n <= endpoints[i].Room)
			total += n
			per[endpoints[i].Account] += n
			if endpoints[i].Organization == "one" {
				one += n
			}
			if n < endpoints[i].Room {
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

func TestEnd_UpdatesDeliveryAndHealth(t *testing.T) {
	began := start.Add(-10 * time.Second)
	attempt := Attempt{StartedAt: began, Epoch: 2, Outcome: AttemptSending}
	probe := attempt
	probe.Probe = true
	unknown := attempt
	unknown.Outcome = AttemptUnknown
	earlierEpoch := attempt
	earlierEpoch.Epoch = 1
	open := Delivery{State: Retrying, Attempts: 3, Round: 3, DueAt: start}
	last := Delivery{State: Retrying, Attempts: MaxAttempts - 1, Round: MaxAttempts - 1, DueAt: start}
	asked := func(d Delivery, at time.Time) Delivery { d.RetryRequestedAt = at; return d }
	retrying := func(attempts int, why string, due time.Time) Delivery {
		return Delivery{State: Retrying, Attempts: attempts, Round: attempts, DueAt: due, LastError: why}
	}
	long := start.Add(-DisabledAfter)
	down := Health{Failures: 7, FailingSince: start.Add(-time.Hour), ProbeAt: start.Add(-time.Second), Probes: 2, Epoch: 2, LastError: "HTTP 502"}
	told := func(h Health) Health { h.Notified, h.NotifiedSince = EndpointFailing, h.FailingSince; return h }
	down = told(down)
	for _, c := range []struct {
		name    string
		d       Delivery
		h       Health
		a       Attempt
		answer  Answer
		want    Delivery
		health  Health
		disable bool
	}{
		{"a first failure", open, Health{Epoch: 2}, attempt, Answer{StatusCode: 500},
			retrying(4, "HTTP 500", start.Add(40*time.Second)), Health{Failures: 1, LastError: "HTTP 500", FailingSince: began, Epoch: 2}, false},
		{"no answer", open, Health{Epoch: 2}, attempt, Answer{Error: "connection refused", StatusCode: 200},
			retrying(4, "connection refused", start.Add(40*time.Second)), Health{Failures: 1, LastError: "connection refused", FailingSince: began, Epoch: 2}, false},
		{"a slow answer", open, Health{Epoch: 2}, attempt, Answer{StatusCode: 200, Duration: SlowAfter},
			Delivery{State: Delivered, Attempts: 4, Round: 4}, Health{Epoch: 2, Slow: true}, false},
		{"a fast answer after a slow one", open, Health{Epoch: 2, Slow: true}, attempt, Answer{StatusCode: 200, Duration: SlowAfter - 1},
			Delivery{State: Delivered, Attempts: 4, Round: 4}, Health{Epoch: 2}, false},
		{"a slow answer of an earlier epoch", open, Health{Epoch: 2}, earlierEpoch, Answer{StatusCode: 500, Duration: SlowAfter},
			retrying(4, "HTTP 500", start.Add(40*time.Second)), Health{Epoch: 2}, false},
		{"a longer wait than its own, asked for", open, Health{Epoch: 2, RetryAfter: start.Add(time.Minute)}, attempt, Answer{StatusCode: 429, RetryAfter: time.Hour},
			retrying(4, "HTTP 429", start.Add(time.Hour)), Health{Failures: 1, LastError: "HTTP 429", FailingSince: began, RetryAfter: start.Add(time.Hour), Epoch: 2}, false},
		{"a shorter wait, asked for", open, Health{Epoch: 2, RetryAfter: start.Add(time.Minute)}, attempt, Answer{StatusCode: 429, RetryAfter: time.Second},
			retrying(4, "HTTP 429", start.Add(40*time.Second)), Health{Failures: 1, LastError: "HTTP 429", FailingSince: began, RetryAfter: start.Add(time.Minute), Epoch: 2}, false},
		{"it begins to fail", open, Health{Failures: FailingAfter - 1, FailingSince: began, Epoch: 2}, attempt, Answer{StatusCode: 500},
			retrying(4, "HTTP 500", start.Add(40*time.Second)), told(Health{Failures: FailingAfter, LastError: "HTTP 500", FailingSince: began, ProbeAt: start.Add(FirstDelay), Epoch: 2}), false},
		{"a failed attempt that began before puts no probe off", open, down, attempt, Answer{StatusCode: 500},
			retrying(4, "HTTP 500", start.Add(40*time.Second)), told(Health{Failures: 8, LastError: "HTTP 500", FailingSince: down.FailingSince, ProbeAt: down.ProbeAt, Probes: 2, Epoch: 2}), false},
		{"a failed probe", open, down, probe, Answer{StatusCode: 500},
			retrying(4, "HTTP 500", start.Add(40*time.Second)), told(Health{Failures: 8, LastError: "HTTP 500", FailingSince: down.FailingSince, ProbeAt: start.Add(40 * time.Second), Probes: 3, Epoch: 2}), false},
		{"a failed probe of an endpoint that is well again", open, Health{Epoch: 2}, probe, Answer{StatusCode: 500},
			retrying(4, "HTTP 500", start.Add(40*time.Second)), Health{Failures: 1, LastError: "HTTP 500", FailingSince: began, Epoch: 2}, false},
		{"a success", open, down, probe, Answer{StatusCode: 200},
			Delivery{State: Delivered, Attempts: 4, Round: 4}, Health{RecoveredAt: start, Epoch: 2}, false},
		{"a success after a few failures", open, Health{Failures: 2, FailingSince: began, RecoveredAt: long, RetryAfter: start, Epoch: 2}, attempt, Answer{StatusCode: 200},
			Delivery{State: Delivered, Attempts: 4, Round: 4}, Health{RecoveredAt: long, RetryAfter: start, Epoch: 2}, false},
		{"five days of failures", open, Health{Failures: 7, FailingSince: long, ProbeAt: start, Epoch: 2}, attempt, Answer{StatusCode: 500},
			retrying(4, "HTTP 500", start.Add(40*time.Second)), Health{Failures: 8, LastError: "HTTP 500", FailingSince: long, ProbeAt: start, Epoch: 2}, true},
		{"hardly five days of failures", open, Health{Failures: 7, FailingSince: long.Add(1), ProbeAt: start, Epoch: 2}, attempt, Answer{StatusCode: 500},
			retrying(4, "HTTP 500", start.Add(40*time.Second)), told(Health{Failures: 8, LastError: "HTTP 500", FailingSince: long.Add(1), ProbeAt: start, Epoch: 2}), false},
		{"gone", open, Health{Epoch: 2}, attempt, Answer{StatusCode: 410},
			retrying(4, "HTTP 410", start.Add(40*time.Second)), Health{Failures: 1, LastError: "HTTP 410", FailingSince: began, Epoch: 2}, true},
		{"gone in an earlier epoch", open, Health{Epoch: 2}, earlierEpoch, Answer{StatusCode: 410},
			retrying(4, "HTTP 410", start.Add(40*time.Second)), Health{Epoch: 2}, false},
		{"the last failure of a round", last, down, attempt, Answer{StatusCode: 500},
			Delivery{State: Failed, Attempts: MaxAttempts, Round: MaxAttempts, LastError: "HTTP 500"},
			told(Health{Failures: 8, LastError: "HTTP 500", FailingSince: down.FailingSince, ProbeAt: down.ProbeAt, Probes: 2, Epoch: 2}), false},
		{"asked for while the last of a round was in flight", asked(last, start.Add(-time.Second)), Health{}, earlierEpoch, Answer{StatusCode: 500},
			asked(retrying(MaxAttempts, "HTTP 500", start.Add(-time.Second)), start.Add(-time.Second)), Health{}, false},
		{"asked for before it began", asked(open, began), Health{}, earlierEpoch, Answer{StatusCode: 500},
			retrying(4, "HTTP 500", start.Add(40*time.Second)), Health{}, false},
		{"canceled meanwhile", Delivery{State: Canceled}, Health{}, earlierEpoch, Answer{StatusCode: 500},
			Delivery{State: Canceled, Attempts: 1, Round: 1, LastError: "HTTP 500"}, Health{}, false},
		{"delivered meanwhile", Delivery{State: Delivered, Attempts: 1, Round: 1}, Health{}, earlierEpoch, Answer{StatusCode: 500},
			Delivery{State: Delivered, Attempts: 2, Round: 2}, Health{}, false},
		{"taken for lost before", open, Health{}, unknown, Answer{StatusCode: 500}, open, Health{}, false},
		{"taken for lost before, and arrived", open, Health{}, unknown, Answer{StatusCode: 200},
			Delivery{State: Delivered, Attempts: 3, Round: 3}, Health{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			after := End(c.d, c.h, c.a, c.answer, start, 0.5)
			require.Equal(t, c.want, after.Delivery)
			require.Equal(t, c.health, after.Health)
			require.Equal(t, c.disable, after.Disable != "")
		})
	}
}

func TestLose_BacksOff(t *testing.T) {
	began := start.Add(-time.Minute)
	open := Delivery{State: Retrying, Attempts: 5, Round: 5, DueAt: began}
	failing := Health{Failures: FailingAfter, FailingSince: began, ProbeAt: began, Probes: 2, Epoch: 2}
	attempt := Attempt{StartedAt: began, Epoch: 2, Outcome: AttemptSending}
	probe := attempt
	probe.Probe = true

	require.Equal(t, Delivery{State: Retrying, Attempts: 6, Round: 6, DueAt: began.Add(160 * time.Second), LastError: "the attempt broke off"},
		Lose(open, Health{}, attempt, start, 0.5).Delivery, "as after a failure when it began")
	soon := Delivery{State: Pending, DueAt: began}
	require.Equal(t, start, Lose(soon, Health{}, attempt, start, 0.5).Delivery.DueAt, "never in the past")
	canceled := Delivery{State: Canceled, Attempts: 1, Round: 1, LastError: "HTTP 500"}
	require.Equal(t, Delivery{State: Canceled, Attempts: 2, Round: 2, LastError: "HTTP 500"}, Lose(canceled, Health{}, attempt, start, 0.5).Delivery)

	backedOff := failing
	backedOff.ProbeAt = start.Add(20 * time.Second)
	require.Equal(t, backedOff, Lose(open, failing, probe, start, 0.5).Health, "a probe backs off as well")
	require.Equal(t, failing, Lose(open, failing, attempt, start, 0.5).Health)
	other := probe
	other.Epoch = 1
	require.Equal(t, failing, Lose(open, failing, other, start, 0.5).Health)
	well := Health{Failures: FailingAfter - 1, FailingSince: began, Epoch: 2}
	require.Equal(t, well, Lose(open, well, probe, start, 0.5).Health)
}

func TestHealth_RenewedHasNoFailures(t *testing.T) {
	slow := Health{Failures: 7, LastError: "HTTP 500", FailingSince: start, ProbeAt: start, Probes: 3, RetryAfter: start, Epoch: 4, Slow: true}
	require.Equal(t, Health{RecoveredAt: start.Add(1), Epoch: 5, SuccessesFrom: 5, Slow: true}, slow.Renewed(start.Add(1)))
	require.Equal(t, Health{Epoch: 1, SuccessesFrom: 1}, Health{}.Renewed(start))
	require.Equal(t, Health{RecoveredAt: start.Add(1), Epoch: 5, Slow: true}, slow.Flushed(start.Add(1)))
}

func TestHealth_ProbesOfAFailingEndpointBackOff(t *testing.T) {
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
		wait := h.AttemptDue(now).Sub(now)
		require.GreaterOrEqual(t, wait, last)
		require.LessOrEqual(t, wait, MaxDelay)
		last, now = wait, h.AttemptDue(now)
	}
	require.Equal(t, MaxDelay, last)
	h = End(d, h, Attempt{StartedAt: now, Probe: true}, Answer{StatusCode: 200}, now, 0.5).Health
	require.Equal(t, Health{RecoveredAt: now}, h)
}
