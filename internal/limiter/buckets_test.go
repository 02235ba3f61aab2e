package limiter

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"
)

func TestBuckets_RefuseBeyondTheBurstUntilRefilled(t *testing.T) {
	now := time.Unix(1000, 0)
	b := NewBuckets(2, 4)
	_, wait := b.Take("a", 4, now)
	require.Zero(t, wait)
	_, wait = b.Take("a", 1, now)
	require.Equal(t, time.Second/2, wait)
	_, wait = b.Take("b", 1, now)
	require.Zero(t, wait, "each key has a bucket of its own")
	_, wait = b.Take("a", 1, now.Add(time.Second/2))
	require.Zero(t, wait)
	_, wait = b.Take("c", 5, now)
	require.Equal(t, rate.InfDuration, wait, "more than the burst never fits")
}

func TestBuckets_TakeWhatWasGivenBack(t *testing.T) {
	now := time.Unix(1000, 0)
	b := NewBuckets(1, 1)
	giveBack, _ := b.Take("a", 1, now)
	giveBack()
	_, wait := b.Take("a", 1, now)
	require.Zero(t, wait)
}

func TestBuckets_DropTheOneUsedLongestAgo(t *testing.T) {
	now := time.Unix(1000, 0)
	b := NewBuckets(1, 1)
	b.Take("first", 1, now)
	for i := range maxBuckets {
		b.Take(strconv.Itoa(i), 1, now)
	}
	require.Equal(t, maxBuckets, b.known.Len())
	_, wait := b.Take("first", 1, now)
	require.Zero(t, wait, "it starts again with a full bucket")
}
