package webhook

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/testkit/await"
)

// receiver is a server of raw connections. answer gets the number of the connection and of
// the request on it, both from 1, and returns what to write, and whether to close then.
func receiver(t *testing.T, answer func(connection, request int32) (text string, closes bool)) (address string, requests *atomic.Int32) {
	requests = new(atomic.Int32)
	var connections atomic.Int32
	e := rawEndpoint(t, nil, func(c net.Conn, _ <-chan struct{}) {
		defer c.Close()
		number, reader := connections.Add(1), bufio.NewReader(c)
		for request := int32(1); ; request++ {
			got, err := http.ReadRequest(reader)
			if err != nil {
				return
			}
			if _, err := io.Copy(io.Discard, got.Body); err != nil {
				return
			}
			requests.Add(1)
			text, closes := answer(number, request)
			if _, err := io.WriteString(c, text); err != nil || closes {
				return
			}
		}
	})
	return e.address, requests
}

const noContent = "HTTP/1.1 204 No Content\r\n\r\n"

func TestReusedConnection_ThatEndsWithoutAnAnswerIsRepeatedOnceOnANewOne(t *testing.T) {
	for _, c := range []struct {
		name     string
		answer   func(connection, request int32) (string, bool)
		status   int
		failure  string
		requests int32
	}{
		{"a kept connection ends, a new one answers", func(_, request int32) (string, bool) {
			if request == 1 {
				return noContent, false
			}
			return "", true
		}, 204, "", 3},
		{"both end", func(connection, request int32) (string, bool) {
			if connection == 1 && request == 1 {
				return noContent, false
			}
			return "", true
		}, 0, FailureClosed, 3},
		{"an answer has begun", func(_, request int32) (string, bool) {
			if request == 1 {
				return noContent, false
			}
			return "HTTP/1.1 204 No Content\r\nX-Cut: ", true
		}, 0, FailureClosed, 2},
		{"an interim answer has come", func(_, request int32) (string, bool) {
			if request == 1 {
				return noContent, false
			}
			return "HTTP/1.1 102 Processing\r\n\r\n", true
		}, 0, FailureClosed, 2},
		{"the answer is no HTTP", func(_, request int32) (string, bool) {
			if request == 1 {
				return noContent, false
			}
			return "SSH-2.0-OpenSSH_9.2\r\n", true
		}, 0, FailureInvalid, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			address, requests := receiver(t, c.answer)
			s := testSender(t, SenderOptions{})
			require.Equal(t, 204, post(t, s, "http://"+address).StatusCode)
			got := post(t, s, "http://"+address)
			require.Equal(t, c.status, got.StatusCode)
			require.Equal(t, c.failure, got.Error)
			require.Equal(t, address, got.Address)
			require.Equal(t, c.requests, requests.Load())
		})
	}
}

// Several connections to a receiver may be idle when it closes all of them.
func TestRepeat_NeverUsesAnotherIdleConnection(t *testing.T) {
	const idle = 5
	first := make(chan struct{})
	arrived := make(chan struct{}, idle)
	address, requests := receiver(t, func(connection, request int32) (string, bool) {
		switch {
		case connection > idle:
			return noContent, false
		case request == 1:
			arrived <- struct{}{}
			<-first
			return noContent, false
		}
		return "", true
	})
	s := testSender(t, SenderOptions{})
	var results []<-chan Result
	for range idle {
		results = append(results, startAttempt(t.Context(), s, "http://"+address, []byte(`{}`)))
	}
	for range idle {
		await.Next(t, "the first requests", arrived)
	}
	close(first)
	for _, result := range results {
		require.Equal(t, 204, await.Next(t, "an answer", result).StatusCode)
	}
	require.Equal(t, 204, post(t, s, "http://"+address).StatusCode)
	require.EqualValues(t, idle+2, requests.Load())
}

// The name may lead elsewhere by the time of the repeat.
func TestRepeat_AsksTheGuardAgain(t *testing.T) {
	var moved atomic.Bool
	address, requests := receiver(t, func(_, request int32) (string, bool) {
		if request == 1 {
			return noContent, false
		}
		moved.Store(true)
		return "", true
	})
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	s := testSender(t, SenderOptions{Resolver: fakeDNS(t, func() netip.Addr {
		if moved.Load() {
			return netip.MustParseAddr("10.0.0.1")
		}
		return netip.MustParseAddr("127.0.0.1")
	})})
	require.Equal(t, 204, post(t, s, "http://hooks.example:"+port).StatusCode)
	got := post(t, s, "http://hooks.example:"+port)
	require.Equal(t, FailureNoAddress, got.Error)
	require.Empty(t, got.Address)
	require.EqualValues(t, 2, requests.Load())
}

// The time of an attempt includes its repeat.
func TestRepeat_EndsWithTheAttempt(t *testing.T) {
	hang := make(chan struct{})
	address, requests := receiver(t, func(connection, request int32) (string, bool) {
		switch {
		case connection == 1 && request == 1:
			return noContent, false
		case connection == 1:
			return "", true
		}
		<-hang
		return "", true
	})
	t.Cleanup(func() { close(hang) }) // before the receiver waits for its connections
	s := testSender(t, SenderOptions{})
	require.Equal(t, 204, post(t, s, "http://"+address).StatusCode)
	s.timeout = shortAttempt
	require.Equal(t, FailureTimeout, post(t, s, "http://"+address).Error)
	require.LessOrEqual(t, requests.Load(), int32(3))
}
