package activities_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/activities"
	"requisite/internal/background"
	"requisite/internal/decimal"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/internal/postgres/pgtest"
	"requisite/internal/rational"
	"requisite/internal/refusal"
	"requisite/internal/requirement"
)

var server *pgtest.Server

func TestMain(m *testing.M) {
	background.Serve()
	pgtest.Main(m, func(s *pgtest.Server) { server = s })
}

// application is a business with a person, a rule set that asks it for one
// document, and a workflow.
type application struct {
	store    *postgres.Store // with what the programs may
	operator *postgres.Store // with what operators may
	call     domain.Call
	account  id.AccountID
	business id.BusinessID
	workflow id.WorkflowID
}

func apply(t *testing.T, c postgres.Connections) application {
	_, operator, url := server.Stores(t, nil)
	store := server.Open(t, pgtest.As(url, pgtest.Serving), nil, postgres.Options{Connections: c})
	o, err := operator.CreateOrganization(t.Context(), "o")
	require.NoError(t, err)
	a := application{store: store, operator: operator, call: domain.Call{Scope: domain.Scope{OrganizationID: o.ID, Environment: domain.Sandbox}, Actor: domain.APIKey("tester"), Operation: "test"}}
	account, err := operator.CreateAccount(t.Context(), a.call.Scope, "a", "USD", "UTC")
	require.NoError(t, err)
	a.account = account.WireID()
	_, err = store.Write(t.Context(), a.call, func(r *postgres.Records) (any, error) {
		date, share, us := "2001-01-01", decimal.Number(5000), "US"
		business, err := r.CreateBusiness(t.Context(), a.account, domain.Business{LegalName: "Ltd", EstablishedDate: &date})
		require.NoError(t, err)
		_, err = r.CreatePerson(t.Context(), business.WireID(), domain.Person{FirstName: "A", LastName: "B", Citizenship: &us, OwnershipHundredths: &share})
		require.NoError(t, err)
		set := requirement.RuleSet{Documents: []requirement.DocumentRule{{DocumentTypeCode: "A", Name: "n", Category: "c", RequirementText: "t", EntityType: requirement.EntityBusiness, When: "business_age_years >= 5"}}}
		_, _, err = r.PublishRuleSet(t.Context(), a.account, domain.NewDraft(set.CanonicalJSON()))
		require.NoError(t, err)
		workflow, err := r.CreateWorkflow(t.Context(), a.account, business.WireID(), domain.Started)
		a.business, a.workflow = business.WireID(), workflow.WireID()
		return struct{}{}, err
	})
	require.NoError(t, err)
	return a
}

func (a application) run(runID string) domain.Run {
	return domain.Run{ID: runID, Call: a.call, WorkflowID: a.workflow, StartedAt: time.Now()}
}

// change makes the facts other facts.
func (a application) change(t *testing.T, date string) {
	a.write(t, func(r *postgres.Records) error {
		return r.UpdateBusiness(t.Context(), a.business, func(b *domain.Business) { b.EstablishedDate = &date })
	})
}

// refusedBy is the refusal that an error must be.
func refusedBy(t *testing.T, err error) *refusal.Refusal {
	t.Helper()
	refused, is := refusal.FromError(err)
	require.True(t, is, "%v", err)
	return refused
}

// write makes a change in a transaction of its own.
func (a application) write(t *testing.T, change func(*postgres.Records) error) {
	t.Helper()
	_, err := a.store.Write(t.Context(), a.call, func(r *postgres.Records) (any, error) { return struct{}{}, change(r) })
	require.NoError(t, err)
}

func limits() activities.Limits {
	return activities.Limits{Evaluation: time.Minute, Evaluations: 2, StepsEach: 2, CacheBytes: 1 << 20}
}

// TestUnderLocksNoSecondConnectionIsNeeded: who holds the locks holds the only
// connection that there is for the organization, and nothing that is compiled is kept.
func TestUnderLocksNoSecondConnectionIsNeeded(t *testing.T) {
	t.Parallel()
	app := apply(t, postgres.Connections{Each: 1})
	few := limits()
	few.CacheBytes = 1
	done, err := activities.New(app.store, few).UnderLocks(t.Context(), app.run("run"))
	require.NoError(t, err)
	require.Len(t, done.Added, 1)
	require.Zero(t, app.store.Shared().Stat().InUse)
}

// TestUnderLocksNoProcessIsStarted, which takes a while.
func TestUnderLocksNoProcessIsStarted(t *testing.T) {
	t.Parallel()
	app := apply(t, postgres.Connections{})
	_, err := app.operator.Write(t.Context(), app.call, func(r *postgres.Records) (any, error) {
		_, _, err := r.PublishPricingModel(t.Context(), app.account, domain.NewDraft(requirement.PricingModel{Base: rational.Int(500)}.CanonicalJSON()))
		return struct{}{}, err
	})
	require.NoError(t, err)
	here, err := activities.New(app.store, limits()).PreparedHere(t.Context(), app.run("run"))
	require.NoError(t, err)
	require.True(t, here)
}

// TestACalculationWritesOnceAndSaysWhatItFound: the same run a second time answers
// what the first one wrote, and no more than that.
func TestACalculationWritesOnceAndSaysWhatItFound(t *testing.T) {
	t.Parallel()
	app := apply(t, postgres.Connections{})
	a := activities.New(app.store, limits())
	in := activities.Calculation{Run: app.run("run"), AccountID: app.account}
	first, err := a.CalculateRequiredDocuments(t.Context(), in)
	require.NoError(t, err)
	require.Len(t, first.Added, 1)
	require.Len(t, first.Required, 1)
	require.Equal(t, "2001-01-01", first.Facts.EstablishedDate.String())
	require.Equal(t, 1, first.RuleSet.Version)

	app.change(t, "2020-01-01")
	again, err := a.CalculateRequiredDocuments(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, first.Added, again.Added)
	require.Nil(t, again.Facts, "the facts of now are not those that it was written for")
	require.Empty(t, again.Required)

	app.write(t, func(r *postgres.Records) error { return r.CompleteWorkflow(t.Context(), app.workflow) })
	again, err = a.CalculateRequiredDocuments(t.Context(), in)
	require.NoError(t, err, "what it wrote stands, although the workflow has ended since")
	require.Equal(t, first.Added, again.Added)
	_, err = a.CalculateRequiredDocuments(t.Context(), activities.Calculation{Run: app.run("another"), AccountID: app.account})
	require.Equal(t, refusal.WorkflowEnded, refusedBy(t, err).SubCode)
}

func TestPricingNeedsAModel(t *testing.T) {
	t.Parallel()
	app := apply(t, postgres.Connections{})
	a := activities.New(app.store, limits())
	_, err := a.CalculatePricing(t.Context(), activities.Calculation{Run: app.run("price"), AccountID: app.account})
	require.Equal(t, refusal.PricingNotConfigured, refusedBy(t, err).SubCode)
}

// TestFactsThatChangedAreReadAgainAndThenHeldStill: what is written was found from
// the facts that were on record when it was written.
func TestFactsThatChangedAreReadAgainAndThenHeldStill(t *testing.T) {
	t.Parallel()
	app := apply(t, postgres.Connections{})
	a := activities.New(app.store, limits())
	for changes := range activities.Rounds + 1 {
		var seen []string
		run := app.run(fmt.Sprint(changes))
		_, err := a.Calculate(t.Context(), run, func(s domain.Snapshot) (postgres.Finding, error) {
			seen = append(seen, s.Facts.EstablishedDate.String())
			require.Equal(t, run.StartedAt.UTC().Format(time.DateOnly), s.Facts.AsOf.String())
			if len(seen) <= changes {
				app.change(t, fmt.Sprintf("20%02d-01-%02d", 10+changes, len(seen)))
			}
			return postgres.Documents(nil), nil
		})
		require.NoError(t, err)
		require.Len(t, seen, changes+1)
		if changes > 0 {
			require.Equal(t, fmt.Sprintf("20%02d-01-%02d", 10+changes, changes), seen[changes])
		}
	}
}
