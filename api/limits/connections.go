package limits

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"requisite/internal/limiter"
)

// unverifiedIdle is how long a connection may be idle that has carried no verified
// request; see idleWithin for others.
const unverifiedIdle = 5 * time.Second

// Connections is a listener that limits open connections. Those beyond the limit wait
// until another is closed. A connection belongs to the organization of its first verified
// request. An organization may have a quarter of all; on more, each answer closes its
// connection.
type Connections struct {
	net.Listener
	All      *limiter.Limiter
	Verified *limiter.Limiter // by organization
	idleFor  time.Duration    // of those that carried no verified request
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

// Accept waits for a connection, and for its slot.
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

// limitedConn gives back its slots when it is closed, once.
type limitedConn struct {
	net.Conn
	of      *Connections
	release func()
	idle    *time.Timer // while it is idle without a verified request

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

// Verify makes the connection one of an organization, unless it belongs to one. False
// means that the organization has as many as it may.
func (c *limitedConn) Verify(organization string) bool {
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

// limitedOf finds the connection below TLS; nil when it is not a limited one.
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

// NoteVerified makes the connection of a request one of an organization. The answer
// closes it if the organization has too many.
func NoteVerified(r *http.Request, answer http.Header, organization uuid.UUID) {
	if c, is := r.Context().Value(connKey{}).(*limitedConn); is && !c.Verify(organization.String()) {
		answer.Set("Connection", "close")
	}
}
