package admin

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/timestamppb"

	"requisite/internal/secrets/codec"
	"requisite/internal/secrets/vault"
	"requisite/workflows"
)

// endedRun is a run that Temporal keeps. It ended when it started.
type endedRun struct {
	id, workflow string
	at           time.Time
	input        *commonpb.Payloads
}

// keptRuns stands for Temporal. It has no open runs.
type keptRuns struct {
	client.Client
	t    *testing.T
	runs []endedRun
}

// found returns the runs that a query finds, those that ended last first, as Temporal does.
func (k keptRuns) found(query string) (found []endedRun) {
	k.t.Helper()
	for _, r := range k.runs {
		if k.matches(r, query) {
			found = append(found, r)
		}
	}
	slices.SortFunc(found, func(a, b endedRun) int { return cmp.Or(b.at.Compare(a.at), strings.Compare(a.id, b.id)) })
	return found
}

func (k keptRuns) matches(r endedRun, query string) bool {
	k.t.Helper()
	for _, condition := range strings.Split(query, " AND ") {
		column, is, _ := strings.Cut(condition, " ")
		var holds bool
		switch column {
		case "ExecutionStatus":
			holds = is == `!= "Running"`
		case "WorkflowType":
			holds = strings.Contains(is, fmt.Sprintf("%q", r.workflow)) != strings.HasPrefix(is, "NOT IN ")
		case "StartTime":
			before, err := time.Parse(`< "`+time.RFC3339Nano+`"`, is)
			require.NoError(k.t, err)
			holds = r.at.Before(before)
		default:
			require.Fail(k.t, "unknown condition", condition)
		}
		if !holds {
			return false
		}
	}
	return true
}

func (k keptRuns) CountWorkflow(_ context.Context, r *workflowservice.CountWorkflowExecutionsRequest) (*workflowservice.CountWorkflowExecutionsResponse, error) {
	return &workflowservice.CountWorkflowExecutionsResponse{Count: int64(len(k.found(r.Query)))}, nil
}

func (k keptRuns) ListWorkflow(_ context.Context, r *workflowservice.ListWorkflowExecutionsRequest) (*workflowservice.ListWorkflowExecutionsResponse, error) {
	page := &workflowservice.ListWorkflowExecutionsResponse{}
	found := k.found(r.Query)
	for _, run := range found[:min(len(found), int(r.PageSize))] {
		page.Executions = append(page.Executions, &workflowpb.WorkflowExecutionInfo{
			Execution: &commonpb.WorkflowExecution{WorkflowId: run.id}, StartTime: timestamppb.New(run.at), CloseTime: timestamppb.New(run.at)})
	}
	return page, nil
}

func (k keptRuns) GetWorkflowHistory(_ context.Context, id, _ string, _ bool, _ enumspb.HistoryEventFilterType) client.HistoryEventIterator {
	i := slices.IndexFunc(k.runs, func(r endedRun) bool { return r.id == id })
	return &started{input: k.runs[i].input}
}

// started is a history that has only its first event.
type started struct {
	input *commonpb.Payloads
	read  bool
}

func (s *started) HasNext() bool { return !s.read }

func (s *started) Next() (*historypb.HistoryEvent, error) {
	s.read = true
	return &historypb.HistoryEvent{Attributes: &historypb.HistoryEvent_WorkflowExecutionStartedEventAttributes{
		WorkflowExecutionStartedEventAttributes: &historypb.WorkflowExecutionStartedEventAttributes{Input: s.input}}}, nil
}

// The schedules make most runs, and the oldest and the newest of all.
func TestOldKeyUses_SchedulesDoNotHideOtherRuns(t *testing.T) {
	keyset := vault.Keyset{File: filepath.Join(t.TempDir(), "payload.json")}
	sealed := func() *commonpb.Payloads {
		keys, err := keyset.Load(t.Context())
		require.NoError(t, err)
		input, err := codec.DataConverter(keys, nil).ToPayloads("input")
		require.NoError(t, err)
		return input
	}
	require.NoError(t, keyset.Generate(t.Context()))
	withOld := sealed()
	_, err := keyset.AddKey(t.Context())
	require.NoError(t, err)
	_, err = keyset.PromoteNewest(t.Context())
	require.NoError(t, err)
	withNew := sealed()
	keys, err := keyset.Load(t.Context())
	require.NoError(t, err)

	begin := time.Now().Add(-24 * time.Hour)
	var scheduled []endedRun
	for i := range 2880 {
		scheduled = append(scheduled, endedRun{fmt.Sprintf("reconcile/%d", i), workflows.ReconcileName, begin.Add(time.Duration(i) * 30 * time.Second), withNew})
	}
	// runs are made every minute, from the seventh hour on.
	runs := func(workflow string, old, all int) (made []endedRun) {
		for i := range all {
			input := withNew
			if i < old {
				input = withOld
			}
			made = append(made, endedRun{fmt.Sprintf("%s/%d", workflow, i), workflow, begin.Add(7*time.Hour + time.Duration(i)*time.Minute), input})
		}
		return made
	}
	const last, kept = "runs that ended last need an old key", "ended runs that Temporal still keeps need an old key"
	for name, c := range map[string]struct {
		runs []endedRun
		says []string
	}{
		"nothing needs the old key":          {runs(workflows.CalculateRequiredDocumentsName, 0, 300), nil},
		"an api that was not restarted":      {runs(workflows.CalculateRequiredDocumentsName, 20, 20), []string{last, kept}},
		"the same, with many runs":           {runs(workflows.CalculatePricingName, 300, 300), []string{last, kept}},
		"all restarted, histories are kept":  {runs(workflows.CalculatePricingName, 150, 300), []string{kept}},
		"a type that this release lacks":     {runs("Waiting", 1, 1), []string{last, kept}},
		"one run beside many of other types": {append(runs(workflows.CalculatePricingName, 0, 900), runs(workflows.CreateWebhookKeyName, 1, 1)...), []string{last, kept}},
	} {
		t.Run(name, func(t *testing.T) {
			err := oldKeyUses{keptRuns{t: t, runs: slices.Concat(scheduled, c.runs)}, keys}.check(t.Context())
			if c.says == nil {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			for _, says := range []string{last, kept} {
				if slices.Contains(c.says, says) {
					require.ErrorContains(t, err, says)
				} else {
					require.NotContains(t, err.Error(), says)
				}
			}
		})
	}
}
