package limiter

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"
)

// MaxBuckets is how many token buckets a Buckets keeps in memory.
const MaxBuckets = 10_000

// Buckets are token buckets, one for each key, in this process. Beyond MaxBuckets the one that was used
// longest ago is dropped; its key starts again with a full one. The zero value is not usable.
type Buckets struct {
	perSecond rate.Limit
	burst     int

	mu    sync.Mutex
	known *simplelru.LRU[string, *rate.Limiter]
}

// NewBuckets makes buckets that hold burst tokens, and are refilled with perSecond.
func NewBuckets(perSecond float64, burst int) *Buckets {
	known, _ := simplelru.NewLRU[string, *rate.Limiter](MaxBuckets, nil) // fails for a size of 0
	return &Buckets{perSecond: rate.Limit(perSecond), burst: burst, known: known}
}

// Take takes n tokens of a key's bucket. Where it holds fewer it takes none, and returns how long until it
// holds n; rate.InfDuration where n is more than the burst. giveBack returns what was taken.
func (b *Buckets) Take(key string, n int, now time.Time) (giveBack func(), wait time.Duration) {
	taken := b.bucket(key).ReserveN(now, n)
	if wait = taken.DelayFrom(now); wait > 0 {
		taken.CancelAt(now)
		return nil, wait
	}
	return func() { taken.CancelAt(now) }, 0
}

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
