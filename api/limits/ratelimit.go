package limits

import (
	"fmt"
	"math"
	"net/http"
	"time"

	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
)

// RateLimit limits the requests per second of each credential, in this process.
// A nil RateLimit allows everything.
type RateLimit struct {
	perSecond float64
	burst     int
	buckets   *limiter.Buckets
}

// NewRateLimit is nil for 0 requests per second.
func NewRateLimit(perSecond float64) *RateLimit {
	if perSecond == 0 {
		return nil
	}
	burst := int(math.Ceil(perSecond * 2))
	return &RateLimit{perSecond: perSecond, burst: burst, buckets: limiter.NewBuckets(perSecond, burst)}
}

// Size returns the requests per second and how many may come at once; false without a limit.
func (l *RateLimit) Size() (perSecond float64, burst int, limited bool) {
	if l == nil {
		return 0, 0, false
	}
	return l.perSecond, l.burst, true
}

// Take counts a request, or refuses it with the time to wait. giveBack undoes the count.
func (l *RateLimit) Take(apiKey string, now time.Time) (giveBack func(), err error) {
	if l == nil {
		return func() {}, nil
	}
	giveBack, wait := l.buckets.Take(apiKey, 1, now)
	if wait > 0 {
		return nil, l.tooSoon(wait)
	}
	return giveBack, nil
}

// Describe writes the rate, and what is left of it, to the header of an answer: q requests in w seconds; r are left, and
// all of them again in t seconds.
func (l *RateLimit) Describe(h http.Header, apiKey string, now time.Time) {
	if l == nil {
		return
	}
	left := max(l.buckets.Left(apiKey, now), 0)
	seconds := func(requests float64) int { return int(math.Ceil(requests / l.perSecond)) }
	h.Set(wire.HeaderRateLimitPolicy, fmt.Sprintf(`"%s";q=%d;w=%d`, refusal.LimitRequestsPerSecond, l.burst, seconds(float64(l.burst))))
	h.Set(wire.HeaderRateLimit, fmt.Sprintf(`"%s";r=%d;t=%d`, refusal.LimitRequestsPerSecond, int(left), seconds(float64(l.burst)-left)))
}

func (l *RateLimit) tooSoon(wait time.Duration) error {
	met := refusal.Limit{Limit: l.perSecond, Scope: refusal.ScopeCredential, Of: refusal.LimitRequestsPerSecond}
	return refusal.TooMany(met, wait, "This credential sends more than %g requests a second; try again shortly.", met.Limit)
}
