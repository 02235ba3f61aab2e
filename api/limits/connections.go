package limits

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"requisite/internal/id"
	"requisite/internal/limiter"
)

// unverifiedIdle is the idle timeout of a connection without a verified request so far.
// Others have idleWithin.
const unverifiedIdle = 5 * time.Second

// Connections is a listener that limits open connections. A connection beyond the limit
// waits until another one is closed. A connection belongs to the organization of its first
// verified request. An organization may have a quarter of all connections. A response on a
// further one closes it.
type Connections struct {
	net.Listener
	All      *limiter.Limiter
	Verified *limiter.Limiter // by organization
	idleFor  time.Duration    // idle timeout of connections without a verified request
	closing  context.Context
	close    context.CancelFunc
}

func LimitConnections(l net.Listener, most int) *Connections {
	closing, end := context.WithCancel(context.Background())
	return &Connections{
		Listener: l, All: limiter.New("connections", most, 0), Verified: limiter.New("organization_connections", 0, max(1, most/4)),
		idleFor: unverifiedIdle, closing: closing, close: end,
	}
}

// Accept waits for a connection and a slot for it.
func (l *Connections) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	release, err := l.All.Wait(l.closing, "", limiter.Forever)
	if err != nil {
		return nil, errors.Join(net.ErrClosed, conn.Close())
	}
	return &limitedConn{Conn: conn, of: l, release: release}, nil
}

func (l *Connections) Close() error {
	l.close()
	return l.Listener.Close()
}

// limitedConn is a connection that occupies slots. Close releases them once.
type limitedConn struct {
	net.Conn
	of      *Connections
	release func()
	idle    *time.Timer // closes it; nil unless it is idle without a verified request

	mu           sync.Mutex
	closed       bool
	organization string
}

func (c *limitedConn) Close() error {
	err := c.Conn.Close()
	c.release()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed && c.organization != "" {
		c.of.Verified.Release(c.organization, 1)
	}
	c.closed = true
	return err
}

// verify assigns the connection to an organization, unless it belongs to one already. It
// returns false if the organization has reached its limit.
func (c *limitedConn) verify(organization string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed || c.organization != "":
		return true
	case !c.of.Verified.TakeAll(organization, 1):
		return false
	}
	c.organization = organization
	return true
}

func (c *limitedConn) isVerified() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.organization != ""
}

// trackConn is the server's ConnState hook.
func trackConn(conn net.Conn, state http.ConnState) {
	c := limitedOf(conn)
	if c == nil {
		return
	}
	if c.idle != nil {
		c.idle.Stop()
		c.idle = nil
	}
	if state == http.StateIdle && !c.isVerified() {
		c.idle = time.AfterFunc(c.of.idleFor, func() { _ = c.Close() })
	}
}

// limitedOf finds the limited connection below TLS; nil if there is none.
func limitedOf(conn net.Conn) *limitedConn {
	if secure, is := conn.(*tls.Conn); is {
		conn = secure.NetConn()
	}
	c, _ := conn.(*limitedConn)
	return c
}

type connKey struct{}

// noteConn is the server's ConnContext hook. It adds the connection to the context.
func noteConn(ctx context.Context, conn net.Conn) context.Context {
	if c := limitedOf(conn); c != nil {
		return context.WithValue(ctx, connKey{}, c)
	}
	return ctx
}

// NoteVerified assigns the connection of a request to an organization. If the
// organization has too many, the response will close the connection.
func NoteVerified(r *http.Request, answer http.Header, organization id.UUID) {
	if c, is := r.Context().Value(connKey{}).(*limitedConn); is && !c.verify(organization.String()) {
		answer.Set("Connection", "close")
	}
}
