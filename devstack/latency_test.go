package main

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

func noop(workflow.Context) error { return nil }

// BenchmarkEagerWorkflow measures a workflow that does nothing, from its start to its result, with a worker on the same
// client. It reports the median in addition to the mean.
func BenchmarkEagerWorkflow(b *testing.B) {
	stack := start(b, "--ephemeral", "--no-ui")
	c := stack.dial(b)
	w := worker.New(c, taskQueue, worker.Options{})
	w.RegisterWorkflow(noop)
	require.NoError(b, w.Start())
	defer w.Stop()

	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		run, err := c.ExecuteWorkflow(b.Context(), client.StartWorkflowOptions{TaskQueue: taskQueue, EnableEagerStart: true}, noop)
		require.NoError(b, err)
		require.NoError(b, run.Get(b.Context(), nil))
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms/p50")
}
