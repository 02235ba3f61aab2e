package harness

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	failurepb "go.temporal.io/api/failure/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/proxy"
	"go.temporal.io/api/temporalproto"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"requisite/internal/secrets/codec"
	"requisite/internal/secrets/vault"
)

// Temporal returns a client without the codec. It reads payloads as Temporal stores them.
func (s *Stack) Temporal(t testing.TB) client.Client {
	c, err := client.Dial(client.Options{HostPort: s.TemporalAddress, Namespace: "requisite", Identity: "test"})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
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
