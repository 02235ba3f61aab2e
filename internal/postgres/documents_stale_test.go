package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
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
	require.True(t, b.now().Equal(first))

	for _, change := range b.factChanges() {
		b.write(b.call, change.make)
		require.True(t, stale(), change.name)
		b.mustCalculate()
		require.False(t, stale(), change.name)
	}
	b.saveScore(rational.Int(600))
	require.True(t, stale(), "the score")
	b.mustCalculate()
	require.False(t, stale())

	b.pass(400 * 24 * time.Hour)
	require.False(t, stale(), "that days pass does not count")
	b.mustCalculate()
	require.True(t, b.now().Equal(*b.onRecord().DocumentsCalculatedAt), "a calculation that changed nothing was one too")

	b.publish(rule("A", "highest_ticket_sale > 1"))
	before := *b.onRecord().DocumentsCalculatedAt
	require.Error(t, only(b.calculate(b.run())), "data is missing")
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

// TestDocumentsStale_NotAfterACalculationUnderLocks: it reads anew what it notes.
func TestDocumentsStale_NotAfterACalculationUnderLocks(t *testing.T) {
	b := setup(t)
	b.setOwnership(4000)
	require.NoError(t, only(b.store.UnderLocks(t.Context(), b.run(), noWait, b.find)))
	require.False(t, *b.onRecord().DocumentsStale)
}
