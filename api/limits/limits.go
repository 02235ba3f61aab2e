// Package limits is what one api process takes at once: connections, bodies, requests,
// callers that wait, and the rate of a credential; and its certificate.
package limits

import (
	"log/slog"
	"net/http"
	"time"

	"requisite/internal/limiter"
	"requisite/internal/operations/config"
	"requisite/internal/requests/refusal"
)

// Bounds limit what is done at once.
type Bounds struct {
	Waiting, Requests int
	// Share is the percentage of each that one organization may use.
	Share           int
	Authentications int
}

// Limiters are those of requests.
type Limiters struct {
	Waiting  *limiter.Limiter // callers that wait for runs
	Runs     *limiter.Limiter // open runs that this process has started
	Requests *limiter.Limiter // requests that do not wait for a run
	// Authentications look up credentials. They leave a connection for /readyz.
	Authentications *limiter.Limiter
	Bodies          bodies
}

func NewLimiters(b Bounds, bodyBytes int64) Limiters {
	each := config.Each(b.Requests, b.Share)
	return Limiters{
		Waiting:         limiter.New("waiting_callers", b.Waiting, config.Each(b.Waiting, b.Share)),
		Runs:            limiter.New("runs", b.Waiting, each),
		Requests:        limiter.New("requests", b.Requests, each),
		Authentications: limiter.New("authentications", b.Authentications, 0),
		Bodies:          newBodies(bodyBytes, b.Share),
	}
}

func (l Limiters) All() []*limiter.Limiter {
	return []*limiter.Limiter{l.Waiting, l.Runs, l.Requests, l.Authentications, l.Bodies.Unverified, l.Bodies.Verified}
}

// SlotPatience is how long a request waits for a slot: to be authenticated, to be
// worked on, or to have its rules checked.
const SlotPatience = 2 * time.Second

// RunPatience is how long a request waits for a run of its organization to end
// before it may start its own, so that a burst is queued and not refused.
const RunPatience = 10 * time.Second

func TooMuch() *refusal.Refusal {
	refused := refusal.New(refusal.TooManyRequests, "Too many requests are in progress for this organization, or in total; try again shortly.")
	refused.RetryAfter = time.Second
	return refused
}

// Limits of a connection. A caller that is slower or sends more is disconnected
// before the request is processed; see readBody for the size of a body.
const (
	headerWithin = 5 * time.Second  // from the first byte to the end of the headers
	bodyWithin   = 15 * time.Second // to the end of the body
	answerWithin = 15 * time.Second // for the answer, in addition to the time of a run
	idleWithin   = 2 * time.Minute  // between two requests
	headerBytes  = 32 << 10         // of the request line and all headers
)

// NewHTTPServer serves HTTP/1.1 alone. Every limit of a connection then also
// applies to a request: one connection cannot carry hundreds of concurrent
// requests, nor send header frames slowly without a timeout. Callers keep a few
// connections open; browsers, for which HTTP/2 pays, talk to a proxy.
func NewHTTPServer(handler http.Handler, patience time.Duration, log *slog.Logger) *http.Server {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	return &http.Server{
		Handler:           handler,
		ConnContext:       noteConn,
		ConnState:         trackConn,
		Protocols:         &protocols,
		ReadHeaderTimeout: headerWithin,
		ReadTimeout:       bodyWithin,
		WriteTimeout:      patience + answerWithin,
		IdleTimeout:       idleWithin,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}
