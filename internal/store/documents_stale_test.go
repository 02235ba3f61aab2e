package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/rational"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
)

// onRecord reads the workflow alone and in the list, which must tell the same.
func (b *bundle) onRecord() domain.StoredWorkflow {
	b.Helper()
	r := b.Store.Records(b.Call.Scope)
	found, err := r.Workflows.WithFindings(b.Context(), b.Workflow.WireID())
	require.NoError(b, err)
	w := found.StoredWorkflow
	list, _, err := r.Workflows.List(b.Context(), b.Account.WireID(), domain.WorkflowFilter{}, domain.Page{Limit: 200})
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
		b.Workflow, err = r.Workflows.Create(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started})
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
		if err := r.Businesses.Update(t.Context(), b.Business.WireID(), domain.CustomChange{}, func(b *domain.Business) { b.LegalName = name }); err != nil {
			return err
		}
		return r.Persons.Update(t.Context(), b.Person.WireID(), domain.CustomChange{}, func(p *domain.Person) {
			same := *p.OwnershipHundredths
			p.OwnershipHundredths = &same
		})
	})
	require.False(t, *b.onRecord().DocumentsStale)
	require.Zero(t, b.Count(`SELECT (SELECT count(*) FROM business WHERE updated_at > created_at) + (SELECT count(*) FROM person WHERE updated_at > created_at)`))
}

// TestWorkflows_AreFilteredByTheirDocuments: each combination finds those that answer it.
func TestWorkflows_AreFilteredByTheirDocuments(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.Exec(`UPDATE account SET time_zone = 'Pacific/Kiritimati'`)) // where today is tomorrow
	b.publishText("one", requirement.Terms{DueWithin: lasting("1 day")})
	all := func(f domain.WorkflowFilter) []domain.StoredWorkflow {
		found, _, err := b.Store.Records(b.Call.Scope).Workflows.List(t.Context(), b.Account.WireID(), f, domain.Page{Limit: 200})
		require.NoError(t, err)
		return found
	}
	// One was never calculated, and of the others each step leaves one behind.
	review := func(to document.Status) func() {
		return func() {
			b.mustCalculate()
			documents, _, err := b.Store.Records(b.Call.Scope).Documents.List(t.Context(), b.Workflow.WireID(), calculation.DocumentFilter{}, nil)
			require.NoError(t, err)
			for _, d := range documents {
				b.review(d, document.Review{Status: to})
			}
		}
	}
	steps := []func(){
		func() {},
		func() { b.mustCalculate() },
		review(document.Completed),
		func() { b.mustCalculate(); b.Pass(72 * time.Hour) },
		review(document.NeedsReview),
		func() { b.mustCalculate(); b.saveScore(rational.Int(600)) },
		func() {
			b.mustCalculate()
			b.Write(b.Call, func(r *store.Records) error {
				require.NoError(t, r.Workflows.Start(t.Context(), b.Workflow.WireID()))
				return only(r.Workflows.Complete(t.Context(), b.Workflow.WireID(), false))
			})
		},
	}
	for i, step := range steps {
		if i > 0 {
			b.Workflow = b.createWorkflow()
		}
		step()
	}
	listed, seen := all(domain.WorkflowFilter{}), map[string]bool{}
	require.Len(t, listed, len(steps))
	values := []*bool{nil, new(false), new(true)}
	for _, stale := range values {
		for _, open := range values {
			for _, overdue := range values {
				var want []domain.StoredWorkflow
				for _, w := range listed {
					same := func(wanted, found *bool) bool { return wanted == nil || found != nil && *wanted == *found }
					if same(stale, w.DocumentsStale) && same(open, new(w.Pending+w.NeedsReview > 0)) && same(overdue, new(w.Overdue > 0)) {
						want = append(want, w)
					}
				}
				require.ElementsMatch(t, want, all(domain.WorkflowFilter{DocumentsStale: stale, Open: open, Overdue: overdue}))
				if stale != nil && open != nil && overdue != nil && len(want) > 0 {
					seen[fmt.Sprint(*stale, *open, *overdue)] = true
				}
			}
		}
	}
	require.GreaterOrEqual(t, len(seen), 4, "the steps differ: %v", seen)
}
