//go:build deep

package outages_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
)

// TestFailover_WritesResume without a restart of a program, on a server that was a standby.
func TestFailover_WritesResume(t *testing.T) {
	for name, end := range map[string]func(*testing.T, stack){
		"the first server stops": func(t *testing.T, s stack) { s.StopPostgres(t) },
		"the first server becomes read-only": func(t *testing.T, s stack) {
			s.Superuser(t, s.SuperuserURL("postgres"), `ALTER SYSTEM SET default_transaction_read_only = on`, `SELECT pg_reload_conf()`)
			s.awaitUnready(t, "Postgres is read-only")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := stack{harness.NewStopped(t, harness.Options{}, harness.Impatient)}
			second := s.StartStandby(t)
			s.StartPrograms(t)
			w := s.Application(t)
			s.Eventually(t, "workflow.requiredDocument.calculate", w)

			end(t, s)
			answer := s.Send(t, "workflow.requiredDocument.calculate", w)
			require.Contains(t, []int{http.StatusServiceUnavailable, http.StatusGatewayTimeout}, answer.HTTPStatus, "%s", answer.Body)
			second.Promote(t, s.Stack)
			s.Eventually(t, "workflow.requiredDocument.calculate", w)
			other := s.Application(t)
			s.Eventually(t, "workflow.requiredDocument.calculate", other)
			require.Len(t, s.Documents(t, w), 1, "what was answered before is there")
			for _, program := range []string{"api", "worker"} {
				s.AwaitMetrics(t, program, "requisite_healthy 1")
			}
		})
	}
}

// TestReadOnlyDatabase_IsNoticedAndRecovers: connections that were opened while the
// database was read-only stay so, and are replaced once it can be written.
func TestReadOnlyDatabase_IsNoticedAndRecovers(t *testing.T) {
	s := newStack(t)
	w := s.Application(t)
	var name string
	require.NoError(t, s.Query(t.Context(), `SELECT current_database()`, &name))
	admin := s.SuperuserURL("postgres")
	reset := `ALTER DATABASE ` + name + ` RESET default_transaction_read_only`
	t.Cleanup(func() { s.Superuser(t, admin, reset) })
	s.Superuser(t, admin, `ALTER DATABASE `+name+` SET default_transaction_read_only = on`,
		`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '`+name+`' AND pid <> pg_backend_pid()`)
	s.awaitUnready(t, "Postgres is read-only")
	answer := s.Send(t, "workflow.requiredDocument.calculate", w)
	require.Equal(t, http.StatusServiceUnavailable, answer.HTTPStatus, "%s", answer.Body)

	s.Superuser(t, admin, reset)
	s.Eventually(t, "workflow.requiredDocument.calculate", w)
	require.Len(t, s.Documents(t, w), 1)
	for _, program := range []string{"api", "worker"} {
		s.AwaitMetrics(t, program, "requisite_healthy 1")
	}
}

// awaitUnready waits until both programs give a reason why they are not ready.
func (s stack) awaitUnready(t *testing.T, reason string) {
	t.Helper()
	for _, program := range []string{"api", "worker"} {
		s.Await(t, program+" to be unready", func(ctx context.Context) error {
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Metrics[program]+"/readyz", nil)
			if err != nil {
				return err
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				return err
			}
			defer response.Body.Close()
			text, err := io.ReadAll(response.Body)
			if err == nil && !strings.Contains(string(text), reason) {
				err = fmt.Errorf("it says %q", text)
			}
			return err
		})
		s.AwaitMetrics(t, program, "requisite_healthy 0")
	}
}
