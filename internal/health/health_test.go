package health

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

var errAway = errors.New("no answer from Postgres")

// asked is the answer of the probes whose check is as given.
func asked(check Check, method, path string) (status int, text string) {
	mux := http.NewServeMux()
	Handle(mux, check, func() []Fact { return []Fact{{"program", "worker"}} })
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w.Code, w.Body.String()
}

func TestLivez_SucceedsWithoutDependencies(t *testing.T) {
	lacking := func(context.Context) error { return errAway }
	status, text := asked(lacking, http.MethodGet, "/livez")
	require.Equal(t, 200, status)
	require.Equal(t, "ok\n", text)
	for _, path := range []string{"/readyz", "/healthz"} {
		status, text = asked(lacking, http.MethodGet, path)
		require.Equal(t, 503, status, path)
		require.Equal(t, "no answer from Postgres\n", text, path)
		status, text = asked(func(context.Context) error { return nil }, http.MethodGet, path)
		require.Equal(t, 200, status, path)
		require.Equal(t, "ok\nprogram: worker\n", text, path)
	}
	status, _ = asked(lacking, http.MethodPost, "/livez")
	require.Equal(t, 405, status)
	status, _ = asked(lacking, http.MethodGet, "/livez/more")
	require.Equal(t, 404, status)
}

func TestLivez_ChecksNoDependency(t *testing.T) {
	status, _ := asked(func(context.Context) error { panic("asked") }, http.MethodHead, "/livez")
	require.Equal(t, 200, status)
}

func TestReadyz_ReusesAResultForASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var checks int
		answer := errAway
		ready := Cached(func(context.Context) error { checks++; return answer })
		require.ErrorIs(t, ready(t.Context()), errAway)
		answer = nil
		time.Sleep(life - time.Nanosecond)
		require.ErrorIs(t, ready(t.Context()), errAway)
		require.Equal(t, 1, checks)
		time.Sleep(time.Nanosecond)
		require.NoError(t, ready(t.Context()))
		require.Equal(t, 2, checks)
	})
}

func TestReadyz_ConcurrentRequestsShareACheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var checks atomic.Int32
		ready := Cached(func(ctx context.Context) error {
			checks.Add(1)
			<-ctx.Done() // it hangs
			return errAway
		})
		begun := time.Now()
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() { require.ErrorIs(t, ready(t.Context()), errAway) })
		}
		all.Wait()
		require.Equal(t, Patience, time.Since(begun), "a check that hangs ends, once for all")
		require.EqualValues(t, 1, checks.Load())
	})
}

func TestReadyz_CanceledRequestDoesNotFailOthers(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	ready := Cached(func(ctx context.Context) error { return ctx.Err() })
	require.NoError(t, ready(gone))
	require.NoError(t, ready(t.Context()))
}

func TestListen_AddressInUseNamesItsSetting(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	address, stop, err := Serve(t.Context(), "health checks", "health-listen", "127.0.0.1:0", http.HandlerFunc(Live), log)
	require.NoError(t, err)
	response, err := http.Get("http://" + address + "/livez")
	require.NoError(t, err)
	text, err := io.ReadAll(response.Body)
	require.NoError(t, errors.Join(err, response.Body.Close()))
	require.Equal(t, "ok\n", string(text))
	_, _, err = Serve(t.Context(), "health checks", "health-listen", address, http.HandlerFunc(Live), log)
	require.ErrorContains(t, err, "listen for health checks on "+address)
	require.ErrorContains(t, err, "--health-listen names another address")
	stop()
	_, err = http.Get("http://" + address + "/livez") //nolint:bodyclose // there is none
	require.Error(t, err)
	address, stop, err = Serve(t.Context(), "health checks", "health-listen", "", nil, log)
	require.NoError(t, err)
	require.Empty(t, address)
	stop()
}
