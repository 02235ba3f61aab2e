package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http/httptrace"
	"net/netip"
	"net/textproto"
	"sync"
	"time"
)

// attempt closes the connections of one attempt when it ends. Canceling the context is
// not enough: it does not close a connection that switched to another protocol, a write
// to an endpoint that reads nothing, or a dial that is no longer needed.
type attempt struct {
	// ctx ends with the attempt, after the connections were closed.
	ctx       context.Context
	cancel    context.CancelFunc
	encrypted bool
	ends      time.Time
	stops     []func() bool // the timers that would end the attempt

	mu          sync.Mutex
	over        bool
	expired     bool
	sent        bool // the request's head has been written
	reused      bool // the connection has carried an earlier attempt
	answered    bool // the first byte of the answer has arrived
	repeated    bool // the request goes out again, on a new connection
	handshaking bool
	interim     int
	address     netip.AddrPort
	conn        *connection // the one that carries the request and the answer
	held        map[*connection]struct{}
}

// connection is idle unless an attempt holds it.
type connection struct {
	net.Conn
	mu     sync.Mutex
	holder *attempt
}

type attemptKey struct{}

func attemptOf(ctx context.Context) *attempt {
	a, _ := ctx.Value(attemptKey{}).(*attempt)
	return a
}

// begin starts an attempt that ends after the timeout, or with ctx.
func begin(ctx context.Context, timeout time.Duration, encrypted bool) *attempt {
	a := &attempt{encrypted: encrypted, ends: time.Now().Add(timeout), held: map[*connection]struct{}{}}
	// The connections must be closed before the context ends: see closeConnections.
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	a.ctx, a.cancel = context.WithValue(own, attemptKey{}, a), cancel
	watchdog := time.AfterFunc(timeout, func() {
		a.mu.Lock()
		a.expired = true
		a.mu.Unlock()
		a.abort()
	})
	a.stops = []func() bool{watchdog.Stop, context.AfterFunc(ctx, a.abort)}
	return a
}

// end releases everything that the attempt still holds.
func (a *attempt) end() {
	for _, stop := range a.stops {
		stop()
	}
	a.abort()
}

// abort closes the connections, including those still being dialed.
func (a *attempt) abort() {
	a.mu.Lock()
	a.over = true
	a.mu.Unlock()
	a.closeConnections()
	a.cancel()
}

// closeConnections closes the attempt's connections below TLS. A TLS close takes up to
// five seconds if the peer does not read.
func (a *attempt) closeConnections() {
	a.mu.Lock()
	held := a.held
	a.held, a.conn = map[*connection]struct{}{}, nil
	a.mu.Unlock()
	for c := range held {
		c.closeFor(a)
	}
}

func (c *connection) closeFor(a *attempt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holder != a {
		return // idle, or used by another attempt by now
	}
	if tcp, is := c.Conn.(*net.TCPConn); is {
		// Discard unsent data instead of keeping it for a peer that may never read it.
		_ = tcp.SetLinger(0)
	}
	_ = c.Conn.Close()
}

// errOver reports a connection that was made after the attempt had ended.
var errOver = errors.New("webhook: the attempt is over")

// hold adds a connection to the attempt; when the attempt is over, it closes it and returns false.
func (a *attempt) hold(c *connection) bool {
	c.mu.Lock()
	c.holder = a
	c.mu.Unlock()
	a.mu.Lock()
	over := a.over
	if !over {
		a.held[c] = struct{}{}
	}
	a.mu.Unlock()
	if over {
		c.closeFor(a)
	}
	return !over
}

// release keeps the connection of the exchange open for the next attempt.
func (a *attempt) release() {
	a.mu.Lock()
	c := a.conn
	delete(a.held, c)
	a.mu.Unlock()
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holder == a {
		c.holder = nil
	}
}

// dial connects for the attempt of ctx, and stops when the attempt ends. The transport's
// context would outlive the attempt.
func dial(ctx context.Context, dialer *net.Dialer, network, address string) (net.Conn, error) {
	a := attemptOf(ctx)
	if a == nil {
		return nil, errors.New("webhook: a connection outside an attempt")
	}
	ctx, cancel := context.WithDeadline(ctx, a.ends)
	defer cancel()
	defer context.AfterFunc(a.ctx, cancel)()
	made, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: made}
	if !a.hold(c) {
		return nil, errOver
	}
	return c, nil
}

// trace follows what the transport does.
func (a *attempt) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) {
			made := i.Conn
			if secure, is := made.(*tls.Conn); is {
				made = secure.NetConn()
			}
			c, is := made.(*connection)
			if !is || !a.hold(c) {
				return
			}
			a.mu.Lock()
			defer a.mu.Unlock()
			a.conn, a.reused, a.handshaking = c, i.Reused, false
			if at, is := c.RemoteAddr().(*net.TCPAddr); is {
				a.address = netip.AddrPortFrom(at.AddrPort().Addr().Unmap(), at.AddrPort().Port())
			}
		},
		TLSHandshakeStart: func() {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.handshaking = true
		},
		WroteHeaders: func() {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.sent = true
		},
		GotFirstResponseByte: func() {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.answered = true
		},
		Got1xxResponse: func(int, textproto.MIMEHeader) error {
			a.mu.Lock()
			defer a.mu.Unlock()
			if a.interim++; a.interim > maxInterim {
				return errInterim
			}
			return nil
		},
	}
}

// repeat reports whether the request may be sent once more, on a new connection: it went
// out on a reused one, which ended before the first byte of an answer. Most likely the
// receiver had closed an idle connection, and has seen nothing.
func (a *attempt) repeat(err error) bool {
	if a.failure(err) != FailureClosed {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.sent || !a.reused || a.answered {
		return false
	}
	// A new connection is not reused, so there is no second repeat.
	a.sent, a.reused, a.repeated = false, false, true
	return true
}

// setAddress records the address that the dialer connects to.
func (a *attempt) setAddress(address netip.AddrPort) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.address = address
}

// dialed is the last address that was dialed, or empty.
func (a *attempt) dialed() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.address.IsValid() {
		return ""
	}
	return a.address.String()
}

// limitedResolver is a resolver whose queries end with their attempt. It is Go's own,
// because the system's cannot be interrupted.
func limitedResolver(r *net.Resolver) *net.Resolver {
	own := &net.Resolver{PreferGo: true}
	ask := new(net.Dialer).DialContext
	if r != nil {
		own.StrictErrors = r.StrictErrors
		if r.Dial != nil {
			ask = r.Dial
		}
	}
	own.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		a := attemptOf(ctx)
		if a == nil { // the attempt has ended, and the resolver has dropped its context
			return nil, errOver
		}
		conn, err := ask(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if udp, is := conn.(*net.UDPConn); is { // the resolver detects datagrams by the interface of the connection
			return packets{udp, a.ends}, nil
		}
		return stream{conn, a.ends}, nil
	}
	return own
}

// packets and stream are connections to a name server. They have their own deadline:
// attempts at one host share an answer, so no attempt may close them.
type packets struct {
	*net.UDPConn
	ends time.Time
}

func (p packets) SetDeadline(t time.Time) error { return p.UDPConn.SetDeadline(earlier(t, p.ends)) }

type stream struct {
	net.Conn
	ends time.Time
}

func (s stream) SetDeadline(t time.Time) error { return s.Conn.SetDeadline(earlier(t, s.ends)) }

func earlier(t, end time.Time) time.Time {
	if t.IsZero() || t.After(end) {
		return end
	}
	return t
}
