package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/refusal"
)

func TestRateLimit(t *testing.T) {
	none, err := newRateLimit(0)
	require.NoError(t, err)
	require.NoError(t, none.take("sb_1", time.Now()))

	l, err := newRateLimit(5)
	require.NoError(t, err)
	now := time.Now()
	for i := range 10 {
		require.NoError(t, l.take("sb_1", now), "a burst of two seconds' worth, %d", i)
	}
	var refused *refusal.Refusal
	require.ErrorAs(t, l.take("sb_1", now), &refused)
	require.Equal(t, refusal.TooManyRequests, refused.Code)
	require.InDelta(t, 200, refused.RetryAfter.Milliseconds(), 1)
	require.NoError(t, l.take("sb_2", now), "another credential is not concerned")
	require.Error(t, l.take("sb_1", now.Add(100*time.Millisecond)), "a refused request takes nothing")
	require.NoError(t, l.take("sb_1", now.Add(200*time.Millisecond)))
	for i := range 2 * rateLimited {
		require.NoError(t, l.take(fmt.Sprint("sb_", i+10), now))
	}
	require.LessOrEqual(t, l.buckets.Len(), rateLimited, "memory is bounded")
}
