package limits

import (
	"math"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"requisite/internal/requests/refusal"
)

// RateLimit limits the requests per second of each credential, in this process.
// A nil RateLimit allows everything.
type RateLimit struct {
	perSecond rate.Limit
	burst     int
	buckets   *lru.Cache[string, *rate.Limiter]
}

// rateLimited is how many buckets are kept in memory. A credential whose bucket was
// evicted starts again with a full one.
const rateLimited = 10_000

func NewRateLimit(perSecond float64) (*RateLimit, error) {
	if perSecond == 0 {
		return nil, nil
	}
	buckets, err := lru.New[string, *rate.Limiter](rateLimited)
	if err != nil {
		return nil, err
	}
	return &RateLimit{perSecond: rate.Limit(perSecond), burst: int(math.Ceil(perSecond * 2)), buckets: buckets}, nil
}

// Size returns the requests per second and how many may come at once; false without a limit.
func (l *RateLimit) Size() (perSecond float64, burst int, limited bool) {
	if l == nil {
		return 0, 0, false
	}
	return float64(l.perSecond), l.burst, true
}

// Take counts a request, or refuses it with the time to wait. giveBack undoes the count.
func (l *RateLimit) Take(apiKey string, now time.Time) (giveBack func(), err error) {
	if l == nil {
		return func() {}, nil
	}
	bucket, known := l.buckets.Get(apiKey)
	if !known {
		bucket = rate.NewLimiter(l.perSecond, l.burst)
		if other, quicker, _ := l.buckets.PeekOrAdd(apiKey, bucket); quicker {
			bucket = other
		}
	}
	reserved := bucket.ReserveN(now, 1)
	if wait := reserved.DelayFrom(now); wait > 0 {
		reserved.CancelAt(now)
		return nil, l.tooSoon(wait)
	}
	return func() { reserved.CancelAt(now) }, nil
}

func (l *RateLimit) tooSoon(wait time.Duration) error {
	met := refusal.Limit{Limit: float64(l.perSecond), Scope: refusal.ScopeCredential, Of: refusal.LimitRequestsPerSecond}
	return refusal.TooMany(met, wait, "This credential sends more than %g requests a second; try again shortly.", met.Limit)
}
