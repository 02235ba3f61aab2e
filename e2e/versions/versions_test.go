//go:build deep

package versions_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	deploymentpb "go.temporal.io/api/deployment/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"requisite/e2e/parts"
)

// stack is a stack with an organization of one test's own that has an active key.
type stack struct {
	*parts.Stack
	t testing.TB
	c client.Client
}

func version(id string) parts.Build {
	return parts.Build{Env: []string{"REQUISITE_BUILD_ID=" + id, "REQUISITE_MAKE_CURRENT=never"}}
}

// newStack gives the organization a key.
func newStack(t testing.TB, on *parts.Stack) *stack {
	s := &stack{Stack: on, t: t}
	s.c = s.Temporal(t)
	t.Cleanup(s.explain)
	key, _ := s.CreateKey(t)
	s.ActivateKey(t, key)
	return s
}

// deploy runs a command of starter deploy, which must succeed.
func (s *stack) deploy(args ...string) string {
	s.t.Helper()
	out, err := s.Starter(append([]string{"deploy"}, args...)...).CombinedOutput()
	require.NoError(s.t, err, "%s", out)
	return string(out)
}

// awaitVersion waits until workers of the version ask for work on both of its task queues.
func (s *stack) awaitVersion(id string) {
	s.t.Helper()
	s.Poll(s.t, "version "+id+" is not known", func(ctx context.Context) (bool, error) {
		found, err := s.c.WorkflowService().DescribeWorkerDeploymentVersion(ctx, &workflowservice.DescribeWorkerDeploymentVersionRequest{
			Namespace: "requisite", DeploymentVersion: &deploymentpb.WorkerDeploymentVersion{DeploymentName: "requisite", BuildId: id}})
		queues := map[string]bool{}
		for _, q := range found.GetVersionTaskQueues() {
			queues[q.GetName()] = true
		}
		return queues["endpoints"] && queues["upkeep"], err
	})
}

// sink is an endpoint that answers 500 until it is mended.
type sink struct {
	ID       string
	mended   atomic.Bool
	arrivals atomic.Int64
}

func (s *stack) sink() *sink {
	s.t.Helper()
	k := &sink{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !k.mended.Load() {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		k.arrivals.Add(1)
		w.WriteHeader(http.StatusNoContent)
	}))
	s.t.Cleanup(server.Close)
	s.Must(s.t, "webhook.config.create", parts.Object{"account_id": s.AccountID, "config": parts.Object{"url": server.URL, "event_types": []string{"WEBHOOK_TEST"}}}, &struct {
		ID *string `json:"config_id"`
	}{&k.ID})
	return k
}

// load sends test events to all endpoints until stop is called, which returns how many it sent.
func (s *stack) load(sinks []*sink) (stop func() int64) {
	ctx, cancel := context.WithCancel(s.t.Context())
	var sent atomic.Int64
	var all sync.WaitGroup
	for _, k := range sinks {
		all.Go(func() {
			for ctx.Err() == nil {
				if _, err := s.Client.Call(ctx, "webhook.config.test", parts.Object{"config_id": k.ID}, nil); err == nil {
					sent.Add(1)
				}
				select {
				case <-ctx.Done():
				case <-time.After(200 * time.Millisecond):
				}
			}
		})
	}
	return func() int64 { cancel(); all.Wait(); return sent.Load() }
}

// on counts the open runs of endpoints by the version that they stay on, as they are now.
func (s *stack) on(ctx context.Context, sinks []*sink) (map[string]int, error) {
	found := map[string]int{}
	for _, k := range sinks {
		described, err := s.c.DescribeWorkflowExecution(ctx, k.ID, "")
		if err != nil {
			return found, err
		}
		info := described.GetWorkflowExecutionInfo()
		if info.GetStatus() != enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING {
			found[info.GetStatus().String()]++
			continue
		}
		found[info.GetVersioningInfo().GetDeploymentVersion().GetBuildId()]++
	}
	return found, nil
}

func (s *stack) awaitOn(sinks []*sink, complaint string, want func(map[string]int) bool) {
	s.t.Helper()
	last := map[string]int{}
	s.Poll(s.t, complaint, func(ctx context.Context) (bool, error) {
		on, err := s.on(ctx, sinks)
		if err == nil {
			last = on
		}
		return err == nil && want(on), fmt.Errorf("the runs are on %v (%w)", last, err)
	})
}

// explain shows the versions and the open runs when a test has failed.
func (s *stack) explain() {
	if !s.t.Failed() {
		return
	}
	out, _ := s.Starter("deploy", "list").CombinedOutput()
	s.t.Logf("%s", out)
	ctx := context.WithoutCancel(s.t.Context())
	list, err := s.c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: "ExecutionStatus = 'Running'"})
	s.t.Log(err)
	for _, e := range list.GetExecutions() {
		run, err := s.c.DescribeWorkflowExecution(ctx, e.GetExecution().GetWorkflowId(), e.GetExecution().GetRunId())
		s.t.Log(e.GetExecution().GetWorkflowId(), e.GetType().GetName(), run.GetWorkflowExecutionInfo().GetVersioningInfo(), run.GetPendingWorkflowTask(), len(run.GetPendingActivities()), err)
	}
}

func all(version string, n int) func(map[string]int) bool {
	return func(on map[string]int) bool { return on[version] == n }
}

// wake makes the endpoints' runs look.
func (s *stack) wake(sinks []*sink) {
	for _, k := range sinks {
		require.NoError(s.t, s.c.SignalWorkflow(s.t.Context(), k.ID, "", "wake", nil))
	}
}

// nothingIsLost mends the endpoints, and waits until everything has arrived; some of it
// elsewhere.
func (s *stack) nothingIsLost(sinks []*sink, sent, elsewhere int64) {
	s.t.Helper()
	for _, k := range sinks {
		k.mended.Store(true)
	}
	for _, k := range sinks {
		s.Eventually(s.t, "webhook.config.flush", parts.Object{"config_id": k.ID})
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
	faults, err := s.c.ListWorkflow(s.t.Context(), &workflowservice.ListWorkflowExecutionsRequest{
		Query: `ExecutionStatus IN ("Failed", "TimedOut") OR (ExecutionStatus = "Terminated" AND TaskQueue NOT IN ("endpoints", "upkeep"))`})
	require.NoError(s.t, err)
	require.Empty(s.t, faults.GetExecutions(), "a run that is begun anew is nothing that somebody must look at")
}

// noTaskFailed fails for a workflow task that failed, in any run.
func (s *stack) noTaskFailed() {
	s.t.Helper()
	for _, run := range s.Runs(s.t, s.c) {
		events := s.c.GetWorkflowHistory(s.t.Context(), run.WorkflowId, run.RunId, false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for events.HasNext() {
			e, err := events.Next()
			require.NoError(s.t, err)
			failed := e.GetWorkflowTaskFailedEventAttributes()
			require.True(s.t, failed == nil || harmless(failed.GetCause()), "%s: %s: %s", run.WorkflowId, failed.GetCause(), s.Message(s.t, failed.GetFailure()))
		}
	}
}

// harmless is a task that is done again because something arrived meanwhile.
func harmless(c enumspb.WorkflowTaskFailedCause) bool {
	return c == enumspb.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND || c == enumspb.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND
}

// noTaskFails fails for an open run that has a workflow task which failed.
func (s *stack) noTaskFails() {
	s.t.Helper()
	s.Poll(s.t, "an open run has a workflow task that fails", func(ctx context.Context) (bool, error) {
		list, err := s.c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: "ExecutionStatus = 'Running'"})
		if err != nil {
			return false, err
		}
		for _, e := range list.GetExecutions() {
			run, err := s.c.DescribeWorkflowExecution(ctx, e.GetExecution().GetWorkflowId(), e.GetExecution().GetRunId())
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

// incompatible is a version whose endpoint runs make other commands: it cannot go on with
// runs of the sources, nor they with its own.
var incompatible = parts.Edit{File: "workflows/webhooks.go",
	From: "\tfor {\n\t\twoken() // the next look",
	To:   "\tfor {\n\t\tif err := workflow.Sleep(ctx, 1000); err != nil {\n\t\t\treturn giveUp(ctx, in)\n\t\t}\n\t\twoken() // the next look"}

// broken is a version whose endpoint runs begin, and then never get on.
var broken = parts.Edit{File: "workflows/webhooks.go",
	From: "\tselector.Select(ctx)\n",
	To:   "\tselector.Select(ctx)\n\tpanic(\"a version that is broken\")\n"}

// TestDeployments makes versions current, ramps them and rolls them back, on one stack. Its
// worker is version "old", which the first part makes current.
func TestDeployments(t *testing.T) {
	on := parts.NewStopped(t, parts.Options{})
	on.Builds = map[string]parts.Build{"worker": version("old")}
	on.StartPrograms(t)
	for _, part := range []struct {
		name string
		try  func(*stack)
	}{
		{"a version that does not exist is refused", (*stack).tryMissingVersion},
		{"an incompatible version is ramped and rolled back", (*stack).tryIncompatibleVersion},
		{"a broken version is rolled back", (*stack).tryBrokenVersion}, // the last: its runs fail
	} {
		t.Run(part.name, func(t *testing.T) {
			client, account := on.Tenant(t, part.name)
			part.try(newStack(t, &parts.Stack{Processes: on.Processes, Client: client, AccountID: account}))
		})
	}
}

// tryIncompatibleVersion ramps it under load, makes it current, and rolls it back again when
// its workers are gone.
func (s *stack) tryIncompatibleVersion() {
	changed := version("new")
	changed.Dir = s.Changed(s.t, "incompatible", incompatible)
	var sinks []*sink
	for range 12 {
		sinks = append(sinks, s.sink())
	}
	stop := s.load(sinks)
	s.awaitOn(sinks, "the endpoints' runs are not on the version that is current", all("old", len(sinks)))

	// A ramp takes a part of the runs, and gives it back.
	other := s.StartWorker(s.t, changed)
	s.awaitVersion("new")
	require.Contains(s.t, s.deploy("ramp", "new", "50"), "new begins 50% of the runs now, and old the others.")
	s.wake(sinks)
	s.awaitOn(sinks, "no run goes over to the version that is ramped", func(on map[string]int) bool {
		return on["new"] > 0 && on["old"] > 0 && on["new"]+on["old"] == len(sinks)
	})
	require.Contains(s.t, s.deploy("rollback"), "The ramp of new has ended: old begins all runs.")
	s.awaitOn(sinks, "runs stay on the version that was rolled back", all("old", len(sinks)))

	// The version becomes current, and is rolled back.
	out := s.deploy("current", "new")
	require.Contains(s.t, out, "new is the current version now, instead of old.")
	require.Contains(s.t, out, "No run is left on other versions")
	s.awaitOn(sinks, "runs stay on the old version", all("new", len(sinks)))
	require.Contains(s.t, s.deploy("rollback"), "old is the current version now, instead of new.")
	s.awaitOn(sinks, "runs stay on the version that was rolled back", all("old", len(sinks)))
	s.noTaskFailed()

	// It is current again, and its workers die: the runs do not wait for them.
	s.deploy("current", "new")
	s.awaitOn(sinks, "runs stay on the old version", all("new", len(sinks)))
	other.Kill(s.t)
	s.deploy("rollback", "--within", "1h")
	s.awaitOn(sinks, "runs wait for workers that are gone", all("old", len(sinks)))
	s.nothingIsLost(sinks, stop(), 0)
	s.noTaskFails()
	s.noTaskFailed()
}

// tryBrokenVersion: its runs begin, and each further workflow task fails.
func (s *stack) tryBrokenVersion() {
	bad := version("bad")
	bad.Dir = s.Changed(s.t, "broken", broken)
	sinks := []*sink{s.sink(), s.sink(), s.sink()}
	stop := s.load(sinks)
	s.awaitOn(sinks, "the endpoints' runs are not on the version that is current", all("old", len(sinks)))
	s.StartWorker(s.t, bad)
	s.awaitVersion("bad")
	s.deploy("current", "bad")
	s.awaitOn(sinks, "runs stay on the old version", all("bad", len(sinks)))
	s.wake(sinks)
	s.Poll(s.t, "the version is not broken", func(ctx context.Context) (bool, error) {
		run, err := s.c.DescribeWorkflowExecution(ctx, sinks[0].ID, "")
		return run.GetPendingWorkflowTask().GetAttempt() > 1, err
	})
	s.deploy("rollback", "--within", "1h")
	s.awaitOn(sinks, "runs stay on the broken version", all("old", len(sinks)))
	s.noTaskFails()
	s.nothingIsLost(sinks, stop(), 0)
}

// tryMissingVersion is refused, with what to do.
func (s *stack) tryMissingVersion() {
	s.awaitVersion("old")
	list := s.deploy("list")
	require.Contains(s.t, list, "INACTIVE")
	require.Contains(s.t, list, "No version is current")
	for problem, args := range map[string][]string{
		"there is no version typo; the versions are old. Start a worker of it first":                 {"current", "typo"},
		"no version is current, so nothing would begin the other runs: `starter deploy current old`": {"ramp", "old", "10"},
		"PERCENT must be above 0 and at most 100":                                                    {"ramp", "old", "101"},
		"no version was current before this one":                                                     {"rollback"},
	} {
		out, err := s.Starter(append([]string{"deploy"}, args...)...).CombinedOutput()
		require.Error(s.t, err)
		require.Contains(s.t, string(out), problem)
	}
	require.Contains(s.t, s.deploy("current", "old"), "old is the current version now")
	require.Contains(s.t, s.deploy("current", "old"), "old is the current version already.")
	out, err := s.Starter("deploy", "ramp", "old", "10").CombinedOutput()
	require.Error(s.t, err)
	require.Contains(s.t, string(out), "version old is the current one")
	require.True(s.t, strings.Contains(s.deploy("list"), "CURRENT"))
}
