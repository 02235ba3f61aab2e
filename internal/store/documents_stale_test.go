package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/rational"
	"requisite/internal/store"
)

// onRecord reads the workflow alone and in the list, which must tell the same.
func (b *bundle) onRecord() domain.WorkflowOnRecord {
	b.Helper()
	r := b.Store.Records(b.Call.Scope)
	found, err := r.WorkflowWithDocuments(b.Context(), b.Workflow.WireID())
	require.NoError(b, err)
	w := found.WorkflowOnRecord
	list, _, err := r.Workflows(b.Context(), b.Account.WireID(), domain.WorkflowFilter{}, domain.Page{Limit: 200})
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

func TestDocumentsStale_AfterEveryChangeOfAFact(t *testing.T) {
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
	require.True(t, b.Now().Equal(first))

	for _, change := range slices.Concat(b.unseenChanges(), b.factChanges()) {
		b.Write(b.Call, change.make)
		require.True(t, stale(), change.name)
		b.mustCalculate()
		require.False(t, stale(), change.name)
	}
	b.saveScore(rational.Int(600))
	require.True(t, stale(), "the score")
	b.mustCalculate()
	require.False(t, stale())

	b.Pass(400 * 24 * time.Hour)
	require.False(t, stale(), "that days pass does not count")
	b.mustCalculate()
	require.True(t, b.Now().Equal(*b.onRecord().DocumentsCalculatedAt), "a calculation that changed nothing was one too")

	b.publish(rule("A", "highest_ticket_sale > 1"))
	before := *b.onRecord().DocumentsCalculatedAt
	require.Error(t, only(b.calculate(b.Run())), "data is missing")
	require.True(t, stale())
	require.Equal(t, before, *b.onRecord().DocumentsCalculatedAt)

	require.NoError(t, b.completeWorkflow())
	require.False(t, stale(), "an ended workflow is not calculated again")
}

// TestDocumentsStale_IsKeptForEachWorkflow: two workflows of one business
// share its facts, not their calculations.
func TestDocumentsStale_IsKeptForEachWorkflow(t *testing.T) {
	b := setup(t)
	b.mustCalculate()
	first := b.Workflow
	b.Write(b.Call, func(r *store.Records) (err error) {
		b.Workflow, err = r.CreateWorkflow(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started})
		return err
	})
	require.Nil(t, b.onRecord().DocumentsStale)
	b.setOwnership(4000)
	b.mustCalculate()
	require.False(t, *b.onRecord().DocumentsStale)
	b.Workflow = first
	require.True(t, *b.onRecord().DocumentsStale)
}

// TestDocumentsStale_NotAfterAnUpdateWithoutAChange: a caller may send again what is on
// record.
func TestDocumentsStale_NotAfterAnUpdateWithoutAChange(t *testing.T) {
	b := setup(t)
	b.mustCalculate()
	b.Pass(time.Hour)
	b.Write(b.Call, func(r *store.Records) error {
		name := b.Business.LegalName
		if err := r.UpdateBusiness(t.Context(), b.Business.WireID(), domain.CustomChange{}, func(b *domain.Business) { b.LegalName = name }); err != nil {
			return err
		}
		return r.UpdatePerson(t.Context(), b.Person.WireID(), domain.CustomChange{}, func(p *domain.Person) {
			same := *p.OwnershipHundredths
			p.OwnershipHundredths = &same
		})
	})
	require.False(t, *b.onRecord().DocumentsStale)
	require.Zero(t, b.Count(`SELECT (SELECT count(*) FROM business WHERE updated_at > created_at) + (SELECT count(*) FROM person WHERE updated_at > created_at)`))
}
