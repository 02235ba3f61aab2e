package main

import (
	"bufio"
	"crypto/tls"
	"fmt"
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

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"requisite/api/limits"
	"requisite/internal/testkit/await"
)

// startServer serves until the test ends, with limits of time that no test reaches but for
// those that are given, which are a hundredth of what they are otherwise.
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

// limited serves the API, without anything behind it, over TLS too when asked, with
// the limits of time that short selects made short.
func limited(t *testing.T, secure *tls.Config, short ...func(*http.Server) *time.Duration) (address string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address = listener.Addr().String()
	if secure != nil {
		listener = tls.NewListener(listener, secure)
	}
	server := limits.NewHTTPServer(testServer(t), time.Hour, slog.New(slog.DiscardHandler))
	var limits []*time.Duration
	for _, of := range short {
		limits = append(limits, of(server))
	}
	startServer(t, server, listener, limits...)
	return address
}

func headerLimit(s *http.Server) *time.Duration { return &s.ReadHeaderTimeout }

// dialed is a connection that ends shortly before the test's deadline.
func dialed(t *testing.T, dialer net.Dialer, address string) net.Conn {
	conn, err := dialer.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	if deadline, has := await.Context(t).Deadline(); has {
		require.NoError(t, conn.SetDeadline(deadline))
	}
	return conn
}

// exchange sends bytes on a connection of its own and reads until the server
// closes it.
func exchange(t *testing.T, address string, parts ...string) string {
	conn := dialed(t, net.Dialer{}, address)
	defer conn.Close()
	for _, part := range parts {
		// The server may have answered and closed before it has read all.
		_, _ = conn.Write([]byte(part))
	}
	answer, err := io.ReadAll(conn)
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the server did not close the connection")
	return string(answer)
}

func TestHTTPServer_RefusesLongHeadersAndAddresses(t *testing.T) {
	address := limited(t, nil)
	long := strings.Repeat("x", limits.HeaderBytes+8<<10)
	for name, request := range map[string]string{
		"one header":   "GET /healthy HTTP/1.1\r\nHost: x\r\nX-API-Key: " + long + "\r\n\r\n",
		"many headers": "GET /healthy HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X-Many: "+long[:1000]+"\r\n", 50) + "\r\n",
		"an address":   "GET /" + long + " HTTP/1.1\r\nHost: x\r\n\r\n",
		"a query":      "GET /healthy?" + long + " HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			require.Regexp(t, `^HTTP/1\.1 431 `, exchange(t, address, request))
		})
	}
	require.Regexp(t, `^HTTP/1\.1 404 `, exchange(t, address, "GET /"+long[:8000]+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
		"what is merely long is answered, and the server goes on")
}

func TestHTTPServer_DisconnectsSlowCallers(t *testing.T) {
	const cutOff = `^$|^HTTP/1\.1 400 Bad Request\r\n`
	const head = "POST /meta.checkVersion HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n"
	body := func(s *http.Server) *time.Duration { return &s.ReadTimeout }
	idle := func(s *http.Server) *time.Duration { return &s.IdleTimeout }
	for name, c := range map[string]struct {
		limit      func(*http.Server) *time.Duration
		sent, want string
	}{
		"a request line that never ends":          {headerLimit, "POST /meta.checkVersion HTT", cutOff},
		"headers that never end":                  {headerLimit, head + "X-Slow: ", cutOff},
		"nothing at all":                          {headerLimit, "", cutOff},
		"a body that never ends":                  {body, head + "\r\n{\"half\":", `(?s)^HTTP/1\.1 400 .*could not be read to its end`},
		"a connection that is not used once more": {idle, "GET /none HTTP/1.1\r\nHost: x\r\n\r\n", `^HTTP/1\.1 404 `},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Regexp(t, c.want, exchange(t, limited(t, nil, c.limit), c.sent))
		})
	}
}

func testTLS(t *testing.T) *tls.Config {
	certFile, keyFile := filepath.Join(t.TempDir(), "tls.crt"), filepath.Join(t.TempDir(), "tls.key")
	selfSigned(t, certFile, keyFile, "api", time.Now())
	c, err := limits.OpenCertificate(certFile, keyFile)
	require.NoError(t, err)
	return c.Config(slog.New(slog.DiscardHandler))
}

func TestHTTPServer_ServesOnlyHTTP1OverTLS(t *testing.T) {
	address := limited(t, testTLS(t))
	dial := func(protocols ...string) (*tls.Conn, error) {
		return tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true, NextProtos: protocols})
	}
	conn, err := dial("h2", "http/1.1")
	require.NoError(t, err)
	defer conn.Close()
	require.Equal(t, "http/1.1", conn.ConnectionState().NegotiatedProtocol)
	_, err = fmt.Fprintf(conn, "GET /none HTTP/1.1\r\nHost: x\r\n\r\n")
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, 404, response.StatusCode)
	_, err = dial("h2")
	require.ErrorContains(t, err, "no application protocol")
	_, err = tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10})
	require.ErrorContains(t, err, "protocol version")
	require.Contains(t, exchange(t, address, "GET /none HTTP/1.1\r\nHost: x\r\n\r\n"), "Client sent an HTTP request to an HTTPS server", "plain text to a port with TLS")
	require.Empty(t, exchange(t, limited(t, testTLS(t), headerLimit)), "a handshake that never begins")
}

// TestPublicPort_ServesNoMetricsAndNoDebugPages asks for what debugging and measuring
// usually leave behind.
func TestPublicPort_ServesNoMetricsAndNoDebugPages(t *testing.T) {
	address := limited(t, nil)
	for _, path := range []string{
		"/metrics", "/metrics/", "/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/profile?seconds=1", "/debug/vars", "/debug/requests", "/debug/events",
		"/healthz/", "/healthz/live", "/livez/", "/readyz/more", "/openapi.json/", "/docs/secret", "/docs/../main.go", "/.env", "/config", "/status", "//metrics", "/%6detrics",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodHead, http.MethodOptions, http.MethodTrace, "PRI"} {
			answer := exchange(t, address, method+" "+path+" HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			require.Regexp(t, `^HTTP/1\.1 404 `, answer, method+" "+path)
			if method != http.MethodHead {
				require.Contains(t, answer, "UNKNOWN_OPERATION", method+" "+path)
			}
		}
	}
}

// TestRequestSchemas_BoundEveryList: the decoder makes room for as many elements as
// were sent, and so the schema must say how many may be.
func TestRequestSchemas_BoundEveryList(t *testing.T) {
	s := testServer(t)
	var walk func(where string, schema *huma.Schema)
	walk = func(where string, schema *huma.Schema) {
		if schema == nil {
			return
		}
		if schema.Ref != "" {
			schema = s.Schemas.Registry.SchemaFromRef(schema.Ref)
		}
		if schema.Type == huma.TypeArray {
			require.NotNil(t, schema.MaxItems, "%s needs maxItems", where)
			walk(where+"[]", schema.Items)
		}
		for _, branch := range schema.OneOf {
			walk(where, branch)
		}
		for name, property := range schema.Properties {
			walk(where+"."+name, property)
		}
	}
	for name, o := range s.operations {
		walk(name, s.Schemas.Describe(o.Request))
	}
}
