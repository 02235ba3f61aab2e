package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"requisite/internal/testkit/await"
	"requisite/internal/webhooks/delivery"
)

// attack is what an endpoint does with a connection. It must return when hold is
// closed, and should do nothing else that ends the connection.
type attack struct {
	name  string
	serve func(conn net.Conn, hold <-chan struct{})
	want  string
	code  int
}

// readRequest reads a request's head and its body, which is short.
func readRequest(conn net.Conn) {
	buffer := make([]byte, 64<<10)
	read := 0
	for !bytes.Contains(buffer[:read], []byte("\r\n\r\n")) {
		n, err := conn.Read(buffer[read:])
		if err != nil {
			return
		}
		read += n
	}
}

// trickle writes a text again and again, with small pauses, until it cannot.
func trickle(first, text string) func(net.Conn, <-chan struct{}) {
	return func(conn net.Conn, hold <-chan struct{}) {
		readRequest(conn)
		_, err := io.WriteString(conn, first)
		for err == nil {
			_, err = io.WriteString(conn, text)
			select {
			case <-hold:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
}

// say writes a text once and stays silent.
func say(text string) func(net.Conn, <-chan struct{}) {
	return func(conn net.Conn, hold <-chan struct{}) {
		readRequest(conn)
		_, _ = io.WriteString(conn, text)
		<-hold
	}
}

// flood writes a text as fast as it can.
func flood(first, text string) func(net.Conn, <-chan struct{}) {
	return func(conn net.Conn, _ <-chan struct{}) {
		readRequest(conn)
		_, err := io.WriteString(conn, first)
		for err == nil {
			_, err = io.WriteString(conn, text)
		}
	}
}

func attacks() []attack {
	silent := func(_ net.Conn, hold <-chan struct{}) { <-hold }
	const ok = "HTTP/1.1 200 OK\r\n"
	return []attack{
		{"switches protocols and stays silent", say("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"), FailureStatus, 101},
		{"switches protocols and talks", flood("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", "x"), FailureStatus, 101},
		{"switches protocols to none", say("HTTP/1.1 101 Switching Protocols\r\n\r\n"), FailureStatus, 101},
		{"has a status below 100", say("HTTP/1.1 099 Low\r\nContent-Length: 5\r\n\r\n"), FailureStatus, 99},
		{"has the status 0", say("HTTP/1.1 000 None\r\n\r\n"), FailureStatus, 0},
		{"floods with interim answers", flood("", "HTTP/1.1 103 Early Hints\r\n\r\n"), FailureInterim, 0},
		{"trickles interim answers", trickle("", "HTTP/1.1 102 Processing\r\n\r\n"), FailureInterim, 0},
		{"asks to continue for ever", trickle("", "HTTP/1.1 100 Continue\r\n\r\n"), FailureInterim, 0},
		{"stays silent after an interim answer", say("HTTP/1.1 100 Continue\r\nExpect: 100-continue\r\n\r\n"), FailureTimeout, 0},
		{"accepts and stays silent", silent, FailureTimeout, 0},
		{"reads the request and stays silent", say(""), FailureTimeout, 0},
		{"trickles the status line", trickle("HTTP/1.1 200 ", "O"), FailureTimeout, 0},
		{"trickles headers", trickle(ok, "X-Slow: 1\r\n"), FailureTimeout, 0},
		{"trickles one header", trickle(ok+"X-Slow: ", "1"), FailureTimeout, 0},
		{"floods with headers", flood(ok, "X-Many: 1\r\n"), FailureHeaders, 0},
		{"sends one huge header", flood(ok+"X-Huge: ", strings.Repeat("1", 1<<10)), FailureHeaders, 0},
		{"never begins the body", say(ok + "Content-Length: 100\r\n\r\n"), FailureTimeout, 200},
		{"trickles the body", trickle(ok+"Content-Length: 100000\r\n\r\n", "x"), FailureTimeout, 200},
		{"trickles chunks", trickle(ok+"Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"), FailureTimeout, 200},
		{"trickles a chunk's length", trickle(ok+"Transfer-Encoding: chunked\r\n\r\n", "0"), "", 200},
		{"never ends a chunk's extension", trickle(ok+"Transfer-Encoding: chunked\r\n\r\n1;", "x"), "", 200},
		{"trickles trailers", trickle(ok+"Transfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n1\r\nx\r\n0\r\n", "X-T: 1\r\n"), "", 200},
		{"stays silent before the trailers", say(ok + "Transfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n1\r\nx\r\n0\r\n"), FailureTimeout, 200},
		{"never ends a body without a length", trickle(ok+"Connection: close\r\n\r\n", "x"), FailureTimeout, 200},
	}
}

// endpoint serves raw connections, and tells when all of them have been closed by
// the other side.
type endpoint struct {
	address string
	hold    chan struct{}
	conns   chan net.Conn
}

func rawEndpoint(t *testing.T, secure *tls.Config, serve func(net.Conn, <-chan struct{})) *endpoint {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	e := &endpoint{address: l.Addr().String(), hold: make(chan struct{}), conns: make(chan net.Conn, 100)}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			raw, err := l.Accept()
			if err != nil {
				return
			}
			e.conns <- raw
			all.Go(func() {
				conn := raw
				if secure != nil {
					conn = tls.Server(raw, secure)
				}
				serve(conn, e.hold)
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		close(e.hold)
		close(e.conns)
		for conn := range e.conns {
			_ = conn.Close()
		}
		all.Wait()
	})
	return e
}

// requireClosed waits until the sender has closed each connection, and returns how
// the endpoint saw the last one end.
func (e *endpoint) requireClosed(t *testing.T) (last error) {
	t.Helper()
	for range len(e.conns) {
		conn := <-e.conns
		defer conn.Close()
		ended := make(chan error, 1)
		go func() {
			_, err := io.Copy(io.Discard, conn)
			ended <- err
		}()
		last = await.Next(t, "the sender to close its connection", ended)
	}
	return last
}

// startAttempt posts once, in the background.
func startAttempt(ctx context.Context, s *Sender, url string, body []byte) <-chan Result {
	result := make(chan Result, 1)
	go func() { result <- s.Post(ctx, url, Header("wh_1", time.Now(), ""), body) }()
	return result
}

// shortAttempt is the limit of an attempt that only its limit ends.
const shortAttempt = 300 * time.Millisecond

// testTLS is a server's settings, and the authority that vouches for it.
func testTLS(t *testing.T) (*tls.Config, *x509.CertPool) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	return &tls.Config{Certificates: server.TLS.Certificates, NextProtos: []string{"http/1.1"}}, trust(server)
}

// leavesNothing runs a test and requires that every goroutine of it ends.
func leavesNothing(t *testing.T, name string, test func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		before := goleak.IgnoreCurrent()
		t.Run("attempts", test)
		await.True(t, "every goroutine to end", func(context.Context) error { return goleak.Find(before) })
	})
}

func hostileSender(t *testing.T, o SenderOptions) *Sender {
	s := NewSender(NewGuard(DefaultPorts(), loopback), o)
	t.Cleanup(s.Close)
	return s
}

// bySchemes runs a test over plain HTTP and over TLS.
func bySchemes(t *testing.T, test func(t *testing.T, scheme string, secure *tls.Config, roots *x509.CertPool)) {
	leavesNothing(t, "http", func(t *testing.T) { test(t, "http://", nil, nil) })
	leavesNothing(t, "https", func(t *testing.T) {
		secure, roots := testTLS(t)
		test(t, "https://", secure, roots)
	})
}

// All attacks run at once, to find attempts that another attempt delays.
func TestAttempt_EndsInTimeWhateverTheEndpointDoes(t *testing.T) {
	bySchemes(t, func(t *testing.T, scheme string, secure *tls.Config, roots *x509.CertPool) {
		short := hostileSender(t, SenderOptions{Timeout: shortAttempt, Roots: roots})
		patient := hostileSender(t, SenderOptions{Timeout: time.Hour, Roots: roots})
		type underAttack struct {
			attack
			*endpoint
			ends    bool // by itself, and not when its time is over
			results []<-chan Result
		}
		var all []underAttack
		for _, a := range attacks() {
			u := underAttack{attack: a, endpoint: rawEndpoint(t, secure, a.serve), ends: a.want != "" && a.want != FailureTimeout}
			s := short
			if u.ends {
				s = patient
			}
			for range delivery.MaxInFlight {
				u.results = append(u.results, startAttempt(t.Context(), s, scheme+u.address+"/secret", []byte(`{}`)))
			}
			all = append(all, u)
		}
		for _, u := range all {
			for _, result := range u.results {
				got := await.Next(t, "the end of an attempt at an endpoint that "+u.name, result)
				require.Contains(t, failures, got.Error, u.name)
				if u.want != "" {
					require.Equal(t, u.want, got.Error, u.name)
				}
				if u.ends {
					require.Equal(t, u.code, got.StatusCode, u.name)
				}
			}
			u.requireClosed(t)
		}
	})
}

// The body is larger than all buffers on the way. The sender resets the connection,
// because a TLS close would wait for seconds.
func TestAttempt_ResetsAnEndpointThatReadsNothing(t *testing.T) {
	body := bytes.Repeat([]byte("x"), 16<<20)
	bySchemes(t, func(t *testing.T, scheme string, secure *tls.Config, roots *x509.CertPool) {
		attack := func(timeout time.Duration, want string, serve func(net.Conn)) (closed error) {
			e := rawEndpoint(t, secure, func(conn net.Conn, hold <-chan struct{}) {
				serve(conn)
				<-hold
			})
			s := hostileSender(t, SenderOptions{Timeout: timeout, Roots: roots})
			require.Equal(t, want, await.Next(t, "the end of the attempt", startAttempt(t.Context(), s, scheme+e.address, body)).Error)
			return e.requireClosed(t)
		}
		for timeout := shortAttempt; ; timeout *= 2 { // on a busy machine the handshake may take longer than the attempt
			var shaken atomic.Bool
			closed := attack(timeout, FailureTimeout, func(conn net.Conn) {
				secure, is := conn.(*tls.Conn)
				shaken.Store(!is || secure.HandshakeContext(t.Context()) == nil)
			})
			if shaken.Load() {
				require.ErrorIs(t, closed, syscall.ECONNRESET)
				break
			}
		}
		require.ErrorIs(t, attack(time.Hour, FailureStatus, func(conn net.Conn) {
			readRequest(conn) // its head: who answers before there is a request is refused otherwise
			_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
		}), syscall.ECONNRESET)
	})
}

// It stalls at each step of TLS.
func TestStalledHandshake_EndsWithTheAttempt(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	relay := func(bytesBack int64, slowly bool) func(net.Conn, <-chan struct{}) {
		return func(conn net.Conn, hold <-chan struct{}) {
			upstream, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				return
			}
			defer upstream.Close()
			var there sync.WaitGroup
			there.Go(func() { _, _ = io.Copy(upstream, conn) })
			if slowly {
				one := make([]byte, 1)
				for err == nil {
					if _, err = upstream.Read(one); err == nil {
						_, err = conn.Write(one)
					}
					time.Sleep(5 * time.Millisecond)
				}
			} else {
				_, _ = io.CopyN(conn, upstream, bytesBack)
			}
			<-hold
			_ = upstream.Close()
			_ = conn.Close()
			there.Wait()
		}
	}
	leavesNothing(t, "relays", func(t *testing.T) {
		endpoints := []*endpoint{rawEndpoint(t, nil, relay(0, true))}
		for _, n := range []int64{0, 1, 4, 5, 60, 127, 128, 200, 700, 1000} { // of about 1,300
			endpoints = append(endpoints, rawEndpoint(t, nil, relay(n, false)))
		}
		s := hostileSender(t, SenderOptions{Timeout: shortAttempt, Roots: trust(server)})
		var results []<-chan Result
		for _, e := range endpoints {
			results = append(results, startAttempt(t.Context(), s, "https://"+e.address, []byte(`{}`)))
		}
		for i, e := range endpoints {
			require.Equal(t, FailureTimeout, await.Next(t, "the end of the attempt", results[i]).Error)
			e.requireClosed(t)
		}
	})
}

func trust(server *httptest.Server) *x509.CertPool {
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return roots
}

// The listener's queue is full, so nobody answers.
func TestUnansweredConnection_EndsWithTheAttempt(t *testing.T) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	defer syscall.Close(fd)
	require.NoError(t, syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	require.NoError(t, syscall.Listen(fd, 0))
	name, err := syscall.Getsockname(fd)
	require.NoError(t, err)
	address := fmt.Sprintf("127.0.0.1:%d", name.(*syscall.SockaddrInet4).Port)
	for { // until one hangs
		conn, err := net.DialTimeout("tcp", address, 200*time.Millisecond)
		if err != nil {
			break
		}
		defer conn.Close()
	}
	leavesNothing(t, "tcp", func(t *testing.T) {
		s := hostileSender(t, SenderOptions{Timeout: shortAttempt})
		require.Equal(t, FailureTimeout, await.Next(t, "the end of the attempt", startAttempt(t.Context(), s, "http://"+address, nil)).Error)
	})
}

// The resolver's own timeout would be longer.
func TestSilentNameServer_EndsWithTheAttempt(t *testing.T) {
	silent, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	defer silent.Close()
	for _, network := range []string{"udp", "tcp"} {
		leavesNothing(t, network, func(t *testing.T) {
			address := silent.LocalAddr().String()
			if network == "tcp" {
				address = rawEndpoint(t, nil, func(_ net.Conn, hold <-chan struct{}) { <-hold }).address
			}
			resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, address)
			}}
			s := hostileSender(t, SenderOptions{Timeout: shortAttempt, Resolver: resolver})
			got := await.Next(t, "the end of the attempt", startAttempt(t.Context(), s, "http://slow.example/", nil))
			require.Equal(t, FailureTimeout, got.Error)
			require.Empty(t, got.Address)

			a := begin(t.Context(), shortAttempt, false)
			query, err := limitedResolver(resolver).Dial(a.ctx, network, "192.0.2.53:53")
			for timeout := shortAttempt; err != nil; { // on a busy machine an attempt may end before it has dialed
				a.end()
				timeout *= 2
				a = begin(t.Context(), timeout, false)
				query, err = limitedResolver(resolver).Dial(a.ctx, network, "192.0.2.53:53")
			}
			defer a.end()
			defer query.Close()
			require.NoError(t, query.SetDeadline(time.Now().Add(time.Hour)))
			ended := make(chan error, 1)
			go func() {
				_, err := query.Read(make([]byte, 1))
				ended <- err
			}()
			require.ErrorIs(t, await.Next(t, "the query to end with its attempt", ended), os.ErrDeadlineExceeded)
		})
	}
}

// It ends although the endpoint hangs, and its error says so.
func TestCanceledAttempt_Ends(t *testing.T) {
	leavesNothing(t, "https", func(t *testing.T) {
		reached := make(chan struct{}, 1)
		secure, roots := testTLS(t)
		e := rawEndpoint(t, secure, func(conn net.Conn, hold <-chan struct{}) {
			_ = conn.(*tls.Conn).HandshakeContext(t.Context())
			reached <- struct{}{}
			<-hold
		})
		ctx, cancel := context.WithCancel(t.Context())
		result := startAttempt(ctx, hostileSender(t, SenderOptions{Timeout: time.Hour, Roots: roots}), "https://"+e.address, bytes.Repeat([]byte("x"), 16<<20))
		await.Next(t, "the connection", reached)
		cancel()
		require.Equal(t, FailureBrokeOff, await.Next(t, "the end of the attempt", result).Error)
		e.requireClosed(t)
	})
}

func TestFailedAttempt_LeavesConnectionsOfOtherEndpointsOpen(t *testing.T) {
	var made atomic.Int32
	well := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }))
	well.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			made.Add(1)
		}
	}
	well.StartTLS()
	defer well.Close()
	s := testSender(t, SenderOptions{Roots: trust(well)})
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	refusing := gone.Addr().String()
	require.NoError(t, gone.Close())
	hanging := rawEndpoint(t, nil, say(""))
	for range 3 {
		s.timeout = time.Hour
		require.Empty(t, post(t, s, well.URL).Error)
		require.Contains(t, failures, post(t, s, "http://"+refusing).Error)
		s.timeout = shortAttempt
		require.Equal(t, FailureTimeout, post(t, s, "http://"+hanging.address).Error)
	}
	require.EqualValues(t, 1, made.Load(), "the connection is kept from attempt to attempt")
}
