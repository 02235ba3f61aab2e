//go:build deep

package guide_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"requisite/e2e/harness"
	"requisite/internal/secrets/codec"
	"requisite/internal/secrets/vault"
	"requisite/internal/testkit/await"
	"requisite/workflows"
)

const codecToken = "planted-token-0123456789abcdef-0123456789abcdef"

// codecEndpoint is the codec endpoint with the stack's payload keyset.
type codecEndpoint struct {
	s       *stack
	t       *testing.T
	address string
	program *harness.Program
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

// sealing is a client of Temporal that encrypts as the programs do.
func (s *stack) sealing() client.Client {
	s.t.Helper()
	keys, err := vault.Keyset{File: s.PayloadKeyFile}.Load(s.t.Context())
	require.NoError(s.t, err)
	c, err := client.Dial(client.Options{HostPort: s.TemporalAddress, Namespace: "requisite", DataConverter: codec.DataConverter(keys, nil), ConnectionOptions: harness.Unhurried})
	require.NoError(s.t, err)
	s.t.Cleanup(c.Close)
	return c
}

// refuses runs starter, and returns why it refuses.
func (s *stack) refuses(args ...string) string {
	s.t.Helper()
	out, err := s.Starter(args...).CombinedOutput()
	require.Error(s.t, err, "%s", out)
	return string(out)
}

// deleteEndedRuns does what the namespace's retention does in days.
func (s *stack) deleteEndedRuns() {
	s.t.Helper()
	c := s.Temporal(s.t)
	for {
		page, err := c.ListWorkflow(s.t.Context(), &workflowservice.ListWorkflowExecutionsRequest{Query: `ExecutionStatus != "Running"`})
		require.NoError(s.t, err)
		if len(page.Executions) == 0 {
			return
		}
		for _, run := range page.Executions {
			_, err := c.WorkflowService().DeleteWorkflowExecution(s.t.Context(), &workflowservice.DeleteWorkflowExecutionRequest{Namespace: "requisite", WorkflowExecution: run.Execution})
			var gone *serviceerror.NotFound
			if !errors.As(err, &gone) {
				require.NoError(s.t, err)
			}
		}
	}
}

// TestGuide_RotatesThePayloadKeyset: the codec endpoint decodes runs from before, during
// and after the rotation, and the old key stays while a run needs it.
func TestGuide_RotatesThePayloadKeyset(t *testing.T) {
	s := newStack(t)
	calculated := func() string {
		t.Helper()
		w := s.Application(t)
		s.Must(t, "workflow.requiredDocument.calculate", w, nil)
		return w.WorkflowID
	}
	shown := &codecEndpoint{s: s, t: t, address: harness.HeldAddress(t)}
	shown.start()
	runs := []string{calculated()}
	waiting, err := s.sealing().ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "waiting", TaskQueue: "nobody"}, "Waiting", "input")
	require.NoError(t, err)
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
	keys := func() int {
		t.Helper()
		list, err := vault.Keyset{File: s.PayloadKeyFile}.Keys()
		require.NoError(t, err)
		return len(list)
	}
	runs = append(runs, calculated())
	require.Contains(t, s.refuses("keyset", "drop", "--payload"), "restart the api and the worker", "they still encrypt with the old key")
	s.restart()
	shown.start()
	runs = append(runs, calculated())
	all("after promote")

	for _, args := range [][]string{{"keyset", "drop", "--payload"}, {"keyset", "drop", "--payload", "--dry-run"}} {
		says = s.refuses(args...)
		require.Contains(t, says, "open run(s) need an old key, such as ")
		require.Contains(t, says, "ended runs that Temporal still keeps need an old key")
		require.Contains(t, says, "no key was deleted")
		require.Equal(t, 2, keys())
	}
	c := s.Temporal(t)
	require.NoError(t, c.TerminateWorkflow(t.Context(), waiting.GetID(), waiting.GetRunID(), ""))
	for _, schedule := range workflows.Schedules() {
		require.NoError(t, harness.StartRound(t.Context(), c, schedule.ID))
	}
	s.Await(t, "the open runs to be gone", func(context.Context) error {
		if strings.Contains(s.refuses("keyset", "drop", "--payload"), "open run(s)") {
			return errors.New("it is not")
		}
		return nil
	})
	for _, program := range []string{"api", "worker"} {
		s.AwaitMetrics(t, program, fmt.Sprintf(`requisite_payloads_undecodable_total{program=%q} 0`, program))
	}

	// By force.
	before, err := os.ReadFile(s.PayloadKeyFile)
	require.NoError(t, err)
	says = s.starter("keyset", "drop", "--payload", "--force")
	require.Contains(t, says, "dropped nevertheless: ")
	require.Contains(t, says, "nobody could read their histories")
	require.Contains(t, says, "1 old key(s)")
	all("with the running endpoint")
	s.restart()
	shown.start()
	runs = append(runs, calculated())
	for i, reads := range []bool{false, false, false, true, true} {
		require.Equal(t, reads, shown.reads(runs[i]), "run %d, after the old key was dropped", i)
	}

	// When the retention has passed.
	require.NoError(t, os.WriteFile(s.PayloadKeyFile, before, 0o600))
	s.Await(t, "the old key to be dropped", func(context.Context) error {
		s.deleteEndedRuns()
		if out, err := s.Starter("keyset", "drop", "--payload", "--dry-run").CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	})
	require.Equal(t, 2, keys())
	require.Contains(t, s.starter("keyset", "drop", "--payload"), "1 old key(s)")
	require.Equal(t, 1, keys())

	// The only key is lost: the worker makes its schedules again.
	require.NoError(t, c.ScheduleClient().GetHandle(t.Context(), "prune").Pause(t.Context(), client.SchedulePauseOptions{Note: "an incident"}))
	s.starter("keyset", "add", s.PayloadKeyFile)
	s.starter("keyset", "promote", s.PayloadKeyFile)
	s.starter("keyset", "drop", "--payload", "--force")
	s.restart()
	c = s.sealing()
	for _, schedule := range workflows.Schedules() {
		s.Await(t, "schedule "+schedule.ID, func(ctx context.Context) error {
			found, err := c.ScheduleClient().GetHandle(ctx, schedule.ID).Describe(ctx)
			if err == nil {
				require.Equal(t, schedule.ID == "prune", found.Schedule.State.Paused)
			}
			return err
		})
	}
	calculated()
}
