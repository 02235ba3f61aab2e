package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
)

func (b *bundle) moveTo(street string) {
	b.Write(b.Call, func(r *store.Records) error {
		return r.Businesses.Update(b.Context(), b.Business.WireID(), domain.CustomChange{}, func(business *domain.Business) {
			business.Address = &domain.Address{Line1: &street, Country: new("CA")}
		})
	})
}

// changesNothing calculates again, which writes no event and changes no document.
func (b *bundle) changesNothing() {
	b.Helper()
	const stored = `SELECT hashtext(concat((SELECT count(*) FROM webhook_event), (SELECT string_agg(updated_at::text, ',' ORDER BY id) FROM required_document)))`
	before := b.Count(stored)
	b.mustCalculate()
	require.Equal(b, before, b.Count(stored))
}

// TestDocument_AnApprovalIsBoundToAnAddress, of which only a digest is stored, until it is erased.
func TestDocument_AnApprovalIsBoundToAnAddress(t *testing.T) {
	b := setup(t)
	b.moveTo("1 Quillfeather Road")
	b.publishText("one", requirement.Terms{BoundTo: []string{"address", "ownership_percentage"}})
	b.mustCalculate()
	b.completeAll()
	workflow := b.Workflow.WireID()
	require.Len(t, b.document(workflow, "PASSPORT").Approval.Bound, 2)

	b.moveTo(" 1 QUILLFEATHER road ")
	require.Empty(t, b.mustCalculate().Changed.Reopened)
	b.moveTo("2 Harbour Street")
	changed := b.mustCalculate()
	require.Equal(t, []document.Status{document.NeedsReview}, statusesOf(changed.Changed.Reopened))
	why := document.StatusCause{StatusReason: document.FactsChanged, ChangedFacts: []string{"address"}}
	require.Equal(t, why, changed.Changed.Reopened[0].StatusCause)
	require.Equal(t, why, b.document(workflow, "PASSPORT").Cause())
	require.Equal(t, changed.Changed.Reopened, b.decision(changed.Decision).Changed.Reopened)
	b.changesNothing()
	b.moveTo("1 Quillfeather Road")
	require.Equal(t, []document.Status{document.Completed}, statusesOf(b.mustCalculate().Changed.Reinstated))

	b.moveTo("2 Harbour Street")
	b.mustCalculate()
	b.completeAll() // of the new address
	require.Empty(t, b.mustCalculate().Changed.Reopened)

	require.Zero(t, b.Count(`SELECT count(*) FROM required_document WHERE concat(bound, approval) ILIKE ANY ('{%Quillfeather%,%Harbour%}')`))
	const digests = `SELECT count(*) FROM required_document WHERE bound IS NOT NULL OR approval ? 'bound'`
	require.Equal(t, 1, b.Count(digests))
	require.NoError(t, only(b.Operator.Erase(t.Context(), b.Call.Scope, b.Business.WireID(), false)))
	require.Zero(t, b.Count(digests))
}

// TestDocument_IsBoundToNothingOfADeletedPerson: the digests go with the person.
func TestDocument_IsBoundToNothingOfADeletedPerson(t *testing.T) {
	b := setup(t)
	b.publishText("one", requirement.Terms{BoundTo: []string{"citizenship"}})
	b.mustCalculate()
	b.completeAll()
	b.Write(b.Call, func(r *store.Records) error { return r.Persons.Delete(t.Context(), b.Person.WireID()) })
	require.Zero(t, b.Count(`SELECT count(*) FROM required_document WHERE bound IS NOT NULL OR approval ? 'bound'`))
}

// TestDocument_HasTheOptionsThatAreOffered: the record shows them without their conditions, and the
// approval keeps all of them.
func TestDocument_HasTheOptionsThatAreOffered(t *testing.T) {
	b := setup(t)
	option := func(code, when string) requirement.DocumentOption {
		return requirement.DocumentOption{OptionPart: requirement.OptionPart{DocumentTypeCode: code, Name: code}, When: when}
	}
	b.publishText("one", requirement.Terms{AnyOf: []requirement.DocumentOption{
		option("ID_CARD", `country == "CA"`), option("LICENSE", `country != "CA"`), {AllOf: []requirement.OptionPart{option("BILL", "").OptionPart, option("LEASE", "").OptionPart}},
	}})
	workflow := b.Workflow.WireID()
	b.moveTo("1 Road")
	b.mustCalculate()
	d := b.document(workflow, "PASSPORT")
	require.Equal(t, []requirement.DocumentOption{option("ID_CARD", ""), d.AnyOf[1]}, d.AnyOf)
	require.Len(t, d.Published, 3)
	b.review(d, document.Review{Status: document.Completed, Evidence: []document.Evidence{{DocumentTypeCode: "ID_CARD"}}})
	require.Len(t, b.document(workflow, "PASSPORT").Approval.Text.AnyOf, 3)
	b.changesNothing()

	abroad := func(country string) {
		b.Write(b.Call, func(r *store.Records) error {
			return r.Businesses.Update(b.Context(), b.Business.WireID(), domain.CustomChange{}, func(business *domain.Business) {
				business.Address = &domain.Address{Country: &country}
			})
		})
	}
	abroad("US")
	require.Equal(t, []document.Status{document.NeedsReview}, statusesOf(b.mustCalculate().Changed.Reopened))
	require.Equal(t, document.StatusCause{StatusReason: document.FactsChanged}, b.document(workflow, "PASSPORT").Cause(), "no value has changed")
	require.Equal(t, []any{document.FactsChanged, "LICENSE"}, []any{b.document(workflow, "PASSPORT").StatusReason, b.document(workflow, "PASSPORT").AnyOf[0].DocumentTypeCode})
	abroad("CA")
	require.Equal(t, []document.Status{document.Completed}, statusesOf(b.mustCalculate().Changed.Reinstated))
}

// TestDocument_AnApprovalIsRenewed: the new evidence has its own decision and its own last day.
func TestDocument_AnApprovalIsRenewed(t *testing.T) {
	b := setup(t)
	b.publishText("one", requirement.Terms{MustBeValid: true})
	b.mustCalculate()
	b.completeAll(document.Evidence{ExpiresOn: on("2998-01-01")})
	workflow := b.Workflow.WireID()
	first := b.document(workflow, "PASSPORT")
	made := b.review(first, document.Review{Status: document.Completed, Evidence: []document.Evidence{{ExpiresOn: on("2999-01-01")}}})
	renewed := b.document(workflow, "PASSPORT")
	require.Equal(t, []any{"2999-01-01", made.DecisionID, made.DecisionID.String()}, []any{renewed.ValidUntil().String(), renewed.DecisionID, renewed.Approval.DecisionID})
	moved := b.decision(&made).Changed.Document
	require.Equal(t, []document.Status{document.Completed, document.Completed}, []document.Status{moved.PreviousStatus, moved.Status})

	_, err := b.tryReview(renewed, document.Review{Status: document.Completed, Evidence: []document.Evidence{{ExpiresOn: on("2001-01-01")}}}, renewed.DecisionID)
	require.Error(t, err)
	require.Equal(t, renewed.Approval, b.document(workflow, "PASSPORT").Approval)
	found, _, err := b.Store.Records(b.Call.Scope).Documents.List(t.Context(), workflow, calculation.DocumentFilter{EntityType: fact.EntityPerson}, nil)
	require.NoError(t, err)
	require.Len(t, found, 1)
}
