//go:build go1.25

package requisite

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// fake is the server of a client that uses the clock of the test.
type fake struct {
	answer func(attempt int) (*http.Response, error)
	at     []time.Duration // when each request came, from the first one on
	ahead  []int64         // how many seconds the timestamp of each was ahead of the clock
	nonces map[string]bool
	began  time.Time
}

func (f *fake) RoundTrip(q *http.Request) (*http.Response, error) {
	if f.nonces == nil {
		f.nonces, f.began = map[string]bool{}, time.Now()
	}
	f.at, f.nonces[q.Header.Get("X-API-Nonce")] = append(f.at, time.Since(f.began)), true
	stated, _ := strconv.ParseInt(q.Header.Get("X-API-Timestamp"), 10, 64)
	f.ahead = append(f.ahead, stated-time.Now().Unix())
	return f.answer(len(f.at))
}

func response(status int, body string, header ...string) (*http.Response, error) {
	r := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r, nil
}

// inTime runs a test with a clock that goes on when everybody waits.
func inTime(t *testing.T, f *fake, test func(t *testing.T, c *Client)) {
	synctest.Test(t, func(t *testing.T) {
		c, err := New("https://api.example.com", "sb_k", "c2VjcmV0", "token")
		if err != nil {
			t.Fatal(err)
		}
		c.HTTP.Transport = f
		test(t, c)
		if len(f.nonces) != len(f.at) {
			t.Errorf("%d attempts have %d nonces", len(f.at), len(f.nonces))
		}
	})
}

func TestRetry_WaitsTwiceAsLongEachTime(t *testing.T) {
	f := &fake{answer: func(attempt int) (*http.Response, error) {
		if attempt == 2 {
			return nil, errors.New("connection reset")
		}
		return response(503, unavailable)
	}}
	inTime(t, f, func(t *testing.T, c *Client) {
		if _, err := c.MetaCheckVersion(t.Context(), Empty{}); err == nil || len(f.at) != 5 {
			t.Fatal(err, f.at)
		}
		for i, longest := range []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second} {
			if wait := f.at[i+1] - f.at[i]; wait < longest/2 || wait > longest {
				t.Errorf("wait %d is %s, not between half of %s and all of it", i+1, wait, longest)
			}
		}
	})
}

func TestRetry_WaitsForRetryAfter(t *testing.T) {
	f := &fake{}
	f.answer = func(attempt int) (*http.Response, error) {
		switch attempt {
		case 1:
			return response(429, strings.Replace(unavailable, "UNAVAILABLE", "TOO_MANY_REQUESTS", 1), "Retry-After", "7")
		case 2:
			return response(503, "busy", "Retry-After", time.Now().Add(9*time.Second).UTC().Format(http.TimeFormat))
		}
		return response(200, done)
	}
	inTime(t, f, func(t *testing.T, c *Client) {
		if _, err := c.MetaCheckVersion(t.Context(), Empty{}); err != nil || len(f.at) != 3 || f.at[1] != 7*time.Second || f.at[2] != 16*time.Second {
			t.Fatal(err, f.at)
		}
	})
}

func TestRetry_EndsWithItsTotal(t *testing.T) {
	f := &fake{answer: func(int) (*http.Response, error) { return response(503, unavailable, "Retry-After", "10") }}
	inTime(t, f, func(t *testing.T, c *Client) {
		c.Retry.Attempts, c.Retry.Total = 100, 35*time.Second
		if _, err := c.MetaCheckVersion(t.Context(), Empty{}); err == nil || len(f.at) != 4 || time.Since(f.began) != 30*time.Second {
			t.Fatal(err, f.at, time.Since(f.began))
		}
	})
}

func TestRetry_CanBeTurnedOff(t *testing.T) {
	f := &fake{answer: func(int) (*http.Response, error) { return response(503, unavailable) }}
	inTime(t, f, func(t *testing.T, c *Client) {
		c.Retry = Retry{}
		if _, err := c.MetaCheckVersion(t.Context(), Empty{}); err == nil || len(f.at) != 1 {
			t.Fatal(err, f.at)
		}
	})
}

func TestRetry_EndsWithItsContext(t *testing.T) {
	f := &fake{answer: func(int) (*http.Response, error) { return response(503, unavailable, "Retry-After", "20") }}
	inTime(t, f, func(t *testing.T, c *Client) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		_, err := c.MetaCheckVersion(ctx, Empty{})
		var refused Error
		if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &refused) || refused.TraceID != "trc_2" || time.Since(f.began) != 3*time.Second {
			t.Fatal(err, time.Since(f.began))
		}
	})
}

// TestClock_IsCorrectedForOneCall, over TLS or to a loopback address, by a day at most.
func TestClock_IsCorrectedForOneCall(t *testing.T) {
	const tls, day = "https://api.example.com", 24 * 60 * 60
	for _, test := range []struct {
		baseURL    string
		difference int64
		corrected  bool
	}{
		{tls, day, true}, {tls, -day, true}, {tls, day + 1, false}, {tls, -day - 1, false}, {tls, 1 << 62, false}, {tls, 0, false},
		{"http://api.example.com", 3600, false}, {"http://127.0.0.1.example.com", 3600, false}, {"http://localhost.example.com", 3600, false},
		{"http://127.0.0.1:8080", 3600, true}, {"http://localhost:8080/v1", 3600, true}, {"http://[::1]:8080", 3600, true},
	} {
		for _, retry := range []Retry{{}, DefaultRetry()} {
			expired := `{"meta":{"status":"ERROR","trace_id":"t","version":"v"},"errors":[{"code":"AUTH_TIMESTAMP_EXPIRED","message":"m",` +
				`"server_time":"2027-01-15T09:00:00.000Z","difference_seconds":` + strconv.FormatInt(test.difference, 10) + `}]}`
			answers, want := []string{expired}, []int64{0}
			if test.corrected {
				want = append(want, test.difference)
				if retry.Attempts > 0 {
					answers, want = append(answers, unavailable), append(want, test.difference)
				}
				answers, want = append(answers, done, expired, expired), append(want, 0, test.difference)
			}
			f := &fake{answer: func(request int) (*http.Response, error) {
				if request > len(answers) {
					return nil, errors.New("this request was not expected")
				}
				text := answers[request-1]
				return response(map[string]int{expired: 401, unavailable: 503, done: 200}[text], text)
			}}
			inTime(t, f, func(t *testing.T, c *Client) {
				c.BaseURL, c.Retry = test.baseURL, retry
				if test.corrected {
					if _, err := c.MetaCheckVersion(t.Context(), Empty{}); err != nil {
						t.Fatal(test, err)
					}
				}
				_, err := c.MetaCheckVersion(t.Context(), Empty{}) // begins with its own clock, and corrects it once
				var refused Error
				if !errors.As(err, &refused) || refused.DifferenceSeconds != test.difference || refused.ServerTime != "2027-01-15T09:00:00.000Z" {
					t.Error(test, err)
				}
				if !slices.Equal(f.ahead, want) {
					t.Error(test, f.ahead, want)
				}
			})
		}
	}
}

func TestError_NamesBothPathsOfASignature(t *testing.T) {
	c, _ := serve(t, answer(401, `{"meta":{"status":"ERROR","trace_id":"t","version":"v"},"errors":[{"code":"AUTH_SIGNATURE_MISMATCH","message":"m","received_path":"/meta.checkVersion"}]}`))
	_, err := c.MetaCheckVersion(t.Context(), Empty{})
	if err == nil || err.Error() != "AUTH_SIGNATURE_MISMATCH: m\n- The client signed the path /v1/meta.checkVersion, and /meta.checkVersion arrived." {
		t.Error(err)
	}
}
