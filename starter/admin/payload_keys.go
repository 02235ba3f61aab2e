package admin

import (
	"context"
	"errors"
	"fmt"
	"strings"
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
	"requisite/workflows"
)

const (
	openRuns  = `ExecutionStatus = "Running"`
	endedRuns = `ExecutionStatus != "Running"`
	// sampledRuns is how many of the newest ended runs of each type are read, and at most how
	// many of the oldest.
	//
	// A program uses an old key until it is restarted, and never again. So if one program wrote
	// all runs of a type, the oldest one shows whether any needs an old key, however many lie
	// between, and however many old keys there are. If several programs did, this is a sample,
	// which misses:
	//   - a program that was not restarted, and wrote none of the newest runs of any type: less
	//     than about one in a hundred, or none that Temporal still keeps,
	//   - runs of a program that was restarted later than others and wrote none of the oldest,
	//   - runs between, if keys were used in turns: a keyset of before the promotion was restored
	//     and replaced again.
	sampledRuns = 100
)

// samples are queries that divide the ended runs by type: the schedules alone make thousands
// a day, all of the worker, and would hide the runs of the api.
func samples() (queries []string) {
	for _, name := range workflows.Names() {
		queries = append(queries, fmt.Sprintf("%s AND WorkflowType = %q", endedRuns, name))
	}
	// Others are of other releases, or were started by hand.
	others := fmt.Sprintf(`%s AND WorkflowType NOT IN ("%s")`, endedRuns, strings.Join(workflows.Names(), `", "`))
	return append(queries, others)
}

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

// find returns what check joins; some may be nil.
func (u oldKeyUses) find(ctx context.Context) (found []error, err error) {
	open, example, err := u.count(ctx, openRuns, 0)
	if err != nil {
		return nil, err
	}
	if open > 0 {
		found = append(found, fmt.Errorf("%d open run(s) need an old key, such as %s, and would fail: wait until they have ended, or terminate those of the task queue endpoints, which the service starts again", open, example))
	}
	var newest, oldest error // the first of each
	for _, runs := range samples() {
		needing, example, err := u.count(ctx, runs, sampledRuns)
		if err != nil {
			return nil, err
		}
		if needing > 0 && newest == nil {
			newest = fmt.Errorf("runs that ended last need an old key, such as %s: if a program still encrypts with it, restart the api and the worker with the changed file", example)
		}
		before, err := u.oldest(ctx, runs)
		if err != nil {
			return nil, err
		}
		needing, example, err = u.count(ctx, startedBefore(runs, before), sampledRuns)
		if err != nil {
			return nil, err
		}
		if needing > 0 && oldest == nil {
			oldest = fmt.Errorf("ended runs that Temporal still keeps need an old key, such as %s, and nobody could read their histories: wait until the namespace's retention has passed since the new key encrypts", example)
		}
	}
	return append(found, newest, oldest), nil
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

// startedBefore narrows a query.
func startedBefore(query string, t time.Time) string {
	return fmt.Sprintf("%s AND StartTime < %q", query, t.Format(time.RFC3339Nano))
}

// oldest returns a time before which at least one run that a query finds has started, if there
// is one, and few have: Temporal cannot sort runs by age.
func (u oldKeyUses) oldest(ctx context.Context, query string) (time.Time, error) {
	none, some := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), time.Now().UTC()
	// Most types have few runs, and the first answer is enough.
	for at := some; some.Sub(none) > time.Second; at = none.Add(some.Sub(none) / 2) {
		answer, err := u.temporal.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Query: startedBefore(query, at)})
		if err != nil {
			return time.Time{}, err
		}
		if answer.GetCount() == 0 {
			none = at
			continue
		}
		if some = at; answer.GetCount() <= sampledRuns {
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
