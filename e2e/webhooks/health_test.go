package webhooks_test

import (
	"context"
	"io"
	"net/http"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/operatorservice/v1"

	"requisite/e2e/parts"
)

// ask gives what the worker answers at the address of its metrics.
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

// TestAWorkerThatStopsSaysSo keeps an attempt in flight while the worker is
// told to stop: its metrics are served until the end, and it is not healthy.
func TestAWorkerThatStopsSaysSo(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.Poll(t, "the worker does not become healthy", func(ctx context.Context) (bool, error) {
		status, _, err := s.ask(ctx, "/readyz")
		return status == http.StatusOK, err
	})
	release := make(chan struct{})
	letGo := sync.OnceFunc(func() { close(release) })
	defer letGo()
	held := make(chan struct{}, 100)
	k := s.sink(func(w http.ResponseWriter, _ *http.Request) {
		held <- struct{}{}
		<-release
		w.WriteHeader(http.StatusNoContent)
	}, "WEBHOOK_TEST")
	s.Must(s.t, "webhook.config.test", parts.Object{"config_id": k.ConfigID}, nil)
	<-held
	s.Worker.Signal(t, syscall.SIGTERM)
	s.Poll(t, "the worker does not say that it stops", func(ctx context.Context) (bool, error) {
		status, text, err := s.ask(ctx, "/readyz")
		return status == http.StatusServiceUnavailable && text == "it is starting or stopping\n", err
	})
	status, _, err := s.ask(t.Context(), "/livez")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status, "nothing restarts it while it finishes its work")
	status, _, err = s.ask(t.Context(), "/metrics")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status, "what it still does is measured")
	letGo()
	s.Worker.Stop(t)
}

// TestAWorkerWithoutANamespaceIsNotHealthy: Temporal answers, and gives no work.
func TestAWorkerWithoutANamespaceIsNotHealthy(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	_, err := s.Temporal(t).OperatorService().DeleteNamespace(t.Context(), &operatorservice.DeleteNamespaceRequest{Namespace: "requisite"})
	require.NoError(t, err)
	s.Poll(t, "the worker stays healthy", func(ctx context.Context) (bool, error) {
		status, text, err := s.ask(ctx, "/readyz")
		return status == http.StatusServiceUnavailable && text == "no namespace requisite at Temporal\n", err
	})
}
