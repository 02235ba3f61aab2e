package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/wire"
)

// bounded serves the API with few places, and nothing behind it. What is to be
// otherwise is set before it serves.
func bounded(t *testing.T, secure *tls.Config, all, each int, bodies int64, with ...func(*server, *connectionLimit)) (*server, *connectionLimit) {
	s := testServer(t, func(set *settings) { set.maxBodies = bodies })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	limit := limitConnections(listener, all, each, nil, nil)
	limit.idleFor = time.Hour
	for _, set := range with {
		set(s, limit)
	}
	serving := net.Listener(limit)
	if secure != nil {
		serving = tls.NewListener(limit, secure)
	}
	httpServer := newHTTPServer(s, time.Hour, slog.New(slog.DiscardHandler))
	httpServer.ConnState = func(conn net.Conn, state http.ConnState) {
		limit.track(conn, state)
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

// client is a connection from one of the machine's own addresses.
func clientFrom(t *testing.T, from string, to net.Addr, secure bool) net.Conn {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn := dialed(t, dialer, to.String())
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

func TestConnectionsAreBoundedAndSharedOut(t *testing.T) {
	for _, secure := range []bool{false, true} {
		t.Run(fmt.Sprintf("TLS %t", secure), func(t *testing.T) {
			var config *tls.Config
			if secure {
				config = testTLS(t)
			}
			_, limit := bounded(t, config, 4, 2, 64<<20)
			taken := func() int64 {
				limit.open.mu.Lock()
				defer limit.open.mu.Unlock()
				return limit.open.taken
			}
			for _, from := range []string{"127.0.0.1", "127.0.0.2"} {
				for range 2 {
					at, conn := taken(), clientFrom(t, from, limit.Addr(), secure)
					_, err := io.WriteString(conn, working)
					require.NoError(t, err)
					requireInProgress(t, conn)
					require.Greater(t, taken(), at, "there is room")
				}
				status, code, retry := answerTo(t, clientFrom(t, from, limit.Addr(), secure), nothing)
				require.Equal(t, 429, status)
				require.Equal(t, "TOO_MANY_REQUESTS", code)
				require.Equal(t, "1", retry)
			}
			conn := clientFrom(t, "127.0.0.3", limit.Addr(), secure)
			status, code, retry := answerTo(t, conn, nothing)
			require.Equal(t, 503, status)
			require.Equal(t, "UNAVAILABLE", code)
			require.Equal(t, "1", retry)
			_, err := conn.Read(make([]byte, 1))
			require.ErrorIs(t, err, io.EOF, "who is turned away is not kept")
			require.EqualValues(t, 4, taken())
		})
	}
}

// TestHowManyMayBeTurnedAwayIsBoundedToo: connections that say nothing take the
// places of those that are only told.
func TestHowManyMayBeTurnedAwayIsBoundedToo(t *testing.T) {
	_, limit := bounded(t, nil, 1, 1, 64<<20)
	kept := clientFrom(t, "127.0.0.1", limit.Addr(), false)
	_, err := io.WriteString(kept, working)
	require.NoError(t, err)
	requireInProgress(t, kept)
	var silent []net.Conn
	for range turnedAway {
		silent = append(silent, clientFrom(t, "127.0.0.1", limit.Addr(), false))
	}
	becomes(t, "refused connections", turnedAway, func() int { return len(limit.refused) })
	for range 100 {
		_, err := clientFrom(t, "127.0.0.1", limit.Addr(), false).Read(make([]byte, 1))
		require.Error(t, err, "closed at once")
		require.NotContains(t, err.Error(), "timeout")
	}
	for _, conn := range append(silent, kept) {
		require.NoError(t, conn.Close())
	}
	becomes(t, "refused, open and remembered connections", [3]int{}, func() [3]int {
		limit.open.mu.Lock()
		defer limit.open.mu.Unlock()
		return [3]int{len(limit.refused), int(limit.open.taken), len(limit.open.by)}
	})
	status, _, _ := answerTo(t, clientFrom(t, "127.0.0.1", limit.Addr(), false), nothing)
	require.Equal(t, 404, status)
}

// idle counts the connections of a limit that do nothing.
func idle(l *connectionLimit) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.unsigned.Len() + l.good.Len()
}

// TestIdleConnectionsMakeRoom: addresses that hold every connection and do nothing
// do not keep others out, nor do they keep out each other's.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	for _, secure := range []bool{false, true} {
		t.Run(fmt.Sprintf("TLS %t", secure), func(t *testing.T) {
			var config *tls.Config
			if secure {
				config = testTLS(t)
			}
			_, limit := bounded(t, config, 4, 2, 64<<20)
			var held []net.Conn
			for i, from := range []string{"127.0.0.1", "127.0.0.1", "127.0.0.2", "127.0.0.2"} {
				conn := clientFrom(t, from, limit.Addr(), secure)
				held = append(held, conn)
				status, _, _ := answerTo(t, conn, nothing)
				require.Equal(t, 404, status)
				becomes(t, "idle connections", i+1, func() int { return idle(limit) })
			}
			closed := func(conn net.Conn) {
				t.Helper()
				_, err := conn.Read(make([]byte, 1))
				require.Error(t, err)
				require.NotErrorIs(t, err, os.ErrDeadlineExceeded)
			}
			status, _, _ := answerTo(t, clientFrom(t, "127.0.0.3", limit.Addr(), secure), nothing)
			require.Equal(t, 404, status, "a third address is served")
			closed(held[0])
			status, _, _ = answerTo(t, clientFrom(t, "127.0.0.2", limit.Addr(), secure), nothing)
			require.Equal(t, 404, status)
			closed(held[2])
			status, _, _ = answerTo(t, held[1], nothing)
			require.Equal(t, 404, status, "it was not the one that was idle for longest")
		})
	}
}

// TestWhoHasSignedMayBeIdleForLonger: others are closed after some seconds, and
// first when there is no room.
func TestWhoHasSignedMayBeIdleForLonger(t *testing.T) {
	_, limit := bounded(t, nil, 2, 2, 64<<20, func(_ *server, l *connectionLimit) { l.idleFor = time.Millisecond })
	conn := clientFrom(t, "127.0.0.1", limit.Addr(), false)
	status, _, _ := answerTo(t, conn, nothing)
	require.Equal(t, 404, status)
	_, err := conn.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF, "closed although it said nothing")

	of := func(verified bool) *limitedConn {
		here, there := net.Pipe()
		t.Cleanup(func() { _ = there.Close() })
		c := &limitedConn{Conn: here, leave: func() {}}
		noteVerifiedIf(verified, c)
		return c
	}
	limit = limitConnections(limit.Listener, 2, 2, nil, nil) // which nobody serves
	signed, unsigned := of(true), of(false)
	limit.track(signed, http.StateIdle)
	limit.track(unsigned, http.StateIdle)
	require.Same(t, unsigned, limit.longestIdle(holder{}, lackOfAll), "who has signed nothing goes first")
	require.Same(t, signed, limit.longestIdle(holder{}, lackOfAll))
	require.Nil(t, limit.longestIdle(holder{}, lackOfAll))
	limit.track(signed, http.StateIdle)
	limit.track(signed, http.StateActive)
	require.Nil(t, limit.longestIdle(holder{}, lackOfAll), "nobody is cut off in a request")
}

func noteVerifiedIf(verified bool, c *limitedConn) {
	if verified {
		noteVerified(noteConn(context.Background(), c))
	}
}

// TestTrustedProxiesNameTheirCallers: what others write in the header counts for
// nothing.
func TestTrustedProxiesNameTheirCallers(t *testing.T) {
	trusted, err := parseProxies("10.0.0.0/8, 192.0.2.7,2001:db8::/32")
	require.NoError(t, err)
	_, err = parseProxies("10.0.0.0/8,proxy")
	require.ErrorContains(t, err, `"proxy" is not one`)
	for _, c := range []struct {
		remote, want string
		forwarded    []string
	}{
		{"203.0.113.1:1", "203.0.113.1/32", []string{"198.51.100.1"}},
		{"10.1.2.3:1", "198.51.100.1/32", []string{"198.51.100.1"}},
		{"10.1.2.3:1", "198.51.100.1/32", []string{"8.8.8.8, 198.51.100.1"}},
		{"10.1.2.3:1", "198.51.100.1/32", []string{"8.8.8.8", "198.51.100.1,192.0.2.7"}},
		{"10.1.2.3:1", "198.51.100.1/32", []string{"198.51.100.1:4711 , 10.9.9.9"}},
		{"[2001:db8::1]:1", "2001:db9:0:1::/64", []string{"[2001:db9:0:1::5]:80"}},
		{"10.1.2.3:1", "10.1.2.3/32", nil}, {"10.1.2.3:1", "10.1.2.3/32", []string{"8.8.8.8, nonsense"}}, {"10.1.2.3:1", "10.0.0.1/32", []string{"10.0.0.1"}},
		{"[::ffff:10.1.2.3]:1", "198.51.100.1/32", []string{"198.51.100.1"}},
	} {
		r := &http.Request{RemoteAddr: c.remote, Header: http.Header{"X-Forwarded-For": c.forwarded}}
		require.Equal(t, netip.MustParsePrefix(c.want), trusted.origin(r), "%+v", c)
		require.Equal(t, origin(c.remote), proxies(nil).origin(r), "nobody is trusted unless told")
	}

	near, err := parseProxies("127.0.0.1")
	require.NoError(t, err)
	s, limit := bounded(t, nil, 10, 1, twoLarge, func(s *server, l *connectionLimit) { s.proxies, l.proxies = near, near })
	half := "POST /account.documentRules.publish HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n"
	body := "\r\n" + strings.Repeat("x", 600<<10)
	held := func(address string) int64 {
		return heldBy(s.bodies.large, holder{address: origin(address)})
	}
	_, err = io.WriteString(clientFrom(t, "127.0.0.1", limit.Addr(), false), half+"X-Forwarded-For: 198.51.100.1\r\n"+body)
	require.NoError(t, err)
	becomes(t, "room for bodies", true, func() bool { return held("198.51.100.1") >= 1<<20 })
	status, code, _ := answerTo(t, clientFrom(t, "127.0.0.1", limit.Addr(), false), half+"X-Forwarded-For: 198.51.100.1\r\n"+body)
	require.Equal(t, []any{429, "TOO_MANY_REQUESTS"}, []any{status, code}, "one caller of the proxy has its part")
	_, err = io.WriteString(clientFrom(t, "127.0.0.1", limit.Addr(), false), half+"X-Forwarded-For: 198.51.100.1, 198.51.100.2\r\n"+body)
	require.NoError(t, err)
	becomes(t, "and takes nothing of another's", true, func() bool { return held("198.51.100.2") >= 1<<20 })
}

func TestUnverifiedBodiesAreBoundedAndSharedOut(t *testing.T) {
	s, limit := bounded(t, nil, 100, 100, twoLarge)
	held := func() int64 { return heldOf(s.bodies) }
	const head = "POST /account.documentRules.publish HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	announced := head + "Content-Length: 1048576\r\n\r\n"
	half := announced + strings.Repeat("x", 600<<10)
	chunked := head + "Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n", 600<<10) + strings.Repeat("x", 600<<10) + "\r\n"
	var open []net.Conn
	hold := func(from, text string) {
		conn := clientFrom(t, from, limit.Addr(), false)
		_, err := io.WriteString(conn, text)
		require.NoError(t, err)
		open = append(open, conn)
	}
	for range 40 {
		hold("127.0.0.1", announced)
	}
	becomes(t, "who only announces a body holds next to nothing", int64(40*4<<10), func() int64 { return held() })
	for _, conn := range open {
		require.NoError(t, conn.Close())
	}
	becomes(t, "room for bodies", 0, func() int64 { return held() })

	hold("127.0.0.1", half)
	becomes(t, "room for bodies", true, func() bool { return held() >= 1<<20 })
	status, code, retry := answerTo(t, clientFrom(t, "127.0.0.1", limit.Addr(), false), half)
	require.Equal(t, []any{429, "TOO_MANY_REQUESTS", "1"}, []any{status, code, retry}, "one address does not take all")
	hold("127.0.0.2", chunked)
	becomes(t, "both have grown to what their next byte may need", true, func() bool { return held() >= 2<<20 })
	status, code, retry = answerTo(t, clientFrom(t, "127.0.0.3", limit.Addr(), false), half)
	require.Equal(t, []any{503, "UNAVAILABLE", "1"}, []any{status, code, retry}, "all are less than all that is sent")
	status, code, _ = answerTo(t, clientFrom(t, "127.0.0.3", limit.Addr(), false), head+"Content-Length: 9999999\r\n\r\n")
	require.Equal(t, []any{413, "REQUEST_TOO_LARGE"}, []any{status, code}, "413 comes before")
	for _, conn := range open {
		_ = conn.Close()
	}
	becomes(t, "what breaks off gives its room back", 0, func() int64 { return held() })
	status, code, _ = answerTo(t, clientFrom(t, "127.0.0.3", limit.Addr(), false), announced+strings.Repeat("x", 1<<20))
	require.Equal(t, []any{401, "AUTH_MISSING_HEADER"}, []any{status, code})
	require.Zero(t, held())
}

func TestOrigins(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.1:1": "192.0.2.1/32", "[::ffff:192.0.2.1]:1": "192.0.2.1/32", "[2001:db8:1:2:3::4]:1": "2001:db8:1:2::/64", "[fe80::1%eth0]:1": "fe80::/64",
	} {
		require.Equal(t, netip.MustParsePrefix(want), origin(remote))
	}
	require.Equal(t, origin("@"), origin(""), "what has no address shares one part")
}
