package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
)

// latest reads the latest calculations of an account since a time.
func (b *bundle) latest(account domain.Account, since time.Time) []store.LatestCalculation {
	b.Helper()
	var found []store.LatestCalculation
	require.NoError(b, b.Operator.AllDecisions.EachLatestCalculation(b.Context(), account.WireID(), since, nil, func(batch []store.LatestCalculation) error {
		found = append(found, batch...)
		return nil
	}))
	return found
}

// TestEachLatestCalculation_IsTheLastOfEachWorkflow, with its facts unless they were erased.
func TestEachLatestCalculation_IsTheLastOfEachWorkflow(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	b.mustCalculate()
	b.Pass(time.Minute)
	b.setOwnership(1000)
	second := b.mustCalculate()
	found := b.latest(b.Account, b.Began)
	require.Len(t, found, 1)
	require.Equal(t, second.Decision.DecisionID, found[0].DecisionID)
	require.Contains(t, found[0].Facts, `"ownership_percentage":10`)

	b.Pass(time.Minute)
	third := b.mustCalculate()
	b.saveScore(rational.Int(1)) // a later decision, and no calculation
	found = b.latest(b.Account, b.Began)
	require.Len(t, found, 1)
	require.Equal(t, third.Decision.DecisionID, found[0].DecisionID)
	require.Contains(t, found[0].Facts, `"ownership_percentage":10`)
	require.Equal(t, b.decision(third.Decision).AsOf, found[0].AsOf)

	since := b.Now().Add(time.Minute)
	require.Empty(t, b.latest(b.Account, since))
	n, err := b.Operator.AllDecisions.CountDecidedSince(t.Context(), b.Account.WireID(), since)
	require.NoError(t, err)
	require.Zero(t, n)
	other, _ := b.NewAccount("other", "UTC")
	require.Empty(t, b.latest(other, time.Time{}))

	require.NoError(t, only(b.Operator.Erase(t.Context(), b.Call.Scope, b.Business.WireID(), false)))
	found = b.latest(b.Account, b.Began)
	require.Len(t, found, 1)
	require.Empty(t, found[0].Facts)
}

// TestEachLatestCalculation_HasTheApprovalsThatADraftCanReopen: no calculation reopens the documents
// of a workflow that has ended.
func TestEachLatestCalculation_HasTheApprovalsThatADraftCanReopen(t *testing.T) {
	b := setup(t)
	b.publishText("one", requirement.Terms{})
	b.mustCalculate()
	for _, code := range []string{"PASSPORT", "DEED"} {
		b.review(b.document(b.Workflow.WireID(), code), document.Review{Status: document.Completed})
	}
	approved := func() (found []calculation.ApprovedDocument) {
		require.NoError(t, b.Operator.AllDecisions.EachLatestCalculation(t.Context(), b.Account.WireID(), b.Began, []string{"PASSPORT"}, func(batch []store.LatestCalculation) error {
			require.Len(t, batch, 1)
			found = batch[0].Approved
			return nil
		}))
		return found
	}
	require.Equal(t, []calculation.ApprovedDocument{{DocumentTypeCode: "PASSPORT", EntityType: "Person", EntityID: b.Person.WireID().String()}}, approved())
	d := b.document(b.Workflow.WireID(), "PASSPORT")
	b.review(d, document.Review{Status: document.Pending})
	require.Empty(t, approved())
	b.Write(b.Call, func(r *store.Records) error {
		return only(r.Documents.Waive(t.Context(), id.Must[id.RequiredDocumentID](d.ID), "r", id.DecisionID{}))
	})
	require.Len(t, approved(), 1, "a waiver is bound alike")
	require.NoError(t, b.completeWorkflow())
	require.Empty(t, approved())
}

// TestEachLatestCalculation_ReadsAllInBatches: each workflow once.
func TestEachLatestCalculation_ReadsAllInBatches(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	b.mustCalculate()
	b.copyApplication(1200)
	seen := map[id.WorkflowID]bool{}
	for _, found := range b.latest(b.Account, b.Began) {
		require.False(t, seen[found.WorkflowID])
		seen[found.WorkflowID] = true
		require.NotEmpty(t, found.Facts)
	}
	require.Len(t, seen, 1201)
	n, err := b.Operator.AllDecisions.CountDecidedSince(t.Context(), b.Account.WireID(), b.Began)
	require.NoError(t, err)
	require.Equal(t, 1201, n)
}

// copyApplication makes workflows that have a copy of the bundle's first decision and of its documents.
func (b *bundle) copyApplication(count int) {
	b.Helper()
	require.NoError(b, b.Exec(`ALTER TABLE decision DISABLE TRIGGER decision_follows`))
	require.NoError(b, b.Exec(`
		WITH made AS (
			INSERT INTO workflow (id, account_id, business_id, state, created_at, created_on, started_at, updated_at, decision_number, decision_digest, decided_at)
			SELECT overlay(gen_random_uuid()::text placing '01' from 1)::uuid, account_id, business_id, state, created_at, created_on, started_at, updated_at, decision_number, decision_digest, decided_at
			FROM workflow, generate_series(1, $2) WHERE id = $1 RETURNING id)
		INSERT INTO decision (id, workflow_id, number, kind, outcome, decided_at, as_of, user_id, user_type, trace_id, rule_set_id, rule_set_sha256, changes, results, personal, salt, personal_sha256, fingerprint, digest)
		SELECT overlay(gen_random_uuid()::text placing '01' from 1)::uuid, made.id, 1, kind, outcome, decided_at, as_of, user_id, user_type, trace_id, rule_set_id, rule_set_sha256, changes, results, personal, salt, personal_sha256, fingerprint, digest
		FROM decision, made WHERE workflow_id = $1 AND number = 1`, b.Workflow.ID, count))
	require.NoError(b, b.Exec(`ALTER TABLE decision ENABLE TRIGGER decision_follows`))
	require.NoError(b, b.Exec(`
		INSERT INTO required_document SELECT (jsonb_populate_record(d, jsonb_build_object('id', overlay(gen_random_uuid()::text placing '01' from 1)::uuid, 'workflow_id', w.id))).*
		FROM required_document d JOIN workflow o ON o.id = d.workflow_id JOIN workflow w ON w.business_id = o.business_id AND w.id <> o.id`))
	require.NoError(b, b.Exec(`ANALYZE`))
}
