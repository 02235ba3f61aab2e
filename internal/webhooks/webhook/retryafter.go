package webhook

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"requisite/internal/webhooks/delivery"
)

// AnswerLimit is how many bytes of an answer are read and kept.
const AnswerLimit = 4 << 10

// RetryAfter reads how long an answer asks to wait: seconds or a date, on 429
// and 503 only, at most delivery.MaxRetryAfter; zero when it asks for nothing.
func RetryAfter(status int, header string, now time.Time) time.Duration {
	if status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
		return 0
	}
	var wait time.Duration
	if seconds, err := strconv.ParseUint(header, 10, 31); err == nil || errors.Is(err, strconv.ErrRange) {
		wait = time.Duration(seconds) * time.Second // on overflow, the maximum of 31 bits
	} else if at, err := http.ParseTime(header); err == nil {
		wait = at.Sub(now)
	}
	return max(0, min(wait, delivery.MaxRetryAfter))
}
