package delivery

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWaits_NamesEachCause(t *testing.T) {
	in := func(d time.Duration) time.Time { return start.Add(d) }
	due := Delivery{State: Pending, DueAt: start}
	later := Delivery{State: Retrying, DueAt: in(time.Hour)}
	requested := Delivery{State: Retrying, DueAt: in(time.Hour), RetryRequestedAt: start}
	well := Situation{Enabled: true, Keyed: true, WorkerSeen: in(-time.Minute)}
	with := func(change func(*Situation)) Situation {
		s := well
		change(&s)
		return s
	}
	failing := Health{Failures: FailingAfter, ProbeAt: in(time.Minute), RetryAfter: in(2 * time.Minute)}
	seen := map[Cause]bool{}
	for _, c := range []struct {
		name string
		d    Delivery
		s    Situation
		want []Wait
	}{
		{"nothing", due, well, []Wait{{Cause: CauseDue}}},
		{"it has ended", Delivery{State: Delivered}, Situation{}, nil},
		{"its own attempt is in flight", later, with(func(s *Situation) { s.Sending, s.InFlight = true, MaxInFlight }), []Wait{{Cause: CauseInFlight}}},
		{"no worker reports", due, with(func(s *Situation) { s.WorkerSeen = in(-WorkerMissedAfter - 1) }), []Wait{{Cause: CauseNoWorker}}},
		{"the endpoint is disabled, and there is no key", later, with(func(s *Situation) { s.Enabled, s.Keyed, s.Health = false, false, failing }), []Wait{{Cause: CauseDisabled}, {Cause: CauseNoKey}}},
		{"there is no key", due, with(func(s *Situation) { s.Keyed = false }), []Wait{{Cause: CauseNoKey}}},
		{"its schedule", later, with(func(s *Situation) { s.Earlier = true }), []Wait{{CauseSchedule, in(time.Hour)}}},
		{"a failing endpoint that asked for time", due, with(func(s *Situation) { s.Health = failing }), []Wait{{CauseFailing, in(time.Minute)}, {CauseRetryAfter, in(2 * time.Minute)}}},
		{"a failing endpoint whose probe is due", due, with(func(s *Situation) { s.Health, s.Earlier = Health{Failures: FailingAfter, ProbeAt: start}, true }), []Wait{{Cause: CauseFailing}, {Cause: CauseEarlier}}},
		{"the next probe", due, with(func(s *Situation) { s.Health = Health{Failures: FailingAfter, ProbeAt: start} }), []Wait{{Cause: CauseDue}}},
		{"a probe is in flight", due, with(func(s *Situation) { s.Health, s.InFlight = Health{Failures: FailingAfter, ProbeAt: start}, 1 }), []Wait{{Cause: CauseFailing}}},
		{"an endpoint that asked for time", due, with(func(s *Situation) { s.Health.RetryAfter = in(time.Minute) }), []Wait{{CauseRetryAfter, in(time.Minute)}}},
		{"an endpoint that had asked for time", due, with(func(s *Situation) { s.Health.RetryAfter = start }), []Wait{{Cause: CauseDue}}},
		{"an endpoint that asked for time before the clock was set back", due, with(func(s *Situation) { s.Health.RetryAfter = in(RetryAfterAtMost + 1) }), []Wait{{Cause: CauseDue}}},
		{"the rate is used up", due, with(func(s *Situation) { s.Limits = Limits{PerSecond: 1, OpensAt: in(time.Second)} }), []Wait{{CauseRate, in(time.Second)}}},
		{"others use the rate up", due, with(func(s *Situation) { s.Limits.PerSecond, s.Earlier = 1, true }), []Wait{{Cause: CauseRate}, {Cause: CauseEarlier}}},
		{"the endpoint's concurrency", due, with(func(s *Situation) { s.Limits.Concurrency, s.InFlight = 2, 2 }), []Wait{{Cause: CauseConcurrency}}},
		{"below the endpoint's concurrency", due, with(func(s *Situation) { s.Limits.Concurrency, s.InFlight = 2, 1 }), []Wait{{Cause: CauseDue}}},
		{"the most of any endpoint", due, with(func(s *Situation) { s.InFlight = MaxInFlight }), []Wait{{Cause: CauseConcurrency}}},
		{"earlier ones", due, with(func(s *Situation) { s.Earlier = true }), []Wait{{Cause: CauseEarlier}}},
		{"a requested attempt waits for slots alone", requested, with(func(s *Situation) { s.Health, s.Earlier, s.InFlight = failing, true, MaxInFlight }), []Wait{{Cause: CauseConcurrency}}},
	} {
		got := Waits(c.d, c.s, start)
		require.Equal(t, c.want, got, c.name)
		for _, w := range got {
			seen[w.Cause] = true
		}
	}
	for _, c := range Causes() {
		require.True(t, seen[c], c)
		require.Equal(t, c == CauseDue, c.Text() == CauseDue.Text(), "%s has a text of its own", c)
	}
}

func TestDocument_SaysWhatToDoAboutEachCause(t *testing.T) {
	guide, err := os.ReadFile("../../../docs/operating/webhooks.md")
	require.NoError(t, err)
	for _, c := range Causes() {
		require.Regexp(t, "(?m)^\\|.*`"+string(c)+"`.*\\|.+\\|$", string(guide))
	}
}
