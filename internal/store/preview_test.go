package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// fingerprint is the same as long as nothing in the database is written.
func (b *bundle) fingerprint() map[string]string {
	b.Helper()
	rows, err := b.Pool().Query(b.Context(), `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`)
	require.NoError(b, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(b, err)
	found := map[string]string{}
	for _, table := range tables {
		var hash string
		// xmin tells of a row that was written again with the same values.
		sql := fmt.Sprintf(`SELECT coalesce(md5(string_agg(t.xmin::text || t::text, '|' ORDER BY t.xmin::text || t::text)), '') FROM %s t`, pgx.Identifier{table}.Sanitize())
		require.NoError(b, b.Pool().QueryRow(b.Context(), sql).Scan(&hash))
		found[table] = hash
	}
	return found
}

// decide evaluates with rules that are not published.
func (b *bundle) decide(documents ...requirement.DocumentRule) store.Decide {
	set, problems := requirement.ParseRuleSetJSON(draft(documents...).Content)
	require.Empty(b, problems)
	program, problems := requirement.Compile(set, requirement.Options{})
	require.Empty(b, problems)
	return func(ctx context.Context, s calculation.Snapshot) (requirement.Result, error) {
		return program.Evaluate(ctx, s.Facts)
	}
}

func (b *bundle) open(n int) []id.WorkflowID {
	var ids []id.WorkflowID
	for i := range n {
		b.Pass(time.Millisecond)
		state := domain.Created
		if i%2 == 1 {
			state = domain.Started
		}
		b.Write(b.Call, func(r *store.Records) error {
			w, err := r.Workflows.Create(b.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: state})
			ids = append([]id.WorkflowID{w.WireID()}, ids...)
			return err
		})
	}
	return ids
}

func (b *bundle) previewAll(limit int, decide store.Decide) (seen []calculation.WorkflowPreview, pages int) {
	b.Helper()
	page := domain.Page{Limit: limit}
	for {
		before := len(seen)
		next, err := b.Store.PreviewOpen(b.Context(), b.Call.Scope, b.Account.WireID(), page, store.Tried{}, b.Now(), decide, func(p calculation.WorkflowPreview) {
			seen = append(seen, p)
		})
		require.NoError(b, err)
		require.LessOrEqual(b, len(seen)-before, limit)
		pages++
		if next == "" {
			return seen, pages
		}
		page.After = next
	}
}

func TestPreviewOpen_WritesNothing(t *testing.T) {
	b := setup(t)
	b.publish(rule("OLD", "business_age_years > 3"), rule("BIG", "persons.exists(p, p.ownership_percentage >= 25)"))
	b.mustCalculate()
	ids := append(b.open(6), b.Workflow.WireID())
	newest := b.open(2)
	ended := newest[1]
	b.Write(b.Call, func(r *store.Records) error {
		if err := r.Workflows.Start(t.Context(), ended); err != nil {
			return err
		}
		return only(r.Workflows.Complete(t.Context(), ended, false))
	})
	ids = append(newest[:1:1], ids...)

	before := b.fingerprint()
	seen, pages := b.previewAll(3, b.decide(rule("OLD", "business_age_years > 3"), rule("NEW", "")))
	require.Equal(t, 3, pages)
	var found []id.WorkflowID
	for _, p := range seen {
		found = append(found, id.Must[id.WorkflowID](p.WorkflowID))
		require.NoError(t, p.Err)
		require.Empty(t, p.Gaps)
	}
	require.Equal(t, ids, found, "every open workflow once, newest first, and none that has ended")
	require.Len(t, seen[0].Changes.Added, 2)
	last := seen[len(seen)-1].Changes
	require.Equal(t, "NEW", last.Added[0].DocumentTypeCode)
	require.Equal(t, "OLD", last.Kept[0].DocumentTypeCode)
	require.Equal(t, "BIG", last.Removed[0].DocumentTypeCode)

	count, err := b.Store.Records(b.Call.Scope).Previews.CountOpen(t.Context(), b.Account.WireID())
	require.NoError(t, err)
	require.Equal(t, len(ids), count)

	blocked, _ := b.previewAll(100, b.decide(rule("SCORE", "evaluation_score > 1")))
	require.Len(t, blocked[0].Gaps, 1)

	require.Equal(t, before, b.fingerprint())

	b.setOwnership(1)
	require.NotEqual(t, before, b.fingerprint(), "the fingerprint notices a write")
}

func TestPreviewOpen_ContinuesAfterAnUndecidedWorkflow(t *testing.T) {
	b := setup(t)
	b.open(2)
	decide := b.decide(rule("NEW", ""))
	calls := 0
	seen, _ := b.previewAll(100, func(ctx context.Context, s calculation.Snapshot) (requirement.Result, error) {
		if calls++; calls == 2 {
			return requirement.Result{}, fmt.Errorf("evaluate documents[0]: %w", requirement.ErrUndecided)
		}
		return decide(ctx, s)
	})
	require.Len(t, seen, 3)
	require.ErrorIs(t, seen[1].Err, requirement.ErrUndecided)
	require.NoError(t, seen[2].Err)

	_, err := b.Store.PreviewOpen(t.Context(), b.Call.Scope, b.Account.WireID(), domain.Page{Limit: 1}, store.Tried{}, b.Now(),
		func(context.Context, calculation.Snapshot) (requirement.Result, error) {
			return requirement.Result{}, context.Canceled
		}, func(calculation.WorkflowPreview) {})
	require.ErrorIs(t, err, context.Canceled, "a fault is not a property of a workflow")
}

func TestWorkflowScope(t *testing.T) {
	b := setup(t)
	scope, err := b.Operator.Scopes.Workflow(t.Context(), b.Workflow.WireID())
	require.NoError(t, err)
	require.Equal(t, b.Call.Scope, scope)
	_, err = b.Operator.Scopes.Workflow(t.Context(), id.WorkflowID{UUID: id.New()})
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code)
}

// TestPreview_ReturnsTheAccountOfAFailure, because the log names it also when the preview fails.
func TestPreview_ReturnsTheAccountOfAFailure(t *testing.T) {
	b := setup(t)
	failed := errors.New("failed")
	for _, want := range []error{nil, failed} {
		preview, err := b.Store.Preview(t.Context(), b.Call.Scope, b.Workflow.WireID(), store.Tried{}, fact.Date{}, func(context.Context, calculation.Snapshot) (requirement.Result, error) {
			return requirement.Result{}, want
		})
		require.ErrorIs(t, err, want)
		require.Equal(t, b.Account.ID, preview.AccountID)
	}
}
