package workflows_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
	"requisite/internal/testkit/released"
	"requisite/workflows"
)

// TestReplay runs today's workflow code over the histories of every release.
// A failure means that a deploy of this code would break runs that are open at
// that moment: they would stop with a non-determinism error until the old code
// is back. Change the code behind workflow.GetVersion. The next release records the new
// shapes beside those of earlier ones:
//
//	go test ./workflows -run '^TestRecordHistories$' -record 1.1.0
//
// The histories of a release never change, and stay.
func TestReplay(t *testing.T) {
	releases, err := released.Directories("testdata")
	require.NoError(t, err)
	inTheClear := temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{EncodeCommonAttributes: true})
	var files []string
	for _, release := range releases {
		of, err := filepath.Glob(filepath.Join("testdata", release, "*.json"))
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(of), 15, release)
		files = append(files, of...)
	}
	for _, file := range files {
		t.Run(strings.TrimPrefix(filepath.ToSlash(file), "testdata/"), func(t *testing.T) {
			replayer, err := worker.NewWorkflowReplayerWithOptions(worker.WorkflowReplayerOptions{
				FailureConverter:         inTheClear,
				DisableDeadlockDetection: true, // on a busy machine a goroutine may wait for a second
			})
			require.NoError(t, err)
			workflows.RegisterWorkflows(replayer)
			require.NoError(t, replayer.ReplayWorkflowHistoryFromJSONFile(log.NewStructuredLogger(slog.New(slog.DiscardHandler)), file))
		})
	}
}

// TestRecordHistories writes a history for each shape of a run, for the release that
// -record names. The applications are invented, and the payloads are not encrypted.
func TestRecordHistories(t *testing.T) {
	dir := filepath.Join("testdata", released.Recording(t))
	s := harness.New(t)
	c := s.Temporal(t)
	r := recorder{stack: s, client: c, saved: map[string]bool{}, dir: dir}
	require.NoError(t, os.RemoveAll(r.dir))
	require.NoError(t, os.MkdirAll(r.dir, 0o755))
	const calculate, price = "workflow.requiredDocument.calculate", "workflow.pricing.calculate"

	w := s.Application(t)
	ask := func(operation string, in any) {
		body, err := json.Marshal(in)
		require.NoError(t, err)
		_, err = s.Client.Send(await.Context(t), operation, body)
		require.NoError(t, err)
	}
	send := func(operation string) { ask(operation, w) }
	send(calculate)
	r.save(t, "calculated")
	send(price)
	r.save(t, "priced")
	release := s.Hold(t, `SELECT FROM workflow FOR UPDATE`)
	answered := s.InBackground(calculate, w)
	s.Poll(t, "no ordinary activity is tried", func(ctx context.Context) (bool, error) { return hasOrdinaryActivity(ctx, c) })
	release()
	<-answered
	r.save(t, "through_an_ordinary_activity")
	s.Publish(t, "average_monthly_credit_sales > 1")
	send(calculate)
	r.save(t, "missing_requirements")
	send("workflow.complete")
	send(calculate)
	r.save(t, "ended")
	account := map[string]string{"account_id": s.AccountID}
	ask("webhook.key.create", account)
	r.save(t, "key_created")
	ask("webhook.key.activate", map[string]string{"key_id": "whk_" + time.Now().UTC().Format("20060102") + "_01"})
	r.save(t, "key_activated")
	r.recordDeliveries(t)
	r.saveRound(t, "pruned", workflows.PruneName)
	r.saveRound(t, "deadlines_applied", workflows.ApplyDeadlinesName)
	r.saveRound(t, "recalculations_started", workflows.StartRecalculationsName)
	ask("account.recalculation.start", account)
	s.Poll(t, "the account is not recalculated", func(ctx context.Context) (bool, error) {
		var started int
		err := s.Query(ctx, `SELECT count(*) FROM recalculation WHERE state = 'DONE'`, &started)
		return started > 0, err
	})
	r.saveOf(t, "recalculated", workflows.RecalculateName)
}

// recordDeliveries records the shapes of what sends webhooks and of what watches it.
func (r recorder) recordDeliveries(t *testing.T) {
	s := r.stack
	var status atomic.Int32
	sink := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "600")
		w.WriteHeader(int(status.Load()))
	}))
	defer sink.Close()
	var config struct {
		ID string `json:"config_id"`
	}
	_, err := s.Client.Call(t.Context(), "webhook.config.create", map[string]any{
		"account_id": s.AccountID, "config": map[string]any{"url": sink.URL, "event_types": []string{"WEBHOOK_TEST"}}}, &config)
	require.NoError(t, err)
	deliver := func(answer int, until string) (id string) {
		status.Store(int32(answer))
		var event struct {
			ID string `json:"event_id"`
		}
		_, err := s.Client.Call(t.Context(), "webhook.config.test", map[string]string{"config_id": config.ID}, &event)
		require.NoError(t, err)
		s.Poll(t, "the delivery is not "+until, func(ctx context.Context) (bool, error) {
			deliveries, err := s.Deliveries(ctx, requisite.DeliveryListRequestFilters{EventID: &event.ID})
			if err != nil || len(deliveries) == 0 {
				return false, err
			}
			id = deliveries[0].DeliveryID
			return deliveries[0].Status == until && (until == "DELIVERED" || deliveries[0].LastError != nil), nil
		})
		return id
	}
	made := func(delivery string) (workflowID string) {
		var d struct {
			Attempts []struct {
				WorkflowID string `json:"temporal_workflow_id"`
			} `json:"attempts"`
		}
		_, err := s.Client.Call(t.Context(), "webhook.delivery.get", map[string]string{"delivery_id": delivery}, &d)
		require.NoError(t, err)
		return d.Attempts[0].WorkflowID
	}
	r.saveRun(t, "sent", made(deliver(204, "DELIVERED")))
	retried := deliver(500, "RETRYING")
	r.saveRun(t, "sent_and_failed", made(retried))
	s.Poll(t, "no retry is pending", func(ctx context.Context) (bool, error) { return r.pending(ctx, config.ID) })
	status.Store(204)
	require.NoError(t, r.client.SignalWorkflow(t.Context(), config.ID, "", workflows.RetryNow, nil))
	r.saveRun(t, "endpoint_recovered", config.ID)
	deliver(500, "RETRYING")
	s.Poll(t, "no retry is pending", func(ctx context.Context) (bool, error) { return r.pending(ctx, config.ID) })
	require.NoError(t, r.client.CancelWorkflow(t.Context(), config.ID, ""))
	r.saveRun(t, "endpoint_canceled", config.ID)
	r.saveRound(t, "reconciled", workflows.ReconcileName)
	_, err = s.Client.Call(t.Context(), "webhook.delivery.recover", map[string]string{"config_id": config.ID, "since": "2026-01-01T00:00:00.000Z"}, nil)
	require.NoError(t, err)
	r.saveOf(t, "recovered", workflows.RecoverDeliveriesName)
	_, err = s.Client.Call(t.Context(), "webhook.event.replay", map[string]string{"config_id": config.ID, "since": "2026-01-01T00:00:00.000Z"}, nil)
	require.NoError(t, err)
	r.saveOf(t, "replayed", workflows.ReplayEventsName)
}

func (r recorder) pending(ctx context.Context, workflowID string) (bool, error) {
	described, err := harness.Describe(ctx, r.client, workflowID, "")
	return err == nil && len(described.PendingActivities) > 0 && described.PendingActivities[0].Attempt > 1, err
}

// saveRun waits for the end of a run and writes it.
func (r recorder) saveRun(t *testing.T, name, workflowID string) {
	var run *commonpb.WorkflowExecution
	r.stack.Poll(t, "the run does not end", func(ctx context.Context) (bool, error) {
		described, err := harness.Describe(ctx, r.client, workflowID, "")
		run = described.GetWorkflowExecutionInfo().GetExecution()
		return err == nil && described.WorkflowExecutionInfo.Status != enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING, err
	})
	r.saved[run.RunId] = true
	r.write(t, name, run)
}

// saveRound writes a run that repeats, with one round. It cancels the run, which would go on.
func (r recorder) saveRound(t *testing.T, name, workflow string) {
	run, err := r.client.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{TaskQueue: "upkeep"}, workflow)
	require.NoError(t, err)
	r.stack.Poll(t, "the round does not end", func(ctx context.Context) (bool, error) {
		events := r.client.GetWorkflowHistory(ctx, run.GetID(), run.GetRunID(), false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for events.HasNext() {
			if e, err := events.Next(); err != nil || e.EventType == enumspb.EVENT_TYPE_TIMER_STARTED {
				return err == nil, err
			}
		}
		return false, nil
	})
	require.NoError(t, r.client.CancelWorkflow(t.Context(), run.GetID(), run.GetRunID()))
	r.saveRun(t, name, run.GetID())
}

// latest is the run that was started last, but for those of schedules, which begin at any time.
func latest(ctx context.Context, c client.Client) (*commonpb.WorkflowExecution, error) {
	var scheduled []string
	for _, s := range workflows.Schedules() {
		scheduled = append(scheduled, "'"+s.Workflow+"'")
	}
	list, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{PageSize: 1, Query: "WorkflowType NOT IN (" + strings.Join(scheduled, ", ") + ")"})
	if err != nil || len(list.Executions) == 0 {
		return nil, err
	}
	return list.Executions[0].Execution, nil
}

func hasOrdinaryActivity(ctx context.Context, c client.Client) (bool, error) {
	run, err := latest(ctx, c)
	if err != nil || run == nil {
		return false, err
	}
	described, err := harness.Describe(ctx, c, run.WorkflowId, run.RunId)
	return err == nil && len(described.PendingActivities) > 0, err
}

// recorder writes runs to a directory, each once.
type recorder struct {
	stack  *harness.Stack
	client client.Client
	saved  map[string]bool // by run id
	dir    string
}

// closed waits for the run that was started last, and for its end: visibility
// follows a moment later.
func (r recorder) closed(t *testing.T) *commonpb.WorkflowExecution {
	var run *commonpb.WorkflowExecution
	await.True(t, "the end of a run that is not saved yet", func(ctx context.Context) error {
		found, err := latest(ctx, r.client)
		if err != nil {
			return err
		}
		if found == nil || r.saved[found.RunId] {
			return errors.New("none was started")
		}
		described, err := harness.Describe(ctx, r.client, found.WorkflowId, found.RunId)
		if err == nil && described.WorkflowExecutionInfo.Status == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING {
			err = fmt.Errorf("%s is running", found.WorkflowId)
		}
		run = found
		return err
	})
	r.saved[run.RunId] = true
	return run
}

// saveOf writes the run of a type that was started last.
func (r recorder) saveOf(t *testing.T, name, workflowType string) {
	var workflowID string
	r.stack.Poll(t, "no run of "+workflowType, func(ctx context.Context) (bool, error) {
		list, err := r.client.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{PageSize: 1, Query: "WorkflowType = '" + workflowType + "'"})
		if err != nil || len(list.Executions) == 0 {
			return false, err
		}
		workflowID = list.Executions[0].Execution.WorkflowId
		return true, nil
	})
	r.saveRun(t, name, workflowID)
}

func (r recorder) save(t *testing.T, name string) {
	r.write(t, name, r.closed(t))
}

func (r recorder) write(t *testing.T, name string, run *commonpb.WorkflowExecution) {
	data := r.stack.History(t, r.client, run, true)
	require.NoError(t, os.WriteFile(filepath.Join(r.dir, name+".json"), data, 0o644))
}
