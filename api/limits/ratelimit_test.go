package limits

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/requests/refusal"
)

func took(l *RateLimit, apiKey string, now time.Time) error {
	_, err := l.Take(apiKey, now)
	return err
}

func TestRateLimit_AllowsABurstOfTwoSeconds(t *testing.T) {
	require.NoError(t, took(NewRateLimit(0), "sb_1", time.Now()))

	l := NewRateLimit(5)
	now := time.Now()
	for i := range 10 {
		require.NoError(t, took(l, "sb_1", now), "a burst of two seconds' worth, %d", i)
	}
	var refused *refusal.Refusal
	require.ErrorAs(t, took(l, "sb_1", now), &refused)
	require.Equal(t, refusal.TooManyRequests, refused.Code)
	require.InDelta(t, 200, refused.RetryAfter.Milliseconds(), 1)
	require.NoError(t, took(l, "sb_2", now), "another credential has its own rate")
	require.Error(t, took(l, "sb_1", now.Add(100*time.Millisecond)), "a refused request does not count")
	require.NoError(t, took(l, "sb_1", now.Add(200*time.Millisecond)))
	later := now.Add(400 * time.Millisecond)
	giveBack, err := l.Take("sb_1", later)
	require.NoError(t, err)
	require.Error(t, took(l, "sb_1", later))
	giveBack()
	require.NoError(t, took(l, "sb_1", later), "a request that was given back does not count")
}
