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

// attempt tracks the connections of one attempt, which end with it. Canceling a
// context alone closes neither a connection that the endpoint has switched to
// another protocol, nor a write to an endpoint that reads nothing, nor a dial
// that another attempt's connection has made unnecessary.
type attempt struct {
	// ctx ends with the attempt, after the connections were closed.
	ctx       context.Context
	cancel    context.CancelFunc
	encrypted bool
	ends      time.Time
	settled   []func() bool // stops what would end the attempt

	mu          sync.Mutex
	over        bool
	expired     bool
	sent        bool // the request's head has been written
	handshaking bool
	interim     int
	address     netip.AddrPort
	got         *connection // that the exchange uses
	held        map[*connection]struct{}
}

// connection is one that an attempt may hold. One that no attempt holds is idle.
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
	// Whatever ends ctx, the connections are closed first: see closeConnections.
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	a.ctx, a.cancel = context.WithValue(own, attemptKey{}, a), cancel
	watchdog := time.AfterFunc(timeout, func() {
		a.mu.Lock()
		a.expired = true
		a.mu.Unlock()
		a.breakOff()
	})
	a.settled = []func() bool{watchdog.Stop, context.AfterFunc(ctx, a.breakOff)}
	return a
}

// end releases everything that the attempt still holds.
func (a *attempt) end() {
	for _, stop := range a.settled {
		stop()
	}
	a.breakOff()
}

// breakOff closes the connections, including those still being dialed.
func (a *attempt) breakOff() {
	a.mu.Lock()
	a.over = true
	a.mu.Unlock()
	a.closeConnections()
	a.cancel()
}

// closeConnections closes what the attempt holds, below TLS and immediately: a
// TLS close takes up to five seconds when the peer does not read.
func (a *attempt) closeConnections() {
	a.mu.Lock()
	held := a.held
	a.held, a.got = map[*connection]struct{}{}, nil
	a.mu.Unlock()
	for c := range held {
		c.closeFor(a)
	}
}

func (c *connection) closeFor(a *attempt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holder != a {
		return // idle, or another's by now
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
	c := a.got
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

// dial makes a connection for the attempt that ctx is of. The transport's context
// outlives the request that asked, and the attempt's own does not.
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
			a.got, a.handshaking = c, false
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

// note remembers an allowed address that is about to be dialed.
func (a *attempt) note(address netip.AddrPort) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.address = address
}

// dialed is the address that was dialed last; empty when none was.
func (a *attempt) dialed() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.address.IsValid() {
		return ""
	}
	return a.address.String()
}

// bounded is a resolver whose queries end with their attempt. It is Go's own,
// because the system's cannot be interrupted.
func bounded(r *net.Resolver) *net.Resolver {
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
		if a == nil { // the resolver forgets the attempt when that is over
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

// packets and stream are connections to a name server with a deadline of their
// own. Attempts at one host share an answer, so the attempt that asked does not
// close them earlier.
type packets struct {
	*net.UDPConn
	ends time.Time
}

func (p packets) SetDeadline(t time.Time) error { return p.UDPConn.SetDeadline(sooner(t, p.ends)) }

type stream struct {
	net.Conn
	ends time.Time
}

func (s stream) SetDeadline(t time.Time) error { return s.Conn.SetDeadline(sooner(t, s.ends)) }

func sooner(t, end time.Time) time.Time {
	if t.IsZero() || t.After(end) {
		return end
	}
	return t
}
