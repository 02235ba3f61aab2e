package limits

import (
	"net/http"
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

func TestRateLimit_DescribesWhatIsLeft(t *testing.T) {
	describe := func(l *RateLimit, apiKey string, now time.Time) []string {
		h := http.Header{}
		l.Describe(h, apiKey, now)
		return []string{h.Get("RateLimit-Policy"), h.Get("RateLimit")}
	}
	now := time.Now()
	require.Equal(t, []string{"", ""}, describe(NewRateLimit(0), "sb_1", now), "there is no limit")

	l := NewRateLimit(2.5)
	const policy = `"requests_per_second";q=5;w=2`
	require.Equal(t, []string{policy, `"requests_per_second";r=5;t=0`}, describe(l, "sb_1", now))
	for range 5 {
		require.NoError(t, took(l, "sb_1", now))
	}
	require.Equal(t, []string{policy, `"requests_per_second";r=0;t=2`}, describe(l, "sb_1", now))
	require.Error(t, took(l, "sb_1", now))
	require.Equal(t, []string{policy, `"requests_per_second";r=0;t=2`}, describe(l, "sb_1", now), "a refused request does not count")
	require.Equal(t, []string{policy, `"requests_per_second";r=2;t=1`}, describe(l, "sb_1", now.Add(time.Second)))
	require.Equal(t, []string{policy, `"requests_per_second";r=5;t=0`}, describe(l, "sb_2", now), "another credential has its own rate")

	require.Equal(t, []string{`"requests_per_second";q=1;w=4`, `"requests_per_second";r=1;t=0`}, describe(NewRateLimit(0.25), "sb_1", now))
}
