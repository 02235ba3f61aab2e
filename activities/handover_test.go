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

// facts are those on file now.
func (a application) facts(t *testing.T) *postgres.FactsOnFile {
	facts, err := a.store.Records(a.call.Scope).FactsOnFile(t.Context(), a.workflow)
	require.NoError(t, err)
	return &facts
}

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
	app.write(t, func(r *postgres.Records) error {
		return r.UpdateBusiness(t.Context(), app.business, func(b *domain.Business) { b.EstablishedDate = nil })
	})
	facts := app.facts(t)
	app.change(t, "2001-01-01")

	activities.HandOver(a, "another run", facts)
	activities.HandOver(a, runOfTheEnvironment, facts)()
	_, err := calculation(t, a, app, "read by itself")
	require.NoError(t, err, "what was forgotten, or is of another run, is not used")

	forgetsAnother := activities.HandOver(a, runOfTheEnvironment, app.facts(t))
	activities.HandOver(a, runOfTheEnvironment, facts)
	forgetsAnother()
	_, err = calculation(t, a, app, "handed over")
	require.Equal(t, refusal.MissingRequirements, refusedBy(t, err).Code, "by the facts of its caller's request")
	_, err = calculation(t, a, app, "handed over")
	require.NoError(t, err)
}

// TestFactsOfAnotherWorkflowAreNotUsed: requests about two workflows may have the same
// Idempotency-Key, and so the same run in mind, at the same time.
func TestFactsOfAnotherWorkflowAreNotUsed(t *testing.T) {
	t.Parallel()
	app := apply(t, postgres.Connections{})
	other := app
	app.write(t, func(r *postgres.Records) error {
		date := "2026-01-01"
		business, err := r.CreateBusiness(t.Context(), app.account, domain.Business{LegalName: "Young Ltd", EstablishedDate: &date})
		require.NoError(t, err)
		workflow, err := r.CreateWorkflow(t.Context(), app.account, business.WireID(), domain.Started)
		other.business, other.workflow = business.WireID(), workflow.WireID()
		return err
	})
	a := activities.New(app.store, limits())
	forget := activities.HandOver(a, runOfTheEnvironment, app.facts(t))
	forgetOther := activities.HandOver(a, runOfTheEnvironment, other.facts(t))
	done, err := calculation(t, a, app, "run")
	require.NoError(t, err)
	require.Equal(t, app.workflow.String(), done.Facts.WorkflowID)
	require.Len(t, done.Added, 1)
	forget()
	forgetOther()
}

// TestFactsThatAreHandedOverAndOutdatedWriteNothing: they are read again.
func TestFactsThatAreHandedOverAndOutdatedWriteNothing(t *testing.T) {
	t.Parallel()
	app := apply(t, postgres.Connections{})
	a := activities.New(app.store, limits())
	facts := app.facts(t)
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
	app.write(t, func(r *postgres.Records) error { return r.CompleteWorkflow(t.Context(), app.workflow) })
	activities.HandOver(a, runOfTheEnvironment, app.facts(t))
	app.call.IdempotencyKey, app.call.BodySHA256 = "key", make([]byte, 32)
	_, err := calculation(t, a, app, "ended")
	require.Equal(t, refusal.WorkflowEnded, refusedBy(t, err).SubCode)
	kept, is, err := app.store.KeptOutcome(t.Context(), app.call)
	require.NoError(t, err)
	require.True(t, is)
	require.Equal(t, refusal.WorkflowEnded, kept.Refusal.SubCode)
}
