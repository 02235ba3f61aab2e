package store

import (
	"testing"
	"time"

	"requisite/internal/id"

	"github.com/stretchr/testify/require"
)

// A process records no more than it has taken, and nothing of yesterday's.
func TestPortions_AreUsedUp(t *testing.T) {
	var p portions
	one, other := id.New(), id.New()
	midnight := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	before := midnight.Add(-time.Second)
	require.False(t, p.use(one, 1, before), "nothing was taken")

	p.add(one, 10, midnight)
	require.False(t, p.use(one, 11, before))
	require.True(t, p.use(one, 6, before))
	require.False(t, p.use(one, 5, before), "4 are left")
	require.True(t, p.use(one, 4, before))
	require.False(t, p.use(one, 1, before))
	require.False(t, p.use(other, 1, before), "each organization has its own")

	p.add(one, 3, midnight)
	p.add(one, 4, midnight.Add(time.Millisecond))
	require.True(t, p.use(one, 7, before), "portions of a day add up")

	p.add(one, 5, midnight)
	require.False(t, p.use(one, 1, midnight), "the day has ended")
	p.add(one, 2, midnight.Add(24*time.Hour))
	require.False(t, p.use(one, 3, midnight), "what was left of the day before is lost")
	p.add(one, 9, midnight)
	require.True(t, p.use(one, 2, midnight), "yesterday's come too late")
	require.False(t, p.use(one, 1, midnight))
}
