package engine

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/id"
	"requisite/internal/rules/requirement"
)

func TestPrograms_CacheIsLimitedInBytes(t *testing.T) {
	t.Parallel()
	p := newPrograms(nil, 100, nil)
	made := 0
	get := func(u id.UUID, bytes int64) {
		t.Helper()
		_, err := ready(t.Context(), p, id.UUID{}, u, func(context.Context) (int, int64, []requirement.Problem, error) { made++; return made, bytes, nil, nil })
		require.NoError(t, err)
		require.LessOrEqual(t, p.bytes(), int64(100))
	}
	a, b, c, large := id.New(), id.New(), id.New(), id.New()
	get(a, 40)
	get(b, 40)
	get(a, 40)
	require.Equal(t, 2, made, "it is made once")
	get(c, 40)
	require.EqualValues(t, 80, p.bytes())
	get(a, 40)
	require.Equal(t, 3, made, "what was not used for longest went")
	get(large, 101)
	get(a, 40)
	require.Equal(t, 4, made, "what is larger than the cache takes nobody's room")
	get(b, 90)
	require.EqualValues(t, 90, p.bytes(), "room is made for as much as it takes")
}

// One organization's large rule sets do not evict another's.
func TestPrograms_EvictFromTheOrganizationThatUsesTheMost(t *testing.T) {
	t.Parallel()
	p := newPrograms(nil, 100, nil)
	made := map[id.UUID]int{}
	get := func(organization, u id.UUID, bytes int64) {
		_, err := ready(t.Context(), p, organization, u, func(context.Context) (int, int64, []requirement.Problem, error) { made[u]++; return 1, bytes, nil, nil })
		require.NoError(t, err)
		require.LessOrEqual(t, p.bytes(), int64(100))
	}
	hog, victim, own := id.New(), id.New(), id.New()
	get(victim, own, 10)
	for range 3 {
		for i := range 7 {
			get(hog, id.UUID{byte(i), 1}, 40)
		}
	}
	get(victim, own, 10)
	require.Equal(t, 1, made[own])
	require.EqualValues(t, 90, p.bytes())
	require.Len(t, p.caches, 2)
}

func TestPrograms_ConcurrentCallersShareACompilation(t *testing.T) {
	t.Parallel()
	p := newPrograms(nil, 100, nil)
	u, made, release := id.New(), atomic.Int64{}, make(chan struct{})
	compile := func(ctx context.Context) (int, int64, []requirement.Problem, error) {
		<-release
		return int(made.Add(1)), 1, nil, ctx.Err()
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := ready(gone, p, id.UUID{}, u, compile)
	require.ErrorIs(t, err, context.Canceled, "who does not wait any more has no answer")
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if _, err := ready(context.Background(), p, id.UUID{}, u, compile); err != nil {
				t.Error(err)
			}
		})
	}
	close(release)
	group.Wait()
	require.EqualValues(t, 1, made.Load())

	failed := errors.New("the database is away")
	_, err = ready(t.Context(), p, id.UUID{}, id.New(), func(context.Context) (int, int64, []requirement.Problem, error) { return 0, 0, nil, failed })
	require.ErrorIs(t, err, failed)
}

// No caller could recover from it, because it compiles in another goroutine.
func TestPrograms_PanicOfACompilationIsAnError(t *testing.T) {
	t.Parallel()
	_, err := ready(t.Context(), newPrograms(nil, 100, nil), id.UUID{}, id.New(), func(context.Context) (int, int64, []requirement.Problem, error) { panic("the rules are broken") })
	require.ErrorContains(t, err, "the rules are broken")
}
