package sending

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/webhooks/delivery"
)

// ready are so many endpoints of an organization, with an account each.
func ready(organization string, n int) (list []delivery.Ready) {
	for i := range n {
		list = append(list, delivery.Ready{Account: organization + string(rune('a'+i)), Organization: organization, Room: delivery.MaxInFlight})
	}
	return list
}

func TestSlots_SlowEndpointsUseAtMostThreeQuarters(t *testing.T) {
	t.Parallel()
	s := newSlots(Bounds{All: 40})
	require.Equal(t, 30, total(s.share(ready("a", 9), 100, false)))
	require.Zero(t, s.take("b", 1, false))
	require.Equal(t, 10, total(s.share(ready("a", 9), 100, true)))
	require.Zero(t, total(s.share(ready("b", 1), 100, true)))
	s.release("a", 1, true)
	require.Zero(t, s.take("b", 1, false), "the slot of a quick one is not for those that may hang")
	require.Equal(t, 1, total(s.share(ready("b", 1), 100, true)))
	s.release("a", 10, false)
	require.Equal(t, 10, s.take("b", 20, false))
	require.Equal(t, 40, s.all.Stat().InUse)
	require.Equal(t, 30, s.slow.Stat().InUse)
}

func TestSlots_OneOrganizationCannotUseAll(t *testing.T) {
	t.Parallel()
	s := newSlots(Bounds{All: 100, Each: 25})
	require.Equal(t, 25, total(s.share(ready("a", 9), 100, false)))
	require.Equal(t, []string{"a"}, s.all.AtLimit())
	require.Zero(t, s.take("a", 1, false), "what the runs of its endpoints attempt counts too")
	require.Equal(t, []int{0, 0, 10}, s.share(append(ready("a", 2), ready("b", 1)...), 100, true), "and it counts whether or not they are quick")
	e := &Deliverer{slots: s}
	require.False(t, e.release(map[string]int{"b": 10}, true))
	require.True(t, e.release(map[string]int{"a": 5}, false), "more of it may be due")
	require.Empty(t, s.all.AtLimit())
	require.Equal(t, 5, s.take("a", 10, false))
	s.release("a", 25, false)
	require.Zero(t, s.all.Stat().InUse)
	require.Zero(t, s.slow.Stat().InUse)
}

func TestSlots_FewAreSharedAmongOrganizations(t *testing.T) {
	t.Parallel()
	s := newSlots(Bounds{All: 40, Each: 20})
	require.Equal(t, 20, s.take("c", 20, true))
	require.Equal(t, 10, s.take("d", 10, true))
	require.Equal(t, []int{5, 5}, s.share(append(ready("a", 1), ready("b", 1)...), 100, true))
}

// Deliveries that wait for a slot are counted at the limiter that they wait for.
func TestSlots_CountAttemptsThatWait(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		bounds    Bounds
		quick     bool
		all, slow uint64
	}{
		"none wait":                   {Bounds{All: 40}, false, 0, 0},
		"slow ones wait":              {Bounds{All: 16}, false, 0, 1},
		"all slots are taken":         {Bounds{All: 16}, true, 1, 0},
		"the organization has enough": {Bounds{All: 40, Each: 10}, false, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSlots(x.bounds)
			s.share(ready("a", 2), 100, x.quick)
			require.Equal(t, x.all, s.all.Stat().Refused)
			require.Equal(t, x.slow, s.slow.Stat().Refused)
		})
	}
}
