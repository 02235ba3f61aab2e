package delivery

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestDelay_ScheduleTakesThreeAndAHalfDays(t *testing.T) {
	var total time.Duration
	for n := 1; n < MaxAttempts; n++ {
		total += Delay(n, 0.5)
	}
	require.InDelta(t, 3.5*24, total.Hours(), 2)
	for n, want := range map[int]time.Duration{-1: 5 * time.Second, 0: 5 * time.Second, 1: 5 * time.Second, 2: 10 * time.Second, 10: 2560 * time.Second, 11: time.Hour, 95: time.Hour, 1000: time.Hour} {
		require.Equal(t, want, Delay(n, 0.5), n)
	}
	rapid.Check(t, func(t *rapid.T) {
		n, random := rapid.IntRange(1, 200).Draw(t, "n"), rapid.Float64Range(0, 0.999999).Draw(t, "random")
		middle := Delay(n, 0.5).Seconds()
		require.InDelta(t, middle, Delay(n, random).Seconds(), middle*0.2+0.001)
	})
}

func TestClassify(t *testing.T) {
	for status, want := range map[int]Verdict{
		200: Success, 201: Success, 204: Success, 299: Success,
		100: Failure, 300: Failure, 302: Failure, 308: Failure, 400: Failure, 401: Failure, 404: Failure, 429: Failure, 500: Failure, 503: Failure,
		410: Gone,
	} {
		require.Equal(t, want, Classify(status), status)
	}
}
