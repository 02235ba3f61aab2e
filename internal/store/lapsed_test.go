package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// renewedOrHeld are the terms of a document that holds up its application once its approval has lapsed.
func renewedOrHeld() requirement.Terms {
	terms := renewed
	terms.Hold = requirement.HoldWhenOpen
	return terms
}

// counted is how the workflow counts its documents: open, completed and overdue, and whether open_documents
// finds it. Both ways to read them agree.
func (b *bundle) counted(t require.TestingT) (open, completed, overdue int, found bool) {
	r := b.Store.Records(b.Call.Scope)
	one, err := r.Workflows.WithFindings(b.Context(), b.Workflow.WireID())
	require.NoError(t, err)
	for _, open := range []bool{true, false} {
		listed, _, err := r.Workflows.List(b.Context(), b.Account.WireID(), domain.WorkflowFilter{Open: &open}, domain.Page{Limit: 200})
		require.NoError(t, err)
		for _, w := range listed {
			if w.ID == b.Workflow.ID {
				require.Equal(t, one.DocumentCounts, w.DocumentCounts)
				found = open
			}
		}
	}
	return one.Pending + one.NeedsReview, one.Completed, one.Overdue, found
}

// completeAll completes the documents of the workflow.
func (b *bundle) completeAll(evidence ...document.Evidence) {
	b.Helper()
	documents, _, err := b.Store.Records(b.Call.Scope).Documents.List(b.Context(), b.Workflow.WireID(), calculation.DocumentFilter{}, nil)
	require.NoError(b, err)
	for _, d := range documents {
		if d.Open() {
			b.review(d, document.Review{Status: document.Completed, Evidence: evidence})
		}
	}
}

// No worker runs: an approval that lapsed yesterday counts as open today, in the account's time zone.
func TestLapsedApproval_CountsAtOnce(t *testing.T) {
	for _, zone := range []string{"UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"} {
		t.Run(zone, func(t *testing.T) {
			b := setup(t)
			require.NoError(t, b.Exec(`UPDATE account SET time_zone = $1`, zone))
			b.publishText("one", renewedOrHeld())
			b.mustCalculate()
			b.completeAll()
			counts := func() []any {
				open, completed, overdue, found := b.counted(t)
				return []any{open, completed, overdue, found, codes(b.findings())}
			}
			all := []any{0, 2, 0, false, []string(nil)}
			require.Equal(t, all, counts())
			approved := b.document(b.Workflow.WireID(), "PASSPORT")
			until := approved.ValidUntil()
			b.goTo(until, zone, 0)
			require.Equal(t, all, counts(), "the reminder is due")
			b.goTo(until.Next(), zone, -time.Millisecond)
			require.Equal(t, all, counts())

			lapsed := []any{1, 1, 0, true, []string{requirement.DocumentOpen}}
			for _, on := range []time.Duration{0, 24*time.Hour - time.Millisecond, 30 * 24 * time.Hour} {
				b.goTo(until.Next(), zone, on)
				require.Equal(t, lapsed, counts(), "overdue begins with the round")
				require.Equal(t, until.Next(), b.findings()[0].Since)
				require.Equal(t, approved, b.document(b.Workflow.WireID(), "PASSPORT"), "the record changes with the round")
			}

			b.goTo(until.Next(), zone, 0)
			var warnings []refusal.Warning
			complete := func(strict bool) error {
				return b.Try(b.Call, func(r *store.Records) (err error) {
					warnings, err = r.Workflows.Complete(t.Context(), b.Workflow.WireID(), strict)
					return err
				})
			}
			refused := pgtest.Refused(t, complete(true))
			require.Equal(t, refusal.DocumentsNotCompleted, refused.SubCode)
			require.Contains(t, refused.Message, "The workflow has 1 required document(s) that are not completed: 1 PENDING, 0 NEEDS_REVIEW. "+
				"Of those PENDING, the approval of 1 has lapsed. Complete or waive them")
			require.Len(t, refused.RequiredDocumentIDs, 1, "a lapsed approval is open")
			require.Equal(t, domain.Deadlines{RenewalDue: 1}, b.deadlines())
			require.Equal(t, lapsed, counts())
			require.Equal(t, until.Next(), b.findings()[0].Since)
			require.NoError(t, complete(false))
			require.Equal(t, []string{string(refusal.DocumentsNotCompleted), string(refusal.FindingsOpen)}, []string{string(warnings[0].Code), string(warnings[1].Code)})
		})
	}
}

// TestLapsedApproval_CountsOnlyWhereItCanChange: not in a workflow that has ended, nor of an erased business.
// The next workflow does not take it over.
func TestLapsedApproval_CountsOnlyWhereItCanChange(t *testing.T) {
	b := setup(t)
	b.publishText("one", renewedOrHeld())
	b.mustCalculate()
	b.completeAll()
	until := b.document(b.Workflow.WireID(), "PASSPORT").ValidUntil()
	b.goTo(until, "UTC", 0)
	b.Write(b.Call, func(r *store.Records) error {
		return only(r.Workflows.Complete(t.Context(), b.Workflow.WireID(), true))
	})
	ended := b.Workflow
	b.goTo(until.Next(), "UTC", 0)
	open, completed, _, found := b.counted(t)
	require.Equal(t, []any{0, 2, false, []string(nil)}, []any{open, completed, found, codes(b.findings())})

	b.Write(b.Call, func(r *store.Records) (err error) {
		b.Workflow, err = r.Workflows.Create(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started, PreviousWorkflowID: ended.WireID()})
		return err
	})
	carried := b.mustCalculate().Changed.Carried
	require.Len(t, carried, 1)
	require.Equal(t, "DEED", carried[0].DocumentTypeCode)
	require.Equal(t, document.Pending, b.document(b.Workflow.WireID(), "PASSPORT").Status)

	b.completeAll()
	until = b.document(b.Workflow.WireID(), "PASSPORT").ValidUntil()
	require.NoError(t, only(b.Operator.Erase(t.Context(), b.Call.Scope, b.Business.WireID(), false)))
	b.goTo(until.Next(), "UTC", 0)
	open, completed, _, found = b.counted(t)
	require.Equal(t, []any{0, 2, false, []string(nil)}, []any{open, completed, found, codes(b.findings())})
}

// TestLapsedApproval_IsCountedAsItIsJudged plays applications at random, and holds what Postgres counts against
// what Document says of each document.
func TestLapsedApproval_IsCountedAsItIsJudged(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.Exec(`UPDATE account SET time_zone = 'Pacific/Kiritimati'`))
	zone, err := domain.Zone("Pacific/Kiritimati")
	require.NoError(t, err)
	today := func() fact.Date { return fact.DateOf(b.Now().In(zone)) }
	lapsed := 0
	rapid.Check(t, func(t *rapid.T) {
		b.Pass(time.Hour)
		b.Workflow = b.createWorkflow()
		documents := func() []calculation.RequiredDocument {
			found, _, err := b.Store.Records(b.Call.Scope).Documents.List(b.Context(), b.Workflow.WireID(), calculation.DocumentFilter{}, nil)
			require.NoError(t, err)
			return found
		}
		steps := map[string]func(){
			"require": func() {
				b.publishText(rapid.SampledFrom([]string{"one", "two"}).Draw(t, "text"), requirement.Terms{
					MustBeValid: rapid.Bool().Draw(t, "must_be_valid"), RenewAfter: rapid.SampledFrom([]*fact.Period{nil, lasting("1 day"), lasting("1 month")}).Draw(t, "renew_after"),
					DueWithin: lasting("1 day"), Hold: rapid.SampledFrom([]requirement.Hold{"", requirement.HoldWhenOpen, requirement.HoldWhenOverdue}).Draw(t, "hold"),
				})
				b.mustCalculate()
			},
			"require another": func() { b.publish(rule("DEED", "")); b.mustCalculate() },
			"review": func() {
				for _, d := range documents() {
					if moves := document.Moves(d.Status); len(moves) > 0 {
						expires := fact.DateOf(today().UTC().AddDate(0, 0, rapid.IntRange(0, 3).Draw(t, "expires in")))
						b.review(d, document.Review{Status: rapid.SampledFrom(moves).Draw(t, "to"), Evidence: []document.Evidence{{ExpiresOn: &expires}}})
					}
				}
			},
			"pass":            func() { b.Pass(time.Duration(rapid.IntRange(40, 70).Draw(t, "hours")) * time.Hour) },
			"apply deadlines": func() { b.deadlines() },

			"pass beyond the last day": func() { b.Pass(72 * time.Hour) },
		}
		b.publishText("one", requirement.Terms{MustBeValid: true, Hold: requirement.HoldWhenOpen})
		b.mustCalculate()
		b.completeAll(document.Evidence{ExpiresOn: new(today().Next())})
		drawn := rapid.SliceOfN(rapid.SampledFrom([]string{"require", "require another", "review", "pass", "apply deadlines"}), 2, 8).Draw(t, "steps")
		if lapsed == 0 { // the first application has a lapsed approval, whatever is drawn
			drawn = append([]string{"pass beyond the last day"}, drawn...)
		}
		for _, step := range drawn {
			steps[step]()
			var open, completed, overdue int
			var held []string
			for _, d := range documents() {
				switch {
				case d.Status == document.Completed && d.Lapsed(today()) != "":
					lapsed++
					open++
				case d.Open():
					open++
				case d.Status == document.Completed:
					completed++
				}
				if d.Overdue {
					overdue++
				}
				if code, _, found := d.Held(today()); found {
					held = append(held, code)
				}
			}
			countedOpen, countedCompleted, countedOverdue, found := b.counted(t)
			require.Equal(t, []any{open, completed, overdue, open > 0, held}, []any{countedOpen, countedCompleted, countedOverdue, found, codes(b.findings())})
		}
	})
	require.NotZero(t, lapsed)
}
