package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"requisite/internal/refusal"
	"requisite/internal/share"
)

// bounds limit what is done at once, in total and for each organization. Zero is no limit.
type bounds struct {
	waiting, waitingEach int
	runsEach             int
	requests             int
	requestsEach         int
	checks, checksEach   int
	checkTimeout         time.Duration
	authentications      int
}

// slotPatience is how long a request waits for a slot: to be authenticated, to be
// worked on, or to have its rules checked.
const slotPatience = 2 * time.Second

// runPatience is how long a request waits for a run of its organization to end
// before it may start its own, so that a burst is queued and not refused.
const runPatience = 10 * time.Second

// takePlace takes a place, or refuses a request that gets none in time.
func (s *server) takePlace(ctx context.Context, places *share.Places, c *caller, patience time.Duration) (release func(), err error) {
	release, err = places.Take(ctx, c.call.Scope.OrganizationID.String(), patience)
	if errors.Is(err, share.ErrBusy) {
		return nil, tooMuch()
	}
	return release, err
}

// worked takes one of the places for requests that do not wait for a run.
func (s *server) worked(ctx context.Context, c *caller) (leave func(), err error) {
	return s.takePlace(ctx, s.requests, c, s.slotPatience)
}

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
		Handler:           tellLack(handler, func(error) {}), // the refused caller may not wait for the answer
		ConnContext:       noteConn,
		Protocols:         &protocols,
		ReadHeaderTimeout: headerWithin,
		ReadTimeout:       bodyWithin,
		WriteTimeout:      patience + answerWithin,
		IdleTimeout:       idleWithin,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}
