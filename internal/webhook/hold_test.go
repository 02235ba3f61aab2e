package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
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

	"requisite/internal/delivery"
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

// requireClosed fails unless the sender has closed each connection: what is left
// to read of it ends.
func (e *endpoint) requireClosed(t *testing.T) {
	for range len(e.conns) {
		conn := <-e.conns
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(5*time.Second)))
		_, err := io.Copy(io.Discard, conn)
		require.False(t, errors.Is(err, os.ErrDeadlineExceeded), "the connection is still open")
		_ = conn.Close()
	}
}

// postWithin posts once, and fails when that takes far longer than the sender
// allows, if less long than TLS takes to say goodbye to who does not read.
func postWithin(t *testing.T, ctx context.Context, s *Sender, url string, body []byte) Result {
	t.Helper()
	result := make(chan Result, 1)
	go func() { result <- s.Post(ctx, url, Header("wh_1", time.Now(), ""), body) }()
	select {
	case got := <-result:
		return got
	case <-time.After(s.timeout + 4*time.Second):
		t.Fatal("the attempt did not end")
		return Result{}
	}
}

const shortAttempt = 300 * time.Millisecond

// testTLS is a server's settings, and the authority that vouches for it.
func testTLS(t *testing.T) (*tls.Config, *x509.CertPool) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	return &tls.Config{Certificates: server.TLS.Certificates, NextProtos: []string{"http/1.1"}}, trust(server)
}

// hostile sets up an endpoint and a sender with a short bound, posts to it, and
// requires that nothing is left: no goroutine, and no connection.
func hostile(t *testing.T, scheme string, timeout time.Duration, body []byte, serve func(net.Conn, <-chan struct{})) Result {
	t.Helper()
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
	o := SenderOptions{Timeout: timeout}
	var secure *tls.Config
	if scheme == "https" {
		secure, o.Roots = testTLS(t)
	}
	e := rawEndpoint(t, secure, serve)
	s := NewSender(NewGuard(DefaultPorts(), loopback), o)
	defer s.Close()
	got := postWithin(t, t.Context(), s, scheme+"://"+e.address+"/secret", body)
	e.requireClosed(t)
	require.NotEmpty(t, got.Error, "it counts as a failure")
	require.Contains(t, failures, got.Error)
	return got
}

func TestNoEndpointHoldsAnAttempt(t *testing.T) {
	for _, scheme := range []string{"http", "https"} {
		for _, a := range attacks() {
			t.Run(scheme+"/"+a.name, func(t *testing.T) {
				ends := a.want != "" && a.want != FailureTimeout // by itself, and not when its time is over
				timeout := shortAttempt
				if ends {
					timeout = delivery.AttemptTimeout
				}
				got := hostile(t, scheme, timeout, []byte(`{}`), a.serve)
				if a.want != "" {
					require.Equal(t, a.want, got.Error)
				}
				if ends {
					require.Equal(t, a.code, got.StatusCode)
				}
			})
		}
	}
}

// TestAnEndpointThatReadsNothing, or no more than the head of a request: the body is
// one that no buffer on the way holds.
func TestAnEndpointThatReadsNothing(t *testing.T) {
	body := bytes.Repeat([]byte("x"), 16<<20)
	for _, scheme := range []string{"http", "https"} {
		t.Run(scheme, func(t *testing.T) {
			got := hostile(t, scheme, shortAttempt, body, func(conn net.Conn, hold <-chan struct{}) {
				if secure, is := conn.(*tls.Conn); is {
					_ = secure.HandshakeContext(t.Context())
				}
				<-hold
			})
			require.Equal(t, FailureTimeout, got.Error)
		})
		t.Run(scheme+" and answers", func(t *testing.T) {
			got := hostile(t, scheme, delivery.AttemptTimeout, body, func(conn net.Conn, hold <-chan struct{}) {
				readRequest(conn) // its head: who answers before there is a request is refused otherwise
				_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
				<-hold
			})
			require.Equal(t, FailureStatus, got.Error)
		})
	}
}

// TestAHandshakeThatStalls stops at each step of TLS, in either direction.
func TestAHandshakeThatStalls(t *testing.T) {
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
	attempt := func(t *testing.T, serve func(net.Conn, <-chan struct{})) {
		before := goleak.IgnoreCurrent()
		t.Cleanup(func() { goleak.VerifyNone(t, before) })
		e := rawEndpoint(t, nil, serve)
		s := NewSender(NewGuard(DefaultPorts(), loopback), SenderOptions{Timeout: shortAttempt, Roots: trust(server)})
		defer s.Close()
		require.Equal(t, FailureTimeout, postWithin(t, t.Context(), s, "https://"+e.address, []byte(`{}`)).Error)
		e.requireClosed(t)
	}
	for _, n := range []int64{0, 1, 4, 5, 60, 127, 128, 200, 700, 1000} { // of about 1,300
		t.Run(fmt.Sprintf("after %d bytes", n), func(t *testing.T) { attempt(t, relay(n, false)) })
	}
	t.Run("byte by byte", func(t *testing.T) { attempt(t, relay(0, true)) })
}

func trust(server *httptest.Server) *x509.CertPool {
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return roots
}

// TestAConnectionThatIsNeverMade: the queue of who listens is full, and nobody
// answers.
func TestAConnectionThatIsNeverMade(t *testing.T) {
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
	before := goleak.IgnoreCurrent()
	s := NewSender(NewGuard(DefaultPorts(), loopback), SenderOptions{Timeout: shortAttempt})
	got := postWithin(t, t.Context(), s, "http://"+address, []byte(`{}`))
	s.Close()
	require.Equal(t, FailureTimeout, got.Error)
	goleak.VerifyNone(t, before)
}

func TestANameServerThatIsSilent(t *testing.T) {
	silent, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	defer silent.Close()
	for _, network := range []string{"udp", "tcp"} {
		t.Run(network, func(t *testing.T) {
			before := goleak.IgnoreCurrent()
			// It looks again for less long than a resolver waits by itself.
			t.Cleanup(func() { goleak.VerifyNone(t, before) })
			address := silent.LocalAddr().String()
			if network == "tcp" {
				address = rawEndpoint(t, nil, func(_ net.Conn, hold <-chan struct{}) { <-hold }).address
			}
			resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, address)
			}}
			s := NewSender(NewGuard(DefaultPorts(), loopback), SenderOptions{Timeout: shortAttempt, Resolver: resolver})
			defer s.Close()
			got := postWithin(t, t.Context(), s, "http://slow.example/", []byte(`{}`))
			require.Equal(t, FailureTimeout, got.Error)
			require.Empty(t, got.Address)
		})
	}
}

// TestAnAttemptThatIsBrokenOff ends with its context, however the endpoint holds
// it, and says so.
func TestAnAttemptThatIsBrokenOff(t *testing.T) {
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
	reached := make(chan struct{}, 1)
	secure, roots := testTLS(t)
	e := rawEndpoint(t, secure, func(conn net.Conn, hold <-chan struct{}) {
		_ = conn.(*tls.Conn).HandshakeContext(t.Context())
		reached <- struct{}{}
		<-hold
	})
	s := NewSender(NewGuard(DefaultPorts(), loopback), SenderOptions{Roots: roots})
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-reached
		cancel()
	}()
	require.Equal(t, FailureBrokeOff, postWithin(t, ctx, s, "https://"+e.address, bytes.Repeat([]byte("x"), 16<<20)).Error)
	e.requireClosed(t)
}

// TestManyHostileEndpoints: attempts share nothing by which one could hold another.
func TestManyHostileEndpoints(t *testing.T) {
	before := goleak.IgnoreCurrent()
	s := NewSender(NewGuard(DefaultPorts(), loopback), SenderOptions{Timeout: shortAttempt})
	var all sync.WaitGroup
	t.Run("endpoints", func(t *testing.T) {
		for _, a := range attacks() {
			e := rawEndpoint(t, nil, a.serve)
			for range delivery.MaxInFlight {
				all.Go(func() {
					if got := s.Post(context.Background(), "http://"+e.address, Header("wh_1", time.Now(), ""), []byte(`{}`)); got.Error == "" {
						t.Errorf("%s: a success", a.name)
					}
				})
			}
		}
		all.Wait()
		s.Close()
	})
	goleak.VerifyNone(t, before)
}

func TestOneEndpointsFailureCostsOthersNoConnection(t *testing.T) {
	var made atomic.Int32
	well := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }))
	well.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			made.Add(1)
		}
	}
	well.StartTLS()
	defer well.Close()
	s := testSender(t, SenderOptions{Roots: trust(well), Timeout: 4 * shortAttempt})
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	refusing := gone.Addr().String()
	require.NoError(t, gone.Close())
	hanging := rawEndpoint(t, nil, say(""))
	for range 5 {
		require.Empty(t, post(t, s, well.URL).Error)
		require.Contains(t, failures, post(t, s, "http://"+refusing).Error)
		require.Equal(t, FailureTimeout, post(t, s, "http://"+hanging.address).Error)
	}
	require.EqualValues(t, 1, made.Load(), "the connection is kept from attempt to attempt")
}
