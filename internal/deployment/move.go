package deployment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"

	"requisite/internal/temporalclient"
	"requisite/workflows"
)

// stuckAfter is how long a workflow task may be pending before its worker counts as gone,
// or as unable to do it. One takes ten seconds at most. The server goes on listing a worker
// that has stopped, so this is how it is noticed soon.
const stuckAfter = 20 * time.Second

// askedFor is how long an endpoint's run may stay on a version that begins none, however
// often it is woken. Its attempts in flight take less than a minute. A signal makes a
// failing workflow task a new one, so pending tasks alone do not tell.
const askedFor = 2 * time.Minute

// Move brings runs to a version that begins runs. Runs of others are woken, which makes
// them continue as new; that is the work of their own version's workers. Those whose
// version nobody serves, or whose workers do not get on with them, are begun anew: their
// state is in the database. So no run waits for a worker that never comes back. Move may
// run anywhere, more than once at a time. It returns how many runs it began anew.
func (d *Deployment) Move(ctx context.Context, s State) (begun int, err error) {
	if s.Current == "" {
		return 0, nil
	}
	now := time.Now()
	var problems []error
	for _, v := range s.Versions {
		if v.Runs == 0 || v.Status == Current || v.Status == Ramping {
			continue
		}
		runs, err := d.runsOf(ctx, v.BuildID)
		if err != nil {
			return begun, err
		}
		for _, run := range runs {
			anew, err := d.moveRun(ctx, run, v, s, now)
			if err != nil {
				problems = append(problems, fmt.Errorf("move run %s: %w", run.GetExecution().GetWorkflowId(), err))
			}
			if anew {
				begun++
			}
		}
	}
	return begun, errors.Join(problems...)
}

// moveRun reports whether it began the run anew.
func (d *Deployment) moveRun(ctx context.Context, run *workflowpb.WorkflowExecutionInfo, v Version, s State, now time.Time) (begunAnew bool, err error) {
	found, err := d.client.DescribeWorkflowExecution(ctx, run.GetExecution().GetWorkflowId(), run.GetExecution().GetRunId())
	var none *serviceerror.NotFound
	switch {
	case errors.As(err, &none):
		return false, nil
	case err != nil:
		return false, err
	case found.GetWorkflowExecutionInfo().GetStatus() != enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING || found.GetWorkflowExecutionInfo().GetVersioningInfo().GetDeploymentVersion().GetBuildId() != v.BuildID:
		return false, nil // it has moved: visibility follows a moment later
	}
	task := found.GetPendingWorkflowTask()
	failed := task.GetAttempt() > 1
	waits := task != nil && now.Sub(task.GetOriginalScheduledTime().AsTime()) > stuckAfter
	stays := run.GetType().GetName() == workflows.RetryEndpointName && now.Sub(s.ChangedAt) > askedFor && now.Sub(run.GetStartTime().AsTime()) > askedFor
	if failed || waits || stays || !v.Polled(now) {
		err = d.beginAnew(ctx, found.GetWorkflowExecutionInfo())
		return err == nil, err
	}
	if run.GetType().GetName() != workflows.RetryEndpointName {
		return false, nil // it looks by itself from time to time
	}
	// The same id is taken once: several workers may ask, and until the run has gone on there
	// is nothing to ask again.
	id := fmt.Sprintf("move/%s/%s/%d", s.Current, s.Ramping, now.Unix()/10)
	_, err = d.client.WorkflowService().SignalWorkflowExecution(ctx, &workflowservice.SignalWorkflowExecutionRequest{
		Namespace: d.namespace, WorkflowExecution: run.GetExecution(), SignalName: workflows.Wake, RequestId: id})
	if errors.As(err, &none) {
		return false, nil
	}
	return false, err
}

// beginAnew ends a run and starts it again with the same input, in one step. Runs of
// schedules are only ended: the schedule starts the next.
func (d *Deployment) beginAnew(ctx context.Context, run *workflowpb.WorkflowExecutionInfo) error {
	id, runID := run.GetExecution().GetWorkflowId(), run.GetExecution().GetRunId()
	if name := run.GetType().GetName(); name == workflows.PruneName || name == workflows.ReconcileName {
		err := d.client.TerminateWorkflow(ctx, id, runID, "no worker of its version gets on with it; the schedule starts the next")
		var none *serviceerror.NotFound
		if errors.As(err, &none) {
			return nil
		}
		return err
	}
	events := d.client.GetWorkflowHistory(ctx, id, runID, false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	first, err := events.Next()
	if err != nil {
		return fmt.Errorf("read its first event: %w", err)
	}
	began := first.GetWorkflowExecutionStartedEventAttributes()
	_, err = d.client.WorkflowService().StartWorkflowExecution(ctx, &workflowservice.StartWorkflowExecutionRequest{
		Namespace: d.namespace, WorkflowId: id, WorkflowType: began.GetWorkflowType(), TaskQueue: &taskqueuepb.TaskQueue{Name: began.GetTaskQueue().GetName()},
		Input: began.GetInput(), Header: began.GetHeader(), Memo: began.GetMemo(), SearchAttributes: ours(began.GetSearchAttributes()),
		Priority: began.GetPriority(), UserMetadata: first.GetUserMetadata(), Identity: "requisite-deployment",
		// A repeat within the call is one start.
		RequestId: uuid.NewString(), WorkflowIdReusePolicy: enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		WorkflowIdConflictPolicy: enumspb.WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING,
	})
	if err != nil {
		return fmt.Errorf("begin it anew: %w", err)
	}
	return nil
}

// ours are the search attributes that a start may state: not Temporal's own.
func ours(all *commonpb.SearchAttributes) *commonpb.SearchAttributes {
	kept := &commonpb.SearchAttributes{IndexedFields: map[string]*commonpb.Payload{}}
	for _, a := range temporalclient.SearchAttributes() {
		if value, ok := all.GetIndexedFields()[a.Name]; ok {
			kept.IndexedFields[a.Name] = value
		}
	}
	return kept
}

// runsOf lists the open runs that stay on a version.
func (d *Deployment) runsOf(ctx context.Context, buildID string) (runs []*workflowpb.WorkflowExecutionInfo, err error) {
	request := &workflowservice.ListWorkflowExecutionsRequest{Query: onVersion(buildID), PageSize: 1000}
	for {
		list, err := d.client.ListWorkflow(ctx, request)
		if err != nil {
			return nil, fmt.Errorf("list the runs of version %s: %w", buildID, err)
		}
		runs = append(runs, list.GetExecutions()...)
		if request.NextPageToken = list.GetNextPageToken(); len(request.NextPageToken) == 0 {
			return runs, nil
		}
	}
}
