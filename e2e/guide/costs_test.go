//go:build deep

package guide_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"requisite/e2e/harness"
	"requisite/workflows"
)

// actions counts the actions that Temporal Cloud bills for a run, by its published rules: a
// start, each attempt of an activity, the local activities of one workflow task together, a
// timer, a signal (unless it comes with the start), and an upsert of search attributes.
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

// delayed reports whether a run has more actions because of a slow step or a retry: a
// workflow task without a new event, an unfinished workflow task, or a retried activity.
func delayed(history []*historypb.HistoryEvent) bool {
	news := true // whether there is a new event since the last completed workflow task
	for _, e := range history {
		switch e.EventType {
		case enumspb.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT, enumspb.EVENT_TYPE_WORKFLOW_TASK_FAILED:
			return true
		case enumspb.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED:
			if !news {
				return true
			}
		case enumspb.EVENT_TYPE_WORKFLOW_TASK_COMPLETED:
			news = false
		case enumspb.EVENT_TYPE_MARKER_RECORDED, enumspb.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES:
		case enumspb.EVENT_TYPE_ACTIVITY_TASK_STARTED:
			if e.GetActivityTaskStartedEventAttributes().Attempt > 1 {
				return true
			}
			news = true
		default:
			news = true
		}
	}
	return false
}

func history(ctx context.Context, c client.Client, run *commonpb.WorkflowExecution) (all []*historypb.HistoryEvent, err error) {
	events := c.GetWorkflowHistory(ctx, run.WorkflowId, run.RunId, false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		e, err := events.Next()
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// cost waits for a run that ended without delay, and counts its actions. It calls again for
// another run while there is none.
func (s *stack) cost(query string, again func()) (n int) {
	s.t.Helper()
	c := s.Temporal(s.t)
	seen := map[string]bool{}
	s.Await(s.t, "a run that ends without delay: "+query, func(ctx context.Context) error {
		list, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: query + " AND ExecutionStatus = 'Completed'"})
		if err != nil {
			return err
		}
		for _, run := range list.Executions {
			events, err := history(ctx, c, run.Execution)
			if err != nil {
				return err
			}
			if !delayed(events) {
				n = actions(events)
				return nil
			}
			if !seen[run.Execution.RunId] {
				seen[run.Execution.RunId] = true
				again()
			}
		}
		return fmt.Errorf("all %d runs that ended were delayed", len(list.Executions))
	})
	return n
}

// TestTemporalGuide_StatesTheActionsOfRuns compares the guide's table with the billed
// actions of real runs.
func TestTemporalGuide_StatesTheActionsOfRuns(t *testing.T) {
	s := newStack(t)
	var failing atomic.Bool
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if failing.Load() {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	t.Cleanup(receiver.Close)
	var config struct {
		ID string `json:"config_id"`
	}
	s.Must(t, "webhook.config.create", harness.Object{"account_id": s.AccountID, "config": harness.Object{"url": receiver.URL}}, &config)
	w := s.Application(t)
	calculate := func() { s.Must(t, "workflow.requiredDocument.calculate", w, nil) }
	price := func() { s.Must(t, "workflow.pricing.calculate", w, nil) }
	test := func() { s.Must(t, "webhook.config.test", harness.Object{"config_id": config.ID}, nil) }
	key := func() {
		id, _ := s.CreateKey(t)
		s.ActivateKey(t, id)
	}
	recalculate := func() {
		var run harness.Object
		s.Must(t, "account.recalculation.start", harness.Object{"account_id": s.AccountID}, &run)
		s.Await(t, "the end of a recalculation", func(ctx context.Context) error {
			var at harness.Object
			_, err := s.Client.Call(ctx, "account.recalculation.get", run, &at)
			if err == nil && at["state"] == "RUNNING" {
				err = errors.New("it is running")
			}
			return err
		})
	}
	for _, do := range []func(){calculate, price, test, recalculate} {
		do()
	}
	of := func(workflow string) string {
		return fmt.Sprintf("WorkflowType = %q AND AccountId = %q", workflow, s.AccountID)
	}
	counted := map[string]int{
		"CalculateRequiredDocuments": s.cost(of("CalculateRequiredDocuments"), calculate),
		"CalculatePricing":           s.cost(of("CalculatePricing"), price),
		"CreateWebhookKey":           s.cost(of("CreateWebhookKey"), key),
		"ActivateWebhookKey":         s.cost(of("ActivateWebhookKey"), key),
		"RecalculateAccount":         s.cost(of("RecalculateAccount"), recalculate),
		"SendWebhooks":               s.cost("WorkflowType = 'SendWebhooks' AND Outcome = 'DELIVERED'", test),
	}

	c, replaced := s.Temporal(t), map[string]bool{}
	s.Await(t, "a round of each schedule that is not delayed", func(ctx context.Context) error {
		rounds, err := s.Rounds(ctx, c)
		for _, schedule := range workflows.Schedules() {
			first := rounds[schedule.ID]
			if end := slices.IndexFunc(first, func(e *historypb.HistoryEvent) bool { return e.EventType == enumspb.EVENT_TYPE_TIMER_STARTED }); end >= 0 {
				first = first[:end+1]
			}
			if err != nil || first == nil {
				return cmp.Or(err, fmt.Errorf("none of %s", schedule.ID))
			}
			if run := first[0].GetWorkflowExecutionStartedEventAttributes().GetOriginalExecutionRunId(); delayed(first) {
				err = fmt.Errorf("%s of %s was delayed", run, schedule.ID)
				if !replaced[run] {
					replaced[run] = true
					require.NoError(t, harness.StartRound(ctx, c, schedule.ID))
				}
			}
			counted[schedule.Workflow] = actions(first) - 1 // the start is the run's
		}
		return err
	})
	fail := func() {
		failing.Store(true)
		test()
		s.Await(t, "a run of the endpoint", func(ctx context.Context) error {
			described, err := harness.Describe(ctx, c, config.ID, "")
			if err == nil && described.WorkflowExecutionInfo.Status != enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING {
				err = fmt.Errorf("it is %s", described.WorkflowExecutionInfo.Status)
			}
			return err
		})
		failing.Store(false)
		s.Must(t, "webhook.config.flush", harness.Object{"config_id": config.ID}, nil)
	}
	fail()
	counted["RetryEndpoint"] = s.cost(fmt.Sprintf("WorkflowType = 'RetryEndpoint' AND WorkflowId = %q", config.ID), fail)

	text, err := os.ReadFile("../../docs/operating/temporal.md")
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| `([A-Za-z]+)` \\|[^|]*\\| ([0-9]+)(?: or more)? \\|").FindAllStringSubmatch(string(text), -1)
	documented := map[string]int{}
	for _, row := range rows {
		documented[row[1]], err = strconv.Atoi(row[2])
		require.NoError(t, err)
	}
	for name, n := range counted {
		require.Contains(t, documented, name)
		if name == "SendWebhooks" || name == "RetryEndpoint" || name == "RecalculateAccount" { // they continue while deliveries are due
			require.GreaterOrEqual(t, n, documented[name], name)
		} else {
			require.Equal(t, documented[name], n, name)
		}
	}
	require.Len(t, counted, len(documented))
}
