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

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}

func TestSlots_SlowEndpointsUseAtMostThreeQuarters(t *testing.T) {
	t.Parallel()
	s := newSlots(Bounds{All: 40})
	require.Equal(t, 30, sum(s.share(ready("a", 9), 100, false)))
	require.Zero(t, s.take("b", 1, false))
	require.Equal(t, 10, sum(s.share(ready("a", 9), 100, true)))
	require.Zero(t, sum(s.share(ready("b", 1), 100, true)))
	s.release("a", 1, true)
	require.Zero(t, s.take("b", 1, false), "the slot of a quick one is not for those that may hang")
	require.Equal(t, 1, sum(s.share(ready("b", 1), 100, true)))
	s.release("a", 10, false)
	require.Equal(t, 10, s.take("b", 20, false))
	require.Equal(t, 40, s.all.Stat().InUse)
	require.Equal(t, 30, s.slow.Stat().InUse)
}

func TestSlots_OneOrganizationCannotUseAll(t *testing.T) {
	t.Parallel()
	s := newSlots(Bounds{All: 100, Each: 25})
	require.Equal(t, 25, sum(s.share(ready("a", 9), 100, false)))
	require.Equal(t, []string{"a"}, s.all.AtLimit())
	require.Zero(t, s.take("a", 1, false), "what the runs of its endpoints attempt counts too")
	require.Equal(t, []int{0, 0, 10}, s.share(append(ready("a", 2), ready("b", 1)...), 100, true), "and it counts whether or not they are quick")
	e := &Engine{slots: s}
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
