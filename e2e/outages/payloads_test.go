//go:build deep

package outages_test

import (
	"context"
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/proxy"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"requisite/e2e/harness"
	"requisite/internal/id"
	"requisite/internal/testkit/await"
	"requisite/workflows"
)

// scheduled is the suffix that Temporal adds to the run ids of a schedule.
var scheduled = regexp.MustCompile(`-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)

// TestForgedPayloads_AreRefused: an attacker with access to Temporal but without a keyset
// cannot write payloads that the service accepts.
func TestForgedPayloads_AreRefused(t *testing.T) {
	s := newStack(t)
	c := s.Temporal(t)
	w, other := s.Application(t), s.Application(t)
	release := s.holdWorkflow(t) // makes the steps run as ordinary activities too
	answered := s.InBackground("workflow.requiredDocument.calculate", w)
	s.awaitBlocked(t)
	s.Await(t, "an ordinary activity to be tried", func(ctx context.Context) error {
		runs, err := s.runs(ctx, c, "ExecutionStatus = 'Running'")
		if err != nil {
			return err
		}
		for _, run := range runs {
			described, err := harness.Describe(ctx, c, run.WorkflowId, run.RunId)
			if err != nil || len(described.PendingActivities) > 0 {
				return err
			}
		}
		return fmt.Errorf("none of %d runs has one", len(runs))
	})
	release()
	require.NoError(t, await.Next(t, "an answer", answered, s.Running()...).Err)
	s.AwaitDocuments(t, w)
	_, _, err := harness.CreateKey(await.Context(t), s.Client, s.AccountID)
	require.NoError(t, err)
	s.Await(t, "a round of each schedule", func(ctx context.Context) error {
		rounds, err := s.Rounds(ctx, c)
		if err == nil && len(rounds) < len(workflows.Schedules()) {
			err = fmt.Errorf("there are %d", len(rounds))
		}
		return err
	})

	input := s.allSealedWhereTheyAre(t, c)
	require.NotNil(t, input)
	for name, forged := range map[string]any{
		"in plain text":                     workflows.Request{AccountID: id.Must[id.AccountID](s.AccountID), WorkflowID: id.Must[id.WorkflowID](other.WorkflowID)},
		"of another run":                    converter.NewRawValue(input),
		"of another run under its own name": converter.NewRawValue(renamed(input, "forged/of another run under its own name")),
	} {
		run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "forged/" + name, TaskQueue: "sync"}, workflows.CalculateRequiredDocumentsName, forged)
		require.NoError(t, err)
		require.ErrorContains(t, run.Get(await.Context(t), nil), "type: ", name)
		described, err := harness.Describe(t.Context(), c, run.GetID(), run.GetRunID())
		require.NoError(t, err)
		require.Equal(t, enumspb.WORKFLOW_EXECUTION_STATUS_FAILED, described.WorkflowExecutionInfo.Status, name)
		require.EqualValues(t, 5, described.WorkflowExecutionInfo.HistoryLength, "%s: no step was taken", name)
	}
	require.Empty(t, s.Documents(t, other))
	require.Len(t, s.Documents(t, w), 1)
}

func renamed(p *commonpb.Payload, workflowID string) *commonpb.Payload {
	forged := &commonpb.Payload{Data: p.Data, Metadata: map[string][]byte{}}
	for name, value := range p.Metadata {
		forged.Metadata[name] = value
	}
	forged.Metadata["requisite-workflow-id"] = []byte(workflowID)
	return forged
}

// allSealedWhereTheyAre requires that every payload of every run is sealed for its run. It
// returns the input of a calculation.
func (s stack) allSealedWhereTheyAre(t *testing.T, c client.Client) (input *commonpb.Payload) {
	for _, run := range s.Runs(t, c, "") {
		history := &historypb.History{}
		for events := c.GetWorkflowHistory(t.Context(), run.WorkflowId, run.RunId, false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT); events.HasNext(); {
			event, err := events.Next()
			require.NoError(t, err)
			history.Events = append(history.Events, event)
		}
		started := history.Events[0].GetWorkflowExecutionStartedEventAttributes()
		if started.WorkflowType.Name == workflows.CalculateRequiredDocumentsName {
			input = started.Input.Payloads[0]
		}
		// The result of the schedule's previous run, if that had ended.
		for _, p := range started.LastCompletionResult.GetPayloads() {
			require.Equal(t, "binary/requisite-sealed", string(p.Metadata["encoding"]))
			require.Equal(t, scheduled.ReplaceAllString(run.WorkflowId, ""), scheduled.ReplaceAllString(string(p.Metadata["requisite-workflow-id"]), ""))
		}
		started.LastCompletionResult = nil
		err := proxy.VisitPayloads(t.Context(), history, proxy.VisitPayloadsOptions{SkipSearchAttributes: true,
			Visitor: func(in *proxy.VisitPayloadsContext, found []*commonpb.Payload) ([]*commonpb.Payload, error) {
				if _, isHeader := in.Parent.(*commonpb.Header); isHeader {
					return found, nil // the trace of the run
				}
				for _, p := range found {
					require.Equal(t, "binary/requisite-sealed", string(p.Metadata["encoding"]), "%s: %T %v", run.WorkflowId, in.Parent, p)
					require.Equal(t, "requisite", string(p.Metadata["requisite-namespace"]), run.WorkflowId)
					of := string(p.Metadata["requisite-workflow-id"])
					require.Contains(t, []string{run.WorkflowId, scheduled.ReplaceAllString(run.WorkflowId, "")}, of)
				}
				return found, nil
			}})
		require.NoError(t, err)
	}
	return input
}
