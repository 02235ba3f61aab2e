package deployment

import (
	"testing"
	"time"

	"requisite/internal/config"

	"github.com/stretchr/testify/require"
)

func TestWhenAVersionBecomesCurrent(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	at := func(current string, polled time.Time) State {
		return State{Current: current, Versions: []Version{{BuildID: "other", PolledAt: polled}, {BuildID: "mine", PolledAt: now}}}
	}
	for _, c := range []struct {
		mode  string
		state State
		due   bool
		why   string
	}{
		{config.MakeCurrentIfNone, State{}, true, "there is none"},
		{config.MakeCurrentIfNone, at("other", now), false, "another one is served"},
		{config.MakeCurrentIfNone, at("mine", now), false, "it is already"},
		{config.MakeCurrentAtStart, at("other", now), true, "it has just started"},
		{config.MakeCurrentAtStart, at("mine", now), false, "it is already"},
		{config.MakeCurrentNever, State{}, false, "an operator decides"},
		{config.MakeCurrentNever, at("other", time.Time{}), false, "an operator decides"},
	} {
		k := &Keeper{BuildID: "mine", MakeCurrent: c.mode}
		require.Equal(t, c.due, k.due(c.state, now), "%s: %s", c.mode, c.why)
	}

	// After the start, only a version that is abandoned is replaced.
	for _, mode := range []string{config.MakeCurrentIfNone, config.MakeCurrentAtStart} {
		k := &Keeper{BuildID: "mine", MakeCurrent: mode, made: true}
		require.False(t, k.due(at("other", time.Time{}), now), "its workers may be restarting")
		require.False(t, k.due(at("other", now), now.Add(time.Minute)), "they are back")
		now := now.Add(time.Hour)
		require.False(t, k.due(at("other", time.Time{}), now))
		require.False(t, k.due(at("other", time.Time{}), now.Add(AbandonedAfter-time.Second)))
		require.True(t, k.due(at("other", time.Time{}), now.Add(AbandonedAfter)))
	}
}

func TestThePreviousVersion(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }
	s := State{Current: "v3", Versions: []Version{
		{BuildID: "v4"}, {BuildID: "v3", LastCurrentAt: day(9)}, {BuildID: "v2", LastCurrentAt: day(3)}, {BuildID: "v1", LastCurrentAt: day(5)},
	}}
	require.Equal(t, "v1", s.Previous().BuildID, "the one that was current last, and not the one that was built last")
	require.Nil(t, State{Current: "v1", Versions: []Version{{BuildID: "v1", LastCurrentAt: day(1)}, {BuildID: "v2"}}}.Previous())
}

func TestWhatTheKeeperShows(t *testing.T) {
	now := time.Now()
	k := &Keeper{BuildID: "mine"}
	require.Equal(t, "INACTIVE", k.Seen().Status)
	k.keepSeen(State{Current: "mine", Versions: []Version{
		{BuildID: "mine", Status: Current, PolledAt: now, Runs: 4}, {BuildID: "silent", Status: Ramping, PolledAt: now.Add(-silence), Runs: 3}, {BuildID: "gone", Status: Drained},
	}}, now)
	seen := k.Seen()
	require.Equal(t, "CURRENT", seen.Status)
	require.EqualValues(t, 3, seen.Stranded)
}
