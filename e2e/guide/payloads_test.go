//go:build deep

package guide_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/converter"

	"requisite/e2e/parts"
	"requisite/internal/testkit/await"
)

const codecToken = "planted-token-0123456789abcdef-0123456789abcdef"

// codecEndpoint is the codec endpoint with the stack's payload keyset.
type codecEndpoint struct {
	s       *stack
	t       *testing.T
	address string
	program *parts.Program
}

// start starts or restarts the endpoint, and waits until it is healthy.
func (c *codecEndpoint) start() {
	c.t.Helper()
	if c.program != nil {
		c.program.Stop(c.t)
	}
	c.program = c.s.Start(c.t, c.s.Starter("codec", "--listen", c.address, "--origin", "http://localhost:8233", "--token", codecToken))
	await.True(c.t, "the codec endpoint to be healthy", func(context.Context) error {
		return c.s.Starter("healthz", "http://"+c.address).Run()
	}, await.Process{Name: "codec", Ended: c.program.Ended()})
}

// calculation returns the only run for a workflow.
func (c *codecEndpoint) calculation(workflowID string) (run *commonpb.WorkflowExecution) {
	c.t.Helper()
	temporal := c.s.Temporal(c.t)
	c.s.Poll(c.t, "the run is not found", func(ctx context.Context) (bool, error) {
		found, err := temporal.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: fmt.Sprintf("ApplicationWorkflowId = %q", workflowID)})
		if err != nil || len(found.GetExecutions()) != 1 {
			return false, err
		}
		run = found.Executions[0].Execution
		return true, nil
	})
	return run
}

// reads reports whether the endpoint decodes the input of a workflow's run.
func (c *codecEndpoint) reads(workflowID string) bool {
	c.t.Helper()
	run := c.calculation(workflowID)
	events := c.s.Temporal(c.t).GetWorkflowHistory(c.t.Context(), run.WorkflowId, run.RunId, false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	event, err := events.Next()
	require.NoError(c.t, err)
	sealed := event.GetWorkflowExecutionStartedEventAttributes().GetInput().GetPayloads()
	require.NotEmpty(c.t, sealed)
	require.False(c.t, contain(sealed, workflowID), "Temporal stores cipher text")
	remote := converter.NewRemotePayloadCodec(converter.RemotePayloadCodecOptions{Endpoint: "http://" + c.address + "/codec", ModifyRequest: func(r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+codecToken)
		return nil
	}})
	plain, err := remote.Decode(sealed)
	return err == nil && contain(plain, workflowID)
}

func contain(payloads []*commonpb.Payload, text string) bool {
	for _, p := range payloads {
		if strings.Contains(string(p.GetData()), text) {
			return true
		}
	}
	return false
}

// TestGuide_RotatesThePayloadKeyset: the codec endpoint decodes runs from before, during
// and after the rotation.
func TestGuide_RotatesThePayloadKeyset(t *testing.T) {
	s := newStack(t)
	calculated := func() string {
		t.Helper()
		w := s.Application(t)
		s.Must(t, "workflow.requiredDocument.calculate", w, nil)
		return w.WorkflowID
	}
	shown := &codecEndpoint{s: s, t: t, address: parts.HeldAddress(t)}
	shown.start()
	runs := []string{calculated()}
	all := func(when string) {
		t.Helper()
		for i, run := range runs {
			require.True(t, shown.reads(run), "run %d, %s", i, when)
		}
	}
	all("before")

	says := s.starter("keyset", "add", s.PayloadKeyFile)
	require.Contains(t, says, "the codec endpoint")
	s.restart()
	shown.start()
	runs = append(runs, calculated())
	all("after add")

	says = s.starter("keyset", "promote", s.PayloadKeyFile)
	require.Contains(t, says, "the codec endpoint")
	require.Contains(t, says, "keyset drop --payload")
	s.restart()
	shown.start()
	runs = append(runs, calculated())
	all("after promote")

	require.Contains(t, s.starter("keyset", "drop", "--payload"), "1 old key(s)")
	all("with the running endpoint")
	s.restart()
	shown.start()
	runs = append(runs, calculated())
	for i, reads := range []bool{false, false, true, true} {
		require.Equal(t, reads, shown.reads(runs[i]), "run %d, after the old key was dropped", i)
	}
}
