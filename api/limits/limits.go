// Package limits bounds what one api process does at once: connections, bodies, requests,
// waiting callers, and the rate of a credential. It also loads the TLS certificate.
package limits

import (
	"log/slog"
	"net/http"
	"time"

	"requisite/internal/config"
	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
)

// Bounds configure Limiters.
type Bounds struct {
	Waiting, Requests, Authentications int
	// Share is the percentage of each limit that one organization may use.
	Share int
}

// Limiters limit requests.
type Limiters struct {
	Waiting  *limiter.Limiter // callers that wait for runs
	Runs     *limiter.Limiter // open runs that this process started
	Requests *limiter.Limiter // requests that do not wait for a run
	// Authentications limits lookups of credentials.
	Authentications *limiter.Limiter
	Bodies          bodies
}

func NewLimiters(b Bounds, bodyBytes int64) Limiters {
	each := config.Each(b.Requests, b.Share)
	return Limiters{
		Waiting:         limiter.New(refusal.LimitWaitingCallers, b.Waiting, config.Each(b.Waiting, b.Share)),
		Runs:            limiter.New(refusal.LimitRuns, b.Waiting, each),
		Requests:        limiter.New(refusal.LimitRequests, b.Requests, each),
		Authentications: limiter.New("authentications", b.Authentications, 0),
		Bodies:          newBodies(bodyBytes, b.Share),
	}
}

func (l Limiters) All() []*limiter.Limiter {
	return []*limiter.Limiter{l.Waiting, l.Runs, l.Requests, l.Authentications, l.Bodies.Unverified, l.Bodies.Verified}
}

// SlotPatience is how long a request waits for each of its slots: for authentication,
// for its work, and for a check of rules.
const SlotPatience = 2 * time.Second

// RunPatience is how long a request waits until its organization may start another run.
// A short burst is therefore queued and not refused.
const RunPatience = 10 * time.Second

// TooMuch refuses a request that got no slot in time. All limiters of requests count by
// organization.
func TooMuch(busy *limiter.Busy) *refusal.Refusal {
	met, who := refusal.Limit{Limit: float64(busy.Limit), Scope: refusal.ScopeService, Of: busy.Name}, "The service"
	if busy.OfTenant {
		met.Scope, who = refusal.ScopeOrganization, "This organization"
	}
	return refusal.TooMany(met, time.Second, "%s has reached a limit, named in details; try again shortly.", who)
}

// Limits of a connection. The server disconnects a caller that is slower or sends more,
// and does not process its request.
const (
	headerWithin = 5 * time.Second  // from the first byte to the end of the headers
	bodyWithin   = 15 * time.Second // to the end of the body
	answerWithin = 15 * time.Second // for the answer, in addition to the time of a run
	idleWithin   = 2 * time.Minute  // between two requests
	headerBytes  = 32 << 10         // request line and all headers
)

// NewHTTPServer serves only HTTP/1.1, so that every limit of a connection is also a limit
// of a request. An HTTP/2 connection could carry hundreds of requests at once, or send
// header frames slowly without a timeout. Callers need few connections, and browsers,
// which gain from HTTP/2, talk to a proxy.
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
