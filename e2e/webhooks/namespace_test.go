//go:build deep

package webhooks_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/operatorservice/v1"
)

// TestWorkerWithoutANamespace_IsNotReady, although Temporal responds.
func TestWorkerWithoutANamespace_IsNotReady(t *testing.T) {
	t.Parallel()
	s := ownStack(t)
	_, err := s.Temporal(t).OperatorService().DeleteNamespace(t.Context(), &operatorservice.DeleteNamespaceRequest{Namespace: "requisite"})
	require.NoError(t, err)
	s.awaitReadiness(http.StatusServiceUnavailable, "no namespace requisite at Temporal\n")
}
