//go:build deep

package webhooks_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/operatorservice/v1"

	"requisite/e2e/harness"
)

// TestNamespace_WithoutWhatRunsNeed, although Temporal responds: programs that run are not ready, and none starts.
func TestNamespace_WithoutWhatRunsNeed(t *testing.T) {
	t.Parallel()
	s := ownStack(t)
	refuses := func(text string) {
		s.Await(t, "the api not to start: "+text, func(context.Context) error {
			out, err := s.Command(append(s.Environment(), "DATABASE_URL="+harness.AsProgram(s.DatabaseURL, "api")), "api", "--listen", "127.0.0.1:0").CombinedOutput()
			require.Error(t, err)
			if !strings.Contains(string(out), text) { // a slow machine may not reach Postgres or Temporal in time
				return errors.New(string(out))
			}
			return nil
		})
	}
	_, err := s.Temporal(t).OperatorService().RemoveSearchAttributes(t.Context(), &operatorservice.RemoveSearchAttributesRequest{Namespace: "requisite", SearchAttributes: []string{"TraceId"}})
	require.NoError(t, err)
	const lacks = "namespace requisite at Temporal lacks the search attributes TraceId; run `starter migrate`, or add them (docs/operating/temporal.md)\n"
	s.awaitReadiness(http.StatusServiceUnavailable, lacks)
	refuses(lacks)
	out, err := s.Starter("migrate").CombinedOutput()
	require.NoError(t, err, "%s", out)
	s.awaitReadiness(http.StatusOK, "")

	_, err = s.Temporal(t).OperatorService().DeleteNamespace(t.Context(), &operatorservice.DeleteNamespaceRequest{Namespace: "requisite"})
	require.NoError(t, err)
	s.awaitReadiness(http.StatusServiceUnavailable, "no namespace requisite at Temporal; run `starter migrate`\n")
	refuses("no namespace requisite at Temporal")
}
