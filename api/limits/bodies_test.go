package limits

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/id"
	"requisite/internal/limiter"
)

// TestUnverifiedBodies_LeaveRoomForVerifiedOnes, and verified ones for unverified ones.
func TestUnverifiedBodies_LeaveRoomForVerifiedOnes(t *testing.T) {
	t.Parallel()
	b := newBodies(64<<20, 25)
	organizations := []id.UUID{id.New(), id.New()}
	var rooms []*BodyRoom
	for _, organization := range organizations {
		for range 8 {
			room := b.Room()
			require.True(t, room.Take(1<<20))
			require.NoError(t, room.Verified(organization))
			rooms = append(rooms, &room)
		}
		room := b.Room()
		require.True(t, room.Take(1<<20))
		require.ErrorIs(t, room.Verified(organization), limiter.ErrBusy, "it has a quarter of the half for verified bodies")
		room.Release()
	}
	stranger := b.Room()
	require.True(t, stranger.Take(32<<20))
	require.False(t, stranger.Take(1))
	require.EqualValues(t, 1, b.Unverified.Stat().Refused)
	require.EqualValues(t, len(organizations), b.Verified.Stat().Refused)
	for _, room := range append(rooms, &stranger) {
		room.Release()
	}
	require.Zero(t, b.Unverified.Stat().InUse+b.Verified.Stat().InUse)
}
