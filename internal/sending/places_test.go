package sending

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/delivery"
	"requisite/internal/share"
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

// However many endpoints hang, there is room for those that last answered quickly.
func TestEndpointsThatHangLeaveRoom(t *testing.T) {
	t.Parallel()
	p := newPlaces(Bounds{All: 40})
	require.Equal(t, 30, sum(p.share(ready("a", 9), 100, false)))
	require.Zero(t, p.take("b", 1))
	require.Equal(t, 10, sum(p.share(ready("a", 9), 100, true)))
	require.Zero(t, sum(p.share(ready("b", 1), 100, true)))
	p.give("a", 1, true)
	require.Zero(t, p.take("b", 1), "a quick one's place is not for those that may hang")
	require.Equal(t, 1, sum(p.share(ready("b", 1), 100, true)))
	p.give("a", 10, false)
	require.Equal(t, 10, p.take("b", 20))
	require.Equal(t, share.Stat{Name: "webhook_attempts", InUse: 40, Total: 40}, p.Stat())
}

// However many endpoints of one organization are ready, others have room.
func TestOneOrganizationLeavesRoom(t *testing.T) {
	t.Parallel()
	p := newPlaces(Bounds{All: 100, Each: 25})
	require.Equal(t, 25, sum(p.share(ready("a", 9), 100, false)))
	require.Equal(t, []string{"a"}, p.full())
	require.Zero(t, p.take("a", 1), "what its endpoints' own runs attempt counts too")
	require.Equal(t, []int{0, 0, 10}, p.share(append(ready("a", 2), ready("b", 1)...), 100, true), "and it counts whether or not they are quick")
	require.False(t, p.give("b", 10, true))
	require.True(t, p.give("a", 5, false), "more of it may be due")
	require.Empty(t, p.full())
	require.Equal(t, 5, p.take("a", 10))
	p.give("a", 25, false)
	require.Equal(t, share.Stat{Name: "webhook_attempts", Total: 100}, p.Stat())
	require.Empty(t, p.by, "who has none is forgotten")
}
