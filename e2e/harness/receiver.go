package harness

import (
	"net/http"
	"sync/atomic"
)

// InAnHour answers 503 with a Retry-After of an hour. Until then, the receiver gets no attempts.
func InAnHour(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Retry-After", "3600")
	w.WriteHeader(http.StatusServiceUnavailable)
}

// Together delays the answers of a receiver until n requests have arrived.
func Together(n int, answer http.HandlerFunc) http.HandlerFunc {
	var came atomic.Int64
	all := make(chan struct{})
	return func(w http.ResponseWriter, r *http.Request) {
		if came.Add(1) == int64(n) {
			close(all)
		}
		select {
		case <-all:
			answer(w, r)
		case <-r.Context().Done():
		}
	}
}
