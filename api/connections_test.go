package main

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"requisite/api/limits"
	"requisite/internal/requests/wire"
)

// bounded serves the API with few connections, and nothing behind it.
func bounded(t *testing.T, secure *tls.Config, most int, bodies int64) (*server, *limits.Connections) {
	s := testServer(t, func(set *settings) { set.maxBodies = bodies })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	limit := limits.LimitConnections(listener, most)
	limit.IdleFor = time.Hour
	serving := net.Listener(limit)
	if secure != nil {
		serving = tls.NewListener(limit, secure)
	}
	httpServer := limits.NewHTTPServer(s, time.Hour, slog.New(slog.DiscardHandler))
	httpServer.ConnState = func(conn net.Conn, state http.ConnState) {
		limits.TrackConn(conn, state)
		states.Store(conn.RemoteAddr().String(), state)
	}
	startServer(t, httpServer, serving)
	return s, limit
}

// states has the http.ConnState of each connection, by the address of its client.
var states sync.Map

// requireInProgress waits until the server has read something of a request.
func requireInProgress(t *testing.T, conn net.Conn) {
	becomes(t, "the connection's state", any(http.StateActive), func() any {
		state, _ := states.Load(conn.LocalAddr().String())
		return state
	})
}

func connect(t *testing.T, to net.Addr, secure bool) net.Conn {
	conn := dialed(t, net.Dialer{}, to.String())
	if secure {
		conn = tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
	}
	return conn
}

// answerTo sends a text, and reads the answer's status, error code and Retry-After.
func answerTo(t *testing.T, conn net.Conn, text string) (status int, code, retryAfter string) {
	_, _ = io.WriteString(conn, text)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer response.Body.Close()
	var envelope struct {
		Meta   wire.Meta
		Errors []struct{ Code string }
	}
	require.NoError(t, json.NewDecoder(response.Body).Decode(&envelope))
	require.Equal(t, "ERROR", envelope.Meta.Status)
	return response.StatusCode, envelope.Errors[0].Code, response.Header.Get("Retry-After")
}

// working is a request that has not come to its end.
const working = "POST /account.get HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"

const nothing = "GET /none HTTP/1.1\r\nHost: x\r\n\r\n"

func TestConnections_BeyondTheLimitWait(t *testing.T) {
	for _, secure := range []bool{false, true} {
		t.Run(fmt.Sprintf("TLS %t", secure), func(t *testing.T) {
			var config *tls.Config
			if secure {
				config = testTLS(t)
			}
			_, limit := bounded(t, config, 2, 64<<20)
			var held []net.Conn
			for range 2 {
				conn := connect(t, limit.Addr(), secure)
				held = append(held, conn)
				_, err := io.WriteString(conn, working)
				require.NoError(t, err)
				requireInProgress(t, conn)
			}
			answered := make(chan int, 1)
			go func() {
				status, _, _ := answerTo(t, connect(t, limit.Addr(), secure), nothing)
				answered <- status
			}()
			becomes(t, "a wait for a slot", 1, func() int { return limit.All.Stat().Waiting })
			require.Empty(t, answered)
			require.NoError(t, held[0].Close())
			require.Equal(t, 404, <-answered)
		})
	}
}

func TestConnections_WithoutAVerifiedRequestIdleBriefly(t *testing.T) {
	_, limit := bounded(t, nil, 2, 64<<20)
	limit.IdleFor = time.Millisecond
	conn := connect(t, limit.Addr(), false)
	status, _, _ := answerTo(t, conn, nothing)
	require.Equal(t, 404, status)
	_, err := conn.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)

	here, there := net.Pipe()
	defer there.Close()
	verified := &limits.LimitedConn{Conn: here, Of: limit, Release: func() {}}
	require.True(t, verified.Verify("a"))
	limits.TrackConn(verified, http.StateIdle)
	require.Nil(t, verified.Idle)
	require.NoError(t, verified.Close())
}

// TestConnections_OneOrganizationHasAQuarter: beyond it, its answers close their
// connections.
func TestConnections_OneOrganizationHasAQuarter(t *testing.T) {
	_, limit := bounded(t, nil, 8, 64<<20)
	organization, other := uuid.New(), uuid.New()
	answer := func(c *limits.LimitedConn, of uuid.UUID) string {
		header := http.Header{}
		limits.NoteVerified(httptest.NewRequestWithContext(limits.NoteConn(t.Context(), c), "POST", "/", nil), header, of)
		return header.Get("Connection")
	}
	var open []*limits.LimitedConn
	next := func() *limits.LimitedConn {
		here, there := net.Pipe()
		t.Cleanup(func() { _ = there.Close() })
		open = append(open, &limits.LimitedConn{Conn: here, Of: limit, Release: func() {}})
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

func TestUnverifiedBodies_AreLimitedInAll(t *testing.T) {
	s, limit := bounded(t, nil, 100, 4*limits.LargestBody)
	held := func() int { return s.Bodies.Unverified.Stat().InUse }
	const head = "POST /account.documentRules.publish HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	announced := head + "Content-Length: 1048576\r\n\r\n"
	half := announced + strings.Repeat("x", 600<<10)
	chunked := head + "Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n", 600<<10) + strings.Repeat("x", 600<<10) + "\r\n"
	var open []net.Conn
	hold := func(text string) {
		conn := connect(t, limit.Addr(), false)
		_, err := io.WriteString(conn, text)
		require.NoError(t, err)
		open = append(open, conn)
	}
	for range 40 {
		hold(announced)
	}
	becomes(t, "the bytes of bodies that were only announced", 40*4<<10, held)
	for _, conn := range open {
		require.NoError(t, conn.Close())
	}
	becomes(t, "bytes of bodies", 0, held)

	hold(half)
	becomes(t, "the first body to grow to what its next byte may need", true, func() bool { return held() >= 1<<20 })
	hold(chunked)
	becomes(t, "the second one as well", true, func() bool { return held() >= 2<<20 })
	status, code, retry := answerTo(t, connect(t, limit.Addr(), false), half)
	require.Equal(t, []any{503, "UNAVAILABLE", "1"}, []any{status, code, retry})
	status, code, _ = answerTo(t, connect(t, limit.Addr(), false), head+"Content-Length: 9999999\r\n\r\n")
	require.Equal(t, []any{413, "REQUEST_TOO_LARGE"}, []any{status, code}, "413 comes before")
	for _, conn := range open {
		_ = conn.Close()
	}
	becomes(t, "bytes of bodies", 0, held)
	status, code, _ = answerTo(t, connect(t, limit.Addr(), false), announced+strings.Repeat("x", 1<<20))
	require.Equal(t, []any{401, "AUTH_MISSING_HEADER"}, []any{status, code})
	require.Zero(t, held())
}
