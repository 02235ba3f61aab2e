package share_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/await"
	"requisite/internal/share"
)

func take(t *testing.T, p *share.Places, tenant string) func() {
	t.Helper()
	release, err := p.Take(t.Context(), tenant, 0)
	require.NoError(t, err)
	return release
}

func TestATenantHoldsNoMoreThanItsShare(t *testing.T) {
	t.Parallel()
	p := share.New("test", 3, 2)
	first := take(t, p, "a")
	take(t, p, "a")
	_, err := p.Take(t.Context(), "a", 0)
	require.ErrorIs(t, err, share.ErrBusy)
	take(t, p, "b")
	_, err = p.Take(t.Context(), "c", 0)
	require.ErrorIs(t, err, share.ErrBusy, "all are taken")
	first()
	first() // a second time releases nothing
	take(t, p, "c")
	_, err = p.Take(t.Context(), "d", 0)
	require.ErrorIs(t, err, share.ErrBusy)
	require.Equal(t, share.Stat{Name: "test", InUse: 3, Total: 3, Refused: 3}, p.Stat())
}

// waits starts a wait and returns when it is in the queue.
func waits(t *testing.T, ctx context.Context, p *share.Places, tenant string, patience time.Duration) <-chan error {
	t.Helper()
	before, done := p.Stat().Waiting, make(chan error, 1)
	go func() {
		_, err := p.Take(ctx, tenant, patience)
		done <- err
	}()
	await.True(t, "the wait to begin", func(context.Context) error {
		if p.Stat().Waiting == before {
			return errors.New("it is not in the queue")
		}
		return nil
	})
	return done
}

// TestADeepQueueHoldsNobodyUp: two tenants hold every place and have many more
// waiting; a third waits for one turn.
func TestADeepQueueHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	p := share.New("test", 2, 1)
	a, b := take(t, p, "a"), take(t, p, "b")
	for range 5 {
		waits(t, t.Context(), p, "a", -1)
		waits(t, t.Context(), p, "b", -1)
	}
	victim := waits(t, t.Context(), p, "c", -1)
	a()
	require.NoError(t, <-victim, "before those of a that have waited for longer")
	b()
	require.Equal(t, 2, p.Stat().InUse)
}

func TestWhoeverWaitsForItsOwnShareHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	p := share.New("test", 2, 1)
	a, b := take(t, p, "a"), take(t, p, "b")
	again := waits(t, t.Context(), p, "a", -1)
	other := waits(t, t.Context(), p, "c", -1)
	b()
	require.NoError(t, <-other, "a's second comes first, but a has its share")
	a()
	require.NoError(t, <-again)
}

func TestAWaitEndsWithItsContextOrItsPatience(t *testing.T) {
	t.Parallel()
	p := share.New("test", 1, 1)
	release := take(t, p, "a")
	ctx, cancel := context.WithCancel(t.Context())
	gone := waits(t, ctx, p, "a", -1)
	cancel()
	require.ErrorIs(t, <-gone, context.Canceled)
	_, err := p.Take(t.Context(), "b", time.Millisecond)
	require.ErrorIs(t, err, share.ErrBusy)
	require.Zero(t, p.Stat().Waiting, "who has gone does not wait any more")
	release()
	take(t, p, "a")
}

func TestTheQueueOfATenantIsBounded(t *testing.T) {
	t.Parallel()
	p := share.New("test", 0, 1)
	take(t, p, "a")
	ctx, cancel := context.WithCancel(t.Context())
	var waiting []<-chan error
	for range 10 {
		waiting = append(waiting, waits(t, ctx, p, "a", time.Hour))
	}
	_, err := p.Take(ctx, "a", time.Hour)
	require.ErrorIs(t, err, share.ErrBusy)
	take(t, p, "b")
	cancel()
	for _, w := range waiting {
		require.ErrorIs(t, <-w, context.Canceled)
	}
}

func TestNoPlaceIsLost(t *testing.T) {
	t.Parallel()
	p := share.New("test", 3, 2)
	var group sync.WaitGroup
	var held atomic.Int64
	for i := range 200 {
		group.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%7)*100*time.Microsecond)
			defer cancel()
			release, err := p.Take(ctx, string(rune('a'+i%5)), -1)
			if err != nil {
				return
			}
			if held.Add(1) > 3 {
				t.Error("more hold places than there are")
			}
			held.Add(-1)
			release()
		})
	}
	group.Wait()
	require.Equal(t, share.Stat{Name: "test", Total: 3}, p.Stat())
}

func TestNoPlacesBoundNothing(t *testing.T) {
	t.Parallel()
	release, err := (*share.Places)(nil).Take(t.Context(), "a", 0)
	require.NoError(t, err)
	release()
}
