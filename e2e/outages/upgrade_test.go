//go:build deep

package outages_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
)

// mixed is a stack with an organization for the test, which has an active key.
type mixed struct {
	*harness.Stack
	t     testing.TB
	c     client.Client
	since string // a query for the runs of the test
}

// newMixed creates the organization's key.
func newMixed(t testing.TB, on *harness.Stack) *mixed {
	s := &mixed{Stack: on, t: t, since: fmt.Sprintf("StartTime >= %q", time.Now().Format(time.RFC3339Nano))}
	s.c = s.Temporal(t)
	t.Cleanup(s.explain)
	key, _, err := harness.CreateKey(await.Context(t), s.Client, s.AccountID)
	require.NoError(t, err)
	_, err = harness.Call(await.Context(t), s.Client, "webhook.key.activate", harness.Object{"account_id": s.AccountID, "key_id": key}, nil)
	require.NoError(t, err)
	return s
}

// sink is an endpoint that answers 503 with Retry-After of an hour until it is mended.
type sink struct {
	ID       string
	mended   atomic.Bool
	arrivals atomic.Int64
	failures atomic.Int64
	hold     chan struct{} // if set, retries wait for it
}

func (s *mixed) sink() *sink { return s.serve(&sink{}) }

func (s *mixed) serve(k *sink) *sink {
	s.t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !k.mended.Load() {
			if k.failures.Add(1) > 1 && k.hold != nil {
				<-k.hold
			}
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		k.arrivals.Add(1)
		w.WriteHeader(http.StatusNoContent)
	}))
	s.t.Cleanup(server.Close)
	s.Must(s.t, "webhook.config.create", harness.Object{"account_id": s.AccountID, "config": harness.Object{"url": server.URL, "event_types": []string{"WEBHOOK_TEST"}}}, &struct {
		ID *string `json:"config_id"`
	}{&k.ID})
	return k
}

// fail makes one delivery fail, and returns the endpoint's open run.
func (s *mixed) fail(k *sink) (run string) {
	s.t.Helper()
	s.Must(s.t, "webhook.config.test", harness.Object{"config_id": k.ID}, nil)
	s.Poll(s.t, "the endpoint's run does not wait", func(ctx context.Context) (bool, error) {
		described, err := harness.Describe(ctx, s.c, k.ID, "")
		run = described.GetWorkflowExecutionInfo().GetExecution().GetRunId()
		return len(described.GetPendingActivities()) > 0, err
	})
	return run
}

// explain prints the open runs if the test has failed.
func (s *mixed) explain() {
	if !s.t.Failed() {
		return
	}
	ctx := context.WithoutCancel(s.t.Context())
	list, err := s.c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: "ExecutionStatus = 'Running'"})
	s.t.Log(err)
	for _, e := range list.GetExecutions() {
		run, err := harness.Describe(ctx, s.c, e.GetExecution().GetWorkflowId(), e.GetExecution().GetRunId())
		s.t.Log(e.GetExecution().GetWorkflowId(), e.GetType().GetName(), run.GetPendingWorkflowTask(), len(run.GetPendingActivities()), err)
	}
}

// nothingIsLost mends the endpoints, and waits until all webhooks have arrived. elsewhere
// is the number of those that arrive at other endpoints.
func (s *mixed) nothingIsLost(sinks []*sink, sent, elsewhere int64) {
	s.t.Helper()
	for _, k := range sinks {
		k.mended.Store(true)
	}
	for _, k := range sinks {
		s.Eventually(s.t, "webhook.config.flush", harness.Object{"config_id": k.ID})
	}
	var left, delivered int64
	s.Poll(s.t, "not everything arrives", func(ctx context.Context) (bool, error) {
		if err := s.Query(ctx, `SELECT count(*) FROM webhook_delivery WHERE state <> 'DELIVERED' AND account_id = $1`, &left, s.AccountKey()); err != nil {
			return false, err
		}
		return left == 0, fmt.Errorf("%d are left", left)
	})
	require.NoError(s.t, s.Query(s.t.Context(), `SELECT count(*) FROM webhook_delivery WHERE account_id = $1`, &delivered, s.AccountKey()))
	require.GreaterOrEqual(s.t, delivered, sent)
	arrived := elsewhere
	for _, k := range sinks {
		arrived += k.arrivals.Load()
	}
	require.GreaterOrEqual(s.t, arrived, delivered)
	var made int64
	require.NoError(s.t, s.Query(s.t.Context(), `SELECT count(*) FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id WHERE a.outcome = 'SUCCEEDED' AND d.account_id = $1`, &made, s.AccountKey()))
	require.Equal(s.t, delivered, made, "each once")
}

// noTaskFailed requires that no workflow task failed in any run of the test.
func (s *mixed) noTaskFailed() {
	s.t.Helper()
	for _, run := range s.Runs(s.t, s.c, s.since) {
		events := s.c.GetWorkflowHistory(s.t.Context(), run.WorkflowId, run.RunId, false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for events.HasNext() {
			e, err := events.Next()
			require.NoError(s.t, err)
			failed := e.GetWorkflowTaskFailedEventAttributes()
			require.True(s.t, failed == nil || harmless(failed.GetCause()), "%s: %s: %s", run.WorkflowId, failed.GetCause(), s.Message(s.t, failed.GetFailure()))
		}
	}
}

// harmless reports whether a workflow task is only repeated because a signal arrived.
func harmless(c enumspb.WorkflowTaskFailedCause) bool {
	return c == enumspb.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND || c == enumspb.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND
}

// noTaskFails waits until no open run has a failed workflow task.
func (s *mixed) noTaskFails() {
	s.t.Helper()
	s.Poll(s.t, "an open run has a workflow task that fails", func(ctx context.Context) (bool, error) {
		list, err := s.c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: "ExecutionStatus = 'Running'"})
		if err != nil {
			return false, err
		}
		for _, e := range list.GetExecutions() {
			run, err := harness.Describe(ctx, s.c, e.GetExecution().GetWorkflowId(), e.GetExecution().GetRunId())
			if err != nil {
				return false, err
			}
			if task := run.GetPendingWorkflowTask(); task.GetAttempt() > 1 {
				return false, fmt.Errorf("%s, attempt %d", e.GetExecution().GetWorkflowId(), task.GetAttempt())
			}
		}
		return true, nil
	})
}

// noRunFailed requires that no run of the test has failed.
func (s *mixed) noRunFailed() {
	s.t.Helper()
	require.Empty(s.t, s.Runs(s.t, s.c, s.since+` AND ExecutionStatus IN ("Failed", "TimedOut", "Terminated")`))
}

// incompatible breaks the two-release rule: the changed build cannot replay an endpoint's
// run of another build.
var incompatible = harness.Edit{File: "workflows/webhooks.go",
	From: "\tfor {\n\t\treceiveSignals() // the next look",
	To:   "\tfor {\n\t\tif err := workflow.Sleep(ctx, 1000); err != nil {\n\t\t\treturn giveUp(ctx, in)\n\t\t}\n\t\treceiveSignals() // the next look"}

// TestRunThatCannotBeReplayed_IsStartedAgain by an incompatible release, and again after
// its rollback, with attempts in flight. No delivery is lost.
func TestRunThatCannotBeReplayed_IsStartedAgain(t *testing.T) {
	s := newMixed(t, harness.Shared(t))
	changed := harness.Build{Dir: harness.Changed(t, "incompatible", incompatible)}
	inFlight := s.serve(&sink{hold: make(chan struct{})})
	answer := sync.OnceFunc(func() { close(inFlight.hold) })
	t.Cleanup(answer)
	sinks := []*sink{s.sink(), inFlight}
	for _, k := range sinks {
		s.fail(k)
	}
	for release, with := range []harness.Build{changed, {}} {
		before := inFlight.failures.Load()
		require.NoError(t, s.c.SignalWorkflow(t.Context(), inFlight.ID, "", "retry-now", nil))
		s.Poll(t, "no attempt is in flight", func(context.Context) (bool, error) { return inFlight.failures.Load() > before, nil })
		s.Worker.Kill(t)
		s.Builds = map[string]harness.Build{"worker": with}
		s.StartPrograms(t)
		for _, k := range sinks {
			var ended *serviceerror.NotFound
			if err := s.c.SignalWorkflow(t.Context(), k.ID, "", "wake", nil); !errors.As(err, &ended) {
				require.NoError(t, err)
			}
		}
		for _, k := range sinks {
			s.Poll(t, "the run is not started again", func(ctx context.Context) (bool, error) {
				failed, err := s.c.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Query: fmt.Sprintf("WorkflowId = '%s' AND ExecutionStatus = 'Failed'", k.ID)})
				if err != nil || failed.GetCount() <= int64(release) {
					return false, err
				}
				run, err := harness.Describe(ctx, s.c, k.ID, "")
				return run.GetWorkflowExecutionInfo().GetStatus() == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING && len(run.GetPendingActivities()) > 0, err
			})
		}
	}
	answer()
	s.nothingIsLost(sinks, int64(len(sinks)), 0)
	s.noTaskFails()
}
