package server

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/api/limits"
	"requisite/internal/limiter"
	"requisite/internal/testkit/await"
)

// connection is a TCP connection, with TLS or without.
type connection interface {
	net.Conn
	CloseWrite() error
}

// served serves the tenant's api as the program does. ended is closed when net/http has
// noticed that a caller sends no more.
func (c refusing) served(secure bool) (open func() connection, ended <-chan struct{}) {
	noticed := make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		context.AfterFunc(r.Context(), func() { close(noticed) })
		c.Server.ServeHTTP(w, r)
	})
	server := httptest.NewUnstartedServer(handler)
	server.Config = limits.NewHTTPServer(handler, time.Hour, slog.New(slog.DiscardHandler))
	server.Listener = limits.LimitConnections(server.Listener, 10)
	roots := x509.NewCertPool()
	if secure {
		server.StartTLS()
		roots.AddCert(server.Certificate())
	} else {
		server.Start()
	}
	c.Cleanup(server.Close)
	return func() connection {
		conn := dial(c.T, server.Listener.Addr().String())
		if !secure {
			return conn.(*net.TCPConn)
		}
		over := tls.Client(conn, &tls.Config{RootCAs: roots, ServerName: "example.com"})
		require.NoError(c, over.HandshakeContext(await.Context(c.T)))
		return over
	}, noticed
}

// sendOn sends a whole signed request.
func (c refusing) sendOn(conn net.Conn, operation, body string) {
	r := httptest.NewRequest(http.MethodPost, "/"+operation, strings.NewReader(body))
	r.Header = c.signed(operation, body)
	require.NoError(c, r.Write(conn))
}

// TestHalfClosedConnection_GetsItsAnswer: the caller has sent its request, and closes its
// sending side while the request waits for a slot.
func TestHalfClosedConnection_GetsItsAnswer(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{"account.get", "webhook.key.create"} {
		for _, secure := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, TLS %t", operation, secure), func(t *testing.T) {
				t.Parallel()
				c := whole(t)
				c.patience = time.Hour
				slots := map[string]*limiter.Limiter{"account.get": c.Requests, "webhook.key.create": c.Runs}[operation]
				release, err := slots.Wait(t.Context(), c.organization.String(), 0)
				require.NoError(t, err)
				open, ended := c.served(secure)
				conn := open()
				c.sendOn(conn, operation, c.named())
				becomes(t, "requests that wait for a slot", 1, func() int { return slots.Stat().Waiting })
				require.NoError(t, conn.CloseWrite())
				await.Closed(t, "net/http to notice the end", ended)
				release()
				response, err := http.ReadResponse(bufio.NewReader(conn), nil)
				require.NoError(t, err)
				defer response.Body.Close()
				body, err := io.ReadAll(response.Body)
				require.NoError(t, err)
				require.Equal(t, 200, response.StatusCode, "%s", body)
			})
		}
	}
}

// TestBrokenConnection_IsGivenUp: its request leaves the queue for a slot.
func TestBrokenConnection_IsGivenUp(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{false, true} {
		t.Run(fmt.Sprintf("TLS %t", secure), func(t *testing.T) {
			t.Parallel()
			c := whole(t)
			release, err := c.Requests.Wait(t.Context(), c.organization.String(), 0)
			require.NoError(t, err)
			defer release()
			open, ended := c.served(secure)
			conn := open()
			c.sendOn(conn, "account.get", c.named())
			waiting := func() int { return c.Requests.Stat().Waiting }
			becomes(t, "requests that wait for a slot", 1, waiting)
			below := net.Conn(conn)
			if over, secured := below.(*tls.Conn); secured {
				below = over.NetConn()
			}
			tcp, is := below.(*net.TCPConn)
			require.True(t, is)
			require.NoError(t, errors.Join(tcp.SetLinger(0), tcp.Close())) // a reset
			await.Closed(t, "net/http to notice the end", ended)
			becomes(t, "requests that wait for a slot", 0, waiting)
		})
	}
}

// TestInvalidHTTP_IsRefusedWithoutTheEnvelope, as the page says.
func TestInvalidHTTP_IsRefusedWithoutTheEnvelope(t *testing.T) {
	t.Parallel()
	c := whole(t)
	open, _ := c.served(false)
	page := fetch(t, "/docs/errors").Body.String()
	for status, request := range map[int]string{
		400: "POST /account.get HTTP/1.1\r\n\r\n",
		417: "POST /account.get HTTP/1.1\r\nHost: x\r\nExpect: more\r\n\r\n",
		431: "POST /account.get HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("x", 64<<10) + "\r\n\r\n",
		501: "POST /account.get HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
		505: "POST /account.get HTTP/3.0\r\nHost: x\r\n\r\n",
	} {
		conn := open()
		_, _ = io.WriteString(conn, request) // the server may answer and close before it has read all
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err, status)
		require.NoError(t, response.Body.Close())
		require.Equal(t, status, response.StatusCode)
		require.NotEqual(t, "application/json", response.Header.Get("Content-Type"))
		require.True(t, response.Close, "%d closes the connection", status)
		require.Contains(t, page, fmt.Sprintf("%d for ", status))
	}
}
