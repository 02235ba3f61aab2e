package activities_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"requisite/activities"
	"requisite/internal/domain"
	"requisite/internal/postgres"
	"requisite/internal/refusal"
)

// runOfTheEnvironment is the workflow id that Temporal's test environment gives.
const runOfTheEnvironment = "default-test-workflow-id"

// calculation runs the step of a run in a worker's place.
func calculation(t *testing.T, a *activities.Activities, app application, runID string) (out activities.Calculated, err error) {
	env := (&testsuite.WorkflowTestSuite{}).NewTestActivityEnvironment()
	env.RegisterActivity(a)
	found, err := env.ExecuteActivity(a.CalculateRequiredDocuments, activities.Calculation{Run: app.run(runID), AccountID: app.account})
	if err == nil {
		require.NoError(t, found.Get(&out))
	}
	return out, err
}

// TestFactsThatAreHandedOverAreReadOnce: the first try of the run uses them, and
// whatever comes after it reads what is on record then.
func TestFactsThatAreHandedOverAreReadOnce(t *testing.T) {
	t.Parallel()
	app := apply(t, postgres.Connections{})
	a := activities.New(app.store, limits())
	_, err := app.store.Write(t.Context(), app.call, func(r *postgres.Records) (any, error) {
		return struct{}{}, r.UpdateBusiness(t.Context(), app.business, func(b *domain.Business) { b.EstablishedDate = nil })
	})
	require.NoError(t, err)
	facts, err := app.store.Records(app.call.Scope).FactsOnFile(t.Context(), app.workflow)
	require.NoError(t, err)
	app.change(t, "2001-01-01")

	activities.HandOver(a, "another run", facts)
	activities.HandOver(a, runOfTheEnvironment, facts)()
	_, err = calculation(t, a, app, "read by itself")
	require.NoError(t, err, "what was forgotten, or is of another run, is not used")

	activities.HandOver(a, runOfTheEnvironment, facts)
	_, err = calculation(t, a, app, "handed over")
	refused, is := refusal.FromError(err)
	require.True(t, is, "%v", err)
	require.Equal(t, refusal.MissingRequirements, refused.Code, "by the facts of its caller's request")
	_, err = calculation(t, a, app, "handed over")
	require.NoError(t, err)
}

// TestFactsThatAreHandedOverAndOutdatedWriteNothing: they are read again.
func TestFactsThatAreHandedOverAndOutdatedWriteNothing(t *testing.T) {
	t.Parallel()
	app := apply(t, postgres.Connections{})
	a := activities.New(app.store, limits())
	facts, err := app.store.Records(app.call.Scope).FactsOnFile(t.Context(), app.workflow)
	require.NoError(t, err)
	app.change(t, "2026-01-01")
	activities.HandOver(a, runOfTheEnvironment, facts)
	done, err := calculation(t, a, app, "outdated")
	require.NoError(t, err)
	require.Equal(t, "2026-01-01", done.Facts.EstablishedDate.String())
	require.Empty(t, done.Added, "the business is too young for the document")
}

// TestAnEndedWorkflowIsRefusedByFactsThatWereHandedOver, and the refusal kept.
func TestAnEndedWorkflowIsRefusedByFactsThatWereHandedOver(t *testing.T) {
	t.Parallel()
	app := apply(t, postgres.Connections{})
	a := activities.New(app.store, limits())
	_, err := app.store.Write(t.Context(), app.call, func(r *postgres.Records) (any, error) {
		return struct{}{}, r.CompleteWorkflow(t.Context(), app.workflow)
	})
	require.NoError(t, err)
	facts, err := app.store.Records(app.call.Scope).FactsOnFile(t.Context(), app.workflow)
	require.NoError(t, err)
	app.call.IdempotencyKey, app.call.BodySHA256 = "key", make([]byte, 32)
	activities.HandOver(a, runOfTheEnvironment, facts)
	_, err = calculation(t, a, app, "ended")
	refused, is := refusal.FromError(err)
	require.True(t, is, "%v", err)
	require.Equal(t, refusal.WorkflowEnded, refused.SubCode)
	kept, is, err := app.store.KeptOutcome(t.Context(), app.call)
	require.NoError(t, err)
	require.True(t, is)
	require.Equal(t, refusal.WorkflowEnded, kept.Refusal.SubCode)
}
