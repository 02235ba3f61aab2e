package postgres

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/id"
)

func TestFullEndpoints_AreLeftOutUntilASlotBecomesFree(t *testing.T) {
	t.Parallel()
	var f fullEndpoints
	now := time.Now()
	e, other := id.New(), id.New()
	look := f.look(now)
	require.Empty(t, look.full)
	look.learn(e, fullFor)
	look.end()
	require.Equal(t, 1, len(f.look(now.Add(fullFor-1)).full))
	require.Empty(t, f.look(now.Add(fullFor)).full, "another process may have made it free")
	f.look(now).learn(e, fullFor)
	f.freed([]Attempt{{EndpointID: other}})
	require.Len(t, f.look(now).full, 1)
	f.freed([]Attempt{{EndpointID: e}})
	require.Empty(t, f.look(now).full)
}

// What the look has read may be older than the free slot.
func TestFullEndpoints_SlotThatBecomesFreeDuringALook(t *testing.T) {
	t.Parallel()
	var f fullEndpoints
	now := time.Now()
	e, other := id.New(), id.New()
	first, second := f.look(now), f.look(now)
	f.freed([]Attempt{{EndpointID: e}})
	for _, look := range []*fullLook{first, second} {
		look.learn(e, fullFor)
		look.learn(other, fullFor)
		look.end()
	}
	require.Empty(t, f.looks)
	look := f.look(now)
	require.Len(t, look.full, 1)
	require.Contains(t, look.full, other)
	look.learn(e, fullFor)
	require.Len(t, f.look(now).full, 2, "a later look has seen what became of it")
}
