package main

import (
	"container/list"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"requisite/internal/metrics"
	"requisite/internal/refusal"
	"requisite/internal/telemetry"
	"requisite/internal/wire"
)

// turnedAway is how many connections beyond the limit are accepted, to be
// refused with an answer. Beyond those, a connection is closed at once.
const turnedAway = 64

// unverifiedIdle is how long a connection may be idle before a request on it has
// been verified; see idleWithin for others.
const unverifiedIdle = 5 * time.Second

// connectionLimit is a listener that limits open connections, in total and for
// each address except those of trusted proxies. To make room it closes the
// connection that has been idle for longest, preferring those without a verified
// request.
type connectionLimit struct {
	net.Listener
	open    *parts
	refused chan struct{} // one slot for each that is accepted only to be refused
	metrics *metrics.Metrics
	proxies proxies
	idleFor time.Duration // of those that carried no verified request

	mu             sync.Mutex
	unsigned, good *list.List // of idle *limitedConn, the longest idle first
}

func limitConnections(l net.Listener, all, each int, trusted proxies, m *metrics.Metrics) *connectionLimit {
	return &connectionLimit{
		Listener: l, open: newParts(int64(all), int64(each), m.OpenConnections), refused: make(chan struct{}, turnedAway), metrics: m,
		proxies: trusted, idleFor: unverifiedIdle, unsigned: list.New(), good: list.New(),
	}
}

// limitedConn gives back its place when it is closed, once.
type limitedConn struct {
	net.Conn
	lack  lack // why it has no place of its own
	of    holder
	leave func()

	verified atomic.Bool // it has carried a request whose signature verified
	// While it is idle; guarded by the limit's lock.
	list  *list.List
	place *list.Element
	late  *time.Timer
}

func (c *limitedConn) Close() error {
	err := c.Conn.Close()
	c.leave()
	return err
}

// Accept waits for a connection that gets a place, or that can at least be refused
// with an answer.
func (l *connectionLimit) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		of := holder{address: origin(conn.RemoteAddr().String())}
		if at, known := address(conn.RemoteAddr().String()); known && l.proxies.trust(at) {
			of = holder{proxy: true}
		}
		why := l.takeFor(of)
		if why == lackNothing {
			return &limitedConn{Conn: conn, of: of, leave: sync.OnceFunc(func() { l.open.give(of, 1) })}, nil
		}
		l.metrics.ConnectionRefused(why.String())
		select {
		case l.refused <- struct{}{}:
			return &limitedConn{Conn: conn, lack: why, leave: sync.OnceFunc(func() { <-l.refused })}, nil
		default:
			_ = conn.Close()
		}
	}
}

// takeFor takes a place, and closes idle connections while there is none.
func (l *connectionLimit) takeFor(of holder) lack {
	for {
		why := l.open.take(of, 1)
		if why == lackNothing {
			return why
		}
		idle := l.longestIdle(of, why)
		if idle == nil {
			return why
		}
		l.metrics.ConnectionRefused("idle")
		_ = idle.Close()
	}
}

// longestIdle removes from its list the connection to close to make room: one of
// the same holder, when it is the holder that has used up its part.
func (l *connectionLimit) longestIdle(of holder, why lack) *limitedConn {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, idle := range []*list.List{l.unsigned, l.good} {
		for e := idle.Front(); e != nil; e = e.Next() {
			if c := e.Value.(*limitedConn); why == lackOfAll || c.of == of {
				c.busy()
				return c
			}
		}
	}
	return nil
}

// busy removes a connection from the idle ones. The caller holds the limit's lock.
func (c *limitedConn) busy() {
	if c.place == nil {
		return
	}
	c.list.Remove(c.place)
	c.place = nil
	if c.late != nil {
		c.late.Stop()
		c.late = nil
	}
}

// track is the server's ConnState hook.
func (l *connectionLimit) track(conn net.Conn, state http.ConnState) {
	c := limitedOf(conn)
	if c == nil || c.lack != lackNothing {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c.busy()
	if state != http.StateNew && state != http.StateIdle {
		return
	}
	c.list = l.unsigned
	if c.verified.Load() {
		c.list = l.good
	}
	here := c.list.PushBack(c)
	c.place = here
	if state == http.StateIdle && c.list == l.unsigned {
		c.late = time.AfterFunc(l.idleFor, func() {
			l.mu.Lock()
			still := c.place == here
			if still {
				c.busy()
			}
			l.mu.Unlock()
			if still {
				_ = c.Close()
			}
		})
	}
}

// limitedOf finds the connection below TLS; nil when it is not one of a limit.
func limitedOf(conn net.Conn) *limitedConn {
	if secure, is := conn.(*tls.Conn); is {
		conn = secure.NetConn()
	}
	c, _ := conn.(*limitedConn)
	return c
}

type connKey struct{}

// noteConn adds the connection to the context of its requests.
func noteConn(ctx context.Context, conn net.Conn) context.Context {
	if c := limitedOf(conn); c != nil {
		return context.WithValue(ctx, connKey{}, c)
	}
	return ctx
}

// noteVerified lets the connection of a request be idle for longer.
func noteVerified(ctx context.Context) {
	if c, is := ctx.Value(connKey{}).(*limitedConn); is {
		c.verified.Store(true)
	}
}

// tellLack refuses the requests of connections that have no place, and closes
// those; handler answers all others.
func tellLack(handler http.Handler, write func(error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, is := r.Context().Value(connKey{}).(*limitedConn)
		if !is || c.lack == lackNothing {
			handler.ServeHTTP(w, r)
			return
		}
		place := telemetry.Continue(r.Header.Get("traceparent"))
		w.Header().Set("traceparent", place.Parent())
		w.Header().Set("Connection", "close")
		write(wire.WriteRefusal(w, place.ID(), tooBusy(c.lack, "connections")))
	})
}

// tooBusy is the refusal for lack of a resource that callers use before they are
// authenticated.
func tooBusy(why lack, of string) *refusal.Refusal {
	refused := refusal.New(refusal.Unavailable, "The service has no room for more %s at the moment; try again shortly.", of)
	if why == lackOfEach {
		refused = refusal.New(refusal.TooManyRequests, "Too many %s come from your address; try again when others of them have ended.", of)
	}
	refused.RetryAfter = time.Second
	return refused
}
