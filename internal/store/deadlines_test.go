package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// deadlines applies what days have brought.
func (b *bundle) deadlines() domain.Deadlines {
	b.Helper()
	done, err := b.Store.Upkeep.ApplyDeadlines(b.Context(), func(domain.Deadlines) {}, func(w id.WorkflowID, err error) { b.Errorf("%s: %v", w, err) })
	require.NoError(b, err)
	return done
}

// goTo moves the clock to the first moment of a day in a time zone, and on.
func (b *bundle) goTo(d fact.Date, zone string, on time.Duration) {
	b.Helper()
	location, err := domain.Zone(zone)
	require.NoError(b, err)
	b.Pass(time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, location).Add(on).Sub(b.Now()))
}

// told are the events of days, by workflow and in order, with the type and the date that they tell of.
func (b *bundle) told() (told []string) {
	b.Helper()
	rows, err := b.Pool().Query(b.Context(), `
		SELECT event_type, fields FROM webhook_event WHERE event_type IN ('REQUIRED_DOCUMENT_OVERDUE', 'REQUIRED_DOCUMENT_EXPIRING', 'REQUIRED_DOCUMENT_EXPIRED')
		ORDER BY workflow_id, sequence`)
	require.NoError(b, err)
	for rows.Next() {
		var kind string
		var content map[string]any
		require.NoError(b, rows.Scan(&kind, &content))
		date := content["due_on"]
		if date == nil {
			date = content["valid_until"]
		}
		told = append(told, fmt.Sprintf("%s %s %s", kind, content["document_type_code"], date))
	}
	require.NoError(b, rows.Err())
	return told
}

// approvePassport completes the passport of the workflow.
func (b *bundle) approvePassport(evidence ...document.Evidence) fact.Date {
	b.Helper()
	b.review(b.document(b.Workflow.WireID(), "PASSPORT"), document.Review{Status: document.Completed, Evidence: evidence})
	return b.document(b.Workflow.WireID(), "PASSPORT").ValidUntil()
}

var renewed = requirement.Terms{RenewAfter: lasting("30 days"), RemindBefore: lasting("7 days"), DueWithin: lasting("10 days")}

// The last day counts, in the account's time zone.
func TestDeadlines_AnApprovalLapsesAfterItsLastDay(t *testing.T) {
	for _, zone := range []string{"UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"} {
		t.Run(zone, func(t *testing.T) {
			b := setup(t)
			require.NoError(t, b.Exec(`UPDATE account SET time_zone = $1`, zone))
			b.rename("Quillfeather")
			b.publishText("one", renewed)
			b.mustCalculate()
			until := b.approvePassport(document.Evidence{Reference: "Quillfeather.pdf"})
			require.Zero(t, b.deadlines())
			workflow := b.Workflow.WireID()
			approved := b.document(workflow, "PASSPORT")

			remind := lasting("7 days").Before(until)
			b.goTo(remind, zone, -time.Millisecond)
			require.Zero(t, b.deadlines())
			b.goTo(remind, zone, 0)
			require.Equal(t, domain.Deadlines{Expiring: 1}, b.deadlines())
			reminded := b.document(workflow, "PASSPORT")
			require.Equal(t, []any{approved.Status, approved.DecisionID, approved.UpdatedAt}, []any{reminded.Status, reminded.DecisionID, reminded.UpdatedAt}, "the approval stands")
			require.Len(t, b.record(), 2)

			b.goTo(until.Next(), zone, -time.Millisecond)
			require.Zero(t, b.deadlines())
			require.Equal(t, document.Completed, b.document(workflow, "PASSPORT").Status)
			b.goTo(until.Next(), zone, 0)
			require.Equal(t, domain.Deadlines{RenewalDue: 1}, b.deadlines())
			require.Zero(t, b.deadlines())
			d := b.document(workflow, "PASSPORT")
			dueOn := lasting("10 days").After(until.Next())
			require.Equal(t, []any{document.Pending, document.RenewalDue, dueOn}, []any{d.Status, d.StatusReason, d.Deadline()})
			require.Nil(t, d.Approval)
			require.Len(t, d.Evidence, 1, "evidence stays")

			recorded := b.record()
			last := recorded[len(recorded)-1]
			ref := last.Ref()
			require.Equal(t, d.DecisionID, last.ID)
			require.Equal(t, []any{decision.DocumentStatus, decision.Expired, "SYSTEM", "SYSTEM", until.Next()}, []any{last.Kind, last.Outcome, last.UserID, last.UserType, last.AsOf})
			expired := b.decision(&ref).Changed.Expired
			require.Len(t, expired, 1)
			require.Equal(t, []any{dueOn, until, document.RenewalDue}, []any{expired[0].DueOn, expired[0].ValidUntil, expired[0].StatusReason})

			b.goTo(dueOn.Next(), zone, -time.Millisecond)
			require.Zero(t, b.deadlines())
			b.goTo(dueOn.Next(), zone, 0)
			require.Equal(t, domain.Deadlines{Overdue: 1}, b.deadlines())
			require.Len(t, b.record(), 3, "to tell that it is overdue is no decision")
			require.Equal(t, []string{
				"REQUIRED_DOCUMENT_EXPIRING PASSPORT " + until.String(), "REQUIRED_DOCUMENT_EXPIRED PASSPORT " + until.String(), "REQUIRED_DOCUMENT_OVERDUE PASSPORT " + dueOn.String(),
			}, b.told())
			var content string
			require.NoError(t, b.Pool().QueryRow(t.Context(), `SELECT fields FROM webhook_event WHERE event_type = 'REQUIRED_DOCUMENT_EXPIRED'`).Scan(&content))
			want, err := json.Marshal(map[string]any{
				"required_document_id": d.ID, "document_type_code": "PASSPORT", "status": "PENDING", "previous_status": "COMPLETED", "status_reason": "RENEWAL_DUE",
				"valid_until": until, "workflow_state": "STARTED", "decision_id": ref.DecisionID, "digest": ref.Digest,
			})
			require.NoError(t, err)
			require.JSONEq(t, string(want), content)
			require.Zero(t, b.Count(`SELECT count(*) FROM webhook_event e WHERE e::text LIKE '%Quillfeather%'`), "no event holds names or references")
		})
	}
}

// TestDeadlines_AfterADowntime: one decision and one event a document, of what counts now.
func TestDeadlines_AfterADowntime(t *testing.T) {
	b := setup(t)
	b.Write(b.Call, func(r *store.Records) error {
		return only(r.Persons.Create(t.Context(), b.Business.WireID(), store.PersonPath, domain.Person{FirstName: new("C"), LastName: new("D")}))
	})
	b.publishText("one", renewed)
	b.mustCalculate()
	documents := func() (passports []document.Document) {
		all, _, err := b.Store.Records(b.Call.Scope).Documents.List(t.Context(), b.Workflow.WireID(), calculation.DocumentFilter{EntityType: fact.EntityPerson}, nil)
		require.NoError(t, err)
		for _, d := range all {
			passports = append(passports, d.Document)
		}
		return passports
	}
	all, _, err := b.Store.Records(b.Call.Scope).Documents.List(t.Context(), b.Workflow.WireID(), calculation.DocumentFilter{EntityType: fact.EntityPerson}, nil)
	require.NoError(t, err)
	for _, d := range all {
		b.review(d, document.Review{Status: document.Completed})
	}
	decided := len(b.record())
	until := documents()[0].ValidUntil()
	today := fact.DateOf(until.UTC().AddDate(0, 0, 3))
	b.goTo(today, "UTC", 0)
	require.Equal(t, domain.Deadlines{RenewalDue: 2}, b.deadlines(), "nobody is reminded of what has lapsed")
	b.Pass(-time.Hour)
	require.Zero(t, b.deadlines())
	b.Pass(2 * time.Hour)
	require.Zero(t, b.deadlines())
	for _, d := range documents() {
		require.Equal(t, []any{document.Pending, today, lasting("10 days").After(today)}, []any{d.Status, d.DueSince, d.DueOn}, "it has its whole time")
	}
	require.Len(t, b.record(), decided+1)
	require.Len(t, b.told(), 2)
	require.Equal(t, 1, b.Count(`SELECT count(DISTINCT fields ->> 'decision_id') FROM webhook_event WHERE event_type = 'REQUIRED_DOCUMENT_EXPIRED'`))

	b.goTo(fact.DateOf(today.UTC().AddDate(0, 0, 50)), "UTC", 0)
	require.Equal(t, domain.Deadlines{Overdue: 2}, b.deadlines())
	require.Zero(t, b.deadlines())
}

// TestDeadlines_FollowWhatIsWritten: the next day that brings something changes with the document, and
// what was told is not told again.
func TestDeadlines_FollowWhatIsWritten(t *testing.T) {
	b := setup(t)
	terms := requirement.Terms{DueWithin: lasting("10 days")}
	b.publishText("one", terms)
	b.mustCalculate()
	overdue := func() fact.Date { return b.document(b.Workflow.WireID(), "PASSPORT").DueOn.Next() }
	b.goTo(overdue(), "UTC", 0)
	b.review(b.document(b.Workflow.WireID(), "PASSPORT"), document.Review{Status: document.NeedsReview})
	require.Zero(t, b.deadlines(), "in review it is not overdue")
	b.review(b.document(b.Workflow.WireID(), "PASSPORT"), document.Review{Status: document.Pending})
	require.Equal(t, domain.Deadlines{Overdue: 1}, b.deadlines())
	b.review(b.document(b.Workflow.WireID(), "PASSPORT"), document.Review{Status: document.Pending, Note: "n"})
	require.Zero(t, b.deadlines())

	terms.DueWithin = lasting("60 days")
	b.publishText("one", terms)
	b.mustCalculate()
	require.Zero(t, b.deadlines())
	b.goTo(overdue(), "UTC", 0)
	require.Equal(t, domain.Deadlines{Overdue: 1}, b.deadlines(), "it is another due date")
	terms.DueWithin = lasting("10 days")
	b.publishText("one", terms)
	b.mustCalculate()
	require.Zero(t, b.deadlines(), "the first was told")
	require.Len(t, b.told(), 2)
}

// TestDeadlines_InAWorkflowThatHasEnded only tell that an approval has lapsed.
func TestDeadlines_InAWorkflowThatHasEnded(t *testing.T) {
	b := setup(t)
	b.publishText("one", renewed)
	b.mustCalculate()
	until := b.approvePassport()
	_, _, err := b.byHand(requirement.Entity{Type: fact.EntityBusiness, ID: b.Business.WireID().String()}, "FUNDS")
	require.NoError(t, err)
	require.NotZero(t, b.document(b.Workflow.WireID(), "FUNDS").Deadline())
	require.NoError(t, b.completeWorkflow())
	decided := len(b.record())
	before := b.document(b.Workflow.WireID(), "PASSPORT")
	b.goTo(until, "UTC", 0)
	require.Zero(t, b.deadlines(), "nobody is reminded, and nothing is overdue")
	b.goTo(until.Next(), "UTC", 0)
	require.Equal(t, domain.Deadlines{RenewalDue: 1}, b.deadlines())
	b.Pass(24 * time.Hour)
	require.Zero(t, b.deadlines())
	after := b.document(b.Workflow.WireID(), "PASSPORT")
	before.Notified, after.Notified = document.Notified{}, document.Notified{}
	require.Equal(t, before, after, "nothing changes")
	require.Len(t, b.record(), decided)
	require.Equal(t, []string{"REQUIRED_DOCUMENT_EXPIRED PASSPORT " + until.String()}, b.told())
	require.Equal(t, 1, b.Count(`
		SELECT count(*) FROM webhook_event WHERE event_type = 'REQUIRED_DOCUMENT_EXPIRED' AND fields ->> 'workflow_state' = 'ENDED' AND fields ->> 'status' = 'COMPLETED'
			AND fields ->> 'status_reason' = 'RENEWAL_DUE' AND NOT fields ?| ARRAY['decision_id', 'digest']`))
	require.Zero(t, b.Count(`SELECT count(*) FROM required_document WHERE next_on IS NOT NULL`), "nothing is looked at any more")
}

func TestDeadlines_NotOfAnErasedBusiness(t *testing.T) {
	b := setup(t)
	b.publishText("one", renewed)
	b.mustCalculate()
	until := b.approvePassport()
	require.NoError(t, only(b.Operator.Erase(t.Context(), b.Call.Scope, b.Business.WireID(), false)))
	b.goTo(until.Next(), "UTC", 0)
	require.Zero(t, b.deadlines())
	require.Zero(t, b.Count(`SELECT count(*) FROM required_document WHERE next_on IS NOT NULL`))
	require.NoError(t, b.Exec(`UPDATE required_document SET next_on = '2020-01-01'`)) // read before the erasure
	require.Zero(t, b.deadlines())
	require.Equal(t, document.Completed, b.document(b.Workflow.WireID(), "PASSPORT").Status)
	require.Empty(t, b.told())
}

// TestDeadlines_SkipWhatIsLocked, and do it the next time.
func TestDeadlines_SkipWhatIsLocked(t *testing.T) {
	b := setup(t)
	b.publishText("one", renewed)
	b.mustCalculate()
	b.goTo(b.approvePassport().Next(), "UTC", 0)
	tx, err := b.Pool().Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT FROM workflow FOR NO KEY UPDATE`)))
	require.Equal(t, domain.Deadlines{PutOff: 1}, b.deadlines())
	require.NoError(t, tx.Rollback(t.Context()))

	tx, err = b.Pool().Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT pg_advisory_xact_lock(hashtextextended('business/' || $1::text, 0))`, b.Business.ID.String())))
	require.Equal(t, domain.Deadlines{PutOff: 1}, b.deadlines(), "the facts of the business are being changed")
	require.NoError(t, tx.Rollback(t.Context()))
	require.Equal(t, domain.Deadlines{RenewalDue: 1}, b.deadlines())
}

func TestDeadlines_TwoRunsAtOnceTellOnce(t *testing.T) {
	b := setup(t)
	b.publishText("one", renewed)
	first := b.Workflow
	for range 5 {
		require.NoError(t, b.tryWorkflow(domain.Started))
	}
	workflows, _, err := b.Store.Records(b.Call.Scope).Workflows.List(t.Context(), b.Account.WireID(), domain.WorkflowFilter{}, domain.Page{Limit: 50})
	require.NoError(t, err)
	for _, w := range workflows {
		b.Workflow = w.Workflow
		b.mustCalculate()
		b.goTo(fact.DateOf(b.Now()), "UTC", 0)
		b.approvePassport()
	}
	b.Workflow = first
	b.Pass(32 * 24 * time.Hour)
	pgtest.AtOnce(4, func(int) { b.deadlines() })
	b.deadlines()
	require.Len(t, b.told(), len(workflows))
	require.Equal(t, len(workflows), b.Count(`SELECT count(*) FROM decision WHERE outcome = 'EXPIRED'`))
}

// TestDeadlines_AccountsTakeTurns: one with few does not wait for one with many.
func TestDeadlines_AccountsTakeTurns(t *testing.T) {
	b := setup(t)
	account, call := b.NewAccount("second", "America/New_York")
	second := &bundle{b.InAccount(account, call)}
	many := []*bundle{b, second}
	for i, of := range many {
		of.publishOverdue()
		for range []int{50, 3}[i] {
			of.openOverdue()
		}
	}
	b.Pass(100 * 24 * time.Hour)
	require.EqualValues(t, 53, b.deadlines().Overdue)
	last := b.Count(`
		WITH told AS (SELECT v.account_id, row_number() OVER (ORDER BY p.written) AS n FROM webhook_event v JOIN webhook_event_position p ON p.event_id = v.id WHERE v.event_type = 'REQUIRED_DOCUMENT_OVERDUE')
		SELECT max(n) FROM told WHERE account_id = $1`, account.ID)
	require.LessOrEqual(t, last, 23)
	require.Zero(t, b.deadlines())
}

// publishOverdue publishes rules of one document that is due a day after it was required.
func (b *bundle) publishOverdue() {
	b.publish(requirement.DocumentRule{DocumentTypeCode: "DEED", Terms: requirement.Terms{DueWithin: lasting("1 day")}})
}

// openOverdue opens an application with that document.
func (b *bundle) openOverdue() {
	b.Helper()
	b.Write(b.Call, func(r *store.Records) error {
		business, err := r.Applicants.CreateBusiness(b.Context(), b.Account.WireID(), domain.Business{LegalName: "Ltd"})
		if err != nil {
			return err
		}
		b.Workflow, err = r.Workflows.Create(b.Context(), b.Account.WireID(), business.WireID(), domain.NewWorkflow{State: domain.Started})
		return err
	})
	b.mustCalculate()
}

func TestDeadlines_OneThatFailsEndsNoOther(t *testing.T) {
	b := setup(t)
	require.NoError(t, only(b.Operator.Organizations.CreateAccount(t.Context(), b.Call.Scope, "unknown zone", "USD", "UTC")))
	require.NoError(t, b.Exec(`UPDATE account SET time_zone = 'Nowhere/Else' WHERE name = 'unknown zone'`))
	b.publishOverdue()
	for range 3 {
		b.openOverdue()
	}
	require.NoError(t, b.Exec(`UPDATE required_document SET reasons = '["broken"]' WHERE workflow_id = (SELECT min(workflow_id::text)::uuid FROM required_document)`))
	b.Pass(100 * 24 * time.Hour)
	var failed []error
	done, err := b.Store.Upkeep.ApplyDeadlines(t.Context(), func(domain.Deadlines) {}, func(_ id.WorkflowID, err error) { failed = append(failed, err) })
	require.ErrorContains(t, err, "the deadlines of 1 workflows could not be applied")
	require.ErrorContains(t, err, "Nowhere/Else")
	require.Len(t, failed, 1)
	require.EqualValues(t, 2, done.Overdue)
}

func TestDeadlines_EndWithTheirContext(t *testing.T) {
	b := setup(t)
	b.publishOverdue()
	for range 2 {
		b.openOverdue()
	}
	b.Pass(100 * 24 * time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := b.Store.Upkeep.ApplyDeadlines(ctx, func(domain.Deadlines) { cancel() }, func(id.WorkflowID, error) { t.Error("a canceled one has not failed") })
	require.True(t, errors.Is(err, ctx.Err()))
	require.Len(t, b.told(), 1, "what was done before stays done")
	require.EqualValues(t, 1, b.deadlines().Overdue)
}

func (b *bundle) lines(sql string) []string {
	b.Helper()
	rows, err := b.Pool().Query(b.Context(), sql)
	require.NoError(b, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(b, err)
	return lines
}
