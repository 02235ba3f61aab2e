package workflows

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"

	"requisite/internal/domain"
	"requisite/internal/sending"
	"requisite/internal/store/deliveries"
)

func TestPrune_ReportsDeletedRecords(t *testing.T) {
	env := newEnvironment(t)
	env.RegisterActivityWithOptions(func(context.Context) (domain.Pruned, error) {
		return domain.Pruned{Events: 12, Attempts: 3}, nil
	}, activity.RegisterOptions{Name: "Prune"})
	env.ExecuteWorkflow(Prune)
	require.NoError(t, env.GetWorkflowError())
	require.Contains(t, details(t, env), "Deleted 12 events with their deliveries, 3 attempts of other events")
}

func TestReconcile_ReportsRepairs(t *testing.T) {
	for want, found := range map[string]sending.Reconciled{
		"Nothing to repair: a run works on every delivery that is due.":              {},
		"- **2** failing endpoints had no open run. Their runs are started again.\n": {Missing: 2},
		"- **1** attempts had lost their worker. They are UNKNOWN now.\n":            {Reconciled: deliveries.Reconciled{Lost: 1}},
	} {
		env := newEnvironment(t)
		env.RegisterActivityWithOptions(func(context.Context) (sending.Reconciled, error) { return found, nil }, activity.RegisterOptions{Name: "Reconcile"})
		env.ExecuteWorkflow(Reconcile)
		require.NoError(t, env.GetWorkflowError())
		require.Equal(t, want, details(t, env))
	}
}
