package harness

import (
	"context"
	"testing"
	"time"

	"requisite/internal/temporalclient"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Floor is the baseline of benchmarks. It returns a function that eagerly starts a workflow
// that does nothing on a worker in this process, and waits for its end.
func (s *Stack) Floor(t testing.TB) func() {
	return s.eagerly(t, "floor", client.StartWorkflowOptions{}, func(workflow.Context) error { return nil })
}

// FloorWithAWrite is Floor for a workflow that commits one row in Postgres, in a local
// activity, and sets search attributes: the minimum for a run that saves its result.
func (s *Stack) FloorWithAWrite(t testing.TB) func() {
	pool, err := pgxpool.New(t.Context(), s.DatabaseURL)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	_, err = pool.Exec(t.Context(), `CREATE TABLE IF NOT EXISTS written (at timestamptz NOT NULL)`)
	require.NoError(t, err)
	write := func(ctx context.Context) error {
		_, err := pool.Exec(ctx, `INSERT INTO written VALUES (now())`)
		return err
	}
	shown := client.StartWorkflowOptions{
		StaticSummary: "Write a row", Priority: temporal.Priority{FairnessKey: s.AccountID},
		TypedSearchAttributes: temporal.NewSearchAttributes(temporalclient.AccountID.ValueSet(s.AccountID)),
	}
	return s.eagerly(t, "floor-with-a-write", shown, func(ctx workflow.Context) error {
		ctx = workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{StartToCloseTimeout: time.Minute})
		if err := workflow.ExecuteLocalActivity(ctx, write).Get(ctx, nil); err != nil {
			return err
		}
		return workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet("WRITTEN"))
	})
}

// eagerly returns a function that starts a workflow on a worker in this process and waits
// for its end.
func (s *Stack) eagerly(t testing.TB, queue string, options client.StartWorkflowOptions, do func(workflow.Context) error) func() {
	options.TaskQueue, options.EnableEagerStart = queue, true
	c, err := client.Dial(client.Options{HostPort: s.TemporalAddress, Namespace: "requisite", ConnectionOptions: Unhurried})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	w := worker.New(c, queue, worker.Options{})
	w.RegisterWorkflowWithOptions(do, workflow.RegisterOptions{Name: queue})
	require.NoError(t, w.Start())
	t.Cleanup(w.Stop)
	return func() {
		run, err := c.ExecuteWorkflow(context.Background(), options, queue)
		if err == nil {
			err = run.Get(context.Background(), nil)
		}
		if err != nil {
			t.Error(err)
		}
	}
}
