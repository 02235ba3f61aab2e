package faults

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSchedule_DependsOnlyOnItsSeed(t *testing.T) {
	require.Equal(t, Schedule(7, 200, Kinds()), Schedule(7, 200, Kinds()))
	require.NotEqual(t, Schedule(7, 200, Kinds()), Schedule(8, 200, Kinds()))
	require.Equal(t, Schedule(7, 20, Kinds()), Schedule(7, 200, Kinds())[:20], "a longer schedule begins with the same faults")
}

func TestSchedule_ContainsEveryFault(t *testing.T) {
	type fault struct {
		kind Kind
		on   string
	}
	times := map[fault]int{}
	for _, s := range Schedule(1, 1000, Kinds()) {
		times[fault{s.Kind, s.On}]++
		if s.Beside != nil {
			times[fault{s.Beside.Kind, s.Beside.On}]++
			require.NotEqual(t, s.On, s.Beside.On)
			require.False(t, s.restarts() && s.Beside.restarts(), "%s", s)
		}
	}
	all := deck(Kinds())
	require.Len(t, times, len(all))
	for f, n := range times {
		require.GreaterOrEqual(t, n, 1000/len(all)*3/4, "%v", f)
	}
}
