package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	failurepb "go.temporal.io/api/failure/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/proxy"
	querypb "go.temporal.io/api/query/v1"
	sdkpb "go.temporal.io/api/sdk/v1"
	"go.temporal.io/api/temporalproto"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/encoding/protojson"

	"requisite/internal/secrets/codec"
	"requisite/internal/secrets/vault"
	"requisite/workflows"
)

// Unhurried are options of a connection to Temporal that a slow machine makes too. The SDK's default for the first answer is
// five seconds.
var Unhurried = client.ConnectionOptions{GetSystemInfoTimeout: time.Hour}

// Temporal returns a client without the codec. It reads payloads as Temporal stores them.
func (s *Stack) Temporal(t testing.TB) client.Client {
	c, err := client.Dial(client.Options{HostPort: s.TemporalAddress, Namespace: "requisite", Identity: "test", ConnectionOptions: Unhurried})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// Describe returns Temporal's description of a run. Without a runID, it is the latest run.
func Describe(ctx context.Context, c client.Client, workflowID, runID string) (*workflowservice.DescribeWorkflowExecutionResponse, error) {
	described, err := c.DescribeWorkflow(ctx, workflowID, runID)
	if err != nil {
		return nil, err
	}
	return described.RawResponse, nil
}

// History returns the history of a run, with decoded payloads if readable is true.
func (s *Stack) History(t testing.TB, c client.Client, run *commonpb.WorkflowExecution, readable bool) []byte {
	history := &historypb.History{}
	events := c.GetWorkflowHistory(t.Context(), run.WorkflowId, run.RunId, false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		history.Events = append(history.Events, event)
	}
	if readable {
		keys, err := vault.Keyset{File: s.PayloadKeyFile}.Load(t.Context())
		require.NoError(t, err)
		require.NoError(t, proxy.VisitPayloads(t.Context(), history, proxy.VisitPayloadsOptions{
			Visitor: func(_ *proxy.VisitPayloadsContext, sealed []*commonpb.Payload) ([]*commonpb.Payload, error) {
				return codec.NewReader(keys).Decode(sealed)
			},
		}))
	}
	data, err := temporalproto.CustomJSONMarshalOptions{Indent: " "}.Marshal(history)
	require.NoError(t, err)
	return append(data, '\n')
}

// Message decodes the message of a failure.
func (s *Stack) Message(t testing.TB, f *failurepb.Failure) string {
	if f.GetEncodedAttributes() == nil {
		return f.GetMessage()
	}
	keys, err := vault.Keyset{File: s.PayloadKeyFile}.Load(t.Context())
	require.NoError(t, err)
	plain, err := codec.NewReader(keys).Decode([]*commonpb.Payload{f.EncodedAttributes})
	require.NoError(t, err)
	var attributes struct{ Message string }
	require.NoError(t, json.Unmarshal(plain[0].Data, &attributes))
	return attributes.Message
}

// Runs lists the runs that visibility has for a query now. An empty query lists all runs.
func (s *Stack) Runs(t testing.TB, c client.Client, query string) []*commonpb.WorkflowExecution {
	var runs []*commonpb.WorkflowExecution
	var next []byte
	for {
		list, err := c.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{Query: query, PageSize: 500, NextPageToken: next})
		require.NoError(t, err)
		for _, e := range list.Executions {
			runs = append(runs, e.Execution)
		}
		if next = list.NextPageToken; len(next) == 0 {
			return runs
		}
	}
}

// Told returns the current details of a workflow's latest run, which operators read.
func (s *Stack) Told(ctx context.Context, c client.Client, workflowID string) (string, error) {
	answer, err := c.WorkflowService().QueryWorkflow(ctx, &workflowservice.QueryWorkflowRequest{
		Namespace: "requisite",
		Execution: &commonpb.WorkflowExecution{WorkflowId: workflowID},
		Query:     &querypb.WorkflowQuery{QueryType: "__temporal_workflow_metadata"},
	})
	if err != nil {
		return "", err
	}
	keys, err := vault.Keyset{File: s.PayloadKeyFile}.Load(ctx)
	if err != nil {
		return "", err
	}
	plain, err := codec.NewReader(keys).Decode(answer.GetQueryResult().GetPayloads())
	if err != nil {
		return "", err
	}
	var about sdkpb.WorkflowMetadata
	err = protojson.Unmarshal(plain[0].GetData(), &about)
	return about.GetCurrentDetails(), err
}

// StartRound makes a schedule replace its open run. The new run begins with a round.
func StartRound(ctx context.Context, c client.Client, schedule string) error {
	return c.ScheduleClient().GetHandle(ctx, schedule).Trigger(ctx, client.ScheduleTriggerOptions{Overlap: enumspb.SCHEDULE_OVERLAP_POLICY_TERMINATE_OTHER})
}

// Rounds returns the histories of the open runs of schedules whose first round has ended, by the ids of the schedules.
func (s *Stack) Rounds(ctx context.Context, c client.Client) (map[string][]*historypb.HistoryEvent, error) {
	found := map[string][]*historypb.HistoryEvent{}
	for _, schedule := range workflows.Schedules() {
		running := fmt.Sprintf("WorkflowType = %q AND ExecutionStatus = 'Running'", schedule.Workflow)
		list, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: running})
		if err != nil {
			return nil, err
		}
		for _, run := range list.Executions {
			var history []*historypb.HistoryEvent
			ended := false
			events := c.GetWorkflowHistory(ctx, run.Execution.WorkflowId, run.Execution.RunId, false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
			for events.HasNext() {
				e, err := events.Next()
				if err != nil {
					return nil, err
				}
				history, ended = append(history, e), ended || e.EventType == enumspb.EVENT_TYPE_TIMER_STARTED
			}
			if ended {
				found[schedule.ID] = history
			}
		}
	}
	return found, nil
}
