package server

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"requisite/api/limits"
	"requisite/internal/requests/wire"
	"requisite/internal/testkit/await"
)

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

// answerTo sends a request, and reads status, error code and Retry-After of the response.
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

func TestUnverifiedBodies_AreLimitedInAll(t *testing.T) {
	s := testServer(func(set *Settings) { set.MaxBodies = 4 * limits.LargestBody })
	server := httptest.NewServer(s)
	defer server.Close()
	address := strings.TrimPrefix(server.URL, "http://")
	held := func() int { return s.Limiters.Bodies.Unverified.Stat().InUse }
	const head = "POST /account.documentRules.publish HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	announced := head + "Content-Length: 1048576\r\n\r\n"
	half := announced + strings.Repeat("x", 600<<10)
	chunked := head + "Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n", 600<<10) + strings.Repeat("x", 600<<10) + "\r\n"
	var open []net.Conn
	hold := func(text string) {
		conn := dial(t, address)
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
	becomes(t, "the second body to grow as well", true, func() bool { return held() >= 2<<20 })
	status, code, retry := answerTo(t, dial(t, address), half)
	require.Equal(t, []any{503, "UNAVAILABLE", "1"}, []any{status, code, retry})
	status, code, _ = answerTo(t, dial(t, address), head+"Content-Length: 9999999\r\n\r\n")
	require.Equal(t, []any{413, "REQUEST_TOO_LARGE"}, []any{status, code}, "413 takes precedence over 503")
	for _, conn := range open {
		_ = conn.Close()
	}
	becomes(t, "bytes of bodies", 0, held)
	status, code, _ = answerTo(t, dial(t, address), announced+strings.Repeat("x", 1<<20))
	require.Equal(t, []any{401, "AUTH_MISSING_HEADER"}, []any{status, code})
	require.Zero(t, held())
}

func TestBody_ThatEndsEarlyIsABadRequest(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/account.get", io.MultiReader(strings.NewReader("{"), iotest.ErrReader(errors.New("timeout"))))
	r.ContentLength = 9
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	testServer().ServeHTTP(w, r)
	require.Equal(t, 400, w.Code)
	require.Contains(t, w.Body.String(), "could not be read to its end")
}
