package webhooks_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// ask returns the worker's response at the address of its metrics.
func (s *stack) ask(ctx context.Context, path string) (status int, text string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Metrics["worker"]+path, nil)
	if err != nil {
		return 0, "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, string(body), err
}

// awaitReadiness waits until /readyz of the worker has this response.
func (s *stack) awaitReadiness(status int, text string) {
	s.t.Helper()
	s.Await(s.t, fmt.Sprintf("the worker to answer %d %q", status, text), func(ctx context.Context) error {
		got, said, err := s.ask(ctx, "/readyz")
		if err == nil && (got != status || text != "" && said != text) {
			err = fmt.Errorf("it answers %d %q", got, said)
		}
		return err
	})
}

// TestStoppingWorker_IsAliveAndNotReady keeps an attempt in flight while the worker stops.
// The worker serves its metrics until its end.
func TestStoppingWorker_IsAliveAndNotReady(t *testing.T) {
	s := newStack(t)
	s.awaitReadiness(http.StatusOK, "")
	release := make(chan struct{})
	k := s.sink(held(release, status(http.StatusNoContent)), "WEBHOOK_TEST")
	k.test(1)
	k.await("the attempt", count(1))
	s.Worker.Signal(t, syscall.SIGTERM)
	s.awaitReadiness(http.StatusServiceUnavailable, "the program is starting or stopping\n")
	status, _, err := s.ask(t.Context(), "/livez")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status, "no supervisor may restart it while it finishes its work")
	status, _, err = s.ask(t.Context(), "/metrics")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status, "a stopping worker serves its metrics")
	close(release)
	s.Worker.Stop(t)
}
