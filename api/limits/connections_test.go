package limits

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/id"
	"requisite/internal/testkit/await"
)

// limitedTo serves at most so many connections at once.
func limitedTo(t *testing.T, most int, secure *tls.Config) *Connections {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	limit := LimitConnections(listener, most)
	limit.idleFor = time.Hour
	serving := net.Listener(limit)
	if secure != nil {
		serving = tls.NewListener(limit, secure)
	}
	server := newTestServer()
	server.ConnState = func(conn net.Conn, state http.ConnState) {
		trackConn(conn, state)
		states.Store(conn.RemoteAddr().String(), state)
	}
	startServer(t, server, serving)
	return limit
}

// states is the http.ConnState of each connection, by the address of its client.
var states sync.Map

// requireInProgress waits until the server has read the beginning of a request.
func requireInProgress(t *testing.T, conn net.Conn) {
	await.True(t, "the server to read from the connection", func(context.Context) error {
		if state, _ := states.Load(conn.LocalAddr().String()); state != http.StateActive {
			return fmt.Errorf("its state is %v", state)
		}
		return nil
	})
}

func connect(t *testing.T, to net.Addr, secure bool) net.Conn {
	conn := dial(t, to.String())
	if secure {
		conn = tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
	}
	return conn
}

// statusOf sends a request, and reads the status of its response.
func statusOf(t *testing.T, conn net.Conn, request string) int {
	_, _ = io.WriteString(conn, request)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

const (
	unfinished = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"
	whole      = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
)

func TestConnections_BeyondTheLimitWait(t *testing.T) {
	for _, secure := range []bool{false, true} {
		t.Run(fmt.Sprintf("TLS %t", secure), func(t *testing.T) {
			var config *tls.Config
			if secure {
				config = testTLS(t)
			}
			limit := limitedTo(t, 2, config)
			var held []net.Conn
			for range 2 {
				conn := connect(t, limit.Addr(), secure)
				held = append(held, conn)
				_, err := io.WriteString(conn, unfinished)
				require.NoError(t, err)
				requireInProgress(t, conn)
			}
			answered := make(chan int, 1)
			go func() {
				answered <- statusOf(t, connect(t, limit.Addr(), secure), whole)
			}()
			await.True(t, "the third connection to wait", func(context.Context) error {
				if n := limit.All.Stat().Waiting; n != 1 {
					return fmt.Errorf("%d wait", n)
				}
				return nil
			})
			require.Empty(t, answered)
			require.NoError(t, held[0].Close())
			require.Equal(t, 404, <-answered)
		})
	}
}

func TestConnections_WithoutAVerifiedRequestIdleBriefly(t *testing.T) {
	limit := limitedTo(t, 2, nil)
	limit.idleFor = time.Millisecond
	conn := connect(t, limit.Addr(), false)
	require.Equal(t, 404, statusOf(t, conn, whole))
	_, err := conn.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)

	here, there := net.Pipe()
	defer there.Close()
	verified := &limitedConn{Conn: here, of: limit, release: func() {}}
	require.True(t, verified.verify("a"))
	trackConn(verified, http.StateIdle)
	require.Nil(t, verified.idle)
	require.NoError(t, verified.Close())
}

// TestConnections_OneOrganizationHasAQuarter: the response on a connection beyond the
// quarter closes it.
func TestConnections_OneOrganizationHasAQuarter(t *testing.T) {
	limit := limitedTo(t, 8, nil)
	organization, other := id.New(), id.New()
	answer := func(c *limitedConn, of id.UUID) string {
		header := http.Header{}
		NoteVerified(httptest.NewRequestWithContext(noteConn(t.Context(), c), "POST", "/", nil), header, of)
		return header.Get("Connection")
	}
	var open []*limitedConn
	next := func() *limitedConn {
		here, there := net.Pipe()
		t.Cleanup(func() { _ = there.Close() })
		open = append(open, &limitedConn{Conn: here, of: limit, release: func() {}})
		return open[len(open)-1]
	}
	for range 2 {
		c := next()
		require.Empty(t, answer(c, organization))
		require.Empty(t, answer(c, organization), "it counts once")
	}
	require.Equal(t, "close", answer(next(), organization))
	require.Empty(t, answer(next(), other))
	require.NoError(t, open[0].Close())
	_ = open[0].Close()
	require.Empty(t, answer(next(), organization))
	require.Equal(t, "close", answer(next(), organization))
	for _, c := range open {
		_ = c.Close()
	}
	require.Zero(t, limit.Verified.Stat().InUse)
}
