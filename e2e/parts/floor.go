package parts

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Nothing is a workflow that does nothing.
func Nothing(workflow.Context) error { return nil }

// Floor is the baseline of benchmarks: it starts a workflow that does nothing,
// eagerly on a worker in this process, and waits for its end.
func (s *Stack) Floor(t testing.TB) func() {
	c, err := client.Dial(client.Options{HostPort: s.TemporalAddress, Namespace: "requisite"})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	w := worker.New(c, "floor", worker.Options{})
	w.RegisterWorkflow(Nothing)
	require.NoError(t, w.Start())
	t.Cleanup(w.Stop)
	return func() {
		run, err := c.ExecuteWorkflow(context.Background(), client.StartWorkflowOptions{TaskQueue: "floor", EnableEagerStart: true}, Nothing)
		if err == nil {
			err = run.Get(context.Background(), nil)
		}
		if err != nil {
			t.Error(err)
		}
	}
}
