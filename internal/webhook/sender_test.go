package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

func testSender(t *testing.T, o SenderOptions) *Sender {
	s := NewSender(NewGuard(DefaultPorts(), loopback), o)
	s.noAddressStep = time.Millisecond
	t.Cleanup(s.Close)
	return s
}

func post(t *testing.T, s *Sender, url string) Result {
	return s.Post(t.Context(), url, Header("wh_1", time.Now(), ""), []byte(`{}`))
}

func TestWhatAnEndpointMayAnswer(t *testing.T) {
	var followed atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/followed", func(http.ResponseWriter, *http.Request) { followed.Add(1) })
	for _, code := range []int{301, 302, 303, 307, 308} {
		mux.HandleFunc(fmt.Sprintf("/%d", code), func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/followed", code) })
	}
	mux.HandleFunc("/busy", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "120")
		w.WriteHeader(503)
	})
	mux.HandleFunc("/gigabytes", func(w http.ResponseWriter, _ *http.Request) {
		block := bytes.Repeat([]byte("x"), 1<<16)
		for range 1 << 15 { // two gigabytes, were they read
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/garbage", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("\xff\xfe\x00 ok"))
	})
	mux.HandleFunc("/bomb", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write([]byte("not gzip at all"))
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	s := testSender(t, SenderOptions{})

	for _, code := range []int{301, 302, 303, 307, 308} {
		got := post(t, s, server.URL+fmt.Sprintf("/%d", code))
		require.Equal(t, code, got.StatusCode)
		require.Equal(t, TryAgain, Classify(got.StatusCode))
	}
	require.Zero(t, followed.Load(), "no redirect is followed")
	require.Equal(t, 2*time.Minute, post(t, s, server.URL+"/busy").RetryAfter)

	started := time.Now()
	big := post(t, s, server.URL+"/gigabytes")
	require.Equal(t, 200, big.StatusCode)
	require.Len(t, big.Body, AnswerLimit)
	require.Empty(t, big.Error)
	require.Less(t, time.Since(started), 10*time.Second, "the rest is not read")
	garbage := post(t, s, server.URL+"/garbage")
	require.Regexp(t, `^\?+ ok$`, garbage.Body)
	require.Equal(t, "not gzip at all", post(t, s, server.URL+"/bomb").Body, "nothing is decompressed")
	require.Equal(t, server.Listener.Addr().String(), garbage.Address)
}

// TestErrorsDoNotQuoteTheAnswer: an answer may echo what was sent, and errors are
// kept where answers are not.
func TestErrorsDoNotQuoteTheAnswer(t *testing.T) {
	for _, answer := range []string{
		"Quillfeather\r\n\r\n", "HTTP/Quillfeather 200 OK\r\n\r\n", "HTTP/1.1 Quillfeather\r\n\r\n", "HTTP/1.1 200 OK\r\nQuillfeather\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: Quillfeather\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: Quillfeather\r\n\r\n",
		"HTTP/1.1 302 Found\r\nLocation: http://Quillfeather:x/\r\nContent-Length: 0\r\n\r\n",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = conn.Write([]byte(answer))
			_ = conn.Close()
		}))
		result := post(t, testSender(t, SenderOptions{}), server.URL)
		server.Close()
		require.Equal(t, "the answer is not valid HTTP", result.Error, "%q", answer)
	}
}

func TestTheWholeAttemptIsBounded(t *testing.T) {
	release := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/never", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/trickle", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(200)
		for {
			if _, err := w.Write([]byte("x")); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-time.After(20 * time.Millisecond):
			case <-release:
				return
			case <-r.Context().Done():
				return
			}
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	defer close(release)
	s := testSender(t, SenderOptions{Timeout: 300 * time.Millisecond})
	for _, path := range []string{"/never", "/trickle"} {
		got := post(t, s, server.URL+path)
		require.Equal(t, FailureTimeout, got.Error, path)
	}
}

func TestBrokenConnections(t *testing.T) {
	var hits atomic.Int32
	garbage := listen(t, func(c net.Conn) {
		hits.Add(1)
		_, _ = c.Read(make([]byte, 4096))
		_, _ = c.Write([]byte("SSH-2.0-OpenSSH_9.2\r\n"))
	})
	s := testSender(t, SenderOptions{})
	got := post(t, s, "http://"+garbage)
	require.NotEmpty(t, got.Error)
	require.Zero(t, got.StatusCode)
	require.EqualValues(t, 1, hits.Load(), "what may have reached the receiver is not repeated")

	hits.Store(0)
	closing := listen(t, func(net.Conn) { hits.Add(1) })
	got = post(t, s, "https://"+closing)
	require.NotEmpty(t, got.Error)
	require.EqualValues(t, 3, hits.Load(), "a broken handshake is tried again twice")

	refusing, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := refusing.Addr().String()
	require.NoError(t, refusing.Close())
	got = post(t, s, "http://"+address+"/secret-path")
	require.Equal(t, FailureRefused, got.Error)
	require.Equal(t, address, got.Address)
	require.Less(t, got.Duration, 2*time.Second)

	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	require.Equal(t, FailureCertificateSigner, post(t, s, server.URL).Error)
	require.Equal(t, 404, post(t, testSender(t, SenderOptions{Roots: trust(server)}), server.URL).StatusCode)
}

func listen(t *testing.T, serve func(net.Conn)) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serve(c)
			_ = c.Close()
		}
	}()
	return l.Addr().String()
}

// TestAResolverThatChangesItsAnswer: a name that was public when somebody looked
// at it and is not when it is dialed gets no connection.
func TestAResolverThatChangesItsAnswer(t *testing.T) {
	var hits atomic.Int32
	internal := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer internal.Close()
	var answer atomic.Pointer[string]
	answers := func(address string) { answer.Store(&address) }
	resolver := fakeDNS(t, func() netip.Addr { return netip.MustParseAddr(*answer.Load()) })
	closed := NewSender(NewGuard([]uint16{netip.MustParseAddrPort(internal.Listener.Addr().String()).Port()}, nil), SenderOptions{Resolver: resolver})
	closed.noAddressStep = time.Millisecond
	defer closed.Close()
	_, port, _ := net.SplitHostPort(internal.Listener.Addr().String())
	for _, hostile := range []string{"127.0.0.1", "10.0.0.1", "169.254.169.254"} {
		answers(hostile)
		got := post(t, closed, "https://rebound.example:"+port+"/")
		require.Equal(t, FailureNoAddress, got.Error, hostile)
		require.Empty(t, got.Address, hostile)
	}
	require.Zero(t, hits.Load())
	// With the allow list the same name works: it was the guard that refused.
	answers("127.0.0.1")
	open := testSender(t, SenderOptions{Resolver: resolver})
	require.Equal(t, 200, post(t, open, "http://rebound.example:"+port+"/").StatusCode)
	require.EqualValues(t, 1, hits.Load())
}

func TestProxiesOfTheEnvironmentAreNotUsed(t *testing.T) {
	var hits atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer proxy.Close()
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"} {
		t.Setenv(name, proxy.URL)
	}
	s := testSender(t, SenderOptions{Resolver: fakeDNS(t, func() netip.Addr { return netip.MustParseAddr("10.0.0.1") })})
	require.Equal(t, FailureNoAddress, post(t, s, "http://rebound.example/").Error)
	require.Zero(t, hits.Load())
}

// fakeDNS answers every question for an address with the one it is given, and with
// none when that is not valid.
func fakeDNS(t *testing.T, answer func() netip.Addr) *net.Resolver {
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Close() })
	go func() {
		buffer := make([]byte, 512)
		for {
			n, from, err := server.ReadFrom(buffer)
			if err != nil {
				return
			}
			question := buffer[12:n]
			end := bytes.IndexByte(question, 0) + 5
			kind := binary.BigEndian.Uint16(question[end-4:])
			reply := append([]byte{buffer[0], buffer[1], 0x84, 0, 0, 1, 0, 0, 0, 0, 0, 0}, question[:end]...)
			if address := answer(); !address.IsValid() {
				reply[3] = 3 // there is no such name
			} else if kind == 1 {
				reply[7] = 1
				address := address.As4()
				reply = append(reply, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
				reply = append(reply, address[:]...)
			}
			_, _ = server.WriteTo(reply, from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

func TestNothingOlderThanTLS12(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}
	server.StartTLS()
	defer server.Close()
	require.Equal(t, FailureOldTLS, post(t, testSender(t, SenderOptions{Roots: trust(server)}), server.URL).Error)
}
