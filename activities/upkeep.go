package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/metrics"
	"requisite/internal/store"
	"requisite/internal/temporalclient"
)

// Upkeep is the scheduled maintenance of the service. Its exported methods are
// activities, registered under their own names.
type Upkeep struct {
	store   store.Upkeep
	keep    store.Retention
	metrics *metrics.Metrics
}

// NewUpkeep makes the activities over a store. keep is how long records are kept. It is a
// setting of the program: access to Temporal must not be enough to shorten it.
func NewUpkeep(store store.Upkeep, keep store.Retention, m *metrics.Metrics) *Upkeep {
	return &Upkeep{store: store, keep: keep, metrics: m}
}

// ApplyDeadlines handles required documents that have become overdue, and approvals that have lapsed or
// lapse soon. It heartbeats its progress. If one workflow fails, it goes on with the others; then the
// activity fails, and Temporal retries it. The counts include those of an earlier try of the same run.
func (u *Upkeep) ApplyDeadlines(ctx context.Context) (domain.Deadlines, error) {
	var before domain.Deadlines
	if activity.HasHeartbeatDetails(ctx) {
		if err := activity.GetHeartbeatDetails(ctx, &before); err != nil {
			return domain.Deadlines{}, fmt.Errorf("read the progress of an earlier try: %w", err)
		}
	}
	progress := func(d domain.Deadlines) { activity.RecordHeartbeat(ctx, before.Plus(d)) }
	failed := func(w id.WorkflowID, err error) {
		activity.GetLogger(ctx).Error("the deadlines of a workflow could not be applied; the others go on, and it is retried",
			"ApplicationWorkflowId", w.String(), "error", err)
	}
	done, err := u.store.ApplyDeadlines(ctx, progress, failed)
	if err != nil {
		return before.Plus(done), err
	}
	return before.Plus(done), u.store.Succeeded(ctx, store.ScheduleDeadlines)
}

// StartRecalculations starts the recalculations that are due because a new day has begun, and heartbeats. If one
// account fails, it goes on with the others; then the activity fails, and Temporal retries it.
func (u *Upkeep) StartRecalculations(ctx context.Context) (int64, error) {
	var before int64
	if activity.HasHeartbeatDetails(ctx) {
		if err := activity.GetHeartbeatDetails(ctx, &before); err != nil {
			return 0, fmt.Errorf("read the progress of an earlier try: %w", err)
		}
	}
	progress := func(n int64) { activity.RecordHeartbeat(ctx, before+n) }
	failed := func(a id.AccountID, err error) {
		activity.GetLogger(ctx).Error("the recalculation of an account could not be started; the others go on, and it is retried",
			"AccountId", a.String(), "error", err)
	}
	started, err := u.store.StartDueRecalculations(ctx, progress, failed)
	if err != nil {
		return before + started, err
	}
	return before + started, u.store.Succeeded(ctx, store.ScheduleRecalculations)
}

// Prune deletes expired records in batches, and heartbeats its progress. If one step fails, it goes on
// with the others; then the activity fails with the error, and Temporal retries it. The counts include
// those of an earlier try of the same run.
func (u *Upkeep) Prune(ctx context.Context) (domain.Pruned, error) {
	var before domain.Pruned
	if activity.HasHeartbeatDetails(ctx) {
		if err := activity.GetHeartbeatDetails(ctx, &before); err != nil {
			return domain.Pruned{}, fmt.Errorf("read the progress of an earlier try: %w", err)
		}
	}
	failed := func(step string, err error) {
		activity.GetLogger(ctx).Error("a step of pruning failed; the others go on, and it is retried", "step", step, "error", err)
		u.metrics.PruneFailed(step)
	}
	keep := u.keep
	oldest, unknown := oldestOpenRun(ctx, activity.GetClient(ctx))
	if unknown != nil {
		failed("open runs", unknown)
		oldest = time.Unix(0, 0) // any run may be open: its results are kept
	}
	keep.OldestRun = oldest
	pruned, err := u.store.Prune(ctx, keep, func(p domain.Pruned) { activity.RecordHeartbeat(ctx, before.Plus(p)) }, failed)
	if err := errors.Join(unknown, err); err != nil {
		return before.Plus(pruned), err
	}
	return before.Plus(pruned), u.store.Succeeded(ctx, store.SchedulePrune)
}

// oldestOpenRun is the start of the oldest open run that writes results, or the zero time.
// Results of open runs must stay: an interrupted step looks for its result when it
// continues.
func oldestOpenRun(ctx context.Context, c client.Client) (time.Time, error) {
	var oldest time.Time
	old := time.Now().Add(-store.MinOutcomeLife).UTC().Format(time.RFC3339)
	request := &workflowservice.ListWorkflowExecutionsRequest{
		Query: fmt.Sprintf("(TaskQueue = '%s' OR WorkflowType = 'RecoverDeliveries') AND ExecutionStatus = 'Running' AND StartTime < '%s'",
			temporalclient.Sync, old), PageSize: 500,
	}
	for {
		list, err := c.ListWorkflow(ctx, request)
		if err != nil {
			return time.Time{}, fmt.Errorf("look for runs that have not ended: %w", err)
		}
		for _, run := range list.Executions {
			if begun := run.StartTime.AsTime(); oldest.IsZero() || begun.Before(oldest) {
				oldest = begun
			}
		}
		if request.NextPageToken = list.NextPageToken; len(request.NextPageToken) == 0 {
			return oldest, nil
		}
	}
}
