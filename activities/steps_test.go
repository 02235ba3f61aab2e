package activities_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"requisite/activities"
	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/engine"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
)

var server *pgtest.Server

func TestMain(m *testing.M) {
	pgtest.Main(m, func(s *pgtest.Server) { server = s })
}

// application is a business with a person, a rule set that asks it for one
// document, and a workflow.
type application struct {
	store    *store.Store // with what the programs may
	operator *store.Store // with what operators may
	call     domain.Call
	account  id.AccountID
	business id.BusinessID
	workflow id.WorkflowID
}

func apply(t *testing.T, c db.Connections) application {
	_, operator, url := server.Stores(t, nil)
	st := server.Open(t, pgtest.As(url, pgtest.Serving), nil, store.Options{Connections: c})
	account, call := pgtest.NewAccount(t, operator, "first", "UTC")
	a := application{store: st, operator: operator, call: call, account: account.WireID()}
	_, err := st.Write(t.Context(), a.call, func(r *store.Records) (any, error) {
		date, share, us := "2001-01-01", rational.Decimal(5000), "US"
		business, err := r.Applicants.CreateBusiness(t.Context(), a.account, domain.Business{LegalName: "Ltd", EstablishedDate: &date})
		require.NoError(t, err)
		_, err = r.Persons.Create(t.Context(), business.WireID(), store.PersonPath,
			domain.Person{FirstName: new("A"), LastName: new("B"), Citizenship: &us, OwnershipHundredths: &share})
		require.NoError(t, err)
		set := requirement.RuleSet{Documents: []requirement.DocumentRule{{DocumentTypeCode: "A", Name: "n", Category: "c", RequirementText: "t", EntityType: fact.EntityBusiness, When: "business_age_years >= 5"}}}
		_, err = r.Rules.Publish(t.Context(), a.account, calculation.NewDraft(set.CanonicalJSON()))
		require.NoError(t, err)
		workflow, err := r.Workflows.Create(t.Context(), a.account, business.WireID(), domain.NewWorkflow{State: domain.Started})
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
	a.write(t, func(r *store.Records) error {
		return r.Businesses.Update(t.Context(), a.business, domain.CustomChange{}, func(b *domain.Business) { b.EstablishedDate = &date })
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
func (a application) write(t *testing.T, change func(*store.Records) error) {
	t.Helper()
	a.call.IdempotencyKey = ""
	_, err := a.store.Write(t.Context(), a.call, func(r *store.Records) (any, error) { return struct{}{}, change(r) })
	require.NoError(t, err)
}

const cacheBytes = 1 << 20

// Also when the step runs again, and when what was missing is on file by then.
func TestRefusal_IsRecordedOnce(t *testing.T) {
	t.Parallel()
	app := apply(t, db.Connections{})
	a := activities.New(app.store, engine.New(app.store.Versions, cacheBytes))
	app.write(t, func(r *store.Records) error {
		return r.Businesses.Update(t.Context(), app.business, domain.CustomChange{}, func(b *domain.Business) { b.EstablishedDate = nil })
	})
	app.call.IdempotencyKey, app.call.BodySHA256 = "key", make([]byte, 32)
	in := app.evaluation(t, a, "run")
	_, err := a.EvaluateRules(t.Context(), in)
	record := activities.Refusing{Evaluation: in, Kind: decision.Calculation, Refusal: refusedBy(t, err)}
	first, err := a.RecordRefusal(t.Context(), record)
	require.NoError(t, err)
	require.NotNil(t, first.Decision)
	repeat := func(of activities.Refusing, why string) {
		t.Helper()
		again, err := a.RecordRefusal(t.Context(), of)
		require.NoError(t, err)
		require.Nil(t, again.Decision, why)
		found, err := a.FindOutcome(t.Context(), of.Run)
		require.NoError(t, err)
		require.JSONEq(t, string(record.Refusal.Details), string(found.Refusal.Details))
		require.Equal(t, first.Decision, found.Refusal.Decision, why)
	}
	repeat(record, "the step runs again")

	app.change(t, "2001-01-01")
	repeat(record, "it stays a refusal")
	other := record
	other.Refusal = refusal.Missing([]fact.Gap{{Code: "FIELDS_REQUIRED", EntityType: fact.EntityPerson, EntityID: "p_1"}})
	repeat(other, "the decision is about the first refusal")
	later, err := app.calculate(t, a, "a later run")
	require.NoError(t, err, "a repeat of the request decides again")
	record.Run.ID = "a run that a repeat has overtaken"
	overtaken, err := a.RecordRefusal(t.Context(), record)
	require.NoError(t, err)
	require.Nil(t, overtaken.Decision)
	found, err := a.FindOutcome(t.Context(), record.Run)
	require.NoError(t, err)
	require.Contains(t, string(found.Result), later.Decision.DecisionID.String(), "it gets the result of the repeat")
	decisions, _, err := app.store.Records(app.call.Scope).Decisions.List(t.Context(), app.workflow, "", nil, domain.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, decisions, 2)
}

// A repeat of the run returns what the first execution wrote.
func TestCalculation_WritesOnce(t *testing.T) {
	t.Parallel()
	app := apply(t, db.Connections{})
	a := activities.New(app.store, engine.New(app.store.Versions, cacheBytes))
	first, err := app.calculate(t, a, "run")
	require.NoError(t, err)
	require.Len(t, first.Changed.Added, 1)
	require.False(t, first.Repeated)

	again, err := app.calculate(t, a, "run")
	require.NoError(t, err)
	require.True(t, again.Repeated)
	require.Equal(t, first.Documents, again.Documents)
}

// Another process has evaluated the rules.
func TestSave_TakesTextsFromTheRuleSet(t *testing.T) {
	t.Parallel()
	app := apply(t, db.Connections{})
	in := app.evaluation(t, activities.New(app.store, engine.New(app.store.Versions, cacheBytes)), "run")
	found, err := activities.New(app.store, engine.New(app.store.Versions, cacheBytes)).EvaluateRules(t.Context(), in)
	require.NoError(t, err)
	written, err := json.Marshal(found)
	require.NoError(t, err)
	require.NotContains(t, string(written), "business_age_years >= 5")
	var read activities.Evaluated
	require.NoError(t, json.Unmarshal(written, &read))
	for range 2 {
		_, err = activities.New(app.store, engine.New(app.store.Versions, cacheBytes)).SaveRequiredDocuments(t.Context(), activities.SavingDocuments{Evaluation: in, ByRules: read.ByRules})
		require.NoError(t, err)
		documents, _, err := app.store.Records(app.call.Scope).Documents.List(t.Context(), app.workflow, calculation.DocumentFilter{}, nil)
		require.NoError(t, err)
		require.Len(t, documents, 1)
		require.Equal(t, []string{"n", "c", "t", "business_age_years >= 5"}, []string{documents[0].Name, documents[0].Category, documents[0].RequirementText, documents[0].Reasons[0].Rule})
	}
}

// The result stands although the service would refuse the request now.
func TestFindOutcome_ReturnsTheCommittedResult(t *testing.T) {
	t.Parallel()
	app := apply(t, db.Connections{})
	a := activities.New(app.store, engine.New(app.store.Versions, cacheBytes))
	app.call.IdempotencyKey, app.call.BodySHA256 = "key", make([]byte, 32)
	outcome := func(run domain.Run) store.Outcome {
		found, err := a.FindOutcome(t.Context(), run)
		require.NoError(t, err)
		return found
	}
	require.Zero(t, outcome(app.run("run")))
	first, err := app.calculate(t, a, "run")
	require.NoError(t, err)
	written, err := json.Marshal(first.RunResult)
	require.NoError(t, err)

	app.write(t, func(r *store.Records) error {
		_, err := r.Workflows.Complete(t.Context(), app.workflow, false)
		return err
	})
	require.JSONEq(t, string(written), string(outcome(app.run("run")).Result))
	require.JSONEq(t, string(written), string(outcome(app.run("a later run with the key")).Result))
	other := app.run("another request")
	other.Call.BodySHA256 = append(make([]byte, 31), 1)
	require.Zero(t, outcome(other), "the key belongs to another body")
	other.Call.IdempotencyKey = ""
	require.Zero(t, outcome(other))

	app.call.IdempotencyKey = "another key"
	_, err = app.calculate(t, a, "ended")
	require.Equal(t, refusal.WorkflowEnded, refusedBy(t, err).SubCode)
	require.Equal(t, refusal.WorkflowEnded, outcome(app.run("a repeat")).Refusal.SubCode, "a kept refusal is an outcome, too")
}

func TestPricing_WithoutAModelIsARefusal(t *testing.T) {
	t.Parallel()
	app := apply(t, db.Connections{})
	a := activities.New(app.store, engine.New(app.store.Versions, cacheBytes))
	_, err := a.EvaluatePricing(t.Context(), app.evaluation(t, a, "price"))
	require.Equal(t, refusal.PricingNotConfigured, refusedBy(t, err).SubCode)
}

// The failure is final: a retry would save the same facts.
func TestSave_WritesNothingIfFactsHaveChanged(t *testing.T) {
	t.Parallel()
	app := apply(t, db.Connections{})
	a := activities.New(app.store, engine.New(app.store.Versions, cacheBytes))
	in := app.evaluation(t, a, "run")
	found, err := a.EvaluateRules(t.Context(), in)
	require.NoError(t, err)
	require.Len(t, found.Required, 1)
	app.change(t, "2026-01-01")
	_, err = a.SaveRequiredDocuments(t.Context(), activities.SavingDocuments{Evaluation: in, ByRules: found.ByRules})
	var failure *temporal.ApplicationError
	require.ErrorAs(t, err, &failure)
	require.Equal(t, activities.FactsChanged, failure.Type())
	require.True(t, failure.NonRetryable())
	require.Equal(t, temporal.ApplicationErrorCategoryBenign, failure.Category())
	outcome, err := a.FindOutcome(t.Context(), in.Run)
	require.NoError(t, err)
	require.Zero(t, outcome)

	done, err := app.calculate(t, a, "run")
	require.NoError(t, err)
	require.Zero(t, done.Documents.Added, "the business is too young for the document")
}

// calculation is the input of a run's steps.
func (a application) calculation(runID string) activities.Calculation {
	return activities.Calculation{Run: a.run(runID), AccountID: a.account}
}

// evaluation is the input of the second step, by the facts on file. It passes through
// JSON, as it does from step to step.
func (a application) evaluation(t *testing.T, by *activities.Activities, runID string) (in activities.Evaluation) {
	t.Helper()
	in.Calculation = a.calculation(runID)
	loaded, err := by.LoadFacts(t.Context(), in.Calculation)
	require.NoError(t, err)
	data, err := json.Marshal(loaded)
	require.NoError(t, err)
	var read activities.Loaded
	require.NoError(t, json.Unmarshal(data, &read))
	again, err := json.Marshal(read)
	require.NoError(t, err)
	require.Equal(t, string(data), string(again))
	require.Equal(t, loaded.Snapshot.Facts.Fingerprint(), read.Snapshot.Facts.Fingerprint())
	in.Snapshot = read.Snapshot
	return in
}

// calculate takes the three steps of a run.
func (a application) calculate(t *testing.T, by *activities.Activities, runID string) (activities.Saved, error) {
	in := activities.Evaluation{Calculation: a.calculation(runID)}
	loaded, err := by.LoadFacts(t.Context(), in.Calculation)
	if err != nil {
		return activities.Saved{}, err
	}
	in.Snapshot = loaded.Snapshot
	found, err := by.EvaluateRules(t.Context(), in)
	if err != nil {
		return activities.Saved{}, err
	}
	return by.SaveRequiredDocuments(t.Context(), activities.SavingDocuments{Evaluation: in, ByRules: found.ByRules})
}
