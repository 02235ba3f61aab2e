// Package cloud_test holds what docs/temporal.md says about clusters of others.
package cloud_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"requisite/e2e/parts"
	"requisite/internal/temporalclient"
)

// actions counts what Temporal Cloud bills for a run, by its published rules: a
// start, every attempt of an activity, all local activities of one workflow task
// together, a timer, a signal (one together with the start), and an upsert of search
// attributes.
func actions(history []*historypb.HistoryEvent) (n int) {
	marked := map[int64]bool{}
	for i, e := range history {
		switch e.EventType {
		case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED, enumspb.EVENT_TYPE_TIMER_STARTED, enumspb.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES:
			n++
		case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED:
			if i != 1 {
				n++
			}
		case enumspb.EVENT_TYPE_ACTIVITY_TASK_STARTED:
			n += int(e.GetActivityTaskStartedEventAttributes().Attempt)
		case enumspb.EVENT_TYPE_MARKER_RECORDED:
			if task := e.GetMarkerRecordedEventAttributes().WorkflowTaskCompletedEventId; !marked[task] {
				marked[task] = true
				n++
			}
		}
	}
	return n
}

func history(t *testing.T, c client.Client, run *commonpb.WorkflowExecution) (all []*historypb.HistoryEvent) {
	events := c.GetWorkflowHistory(t.Context(), run.WorkflowId, run.RunId, false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		e, err := events.Next()
		require.NoError(t, err)
		all = append(all, e)
	}
	return all
}

// ended waits for runs, and returns them.
func ended(t *testing.T, s *parts.Stack, c client.Client, query string, atLeast int) (found []*workflowpb.WorkflowExecutionInfo) {
	t.Helper()
	s.Poll(t, "no run of "+query+" has ended", func(ctx context.Context) (bool, error) {
		list, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: query + " AND ExecutionStatus = 'Completed'"})
		if err != nil {
			return false, err
		}
		found = list.Executions
		return len(found) >= atLeast, fmt.Errorf("%d runs", len(found))
	})
	return found
}

// TestWhatRunsCost counts the actions of real runs, and compares them with the
// table of the guide.
func TestWhatRunsCost(t *testing.T) {
	s := parts.New(t)
	c := s.Temporal(t)
	var failing atomic.Bool
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if failing.Load() {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	t.Cleanup(receiver.Close)
	type object = map[string]any
	call := func(operation string, in, out any) {
		t.Helper()
		_, err := s.Client.Call(t.Context(), operation, in, out)
		require.NoError(t, err)
	}
	var config, key object
	call("webhook.config.create", object{"account_id": s.AccountID, "config": object{"url": receiver.URL}}, &config)
	w := s.Application(t)
	const each = 3
	for range each {
		call("webhook.key.create", object{"account_id": s.AccountID}, &key)
		call("webhook.key.activate", object{"account_id": s.AccountID, "key_id": key["key_id"]}, nil)
		call("workflow.requiredDocument.calculate", w, nil)
		call("workflow.pricing.calculate", w, nil)
	}

	// The least, because a step that takes longer on a busy machine costs more.
	counted := map[string]int{}
	least := func(name, query string) {
		for _, run := range ended(t, s, c, query, 1) {
			n := actions(history(t, c, run.Execution))
			if counted[name] == 0 || n < counted[name] {
				counted[name] = n
			}
		}
	}
	least("CalculateRequiredDocuments", "WorkflowType = 'CalculateRequiredDocuments'")
	least("CalculatePricing", "WorkflowType = 'CalculatePricing'")
	least("CreateWebhookKey", "WorkflowType = 'CreateWebhookKey'")
	least("ActivateWebhookKey", "WorkflowType = 'ActivateWebhookKey'")
	least("Reconcile", "WorkflowType = 'Reconcile'")
	least("SendWebhooks", "WorkflowType = 'SendWebhooks' AND Outcome = 'DELIVERED'")

	failing.Store(true)
	call("webhook.config.test", object{"config_id": config["config_id"]}, nil)
	s.Poll(t, "the endpoint has no run", func(ctx context.Context) (bool, error) {
		list, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: "WorkflowType = 'RetryEndpoint' AND ExecutionStatus = 'Running'"})
		return len(list.GetExecutions()) == 1, err
	})
	failing.Store(false)
	call("webhook.config.flush", object{"config_id": config["config_id"]}, nil)
	least("RetryEndpoint", "WorkflowType = 'RetryEndpoint'")
	text, err := os.ReadFile("../../docs/temporal.md")
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| `([A-Za-z]+)` \\|[^|]*\\| ([0-9]+)(?: or more)? \\|").FindAllStringSubmatch(string(text), -1)
	documented := map[string]int{}
	for _, row := range rows {
		documented[row[1]], err = strconv.Atoi(row[2])
		require.NoError(t, err)
	}
	for name, n := range counted {
		require.Contains(t, documented, name)
		if name == "SendWebhooks" || name == "RetryEndpoint" { // they go on while something is due
			require.GreaterOrEqual(t, n, documented[name], name)
		} else {
			require.Equal(t, documented[name], n, name)
		}
	}
	require.Len(t, counted, len(documented))
}

// TestTheGuideListsTheSearchAttributes that somebody else makes.
func TestTheGuideListsTheSearchAttributes(t *testing.T) {
	text, err := os.ReadFile("../../docs/temporal.md")
	require.NoError(t, err)
	for _, a := range temporalclient.SearchAttributes() {
		require.Contains(t, string(text), fmt.Sprintf("\n| `%s` | %s |\n", a.Name, a.Type))
		require.Contains(t, string(text), fmt.Sprintf(" --name %s --type %s", a.Name, a.Type))
	}
}
