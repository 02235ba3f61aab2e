package activities_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/activities"
	"requisite/internal/decimal"
	"requisite/internal/postgres"
	"requisite/internal/postgres/pgtest"
	"requisite/internal/requirement"
)

var server *pgtest.Server

func TestMain(m *testing.M) { pgtest.Main(m, func(s *pgtest.Server) { server = s }) }

// TestUnderLocksNoSecondConnectionIsNeeded: who holds the locks holds the only
// connection that there is for the organization, and nothing that is compiled is kept.
func TestUnderLocksNoSecondConnectionIsNeeded(t *testing.T) {
	t.Parallel()
	_, operator, url := server.Stores(t, nil)
	store := server.Open(t, pgtest.As(url, pgtest.Serving), nil, postgres.Options{Connections: postgres.Connections{Each: 1}})
	o, err := operator.CreateOrganization(t.Context(), "o")
	require.NoError(t, err)
	call := postgres.Call{Scope: postgres.Scope{OrganizationID: o.ID, Environment: postgres.Sandbox}, Actor: postgres.APIKey("tester"), Operation: "test"}
	account, err := operator.CreateAccount(t.Context(), call.Scope, "a", "USD", "UTC")
	require.NoError(t, err)
	var workflow postgres.Workflow
	_, err = store.Write(t.Context(), call, func(r *postgres.Records) (any, error) {
		date, share, us := "2001-01-01", decimal.Number(5000), "US"
		business, err := r.CreateBusiness(t.Context(), account.WireID(), postgres.Business{LegalName: "Ltd", EstablishedDate: &date})
		require.NoError(t, err)
		_, err = r.CreatePerson(t.Context(), business.WireID(), postgres.Person{FirstName: "A", LastName: "B", Citizenship: &us, OwnershipHundredths: &share})
		require.NoError(t, err)
		set := requirement.RuleSet{Documents: []requirement.DocumentRule{{DocumentTypeCode: "A", Name: "n", Category: "c", RequirementText: "t", EntityType: requirement.EntityBusiness, When: "business_age_years >= 5"}}}
		_, _, err = r.PublishRuleSet(t.Context(), account.WireID(), postgres.Draft{Content: set.CanonicalJSON(), EnvironmentVersion: requirement.EnvironmentVersion, CostLimit: int64(requirement.DefaultCostLimit)})
		require.NoError(t, err)
		workflow, err = r.CreateWorkflow(t.Context(), account.WireID(), business.WireID(), postgres.Started)
		return struct{}{}, err
	})
	require.NoError(t, err)
	a := activities.New(store, activities.Limits{Evaluation: time.Minute, Evaluations: 2, StepsEach: 2, CacheBytes: 1})
	done, err := a.CalculateUnderLocks(t.Context(), postgres.Run{ID: "run", Call: call, WorkflowID: workflow.WireID(), StartedAt: time.Now()})
	require.NoError(t, err)
	require.Len(t, done.Added, 1)
	require.Zero(t, store.Shared().Stat().InUse)
}
