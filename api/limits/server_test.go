package limits

import (
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/testkit/await"
)

// newTestServer answers 400 to a body that does not arrive whole, and 404 to all else.
func newTestServer() *http.Server {
	return NewHTTPServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			http.Error(w, "the body is not whole", http.StatusBadRequest)
			return
		}
		http.NotFound(w, r)
	}), time.Hour, slog.New(slog.DiscardHandler))
}

// startServer serves until the test ends. It divides the timeouts in short by 100, and
// makes the others so long that no test reaches them.
func startServer(t *testing.T, server *http.Server, listener net.Listener, short ...*time.Duration) {
	for _, d := range []*time.Duration{&server.ReadHeaderTimeout, &server.ReadTimeout, &server.WriteTimeout, &server.IdleTimeout} {
		if slices.Contains(short, d) {
			*d /= 100
		} else {
			*d *= 1000
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		require.ErrorIs(t, <-ended, http.ErrServerClosed)
	})
}

// serve starts a server, over TLS if secure is not nil, with the timeouts that short
// selects made short.
func serve(t *testing.T, secure *tls.Config, short ...func(*http.Server) *time.Duration) (address string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address = listener.Addr().String()
	if secure != nil {
		listener = tls.NewListener(listener, secure)
	}
	server := newTestServer()
	var timeouts []*time.Duration
	for _, of := range short {
		timeouts = append(timeouts, of(server))
	}
	startServer(t, server, listener, timeouts...)
	return address
}

func headerTimeout(s *http.Server) *time.Duration { return &s.ReadHeaderTimeout }

// dial opens a connection whose deadline is shortly before the test's.
func dial(t *testing.T, address string) net.Conn {
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	if deadline, has := await.Context(t).Deadline(); has {
		require.NoError(t, conn.SetDeadline(deadline))
	}
	return conn
}

// exchange sends a request on a new connection, and reads until the server closes it.
func exchange(t *testing.T, address string, request string) string {
	conn := dial(t, address)
	defer conn.Close()
	_, _ = io.WriteString(conn, request) // the server may answer and close before it has read all
	answer, err := io.ReadAll(conn)
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the server did not close the connection")
	return string(answer)
}

func TestHTTPServer_RefusesLongHeadersAndAddresses(t *testing.T) {
	address := serve(t, nil)
	long := strings.Repeat("x", headerBytes+8<<10)
	for name, request := range map[string]string{
		"one header":   "GET / HTTP/1.1\r\nHost: x\r\nX-API-Key: " + long + "\r\n\r\n",
		"many headers": "GET / HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X-Many: "+long[:1000]+"\r\n", 50) + "\r\n",
		"an address":   "GET /" + long + " HTTP/1.1\r\nHost: x\r\n\r\n",
		"a query":      "GET /?" + long + " HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			require.Regexp(t, `^HTTP/1\.1 431 `, exchange(t, address, request))
		})
	}
	require.Regexp(t, `^HTTP/1\.1 404 `, exchange(t, address, "GET /"+long[:8000]+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
		"a long address is answered, and the server goes on")
}

func TestHTTPServer_DisconnectsSlowCallers(t *testing.T) {
	const cutOff = `^$|^HTTP/1\.1 400 Bad Request\r\n`
	const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n"
	body := func(s *http.Server) *time.Duration { return &s.ReadTimeout }
	idle := func(s *http.Server) *time.Duration { return &s.IdleTimeout }
	for name, c := range map[string]struct {
		limit      func(*http.Server) *time.Duration
		sent, want string
	}{
		"a request line that never ends":          {headerTimeout, "POST / HTT", cutOff},
		"headers that never end":                  {headerTimeout, head + "X-Slow: ", cutOff},
		"nothing at all":                          {headerTimeout, "", cutOff},
		"a body that never ends":                  {body, head + "\r\n{\"half\":", `(?s)^HTTP/1\.1 400 .*the body is not whole`},
		"a connection that is not used once more": {idle, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", `^HTTP/1\.1 404 `},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Regexp(t, c.want, exchange(t, serve(t, nil, c.limit), c.sent))
		})
	}
}

func testTLS(t *testing.T) *tls.Config {
	certFile, keyFile := filepath.Join(t.TempDir(), "tls.crt"), filepath.Join(t.TempDir(), "tls.key")
	selfSigned(t, certFile, keyFile, "api", time.Now())
	c, err := OpenCertificate(certFile, keyFile)
	require.NoError(t, err)
	return c.Config(slog.New(slog.DiscardHandler))
}

func TestHTTPServer_ServesOnlyHTTP1OverTLS(t *testing.T) {
	address := serve(t, testTLS(t))
	connect := func(protocols ...string) (*tls.Conn, error) {
		return tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true, NextProtos: protocols})
	}
	conn, err := connect("h2", "http/1.1")
	require.NoError(t, err)
	defer conn.Close()
	require.Equal(t, "http/1.1", conn.ConnectionState().NegotiatedProtocol)
	require.Equal(t, 404, statusOf(t, conn, whole))
	_, err = connect("h2")
	require.ErrorContains(t, err, "no application protocol")
	_, err = tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10})
	require.ErrorContains(t, err, "protocol version")
	require.Contains(t, exchange(t, address, whole), "Client sent an HTTP request to an HTTPS server", "plain text to a port with TLS")
	require.Empty(t, exchange(t, serve(t, testTLS(t), headerTimeout), ""), "a handshake that never begins")
}
