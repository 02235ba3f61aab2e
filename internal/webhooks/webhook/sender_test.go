package webhook

import (
	"bytes"
	"context"
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

	"requisite/internal/testkit/await"
	"requisite/internal/webhooks/delivery"
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

func TestAnswer_IsReadToItsLimitAndNotFollowed(t *testing.T) {
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
	cutOff := make(chan error, 1)
	mux.HandleFunc("/endless", func(w http.ResponseWriter, _ *http.Request) {
		block := bytes.Repeat([]byte("x"), 1<<16)
		for {
			if _, err := w.Write(block); err != nil {
				cutOff <- err
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
		require.Equal(t, delivery.Failure, delivery.Classify(got.StatusCode))
	}
	require.Zero(t, followed.Load(), "no redirect is followed")
	require.Equal(t, 2*time.Minute, post(t, s, server.URL+"/busy").RetryAfter)

	big := post(t, s, server.URL+"/endless")
	require.Equal(t, 200, big.StatusCode)
	require.Len(t, big.Body, AnswerLimit)
	require.Empty(t, big.Error)
	await.Next(t, "the end of the connection: the rest is not read", cutOff)
	garbage := post(t, s, server.URL+"/garbage")
	require.Regexp(t, `^\?+ ok$`, garbage.Body)
	require.Equal(t, "not gzip at all", post(t, s, server.URL+"/bomb").Body, "nothing is decompressed")
	require.Equal(t, server.Listener.Addr().String(), garbage.Address)
}

// An answer may repeat the request, and errors are kept longer than answers.
func TestFailure_DoesNotQuoteTheAnswer(t *testing.T) {
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

func TestBrokenConnection_IsRetriedUnlessItHasCarriedTheRequest(t *testing.T) {
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
	require.Positive(t, got.Duration)
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

func TestSender_IgnoresProxyVariables(t *testing.T) {
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
