package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// TestTemporal_SupportsTheOperatorCommandsOfTheUI checks the server's side of what the UI offers for a running workflow and its activity.
func TestTemporal_SupportsTheOperatorCommandsOfTheUI(t *testing.T) {
	t.Parallel()
	stack := start(t, "--ephemeral", "--no-ui")
	c := stack.dial(t)
	api, namespace := c.WorkflowService(), stack.ready.Namespace

	w := worker.New(c, taskQueue, worker.Options{})
	w.RegisterWorkflow(waitForActivity)
	w.RegisterActivity(alwaysFails)
	require.NoError(t, w.Start())
	defer w.Stop()
	run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "stuck", TaskQueue: taskQueue}, waitForActivity)
	require.NoError(t, err)
	execution := &commonpb.WorkflowExecution{WorkflowId: run.GetID(), RunId: run.GetRunID()}

	// awaitActivity waits until the activity is on an attempt, in a state.
	awaitActivity := func(what string, is func(attempt int32, state enumspb.PendingActivityState) bool) {
		t.Helper()
		await(t, what, func(ctx context.Context) error {
			found, err := c.DescribeWorkflowExecution(ctx, run.GetID(), run.GetRunID())
			if err == nil && (len(found.PendingActivities) == 0 || !is(found.PendingActivities[0].Attempt, found.PendingActivities[0].State)) {
				err = fmt.Errorf("%v", found.PendingActivities)
			}
			return err
		})
	}
	onAttempt := func(wanted int32) func(int32, enumspb.PendingActivityState) bool {
		return func(attempt int32, _ enumspb.PendingActivityState) bool { return attempt == wanted }
	}

	awaitActivity("the end of the first attempt", onAttempt(2))
	_, err = api.PauseActivity(t.Context(), &workflowservice.PauseActivityRequest{
		Namespace: namespace, Execution: execution, Activity: &workflowservice.PauseActivityRequest_Id{Id: "the-activity"}})
	require.NoError(t, err)
	awaitActivity("the activity to be paused", func(_ int32, state enumspb.PendingActivityState) bool {
		return state == enumspb.PENDING_ACTIVITY_STATE_PAUSED
	})

	_, err = api.UnpauseActivity(t.Context(), &workflowservice.UnpauseActivityRequest{
		Namespace: namespace, Execution: execution, Activity: &workflowservice.UnpauseActivityRequest_Id{Id: "the-activity"}})
	require.NoError(t, err)
	awaitActivity("a retry when the activity is unpaused", onAttempt(3))

	_, err = api.ResetActivity(t.Context(), &workflowservice.ResetActivityRequest{
		Namespace: namespace, Execution: execution, Activity: &workflowservice.ResetActivityRequest_Id{Id: "the-activity"}})
	require.NoError(t, err)
	awaitActivity("a retry when the activity is reset, which restarts the count", onAttempt(2))

	_, err = api.PauseWorkflowExecution(t.Context(), &workflowservice.PauseWorkflowExecutionRequest{
		Namespace: namespace, WorkflowId: run.GetID(), RunId: run.GetRunID()})
	require.NoError(t, err)
	_, err = api.UnpauseWorkflowExecution(t.Context(), &workflowservice.UnpauseWorkflowExecutionRequest{
		Namespace: namespace, WorkflowId: run.GetID(), RunId: run.GetRunID()})
	require.NoError(t, err)
	require.NoError(t, c.TerminateWorkflow(t.Context(), run.GetID(), run.GetRunID(), ""))
}

func waitForActivity(ctx workflow.Context) error {
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		ActivityID:          "the-activity",
		StartToCloseTimeout: time.Minute,
		RetryPolicy:         &temporal.RetryPolicy{InitialInterval: time.Hour},
	})
	return workflow.ExecuteActivity(ctx, alwaysFails).Get(ctx, nil)
}

func alwaysFails(context.Context) error { return errors.New("not yet") }

// TestTemporal_DispatchesFairlyAcrossKeys checks that a backlog under one fairness key does not hold up another key's task.
func TestTemporal_DispatchesFairlyAcrossKeys(t *testing.T) {
	t.Parallel()
	const backlog = 30
	stack := start(t, "--ephemeral", "--no-ui")
	c := stack.dial(t)

	var mu sync.Mutex
	var served []string
	work := func(_ context.Context, key string) error {
		mu.Lock()
		defer mu.Unlock()
		served = append(served, key)
		return nil
	}
	queued := func(ctx workflow.Context, key string) error {
		ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
			TaskQueue: "slow", StartToCloseTimeout: time.Minute, DisableEagerExecution: true,
			Priority: temporal.Priority{FairnessKey: key},
		})
		return workflow.ExecuteActivity(ctx, "work", key).Get(ctx, nil)
	}
	workflows := worker.New(c, taskQueue, worker.Options{})
	workflows.RegisterWorkflowWithOptions(queued, workflow.RegisterOptions{Name: "queued"})
	require.NoError(t, workflows.Start())
	defer workflows.Stop()

	runs := make([]client.WorkflowRun, 0, backlog+1)
	begin := func(key string) {
		run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{TaskQueue: taskQueue}, "queued", key)
		require.NoError(t, err)
		runs = append(runs, run)
	}
	for range backlog {
		begin("busy")
	}
	begin("quiet")
	for _, run := range runs {
		await(t, "a run to schedule its activity", func(ctx context.Context) error {
			found, err := c.DescribeWorkflowExecution(ctx, run.GetID(), run.GetRunID())
			if err == nil && len(found.PendingActivities) != 1 {
				err = fmt.Errorf("%d activities", len(found.PendingActivities))
			}
			return err
		})
	}
	await(t, "the backlog", func(ctx context.Context) error {
		found, err := c.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
			Namespace:     stack.ready.Namespace,
			TaskQueue:     &taskqueuepb.TaskQueue{Name: "slow"},
			TaskQueueType: enumspb.TASK_QUEUE_TYPE_ACTIVITY,
			ReportStats:   true,
		})
		if count := found.GetStats().GetApproximateBacklogCount(); err == nil && count != backlog+1 {
			err = fmt.Errorf("%d of %d tasks", count, backlog+1)
		}
		return err
	})

	one := worker.New(c, "slow", worker.Options{MaxConcurrentActivityExecutionSize: 1, DisableWorkflowWorker: true})
	one.RegisterActivityWithOptions(work, activity.RegisterOptions{Name: "work"})
	require.NoError(t, one.Start())
	defer one.Stop()
	for _, run := range runs {
		require.NoError(t, run.Get(t.Context(), nil))
	}
	mu.Lock()
	defer mu.Unlock()
	require.Len(t, served, backlog+1)
	require.Contains(t, served[:backlog/3], "quiet", "the quiet key's task waited for the busy key's: %v", served)
}
