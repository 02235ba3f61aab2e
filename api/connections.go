package main

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"requisite/internal/metrics"
	"requisite/internal/refusal"
	"requisite/internal/telemetry"
	"requisite/internal/wire"
)

// turnedAway is how many connections beyond the most are accepted for an answer
// that says so. Beyond those, a connection is closed at once.
const turnedAway = 64

// connectionLimit is a listener that bounds the connections that are open at once,
// and those of one address.
type connectionLimit struct {
	net.Listener
	open    *parts
	refused chan struct{} // one slot for each that is accepted only to be told
	metrics *metrics.Metrics
}

func limitConnections(l net.Listener, all, each int, m *metrics.Metrics) *connectionLimit {
	return &connectionLimit{
		Listener: l, open: newParts(int64(all), int64(each), m.OpenConnections), refused: make(chan struct{}, turnedAway), metrics: m,
	}
}

// limitedConn gives its place back once, when it is closed.
type limitedConn struct {
	net.Conn
	lack  lack // why it has no place of its own
	leave func()
}

func (c *limitedConn) Close() error {
	err := c.Conn.Close()
	c.leave()
	return err
}

// Accept waits for a connection that there is a place for, or that can at least be
// told that there is none.
func (l *connectionLimit) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := holder{address: origin(conn.RemoteAddr().String())}
		why := l.open.take(from, 1)
		if why == lackNothing {
			return &limitedConn{conn, why, sync.OnceFunc(func() { l.open.give(from, 1) })}, nil
		}
		l.metrics.ConnectionRefused(why.String())
		select {
		case l.refused <- struct{}{}:
			return &limitedConn{conn, why, sync.OnceFunc(func() { <-l.refused })}, nil
		default:
			_ = conn.Close()
		}
	}
}

type lackKey struct{}

// noteLack lets the requests of a connection know that it has no place.
func noteLack(ctx context.Context, conn net.Conn) context.Context {
	if secure, is := conn.(*tls.Conn); is {
		conn = secure.NetConn()
	}
	if c, is := conn.(*limitedConn); is && c.lack != lackNothing {
		return context.WithValue(ctx, lackKey{}, c.lack)
	}
	return ctx
}

// tellLack answers the requests of connections that have no place, and closes
// those; handler answers all others.
func tellLack(handler http.Handler, write func(error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		why, lacks := r.Context().Value(lackKey{}).(lack)
		if !lacks {
			handler.ServeHTTP(w, r)
			return
		}
		place := telemetry.Continue(r.Header.Get("traceparent"))
		w.Header().Set("traceparent", place.Parent())
		w.Header().Set("Connection", "close")
		write(wire.WriteRefusal(w, place.ID(), tooBusy(why, "connections")))
	})
}

// tooBusy refuses for lack of something that callers hold before they have proven
// who they are.
func tooBusy(why lack, of string) *refusal.Refusal {
	refused := refusal.New(refusal.Unavailable, "The service has no room for more %s at the moment; try again shortly.", of)
	if why == lackOfEach {
		refused = refusal.New(refusal.TooManyRequests, "Too many %s come from your address; try again when others of them have ended.", of)
	}
	refused.RetryAfter = time.Second
	return refused
}

// bodyRoom is what a request holds of its body until it is decoded: of the part of
// its caller's address, and of the organization's when it has verified.
type bodyRoom struct {
	bytes *parts
	of    holder
	held  int64
}

func (u *bodyRoom) take(n int64) lack {
	why := u.bytes.take(u.of, n)
	if why == lackNothing {
		u.held += n
	}
	return why
}

// verified lets an organization answer for the body.
func (u *bodyRoom) verified(organization uuid.UUID) lack {
	to := holder{organization: organization}
	why := u.bytes.move(u.of, to, u.held)
	if why == lackNothing {
		u.of = to
	}
	return why
}

func (u *bodyRoom) release() {
	u.bytes.give(u.of, u.held)
	u.held = 0
}
