package delivery

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func someLimits(t *rapid.T, now time.Time) Limits {
	l := Limits{Concurrency: rapid.IntRange(0, MaxConcurrency).Draw(t, "concurrency"), PerSecond: rapid.SampledFrom([]int{0, 1, 2, 10, 11, 999, MaxPerSecond}).Draw(t, "rate")}
	if rapid.Bool().Draw(t, "used") {
		l.OpensAt = now.Add(time.Duration(rapid.IntRange(-3000, 1000).Draw(t, "opens")) * time.Millisecond)
	}
	return l
}

func TestLimits_Room(t *testing.T) {
	for _, c := range []struct {
		name     string
		l        Limits
		inFlight int
		want     int
	}{
		{"no limits", Limits{}, 3, MaxInFlight - 3},
		{"no limits, and more in flight than may be", Limits{}, MaxInFlight + 3, 0},
		{"concurrency", Limits{Concurrency: 4}, 3, 1},
		{"concurrency, lowered meanwhile", Limits{Concurrency: 4}, 7, 0},
		{"one a second", Limits{PerSecond: 1}, 0, 1},
		{"a tenth of a high rate at once", Limits{PerSecond: 45}, 0, 5},
		{"no more than there are slots", Limits{PerSecond: 1000}, 2, MaxInFlight - 2},
		{"it opens later", Limits{PerSecond: 1000, OpensAt: start.Add(1)}, 0, 0},
		{"it opens now", Limits{PerSecond: 45, OpensAt: start}, 0, 1},
		{"it opened before", Limits{PerSecond: 45, OpensAt: start.Add(-50 * time.Millisecond)}, 0, 3},
		{"the clock was set back", Limits{PerSecond: 45, OpensAt: start.Add(time.Hour)}, 0, 5},
		{"a rate that is no more", Limits{OpensAt: start.Add(time.Second)}, 0, MaxInFlight},
	} {
		require.Equal(t, c.want, c.l.Room(c.inFlight, start), c.name)
	}
	require.Equal(t, start.Add(time.Second+time.Microsecond), Limits{PerSecond: 1}.Begun(1, start).Opens(start))
	require.Equal(t, Limits{PerSecond: 1}, Limits{PerSecond: 1}.Begun(0, start))
}

// With enough to do, attempts use at least eight tenths of the rate.
func TestLimits_NeverExceedTheRateInAnySecond(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := Limits{PerSecond: rapid.IntRange(1, MaxPerSecond).Draw(t, "rate")}
		eager := rapid.Bool().Draw(t, "always at once")
		var begun []time.Time
		now := start
		for now.Before(start.Add(3 * time.Second)) {
			n := l.Room(0, now)
			if !eager {
				n = rapid.IntRange(0, n).Draw(t, "n")
			}
			for range n {
				begun = append(begun, now)
			}
			l = l.Begun(n, now)
			if now = l.Opens(now.Add(time.Millisecond)); !eager {
				now = now.Add(time.Duration(rapid.IntRange(0, 300).Draw(t, "pause")) * time.Millisecond)
			}
		}
		first := 0
		for i, at := range begun {
			for !begun[first].After(at.Add(-time.Second)) {
				first++
			}
			require.LessOrEqual(t, i-first+1, l.PerSecond)
		}
		if eager {
			require.GreaterOrEqual(t, len(begun), 3*l.PerSecond*8/10)
		}
	})
}
