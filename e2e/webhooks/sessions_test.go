//go:build deep

package webhooks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"

	"requisite/e2e/harness"
)

// TestBacklog_TakesFewSessions: successful deliveries cost Temporal almost nothing.
func TestBacklog_TakesFewSessions(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	k := s.sink(nil, "WEBHOOK_TEST")
	s.Must(t, "webhook.config.update", harness.Object{"config_id": k.ConfigID, "config": harness.Object{"status": "DISABLED"}}, nil)
	k.test(300)
	s.Must(t, "webhook.config.update", harness.Object{"config_id": k.ConfigID, "config": harness.Object{"status": "ACTIVE"}}, nil)
	k.await("all of them", distinct(300))
	s.awaitAllDelivered()
	require.Len(t, k.seen(), 300, "each once")
	list, err := s.Temporal(t).ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{PageSize: 500,
		Query: fmt.Sprintf("WorkflowType IN ('SendWebhooks', 'RetryEndpoint') AND AccountIds = %q", s.AccountID)})
	require.NoError(t, err)
	require.LessOrEqual(t, len(list.Executions), 20)
}
