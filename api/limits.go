package main

import (
	"log/slog"
	"net/http"
	"time"

	"requisite/internal/limiter"
	"requisite/internal/operations/config"
	"requisite/internal/requests/refusal"
)

// bounds limit what is done at once.
type bounds struct {
	waiting, requests int
	// share is the percentage of each that one organization may use.
	share           int
	authentications int
}

// limiters are those of requests.
type limiters struct {
	waiting  *limiter.Limiter // callers that wait for runs
	runs     *limiter.Limiter // open runs that this process has started
	requests *limiter.Limiter // requests that do not wait for a run
	// authentications look up credentials. They leave a connection for /readyz.
	authentications *limiter.Limiter
	bodies          bodies
}

func newLimiters(b bounds, bodyBytes int64) limiters {
	each := config.Each(b.requests, b.share)
	return limiters{
		waiting:         limiter.New("waiting_callers", b.waiting, config.Each(b.waiting, b.share)),
		runs:            limiter.New("runs", b.waiting, each),
		requests:        limiter.New("requests", b.requests, each),
		authentications: limiter.New("authentications", b.authentications, 0),
		bodies:          newBodies(bodyBytes, b.share),
	}
}

func (l limiters) all() []*limiter.Limiter {
	return []*limiter.Limiter{l.waiting, l.runs, l.requests, l.authentications, l.bodies.unverified, l.bodies.verified}
}

// slotPatience is how long a request waits for a slot: to be authenticated, to be
// worked on, or to have its rules checked.
const slotPatience = 2 * time.Second

// runPatience is how long a request waits for a run of its organization to end
// before it may start its own, so that a burst is queued and not refused.
const runPatience = 10 * time.Second

func tooMuch() *refusal.Refusal {
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

// newHTTPServer serves HTTP/1.1 alone. Every limit of a connection then also
// applies to a request: one connection cannot carry hundreds of concurrent
// requests, nor send header frames slowly without a timeout. Callers keep a few
// connections open; browsers, for which HTTP/2 pays, talk to a proxy.
func newHTTPServer(handler http.Handler, patience time.Duration, log *slog.Logger) *http.Server {
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
