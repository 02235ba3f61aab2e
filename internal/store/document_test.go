package store_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// document is the only document of a workflow with a code.
func (b *bundle) document(workflow id.WorkflowID, code string) calculation.RequiredDocument {
	b.Helper()
	documents, _, err := b.Store.Records(b.Call.Scope).Documents.List(b.Context(), workflow, calculation.DocumentFilter{}, nil)
	require.NoError(b, err)
	for _, d := range documents {
		if d.DocumentTypeCode == code {
			return d
		}
	}
	require.Fail(b, "there is no document "+code)
	return calculation.RequiredDocument{}
}

func (b *bundle) tryReview(d calculation.RequiredDocument, review document.Review, readUnder id.DecisionID) (made refusal.DecisionRef, err error) {
	err = b.Try(b.Call, func(r *store.Records) (err error) {
		made, err = r.Documents.Update(b.Context(), id.Must[id.RequiredDocumentID](d.ID), review, readUnder)
		return err
	})
	return made, err
}

func (b *bundle) review(d calculation.RequiredDocument, review document.Review) refusal.DecisionRef {
	b.Helper()
	made, err := b.tryReview(d, review, d.DecisionID)
	require.NoError(b, err)
	return made
}

func on(text string) *fact.Date {
	d, err := fact.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return &d
}

func lasting(text string) *fact.Period {
	p, err := fact.ParsePeriod(text)
	if err != nil {
		panic(err)
	}
	return &p
}

// textOf publishes a rule set of one document of each person, with a requirement text.
func (b *bundle) publishText(text string, terms requirement.Terms) {
	b.Helper()
	rules := requirement.RuleSet{Documents: []requirement.DocumentRule{
		{DocumentTypeCode: "PASSPORT", Name: "Passport", Category: "c", RequirementText: text, EntityType: fact.EntityPerson, Terms: terms},
		{DocumentTypeCode: "DEED", Name: "Deed", Category: "c", RequirementText: "t", EntityType: fact.EntityBusiness},
	}}
	b.Write(b.Call, func(r *store.Records) error {
		return only(r.Rules.Publish(b.Context(), b.Account.WireID(), calculation.NewDraft(rules.CanonicalJSON())))
	})
}

func (b *bundle) rename(name string) {
	b.Write(b.Call, func(r *store.Records) error {
		return r.Persons.Update(b.Context(), b.Person.WireID(), domain.CustomChange{}, func(p *domain.Person) { p.FirstName = &name })
	})
}

func TestDocument_AnApprovalIsOfATextAndAPerson(t *testing.T) {
	b := setup(t)
	terms := requirement.Terms{MustBeValid: true, RenewAfter: lasting("1 year"), DueWithin: lasting("30 days"), Explanation: "e"}
	b.publishText("one", terms)
	b.mustCalculate()
	workflow := b.Workflow.WireID()
	d := b.document(workflow, "PASSPORT")
	today := fact.DateOf(b.Now())
	require.Equal(t, lasting("30 days").After(today), d.Deadline())
	require.Equal(t, "e", d.Explanation)

	made := b.review(d, document.Review{
		Status: document.Completed, Evidence: []document.Evidence{{Reference: "Quillfeather.pdf", ExpiresOn: on("2999-01-01")}}, ReviewedBy: "Ida Berg", Note: "seen",
	})
	d = b.document(workflow, "PASSPORT")
	require.Equal(t, []any{document.Completed, lasting("1 year").After(today), fact.Date{}}, []any{d.Status, d.ValidUntil(), d.Deadline()})
	require.Equal(t, []any{made.DecisionID, made.DecisionID.String()}, []any{d.DecisionID, d.Approval.DecisionID})
	recorded := b.decision(&made)
	require.Equal(t, decision.Updated, recorded.Outcome)
	require.Equal(t, d.ValidUntil(), recorded.Changed.Document.ValidUntil)
	stated := recorded.OnFile.Statement
	require.Equal(t, []any{"Ida Berg", "seen", "one", *b.Person.FirstName}, []any{stated.ReviewedBy, stated.Note, stated.Approved.Text.RequirementText, stated.Approved.Identity.FirstName})
	require.Equal(t, d.Evidence, stated.Evidence)

	b.publishText("two", terms)
	changed := b.mustCalculate()
	require.Equal(t, []document.Status{document.NeedsReview}, statusesOf(changed.Changed.Reopened))
	require.Len(t, changed.Changed.Kept, 2)
	require.Equal(t, changed.Changed.Reopened, b.decision(changed.Decision).Changed.Reopened)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_event WHERE jsonb_array_length(fields -> 'reopened') = 1`))
	require.Equal(t, document.TextChanged, b.document(workflow, "PASSPORT").StatusReason)

	b.publishText("one", terms)
	require.Equal(t, []document.Status{document.Completed}, statusesOf(b.mustCalculate().Changed.Reinstated))
	b.rename("Somebody else")
	require.Len(t, b.mustCalculate().Changed.Reopened, 1)
	require.Equal(t, document.IdentityChanged, b.document(workflow, "PASSPORT").StatusReason)
	require.Len(t, b.mustCalculate().Changed.Kept, 2)
	b.rename(" " + strings.ToUpper(*b.Person.FirstName))
	require.Len(t, b.mustCalculate().Changed.Reinstated, 1)

	events := b.Count(`SELECT count(*) FROM webhook_event WHERE fields::text LIKE '%Quillfeather%' OR fields::text LIKE '%Ida Berg%'`)
	require.Zero(t, events, "no event holds names or references")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_event WHERE fields -> 'evidence' -> 0 ->> 'expires_on' = '2999-01-01'`))
}

func statusesOf(refs []calculation.DocumentRef) (statuses []document.Status) {
	for _, ref := range refs {
		statuses = append(statuses, ref.Status)
	}
	return statuses
}

// Days are those of the account's time zone, and the last one counts.
func TestDocument_EvidenceIsJudgedOnTheAccountsDay(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.Exec(`UPDATE account SET time_zone = 'Pacific/Kiritimati'`)) // UTC+14
	b.publishText("one", requirement.Terms{MustBeValid: true, NotOlderThan: lasting("1 month")})
	b.mustCalculate()
	d := b.document(b.Workflow.WireID(), "PASSPORT")
	zone, err := domain.Zone("Pacific/Kiritimati")
	require.NoError(t, err)
	today := fact.DateOf(b.Now().In(zone))
	day := func(after int) *fact.Date { return new(fact.DateOf(today.UTC().AddDate(0, 0, after))) }
	for _, c := range []struct {
		evidence *document.Evidence
		want     any
		field    string
	}{
		{nil, refusal.EvidenceRequired, "required_document.evidence"},
		{&document.Evidence{IssuedOn: &today}, refusal.EvidenceRequired, "required_document.evidence[0].expires_on"},
		{&document.Evidence{IssuedOn: day(-32), ExpiresOn: &today}, refusal.EvidenceTooOld, "required_document.evidence[0].issued_on"},
		{&document.Evidence{IssuedOn: &today, ExpiresOn: day(-1)}, refusal.EvidenceExpired, "required_document.evidence[0].expires_on"},
		{&document.Evidence{IssuedOn: day(1), ExpiresOn: day(1)}, refusal.BadRequest, "required_document.evidence[0].issued_on"},
		{&document.Evidence{DocumentTypeCode: "VISA", IssuedOn: &today, ExpiresOn: &today}, refusal.BadRequest, "required_document.evidence[0].document_type_code"},
	} {
		review := document.Review{Status: document.Completed}
		if c.evidence != nil {
			review.Evidence = []document.Evidence{*c.evidence}
		}
		_, err := b.tryReview(d, review, id.DecisionID{})
		refused := pgtest.Refused(t, err)
		require.EqualValues(t, c.want, refused.SpecificCode())
		require.Contains(t, string(refused.Details), `"`+c.field+`"`)
	}
	require.Equal(t, document.Pending, b.document(b.Workflow.WireID(), "PASSPORT").Status)
	b.review(d, document.Review{Status: document.Completed, Evidence: []document.Evidence{{IssuedOn: &today, ExpiresOn: &today}}})
	require.Equal(t, today, b.document(b.Workflow.WireID(), "PASSPORT").ValidUntil())
}

// TestDocument_OneOfTwoReviewersWins, and the record has both decisions in order.
func TestDocument_OneOfTwoReviewersWins(t *testing.T) {
	b := setup(t)
	b.publishText("one", requirement.Terms{})
	b.mustCalculate()
	d := b.document(b.Workflow.WireID(), "PASSPORT")
	var all errgroup.Group
	won := make(chan refusal.DecisionRef, 8)
	for range cap(won) {
		all.Go(func() error {
			made, err := b.tryReview(d, document.Review{Status: document.NeedsReview, Note: "mine"}, d.DecisionID)
			if err == nil {
				won <- made
				return nil
			}
			if refused := (*refusal.Refusal)(nil); errors.As(err, &refused) && refused.SubCode == refusal.DocumentChanged {
				return nil
			}
			return err
		})
	}
	require.NoError(t, all.Wait())
	require.Len(t, won, 1)
	first := <-won
	second := b.review(b.document(b.Workflow.WireID(), "PASSPORT"), document.Review{Status: document.Completed})
	require.Equal(t, b.decision(&first).Number+1, b.decision(&second).Number)
	require.Equal(t, b.decision(&first).Digest, b.decision(&second).PreviousDigest)
	_, err := b.tryReview(d, document.Review{Status: document.Pending}, first.DecisionID)
	require.Equal(t, refusal.DocumentChanged, pgtest.Refused(t, err).SubCode)
}

func (b *bundle) byHand(of requirement.Entity, code string) (made id.RequiredDocumentID, ref refusal.DecisionRef, err error) {
	text := document.ManualText{Name: "Quillfeather", Category: "c", RequirementText: "Quillfeather's funds", Explanation: "Quillfeather", DueWithin: lasting("1 day"), Reason: "Quillfeather"}
	err = b.Try(b.Call, func(r *store.Records) (err error) {
		made, ref, err = r.Documents.Create(b.Context(), b.Workflow.WireID(), code, of, text)
		return err
	})
	return made, ref, err
}

func TestDocument_RequiredAndWaivedByHand(t *testing.T) {
	b := setup(t)
	person := requirement.Entity{Type: fact.EntityPerson, ID: b.Person.WireID().String()}
	made, ref, err := b.byHand(person, "FUNDS")
	require.NoError(t, err)
	d := b.document(b.Workflow.WireID(), "FUNDS")
	require.Equal(t, []any{made.String(), document.Pending, document.OriginManual, false}, []any{d.ID, d.Status, d.Origin, d.Overdue})
	recorded := b.decision(&ref)
	require.Equal(t, []any{decision.Created, d.Deadline(), "Quillfeather"}, []any{recorded.Outcome, recorded.Changed.Created.DueOn, recorded.OnFile.Statement.Required.Reason})
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_event WHERE event_type = 'REQUIRED_DOCUMENT_ADDED' AND fields ? 'due_on' AND fields::text NOT LIKE '%Quillfeather%'`))
	_, _, err = b.byHand(person, "FUNDS")
	require.Equal(t, []any{refusal.DocumentExists, made.String()}, []any{pgtest.Refused(t, err).SubCode, pgtest.Refused(t, err).EntityID})
	for _, other := range []requirement.Entity{
		{Type: fact.EntityPerson, ID: id.Format(id.Person, id.New())}, {Type: fact.EntityBusiness, ID: id.Format(id.Business, id.New())}, {Type: fact.EntityWorkflow, ID: id.Format(id.Workflow, id.New())},
	} {
		_, _, err := b.byHand(other, "FUNDS")
		require.Equal(t, []any{refusal.EntityNotFound, other.Type}, []any{pgtest.Refused(t, err).Code, pgtest.Refused(t, err).EntityType})
	}

	require.Len(t, b.mustCalculate().Changed.Kept, 1, "no rule requires it, and none retires it")
	b.Pass(48 * time.Hour)
	require.True(t, b.document(b.Workflow.WireID(), "FUNDS").Overdue)
	counted := func() []int {
		w, err := b.Store.Records(b.Call.Scope).Workflows.WithFindings(t.Context(), b.Workflow.WireID())
		require.NoError(t, err)
		return []int{w.Pending, w.Overdue, w.Waived}
	}
	require.Equal(t, []int{1, 1, 0}, counted())

	var waived refusal.DecisionRef
	b.Write(b.Call, func(r *store.Records) (err error) {
		waived, err = r.Documents.Waive(t.Context(), made, "not needed", d.DecisionID)
		return err
	})
	require.Equal(t, []any{decision.Waived, "not needed"}, []any{b.decision(&waived).Outcome, b.decision(&waived).OnFile.Statement.Reason})
	require.Equal(t, []int{0, 0, 1}, counted())
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_event WHERE event_type = 'REQUIRED_DOCUMENT_UPDATED' AND fields ->> 'status' = 'WAIVED'`))

	b.Write(b.Call, func(r *store.Records) error { return r.Persons.Delete(t.Context(), b.Person.WireID()) })
	require.Len(t, b.mustCalculate().Changed.Removed, 1, "its person was deleted")
}

func TestWorkflow_CarriesTheApprovalsOfThePreviousOne(t *testing.T) {
	b := setup(t)
	b.publishText("one", requirement.Terms{MustBeValid: true})
	b.mustCalculate()
	evidence := []document.Evidence{{Reference: "r", ExpiresOn: on("2999-01-01")}}
	made := b.review(b.document(b.Workflow.WireID(), "PASSPORT"), document.Review{Status: document.Completed, Evidence: evidence})
	next := func(previous id.WorkflowID, business id.BusinessID) (w domain.Workflow, err error) {
		err = b.Try(b.Call, func(r *store.Records) (err error) {
			w, err = r.Workflows.Create(t.Context(), b.Account.WireID(), business, domain.NewWorkflow{State: domain.Started, PreviousWorkflowID: previous})
			return err
		})
		return w, err
	}
	previous := b.Workflow.WireID()
	_, err := next(previous, b.Business.WireID())
	require.Equal(t, []any{refusal.WorkflowNotEnded, previous.String()}, []any{pgtest.Refused(t, err).SubCode, pgtest.Refused(t, err).EntityID})
	require.NoError(t, b.completeWorkflow())
	_, err = next(id.WorkflowID{UUID: id.New()}, b.Business.WireID())
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code)
	var other domain.Business
	b.Write(b.Call, func(r *store.Records) (err error) {
		other, err = r.Applicants.CreateBusiness(t.Context(), b.Account.WireID(), domain.Business{LegalName: "Other"})
		return err
	})
	_, err = next(previous, other.WireID())
	require.Contains(t, string(pgtest.Refused(t, err).Details), "workflow.previous_workflow_id")

	w, err := next(previous, b.Business.WireID())
	require.NoError(t, err)
	b.Workflow = w
	preview, err := b.Store.Preview(t.Context(), b.Call.Scope, w.WireID(), store.Tried{}, fact.Date{}, b.evaluate)
	require.NoError(t, err)
	require.Len(t, preview.Changes.Carried, 1)
	result := b.mustCalculate()
	require.Len(t, result.Changed.Added, 2)
	require.Len(t, result.Changed.Carried, 1)
	require.Equal(t, []any{"PASSPORT", document.Completed, made.DecisionID.String()}, []any{result.Changed.Carried[0].DocumentTypeCode, result.Changed.Carried[0].Status, result.Changed.Carried[0].FromDecisionID})
	require.Equal(t, result.Changed.Carried, b.decision(result.Decision).Changed.Carried)
	d := b.document(w.WireID(), "PASSPORT")
	require.Equal(t, []any{document.Completed, evidence, "2999-01-01"}, []any{d.Status, d.Evidence, d.ValidUntil().String()})
	require.Empty(t, b.mustCalculate().Changed.Carried, "the first calculation alone takes over")
}

func TestComplete_WarnsOrRefusesWhatIsNotDone(t *testing.T) {
	b := setup(t)
	complete := func(strict bool) (warned []string, err error) {
		err = b.Try(b.keyed("strict"), func(r *store.Records) error {
			warnings, err := r.Workflows.Complete(t.Context(), b.Workflow.WireID(), strict)
			for _, w := range warnings {
				warned = append(warned, string(w.Code))
			}
			return err
		})
		return warned, err
	}
	b.publishText("one", requirement.Terms{})
	_, err := complete(true)
	require.Equal(t, refusal.DocumentsNotCalculated, pgtest.Refused(t, err).SubCode)
	b.mustCalculate()
	b.rename("Ida")
	_, err = complete(true)
	refused := pgtest.Refused(t, err)
	require.Equal(t, refusal.DocumentsStale, refused.SubCode)
	require.Contains(t, string(refused.Details), string(refusal.DocumentsNotCompleted), "details list all")
	b.mustCalculate()
	for _, code := range []string{"PASSPORT", "DEED"} {
		_, err = complete(true)
		require.Equal(t, refusal.DocumentsNotCompleted, pgtest.Refused(t, err).SubCode)
		b.Write(b.Call, func(r *store.Records) error {
			return only(r.Documents.Waive(t.Context(), id.Must[id.RequiredDocumentID](b.document(b.Workflow.WireID(), code).ID), "r", id.DecisionID{}))
		})
	}
	require.Equal(t, domain.Started, b.onRecord().State)
	warned, err := complete(true)
	require.NoError(t, err)
	require.Empty(t, warned, "what was waived is done")
}

// TestErase_RemovesWhatWasStatedAboutDocuments, and the record still verifies.
func TestErase_RemovesWhatWasStatedAboutDocuments(t *testing.T) {
	b := setup(t)
	b.rename("Quillfeather")
	b.publishText("one", requirement.Terms{RenewAfter: lasting("1 year")})
	b.mustCalculate()
	b.review(b.document(b.Workflow.WireID(), "PASSPORT"), document.Review{
		Status: document.Completed, Evidence: []document.Evidence{{Reference: "Quillfeather.pdf", IssuedOn: on("2020-02-29")}}, ReviewedBy: "Quillfeather", Note: "Quillfeather",
	})
	until := b.document(b.Workflow.WireID(), "PASSPORT").ValidUntil()
	_, _, err := b.byHand(requirement.Entity{Type: fact.EntityBusiness, ID: b.Business.WireID().String()}, "FUNDS")
	require.NoError(t, err)
	left := func() int {
		return b.Count(`SELECT (SELECT count(*) FROM required_document d WHERE d::text ~ 'Quillfeather|2020-02-29') + (SELECT count(*) FROM decision d WHERE d::text ~ 'Quillfeather|2020-02-29')
			+ (SELECT count(*) FROM webhook_event e WHERE e::text ~ 'Quillfeather|2020-02-29')`)
	}
	require.NotZero(t, left())
	require.NoError(t, only(b.Operator.Erase(t.Context(), b.Call.Scope, b.Business.WireID(), false)))
	require.Zero(t, left())
	b.record()
	d := b.document(b.Workflow.WireID(), "PASSPORT")
	require.Equal(t, []any{document.Completed, until}, []any{d.Status, d.ValidUntil()}, "statuses and dates stay")
	_, err = b.tryReview(d, document.Review{Status: document.Pending}, id.DecisionID{})
	require.Equal(t, refusal.BusinessErased, pgtest.Refused(t, err).SubCode)
	_, _, err = b.byHand(requirement.Entity{Type: fact.EntityBusiness, ID: b.Business.WireID().String()}, "MORE")
	require.Equal(t, refusal.BusinessErased, pgtest.Refused(t, err).SubCode)
}

// TestDocument_RequiredByHandAndByARule: it shows the rule's text while a rule requires it, and its own
// again afterwards. A document that no rule requires any more can be required by hand, under its id.
func TestDocument_RequiredByHandAndByARule(t *testing.T) {
	b := setup(t)
	person := requirement.Entity{Type: fact.EntityPerson, ID: b.Person.WireID().String()}
	made, _, err := b.byHand(person, "PASSPORT")
	require.NoError(t, err)
	says := func() []any {
		d := b.document(b.Workflow.WireID(), "PASSPORT")
		return []any{d.ID, d.Name, d.RequirementText, d.Reasons[0].Rule, d.Origin, d.Status}
	}
	own := []any{made.String(), "Quillfeather", "Quillfeather's funds", "MANUAL", document.OriginManual, document.Pending}
	require.Equal(t, own, says())
	b.publishText("one", requirement.Terms{})
	require.Len(t, b.mustCalculate().Changed.Kept, 1)
	ruled := []any{made.String(), "Passport", "one", "always required", document.OriginManual, document.Pending}
	require.Equal(t, ruled, says())
	b.review(b.document(b.Workflow.WireID(), "PASSPORT"), document.Review{Status: document.Completed})

	b.publish(rule("OTHER", ""))
	changed := b.mustCalculate()
	require.Len(t, changed.Changed.Removed, 1, "DEED, and not what hand requires")
	require.Len(t, changed.Changed.Reopened, 1, "the text of the rule was approved, and not its own")
	require.Equal(t, append(own[:5:5], document.NeedsReview), says())
	b.publishText("one", requirement.Terms{})
	require.Len(t, b.mustCalculate().Changed.Reinstated, 1)
	require.Equal(t, append(ruled[:5:5], document.Completed), says())

	business := requirement.Entity{Type: fact.EntityBusiness, ID: b.Business.WireID().String()}
	deed := b.document(b.Workflow.WireID(), "DEED")
	b.review(deed, document.Review{Status: document.Completed, Evidence: []document.Evidence{{Reference: "r"}}})
	_, _, err = b.byHand(business, "DEED")
	require.Equal(t, refusal.DocumentExists, pgtest.Refused(t, err).SubCode)
	b.publish(rule("OTHER", ""))
	b.mustCalculate()
	again, _, err := b.byHand(business, "DEED")
	require.NoError(t, err)
	d := b.document(b.Workflow.WireID(), "DEED")
	require.Equal(t, []any{deed.ID, deed.ID, document.Pending, document.OriginManual, 1}, []any{again.String(), d.ID, d.Status, d.Origin, len(d.Evidence)})
	require.Len(t, b.mustCalculate().Changed.Reinstated, 0, "nobody has approved what hand requires")
}

// TestDocument_IsRequiredOnceByHand, of callers at the same time.
func TestDocument_IsRequiredOnceByHand(t *testing.T) {
	b := setup(t)
	business := requirement.Entity{Type: fact.EntityBusiness, ID: b.Business.WireID().String()}
	var all errgroup.Group
	made := make(chan id.RequiredDocumentID, 8)
	for range cap(made) {
		all.Go(func() error {
			one, _, err := b.byHand(business, "FUNDS")
			if err == nil {
				made <- one
				return nil
			}
			if refused := (*refusal.Refusal)(nil); errors.As(err, &refused) && refused.SubCode == refusal.DocumentExists {
				return nil
			}
			return err
		})
	}
	require.NoError(t, all.Wait())
	require.Len(t, made, 1)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_event WHERE event_type = 'REQUIRED_DOCUMENT_ADDED'`))
}

// TestDocument_IsDueAfterAFact, although a run saves without the facts.
func TestDocument_IsDueAfterAFact(t *testing.T) {
	b := setup(t)
	b.publish(requirement.DocumentRule{DocumentTypeCode: "DEED", Terms: requirement.Terms{DueWithin: lasting("1 day"), DueFrom: "established_date"}})
	b.mustCalculate()
	d := b.document(b.Workflow.WireID(), "DEED")
	require.Equal(t, "2001-01-02", d.DueOn.String())
	require.True(t, d.Overdue)
	require.Equal(t, domain.Deadlines{Overdue: 1}, b.deadlines())
}
