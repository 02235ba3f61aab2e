package admin

import (
	"context"
	"errors"
	"fmt"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/proxy"
	"go.temporal.io/api/serviceerror"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/proto"

	"requisite/internal/secrets/codec"
	"requisite/internal/secrets/vault"
)

const (
	openRuns  = `ExecutionStatus = "Running"`
	endedRuns = `ExecutionStatus != "Running"`
	// sampledRuns is how many of the oldest and of the newest ended runs are read. Old keys are
	// used before newer ones, so the others lie between.
	sampledRuns = 100
)

// oldKeyUses finds what in Temporal needs a key that does not encrypt any more. Each payload
// names its key, so no clock and no record of the rotation is needed.
type oldKeyUses struct {
	temporal client.Client
	keys     *vault.Vault
}

// check returns an error that says what would be lost without the old keys, or why Temporal
// could not say it.
func (u oldKeyUses) check(ctx context.Context) error {
	found, err := u.find(ctx)
	if err != nil {
		return fmt.Errorf("ask Temporal which runs need the old keys: %w", err)
	}
	return errors.Join(found...)
}

func (u oldKeyUses) find(ctx context.Context) (found []error, err error) {
	open, example, err := u.count(ctx, openRuns, 0)
	if err != nil {
		return nil, err
	}
	if open > 0 {
		found = append(found, fmt.Errorf("%d open run(s) need an old key, such as %s, and would fail: wait until they have ended, or terminate those of the task queue endpoints, which the service starts again", open, example))
	}
	newest, example, err := u.count(ctx, endedRuns, sampledRuns)
	if err != nil {
		return nil, err
	}
	if newest > 0 {
		found = append(found, fmt.Errorf("runs that ended last need an old key, such as %s: if a program still encrypts with it, restart the api and the worker with the changed file", example))
	}
	before, err := u.oldest(ctx)
	if err != nil {
		return nil, err
	}
	oldest, example, err := u.count(ctx, fmt.Sprintf("%s AND StartTime < %q", endedRuns, before.Format(time.RFC3339Nano)), sampledRuns)
	if err != nil {
		return nil, err
	}
	if oldest > 0 {
		found = append(found, fmt.Errorf("ended runs that Temporal still keeps need an old key, such as %s, and nobody could read their histories: wait until the namespace's retention has passed since the new key encrypts", example))
	}
	return found, nil
}

// count counts the runs that need an old key, of all that a query finds or of the first few.
func (u oldKeyUses) count(ctx context.Context, query string, first int) (needing int, example string, err error) {
	request := &workflowservice.ListWorkflowExecutionsRequest{Query: query, PageSize: int32(first)}
	for {
		page, err := u.temporal.ListWorkflow(ctx, request)
		if err != nil {
			return 0, "", err
		}
		for _, run := range page.GetExecutions() {
			needs, err := u.needsOldKey(ctx, run)
			if err != nil {
				return 0, "", err
			}
			if needs {
				needing++
				example = run.GetExecution().GetWorkflowId()
			}
		}
		if request.NextPageToken = page.GetNextPageToken(); len(request.NextPageToken) == 0 || first > 0 {
			return needing, example, nil
		}
	}
}

// oldest returns a time before which at least one retained run has started, if there is one,
// and few have: Temporal cannot sort runs by age.
func (u oldKeyUses) oldest(ctx context.Context) (time.Time, error) {
	none, some := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), time.Now().UTC()
	for some.Sub(none) > time.Second {
		middle := none.Add(some.Sub(none) / 2)
		answer, err := u.temporal.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{
			Query: fmt.Sprintf("%s AND StartTime < %q", endedRuns, middle.Format(time.RFC3339Nano))})
		if err != nil {
			return time.Time{}, err
		}
		if answer.GetCount() == 0 {
			none = middle
			continue
		}
		if some = middle; answer.GetCount() <= sampledRuns {
			break
		}
	}
	return some, nil
}

// errFound ends the reading of a history.
var errFound = errors.New("an old key is needed")

// needsOldKey reads the history of a run, in the form in which Temporal keeps it.
func (u oldKeyUses) needsOldKey(ctx context.Context, run *workflowpb.WorkflowExecutionInfo) (bool, error) {
	look := proxy.VisitPayloadsOptions{SkipSearchAttributes: true, Visitor: func(_ *proxy.VisitPayloadsContext, payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
		for _, p := range payloads {
			if codec.NeedsOldKey(u.keys, p) {
				return nil, errFound
			}
		}
		return payloads, nil
	}}
	visit := func(message proto.Message) (bool, error) {
		err := proxy.VisitPayloads(ctx, message, look)
		if errors.Is(err, errFound) {
			return true, nil
		}
		return false, err
	}
	if needs, err := visit(run); needs || err != nil {
		return needs, err
	}
	events := u.temporal.GetWorkflowHistory(ctx, run.GetExecution().GetWorkflowId(), run.GetExecution().GetRunId(), false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		var gone *serviceerror.NotFound
		if errors.As(err, &gone) { // it was deleted meanwhile
			return false, nil
		} else if err != nil {
			return false, err
		}
		if needs, err := visit(event); needs || err != nil {
			return needs, err
		}
	}
	return false, nil
}
