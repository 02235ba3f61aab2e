package limiter_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/limiter"
	"requisite/internal/testkit/await"
)

func take(t *testing.T, l *limiter.Limiter, tenant string) func() {
	t.Helper()
	release, err := l.Wait(t.Context(), tenant, 0)
	require.NoError(t, err)
	return release
}

func TestWait_RefusesTenantAtItsLimit(t *testing.T) {
	t.Parallel()
	l := limiter.New("test", 3, 2)
	first := take(t, l, "a")
	take(t, l, "a")
	_, err := l.Wait(t.Context(), "a", 0)
	require.ErrorIs(t, err, limiter.ErrBusy)
	take(t, l, "b")
	_, err = l.Wait(t.Context(), "c", 0)
	require.ErrorIs(t, err, limiter.ErrBusy, "all are taken")
	first()
	first() // a second call releases nothing
	take(t, l, "c")
	_, err = l.Wait(t.Context(), "d", 0)
	require.ErrorIs(t, err, limiter.ErrBusy)
	require.Equal(t, limiter.Stat{Name: "test", InUse: 3, Total: 3, Refused: 3}, l.Stat())
}

// waits starts a wait and returns when it is in the queue.
func waits(t *testing.T, ctx context.Context, l *limiter.Limiter, tenant string, patience time.Duration) <-chan error {
	t.Helper()
	before, done := l.Stat().Waiting, make(chan error, 1)
	go func() {
		_, err := l.Wait(ctx, tenant, patience)
		done <- err
	}()
	await.True(t, "the wait to begin", func(context.Context) error {
		if l.Stat().Waiting == before {
			return errors.New("it is not in the queue")
		}
		return nil
	})
	return done
}

// Two tenants hold all slots and have many waiters. A third tenant waits for one turn
// only.
func TestWait_GrantsInTurnOverTenants(t *testing.T) {
	t.Parallel()
	l := limiter.New("test", 2, 1)
	a, b := take(t, l, "a"), take(t, l, "b")
	for range 5 {
		waits(t, t.Context(), l, "a", limiter.Forever)
		waits(t, t.Context(), l, "b", limiter.Forever)
	}
	victim := waits(t, t.Context(), l, "c", limiter.Forever)
	a()
	require.NoError(t, <-victim, "before those of a that have waited for longer")
	b()
	require.Equal(t, 2, l.Stat().InUse)
}

// Otherwise two tenants could starve a third by taking turns.
func TestWait_ReturningTenantOvertakesNobody(t *testing.T) {
	t.Parallel()
	l := limiter.New("test", 1, 0)
	first := take(t, l, "first")
	patient := waits(t, t.Context(), l, "patient", limiter.Forever)
	again := waits(t, t.Context(), l, "patient", limiter.Forever)
	hog := waits(t, t.Context(), l, "hog", limiter.Forever)
	for _, granted := range []<-chan error{patient, hog} {
		first()
		require.NoError(t, <-granted)
		tenant := map[<-chan error]string{patient: "patient", hog: "hog"}[granted]
		first = func() { l.Release(tenant, 1) }
	}
	hog = waits(t, t.Context(), l, "another hog", limiter.Forever)
	first()
	require.NoError(t, <-again)
	l.Release("patient", 1)
	require.NoError(t, <-hog)
}

func TestWait_SkipsTenantAtItsLimit(t *testing.T) {
	t.Parallel()
	l := limiter.New("test", 2, 1)
	a, b := take(t, l, "a"), take(t, l, "b")
	again := waits(t, t.Context(), l, "a", limiter.Forever)
	other := waits(t, t.Context(), l, "c", limiter.Forever)
	b()
	require.NoError(t, <-other, "a's second comes first, but a has its share")
	a()
	require.NoError(t, <-again)
}

func TestWait_EndsWithContextOrPatience(t *testing.T) {
	t.Parallel()
	l := limiter.New("test", 1, 1)
	release := take(t, l, "a")
	ctx, cancel := context.WithCancel(t.Context())
	gone := waits(t, ctx, l, "a", limiter.Forever)
	cancel()
	require.ErrorIs(t, <-gone, context.Canceled)
	_, err := l.Wait(t.Context(), "b", time.Millisecond)
	require.ErrorIs(t, err, limiter.ErrBusy)
	require.Zero(t, l.Stat().Waiting, "who has gone does not wait any more")
	release()
	take(t, l, "a")
}

// The metric of refusals counts each of these once, however the wait was limited in time.
func TestWait_CountsRefusals(t *testing.T) {
	t.Parallel()
	late := func(cause error) func(*testing.T) (context.Context, context.CancelFunc) {
		return func(t *testing.T) (context.Context, context.CancelFunc) {
			return context.WithTimeoutCause(t.Context(), time.Millisecond, cause)
		}
	}
	canceled := errors.New("the caller has gone")
	for name, x := range map[string]struct {
		within   func(*testing.T) (context.Context, context.CancelFunc)
		patience time.Duration
		want     error
		refused  uint64
	}{
		"no patience":            {func(t *testing.T) (context.Context, context.CancelFunc) { return t.Context(), func() {} }, 0, limiter.ErrBusy, 1},
		"the end of patience":    {func(t *testing.T) (context.Context, context.CancelFunc) { return t.Context(), func() {} }, time.Millisecond, limiter.ErrBusy, 1},
		"a deadline as patience": {late(limiter.ErrBusy), limiter.Forever, limiter.ErrBusy, 1},
		"the caller's deadline":  {late(nil), limiter.Forever, context.DeadlineExceeded, 1},
		"a caller that has gone": {func(t *testing.T) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Millisecond, func() { cancel(canceled) })
			return ctx, func() { cancel(nil) }
		}, limiter.Forever, canceled, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // no time passes before the wait begins
				l := limiter.New("test", 1, 1)
				take(t, l, "a")
				ctx, cancel := x.within(t)
				defer cancel()
				_, err := l.Wait(ctx, "a", x.patience)
				require.ErrorIs(t, err, x.want)
				if busy := (*limiter.Busy)(nil); errors.Is(x.want, limiter.ErrBusy) {
					require.ErrorAs(t, err, &busy, "it names the limit")
				}
				require.Equal(t, x.refused, l.Stat().Refused)
			})
		})
	}
}

func TestWait_LimitsTheQueueOfATenant(t *testing.T) {
	t.Parallel()
	l := limiter.New("test", 0, 1)
	take(t, l, "a")
	ctx, cancel := context.WithCancel(t.Context())
	var waiting []<-chan error
	for range 10 {
		waiting = append(waiting, waits(t, ctx, l, "a", time.Hour))
	}
	_, err := l.Wait(ctx, "a", time.Hour)
	require.ErrorIs(t, err, limiter.ErrBusy)
	take(t, l, "b")
	cancel()
	for _, w := range waiting {
		require.ErrorIs(t, <-w, context.Canceled)
	}
}

func TestWait_LosesNoSlotToCanceledWaits(t *testing.T) {
	t.Parallel()
	l := limiter.New("test", 3, 2)
	var group sync.WaitGroup
	var held atomic.Int64
	for i := range 200 {
		group.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			if i%2 == 0 {
				group.Go(cancel) // before, while or after it waits
			} else {
				defer cancel()
			}
			release, err := l.Wait(ctx, string(rune('a'+i%5)), limiter.Forever)
			if err != nil {
				return
			}
			if held.Add(1) > 3 {
				t.Error("more slots are held than there are")
			}
			runtime.Gosched() // so that others wait
			held.Add(-1)
			release()
		})
	}
	group.Wait()
	require.Equal(t, limiter.Stat{Name: "test", Total: 3}, l.Stat())
}

func TestNilLimiter_LimitsNothing(t *testing.T) {
	t.Parallel()
	release, err := (*limiter.Limiter)(nil).Wait(t.Context(), "a", 0)
	require.NoError(t, err)
	release()
}

func TestTake_GrantsFreeSlots(t *testing.T) {
	t.Parallel()
	l := limiter.New("test", 10, 6)
	require.Equal(t, 6, l.Take("a", 8))
	require.Equal(t, []string{"a"}, l.AtLimit())
	require.Zero(t, l.Free("a"))
	require.Equal(t, 4, l.Free("b"))
	require.False(t, l.TakeAll("b", 5))
	require.Equal(t, 4, l.Unused())
	require.Zero(t, l.Take("b", 0))
	require.True(t, l.TakeAll("b", 4))
	require.Zero(t, l.Take("c", 1))
	require.Empty(t, limiter.New("test", 1, 0).AtLimit())
	waiting := waits(t, t.Context(), l, "c", limiter.Forever)
	l.Release("a", 6)
	require.NoError(t, <-waiting)
	require.Empty(t, l.AtLimit())
	require.Equal(t, limiter.Stat{Name: "test", InUse: 5, Total: 10, Refused: 3}, l.Stat())
}

func TestYield_LendsTheSlotToOtherTenants(t *testing.T) {
	t.Parallel()
	l := limiter.New("test", 1, 0)
	release := take(t, l, "a")
	l.Yield("a") // nobody waits
	again := waits(t, t.Context(), l, "a", limiter.Forever)
	l.Yield("a") // only its own work waits
	other := waits(t, t.Context(), l, "b", limiter.Forever)
	back := make(chan struct{})
	go func() {
		l.Yield("a")
		close(back)
	}()
	require.NoError(t, <-other)
	require.Equal(t, limiter.Stat{Name: "test", InUse: 1, Waiting: 2, Total: 1}, l.Stat())
	l.Release("b", 1)
	<-back
	release()
	require.NoError(t, <-again)
}
