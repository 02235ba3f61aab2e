package admin

import (
	"context"
	"errors"
	"fmt"
	"strings"

	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"requisite/internal/secrets/codec"
	"requisite/internal/secrets/vault"
	"requisite/internal/temporalclient"
	"requisite/workflows"
)

const (
	openRuns  = `ExecutionStatus = "Running"`
	endedRuns = `ExecutionStatus != "Running"`
	// sampledRuns is how many of the newest ended runs of each type are read, and at most how
	// many of the oldest.
	//
	// A program uses an old key until it is restarted, and not after that. So if one program wrote
	// all runs of a type, the oldest run shows whether any of them needs an old key. If several
	// programs wrote them, the runs are only a sample. It misses:
	//   - a program that was not restarted, and that wrote none of the newest runs of any type:
	//     less than about one run in a hundred, or no run that Temporal still keeps,
	//   - runs of a program that was restarted later than others, and that wrote none of the oldest,
	//   - runs between the newest and the oldest, if a keyset from before the promotion was restored
	//     and replaced again.
	sampledRuns = 100
)

// samples returns queries that divide the ended runs by type. Otherwise the runs of the worker that
// send webhooks, which may be thousands a day, would hide the runs of the api.
func samples() (queries []string) {
	for _, name := range workflows.Names() {
		queries = append(queries, fmt.Sprintf("%s AND WorkflowType = %q", endedRuns, name))
	}
	// Runs of other types belong to other releases, or were started by hand.
	others := fmt.Sprintf(`%s AND WorkflowType NOT IN ("%s")`, endedRuns, strings.Join(workflows.Names(), `", "`))
	return append(queries, others)
}

// oldKeyUses finds runs in Temporal that need an old key, which no longer encrypts. Each payload
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

// find returns the errors for check. Some may be nil.
func (u oldKeyUses) find(ctx context.Context) (found []error, err error) {
	open, example, err := u.count(ctx, openRuns, 0)
	if err != nil {
		return nil, err
	}
	if open > 0 {
		found = append(found, fmt.Errorf("%d open run(s) need an old key, such as %s, and would stand still: wait until they have ended, "+
			"or terminate those of the task queue endpoints and of schedules, which the service starts again",
			open, example))
	}
	var newest, oldest error // the first of each
	for _, runs := range samples() {
		needing, example, err := u.count(ctx, runs, sampledRuns)
		if err != nil {
			return nil, err
		}
		if needing > 0 && newest == nil {
			newest = fmt.Errorf("runs that ended last need an old key, such as %s: "+
				"if a program still encrypts with it, restart the api and the worker with the changed file", example)
		}
		before, err := temporalclient.StartOfTheOldest(ctx, u.temporal, runs, sampledRuns)
		if err != nil {
			return nil, err
		}
		needing, example, err = u.count(ctx, temporalclient.StartedBefore(runs, before), sampledRuns)
		if err != nil {
			return nil, err
		}
		if needing > 0 && oldest == nil {
			oldest = fmt.Errorf("ended runs that Temporal still keeps need an old key, such as %s, and nobody could read their histories: "+
				"wait until the namespace's retention has passed since the new key encrypts", example)
		}
	}
	return append(found, newest, oldest), nil
}

// count counts the runs that need an old key, among all runs of a query, or among the first few.
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

// needsOldKey reads the history of a run.
func (u oldKeyUses) needsOldKey(ctx context.Context, run *workflowpb.WorkflowExecutionInfo) (bool, error) {
	for p, err := range temporalclient.Payloads(ctx, u.temporal, run, 0) {
		if err != nil || codec.NeedsOldKey(u.keys, p) {
			return err == nil, err
		}
	}
	return false, nil
}
