package limiter

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"
)

// maxBuckets is how many token buckets a Buckets keeps in memory.
const maxBuckets = 10_000

// Buckets are the token buckets of this process, one for each key. Beyond maxBuckets it drops the one that was
// used longest ago; that key starts again with a full bucket. Use NewBuckets.
type Buckets struct {
	perSecond rate.Limit
	burst     int

	mu    sync.Mutex
	known *simplelru.LRU[string, *rate.Limiter]
}

// NewBuckets makes buckets that hold burst tokens, and are refilled with perSecond.
func NewBuckets(perSecond float64, burst int) *Buckets {
	known, _ := simplelru.NewLRU[string, *rate.Limiter](maxBuckets, nil) // fails for a size of 0
	return &Buckets{perSecond: rate.Limit(perSecond), burst: burst, known: known}
}

// Take takes n tokens from the bucket of a key. If the bucket has fewer, Take takes none, and returns how long it
// takes until there are n: rate.InfDuration if n exceeds the burst. giveBack puts the tokens back.
func (b *Buckets) Take(key string, n int, now time.Time) (giveBack func(), wait time.Duration) {
	taken := b.bucket(key).ReserveN(now, n)
	if wait = taken.DelayFrom(now); wait > 0 {
		taken.CancelAt(now)
		return nil, wait
	}
	return func() { taken.CancelAt(now) }, 0
}

// Left returns how many tokens the bucket of a key has.
func (b *Buckets) Left(key string, now time.Time) float64 { return b.bucket(key).TokensAt(now) }

func (b *Buckets) bucket(key string) *rate.Limiter {
	b.mu.Lock()
	defer b.mu.Unlock()
	bucket, known := b.known.Get(key)
	if !known {
		bucket = rate.NewLimiter(b.perSecond, b.burst)
		b.known.Add(key, bucket)
	}
	return bucket
}
