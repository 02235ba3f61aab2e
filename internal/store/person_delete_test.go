package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// publishOwners publishes a document and a finding of each owner, whose reasons name the owner, and a finding of the
// business that names them too.
func (b *bundle) publishOwners() {
	b.Helper()
	owns := "person.ownership_percentage >= 25"
	rules := requirement.RuleSet{
		Documents: []requirement.DocumentRule{{DocumentTypeCode: "PASSPORT", Name: "Passport", Category: "c", RequirementText: "t", EntityType: fact.EntityPerson, When: owns, Terms: renewedOrHeld()}},
		Findings: []requirement.FindingRule{
			{FindingCode: "OWNER", Kind: requirement.KindReview, Name: "n", Message: "m", EntityType: fact.EntityPerson, When: owns},
			{FindingCode: "OWNED", Kind: requirement.KindReview, Name: "n", Message: "m", EntityType: fact.EntityBusiness, When: "persons.exists(p, p.ownership_percentage >= 25)"},
		},
	}
	b.Write(b.Call, func(r *store.Records) error {
		return only(r.Rules.Publish(b.Context(), b.Account.WireID(), calculation.NewDraft(rules.CanonicalJSON())))
	})
}

func (b *bundle) deletePerson() {
	b.Helper()
	b.Write(b.Call, func(r *store.Records) error { return r.Persons.Delete(b.Context(), b.Person.WireID()) })
}

// naming counts the documents of persons, the findings of persons, and all else of workflows that name Quillfeather.
func (b *bundle) naming() []int {
	b.Helper()
	return []int{
		b.Count(`SELECT count(*) FROM required_document d WHERE d::text ~ 'Quillfeather'`),
		b.Count(`SELECT count(*) FROM workflow w, jsonb_array_elements(w.findings) f WHERE f ->> 'entity_type' = 'Person' AND f::text ~ 'Quillfeather'`),
		b.Count(`SELECT count(*) FROM workflow w, jsonb_array_elements(w.findings) f WHERE f ->> 'entity_type' <> 'Person' AND f::text ~ 'Quillfeather'`),
	}
}

// stances are what a deletion leaves of documents.
func (b *bundle) stances() (found []string) {
	b.Helper()
	return b.lines(`SELECT concat_ws(' ', id, status, previous_status, status_reason, due_since, due_on, valid_until, next_on, approval ->> 'on', approval ->> 'until', decision_id)
		FROM required_document ORDER BY id`)
}

// TestDeletePerson_RemovesWhatDocumentsAndFindingsSayOfThem in a workflow that has ended and in one that has not.
func TestDeletePerson_RemovesWhatDocumentsAndFindingsSayOfThem(t *testing.T) {
	b := setup(t)
	b.rename("Quillfeather")
	b.publishOwners()
	person := requirement.Entity{Type: fact.EntityPerson, ID: b.Person.WireID().String()}
	prepare := func() {
		b.mustCalculate()
		b.review(b.document(b.Workflow.WireID(), "PASSPORT"), document.Review{
			Status: document.Completed, Evidence: []document.Evidence{{Reference: "Quillfeather.pdf"}}, ReviewedBy: "Quillfeather", Note: "Quillfeather",
		})
		require.NoError(t, only2(b.byHand(person, "FUNDS")))
		require.NoError(t, only2(b.byHand(person, "WEALTH")))
		b.Write(b.Call, func(r *store.Records) error {
			return only(r.Documents.Waive(t.Context(), id.Must[id.RequiredDocumentID](b.document(b.Workflow.WireID(), "WEALTH").ID), "Quillfeather", id.DecisionID{}))
		})
	}
	prepare()
	require.NoError(t, b.completeWorkflow())
	ended := b.Workflow
	b.Workflow = b.createWorkflow()
	prepare()
	require.Equal(t, []int{6, 2, 2}, b.naming())
	before, events, decided := b.stances(), b.Count(`SELECT count(*) FROM webhook_event`), b.Count(`SELECT count(*) FROM decision`)
	until := b.document(b.Workflow.WireID(), "PASSPORT").ValidUntil()

	b.deletePerson()
	require.Equal(t, []int{0, 0, 2}, b.naming())
	require.Equal(t, before, b.stances(), "statuses and dates stay")
	require.Equal(t, []int{events, decided}, []int{b.Count(`SELECT count(*) FROM webhook_event`), b.Count(`SELECT count(*) FROM decision`)})
	require.NotZero(t, b.Count(`SELECT count(*) FROM decision d WHERE d::text ~ 'Quillfeather'`), "decisions keep what they were made from")
	open := b.Workflow
	for _, w := range []domain.Workflow{ended, open} {
		passport := b.document(w.WireID(), "PASSPORT")
		require.Equal(t, []any{document.Completed, until, 0}, []any{passport.Status, passport.ValidUntil(), len(passport.Evidence)})
		b.Workflow = w
		require.Len(t, b.findings(), 2)
		require.Equal(t, person.ID, b.findings()[0].EntityID)
		for _, d := range []calculation.RequiredDocument{passport, b.document(w.WireID(), "FUNDS")} {
			_, err := b.tryReview(d, document.Review{Status: document.Pending, Note: "n"}, id.DecisionID{})
			waived := b.Try(b.Call, func(r *store.Records) error {
				return only(r.Documents.Waive(t.Context(), id.Must[id.RequiredDocumentID](d.ID), "r", id.DecisionID{}))
			})
			for _, err := range []error{err, waived} {
				refused := pgtest.Refused(t, err)
				require.Equal(t, []any{refusal.EntityNotFound, refusal.EntityPerson, person.ID}, []any{refused.Code, refused.EntityType, refused.EntityID})
			}
		}
	}

	b.goTo(until.Next(), "UTC", 0)
	require.Equal(t, domain.Deadlines{RenewalDue: 2, Overdue: 1}, b.deadlines(), "days go on")
	require.Zero(t, b.Count(`SELECT count(*) FROM webhook_event e WHERE e::text ~ 'Quillfeather'`))
	require.Equal(t, []int{0, 0, 2}, b.naming())
	share := rational.Decimal(1000)
	b.Write(b.Call, func(r *store.Records) error {
		return only(r.Persons.Create(t.Context(), b.Business.WireID(), store.PersonPath, domain.Person{FirstName: new("C"), LastName: new("D"), OwnershipHundredths: &share}))
	})
	preview, err := b.Store.Preview(t.Context(), b.Call.Scope, b.Workflow.WireID(), store.Tried{}, fact.Date{}, b.evaluate)
	require.NoError(t, err)
	require.Len(t, preview.Changes.Removed, 3)
	require.Len(t, b.mustCalculate().Changed.Removed, 3)
	require.Equal(t, []int{0, 0, 1}, b.naming(), "the other reasons go with the next calculation")
	b.record()
}

// TestDeletePerson_NothingIsTakenOverOfThem from a workflow that has ended.
func TestDeletePerson_NothingIsTakenOverOfThem(t *testing.T) {
	b := setup(t)
	b.rename("Quillfeather")
	b.publishText("one", requirement.Terms{})
	b.mustCalculate()
	b.completeAll(document.Evidence{Reference: "Quillfeather.pdf"})
	require.NoError(t, b.completeWorkflow())
	b.deletePerson()
	require.NoError(t, b.tryPerson())
	previous := b.Workflow.WireID()
	b.Write(b.Call, func(r *store.Records) (err error) {
		b.Workflow, err = r.Workflows.Create(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started, PreviousWorkflowID: previous})
		return err
	})
	carried := b.mustCalculate().Changed.Carried
	require.Len(t, carried, 1)
	require.Equal(t, "DEED", carried[0].DocumentTypeCode)
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM required_document d WHERE d::text ~ 'Quillfeather'`), "the evidence of the business alone, in both")
}

// TestDeletePerson_WaitsForACalculation takes the locks of a calculation, in its order, while a person is deleted.
func TestDeletePerson_WaitsForACalculation(t *testing.T) {
	b := setup(t)
	b.rename("Quillfeather")
	b.publishOwners()
	b.mustCalculate()
	tx, err := b.Pool().Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM workflow FOR NO KEY UPDATE`)))
	var deleting errgroup.Group
	deleting.Go(func() error {
		return b.Try(b.Call, func(r *store.Records) error { return r.Persons.Delete(t.Context(), b.Person.WireID()) })
	})
	b.AwaitLock("the deletion")
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT pg_advisory_xact_lock_shared(hashtextextended('business/' || id::text, 0)) FROM business`)))
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, deleting.Wait())
	require.Equal(t, []int{0, 0, 1}, b.naming())
}

// TestDeletePerson_BesideACalculation: a calculation that saw the person writes nothing of them.
func TestDeletePerson_BesideACalculation(t *testing.T) {
	b := setup(t)
	b.rename("Quillfeather")
	b.publishOwners()
	seen := b.load()
	required, err := b.evaluate(t.Context(), seen)
	require.NoError(t, err)
	b.deletePerson()
	require.ErrorIs(t, b.save(seen, store.Required(required)), calculation.ErrFactsChanged)
	require.Equal(t, []int{0, 0, 0}, b.naming())
}
