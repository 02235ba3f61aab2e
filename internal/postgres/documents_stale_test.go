package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/decimal"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/internal/rational"
)

// onRecord reads the workflow alone and in the list, which must tell the same.
func (b *bundle) onRecord() domain.WorkflowOnRecord {
	b.Helper()
	r := b.store.Records(b.call.Scope)
	w, err := r.WorkflowOnRecord(b.Context(), b.workflow.WireID())
	require.NoError(b, err)
	list, _, err := r.Workflows(b.Context(), b.account.WireID(), domain.WorkflowFilter{}, domain.Page{Limit: 200})
	require.NoError(b, err)
	for _, listed := range list {
		if listed.ID == w.ID {
			require.Equal(b, w, listed)
			return w
		}
	}
	require.Fail(b, "the workflow is not in the list")
	return w
}

func TestWhetherDocumentsAreStale(t *testing.T) {
	b := setup(t)
	stale := func() bool {
		t.Helper()
		w := b.onRecord()
		require.NotNil(t, w.DocumentsCalculatedAt)
		require.NotNil(t, w.DocumentsStale)
		return *w.DocumentsStale
	}
	require.Nil(t, b.onRecord().DocumentsCalculatedAt, "never calculated")
	require.Nil(t, b.onRecord().DocumentsStale)
	b.mustCalculate()
	require.False(t, stale(), "nothing is required, and that is known")
	first := *b.onRecord().DocumentsCalculatedAt
	require.WithinDuration(t, time.Now(), first, time.Minute)

	business, person, account := b.business.WireID(), b.person.WireID(), b.account.WireID()
	leaving := b.newPerson()
	b.mustCalculate()
	var salesInfo domain.SalesInfo
	for name, change := range map[string]func(r *postgres.Records) error{
		"business": func(r *postgres.Records) error {
			return r.UpdateBusiness(t.Context(), business, func(b *domain.Business) { b.IndustryCategoryCode = []string{"0742"} })
		},
		"person": func(r *postgres.Records) error {
			return r.UpdatePerson(t.Context(), person, func(p *domain.Person) { p.LastName = "C" })
		},
		"another person": func(r *postgres.Records) error {
			_, err := r.CreatePerson(t.Context(), business, domain.Person{FirstName: "A", LastName: "B"})
			return err
		},
		"a person who leaves": func(r *postgres.Records) error { return r.DeletePerson(t.Context(), leaving) },
		"sales": func(r *postgres.Records) (err error) {
			salesInfo, err = r.CreateSalesInfo(t.Context(), business, []domain.SalesAmount{{Type: "AVERAGE_MONTHLY_CREDIT_SALES", Hundredths: decimal.Number(100), Currency: "USD"}})
			return err
		},
		"rules": func(r *postgres.Records) error {
			_, _, err := r.PublishRuleSet(t.Context(), account, draft(rule("A", "")))
			return err
		},
	} {
		b.write(b.call, change)
		require.True(t, stale(), name)
		b.mustCalculate()
		require.False(t, stale(), name)
	}
	b.write(b.call, func(r *postgres.Records) error { return r.DeleteSalesInfo(t.Context(), salesInfo.WireID()) })
	require.True(t, stale())
	b.mustCalculate()
	snapshot, err := b.store.LoadFacts(t.Context(), b.call, b.workflow.WireID(), time.Now())
	require.NoError(t, err)
	_, err = b.store.Save(t.Context(), b.run(), snapshot, postgres.Score(rational.Int(600)))
	require.NoError(t, err)
	require.True(t, stale(), "the score")
	b.mustCalculate()
	require.False(t, stale())

	b.pass(400 * 24 * time.Hour)
	require.False(t, stale(), "that days pass does not count")
	b.mustCalculate()
	require.WithinDuration(t, first.Add(400*24*time.Hour), *b.onRecord().DocumentsCalculatedAt, time.Minute, "a calculation that changed nothing was one too")

	b.publish(rule("A", "highest_ticket_sale > 1"))
	before := *b.onRecord().DocumentsCalculatedAt
	_, err = b.calculate(b.run())
	require.Error(t, err, "data is missing")
	require.True(t, stale())
	require.Equal(t, before, *b.onRecord().DocumentsCalculatedAt)

	b.write(b.call, func(r *postgres.Records) error { return r.CompleteWorkflow(t.Context(), b.workflow.WireID()) })
	require.False(t, stale(), "an ended workflow is not calculated again")
}

// TestDocumentsOfOneWorkflowAreNotFreshByAnother: two workflows of one business
// share its facts, not their calculations.
func TestDocumentsOfOneWorkflowAreNotFreshByAnother(t *testing.T) {
	b := setup(t)
	b.mustCalculate()
	first := b.workflow
	b.write(b.call, func(r *postgres.Records) (err error) {
		b.workflow, err = r.CreateWorkflow(t.Context(), b.account.WireID(), b.business.WireID(), domain.Started)
		return err
	})
	require.Nil(t, b.onRecord().DocumentsStale)
	b.setOwnership(4000)
	b.mustCalculate()
	require.False(t, *b.onRecord().DocumentsStale)
	b.workflow = first
	require.True(t, *b.onRecord().DocumentsStale)
}

// TestACalculationUnderLocksIsNotedToo: it reads anew what it notes.
func TestACalculationUnderLocksIsNotedToo(t *testing.T) {
	b := setup(t)
	b.setOwnership(4000)
	_, err := b.store.UnderLocks(t.Context(), b.run(), b.find)
	require.NoError(t, err)
	require.False(t, *b.onRecord().DocumentsStale)
}

// newPerson adds a person to the business.
func (b *bundle) newPerson() (added id.PersonID) {
	b.Helper()
	b.write(b.call, func(r *postgres.Records) error {
		p, err := r.CreatePerson(b.Context(), b.business.WireID(), domain.Person{FirstName: "A", LastName: "B"})
		added = p.WireID()
		return err
	})
	return added
}
