package store

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/testkit/await"
)

// TestNonces_ConcurrentUsesShareAWrite: however many callers share a key,
// they wait for the write that goes on, and for one more.
func TestNonces_ConcurrentUsesShareAWrite(t *testing.T) {
	t.Parallel()
	var n nonces
	began, goOn := make(chan int), make(chan struct{})
	write := func(_ string, g *nonceGroup) {
		began <- len(g.uses)
		<-goOn
	}
	first := n.join("key", "first", time.Now(), write)
	require.Equal(t, 1, <-began)
	var second *nonceGroup
	for i := range nonceGroupSize {
		g := n.join("key", fmt.Sprint(i), time.Now(), write)
		require.True(t, second == nil || g == second)
		second = g
	}
	third := n.join("key", "one too many for the group", time.Now(), write)
	require.NotSame(t, second, third)
	require.Nil(t, n.join("key", "7", time.Now(), write), "a nonce that waits is used")
	other := n.join("other", "7", time.Now(), write)
	require.Equal(t, 1, <-began, "another key does not wait")
	close(goOn)
	require.Equal(t, nonceGroupSize, <-began)
	require.Equal(t, 1, <-began)
	for _, g := range []*nonceGroup{first, second, third, other} {
		<-g.done
	}
	await.True(t, "unused keys to be forgotten", func(context.Context) error {
		n.mu.Lock()
		defer n.mu.Unlock()
		if len(n.waiting) > 0 {
			return fmt.Errorf("%d keys are still known", len(n.waiting))
		}
		return nil
	})
}
